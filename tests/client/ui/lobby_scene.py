"""Scenes as text: in the linear mode, and on the screen of a lobby.

The format is that of scenes on the screen of a table (`tests/client/ui/tui/scene.py`), but the
lines before the events describe a lobby:

    sit yes no           two players, the first one ready
    unknown yes          the host has not answered yet
    knocking Eve|Fay     an argument of `lobby_at`, with | between names, and escapes as in Python

These are the events:

    > ready              a line that is typed
    press r              keys on the screen
    paste rq             a pasted text
    click Add            a click on the first place with that text
    change knocking Eve  a line about the lobby gets this value
    situation over       the display shows the situation `over` (see `SITUATIONS`)
    look 1 2             rows of the screen
"""

from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import trio
from attrs import define, field
from trio.testing import wait_all_tasks_blocked

from client.i18n.language import choose_language
from client.session.display.lobby_interface import LetIn, LobbySnapshot, SendAway
from client.session.display.snapshot import AfterMatch
from client.ui.linear.lobby import LobbyLines
from client.ui.linear.table import LinearTable
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE
from p2p.background_task import beside
from tests.client.lobby_snapshots import key_of, lobby_at
from tests.client.ui.tui.lobby_situations import lobby_on
from tests.client.ui.tui.scene import SITUATIONS, news_of, pressed, table_of_lines, told, unescaped

_PARTED = ("names", "news", "knocking")
_ABOUT = ("sit", "size", "ascii", "language", "unknown")
_NUMBERS = ("opponents", "known")


def lobby_of(about: dict[str, str]) -> LobbySnapshot:
    """Return the lobby with these settings."""
    settings: dict[str, Any] = {}
    for word, written in about.items():
        rest = unescaped(written)
        if word in _PARTED:
            settings[word] = tuple(rest.split("|")) if rest else ()
        elif word in _NUMBERS:
            settings[word] = tuple(map(int, rest.split()))
        elif word in ("game", "title"):
            settings[word] = rest
        elif word not in _ABOUT:
            settings[word] = rest == "yes" if rest in ("yes", "no") else int(rest)
    if about.get("unknown") == "yes":
        me = settings.get("me", 0)
        return LobbySnapshot(key_of(me), hosting=me == 0)
    return lobby_at(*(ready == "yes" for ready in about["sit"].split()), **settings)


@define
class Display:
    """A table or lobby at which events happen, with the person's decisions as text."""

    decided: Callable[[], Any]
    show: Callable[[Any], None]
    run: Callable[[], Any]
    act: Callable[[str], object]
    news: Callable[[str], list[str]]
    about: dict[str, str]
    stack: AsyncExitStack
    made: list[str] = field(factory=list)
    click: Callable[[str], object] = lambda _text: None

    async def do(self, event: str) -> list[str]:
        """Make the event happen, and return its results as lines."""
        word, _, rest = event.partition(" ")
        match word:
            case "":
                await self.stack.enter_async_context(beside(self._listen))
                await self.stack.enter_async_context(beside(self._run))
            case "change":
                key, _, value = rest.partition(" ")
                self.about[key] = value
                self.show(lobby_of(self.about))
            case "situation":
                self.show(SITUATIONS[rest]())
            case ">" | "press":
                self.act(rest)
            case "paste":
                self.act(f"\x1b[200~{rest}\x1b[201~")
            case "click":
                self.click(rest)
        await wait_all_tasks_blocked()
        made, self.made = self.made, []
        return [*made, *self.news(event)]

    async def _listen(self) -> None:
        while True:
            match await self.decided():
                case LetIn(keys):
                    self.made.append(f"decides: let in {', '.join(map(_number, keys))}")
                case SendAway(key):
                    self.made.append(f"decides: send away {_number(key)}")
                case decision:
                    self.made.append(f"decides: {told(decision)}")

    async def _run(self) -> None:
        ended = await self.run()
        self.made.append(f"ends: {ended.name}" if isinstance(ended, AfterMatch) else "ends")


def _number(key: bytes) -> str:
    """Return the number of the player with this key."""
    return f"{key[0] - 1}"


def in_lines(lines: list[str], stack: AsyncExitStack) -> Display:
    """Return the display of a table or a lobby in lines."""
    about = _settings(lines)
    written: list[str] = []
    to_display, typed = trio.open_memory_channel[str](10)
    if "sit" in about:
        display: Any = LobbyLines(lambda line: written.append(f"{line}\n"), typed)
        display.show(lobby_of(about))
    else:
        choices = (AfterMatch.AGAIN, AfterMatch.OTHER_SEATS)
        display = LinearTable(UNICODE, typed, written.append, choices)
        display.show(table_of_lines(lines)[1])

    def news(_event: str) -> list[str]:
        new = "".join(written).splitlines()
        written.clear()
        return new

    type_ = to_display.send_nowait
    return Display(display.decided, display.show, display.run, type_, news, about, stack)


def in_lobby(lines: list[str], stack: AsyncExitStack) -> Display:
    """Return the display of a lobby on the screen."""
    about = _settings(lines)
    columns, rows = map(int, about.get("size", "80x24").split("x"))
    glyphs = ASCII if "ascii" in about else UNICODE
    hands, screen = stack.enter_context(lobby_on(lobby_of(about), columns, rows, glyphs))
    seen: list[str] = []

    def news(event: str) -> list[str]:
        before, seen[:] = [*seen], hands.screen.split("\n")
        return [*news_of(event, before, seen)]

    def press(keys: str) -> None:
        hands.press(pressed(keys))

    run = trio.sleep_forever
    display = Display(screen.decided, screen.look_at, run, press, news, about, stack)
    display.click = lambda text: hands.press(hands.click_on(text))
    screen.app.exit = lambda: display.made.append("leaves")  # type: ignore[method-assign, assignment]
    return display


def _settings(lines: list[str]) -> dict[str, str]:
    about = {word: rest for word, _, rest in (line.partition(" ") for line in lines)}
    choose_language(about.get("language", "en"))
    return about
