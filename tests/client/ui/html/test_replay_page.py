"""The page that replays a match: it has the drawings and keys of the console, and loads nothing."""

import base64
import json
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from client.cli.main import main
from client.errors import BadRequest
from client.ui.html import replay_drawings
from client.ui.html.replay_drawings import NARROW, WIDE
from client.ui.html.replay_page import BROWSER_KEYS, SCRIPT, replay_page
from client.ui.html.terminal_css import terminal_css
from client.ui.model.replay import Replay, Teller, Viewer
from client.ui.tui.replay.cursor import MOVEMENTS, ReplayCursor
from client.ui.tui.replay.drawing import SeenTable, TableDrawing
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.spans import text_of, width_of
from tests.client.reports import page_scripts as scripts
from tests.client.reports.audited import absent_record
from tests.client.reports.browser import Page
from tests.protocol.played import played
from tests.protocol.seeded_table import SeededTable


def replay_of(record: bytes, folder: Path) -> Replay:
    path = folder / "game.sobremesa"
    path.write_bytes(record)
    return Replay.load(path, lambda _: None)


@pytest.fixture(scope="module")
def canasta(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    return replay_of(played("canasta", 2).record(), tmp_path_factory.mktemp("replays"))


@pytest.fixture(scope="module")
def html(canasta: Replay) -> str:
    """Return the page of `canasta` with the views of all players."""
    return page_of(canasta)


def page_of(replay: Replay, viewers: Sequence[Viewer] = (None, 0, 1)) -> str:
    return "".join(replay_page(replay, viewers))


def unpacked(html: str) -> dict[str, Any]:
    """Return the data of the match that a page carries."""
    (packed,) = re.findall(r'<script type="text/plain" id="match">([^<]*)</script>', html)
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(packed)))
    return data


def lines_of(data: dict[str, Any], screen: int) -> list[str]:
    """Return the lines of a screen, without their styles."""
    return ["".join(data["lines"][line][1::3]) for line in data["screens"][screen]]


# -- what is on the page


def test_replay_page_draws_the_same_lines_as_the_console(canasta: Replay, html: str) -> None:
    replay, data = canasta, unpacked(html)
    wide, narrow = TableDrawing(UNICODE, WIDE), TableDrawing(UNICODE, NARROW, meld_rows=0)
    for place, viewer in enumerate((None, 0, 1)):
        view = data["views"][place]
        for at in range(0, len(replay.moments), 5):
            moment = replay.moments[at]
            seen = SeenTable.of(moment, viewer)
            assert lines_of(data, view["wide"][at]) == list(map(text_of, wide.lines(seen)))
            assert lines_of(data, view["narrow"][at]) == list(map(text_of, narrow.lines(seen)))
            told = f"{Teller(viewer, True).sentence(moment)}."
            assert data["sentences"][view["told"][at]] == told
    assert data["entries"] == [moment.number for moment in replay.moments]
    assert data["verdict"].startswith("Verdict: sound.")


def test_a_narrow_page_cuts_nothing_off(canasta: Replay) -> None:
    """On a narrow screen no melds, no hands and no state of the pile are cut off.

    Only a score sheet may be wider than the screen.
    """
    narrow = TableDrawing(UNICODE, NARROW, meld_rows=0)
    for moment in canasta.moments[::3]:
        seen = SeenTable.of(moment, None)
        lines = narrow.lines(seen)
        assert all(width_of(line) <= NARROW for line in lines) or seen.sheet
        assert "~" not in "".join(map(text_of, lines[1:]))


def test_a_player_and_their_substitute_share_a_view(tmp_path: Path) -> None:
    replay = replay_of(absent_record(substitute=True), tmp_path)
    data = unpacked(page_of(replay, [None]))
    assert data["titles"] == ["The draw for seats", "Round 1"]
    assert data["views"][0]["name"] == "all that was opened"
    assert "Ana / Olga" in page_of(replay, (None, 0, 1, 2))


def test_the_page_of_one_seat_contains_no_hidden_data_of_others(canasta: Replay, html: str) -> None:
    """Whoever passes the page on must not give away hidden data of the other seats."""
    everything, own = unpacked(html), unpacked(page_of(canasta, [0]))
    assert [view["name"] for view in own["views"]] == ["Ana"]
    given = re.compile(r"^Bruno gets .*[♠♥♦♣]|^Bruno gets Jo")
    assert any(map(given.match, everything["sentences"]))
    assert not any(map(given.match, own["sentences"]))
    hands = [line for line in own["lines"] if "Bruno:" in "".join(line[1::3])]
    assert hands == []
    seen = {text for line in everything["lines"] for text in line[1::3]}
    assert {text for line in own["lines"] for text in line[1::3]} < seen


def test_the_replay_page_loads_nothing(html: str) -> None:
    assert re.search(r"\bhttps?:", html) is None
    assert "src=" not in html
    assert "url(" not in html


