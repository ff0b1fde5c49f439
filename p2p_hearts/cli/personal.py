"""The language and the settings of whoever started the program, known before anything else is said.

The law: the help text and the first complaint are in the person's language already, so `--lang` and `--state` are looked for
before the arguments are read properly; whatever else is wrong with them is said later, by the parser.
"""

import gettext
import io
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from p2p_hearts.console.language import DOMAIN, FOLDER, LANGUAGES, N_, choose, use
from p2p_hearts.console.settings import FILE, Personal, read_settings, template
from p2p_hearts.node.keystore import default_directory

OF_ARGPARSE = (
    N_("%(prog)s: error: %(message)s\n"), N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("argument %(argument_name)s: %(message)s"), N_("expected at least one argument"), N_("expected one argument"),
    N_("ignored explicit argument %r"), N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("not allowed with argument %s"), N_("options"), N_("positional arguments"), N_("show this help message and exit"),
    N_("show program's version number and exit"), N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
)  # fmt: skip
"""What Python's own reader of arguments says; it asks the standard catalogue, see `speak`."""


def person(arguments: Sequence[str], environment: Mapping[str, str]) -> Personal:
    """The settings, and the language of the system, of which `--lang` takes the place."""
    folder = _value(arguments, "--state")
    file = (Path(folder) if folder else default_directory()) / FILE
    wanted = _value(arguments, "--lang")
    system = choose(wanted, "", environment)
    use(system)
    preferences, problems = read_settings(file)
    if wanted in LANGUAGES:
        preferences = replace(preferences, language="")
    return Personal(preferences, problems, system, file)


def speak(language: str) -> None:
    """Say everything in this language from here on, also what Python's own reader of arguments says."""
    use(language)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without our letters shows what it can
    if language != "en":
        os.environ["LANGUAGE"] = language
        gettext.bindtextdomain(DOMAIN, FOLDER)
        gettext.textdomain(DOMAIN)


def first_file(personal: Personal) -> None:
    """Puts the file of the settings where it is looked for, so that it is found."""
    if personal.file is not None:
        with suppress(OSError), personal.file.open("x", encoding="utf-8") as made:  # it is there, or cannot be
            made.write(template(personal.preferences))


def _value(arguments: Sequence[str], flag: str) -> str | None:
    """What stands behind a flag; the last one counts."""
    found = None
    for at, argument in enumerate(arguments):
        if argument == flag and at + 1 < len(arguments):
            found = arguments[at + 1]
        elif argument.startswith(f"{flag}="):
            found = argument.removeprefix(f"{flag}=")
    return found
