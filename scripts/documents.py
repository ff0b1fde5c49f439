"""Writes the documents of `protocol/` that are made from the code; with `--check` only compares them.

`phases.md` is the phase table of a hand, `messages.md` every kind of entry and every message outside the log,
`attacks.md` every cheat that the tests try. What a field means is in `message_notes.py`; all else is read from
`p2p_hearts.protocol` and `p2p_hearts.simulation.adversary`."""

import argparse
import ast
import inspect
import re
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from message_notes import ALSO, SENDERS, WRITERS, note

from p2p_hearts.crypto import shuffle, sigma
from p2p_hearts.crypto.group import RISTRETTO255 as GROUP
from p2p_hearts.protocol import fields, messages
from p2p_hearts.protocol.codec import MAX_FRAME, pack
from p2p_hearts.protocol.envelope import LABELS, NO_ENTRY, SIGNATURE_BYTES, Tag
from p2p_hearts.protocol.messages import BODIES, Kind
from p2p_hearts.protocol.phases import PHASES, ROWS
from p2p_hearts.protocol.state import DECK_SIZE, version_of
from p2p_hearts.simulation.adversary.cheat import Awaited, Blamed, Nothing, Outside, Seen
from p2p_hearts.simulation.adversary.registry import STAGES

HEADER_BYTES = 1 + len(pack((version_of(GROUP.name), NO_ENTRY, NO_ENTRY, bytes(8), 2**32 - 1, NO_ENTRY, 0)))
"""Of an entry at most: its tag, and all that is signed but the body."""
FOLDER = Path(__file__).resolve().parent.parent / "protocol"
GENERATED = "Made from the code by `scripts/documents.py`; do not edit."
SEATS = range(6, 12)
TEXT_BYTES = 4  # of one character in UTF-8 at most
COUNTED = {
    Kind.COMPLAINT: "any; each convicts somebody",
    Kind.URGE: "one a turn and part",
    Kind.PIECE: "one for each that was left out and its delegate",
}
UNOWED = {Kind.COMPLAINT, Kind.URGE}
OUTSIDE = {"Heartbeat": Tag.HEARTBEAT, "Chat": Tag.CHAT, "Join": Tag.JOIN, "Refusal": Tag.REFUSAL, "Want": Tag.WANT}


