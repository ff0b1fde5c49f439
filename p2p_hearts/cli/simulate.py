"""`simulate`: a whole table on a virtual clock, made of a seed; what it came to, and on request how.

The law: the same arguments print the same bytes, on any machine and with any hash seed.
"""

import json
import sys
from typing import Any, TextIO

from p2p_hearts.cli.commands import Simulate
from p2p_hearts.cli.describe import describe
from p2p_hearts.cli.exits import Exit
from p2p_hearts.cli.sheet import sheet
from p2p_hearts.console.language import speaking
from p2p_hearts.crypto.group import RISTRETTO255
from p2p_hearts.protocol.envelope import Author, Tag, open_entry
from p2p_hearts.protocol.errors import MalformedError, RemoteProtocolError
from p2p_hearts.protocol.events import Event
from p2p_hearts.protocol.state import DECK_SIZE
from p2p_hearts.simulation.adversary.registry import find_cheat
from p2p_hearts.simulation.faults import Incident, Trouble, draw_incidents
from p2p_hearts.simulation.network import Weather
from p2p_hearts.simulation.tiny_group import TINY
from p2p_hearts.simulation.trial import Trial, arrange
from p2p_hearts.simulation.world import Plan, World, flaws, report

SOME_HANDS = 8  # of a game to the limit
BEGUN = 0.3  # virtual seconds; by then the game has begun


def world_of(simulate: Simulate) -> World:
    """The world before anything has happened, to be run until all have what they wait for."""
    if simulate.adversary is None:
        return World(_plan(simulate))
    world = arrange(_plan(simulate), find_cheat(simulate.adversary)).world
    world.until = None
    return world


def run_simulation(simulate: Simulate) -> Exit:
    """Play and print; the exit code: 0 when every peer came to the same result, or saw what it must of a cheat."""
    trial = None if simulate.adversary is None else arrange(_plan(simulate), find_cheat(simulate.adversary))
    world = World(_plan(simulate)) if trial is None else trial.world
    if simulate.troubles:  # then a trial does not end when nothing comes of anything for a while
        world.until = None
    if simulate.trace:
        _trace(world, sys.stderr if simulate.json else sys.stdout)
    world.run()
    outcome = report(world)
    said = [] if trial is None else ["", f"Peer 2 cheats. {trial.cheat.tries}", *_verdict(trial)]
    print(json.dumps(outcome) if simulate.json else "\n".join(_lines(world, outcome) + said))
    right = not flaws(world) if trial is None or simulate.troubles else not trial.flaws()
    return Exit.DONE if right else Exit.CHECK_FAILED


def _verdict(trial: Trial) -> list[str]:
    """What the honest peers should have seen and did not, or that all is as it must be."""
    flaws = [f"{flaw[:1].upper()}{flaw[1:]}." for flaw in trial.flaws()]
    return flaws or ["Every honest peer saw of it what it must, and blames nobody honest."]


def _plan(simulate: Simulate) -> Plan:
    return Plan(
        peers=simulate.peers,
        seats=simulate.seats,
        hands=simulate.rules.hands or 0,
        seed=simulate.seed,
        group=TINY if simulate.tiny else RISTRETTO255,
        weather=Weather(simulate.loss, simulate.delay / 1000, simulate.duplicate, simulate.reorder),
        level=simulate.level,
        preset=simulate.rules.preset,
        overrides=simulate.rules.overrides,
        think=simulate.think,
        grace=simulate.grace,
        incidents=_incidents(simulate),
    )


def _incidents(simulate: Simulate) -> tuple[Incident, ...]:
    """The faults of a seed, spread over the time that the hands take."""
    counts = {Trouble(name): count for name, count in simulate.troubles}
    span = (simulate.rules.hands or SOME_HANDS) * simulate.seats * (DECK_SIZE // simulate.seats) * simulate.think
    return draw_incidents(simulate.seed, simulate.peers, counts, (BEGUN, BEGUN + span), simulate.grace)


def _lines(world: World, outcome: dict[str, Any]) -> list[str]:
    """The outcome for a person."""
    result = next((result for session in world.sessions if (result := session.result())), None)
    with speaking("en"):  # the same bytes everywhere
        lines = [] if result is None else [*sheet(result), ""]
    lines += [f"{_name(world, peer.me.key.public)}: {peer.problem}" for peer in world.sessions if peer.problem]
    wrong = flaws(world)
    lines += [f"WRONG: {flaw}." for flaw in wrong]
    verdict = "signed the same result" if outcome["agreed"] else "did NOT all come to the same result"
    hands = f"{outcome['hands_played']} hand{'' if outcome['hands_played'] == 1 else 's'}"
    lines.append(f"{outcome['peers']} peers {verdict}: {hands} in {outcome['virtual_s']:.1f} virtual seconds.")
    return lines


def _trace(world: World, out: TextIO) -> None:
    """Has the world print every log entry when it first arrives anywhere, and every event of every peer."""
    seen: set[tuple[Author, int]] = set()

    def entry(source: int, target: int, frame: bytes) -> None:
        del target
        if frame[:1] != bytes((Tag.ENTRY,)):
            return
        try:
            it = open_entry(frame, world.sessions[source].version)
        except (MalformedError, RemoteProtocolError) as error:
            print(f"{world.now:10.4f}  peer {source + 1:<3} sends what is no entry: {error}", file=out)
            return
        if (it.author, it.seq) not in seen:
            seen.add((it.author, it.seq))
            name = _name(world, it.author.identity)
            line = f"entry {it.seq} {it.kind.name} of {len(frame)} bytes, {it.hash.hex()[:16]}"
            print(f"{world.now:10.4f}  {name:8} {line}", file=out)

    def event(now: float, peer: int, happened: Event) -> None:
        print(f"{now:10.4f}  peer {peer + 1:<3} {describe(happened, lambda key: _name(world, key))}", file=out)

    world.tap, world.watch = entry, event


def _name(world: World, identity: bytes) -> str:
    numbers = {session.me.key.public: number for number, session in enumerate(world.sessions, 1)}
    return f"peer {numbers[identity]}" if identity in numbers else identity.hex()[:8]
