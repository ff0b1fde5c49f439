"""What travels on a connection beside the frames: probes, and what they prove about it.

A connection is one TCP stream, ours to a peer or a peer's to us. A message on it is one byte of kind and a body: a frame
of the protocol, or a probe, which holds a counter of its sender and the last counter its sender has heard here.

The law: a connection counts as *proved* only while probes of ours come back as echoes, so that traffic in one direction
alone, a stuck program behind a living socket, or a router that swallows packets never count as a link.
"""

import struct
from dataclasses import dataclass, replace

MAX_FRAME = 65536  # bytes; a peer cannot make us hold more at once
MESSAGE_LIMIT = MAX_FRAME + 64  # bytes; a kind, and what CURVE adds to a message (33 bytes)
PROBE_INTERVAL_S = 1.0
SILENCE_S = 5.0  # without an echo for so long a connection is down

_FRAME = b"\x01"
_PROBE = struct.Struct(">BQQ")  # kind, counter, echo
_PROBE_KIND = 2


@dataclass(frozen=True, slots=True)
class Probe:
    """A sign of life: the sender's `counter` on this connection, and the last counter it has heard on it."""

    counter: int
    echo: int


@dataclass(frozen=True, slots=True)
class Path:
    """How one connection is doing; times are seconds on the caller's clock."""

    opened_at: float
    sent: int = 0  # counter of our last probe
    heard: int = 0  # last counter of theirs; it starts anew when they do
    echoed: int = 0  # highest counter of ours that came back
    proved_at: float | None = None


def encode_frame(frame: bytes) -> bytes:
    """The message that carries a frame."""
    return _FRAME + frame


def encode_probe(probe: Probe) -> bytes:
    """The message that carries a probe, 17 bytes."""
    return _PROBE.pack(_PROBE_KIND, probe.counter, probe.echo)


def decode_message(message: bytes) -> Probe | bytes | None:
    """A probe, the bytes of a frame, or None for anything else."""
    if message[:1] == _FRAME and len(message) <= MAX_FRAME + 1:
        return message[1:]
    if len(message) == _PROBE.size and message[0] == _PROBE_KIND:
        return Probe(*_PROBE.unpack(message)[1:])
    return None


def next_probe(path: Path) -> tuple[Path, Probe]:
    """The path after one more probe, and that probe."""
    path = replace(path, sent=path.sent + 1)
    return path, Probe(path.sent, path.heard)


def hear_probe(path: Path, probe: Probe, now: float) -> tuple[Path, bool]:
    """The path after a probe, and whether to answer at once: on the first one, and when it proves the path."""
    first = path.heard == 0
    fresh = path.echoed < probe.echo <= path.sent
    heard = replace(path, heard=probe.counter)
    if fresh:
        heard = replace(heard, echoed=probe.echo, proved_at=now)
    return heard, first or (fresh and path.proved_at is None)


def is_proved(path: Path, now: float) -> bool:
    """Whether an echo came back within the last `SILENCE_S` seconds."""
    return path.proved_at is not None and now - path.proved_at <= SILENCE_S


def is_silent(path: Path, now: float) -> bool:
    """Whether no echo came back for `SILENCE_S` seconds, counted from the opening at first."""
    last = path.opened_at if path.proved_at is None else path.proved_at
    return now - last > SILENCE_S


def shift(path: Path, gap: float) -> Path:
    """The path with its timers started `gap` seconds later: we were stopped ourselves and cannot judge that time."""
    return replace(
        path,
        opened_at=path.opened_at + gap,
        proved_at=None if path.proved_at is None else path.proved_at + gap,
    )
