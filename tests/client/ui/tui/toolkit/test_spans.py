"""Lines of styled text: cut, filled, and broken, in columns of a terminal."""

import pytest

from client.ui.tui.toolkit.spans import (
    Line,
    Span,
    cut,
    folded,
    labelled,
    padded,
    ruled,
    shortened,
    text_of,
    wrapped,
)

WIDE = "漢字漢"
"""Three characters of two columns each."""


def spans(*texts: str) -> Line:
    return tuple(Span(text, f"class:{place}") for place, text in enumerate(texts))


@pytest.mark.parametrize(
    ("texts", "width", "kept"),
    [
        (("abcdef",), 6, ("abcdef",)),
        (("abcdef",), 5, ("abcd~",)),
        (("abcdef",), 1, ("~",)),
        (("abc", "def"), 6, ("abc", "def")),
        (("abc", "def"), 5, ("abc", "d~")),
        (("abc", "def"), 4, ("abc", "~")),
        (("abc", "def"), 3, ("ab~",)),
        ((WIDE,), 6, (WIDE,)),
        ((WIDE,), 5, ("漢字~",)),
        ((WIDE,), 4, ("漢~",)),
        (("a", WIDE, "b"), 7, ("a", "漢字~")),
    ],
)
def test_a_line_is_cut_with_a_mark_in_its_last_column(
    texts: tuple[str, ...], width: int, kept: tuple[str, ...]
) -> None:
    assert cut(spans(*texts), width) == spans(*kept)
    assert shortened("".join(texts), width) == "".join(kept)


@pytest.mark.parametrize(
    ("text", "width", "left", "centred"),
    [
        ("abc", 3, "abc", "abc"),
        ("abc", 4, "abc ", "abc "),
        ("abc", 6, "abc   ", " abc  "),
        ("abc", 7, "abc    ", "  abc  "),
        ("abcdef", 4, "abc~", "abc~"),
        (WIDE, 4, "漢~ ", "漢~ "),
        ("", 3, "   ", "   "),
    ],
)
def test_a_line_is_filled_to_a_width(text: str, width: int, left: str, centred: str) -> None:
    assert text_of(padded(spans(text), width)) == left
    assert text_of(padded(spans(text), width, centred=True)) == centred


@pytest.mark.parametrize(
    ("width", "line"),
    [(12, "── Log ─────"), (8, "── Log ─"), (7, "── Log"), (6, "── Log"), (5, "── L~")],
)
def test_a_horizontal_rule_fills_the_line_after_its_title(width: int, line: str) -> None:
    assert text_of(ruled(spans("Log"), "─", width)) == line


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (14, [" one  two  six", " seventeen"]),
        (13, [" one  two", " six", " seventeen"]),
        (9, [" one  two", " six", " sevente~"]),
        (8, [" one", " two", " six", " sevent~"]),
    ],
)
def test_words_are_kept_whole(width: int, lines: list[str]) -> None:
    words = [spans(word) for word in ("one", "two", "six", "seventeen")]
    assert list(map(text_of, wrapped(words, width, indent=" "))) == lines
    assert wrapped([], width) == []


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (11, ["one two six", "seventeen"]),
        (10, ["one two", "six", "seventeen"]),
        (7, ["one two", "six", "sevent~"]),
        (6, ["one", "two", "six", "seven~"]),
    ],
)
def test_a_sentence_is_broken_between_words(width: int, lines: list[str]) -> None:
    text = " one two  six seventeen "
    assert list(map(text_of, folded(text, width))) == lines
    assert folded(text, width, "bold")[0] == (Span(lines[0], "bold"),)
    assert folded("", width) == [(Span(""),)]
    assert list(map(text_of, folded("漢字 漢字", 9))) == ["漢字 漢字"]
    assert list(map(text_of, folded("漢字 漢字", 8))) == ["漢字", "漢字"]


def test_a_label_has_a_column_of_its_own() -> None:
    assert list(map(text_of, labelled("Esc", "close this page", 25))) == [
        " Esc              close",
        "                  this",
        "                  page",
    ]
    assert list(map(text_of, labelled("Escape", "close it", 14, 4))) == [
        " Escape close it",
    ]
