"""Who is missed, and when (`protocol/decisions.md`, P111): silence, duties, people who think, and one's own sleep. The clock
is a number here; five peers, written out."""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from p2p_hearts.hearts.hand import begin
from p2p_hearts.protocol.messages import CommitKeys, DialogueBody, Head, Kind
from p2p_hearts.protocol.state import Deal, Game, put
from p2p_hearts.protocol.watch import Eyes as WatchEyes
from p2p_hearts.protocol.watch import Watch, debts
from tests.protocol.ballots import ALL, SCORE, A, B, C, D, E, after, game, hand, move, state, table_of

COMMITTED = CommitKeys(3, 0, bytes(32), bytes(32))


@dataclass
class Eyes:
    """What A sees: since how long each peer is silent, and the moment."""

    game: Game
    watch: Watch = field(default_factory=Watch)
    silent: dict[bytes, float] = field(default_factory=dict)
    now: float = 100.0
    out: frozenset[bytes] = frozenset()
    paused: bool = False
    delivered: bool = True  # every entry that somebody has named
    agreed: bool = True  # that a trick took the kitty

    def look(self, deal: Deal, seconds: float) -> frozenset[bytes]:
        """Whom A misses after so many seconds more of the same."""
        for _ in range(round(seconds * 2)):
            self.now += 0.5
            table = table_of(deal, self.game)
            self.watch.look(
                table,
                A,
                self.out,
                self.silence,
                self.now,
                paused=self.paused,
                eyes=WatchEyes(self.holds, lambda _deal: self.agreed),
            )
        return self.watch.missed

    def silence(self, peer: bytes) -> float:
        """For how many seconds a peer has been silent."""
        return self.silent.get(peer, 0.0)

    def holds(self, _head: Head) -> bool:
        """Whether A holds an entry."""
        return self.delivered


def eyes(*, clock: int = 0) -> Eyes:
    """A, awake, that has looked once."""
    seen = Eyes(game(clock=clock))
    seen.look(hand(), 0.5)
    return seen


def committed(*peers: bytes) -> Deal:
    """The hand with the key commitments of these in."""
    sent: dict[bytes, DialogueBody] = dict.fromkeys(peers, COMMITTED)
    return hand(sent={Kind.COMMIT_KEYS: sent})


def test_silence_for_longer_than_the_grace() -> None:
    """Thirty seconds here; not a second sooner, and not when it is heard again."""
    seen, deal = eyes(), committed(*ALL)
    deal = replace(deal, sent={**deal.sent, Kind.OPEN_KEYS: dict.fromkeys(ALL, COMMITTED)})  # nobody owes anything
    seen.silent[E] = 30.0
    assert seen.look(deal, 0.5) == set()
    seen.silent[E] = 30.1
    assert seen.look(deal, 0.5) == {E}
    seen.silent[E] = 0.5
    assert seen.look(deal, 0.5) == set()


def test_a_duty_is_overdue_after_ten_seconds() -> None:
    """Who gives signs of life and does not do what it owes is missed after ten seconds, and no more once it has done it."""
    seen, deal = eyes(), committed(A, B, C, D)
    assert seen.look(deal, 10) == set()
    assert seen.look(deal, 1) == {E}
    assert E not in seen.look(committed(*ALL), 0.5)


def test_a_duty_stands_still_while_its_debtor_is_silent() -> None:
    """Whose heartbeats do not come is not overdue for what it owes; the grace counts instead."""
    seen, deal = eyes(), committed(A, B, C, D)
    seen.silent[E] = 4.0
    assert seen.look(deal, 60) == set()
    seen.silent[E] = 0.0
    assert seen.look(deal, 9) == set()
    assert seen.look(deal, 2) == {E}


def test_own_sleep() -> None:
    """After a gap between two of our own steps all counts begin anew: while we slept we could see nothing."""
    seen, deal = eyes(), committed(A, B, C, D)
    seen.look(deal, 9)
    seen.watch.wake()
    seen.now += 500.0
    assert seen.look(deal, 10) == set()
    assert seen.look(deal, 1) == {E}


def test_one_never_misses_oneself() -> None:
    """Our own duties run, but not against us."""
    assert eyes().look(committed(B, C, D, E), 60) == set()


def test_missed_for_good() -> None:
    """Who has left, or was convicted, is missed at once."""
    seen = eyes()
    seen.out = frozenset({D})
    assert seen.look(committed(*ALL), 0.5) == {D}


def test_since_when_somebody_is_missed() -> None:
    """The time of the last change counts, so that who moves first is the same for everybody."""
    seen = eyes()
    seen.silent[E] = 31.0
    seen.look(committed(*ALL), 5)
    assert seen.watch.noticed_at == 101.0


def turn_of_c(**fields: Any) -> Deal:
    """A hand that is being played; C's seat leads, its player is to decide."""
    options = hand().options
    playing = begin(options, 6, 1, 3)
    assert playing.leader == 2
    return replace(hand(hand=playing, sent={kind: dict.fromkeys(ALL, COMMITTED) for kind in Kind}), **fields)


