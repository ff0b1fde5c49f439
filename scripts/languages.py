"""The catalogues of the six languages: `python3 scripts/languages.py` finds every sentence and writes what must be current.

It collects the sentences of the console and the command line (`_`, `n_`, `p_`, `N_`) and those of the layers below, which
are plain English in the source, merges them into `p2p_hearts/console/locale/xx/LC_MESSAGES/p2p_hearts.po`, compiles each
to the `.mo` that the program reads, and lists what is still to be translated. `--check` writes nothing and tells.

The law: the source is the only list; a sentence that is gone from it is gone from every catalogue. It needs Babel, which
the program itself does not, and gets it into the environment of the tests.
"""

import argparse
import ast
import io
import re
import struct
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from environment import own_python

if __name__ == "__main__" and not (find_spec("babel") and find_spec("p2p_hearts")):
    sys.exit(subprocess.run([str(own_python("test")), *sys.argv], check=False).returncode)

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from p2p_hearts.console.language import LANGUAGES

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = PROJECT / "p2p_hearts"
LOCALE = PACKAGE / "console" / "locale"
TRANSLATED = tuple(language for language in LANGUAGES if language != "en")
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


def main() -> int:
    """Brings everything up to date; 1 when something is missing, or, with --check, not current."""
    parser = argparse.ArgumentParser(description="Find, merge and compile the sentences of all languages.")
    parser.add_argument("--check", action="store_true", help="write nothing; say what is not current or not translated")
    check = parser.parse_args().check
    problems = [] if check else list(_update())
    for problem in problems or faults():
        print(problem)
        problems.append(problem)
    return 1 if problems else 0


def source() -> Catalog:
    """Every sentence of the program as it is now."""
    catalog = Catalog(project="p2p-hearts", charset="utf-8")
    for folder in SPOKEN:
        for file in sorted((PACKAGE / folder).rglob("*.py")):
            for line, text, context in _marked(ast.parse(file.read_text(encoding="utf-8"))):
                catalog.add(text, locations=[(_place(file), line)], context=context)
    for sentence in sentences_below():
        catalog.add(sentence.text, locations=[(sentence.file, sentence.line)], auto_comments=["said below"])
    return catalog


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


def read(language: str) -> Catalog:
    """The catalogue of a language as it is on disk; an empty one when there is none yet."""
    file = po_file(language)
    if not file.exists():
        return Catalog(locale=language, domain="p2p_hearts", charset="utf-8")
    with file.open("rb") as opened:
        return read_po(opened, locale=language, domain="p2p_hearts")


def po_file(language: str) -> Path:
    """Where the translations of a language are written."""
    return LOCALE / language / "LC_MESSAGES" / "p2p_hearts.po"


def compiled(catalog: Catalog) -> bytes:
    """What the program reads: the same bytes for the same translations. Source: the GNU gettext manual, "MO files"."""
    header = f"Content-Type: text/plain; charset=utf-8\nPlural-Forms: {catalog.plural_forms}\n"
    pairs = {"": header}
    for message in catalog:
        if message.id and translated(message):  # what is not is said in English
            context = f"{message.context}\x04" if message.context else ""
            pairs[context + "\0".join(_forms(message.id))] = "\0".join(_forms(message.string))
    keys = sorted(pair.encode() for pair in pairs)
    texts = [*keys, *(pairs[key.decode()].encode() for key in keys)]
    count = len(keys)
    places, data, start = b"", b"", 28 + 16 * count
    for text in texts:
        places += struct.pack("<II", len(text), start + len(data))
        data += text + b"\0"
    return struct.pack("<7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, start) + places + data


def translated(message: Message) -> bool:
    """Whether every form of a sentence is there, and nobody has doubts about it."""
    return not message.fuzzy and all(_forms(message.string))


def _forms(text: object) -> tuple[str, ...]:
    """One text, or several by number."""
    return tuple(map(str, text)) if isinstance(text, tuple | list) else (str(text or ""),)


def faults() -> Iterator[str]:
    """What is not current, missing or broken, one sentence each."""
    now = {(message.id, message.context) for message in source() if message.id}
    if not (LOCALE / "below.txt").exists() or (LOCALE / "below.txt").read_text(encoding="utf-8") != below_list():
        yield "below.txt is not current: run scripts/languages.py"
    for language in TRANSLATED:
        catalog = read(language)
        then = {(message.id, message.context) for message in catalog if message.id}
        if now != then:
            yield f"{language}: the catalogue is not current, {len(now ^ then)} sentences differ: run scripts/languages.py"
        mo = po_file(language).with_suffix(".mo")
        if not mo.exists() or mo.read_bytes() != compiled(catalog):
            yield f"{language}: the compiled catalogue is not current: run scripts/languages.py"
        for message in catalog:
            if message.id and not translated(message):
                yield f"{language}: not translated: {message.id!r}"


def unmarked() -> tuple[Sentence, ...]:
    """Sentences of the console that would be said in English to everybody, since no function of `language` has them."""
    found = []
    for file in sorted((PACKAGE / "console").glob("*.py")):
        for line, text in _texts(ast.parse(file.read_text(encoding="utf-8")), raw=False):
            if re.fullmatch(r"[A-Z{].* .*[.!?…:]", text) and re.search(r"[a-z]{3} ", text):
                found.append(Sentence(text, _place(file), line))
    return tuple(found)


def _update() -> Iterator[str]:
    """Writes all files; what is to be translated still."""
    (LOCALE / "below.txt").write_text(below_list(), encoding="utf-8")
    now = source()
    for language in TRANSLATED:
        catalog = read(language)
        catalog.update(now, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        catalog.project, catalog.version, catalog.fuzzy = "p2p-hearts", "", False
        catalog.header_comment = f"# {LANGUAGES[language]}: the sentences of p2p-hearts."
        po_file(language).parent.mkdir(parents=True, exist_ok=True)
        out = io.BytesIO()
        write_po(out, catalog, width=0, omit_header=False, sort_output=True, no_location=True)
        po_file(language).write_bytes(_without_dates(out.getvalue()))
        po_file(language).with_suffix(".mo").write_bytes(compiled(read(language)))
    yield from ()


def _without_dates(text: bytes) -> bytes:
    """The file without the lines that change by themselves."""
    noise = (b'"POT-Creation-Date', b'"PO-Revision-Date', b'"Generated-By', b'"Last-Translator', b'"Language-Team',
             b'"Report-Msgid-Bugs-To')  # fmt: skip
    return b"".join(line for line in text.splitlines(keepends=True) if not line.startswith(noise))


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


if __name__ == "__main__":
    sys.exit(main())
