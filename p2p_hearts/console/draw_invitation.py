"""The page of an invitation: words to say, the text to copy, and the QR code where there is room for it."""

from p2p_hearts.console.code import code_lines
from p2p_hearts.console.fragments import Line, beside, width_of
from p2p_hearts.console.language import _
from p2p_hearts.console.parts import paragraph, title
from p2p_hearts.console.state import Screen
from p2p_hearts.node.driver import Shown

MIN_TEXT = 36  # columns beside the code
_LINE_WORDS = 4


def invitation_lines(screen: Screen, width: int, height: int) -> list[Line]:
    """The open invitation, `height` lines high, or that there is none."""
    head = title(_("Invitation"), _("whoever has it can sit down at once"), width)
    shown = screen.aside.invitation
    if shown is None:
        return [head, [], [("", " " + _("There is no open invitation. n opens one."))]]
    code = code_lines(shown.text, blocks=screen.blocks)
    code_width = width_of(code[0])
    below = _said(shown, width - 2)
    if len(below) + len(code) < height and code_width < width:  # text that nothing stands beside is easier to copy
        return [head, *below, *[[("", " "), *line] for line in code]]
    if len(code) < height and width - code_width - 3 >= MIN_TEXT:
        text_width = width - code_width - 3
        return [head, *beside(_said(shown, text_width), code, text_width + 2, height - 1)][:height]
    size = f"{MIN_TEXT + 3 + code_width}×{len(code) + 3}"
    wanted = _("In a window of {size} there would be a QR code as well.", size=size)
    return [head, *_said(shown, width - 2, code=False), *_indented(paragraph(wanted, width - 2, "class:off"))][:height]


def _said(shown: Shown, width: int, *, code: bool = True) -> list[Line]:
    """The words and the text; `code` says whether the QR code is to be seen as well."""
    lines: list[Line] = [[]]
    if shown.words:
        words = shown.words.split()
        lines += _indented(paragraph(_("Say these words; they are typed under a in the lobby, or after join:"), width))
        lines.append([])
        for at in range(0, len(words), _LINE_WORDS):
            lines.append([("class:strong", f"   {' '.join(words[at : at + _LINE_WORDS])}")])
        lines.append([])
    send = _("Or send this text, which the QR code holds as well:") if code else _("Or send this text:")
    lines += _indented(paragraph(send, width))
    lines += [[("", f" {shown.text[at : at + width]}")] for at in range(0, len(shown.text), width)]
    return [*lines, []]


def _indented(lines: list[Line]) -> list[Line]:
    return [[("", " "), *line] for line in lines]
