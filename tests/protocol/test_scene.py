"""What the picture of a table says beyond the cards: what people have said of themselves, the clock, annulled hands."""

from dataclasses import replace

from p2p_hearts.protocol.gossip import Gossip
from p2p_hearts.protocol.inputs import Mark
from p2p_hearts.protocol.picture import draw_scene
from p2p_hearts.protocol.state import Annulled
from tests.protocol.hall import Hall, seated


def said(hall: Hall, label: str) -> list[str]:
    """What somebody sees that each of the others has said, in the order of the roster."""
    return [line.said for line in hall.sessions[label].scene().peers if not line.me]


def test_what_a_person_says_of_themselves_is_seen_by_the_others() -> None:
    """Away for a moment, wait for me, here again: it comes with the next sign of life, to everybody."""
    hall = seated(3)
    hall.wait(2)
    assert said(hall, "Ann") == ["here", "here"]
    for mark in ("away", "wait", "here"):
        hall.do("Cem", Mark(mark))
        hall.wait(2)
        assert said(hall, "Ann") == ["here", mark]
        assert said(hall, "Bob") == ["here", mark]


def test_hands_that_counted_for_nothing_are_in_the_picture() -> None:
    """D23: the number of the hand, and the seats that pay for it."""
    hall = seated(3)
    table = hall.sessions["Ann"].table
    table = replace(table, annulled=(Annulled(2, 0, (1,)), Annulled(2, 1, ())))
    scene = draw_scene(table, hall.key("Ann"), Gossip(), None, {}, None)
    assert scene.annulled == ((2, (1,)), (2, ()))
    assert scene.clock == 0
