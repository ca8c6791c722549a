"""A page that replays a match, forwards and back, with the drawings and keys of the console.

The page is one file and needs no network. Its drawings are compressed (RFC 1950), and the browser
unpacks them.
"""

import base64
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from client.i18n.language import _, with_and
from client.reports.html.document import STYLE, data_element, document, script_element
from client.reports.html.markup import Html, tag
from client.reports.model import TableReport
from client.ui.html.replay_drawings import ReplayDrawings
from client.ui.html.terminal_css import terminal_css
from client.ui.model.replay import Replay, Viewer
from client.ui.tui.replay.cursor import MOVEMENTS, VIEW_KEYS
from client.ui.tui.replay.screen import WHERE
from engine.sentences import N_

_FOLDER = Path(__file__).parent
SCRIPT = (_FOLDER / "replay.js").read_text(encoding="utf-8")
_CSS = (_FOLDER / "replay.css").read_text(encoding="utf-8")

BROWSER_KEYS = {
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "pageup": "PageUp",
    "pagedown": "PageDown",
    "home": "Home",
    "end": "End",
    "space": " ",
    "backspace": "Backspace",
}
"""Keys that are no letters: their names in prompt_toolkit, and in browsers (KeyboardEvent.key)."""

TEXTS = {
    "where": WHERE,
    "play": N_("Play"),
    "pause": N_("Pause"),
    "tooOld": N_("This browser is too old to unpack the match. Open the page in a newer one."),
}


def replay_page(
    replay: Replay,
    viewers: Sequence[Viewer],
    on_progress: Callable[[str], None] = lambda _line: None,
) -> Iterator[Html]:
    """Return the document in parts; it holds no cards but those that `viewers` see.

    Raises BadRequest if the drawings are larger than `replay_drawings.LARGEST`.
    """
    drawings = ReplayDrawings(replay)
    data = drawings.data(viewers, on_progress)
    style = "\n".join((STYLE, _CSS, terminal_css(list(drawings.styles))))
    title = _title(replay.report.table)
    packed = zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)
    return document(
        title,
        (tag("h1", title), _player(data["views"]), _story()),
        _("Made by sobremesa replay. Nothing on this page was loaded from elsewhere."),
        data=(
            data_element("texts", {name: _(text) for name, text in TEXTS.items()}),
            data_element("keys", _keys()),
            script_element(base64.b64encode(packed).decode(), type="text/plain", id="match"),
        ),
        style=style,
        script=SCRIPT,
    )


def _title(table: TableReport | None) -> str:
    if table is None:
        return _("A replay")
    names = with_and(player.name for player in table.players)
    return _("Replay: {game} with {names}").format(game=table.title, names=names)


def _keys() -> dict[str, str]:
    """Return the action of each key: a movement, or "view". The keys have the names of browsers."""
    keys = {
        BROWSER_KEYS.get(key, key): movement.name for movement in MOVEMENTS for key in movement.keys
    }
    return keys | {key: "view" for key in VIEW_KEYS if key != "tab"}


def _player(views: Sequence[dict[str, object]]) -> Html:
    without = _(
        "Scripts are switched off in this browser, so this page shows nothing. `sobremesa replay "
        "--plain` prints all of it."
    )
    return tag(
        "section",
        tag("p", tag("noscript", without), id="where"),
        tag("div", id="board", role="region", tabindex=0, aria_label=_("The table")),
        tag("p", id="now", role="status"),
        _controls(views),
        class_="replay",
        aria_label=_("The match"),
    )


def _controls(views: Sequence[dict[str, object]]) -> Html:
    buttons = [
        tag(
            "button",
            tag("span", movement.symbol, aria_hidden="true"),
            type="button",
            data_move=movement.name,
            title=_(movement.words),
            aria_label=_(movement.words),
            # WAI-ARIA 1.2 writes the space bar as a word.
            aria_keyshortcuts=" ".join(
                BROWSER_KEYS.get(key, key).replace(" ", "Space") for key in movement.keys
            ),
        )
        for movement in MOVEMENTS
    ]
    play = tag("button", _("Play"), type="button", id="play")
    options = [tag("option", str(view["name"]), value=at) for at, view in enumerate(views)]
    choose = tag("label", _("View:"), " ", tag("select", options, id="view", aria_keyshortcuts="v"))
    return tag("div", tag("div", buttons, play, class_="buttons"), choose, class_="controls")


def _story() -> Html:
    """Return the section for the events so far, and for the whole round line by line."""
    before = _("What happened before")
    hints = _(
        "Keys: left and right arrow step, up and down arrow go by turns, Page Up and Page Down by "
        "rounds, Home and End to the start and the end; v changes the view."
    )
    return tag(
        "section",
        tag("h2", before),
        tag("ol", id="log"),
        tag("p", id="verdict", class_="verdict", hidden=""),
        tag("p", hints, class_="note keys-note"),
        tag(
            "details",
            tag("summary", tag("span", id="round-title"), " ", _("line by line")),
            tag("ol", id="round"),
            class_="fold",
        ),
        class_="story",
    )
