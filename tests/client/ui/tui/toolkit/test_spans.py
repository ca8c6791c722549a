"""Lines of styled text, compared with a file: cut, filled, and broken, in columns of a terminal.

`python -m tests.update_golden_files` writes the file anew. "|" marks the ends of parts of a line.
"""

from pathlib import Path

from client.ui.tui.toolkit import spans
from client.ui.tui.toolkit.spans import Line, Span, text_of
from tests.client.ui.tui.golden import check_file

WIDE = "漢字漢"
"""Three characters of two columns each."""
SENTENCE = " one two  six seventeen "


def styled(*texts: str) -> Line:
    return tuple(Span(text, f"class:{place}") for place, text in enumerate(texts))


def parts(line: Line) -> str:
    """Return the parts of a line whose styles are those of `styled`."""
    assert line == styled(*(span.text for span in line))
    return "|".join(span.text for span in line)


def test_lines_match_their_file_at_many_widths() -> None:
    told: list[str] = []
    for texts in (("abcdef",), ("abc", "def"), (WIDE,), ("a", WIDE, "b")):
        for width in range(1, 9):
            line = styled(*texts)
            told.append(f"{'|'.join(texts)} cut to {width}: {parts(spans.cut(line, width))}")
            assert spans.shortened("".join(texts), width) == text_of(spans.cut(line, width))
    for text in ("abc", "abcdef", WIDE, ""):
        for width in range(3, 8):
            for centred in (False, True):
                line = spans.padded(styled(text), width, centred=centred)
                how = "centred" if centred else "filled"
                told.append(f"{text} {how} to {width}: {text_of(line)}|")
    for width in (12, 8, 7, 6, 5):
        told.append(f"rule of {width}: {text_of(spans.ruled(styled('Log'), '─', width))}")
    words = [styled(word) for word in SENTENCE.split()]
    for width in (14, 13, 11, 10, 9, 8, 7, 6):
        wrapped = map(text_of, spans.wrapped(words, width, indent=" "))
        folded = map(text_of, spans.folded(SENTENCE, width))
        told += [f"words in {width}:{'|'.join(wrapped)}", f"sentence in {width}:{'|'.join(folded)}"]
    for width in (8, 9):
        told.append(
            f"wide words in {width}:{'|'.join(map(text_of, spans.folded('漢字 漢字', width)))}"
        )
    for label, text, widths in (("Esc", "close this page", (25,)), ("Escape", "close it", (14, 4))):
        told += [f"label:{text_of(line)}" for line in spans.labelled(label, text, *widths)]
    check_file(Path(__file__).parents[1] / "parts" / "spans.txt", "\n".join(told))


def test_a_broken_sentence_has_one_style_and_at_least_one_line() -> None:
    assert spans.folded(SENTENCE, 11, "bold")[0] == (Span("one two six", "bold"),)
    assert spans.folded("", 11) == [(Span(""),)]
    assert spans.wrapped([], 11) == []
