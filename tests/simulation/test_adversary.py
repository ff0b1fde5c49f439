"""Every cheat of the registry, tried: all honest peers see just what they must, on a good network and on a bad one."""

import itertools
from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_hearts.crypto.group import RISTRETTO255
from p2p_hearts.crypto.masking import card_of, unmask
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.log import MAX_EARLY
from p2p_hearts.protocol.messages import DealShares, Kind
from p2p_hearts.protocol.scene import Stage
from p2p_hearts.protocol.stages import agreeing
from p2p_hearts.simulation import trial
from p2p_hearts.simulation.adversary.cheat import Awaited, Blamed, LeftOut, Nothing
from p2p_hearts.simulation.adversary.liar import Ways
from p2p_hearts.simulation.adversary.registry import CHEATS, find_cheat
from p2p_hearts.simulation.network import Weather
from p2p_hearts.simulation.tiny_group import TINY
from p2p_hearts.simulation.trial import CHEATER, Trial, try_cheat
from p2p_hearts.simulation.world import Plan, World
from tests.protocol.hall import own_of

PLAN = Plan(peers=4, seats=6, hands=1, seed=1, group=TINY)
STORM = Weather(loss=0.1, delay=0.02, duplicate=0.05, reorder=0.1)
LUCK = frozenset({"wrong-moon-choice", "moon-of-another"})  # they need a moon
NO_TIME = frozenset(
    {"delegate-chooses-the-pass", "no-kitty-share"}
)  # it takes long: there nobody is lost between deal and
# pass, and whoever keeps its shares back is overdue before the hand ends
APART = "a fork at the start stops those who see it in the lobby, while the game may have begun for others"
STUCK = {"good": frozenset({"two-draws", "two-starts"}), "bad": frozenset({"two-starts"})}
SEEDS = 16  # so many tables are tried until the cards give the cheater its occasion
REAL = (
    "rogue-key", "borrowed-key", "no-scalar", "replaced-card", "shares-that-add-up", "pass-anothers-card", "remix-a-swap",
    "false-opening", "revoke-with-half-a-proof", "two-decks",
)  # fmt: skip


def tried(name: str, plan: Plan) -> Trial:
    """A trial at the first of some tables at which the cheater finds an occasion."""
    for seed in range(plan.seed, plan.seed + SEEDS):
        done = try_cheat(replace(plan, seed=seed), find_cheat(name))
        if done.tried:
            break
    return done


def each(network: str) -> list[object]:
    """All cheats; those after which some wait for ever are known."""
    apart = pytest.mark.xfail(strict=True, reason=APART)
    names = sorted(CHEATS.keys() - LUCK - (NO_TIME if network == "bad" else frozenset()))
    sample = 1 if network == "good" else 4  # of the bad network a part each time; all of it takes long
    return [
        pytest.param(
            name,
            marks=[
                *([apart] if name in STUCK[network] else []),
                *([pytest.mark.long] if place % sample else []),
            ],
        )
        for place, name in enumerate(names)
    ]


@pytest.mark.parametrize("name", each("good"))
def test_on_a_good_network(name: str) -> None:
    """Every honest peer sees what it must of this cheat, and blames nobody else."""
    assert tried(name, PLAN).flaws() == []


@pytest.mark.parametrize("name", each("bad"))
def test_on_a_bad_network(name: str) -> None:
    """The same when frames are lost, late, doubled and overtaken: no honest peer is blamed for that."""
    assert tried(name, replace(PLAN, peers=3, weather=STORM)).flaws() == []


@pytest.mark.long
@pytest.mark.parametrize(("peers", "seats", "loss"), [(3, 7, 0.1), (6, 6, 0.2), (5, 8, 0.05), (7, 9, 0.1)])
@pytest.mark.parametrize("name", sorted(CHEATS.keys() - LUCK - STUCK["good"]))
def test_at_other_tables(name: str, peers: int, seats: int, loss: float) -> None:
    """The same with other peers and seats, on worse networks, with other cards."""
    weather = replace(STORM, loss=loss, reorder=0.2)
    for seed in (10, 30):
        done = tried(name, Plan(peers, seats, 1, seed=seed, group=TINY, weather=weather))
        assert done.flaws() == [] or not done.tried


@pytest.mark.parametrize("name", REAL)
def test_in_the_real_group(name: str) -> None:
    """What the proofs hold off in the small group, they hold off in that which is played with."""
    assert tried(name, replace(PLAN, peers=3, group=RISTRETTO255)).flaws() == []


