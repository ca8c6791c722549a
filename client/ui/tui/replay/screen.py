"""The replay on the screen: the table at one moment, and keys to move about."""

from collections.abc import Callable

from attrs import define
from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import BaseStyle

from client.i18n.language import _
from client.reports.words import verdict
from client.session.snapshot import Snapshot
from client.ui.model.hand import Hand, Sorting
from client.ui.model.replay import Teller
from client.ui.model.table_view import table_view
from client.ui.tui.replay.cursor import ReplayCursor
from client.ui.tui.table import panels as text
from client.ui.tui.table.hand import hand as hand_lines
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.lines import Lines
from client.ui.tui.toolkit.spans import Line, Span, cut, folded, padded
from engine.sentences import N_
from engine.slots import cards_of

_LOG = 8
_MELD_ROWS = 10

_KEYS: dict[tuple[str, ...], Callable[[ReplayCursor], ReplayCursor]] = {
    ("right", "space", "n"): lambda cursor: cursor.step(1),
    ("left", "backspace", "p"): lambda cursor: cursor.step(-1),
    ("down",): lambda cursor: cursor.turn(1),
    ("up",): lambda cursor: cursor.turn(-1),
    ("pagedown",): lambda cursor: cursor.round(1),
    ("pageup",): lambda cursor: cursor.round(-1),
    ("home",): ReplayCursor.first,
    ("end",): ReplayCursor.last,
    ("tab",): ReplayCursor.next_viewer,
}

HINTS = N_("left/right step, up/down turn, PgUp/PgDn round, Home End, Tab view, q leave")


@define
class ReplayScreen:
    """Shows `cursor`; keys replace it."""

    cursor: ReplayCursor
    glyphs: Glyphs

    def application(
        self, style: BaseStyle | None = None, colours: ColorDepth | None = None
    ) -> Application[None]:
        """What runs until the person leaves."""

        def lines(width: int, rows: int) -> list[Line]:
            return screen_lines(self.cursor, self.glyphs, width, rows)

        return Application(
            layout=Layout(Window(Lines(lines, _deaf))),
            key_bindings=self._bindings(),
            style=style,
            color_depth=colours,
            full_screen=True,
        )

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        for keys, move in _KEYS.items():
            for key in keys:
                bindings.add(key)(self._mover(move))
        for key in ("q", "escape", "c-c"):
            bindings.add(key, eager=True)(lambda event: event.app.exit())
        return bindings

    def _mover(
        self, move: Callable[[ReplayCursor], ReplayCursor]
    ) -> Callable[[KeyPressEvent], None]:
        def handle(_event: KeyPressEvent) -> None:
            self.cursor = move(self.cursor)

        return handle


def screen_lines(cursor: ReplayCursor, glyphs: Glyphs, width: int, rows: int) -> list[Line]:
    """The whole screen: where one is, the table, the hands, and what happened last."""
    moment, viewer = cursor.moment, cursor.viewer
    last = len(cursor.replay.moments) - 1
    whose = _("all that was opened") if viewer is None else moment.after.charter.name_of(viewer)
    where = " " + _("Entry {entry}, {at} of {last}; {round}; seen: {whose}").format(
        entry=moment.height, at=cursor.at, last=last, round=cursor.replay.title(moment), whose=whose
    )
    top = [padded((Span(glyphs.plain(where), "class:header"),), width)]
    table = _table_lines(cursor, glyphs, width)
    teller = Teller(viewer, glyphs.symbols)
    past = cursor.replay.moments[max(0, cursor.at - _LOG) : cursor.at + 1]
    told: list[Line] = [
        line
        for one in past
        for line in folded(
            glyphs.plain(f" {one.height:>5}  {teller.sentence(one)}."),
            width,
            "bold" if one is moment else "class:dim",
        )
    ]
    if cursor.at == last:
        told += folded(glyphs.plain(f" {verdict(cursor.replay.report)}"), width, "class:warn")
    foot = [cut((Span(f" {glyphs.plain(_(HINTS))}", "class:dim"),), width)]
    room = max(rows - len(top) - len(foot), 1)
    table = table[: max(room - min(len(told), 3), 0)]
    return [*top, *table, *told[-max(room - len(table), 1) :], *foot]


def _table_lines(cursor: ReplayCursor, glyphs: Glyphs, width: int) -> list[Line]:
    moment, state = cursor.moment, cursor.moment.after
    if moment.sheet:
        return [(Span(glyphs.plain(f" {row}")),) for row in ("", *moment.sheet, "")]
    me = 0 if cursor.viewer is None else cursor.viewer
    position = moment.view(cursor.viewer)
    snapshot = Snapshot(state, position, me, chooses=False)
    if position is None:
        return text.header(table_view(snapshot, None), glyphs, width)
    hand = Hand.before(position, state.match.seat_of(me), Sorting.RANK)
    view = table_view(snapshot, hand)
    lines = [
        *text.header(view, glyphs, width),
        *text.seats(view, glyphs, width),
        *text.sides(view, glyphs, width, _MELD_ROWS),
    ]
    if cursor.viewer is not None:
        return [*lines, *hand_lines(view, glyphs, width)]
    for player, name in enumerate(member.name for member in state.charter.members):
        held = moment.hand(state.match.seat_of(player), None)
        cards = text.card_words(cards_of(held), glyphs)
        lines.append(cut((Span(f" {glyphs.plain(name)}: ", "class:side"), *cards), width))
    return lines


def _deaf(_click: object) -> None:
    """Clicks mean nothing here."""
