"""Whole games of real Sessions in the simulation: whatever the number of peers and seats, whatever the options, all end with
one result that all have signed."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from p2p_hearts.crypto.errors import ProofError
from p2p_hearts.crypto.masking import card_of, unmask
from p2p_hearts.crypto.signature import verify
from p2p_hearts.protocol.events import (
    CardsReceived,
    DealProgressed,
    Duty,
    Event,
    GameEnded,
    HandOpened,
    HandScored,
    MoonShot,
    Played,
    ResultSigned,
    SeatPassed,
    TrickEnded,
    Turn,
)
from p2p_hearts.protocol.messages import Accept, DealShares, Kind, Mix
from p2p_hearts.protocol.scene import Stage
from p2p_hearts.protocol.stages import agreeing
from p2p_hearts.simulation.tiny_group import TINY
from p2p_hearts.simulation.world import Plan, World
from tests.protocol.hall import own_of


def played(**plan: Any) -> tuple[World, list[list[Event]]]:
    """A finished simulation, and what each peer was told."""
    world = World(Plan(group=TINY, **plan))
    heard: list[list[Event]] = [[] for _ in range(world.plan.peers)]
    world.watch = lambda _time, peer, event: heard[peer].append(event)
    world.run()
    return world, heard


def agreed(world: World) -> dict[str, Any]:
    """The one result of all peers, its digest and every signature verified by hand."""
    results = [session.result() for session in world.sessions]
    first = results[0]
    assert first is not None
    assert all(result == first for result in results)
    assert all(session.settled() and session.problem is None for session in world.sessions)
    assert not world.blamed
    plain = {key: value for key, value in first.items() if key not in {"digest", "signatures"}}
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    digest = hashlib.sha256(text.encode("ascii")).digest()
    assert first["digest"] == digest.hex()
    keys = {session.author.identity.hex() for session in world.sessions}
    assert first["signatures"].keys() == keys
    for key, signature in first["signatures"].items():
        verify(bytes.fromhex(key), b"result", digest, bytes.fromhex(signature))
        with pytest.raises(ProofError):
            verify(bytes.fromhex(key), b"entry", digest, bytes.fromhex(signature))
    return first


@pytest.mark.parametrize(
    ("peers", "seats"),
    [(1, 6), (1, 11), (2, 6), (2, 9), (3, 7), (3, 8), (6, 6), (6, 11), (8, 8), (8, 10), (11, 11)],
)
def test_one_signed_result(peers: int, seats: int) -> None:
    """One hand, any number of peers and bots: one result, with the points of R15 and everybody's signature."""
    world, _ = played(peers=peers, seats=seats, hands=1, seed=peers * seats)
    result = agreed(world)
    assert (result["seats"], result["hands"]) == (seats, 1)
    (points,) = result["points"]
    assert result["scores"] == points
    if result["moon"] == [None]:
        assert sum(points.values()) + result["unclaimed"][0] == 52
    assert set(result["operators"].values()) == {session.author.identity.hex() for session in world.sessions}


@pytest.mark.parametrize(
    ("cycle", "count", "seats"),
    [
        ("L,R", 3, 6),
        ("N", 3, 7),
        ("A,N", 5, 6),
        ("L3,R2", 1, 7),
        ("R", 2, 8),
        ("L", 0, 6),
        ("R3,N,L2", 4, 11),
    ],
)
def test_passing(cycle: str, count: int, seats: int) -> None:
    """Every cycle of passing, with none to five cards: each seat gets as many as it gave, from the right one, and says so."""
    world, heard = played(
        peers=3, seats=seats, hands=2, seed=5, overrides=(("pass_cycle", cycle), ("pass_count", count))
    )
    agreed(world)
    steps = cycle.split(",")
    expected: list[tuple[int, int]] = []
    for number in (0, 1):
        step = steps[number % len(steps)]
        offset = seats // 2 if step == "A" else int(step[1:] or 1) * (1 if step[0] == "L" else -1)
        if step != "N" and count:
            expected += [(seat, (seat - offset) % seats) for seat in range(seats)]
    got = [event for told in heard for event in told if isinstance(event, CardsReceived)]
    assert sorted((event.seat, event.source) for event in got) == sorted(expected)
    assert all(len(event.cards) == count for event in got)
    for told in heard:
        assert sum(isinstance(event, SeatPassed) for event in told) == len(expected)


