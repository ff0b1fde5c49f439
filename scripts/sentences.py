"""The sentences of the program, found in its source: for `languages`, which has them translated.

Two kinds are told apart. In the console and the command line a sentence is given to a function of
`p2p_hearts.console.language`, and is found by that. The layers below know no language: there a sentence is any text that
reads like one, with a field for each value that is filled in; where a text can read in several ways, each is a sentence.

The law: nothing is listed by hand but what is no sentence.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = PROJECT / "p2p_hearts"
MARKS = {"_", "N_", "n_", "Nn_", "p_"}
SPOKEN = ("cli", "console")
BELOW = ("hearts/options.py", "hearts/reasons.py", "bots/hints.py", "cli/home.py", "cli/seat.py", "protocol", "node")
SILENT = {
    "audit.py", "codec.py", "messages.py", "phases.py", "agreeing.py", "dealing.py", "opening.py", "playing.py", "passing.py",
    "closing.py", "mixing.py", "export.py", "pake.py", "adverts.py", "state.py", "picture.py", "names.py", "envelope.py",
    "escrow.py", "transition.py", "blame.py", "council.py", "bundle.py",
}  # fmt: skip
"""Modules whose texts no player reads: labels, and what is wrong with bytes."""
NO_SENTENCE = {"MalformedError", "RemoteProtocolError", "AuditError", "debug", "info", "warning", "error", "exception",
               "execute", "executescript", "compile", "getLogger"}  # fmt: skip
SINGLE = {"left", "right", "across", "read", "written", "silent"}  # words that stand in a sentence of others
COMMANDS = ("INSERT ", "SELECT ", "UPDATE ", "CREATE ", "Get-", "sudo ")  # of SQL and of shells
NOT_SAID = {
    "(state directory)",
    "policy drop",
    "hook input",
    "state = [12]",
    "Visual Studio Code",
    "in memory",
    "invitation words",
    "invitation text",
    "invitation {side}",
    "p2p-hearts identity 1",
}
LEAST = 5  # letters around its fields by which a sentence can be known


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence found below, its fields open, and where."""

    text: str
    file: str
    line: int


def sentences_marked() -> Iterator[tuple[str | tuple[str, str], str | None, str, int]]:
    """Every sentence of the console and the command line: text or forms, context, file and line."""
    for folder in SPOKEN:
        for file in sorted((PACKAGE / folder).rglob("*.py")):
            for line, text, context in _marked(ast.parse(file.read_text(encoding="utf-8"))):
                yield text, context, _place(file), line


def sentences_below() -> tuple[Sentence, ...]:
    """The sentences of the layers below, each once."""
    found: dict[str, Sentence] = {}
    for where in BELOW:
        path = PACKAGE / where
        for file in [path] if path.suffix else sorted(path.rglob("*.py")):
            if file.name not in SILENT:
                for line, text in _texts(
                    ast.parse(file.read_text(encoding="utf-8")), raw=file.name in {"reasons.py", "hints.py"}
                ):
                    if _is_sentence(text):
                        found.setdefault(text, Sentence(text, _place(file), line))
    return tuple(sorted(found.values(), key=lambda sentence: (sentence.file, sentence.line)))


def below_list() -> str:
    """The file by which the program knows the sentences of below."""
    return "".join(f"{sentence.text}\n" for sentence in sorted(sentences_below(), key=lambda one: one.text))


def unmarked() -> tuple[Sentence, ...]:
    """Sentences of the console that would be said in English to everybody, since no function of `language` has them."""
    found = []
    for file in sorted((PACKAGE / "console").glob("*.py")):
        for line, text in _texts(ast.parse(file.read_text(encoding="utf-8")), raw=False):
            if re.fullmatch(r"[A-Z{].* .*[.!?…:]", text) and re.search(r"[a-z]{3} ", text):
                found.append(Sentence(text, _place(file), line))
    return tuple(found)