def test_a_person_takes_its_time() -> None:
    """Without a clock a person may think for ever; a bot's card is a program's duty."""
    assert eyes().look(turn_of_c(), 600) == set()
    bots = replace(game(), seats=tuple(replace(seat, bot="uniform") for seat in game().seats))
    seen = Eyes(bots)
    assert seen.look(turn_of_c(), 12) == {C}


def test_a_turn_clock() -> None:
    """With one, a person is overdue ten seconds after it has run out: then its program should have played."""
    seen = eyes(clock=15)
    assert seen.look(turn_of_c(), 25) == set()
    assert seen.look(turn_of_c(), 1) == {C}


def test_who_takes_long() -> None:
    """It is known who has been deciding for how long, and no more once a decision has fallen or the hand is opened again:
    whoever was slow may have no part in what is played since."""
    seen, deal = eyes(), turn_of_c()
    seen.look(deal, 62)
    slow = seen.watch.slow(deal)
    assert slow is not None
    assert slow[0] == C
    assert slow[1] >= 60
    assert seen.watch.slow(replace(deal, attempt=deal.attempt + 1)) is None
    assert seen.watch.slow(replace(deal, decision=replace(deal.decision, number=deal.decision.number + 1))) is None


def test_please_wait() -> None:
    """While somebody has asked to wait, the time of people stands still, and that of programs does not."""
    seen = eyes(clock=15)
    seen.paused = True
    assert seen.look(turn_of_c(), 300) == set()
    assert seen.look(committed(A, B, C, D), 11) == {E}


@pytest.mark.parametrize(("urging", "missed"), [((A, B), set()), ((A, B, D), {C})])
def test_a_majority_waits_no_longer(urging: tuple[bytes, ...], missed: set[bytes]) -> None:
    """Once three of five have said that they go on without, the turn is overdue, for everybody."""
    deal = turn_of_c(urged={(C, 1): frozenset(urging)})
    assert eyes().look(deal, 2) == missed


def test_urged_for_another_turn() -> None:
    """What was said about the turn before does not count for this one."""
    deal = turn_of_c(urged={(C, 0): frozenset(ALL)})
    assert eyes().look(deal, 2) == set()


def test_a_delegate_does_the_parts_of_the_lost() -> None:
    """The play of a lost seat is its delegate's duty, and no person's any more."""
    deal = turn_of_c(delegates={C: D}, pieces={(C, D): dict.fromkeys((A, B, E), b"box")})
    assert eyes().look(deal, 12) == {D}


def test_pieces_are_owed() -> None:
    """Every member that is there owes its piece to the delegate; the delegate itself does not."""
    deal = replace(turn_of_c(delegates={E: D}), pieces={(E, D): {A: b"box", B: b"box"}})
    assert eyes().look(deal, 12) == {C}
    without = replace(deal, escrow=False)
    assert eyes().look(without, 12) == set()


def test_promises_are_owed_to_who_agrees() -> None:
    """Who sees a lost peer as lost and does not promise is overdue; but only by those who miss that peer, too."""
    deal = after(turn_of_c(), move(A), *[state(who) for who in (A, B, C)])
    assert eyes().look(deal, 12) == set()
    seen = eyes()
    seen.silent[E] = 31.0
    assert seen.look(deal, 12) == {D, E}


def test_a_choice_is_owed_by_whose_ballot_it_is() -> None:
    """Once all have promised, it has ten seconds."""
    deal = after(turn_of_c(), move(B), *[state(who, B) for who in (A, B, C, D)])
    seen = eyes()
    seen.silent[E] = 31.0
    assert seen.look(deal, 12) == {B, E}


def test_the_end_is_owed_by_the_next_dealer() -> None:
    """B deals next, and owes the end of a scored hand; once anything is moved, it does no longer."""
    deal = replace(turn_of_c(score=SCORE), hand=None)
    assert (3, 0, 0, B, Kind.CHOICE, b"") in [
        debt for debt, _ in debts(table_of(deal), deal, frozenset(), WatchEyes(lambda _head: True, lambda _deal: True))
    ]
    moved = after(deal, move(A))
    assert not [
        debt
        for debt, _ in debts(table_of(moved), moved, frozenset(), WatchEyes(lambda _head: True, lambda _deal: True))
        if debt[4] is Kind.CHOICE
    ]


def test_mixing_has_twice_the_time() -> None:
    """A mix takes longer than other proofs: twenty seconds."""
    deal = hand(joint=b"key", sent={kind: dict.fromkeys(ALL, COMMITTED) for kind in Kind if kind is not Kind.MIX})
    seconds = {
        debt[4]: left
        for debt, left in debts(table_of(deal), deal, frozenset(), WatchEyes(lambda _head: True, lambda _deal: True))
    }
    assert seconds[Kind.MIX] == 20
    assert put({}, 1, 2) == {1: 2}


def test_whoever_names_what_it_cannot_deliver_is_overdue() -> None:
    """B states a last entry of E that nobody has: ten seconds later B is missed."""
    seen = eyes()
    seen.silent[E] = 60.0
    moved = after(hand(), move(A), state(B))
    seen.delivered = False
    assert B not in seen.look(moved, 9.0)
    assert B in seen.look(moved, 2.0)
