"""The cards drawn and taken in a round: a picture with a lane for each player, and a table."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from attrs import frozen

from client.i18n.card_letters import shown_cards
from client.i18n.language import _, _n, number
from client.reports.html import timeline
from client.reports.html.boxes_and_tables import bullets, data_table, fold, picture, scrolling
from client.reports.html.cards import card, chip
from client.reports.html.markup import Html, join, tag
from client.reports.html.round_columns import EDGE, MARGIN, RoundColumn
from client.reports.model import DeckReport, RoundReport, TableReport

_WIDTH, _BELOW = 760.0, 8.0
_DOT = "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z"
_DIAMOND = "M0 -6.5l6.5 6.5l-6.5 6.5l-6.5 -6.5z"


@frozen
class _Got:
    """Cards that came to a player in one entry; None is a card whose face is not in the record."""

    entry: int
    player: int
    cards: tuple[int | None, ...]
    from_pile: bool
    aside: bool = False

    @property
    def what(self) -> str:
        if self.from_pile:
            return _n("takes {n} card of the pile", "takes {n} cards of the pile", len(self.cards))
        if self.aside:
            return _n(
                "takes up {n} card that was set aside",
                "takes up {n} cards that were set aside",
                len(self.cards),
            )
        return _n("draws {n} card", "draws {n} cards", len(self.cards))


def draws(one: RoundReport, table: TableReport, record: int | None) -> Html | None:
    """Return the picture and the table of a round; None if nobody drew or took a card.

    `record` is the number of the record on the page, for links from marks to entries; None if the
    page does not check the record.
    """
    got = _all_got(one)
    if not got:
        return None
    title = _("Who drew and took what")
    entries = one.last - one.first + 1
    column = RoundColumn(MARGIN, _WIDTH - EDGE, one.first, entries)
    height = timeline.LANE_HEIGHT * len(table.players) + _BELOW
    lanes = [timeline.lane(_WIDTH, at, player.name, 0) for at, player in enumerate(table.players)]
    marks = [_mark(column, each, table, record) for each in got]
    drawn = picture(_WIDTH, height, title, lanes, marks, links=record is not None)
    return join(
        [
            tag("h4", title),
            scrolling(drawn, title),
            _key(table.deck),
            fold(title, _table(got, table, record)),
        ]
    )


def _all_got(one: RoundReport) -> Sequence[_Got]:
    """Return the cards drawn and taken, by entry; those of one entry are in the order of slots."""
    drawn = sorted(
        (given.entry, given.player, given.aside, given.slot, given.card)
        for deal in one.deals
        for given in deal.given
        if given.player is not None and not given.dealt
    )
    got = [
        _Got(entry, player, tuple(each[4] for each in group), from_pile=False, aside=aside)
        for (entry, player, aside), group in groupby(drawn, lambda each: each[:3])
    ]
    got += [_Got(taken.entry, taken.player, taken.cards, from_pile=True) for taken in one.taken]
    return sorted(got, key=lambda each: each.entry)


def _mark(column: RoundColumn, got: _Got, table: TableReport, record: int | None) -> Html:
    text = _("Entry {number}: {name} {what}").format(
        number=number(got.entry), name=table.players[got.player].name, what=got.what
    )
    faces = " ".join(
        "?" if each is None else shown_cards(table.deck.codes[each]) for each in got.cards
    )
    x, y = column.x_of(got.entry), timeline.lane_middle(got.player, 0)
    parts = [timeline.mark(x, y, got.player, _shape(got, table.deck), f"{text}: {faces}", "mark")]
    if got.from_pile:
        parts.append(tag("text", len(got.cards), x=x + 8, y=y - 4))
    return timeline.linked(join(parts), record, got.entry, f"{text}: {faces}")


def _shape(got: _Got, deck: DeckReport) -> str:
    if got.from_pile:
        return timeline.SQUARE
    if any(each in deck.wild for each in got.cards):
        return _DIAMOND
    return timeline.STAR if any(each in deck.bonus for each in got.cards) else _DOT


def _key(deck: DeckReport) -> Html:
    keys = [(_DOT, _("draws")), (_DIAMOND, _("draws a wild card"))]
    if deck.bonus:
        keys.append((timeline.STAR, _("draws a bonus card")))
    keys.append((timeline.SQUARE, _("takes cards of the pile; the figure is their number")))
    return bullets(((timeline.symbol(shape, "mark"), words) for shape, words in keys), "keys")


def _table(got: Sequence[_Got], table: TableReport, record: int | None) -> Html:
    def rows() -> Iterator[Html]:
        for each in got:
            entry = number(each.entry)
            cards = [
                card("?", each.player) if one is None else card(table.deck.codes[one], each.player)
                for one in each.cards
            ]
            yield tag(
                "tr",
                tag("td", timeline.linked(tag("span", entry), record, each.entry, entry)),
                tag("th", chip(table, each.player), scope="row"),
                tag("td", each.what),
                tag("td", cards, class_="cards"),
            )

    return data_table(
        (_("Entry"), _("Player"), _("What"), _("Cards")), rows(), _("Who drew and took what")
    )
