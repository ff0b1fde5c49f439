"""HTML from text: the one door through which a text becomes part of the page.

The law: no text reaches the page unescaped, and no name can turn the words around it about, since names stand in `bdi`. An
attack: a player called `<img src=x onerror=…>`, whose friends look at the page of the game.
"""

from html import escape
from typing import NewType

Markup = NewType("Markup", str)
"""HTML that is finished: made by the functions here, or written in this package."""

NOTHING = Markup("")


def text(words: object) -> Markup:
    """Words as they are to be read, whatever signs are in them."""
    return Markup(escape(str(words), quote=True))


def name(words: str) -> Markup:
    """The name of somebody, which may be written in another direction than the words around it."""
    return element("bdi", text(words))


def element(tag: str, *inside: Markup, **attributes: object) -> Markup:
    """An element with its content. An attribute that ends with `_` or has one inside is written without, or with `-`; None
    leaves it out."""
    return Markup(f"<{tag}{_attributes(attributes)}>{joined(*inside)}</{tag}>")


def single(tag: str, **attributes: object) -> Markup:
    """An element that has no content, as SVG has them."""
    return Markup(f"<{tag}{_attributes(attributes)}/>")


def joined(*parts: Markup, by: str = "") -> Markup:
    """Several pieces one after the other."""
    return Markup(by.join(parts))


def listed(parts: list[Markup]) -> Markup:
    """Pieces as one says them: `Ann, Bea and Cem`."""
    if len(parts) < 2:  # noqa: PLR2004 - nothing to join
        return joined(*parts)
    return Markup(f"{joined(*parts[:-1], by=', ')} and {parts[-1]}")


def _attributes(attributes: dict[str, object]) -> str:
    return "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value), quote=True)}"'
        for key, value in attributes.items()
        if value is not None
    )
