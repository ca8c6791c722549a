"""A recording of a round, replayed on an emulated terminal."""

import json
import random
from functools import cache
from itertools import pairwise

import pyte
import trio
from prompt_toolkit.data_structures import Size

from client.bots.eager import choose
from engine.games import game_named
from tests.client.plain_seat import NAMES
from tests.client.ui.tui.golden import check
from tests.in_memory_table import InMemoryTable
from tests.screenshots.__main__ import Table, recorded

COLUMNS, ROWS = 80, 24


@cache  # a module fixture would run before the language is set
def recording() -> list[str]:
    """Return the lines of a recording of a short round, always the same."""
    table = Table.begun("canasta", 2, "easy", seed=1)
    return trio.run(recorded, table, Size(rows=ROWS, columns=COLUMNS)).splitlines()


def test_a_recording_is_an_asciicast_of_version_2() -> None:
    """The format follows asciinema's description: a header, then events in the order of time."""
    header = json.loads(recording()[0])
    assert (header["version"], header["width"], header["height"]) == (2, COLUMNS, ROWS)
    assert header["title"] == "Canasta"
    assert all(isinstance(value, str) for value in header["env"].values())
    assert "timestamp" not in header, "a timestamp would make files of one seed differ"
    events = [json.loads(line) for line in recording()[1:]]
    assert len(events) > 50
    for at, code, data in events:
        assert isinstance(at, float)
        assert at >= 0
        assert code == "o"
        assert isinstance(data, str)
        assert data
    assert all(before[0] <= after[0] for before, after in pairwise(events))
    assert events[-1][0] > 10


def test_a_recording_shows_the_screens_of_the_table() -> None:
    """The screens show the score sheet, and after it the table."""
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.Stream(screen)
    sheets, selected = [], 0
    for line in recording()[1:]:
        stream.feed(json.loads(line)[2])
        text = "\n".join(row.rstrip() for row in screen.display)
        sheets += [text] if "Score sheet" in text else []
        selected += "x discard" in text.splitlines()[-1]
    assert selected > 1, "cards must be selected before they are played"
    check("recording-sheet-80x24", sheets[-1])
    check("recording-layout-80x24", text)


def test_the_same_randomness_gives_the_same_record() -> None:
    game = game_named("canastra")

    def entries(seed: str) -> list[bytes]:
        rng = random.Random(1)
        table = InMemoryTable.sit(game, game.options(), NAMES[:2], random.Random(seed).randbytes)
        for _entry in range(4):
            view = None if table.chooser is None else table.view(table.chooser)
            table.write(None if view is None else choose(view, rng))
        return table.entries

    assert entries("one") == entries("one") != entries("another")
