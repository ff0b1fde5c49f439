"""Cheats at the draw: nonces chosen after looking, chosen twice, or copied."""

from dataclasses import replace

from p2p_hearts.protocol.envelope import Entry
from p2p_hearts.protocol.errors import Fault
from p2p_hearts.protocol.messages import Agree, Draw, Kind
from p2p_hearts.protocol.stages import election
from p2p_hearts.protocol.state import Lobby, Proposal
from p2p_hearts.simulation.adversary.cheat import Outside, acting, by, lying
from p2p_hearts.simulation.adversary.forger import Words
from p2p_hearts.simulation.adversary.liar import Liar, Ways
from p2p_hearts.simulation.adversary.lobby import other


def agree_to_another_lobby(_liar: Liar, body: Agree) -> Words:
    """A yes to a lobby that nobody has proposed."""
    return (replace(body, lobby=other(body.lobby)),)


def agree_twice(_liar: Liar, body: Agree) -> Words:
    """A second commitment to the same proposal, so as to choose later which one to open."""
    return (body, replace(body, commitment=other(body.commitment)))


def _start(liar: Liar) -> tuple[Lobby, Proposal]:
    room = liar.session.table.lobby
    assert room is not None
    assert room.proposal is not None
    return room, room.proposal


def steer_the_draw(liar: Liar, body: Draw) -> Words | None:
    """The last to open, who knows all other nonces, opens one that suits it."""
    opened = len(_start(liar)[1].nonces) > len(liar.others)
    return (replace(body, nonce=other(body.nonce)),) if opened else None


def draw_twice(_liar: Liar, body: Draw) -> Words:
    """A second nonce for the same draw."""
    return (body, replace(body, nonce=other(body.nonce)))


def draw_for_others(_liar: Liar, body: Draw) -> Words:
    """A nonce that answers other commitments than those that all hold."""
    return (replace(body, answers=other(body.answers)),)


def end_of_hand_0(liar: Liar, body: Draw) -> Words | None:
    """A guest ends hand 0 in the host's place."""
    room, proposal = _start(liar)
    return (body, election.end_value(room, proposal)) if election.drawn(room, proposal) else None


def copied_draw(liar: Liar) -> Ways:
    """Another's commitment to a nonce is copied, and once it is open the opening too: both nonces would be one."""

    def change(entry: Entry) -> Words | None:
        body, victim = entry.body, next(iter(liar.others.values())).author
        if not isinstance(body, Agree | Draw):
            return (body,)
        copy = liar.said(victim.identity, entry.kind, 0)
        if copy is None:
            return None
        liar.lied = True
        if isinstance(copy, Draw):
            room, proposal = _start(liar)
            commitments = {**proposal.commitments, liar.me: proposal.commitments[victim.identity]}
            answers = election.answers(room, replace(proposal, commitments=commitments))
            return (replace(copy, answers=answers),)
        return (copy,)

    return Ways(change=change)


CHEATS = (
    lying(agree_to_another_lobby, Kind.AGREE, "P47", Outside()),
    lying(agree_twice, Kind.AGREE, "P51", by(Fault.REPEATED)),
    lying(steer_the_draw, Kind.DRAW, "P52", by(Fault.BAD_COMMITMENT)),
    acting(copied_draw, "P51", by(Fault.BAD_COMMITMENT)),
    lying(draw_twice, Kind.DRAW, "P51", by(Fault.REPEATED)),
    lying(draw_for_others, Kind.DRAW, "P52", by(Fault.WRONG_HEADS)),
    lying(end_of_hand_0, Kind.DRAW, "P56", by(Fault.OUT_OF_PHASE)),
)