def test_classic() -> None:
    """The preset `classic` to its limit of 100."""
    world, heard = played(peers=2, seats=7, hands=0, seed=1, preset="classic")
    result = agreed(world)
    assert result["options"]["cancel_rule"] == "no_live_led_card"
    assert result["options"]["pass_cycle"] == ["L", "R", "N"]
    assert result["game_over"]
    assert max(result["scores"].values()) >= 100
    lowest = min(result["scores"].values())
    assert result["winners"] == [seat for seat, total in result["scores"].items() if total == lowest]
    assert GameEnded(tuple(ord(seat) - ord("A") for seat in result["winners"])) in heard[1]


def test_to_the_limit() -> None:
    """A game without a number of hands goes on until somebody reaches the limit (R19), and no hand further."""
    world, heard = played(peers=3, seats=6, hands=0, seed=2, overrides=(("limit", 40),))
    result = agreed(world)
    totals = [0] * 6
    for number, points in enumerate(result["points"], 1):
        totals = [total + points[seat] for total, seat in zip(totals, "ABCDEF", strict=True)]
        assert (max(totals) >= 40) == (number == len(result["points"]))
    assert result["scores"] == dict(zip("ABCDEF", totals, strict=True))
    assert [event.number for event in heard[0] if isinstance(event, HandScored)] == list(range(1, result["hands"] + 1))


def test_omnibus() -> None:
    """With the jacks of diamonds at −10 the points of a hand add up to 52 less 10 for each jack won (D22)."""
    world, _ = played(peers=2, seats=6, hands=3, seed=3, overrides=(("jack_of_diamonds", -10),))
    result = agreed(world)
    for points, unclaimed, moon in zip(result["points"], result["unclaimed"], result["moon"], strict=True):
        assert moon is not None or sum(points.values()) + unclaimed in {52, 42, 32}
    assert any(sum(points.values()) in {32, 42} for points in result["points"])


KING, QUEEN_OF_HEARTS = 11, 36  # a rank counted from the two, and a card


def rigged(world: World) -> Callable[[bytes, int], tuple[int, ...]]:
    """A cut of the deck by somebody who knows all keys: seat A gets every ace and king and a queen of hearts, the other
    queen of hearts is in the kitty. Whatever anybody plays, A then wins every trick."""

    def cut(_value: bytes, _size: int) -> tuple[int, ...]:
        session = next(session for session in world.sessions if session.table.deal is not None)
        deck = session.table.deals[1].decks[-1]
        secret = sum(own_of(each).key.secret for each in world.sessions)
        cards = [card_of(TINY, unmask(TINY, secret, masked)) or 0 for masked in deck]
        first_queen, other_queen = (at for at, card in enumerate(cards) if card == QUEEN_OF_HEARTS)
        high = [at for at, card in enumerate(cards) if card % 13 >= KING]
        rest = [at for at in range(104) if at not in {*high, first_queen, other_queen}]
        return (*high, first_queen, *rest, other_queen)

    return cut


