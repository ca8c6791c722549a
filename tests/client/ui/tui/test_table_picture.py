"""The picture of a table, whose cached parts look as if drawn anew."""

from itertools import permutations

import pytest
from attrs import evolve

from client.session.display.snapshot import LogLine
from client.ui.model.hand import Notice
from client.ui.model.lesson_words import LessonView
from client.ui.tui.table.picture import TablePicture
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.spans import text_of, width_of
from tests.client.ui.tui.golden import SIZES
from tests.client.ui.tui.situations import seen

TABLE = seen("canasta")
PILE = TABLE.pile
OWN = TABLE.own
assert PILE is not None
assert OWN is not None
TABLES = (
    TABLE,
    seen("canasta opening"),
    seen("canasta of six"),
    seen("kanastic"),
    evolve(TABLE, spectators=2),
    evolve(TABLE, round_number=7),
    evolve(TABLE, stock=3),
    evolve(TABLE, aside="2 deads"),
    evolve(TABLE, pile=evolve(PILE, count=1)),
    evolve(TABLE, others=tuple(evolve(other, turn=True) for other in TABLE.others)),
    evolve(TABLE, own=evolve(OWN, dealer=not OWN.dealer)),
    evolve(TABLE, hand=tuple(evolve(held, fresh=True) for held in TABLE.hand)),
    evolve(TABLE, hand=tuple(evolve(held, selected=True) for held in TABLE.hand)),
    evolve(TABLE, sides=tuple(evolve(side, total=5) for side in TABLE.sides)),
    evolve(TABLE, sides=tuple(evolve(side, melds=()) for side in TABLE.sides)),
    evolve(TABLE, sides=tuple(evolve(side, bonus=()) for side in TABLE.sides)),
    evolve(TABLE, log=(*TABLE.log, LogLine("draws", "Ana"))),
    evolve(TABLE, notice=Notice("Nothing is laid out.")),
    evolve(TABLE, awaited="Bruno is away."),
    evolve(TABLE, lesson=LessonView("Step 1", 60 * "word ", 60 * "word ")),
)
"""One table, other tables, and the first one with each of its parts changed."""


@pytest.mark.parametrize("size", SIZES.values())
def test_a_cached_picture_equals_a_new_one(size: tuple[int, int]) -> None:
    alone = [TablePicture(UNICODE).lines(view, *size, paused=False) for view in TABLES]
    looks = [[text_of(line).rstrip() for line in lines] for lines in alone]
    assert all(width_of(line) <= size[0] for line in alone[-1] if "word word" in text_of(line))
    # A low window does not show if the person is the dealer. There the table with another dealer
    # looks like TABLE.
    untold = 1 if size[1] < 24 else 0
    assert len({"\n".join(look) for look in looks}) == len(TABLES) - untold
    for first, second in permutations(range(len(TABLES)), 2):
        picture = TablePicture(UNICODE)
        picture.lines(TABLES[first], *size, paused=False)
        assert picture.lines(TABLES[second], *size, paused=False) == alone[second]


def test_a_change_of_size_redraws_the_table() -> None:
    picture = TablePicture(UNICODE)
    for columns, rows in (*SIZES.values(), *SIZES.values()):
        for paused in (True, False):
            lines = picture.lines(TABLE, columns, rows, paused=paused)
            assert lines == TablePicture(UNICODE).lines(TABLE, columns, rows, paused=paused)
            assert len(lines) == rows - 1
            assert max(width_of(line[:-1]) for line in lines) <= columns


def test_unchanged_lines_are_taken_from_the_cache() -> None:
    picture = TablePicture(UNICODE)
    before = picture.lines(TABLE, 80, 24, paused=False)
    after = picture.lines(evolve(TABLE, notice=Notice("Select cards first.")), 80, 24, paused=False)
    again = [line for line, old in zip(after, before, strict=True) if line is old and line]
    assert len(again) > 15


def test_picture_knows_the_rows_of_hand_and_status() -> None:
    picture = TablePicture(UNICODE)
    lines = [text_of(line) for line in picture.lines(TABLE, 80, 24, paused=False)]
    assert not lines[picture.hand_row].strip(), (
        "the row above the hand, into which selected cards rise, must be empty"
    )
    assert lines[picture.hand_row + 1].startswith("╭───╭───")
    assert "Ana is to draw." in lines[-picture.status_rows]