@pytest.mark.parametrize("name", sorted(LUCK))
def test_a_wrong_moon(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has shot the moon and chooses what the rules do not offer, or for another, is named by all."""
    worlds: list[World] = []

    def world(plan: Plan, cheater: int) -> World:
        worlds.append(World(plan, cheater=cheater))
        return worlds[0]

    monkeypatch.setattr(trial, "World", world)
    monkeypatch.setattr(agreeing, "permutation", rigged(worlds))
    options = (("pass_cycle", "N"), ("cancel_rule", "no_live_led_card"))
    assert try_cheat(replace(PLAN, overrides=options), find_cheat(name)).flaws() == []


def rigged(worlds: list[World]) -> Callable[[bytes, int], tuple[int, ...]]:
    """A cut by somebody who knows all keys: a seat of the cheater gets every ace and king and a queen of hearts, the other
    queen of hearts is in the kitty. Whatever anybody plays, that seat wins every trick."""

    def cut(_value: bytes, _size: int) -> tuple[int, ...]:
        sessions = worlds[0].sessions
        deal = next(each.table.deals[1] for each in sessions if len(each.table.deals[1].decks) == PLAN.peers)
        secret = sum(own_of(each).key.secret for each in sessions)
        cards = [card_of(TINY, unmask(TINY, secret, masked)) or 0 for masked in deal.decks[-1]]
        first_queen, other_queen = (at for at, card in enumerate(cards) if card == 36)
        high = [*(at for at, card in enumerate(cards) if card % 13 >= 11), first_queen]
        rest = [at for at in range(104) if at not in {*high, other_queen}]
        before = 17 * deal.operators.index(sessions[CHEATER].author.identity)
        return (*rest[:before], *high, *rest[before:], other_queen)

    return cut


def test_the_hand_goes_on_without_the_culprit() -> None:
    """Who cheats before the deck is agreed has no part in it: the hand is opened again among the others, and its seat is
    played by one of them to the signed end."""
    done = try_cheat(PLAN, find_cheat("duplicated-card"))
    cheater = done.world.sessions[CHEATER].author.identity
    for session in done.honest:
        deal, result = session.table.deals[1], session.result()
        assert (deal.attempt, len(deal.members), len(deal.voters)) == (1, 3, 4)
        assert cheater not in {*deal.members, *deal.operators}
        assert session.scene().stage is Stage.OVER
        assert result is not None
        assert cheater.hex() not in result["signatures"]
        assert cheater.hex() in result["operators"].values()  # whose seat it is, whoever plays it


def test_who_cheats_at_play_is_replaced() -> None:
    """Who cheats once cards are dealt is replaced in the very hand: its cards are played by a delegate."""
    done = try_cheat(PLAN, find_cheat("revoke"))
    cheater = done.world.sessions[CHEATER].author.identity
    for session in done.honest:
        deal = session.table.deals[1]
        assert (deal.attempt, len(deal.members)) == (0, 4)
        assert deal.delegates.keys() == {cheater}
        assert session.table.removals == {cheater: 1}


@pytest.mark.parametrize("name", ["share-before-agreeing", "agree-and-hide", "agree-to-another-deck", "wrong-cut"])
def test_no_share_before_all_agreements(name: str) -> None:
    """As long as one member has not agreed to the deck that all hold, no honest share leaves (P72): of the opening that the
    cheat has spoiled there is none."""
    done = try_cheat(PLAN, find_cheat(name))
    for session in done.honest:
        shares = [entry.body for entry in session.logs.log(session.author).entries if entry.kind is Kind.DEAL]
        assert [body.attempt for body in shares if isinstance(body, DealShares)] == [1]


def test_what_a_flood_leaves() -> None:
    """However many entries from the future somebody signs, no more than so many of them are kept."""
    done = try_cheat(PLAN, find_cheat("future-entries"))
    cheater = done.world.sessions[CHEATER].author
    for session in done.honest:
        assert 0 < len(session.logs.log(cheater).early) <= MAX_EARLY
        assert len(session.logs.forks) == 0


@pytest.mark.parametrize("name", ["other-commitments", "unfit-pieces"])
def test_one_complaint_is_enough(name: str) -> None:
    """However long the others take to go on without who has sent bad pieces, each that got one complains once."""
    done = try_cheat(PLAN, find_cheat(name))
    for session in done.honest:
        own = session.logs.log(session.author).entries
        assert sum(entry.kind is Kind.COMPLAINT for entry in own) <= 1


def test_both_versions_are_kept() -> None:
    """Whoever finds a fork keeps the two entries that prove it, both signed by the cheater."""
    done = try_cheat(PLAN, find_cheat("two-rows"))
    for session in done.honest:
        first, second = session.logs.forks[0]
        assert first.author == second.author == done.world.sessions[CHEATER].author
        assert first.seq == second.seq
        assert first.hash != second.hash


def test_a_fork_is_paid_for() -> None:
    """Who signs two versions of an entry once cards are dealt spoils the hand: it is dealt again, and it pays 26 points."""
    done = try_cheat(PLAN, find_cheat("two-rows"))
    cheater = done.world.sessions[CHEATER].author.identity
    for session in done.honest:
        game, result = session.table.game, session.result()
        assert game is not None
        assert result is not None
        seat = next(i for i, each in enumerate(game.seats) if each.operator == cheater)
        letter = "ABCDEF"[seat]
        assert result["annulled"] == [{"hand": 1, "attempt": 0, "charged": [letter]}]
        assert result["scores"][letter] == 26 + result["points"][0][letter]


def test_a_trial_can_fail() -> None:
    """A trial finds it when honest peers see something else than they must: the wrong fault, or nothing at all."""
    cheat = find_cheat("wrong-slot-share")
    wrong = replace(cheat, seen=Blamed((Fault.BAD_MIX,)))
    assert len(try_cheat(PLAN, wrong).flaws()) == 3
    for seen in (Nothing(), Awaited(), LeftOut(), Blamed((Fault.BAD_SHARE,), charged=True)):
        assert len(try_cheat(PLAN, replace(cheat, seen=seen)).flaws()) == 3
    idle = replace(cheat, ways=lambda _liar: Ways(), seen=Nothing())
    assert try_cheat(PLAN, idle).flaws() == ["the cheater found no occasion"]


def test_names() -> None:
    """Every cheat has a name of its own, a sentence, and a rule; a wrong name is answered with all there are."""
    names = [cheat.name for cheat in CHEATS.values()]
    assert len(set(names)) == len(names) >= 200
    assert all(cheat.tries.endswith(".") and cheat.rule.startswith("P") for cheat in CHEATS.values())
    assert len({cheat.tries for cheat in CHEATS.values()}) == len(names)
    with pytest.raises(ValueError, match=r"there is no cheat 'charm': choose bad-name, .*, false-refusal"):
        find_cheat("charm")
    assert list(itertools.islice(CHEATS, 2)) == ["bad-name", "borrowed-link"]
