"""What a peer itself has to do next in a hand (`protocol/duties.py`): nothing that needs what is not here yet."""

from dataclasses import replace

from p2p_hearts.crypto.stream import seeded
from p2p_hearts.protocol.duties import Actor, Work, next_step
from p2p_hearts.protocol.messages import Kind
from p2p_hearts.protocol.scene import Stage
from p2p_hearts.simulation.tiny_group import TINY
from tests.protocol.hall import own_of, play, seated


def test_no_pass_of_cards_that_are_not_read() -> None:
    """A hand that is gone through again has its choices still, and its cards not yet, or only those of some seats: the passes
    are made once all of them are read."""
    hall = seated(3, bots=3)
    ann = hall.sessions["Ann"]
    play(hall, lambda: ann.scene().stage is Stage.PASSING and bool(own_of(ann).cards))
    deal, me, given = ann.table.deals[1], ann.author.identity, own_of(ann)
    source = seeded(b"duties")
    actor = Actor(TINY, ann.me.key, frozenset(), lambda _deal: True)
    seats = deal.seats_of(me)
    chosen = replace(given, chosen={seat: given.cards[seat][:3] for seat in seats}, passes=())
    step = next_step(actor, ann.table, deal, me, chosen, source)
    assert isinstance(step, Work)
    assert step.kind is Kind.COMMIT_PASS
    assert [made.seat for made in step.function(*step.arguments)] == list(seats)
    assert next_step(actor, ann.table, deal, me, chosen.unread(), source) is None
    some = {seat: chosen.cards[seat] for seat in seats[1:]}
    assert next_step(actor, ann.table, deal, me, replace(chosen, cards=some), source) is None
    assert next_step(actor, ann.table, deal, me, replace(chosen, chosen={}), source) is None
