"""Cheats by silence: one message is kept back, from all or from some, while the heart goes on beating.

Kept back from all, the others go on without it. Kept back from some, they get it from the others."""

from collections.abc import Callable

from p2p_hearts.protocol.envelope import Entry
from p2p_hearts.protocol.messages import Accept, Choice, Kind
from p2p_hearts.simulation.adversary.cheat import Awaited, Cheat, LeftOut, Nothing, Outside, Seen, acting
from p2p_hearts.simulation.adversary.forger import Link, Words
from p2p_hearts.simulation.adversary.liar import Liar, Ways

STAGES = (
    (Kind.COMMIT_KEYS, "P65"),
    (Kind.OPEN_KEYS, "P66"),
    (Kind.ESCROW, "P67"),
    (Kind.MIX, "P68"),
    (Kind.AGREEMENT, "P70"),
    (Kind.DEAL, "P73"),
    (Kind.COMMIT_PASS, "P75"),
    (Kind.OPEN_PASS, "P75"),
    (Kind.REMIX, "P76"),
    (Kind.PLAY, "P77"),
)


def no_kitty_share(liar: Liar) -> Ways:
    """It does not give its shares of the kitty: the winner cannot read it, the game goes on, and the score is the same."""

    def change(entry: Entry) -> Words:
        if entry.kind is not Kind.KITTY:
            return (entry.body,)
        liar.lied = True
        return ()

    return Ways(change)


def _withheld(name: str, kind: Kind, rule: str, seen: Seen, *, start: bool = False, hosts: bool = False) -> Cheat:
    """The cheat that keeps a kind back for good, and all that it would write after that."""

    def ways(liar: Liar) -> Ways:
        def change(entry: Entry) -> Words | None:
            body = entry.body
            if entry.kind is not kind or (isinstance(body, Choice | Accept) and start != (body.hand == 0)):
                return (body,)
            liar.lied = True
            return None

        return Ways(change)

    hands = 1 if start else {Kind.CHOICE: 6, Kind.ACCEPT: 2}.get(kind, 1)  # until its turn has come, and one more
    what = f"`{kind.name}`{' of hand 0' if start else ''}"
    return Cheat(f"withhold-{name}", f"It keeps its {what} back from all.", rule, seen, ways, hosts, hands)


def _from_some(kind: Kind) -> Callable[[Liar], Ways]:
    def ways(liar: Liar) -> Ways:
        def keep(to: int, link: Link) -> bool:
            kept = link.kind is kind and liar.among(to)
            liar.lied = liar.lied or kept
            return kept

        return Ways(keep=keep)

    return ways


def _hidden(kind: Kind, rule: str) -> Cheat:
    """The cheat that shows a kind to some only."""
    name = f"hide-{kind.name.lower().replace('_', '-')}"
    return Cheat(name, f"It shows its `{kind.name}` to some only.", rule, Nothing(), _from_some(kind))


CHEATS = (
    _withheld("agree", Kind.AGREE, "P47", Outside()),
    _withheld("draw", Kind.DRAW, "P47", Outside()),
    _withheld("start", Kind.CHOICE, "P56", Awaited(), start=True, hosts=True),
    _withheld("start-vote", Kind.ACCEPT, "P56", LeftOut(), start=True),
    *(_withheld(kind.name.lower().replace("_", "-"), kind, rule, LeftOut()) for kind, rule in STAGES),
    _withheld("end", Kind.CHOICE, "P91", LeftOut()),
    _withheld("vote", Kind.ACCEPT, "P93", LeftOut()),
    acting(no_kitty_share, "P78", Nothing()),
    *(
        _hidden(kind, rule)
        for kind, rule in ((Kind.AGREE, "P36"), (Kind.DRAW, "P36"), *((k, "P36") for k, _ in STAGES))
    ),
    _hidden(Kind.KITTY, "P36"),
    _hidden(Kind.ACCEPT, "P36"),
)
