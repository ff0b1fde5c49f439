"""Probes: what proves a connection, and what does not."""

from p2p_hearts.node.transport.paths import (
    MAX_FRAME,
    Path,
    Probe,
    decode_message,
    encode_frame,
    encode_probe,
    hear_probe,
    is_proved,
    is_silent,
    next_probe,
    shift,
)


def test_three_probes_prove_both_ends() -> None:
    """A probe, its echo and the echo's echo prove a connection to both ends, and then the exchange falls silent."""
    ours, first = next_probe(Path(0.0))
    theirs, answers = hear_probe(Path(0.0), first, 0.1)
    assert answers
    assert not is_proved(theirs, 0.1)
    theirs, second = next_probe(theirs)
    ours, answers = hear_probe(ours, second, 0.2)
    assert answers
    assert is_proved(ours, 0.2)
    ours, third = next_probe(ours)
    theirs, answers = hear_probe(theirs, third, 0.3)
    assert answers
    assert is_proved(theirs, 0.3)
    theirs, fourth = next_probe(theirs)
    _, answers = hear_probe(ours, fourth, 0.4)
    assert not answers


def test_probes_without_echo_prove_nothing() -> None:
    """Traffic in one direction alone is no link, however long it lasts."""
    path, _ = next_probe(Path(0.0))
    for second in range(1, 100):
        path, _ = hear_probe(path, Probe(second, 0), float(second))
    assert not is_proved(path, 99.0)
    assert is_silent(path, 99.0)


def test_old_and_invented_echoes_prove_nothing() -> None:
    """An echo counts once, and only of a probe that was sent."""
    path, _ = next_probe(Path(0.0))
    path, _ = hear_probe(path, Probe(1, 7), 1.0)
    assert not is_proved(path, 1.0)
    path, _ = hear_probe(path, Probe(2, 1), 2.0)
    assert is_proved(path, 2.0)
    path, _ = hear_probe(path, Probe(3, 1), 8.0)
    assert not is_proved(path, 8.0)


def test_a_peer_that_starts_anew_is_echoed_anew() -> None:
    """Counters of a peer that begin again at 1 are echoed as they are, so that its new connection can be proved."""
    path, _ = next_probe(Path(0.0))
    path, _ = hear_probe(path, Probe(900, 1), 1.0)
    path, _ = hear_probe(path, Probe(1, 0), 2.0)
    assert next_probe(path)[1] == Probe(2, 1)


def test_own_sleep_is_not_held_against_others() -> None:
    """After our own sleep a proved path is judged from now on."""
    path = Path(0.0, sent=1, heard=1, echoed=1, proved_at=10.0)
    assert not is_proved(path, 100.0)
    assert is_proved(shift(path, 89.0), 100.0)


def test_messages_read_back() -> None:
    """A frame and a probe read back as they were; a probe is 17 bytes."""
    assert decode_message(encode_frame(b"")) == b""
    assert decode_message(encode_frame(b"\x02" * MAX_FRAME)) == b"\x02" * MAX_FRAME
    assert decode_message(encode_probe(Probe(3, 2**64 - 1))) == Probe(3, 2**64 - 1)
    assert len(encode_probe(Probe(1, 1))) == 17


def test_anything_else_is_no_message() -> None:
    """Other kinds, other lengths and frames that are too long are no messages."""
    for message in (b"", b"\x00", b"\x03abc", b"\x02" + bytes(15), b"\x02" + bytes(17), b"\x01" + bytes(MAX_FRAME + 1)):
        assert decode_message(message) is None
