"""Pictures of the table."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from prompt_toolkit.data_structures import Size

from client.cli.main import main
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.svg_picture import svg_of
from tests.client.plain_seat import snapshot_at
from tests.client.terminals import emulated
from tests.client.ui.tui.situations import canasta

_NAMESPACE = "{http://www.w3.org/2000/svg}"


async def test_a_picture_shows_what_the_screen_shows() -> None:
    style = style_of("dark")
    with emulated(80, 24):
        screen = TableScreen(UNICODE, style)
        screen.window.show(snapshot_at("canasta", canasta(), log=("<b>&\x1b[2J",)))
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


def test_a_picture_comes_from_a_real_game(tmp_path: Path) -> None:
    file = tmp_path / "table.svg"
    arguments = ["screenshot", str(file), "--players", "2", "--turns", "1", "--level", "easy"]
    assert main(arguments) == 0
    root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    assert "Your turn: meld, or discard a card." in "".join(root.itertext())


def test_a_picture_of_the_score_sheet(tmp_path: Path) -> None:
    file = tmp_path / "sheet.svg"
    arguments = ["screenshot", str(file), "--game", "canastra", "--sheet", "--level", "easy"]
    assert main(arguments) == 0
    shown = "".join(ElementTree.fromstring(file.read_text(encoding="utf-8")).itertext())
    assert "Score sheet" in shown
    assert "This deal was fair:" in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["{folder}/none/x.svg"], "none/x.svg cannot be written: No such file or directory."),
        (["{folder}/x.svg", "--columns", "0"], "--columns is a number from 1 to 400."),
        (["{folder}/x.svg", "--rows", "9999"], "--rows is a number from 1 to 400."),
    ],
)
def test_what_cannot_be_drawn_is_said(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word.format(folder=tmp_path) for word in arguments]
    assert main(["screenshot", "--players", "2", "--turns", "1", "--level", "easy", *words]) == 2
    assert sentence in capsys.readouterr().err
