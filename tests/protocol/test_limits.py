"""What a peer can make us hold, do or send is bounded: each bound is tried by somebody who would rather it were not."""

from p2p_hearts.protocol.envelope import seal
from p2p_hearts.protocol.inputs import Leave
from p2p_hearts.protocol.messages import Body, Bots
from p2p_hearts.protocol.scene import Stage
from p2p_hearts.protocol.session import Session
from tests.protocol.hall import Hall, seated


def sign_next(hall: Hall, label: str, body: Body, *, at: str) -> bytes:
    """An entry of a peer, next in its log as another peer holds it."""
    cheat, session = hall.sessions[label], hall.sessions[at]
    log = session.logs.log(cheat.author).entries
    prev = log[-1].hash if log else bytes(32)
    return seal(cheat.me.key, cheat.version, session.lobby_id, cheat.author, len(log), prev, body).frame


def test_leaving_a_table_that_has_stopped() -> None:
    """The entry that caused an accusation stays where it is; whoever then leaves the table does so without an error."""
    hall = seated(2)
    bob: Session = hall.sessions["Bob"]
    hall.give("Bob", sign_next(hall, "Ann", Bots(("uniform",) * 10), at="Bob"), by="Ann")
    assert bob.problem is not None
    hall.do("Bob", Leave())
    assert bob.scene().stage is Stage.STOPPED
