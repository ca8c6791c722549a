"""Pieces of text with a style, and lines of them, measured in columns of a terminal."""

from collections.abc import Iterable
from typing import NamedTuple

from prompt_toolkit.utils import get_cwidth


class Click(NamedTuple):
    """The target of a click on a piece of text.

    It is a card, a meld, the stock, the pile, a key, a subject of the rules, or an option about a
    player who stays away.
    """

    what: str
    number: int = 0
    key: str = ""


class Span(NamedTuple):
    """A piece of text; `style` is a style string of prompt_toolkit."""

    text: str
    style: str = ""
    click: Click | None = None

    @property
    def width(self) -> int:
        """Number of columns."""
        return get_cwidth(self.text)


Line = tuple[Span, ...]


def width_of(line: Iterable[Span]) -> int:
    """Return the number of columns of a line."""
    return sum([get_cwidth(span.text) for span in line])


def text_of(line: Iterable[Span]) -> str:
    """Return the text of a line, without styles."""
    return "".join(span.text for span in line)


def cut(line: Line, width: int) -> Line:
    """Return the line cut to a width, with a "~" if something is lost."""
    if width_of(line) <= width:
        return line
    kept: list[Span] = []
    left = width - 1  # the last column is for the "~": "Ana & Carla" in 6 columns is "Ana &~"
    for span in line:
        text = ""
        for character in span.text:
            if get_cwidth(text + character) > left:
                return (*kept, span._replace(text=text + "~"))
            text += character
        left -= get_cwidth(text)
        kept.append(span)
    return tuple(kept)


def padded(line: Line, width: int, *, centred: bool = False) -> Line:
    """Return the line cut or filled to a width, with the blanks after it or on both sides."""
    line = cut(line, width)
    space = width - width_of(line)
    before = space // 2 if centred else 0
    return (Span(" " * before), *line, Span(" " * (space - before)))


def ruled(title: Line, across: str, width: int) -> Line:
    """Return a title in a line of `across` characters: two before it, the others after it."""
    line = cut((Span(across * 2 + " ", "class:rule"), *title), width)
    rest = width - width_of(line) - 1
    return (*line, Span(" " + across * rest, "class:rule")) if rest > 0 else line


def shortened(text: str, width: int) -> str:
    """Return the text cut to a width."""
    return text_of(cut((Span(text),), width))


def wrapped(words: Iterable[Line], width: int, indent: str = "", between: str = "  ") -> list[Line]:
    """Return words, each of them whole, in as many lines as they need."""
    lines: list[Line] = []
    line: Line = ()
    for word in words:
        # Each word brings the gap before it, so that a line never ends with a gap.
        gap = between if line else indent
        if line and width_of(line) + len(between) + width_of(word) > width:
            lines.append(line)
            line, gap = (), indent
        line = (*line, Span(gap), *cut(word, width - len(indent)))
    return [*lines, line] if line else lines


def folded(text: str, width: int, style: str = "") -> list[Line]:
    """Return a sentence in lines, broken between words."""
    lines = [""]
    for word in text.split():
        if lines[-1] and get_cwidth(lines[-1]) + 1 + get_cwidth(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return [cut((Span(line, style),), width) for line in lines]


def labelled(key: str, meaning: str, width: int, columns: int = 16) -> list[Line]:
    """Return a key, or a count, in `columns` columns, with its meaning beside it."""
    first, *more = folded(meaning, width - columns - 2)
    name = Span(f" {key:<{columns}} ", "class:key")
    return [(name, *first), *((Span(" " * (columns + 2)), *line) for line in more)]
