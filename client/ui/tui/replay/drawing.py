"""The table at one moment of a replay, as lines of styled text."""

from collections.abc import Sequence

from attrs import define, field, frozen

from client.session.display.snapshot import Snapshot
from client.ui.model.hand import Hand, Sorting
from client.ui.model.replay import Moment, Viewer
from client.ui.model.table_view import TableView, table_view
from client.ui.tui.table import melds, seats
from client.ui.tui.table.hand import hand as hand_lines
from client.ui.tui.table.header import header
from client.ui.tui.table.picture import MIDDLE, PartCache
from client.ui.tui.toolkit.glyphs import Glyphs, card_style
from client.ui.tui.toolkit.spans import Line, Span, wrapped
from engine.cards import Card
from engine.slots import cards_of

_MELD_ROWS = 10


@frozen
class SeenTable:
    """The table as a viewer sees it at a moment, or the `sheet` of the round that closed then."""

    sheet: tuple[str, ...]
    table: TableView
    dealt: bool
    hands: tuple[tuple[str, tuple[Card, ...]], ...] = ()
    """Hands of all players by name, for a viewer who sees all that was opened."""

    @classmethod
    def of(cls, moment: Moment, viewer: Viewer) -> "SeenTable":
        """Return what the viewer sees at a moment.

        A viewer who sees everything looks from the first player's seat.
        """
        state = moment.after
        me = 0 if viewer is None else viewer
        position = moment.view(viewer)
        snapshot = Snapshot(state, position, me, chooses=False)
        if position is None:
            return cls(moment.sheet, table_view(snapshot, None), dealt=False)
        seat_of = state.match.seat_of
        hand = Hand.before(position, seat_of(me), Sorting.RANK)
        hands = tuple(
            (name, cards_of(position.hand(seat_of(player))))
            for player, name in enumerate(snapshot.names)
            if viewer is None
        )
        return cls(moment.sheet, table_view(snapshot, hand), dealt=True, hands=hands)


@define
class TableDrawing:
    """A renderer of tables in `width` columns; parts that have not changed are not drawn again."""

    glyphs: Glyphs
    width: int
    meld_rows: int = _MELD_ROWS
    """Rows for melds. If there are enough rows, each meld has a line of its own."""
    _part: PartCache = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._part = PartCache(self.glyphs)

    def lines(self, seen: SeenTable) -> list[Line]:
        """Return the table and the hands, or the sheet."""
        glyphs, width = self.glyphs, self.width
        if seen.sheet:
            return [(Span(glyphs.plain(f" {row}")),) for row in ("", *seen.sheet, "")]
        view = seen.table
        lines = header(view, glyphs, width)
        if not seen.dealt:
            return lines
        lines += self._part(seats.seats, view, MIDDLE, width)
        lines += self._part(melds.sides, view, "sides", width, self.meld_rows)
        if not seen.hands:
            return lines + self._part(hand_lines, view, "hand", width)
        return lines + [line for name, cards in seen.hands for line in self._all(name, cards)]

    def _all(self, name: str, cards: Sequence[Card]) -> list[Line]:
        """Return all cards of a hand, in as many lines as they need."""
        title: Line = (Span(f"{self.glyphs.plain(name)}:", "class:side"),)
        words = [(Span(self.glyphs.face(card), card_style(card)),) for card in cards]
        return wrapped([title, *words], self.width, indent=" ", between=" ")
