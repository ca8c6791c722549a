"""Pictures of the table as SVG: they show a real game, and each run draws them alike."""

import random
from xml.etree import ElementTree

from prompt_toolkit.data_structures import Size

from client.bots.eager import choose
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.games import game_named
from tests.client.plain_seat import NAMES
from tests.client.terminals import emulated
from tests.client.ui.tui.situations import at
from tests.in_memory_table import InMemoryTable
from tests.screenshots.__main__ import FOLDER, PICTURES, Picture, Table, drawn
from tests.screenshots.svg_picture import svg_of

_NAMESPACE = "{http://www.w3.org/2000/svg}"


async def test_a_picture_shows_what_the_screen_shows() -> None:
    style = style_of("dark")
    with emulated(80, 24):
        screen = TableScreen(TerminalLook(UNICODE, style))
        screen.window.show(at("canasta", ("<b>&\x1b[2J",)))
        document = svg_of(screen.app, style, Size(rows=24, columns=80))
    texts = [element.text or "" for element in ElementTree.fromstring(document).iter()]
    shown = "".join(text for text in texts if text)
    for piece in ("Canasta · round 1", "Carla", "10 cards", "deals", "K♦", "<b>&?[2J"):
        assert piece in shown
    fills = {
        element.get("fill")
        for element in ElementTree.fromstring(document).iter(f"{_NAMESPACE}text")
        if (element.text or "").strip() in {"7♥", "7♦", "4♣"}
    }
    assert len(fills) == 3, "the suits have colours of their own"


async def test_a_picture_comes_from_a_real_game() -> None:
    picture = Picture("canasta", turns=1)
    root = ElementTree.fromstring(await drawn(picture, Table.begun("canasta", 2, "easy", seed=1)))
    assert "Your turn: meld, or discard a card." in "".join(root.itertext())


async def test_a_picture_can_show_the_score_sheet() -> None:
    picture = Picture("canastra", turns=0)
    document = await drawn(picture, Table.begun("canastra", 2, "easy", seed=1))
    shown = "".join(ElementTree.fromstring(document).itertext())
    assert "Score sheet" in shown
    assert "This deal was fair:" in shown


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


def test_readme_shows_exactly_the_existing_pictures() -> None:
    readme = FOLDER.with_name("README.md").read_text(encoding="utf-8")
    shown = {name for name in PICTURES if f"(screenshots/{name}.svg)" in readme}
    assert shown == {*PICTURES} == {path.stem for path in FOLDER.iterdir()}