def _marked(tree: ast.AST) -> Iterator[tuple[int, str | tuple[str, str], str | None]]:
    """Every text that is given to a function of `language`, also within another text; and the word for the bottom line and
    the sentence for the help page of every `Key`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name("_" | "N_"), [ast.Constant(str() as text), *_]):
                yield node.lineno, text, None
            case ast.Call(ast.Name("n_" | "Nn_"), [ast.Constant(str() as one), ast.Constant(str() as many), *_]):
                yield node.lineno, (one, many), None
            case ast.Call(ast.Name("p_"), [ast.Constant(str() as context), ast.Constant(str() as text)]):
                yield node.lineno, text, context
            case ast.Call(ast.Name("Key"), [_, ast.Constant(str() as short), ast.Constant(str() as long), *_]):
                yield node.lineno, short, "key"
                yield node.lineno, long, None


def _place(file: Path) -> str:
    return file.relative_to(PROJECT).as_posix()


def _is_sentence(text: str) -> bool:
    """Whether a text is meant to be read, and can be known by more than its fields."""
    if text in NOT_SAID or any(sign in text for sign in ("\n", "\\", ".*")) or text.startswith(COMMANDS):
        return False
    if text in SINGLE:
        return True
    depth, letters = 0, 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        letters += depth == 0 and letter.isalpha()
    return " " in text.strip() and letters >= LEAST


def _texts(node: ast.AST, *, raw: bool) -> Iterator[tuple[int, str]]:
    """Every text below a node with its fields by name, every way it can read; no docstrings. `raw`: fields are written
    into the constants already."""
    if isinstance(node, ast.Call) and (
        _name(node.func) in NO_SENTENCE or (isinstance(node.func, ast.Name) and node.func.id in MARKS)
    ):
        return
    if isinstance(node, ast.Constant | ast.JoinedStr):
        for parts in _readings(node) or ():
            yield node.lineno, _with_fields(parts, raw=raw)
        if isinstance(node, ast.JoinedStr):
            for value in node.values:
                if isinstance(value, ast.FormattedValue) and _readings(value.value) is None:
                    yield from _texts(value.value, raw=raw)
        return
    has_docstring = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    for child in ast.iter_child_nodes(node):
        docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if not (docstring and has_docstring) and child is not getattr(node, "annotation", None):
            yield from _texts(child, raw=raw)


def _readings(node: ast.expr) -> list[list[str | ast.expr]] | None:
    """The ways a text can read, each as texts and fields; None for what is no text."""
    match node:
        case ast.Constant(str() as text):
            return [[text]]
        case ast.IfExp():
            one, other = _readings(node.body), _readings(node.orelse)
            return None if one is None or other is None else [*one, *other]
        case ast.JoinedStr(values):
            ways: list[list[str | ast.expr]] = [[]]
            for value in values:
                inner = value.value if isinstance(value, ast.FormattedValue) else value
                ways = [[*way, *more] for way in ways for more in _readings(inner) or [[inner]]]
            return ways
        case _:
            return None


def _with_fields(parts: Iterable[str | ast.expr], *, raw: bool) -> str:
    text, used = "", dict[str, int]()
    for part in parts:
        if isinstance(part, str):
            text += part if raw else part.replace("{", "{{").replace("}", "}}")
            continue
        name = _name(part)
        used[name] = used.get(name, 0) + 1
        text += f"{{{name}{used[name] if used[name] > 1 else ''}}}"
    return text


def _name(node: ast.AST) -> str:
    """What a field is called: as the value is in the source."""
    match node:
        case ast.Name(name) | ast.Attribute(_, name):
            return name.strip("_")
        case ast.Call(ast.Attribute(_, "join"), [joined, *_]):
            return _name(joined)
        case ast.Call(function):
            return _name(function)
        case ast.Subscript(value) | ast.BinOp(value):
            return _name(value)
        case ast.GeneratorExp(_, [first, *_]) | ast.ListComp(_, [first, *_]):
            return _name(first.iter)
        case _:
            return "value"
