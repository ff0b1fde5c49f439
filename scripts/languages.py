"""The catalogues of the six languages: `python3 scripts/languages.py` finds every sentence and writes what must be current.

It collects the sentences of the console and the command line (`_`, `n_`, `p_`, `N_`) and those of the layers below, which
are plain English in the source, merges them into `p2p_hearts/console/locale/xx/LC_MESSAGES/p2p_hearts.po`, compiles each
to the `.mo` that the program reads, and lists what is still to be translated. `--check` writes nothing and tells.

The law: the source is the only list; a sentence that is gone from it is gone from every catalogue. It needs Babel, which
the program itself does not, and gets it into the environment of the tests.
"""

import argparse
import io
import struct
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from environment import own_python

if __name__ == "__main__" and not (find_spec("babel") and find_spec("p2p_hearts")):
    sys.exit(subprocess.run([str(own_python("test")), *sys.argv], check=False).returncode)

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from sentences import PACKAGE, below_list, sentences_below, sentences_marked

from p2p_hearts.console.language import LANGUAGES

LOCALE = PACKAGE / "console" / "locale"
TRANSLATED = tuple(language for language in LANGUAGES if language != "en")


def main() -> int:
    """Brings everything up to date; 1 when something is missing, or, with --check, not current."""
    parser = argparse.ArgumentParser(description="Find, merge and compile the sentences of all languages.")
    parser.add_argument("--check", action="store_true", help="write nothing; say what is not current or not translated")
    if not parser.parse_args().check:
        _update()
    problems = list(faults())
    print("\n".join(problems) or "Everything is translated, and current.")
    return 1 if problems else 0


def source() -> Catalog:
    """Every sentence of the program as it is now."""
    catalog = Catalog(project="p2p-hearts", charset="utf-8")
    for text, context, file, line in sentences_marked():
        catalog.add(text, locations=[(file, line)], context=context)
    for sentence in sentences_below():
        catalog.add(sentence.text, locations=[(sentence.file, sentence.line)], auto_comments=["said below"])
    return catalog


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


def _update() -> None:
    """Writes all files."""
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


def _without_dates(text: bytes) -> bytes:
    """The file without the lines that change by themselves."""
    noise = (b'"POT-Creation-Date', b'"PO-Revision-Date', b'"Generated-By', b'"Last-Translator', b'"Language-Team',
             b'"Report-Msgid-Bugs-To')  # fmt: skip
    return b"".join(line for line in text.splitlines(keepends=True) if not line.startswith(noise))


if __name__ == "__main__":
    sys.exit(main())