@pytest.mark.parametrize("peers", [1, 3, 6])
def test_a_moon(monkeypatch: pytest.MonkeyPatch, peers: int) -> None:
    """A seat that wins everything is asked, chooses, and the sheet says so on all peers (R17)."""
    overrides = (("pass_cycle", "N"), ("cancel_rule", "no_live_led_card"))
    world = World(Plan(peers, 6, 1, seed=1, group=TINY, overrides=overrides))
    monkeypatch.setattr(agreeing, "permutation", rigged(world))
    told: list[Event] = []
    world.watch = lambda _time, _peer, event: told.append(event)
    world.run()
    result = agreed(world)
    ((moon,),) = (result["moon"],)
    assert moon["seat"] == "A"
    others = 0 if moon["choice"] == "subtract" else 26
    assert result["points"] == [{"A": -26 if moon["choice"] == "subtract" else 0, **dict.fromkeys("BCDEF", others)}]
    assert result["kitty"] == ["A"]
    assert told.count(MoonShot(0)) == peers
    asked = [event for event in told if isinstance(event, Turn) and event.duty is Duty.MOON]
    assert [event.seat for event in asked] == [0]


def test_several_hands() -> None:
    """The deal moves to the left (R3), the totals add up, and every hand is told of in order."""
    world, heard = played(peers=6, seats=6, hands=4, seed=8)
    result = agreed(world)
    opened = [event for event in heard[2] if isinstance(event, HandOpened)]
    assert [event.number for event in opened] == [1, 2, 3, 4]
    assert [event.dealer for event in opened] == [(opened[0].dealer + step) % 6 for step in range(4)]
    for seat in "ABCDEF":
        assert result["scores"][seat] == sum(points[seat] for points in result["points"])
    assert heard[2][-1] == ResultSigned()
    assert world.sessions[2].scene().stage is Stage.OVER


def test_events_tell_the_hand() -> None:
    """Every peer is told the same story of a hand: 102 cards, 17 tricks; and each seat is asked where it is operated."""
    world, heard = played(peers=6, seats=6, hands=1, seed=9)
    agreed(world)
    stories = [[event for event in told if isinstance(event, Played | TrickEnded)] for told in heard]
    assert all(story == stories[0] for story in stories)
    assert sum(isinstance(event, Played) for event in stories[0]) == 102
    assert sum(isinstance(event, TrickEnded) for event in stories[0]) == 17
    operators = world.sessions[0].table.deals[1].operators
    for session, told in zip(world.sessions, heard, strict=True):
        seats = {event.seat for event in told if isinstance(event, Turn)}
        assert seats == {seat for seat, key in enumerate(operators) if key == session.author.identity}


def test_the_deal_can_be_followed() -> None:
    """Every peer hears of every other's key, mix, verified mix, agreement and shares, each once, before its cards."""
    _, heard = played(peers=6, seats=6, hands=1, seed=10)
    for told in heard:
        steps = [(event.peer, event.step) for event in told if isinstance(event, DealProgressed)]
        assert len(steps) == len(set(steps)) == 6 * 5
        assert {step for _, step in steps} == {"key", "mixed", "verified", "agreed", "dealt"}


def test_the_next_hand_is_prepared_but_not_dealt() -> None:
    """While a hand is played the deck of the next is mixed and agreed; no share of it leaves, and none counts, before the end
    of this one is decided."""
    world = World(Plan(3, 6, 3, seed=11, group=TINY))
    prepared: set[int] = set()

    def watch(_sender: int, to: int, _frame: bytes) -> None:
        table = world.sessions[to].table
        coming = table.deals.get(table.number + 1)
        if coming is not None and not table.over:
            assert not coming.done(Kind.DEAL)
            assert not coming.rows
            if coming.all_in(Kind.AGREEMENT) and table.deal is not None and not table.deal.decision.accepted:
                prepared.add(table.number)

    world.tap = watch
    world.run()
    agreed(world)
    assert prepared == {1, 2}
    for session in world.sessions:
        log = [entry.body for entry in session.logs.log(session.author).entries]
        ends = {body.hand: place for place, body in enumerate(log) if isinstance(body, Accept)}
        shares = {body.hand: place for place, body in enumerate(log) if isinstance(body, DealShares)}
        mixes = {body.hand: place for place, body in enumerate(log) if isinstance(body, Mix)}
        assert sorted(shares) == sorted(mixes) == [1, 2, 3]
        assert all(mixes[hand + 1] < ends[hand] < shares[hand + 1] for hand in (1, 2))