def main() -> int:
    """Writes or compares the documents; 1 if one differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, say which file differs")
    check = parser.parse_args().check
    stale = 0
    for name, text in documents().items():
        path = FOLDER / name
        if not check:
            path.write_text(text, "utf-8", newline="\n")
        elif not path.exists() or path.read_text("utf-8") != text:
            print(f"{name} differs")
            stale = 1
    return stale


def documents() -> dict[str, str]:
    """Every generated document by its name."""
    return {"phases.md": render_phases(), "messages.md": render_messages(), "attacks.md": render_attacks()}


def render_attacks() -> str:
    """Every cheat, what it tries, which rule stops it, and what is seen of it."""
    parts = [
        "# Attacks",
        "",
        GENERATED,
        "",
        "What a peer with an altered program may try, and what every honest peer must then see. Each row is a cheat that the tests",
        "try, with and without loss, delay, doubling and reordering: `p2p-hearts simulate --adversary NAME` plays a table at which",
        "the second peer cheats in that way. *It* is the cheater; its signatures and numbers are right unless the row says otherwise.",
        "",
        "A code in the last column ([errors.md](errors.md)): every honest peer names the cheater with this code, and nobody else. In",
        "the lobby all stop; a game is played to its signed end without the cheater, which pays for the hand that it has spoiled if",
        "it is *charged*. *Left out*: nobody is blamed, and the hand goes on, or is opened again, without the cheater. *Awaited*: the",
        "game does not begin, and every honest peer shows for whom. *No seat*: the cheater is not at the table, or not any more;",
        "nobody is blamed. *No effect*: the game goes on to its signed end. What is not held off is in [security.md](security.md).",
        "",
    ]
    for stage, cheats in STAGES.items():
        rows = [(f"`{cheat.name}`", cheat.tries, cheat.rule, _seen(cheat.seen)) for cheat in cheats]
        parts += [f"## {stage}", "", *_table(("name", "what it tries", "rule", "seen"), rows), ""]
    return "\n".join(parts)


def _seen(seen: Seen) -> str:
    match seen:
        case Blamed():
            said = " or ".join(f"`{fault.name}`" for fault in seen.faults)
            return said + (", charged" if getattr(seen, "charged", False) else "")
        case Awaited():
            return "awaited"
        case Outside():
            return "no seat"
        case Nothing():
            return "no effect"
        case _:
            return "left out"


def render_phases() -> str:
    """The phase table of a hand."""
    rows = []
    for phase in PHASES:
        name = f"`{phase.kind.name}` ({int(phase.kind)})"
        many = COUNTED.get(phase.kind, "one a turn" if phase.many else "one")
        within = "nobody owes it" if phase.kind in UNOWED else f"{phase.seconds} s"
        who, after = inspect.getdoc(phase.who), inspect.getdoc(phase.after)
        rows.append((name, phase.stage, str(who), str(after), many, within))
    head = ("kind", "stage", "who owes it", "once", "how many", "within")
    return "\n".join(
        (
            "# The phases of a hand",
            "",
            GENERATED,
            "",
            "Each row says who owes which entry, and from when on. What an entry holds and how it is checked: [hand.md](hand.md);",
            "its fields: [messages.md](messages.md). The entries of hand 0 have no rows here: [lobby.md](lobby.md).",
            "",
            *_table(head, rows),
            "",
            "1. An entry counts when its condition holds at the receiver. One that comes before that waits, and with it all later",
            "   entries of its author ([log.md](log.md), P25).",
            "2. One more than the row allows, or one by an author that the row does not name, is a violation and its own evidence",
            "   ([errors.md](errors.md), `REPEATED`, `OUT_OF_PHASE`, `NOT_A_MEMBER`). A mix or a play before its author's turn waits.",
            "3. *Verified* in a condition means: by the receiver itself. So two honest peers may pass a row at different moments.",
            "4. The seconds count from when the condition holds, on each observer's own clock; who has not done its part by then is",
            "   *missed* ([decisions.md](decisions.md), P111). Three rows are a person's where a person sits: `COMMIT_PASS`, `PLAY` and",
            "   `MOON`; for these the clock of the table counts.",
            "5. *Every member* is every part of the hand. The part of a member that was left out is done by its delegate",
            "   ([hand.md](hand.md), P84), who owes what the member owed.",
            "6. From the moment a hand is being played, the rows of the next hand up to and with `AGREEMENT` are open as well, so that",
            "   it is prepared meanwhile; the rows after that wait until the hand before has ended ([hand.md](hand.md), P64).",
            "7. How a hand ends, and goes on without somebody, is voted on. `PROPOSAL`, `STATEMENT`, `CHOICE` and `ACCEPT` have no rows",
            "   here but rules of their own ([decisions.md](decisions.md)); `LEAVE`, `WELCOME` and `RETURN` may be written at any time.",
            "",
        )
    )


def render_messages() -> str:
    """Every kind of entry and every message outside the log."""
    parts: list[str] = [
        "# Messages",
        "",
        GENERATED,
        "",
        "A message is the msgpack array of its fields in the order written here ([encoding.md](encoding.md)). A receiver MUST check",
        "every field against its bound before it uses any. Text is counted in characters (Unicode code points), bytes in bytes, a list",
        "in items; numbers are integers without sign. *Largest* is what the bounds allow, the frame with its signature included;",
        f"the bound of a frame, {MAX_FRAME:,} bytes, holds besides. For most messages the exact length is fixed: see the end.",
        "",
        "Kinds, messages and fields: [entries](#entries-of-the-log) · [parts](#parts-of-messages) ·",
        "[outside the log](#messages-outside-the-log) · [named types](#named-types) · [exact lengths](#exact-lengths)",
        "",
        "## Entries of the log",
        "",
    ]
    for kind in Kind:
        parts += _entry(kind)
    parts += ["## Parts of messages", ""]
    for name in ("Override", "SeatPass", "SeatRow", "Head", "Value", "Gap"):
        parts += _section(name, f"### {name}", "")
    parts += ["## Messages outside the log", ""]
    for name, tag in OUTSIDE.items():
        label = LABELS.get(tag)
        signed = "not signed" if label is None else f"signed under the label `{label.decode()}`"
        size = 1 + _largest(getattr(messages, name)) + (SIGNATURE_BYTES if label else 0)
        line = f"Frame tag {int(tag)}, {signed}. Sent by {SENDERS[name]}. Largest: {min(size, MAX_FRAME):,} bytes."
        parts += _section(name, f"### {name}", line)
    parts += _aliases()
    parts += _exact()
    return "\n".join(parts)


def _entry(kind: Kind) -> list[str]:
    body = BODIES[kind]
    row = ROWS.get(kind)
    who = WRITERS[kind.name] if row is None else str(inspect.getdoc(row.who))
    who += f"; {ALSO[kind.name]}" if kind.name in ALSO else ""
    largest = min(HEADER_BYTES + _largest(body) + SIGNATURE_BYTES, MAX_FRAME)
    return _section(body.__name__, f"### {kind.name} ({int(kind)})", f"Written by {who}. Largest: {largest:,} bytes.")


def _section(name: str, heading: str, line: str) -> list[str]:
    body = getattr(messages, name)
    text = " ".join(str(inspect.getdoc(body)).split())
    rows = [(str(at), f"`{field}`", kind, note(name, field)) for at, (field, kind) in enumerate(_fields(body), 1)]
    table = (
        _table(("", "field", "type", "meaning"), rows) if rows else ["It has no fields: the body is the empty array."]
    )
    return [heading, "", text, *(("", line) if line else ()), "", *table, ""]


def _fields(body: Any) -> list[tuple[str, str]]:
    """Name and type of each field; a named type keeps its name, which only the source remembers."""
    written = {
        node.target.id: ast.unparse(node.annotation)
        for node in ast.walk(ast.parse(inspect.getsource(body)))
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    hints = get_type_hints(body, include_extras=True)
    return [(name, written[name] if written[name].isidentifier() else _type(hints[name])) for name in hints]


def _type(hint: Any) -> str:
    if get_origin(hint) is not Annotated:
        return str(hint.__name__)
    base, bound = get_args(hint)
    least, most = f"{bound.least:,}", f"{bound.most:,}"
    span = most if least == most else f"{least} to {most}"
    if get_origin(base) is tuple:
        inner = get_args(base)[0]
        named = [name for name, alias in _named().items() if alias is inner]
        return f"list of {span}: {named[0] if named else _type(inner)}"
    return {int: f"number, {span}", bytes: f"bytes, {span}", str: f"text, {span}"}[base]


def _named() -> dict[str, Any]:
    return {name: value for name, value in vars(fields).items() if get_origin(value) is Annotated}


def _aliases() -> list[str]:
    """The table of named types."""
    source = inspect.getsource(messages)
    used = [(name, value) for name, value in _named().items() if len(re.findall(rf"\b{name}\b", source)) > 1]
    rows = [(f"`{name}`", _type(value)) for name, value in used]
    return ["## Named types", "", *_table(("name", "type"), rows), ""]


def _largest(hint: Any) -> int:
    """The length of the longest encoding that the bounds allow."""
    if get_origin(hint) is not Annotated:
        hints = get_type_hints(hint, include_extras=True)
        return _array(len(hints)) + sum(map(_largest, hints.values()))
    base, bound = get_args(hint)
    if get_origin(base) is tuple:
        return _array(int(bound.most)) + int(bound.most) * _largest(get_args(base)[0])
    most = int(bound.most)
    if base is int:
        return 1 if most < 2**7 else 2 if most < 2**8 else 3 if most < 2**16 else 5
    size = most * (TEXT_BYTES if base is str else 1)
    return size + (1 if base is str and size < 2**5 else 2 if size < 2**8 else 3)


def _array(items: int) -> int:
    return 1 if items < 2**4 else 3


def _exact() -> list[str]:
    """What the lengths of elements and proofs are in the group that is played with."""
    element = GROUP.element_bytes
    rows = [
        ("hand key, share (`key`, `share`)", f"{element}"),
        ("proof of a hand key", f"{sigma.proof_bytes(GROUP, 1)}"),
        ("proof of shares (`DEAL`, `PLAY`, `KITTY`)", f"{sigma.proof_bytes(GROUP, 1)}"),
        ("proof of a passed card", f"{sigma.proof_bytes(GROUP, 2)}"),
        ("`MIX` deck, proof", f"{2 * element * DECK_SIZE:,}, {shuffle.proof_bytes(GROUP, DECK_SIZE):,}"),
    ]
    head = ("seats", "cards each", "kitty", "`REMIX`: cards of a row", "`REMIX`: proof of a row", "`KITTY` shares")
    sizes = []
    for seats in SEATS:
        each, kitty = divmod(DECK_SIZE, seats)
        proof = shuffle.proof_bytes(GROUP, each)
        numbers = (seats, each, kitty, 2 * element * each, proof, element * kitty)
        sizes.append(tuple(f"{number:,}" for number in numbers))
    return [
        "## Exact lengths",
        "",
        f"In the group {GROUP.name} every element, masked card and proof has one legal length; any other is refused. In bytes:",
        "",
        *_table(("what", "bytes"), rows),
        "",
        *_table(head, sizes),
        "",
    ]


def _table(head: tuple[str, ...], rows: list[Any]) -> list[str]:
    line = [f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in (head, *rows)]
    return [line[0], "|" + "---|" * len(head), *(row.replace("|  |", "| |") for row in line[1:])]


if __name__ == "__main__":
    raise SystemExit(main())