def test_a_page_that_would_be_too_large_is_refused(
    canasta: Replay, html: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(json.dumps(unpacked(html)))
    monkeypatch.setattr(replay_drawings, "LARGEST", size // 20)
    with pytest.raises(BadRequest, match=r"would hold more than 0 MB\. With `--seat`"):
        list(replay_page(canasta, (None, 0, 1)))
    monkeypatch.setattr(replay_drawings, "LARGEST", size)
    list(replay_page(canasta, (None, 0, 1)))


def test_styles_become_classes_for_light_and_dark() -> None:
    light, dark = terminal_css(["class:card.hearts", "class:header"]).split("@media screen and ")
    assert ".s0 { color: #d70000; background: none;" in light
    assert ".s0 { color: #ff5f5f; background: none;" in dark
    assert ".s1 { color: #ffffff; background: #005f5f;" in light
    reversed_ = terminal_css(["reverse"])
    assert "color: var(--sheet); background: var(--ink);" in reversed_


# -- the command


def test_replay_command_writes_the_page_unless_there_is_nothing_to_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, page = tmp_path / "game.sobremesa", tmp_path / "page.html"
    record.write_bytes(played().record(upto=0))
    assert main(["replay", str(record), "--html", str(page)]) == 2
    assert "There is nothing to play: Verdict: sound so far." in capsys.readouterr().err
    assert not page.exists()
    record.write_bytes(played().record())
    assert main(["replay", str(record), "--html", str(page), "--seat", "Bruno"]) == 0
    assert f"The page is in {page}." in capsys.readouterr().err
    assert [view["name"] for view in unpacked(page.read_text("utf-8"))["views"]] == ["Bruno"]


# -- in a browser


def shown(screen: Page, folder: Path, html: str) -> Page:
    screen.show(folder / "replay.html", html)
    screen.evaluate(scripts.READY)
    return screen


@pytest.fixture
def playing(screen: Page, html: str, tmp_path: Path) -> Page:
    return shown(screen, tmp_path, html)


def press(page: Page, key: str, times: int = 1, on: str = "document.body") -> None:
    """Press a key, which the page may handle or leave to the browser."""
    made = f"new KeyboardEvent('keydown', {{key: {json.dumps(key)}, bubbles: true, cancelable: 1}})"
    page.evaluate(f"for (let i = 0; i < {times}; i++) {on}.dispatchEvent({made}); 0")


def board(page: Page) -> list[str]:
    rows = "[...document.querySelectorAll('#board > div')].map(row => row.textContent)"
    return [row.replace("\ufe0e", "") for row in page.evaluate(rows)]


def text(page: Page, place: str) -> str:
    return str(page.evaluate(f"document.getElementById('{place}').textContent"))


def test_keys_of_the_console_work_on_the_page(playing: Page, canasta: Replay) -> None:
    """All movements are tried from the start to the end, and then in the other direction."""
    cursor = ReplayCursor(canasta)
    drawing = TableDrawing(UNICODE, WIDE)
    for times, movements in ((3, MOVEMENTS), (3, MOVEMENTS[::-1]), (40, MOVEMENTS)):
        for one, key in ((each, key) for each in movements for key in each.keys):
            for _again in range(times):
                cursor = one.move(cursor)
            press(playing, BROWSER_KEYS.get(key, key), times)
            assert f"Step {cursor.at + 1} of" in text(playing, "where")
            seen = SeenTable.of(cursor.moment, None)
            assert board(playing) == [text_of(line) for line in drawing.lines(seen)]
    assert playing.complaints == []
    assert [url.rsplit("/", 1)[1] for url in playing.requests] == ["replay.html"]


def test_v_switches_views_and_tab_is_left_to_the_browser(playing: Page) -> None:
    seen = []
    for _again in range(4):
        press(playing, "v")
        seen.append(text(playing, "where").partition("view: ")[2])
    assert seen == ["Ana", "Bruno", "all that was opened", "Ana"]
    assert playing.evaluate("document.getElementById('view').value") == "1"
    tab = "new KeyboardEvent('keydown', {key: 'Tab', bubbles: true, cancelable: true})"
    left = playing.evaluate(f"document.body.dispatchEvent({tab})")
    assert left is True, "the page has handled Tab"
    assert text(playing, "where").endswith("view: Ana")


def test_replay_page_opens_at_the_dealt_hands(playing: Page, canasta: Replay) -> None:
    """Before the deal the table is empty. Home goes back to the first step, the draw for seats."""
    first = canasta.first_with_cards
    rounds = (canasta.moments[at].after.match.round for at in (first - 1, first))
    assert [one is not None and any(one.hands) for one in rounds] == [False, True]
    assert f"Step {first + 1} of" in text(playing, "where")
    press(playing, "Home")
    assert "Step 1 of" in text(playing, "where")


def test_keys_go_to_the_focused_control_first(playing: Page) -> None:
    begun = text(playing, "where")
    press(playing, "ArrowRight", on="document.getElementById('view')")
    press(playing, " ", on="document.getElementById('play')")
    assert text(playing, "where") == begun
    press(playing, "ArrowRight", on="document.getElementById('play')")
    assert text(playing, "where") != begun


def test_playing_advances_the_page_until_the_end(playing: Page, canasta: Replay) -> None:
    """The test replaces `setInterval`, and calls the timer's callback itself."""
    playing.evaluate("setInterval = tick => { window.tick = tick; return 7; }; 0")
    playing.evaluate("clearInterval = () => { window.tick = null; }; 0")
    playing.evaluate("document.getElementById('play').click()")
    assert text(playing, "play") == "Pause"
    playing.evaluate("for (let i = 0; i < 3; i++) tick(); 0")
    first = canasta.first_with_cards
    assert f"Step {first + 4} of" in text(playing, "where")
    press(playing, "p")
    assert text(playing, "play") == "Play", "moving by hand must stop the playing"
    playing.evaluate("document.getElementById('play').click()")
    last = len(canasta.moments) - 1
    assert playing.evaluate("(() => { let n = 0; while (tick) { tick(); n++; } return n; })()") == (
        last - first - 2
    )
    assert text(playing, "play") == "Play"
    assert playing.evaluate("document.getElementById('verdict').hidden") is False
    assert "Verdict: sound." in text(playing, "verdict")
    playing.evaluate("document.getElementById('play').click()")
    assert f"Step {first + 1} of" in text(playing, "where"), "it must begin at the deal again"


def test_lines_of_the_round_lead_to_their_moments(playing: Page, canasta: Replay) -> None:
    press(playing, "PageDown")
    playing.evaluate("document.querySelector('.story details > summary').click()")
    playing.evaluate(scripts.until("document.getElementById('round').children.length"))
    lines = "document.querySelectorAll('#round button')"
    first = ReplayCursor(canasta).round(1).at
    assert playing.evaluate(f"{lines}.length") == len(canasta.moments) - first
    playing.evaluate(f"{lines}[12].click()")
    assert f"Step {first + 13} of" in text(playing, "where")
    told = playing.evaluate("document.querySelector('#round [aria-current]').textContent")
    assert text(playing, "now") in told
    playing.evaluate(f"location.hash = '#{canasta.moments[3].number}'; 0")
    playing.evaluate("new Promise(done => setTimeout(done))")
    assert "Step 4 of" in text(playing, "where")


def test_the_policy_allows_only_the_page_s_own_script(playing: Page) -> None:
    assert (
        scripts.refused(
            playing, 6, scripts.MARKUP, scripts.INLINE_SCRIPT, scripts.FETCH, scripts.WORKER
        )
        == "connect-src img-src script-src-attr script-src-elem style-src-attr worker-src"
    )
    assert playing.evaluate("window.hit === undefined") is True


def test_hostile_names_become_no_markup(
    screen: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.protocol.seeded_table.NAMES", scripts.HOSTILE)
    table = SeededTable.sit("kanastic", 4)
    while table.state.height < 12:
        table.step()
    replay = replay_of(table.record(), tmp_path)
    page = shown(screen, tmp_path, page_of(replay, (None, 0, 1, 2, 3)))
    press(page, "End")
    page.evaluate("document.querySelector('details').open = true")
    told, title = page.evaluate("[document.body.innerText, document.title]")
    for name in scripts.HOSTILE:
        press(page, "v")
        assert text(page, "where").endswith(f"view: {name}")
        assert name in told
        assert name in title
    assert page.evaluate("document.querySelectorAll('b, i').length") == 0
    assert page.evaluate("document.scripts.length") == 4
    assert page.evaluate("window.hit === undefined") is True
    assert page.complaints == []


@pytest.mark.parametrize("dark", [False, True])
def test_axe_reports_no_accessibility_fault_on_a_phone(playing: Page, dark: bool) -> None:
    playing.screen(400, 800, dark=dark)
    playing.evaluate("document.querySelector('details').open = true")
    for key, times in (("PageDown", 1), ("ArrowRight", 60), ("v", 1), ("End", 1)):
        press(playing, key, times)
        assert scripts.accessibility_faults(playing) == []
        assert playing.evaluate("document.documentElement.scrollWidth") <= 400


def test_printing_hides_the_buttons(playing: Page) -> None:
    press(playing, "ArrowRight", 30)
    tall = "document.querySelector('.controls').getBoundingClientRect().height"
    assert playing.evaluate(tall) > 0
    playing.call("Emulation.setEmulatedMedia", media="print")
    assert playing.evaluate(tall) == 0
    spans = "[...document.querySelectorAll('#board span')]"
    right = playing.evaluate(f"Math.max(...{spans}.map(s => s.getBoundingClientRect().right))")
    assert 300 < right <= 700, "the columns do not fit a sheet of paper"
    playing.call("Emulation.setEmulatedMedia", media="")


def test_a_browser_without_decompression_shows_a_message(
    screen: Page, canasta: Replay, tmp_path: Path
) -> None:
    source = "delete window.DecompressionStream"
    added = screen.call("Page.addScriptToEvaluateOnNewDocument", source=source)
    screen.show(tmp_path / "replay.html", page_of(canasta, [0]))
    told = scripts.until("document.getElementById('where').textContent.startsWith('This browser')")
    assert screen.evaluate(told) == 1
    screen.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])


def test_the_script_writes_no_markup() -> None:
    assert re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b", SCRIPT) is None
