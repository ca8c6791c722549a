r"""Scenes on the screen of a table as text: keys that are pressed, and rows that change.

A scene in `scenes/` has the format of the scenes in `tests/client/ui/model/scene.py`. Before the
table there may be

    size 60x20           the size of the window; 80x24 without this line
    ascii                drawn with nothing but ASCII
    situation over       one of SITUATIONS instead of a position
    names Ana|Bea        the names of the players, with escapes as in Python
    opening WORDS        the page that lies on the table at the beginning
    watched Eva Fay      the spectators
    speaks               others hear what is said

and these are the events:

    look                 the whole screen
    look 5 22            these rows
    press :d<enter>      keys are pressed; special keys have the names in KEYS
    press x and click K♠ keys and a click, before the screen is drawn again
    paste x\r             a pasted text, with escapes as in Python
    click K♠             a click on the first place with that text
    wheel 1              the mouse wheel is turned by one step: 1 down, -1 up
    resize 80x24         the window gets another size
    says Bruno: hello    a line of another player in the log
    logs Bruno: draws    a line of the log, with escapes as in Python
    situation over       the screen shows the situation `over` from SITUATIONS
    news                 the same snapshot comes again
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from enum import Enum

from attrs import define, evolve, field

from client.session.display.snapshot import AfterMatch, BarSpectator, LogLine, Snapshot
from client.ui.model.pages import Page
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE
from engine.moves import Move
from engine.notation.moves import format_move
from engine.turn import Step
from p2p.transport.spectator_messages import Spectator
from protocol.match.messages import Wish
from protocol.player import LOST_LOCK
from tests.client.plain_seat import state_of
from tests.client.terminals import Hands
from tests.client.ui.model.scene import settings_of
from tests.client.ui.tui import situations
from tests.client.ui.tui.golden import table_on
from tests.client.ui.tui.round_ends import ROUND_ENDS
from tests.client.ui.tui.situations import alone, counted_round, named, waiting
from tests.engine.positions import table_of

KEYS = {
    "right": "\x1b[C",
    "left": "\x1b[D",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "esc": "\x1b",
    "enter": "\r",
    "space": " ",
    "tab": "\t",
    "F1": "\x1bOP",
    "pgdn": "\x1b[6~",
    "pgup": "\x1b[5~",
    "ctrl-c": "\x03",
}

_EVERY_WAY = alone(
    1, 130, 0, proposed=situations.OPPONENT, candidates=(situations.IMPOSTOR, situations.DORA)
)


_WITH_A_MELD = situations.others_hold(
    table_of("canasta", hands=["7h 7d 7s Kc"], seat=1, step=Step.DRAW), 9, 8, 7
)


def _gone() -> Snapshot:
    """Return a table that Bruno has just left; the log says so, too."""
    waits = waiting(alone(1, 3, 73, linked=False, left=True))
    told_aside = LogLine("has left the table", "Bruno", aside=True)
    return evolve(waits, log=(*waits.log, told_aside), said=waits.said + 1)


def _shuffled(times: int) -> Snapshot:
    """Return a table of four at which `times` players have shuffled for the draw of seats."""
    state = state_of("canasta", 4)
    return Snapshot(evolve(state, writers=state.writers[times:]), None, 0, chooses=False)


def _ended_early() -> Snapshot:
    waits = waiting(alone(1, 130, 0))
    return evolve(waits, state=evolve(waits.state, ended=True))


SITUATIONS: Mapping[str, Callable[[], Snapshot]] = {
    "over": lambda: counted_round("canastra", 2),
    "away": lambda: waiting(_EVERY_WAY),
    "away-melds": lambda: waiting(_EVERY_WAY, _WITH_A_MELD),
    "cheat": lambda: waiting(alone(1, 0, 9, missing=(1,), exposed=(1,))),
    "cheat-still": lambda: waiting(alone(1, 1, 8, missing=(1,), exposed=(1,))),
    "back": lambda: evolve(waiting(_EVERY_WAY), absence=None),
    "gone": _gone,
    "alone": lambda: waiting(alone(1, 130, 0)),
    "ending": lambda: waiting(alone(1, 130, 0, proposed=situations.ENDING)),
    "stuck": lambda: waiting(alone(1, 130, 0, stuck=True, missing=())),
    "few": lambda: waiting(alone(1, 130, 0, enough=False, linked=False)),
    "grace": lambda: waiting(alone(1, 30, 5)),
    "grace-later": lambda: waiting(alone(1, 31, 4)),
    "trouble": lambda: evolve(waiting(_EVERY_WAY), trouble=LOST_LOCK),
    "trouble-later": lambda: evolve(waiting(evolve(_EVERY_WAY, silent=131)), trouble=LOST_LOCK),
    "self": lambda: waiting(alone(0, 300, 0)),
    "left-out": lambda: evolve(waiting(alone(1, 130, 0)), left_out=True),
    "given-up": lambda: evolve(waiting(alone(1, 130, 0)), given_up=True, absence=None),
    "ended-early": _ended_early,
    "shuffling": lambda: _shuffled(0),
    "shuffled-once": lambda: _shuffled(1),
    "shuffler-away": lambda: evolve(_shuffled(1), absence=alone(1, 40, 60, linked=False)),
    **ROUND_ENDS,
}
"""Situations that the notation of positions cannot describe."""

_WORDS = ("language", "size", "ascii", "situation", "names", "opening", "watched", "speaks")


@define
class ScreenScene:
    """The screen of a table, and its rows after the last event."""

    hands: Hands
    screen: TableScreen
    rows: list[str] = field(factory=list)
    made: list[str] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        controls = self.screen.window.controls
        controls.send = self._send
        controls.decide = lambda one: self.made.append(f"decides: {told(one)}")
        controls.leave = lambda one: self.made.append(f"leaves: {one.name}")
        controls.choices = (AfterMatch.AGAIN, AfterMatch.OTHER_SEATS)

    def _send(self, *moves: Move) -> None:
        snapshot = self.screen.window.controls.snapshot
        assert snapshot is not None
        assert snapshot.view is not None
        self.made += [f"sends: {format_move(snapshot.view, move)}" for move in moves]

    def do(self, event: str) -> Iterator[str]:
        """Make the event happen; return decisions, and the rows that changed or are looked at."""
        word, _, rest = event.partition(" ")
        match word:
            case "press":
                keys, *clicked = rest.split(" and click ")
                self.hands.press("".join((pressed(keys), *map(self.hands.click_on, clicked))))
            case "paste":
                self.hands.press(f"\x1b[200~{unescaped(rest)}\x1b[201~")
            case "click":
                self.hands.press(self.hands.click_on(rest))
            case "wheel":
                self.hands.press(f"\x1b[<{65 if rest == '1' else 64};10;10M")
            case "resize":
                self.hands.emulator.resize(*map(int, rest.split("x")))
            case "says" | "logs":
                who, _, text = rest.partition(": ")
                snapshot = self.screen.window.controls.snapshot
                assert snapshot is not None
                log = (*snapshot.log, LogLine(unescaped(text), who, aside=word == "says"))
                self.screen.window.show(evolve(snapshot, log=log, said=snapshot.said + 1))
            case "news":
                self.screen.window.show(evolve(self.screen.window.controls.snapshot))
            case "situation":
                self.screen.window.show(SITUATIONS[rest]())
            case "" | "look":
                pass
            case _:
                raise ValueError(f"no event: {event}")
        yield from self.made
        self.made.clear()
        before, self.rows = self.rows, self.hands.screen.split("\n")
        yield from news_of(event, before, self.rows)


def unescaped(text: str) -> str:
    """Return the text with its escapes replaced."""
    return text.encode().decode("unicode_escape") if "\\" in text else text


def pressed(keys: str) -> str:
    """Return the text that a keyboard sends for keys, some of them named, such as <enter>."""
    return re.sub(r"<([\w-]+)>", lambda found: KEYS[found[1]], keys)


def news_of(event: str, before: list[str], rows: list[str]) -> Iterator[str]:
    """Return the rows that the event changed, or those that a `look` names."""
    word, *wanted = event.split() or [""]
    for number, shown in enumerate(rows, 1):
        looked_at = word == "look" and (not wanted or f"{number}" in wanted)
        old = before[number - 1] if number <= len(before) else None
        if looked_at or (word not in ("", "look") and shown != old):
            yield f"{number:2} {shown}"


def told(decision: object) -> str:
    match decision:
        case Enum(name=name):
            return name
        case BarSpectator(key):
            return f"bar spectator {key[0]}"
        case Wish(kind, person):
            return f"{kind.name} {person[:1].hex()}".rstrip()
    return str(decision)


def table_of_lines(lines: list[str]) -> tuple[dict[str, str], Snapshot]:
    """Return the settings, and the table made from a position or a situation."""
    about, snapshot = settings_of(lines, _WORDS)
    snapshot = snapshot or SITUATIONS[about["situation"]]()
    names = unescaped(about.get("names", "")).split("|")
    return about, named(snapshot, names) if "names" in about else snapshot


def on_screen(lines: list[str], stack: AsyncExitStack) -> ScreenScene:
    """Return the screen of a table as these lines describe it."""
    about, snapshot = table_of_lines(lines)
    spectators = enumerate(about.get("watched", "").split())
    watched = tuple(Spectator(bytes([number]) * 32, name) for number, name in spectators)
    columns, rows = map(int, about.get("size", "80x24").split("x"))
    glyphs = ASCII if "ascii" in about else UNICODE
    opening = Page[about["opening"]] if "opening" in about else None
    hands, screen = stack.enter_context(
        table_on(evolve(snapshot, spectators=watched), columns, rows, glyphs, opening)
    )
    screen.window.controls.speaks = "speaks" in about
    return ScreenScene(hands, screen)
