"""The targets of the coverage-guided harness (`scripts/fuzz.py`) stand by themselves: they take their seeds, and these spoiled."""

import random

import fuzz_session
import fuzz_targets
import pytest

SPOILED = 30  # of each target


@pytest.mark.parametrize("name", fuzz_targets.TARGETS)
def test_targets(name: str) -> None:
    """Every target has seeds, and neither these nor spoiled ones make a door raise what it does not document."""
    target, rng = fuzz_targets.TARGETS[name](), random.Random(name)
    assert target.seeds
    for seed in target.seeds:
        assert target.run(seed) >= 1
    for _ in range(SPOILED):
        data = bytearray(rng.choice(target.seeds))
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        target.run(bytes(data))
    target.run(b"")


def test_a_session_put_aside_stays_as_it_is() -> None:
    """What an input does to a copy is not done to the Session that was put aside."""
    _, points = fuzz_session.record()
    point = next(point for point in points if point.name == "mixing")
    before = repr(point.session.table), point.session.logs.have()
    run, seeds = fuzz_session.session_target()
    assert sum(map(run, seeds)) > len(seeds)
    copied = fuzz_session.fork(point.session)
    assert copied.table is point.session.table
    assert copied.logs.have() == before[1]
    copied.logs.by_author.clear()
    assert (repr(point.session.table), point.session.logs.have()) == before
