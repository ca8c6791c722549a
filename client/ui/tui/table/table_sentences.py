"""The table in sentences, a line each, for people who listen or read line by line."""

from collections.abc import Iterator

from client.i18n.language import _, _n, couple, number, with_and
from client.ui.model.table_view import MeldView, SideView, TableView
from client.ui.model.table_words import mark_word, opening_reached, opening_wanted, pile_state
from client.ui.tui.toolkit.glyphs import Glyphs
from engine.cards import Card


def hand_line(view: TableView, glyphs: Glyphs) -> str:
    """Return the person's hand in a line; new cards are repeated at its end."""
    cards = [held.card for held in view.hand]
    if not cards:
        return _("Your hand is empty.")
    line = _("Your hand, {count}: {cards}.").format(
        count=_n("{n} card", "{n} cards", len(cards)), cards=_cards(cards, glyphs)
    )
    fresh = [held.card for held in view.hand if held.fresh]
    new = _("New: {cards}.").format(cards=_cards(fresh, glyphs))
    return f"{line} {new}" if fresh else line


def table_lines(view: TableView, glyphs: Glyphs) -> Iterator[str]:
    """Return everything on the table."""
    seats = with_and(
        (_("{name} (partner)").format(name=seat.name) if seat.partner else seat.name)
        + " "
        + _n("{n} card", "{n} cards", seat.cards)
        for seat in view.others
    )
    if seats:
        yield _("Clockwise from your left: {seats}.").format(seats=seats)
    if view.pile is not None:
        yield pile_line(view, glyphs)
    for side in view.sides:
        yield _side_line(side, glyphs)


def pile_line(view: TableView, glyphs: Glyphs) -> str:
    """Return the stock and the discard pile."""
    stock = _n("{n} card in the stock", "{n} cards in the stock", view.stock)
    pile = view.pile
    if pile is None or pile.top is None:
        return _("{stock}; there is no pile.").format(stock=stock)
    parts = [
        stock,
        _("{top} on a pile of {count}").format(top=glyphs.face(pile.top), count=pile.count),
    ]
    if pile.seen:
        parts.append(_("below it {cards}").format(cards=_cards(list(pile.seen), glyphs)))
    parts.append(pile_state(pile))
    return "; ".join(filter(None, parts)) + "."


def _side_line(side: SideView, glyphs: Glyphs) -> str:
    parts = [f"{couple(side.names)} {number(side.total)}"]
    if side.opening is not None:
        parts.append(opening_wanted(side.opening))
    parts += [_meld(meld, glyphs) for meld in side.melds]
    if side.bonus:
        parts.append(_cards(list(side.bonus), glyphs))
    return "; ".join(parts) + "."


def _meld(meld: MeldView, glyphs: Glyphs) -> str:
    text = f"{meld.number}: {_cards(list(meld.cards), glyphs)}"
    if meld.mark is not None:
        text += f" ({mark_word(meld)})"
    return _("{meld} not sent").format(meld=text) if meld.staged else text


def staged_line(view: TableView, glyphs: Glyphs) -> str:
    """Return the cards laid out and not sent; "" if there are none."""
    if not view.staging:
        return ""
    melds = [meld for side in view.sides if side.mine for meld in side.melds if meld.staged]
    text = _("Laid out: {melds}.").format(
        melds="; ".join(_cards(list(meld.cards), glyphs) for meld in melds)
    )
    return f"{text} {opening_reached(view.staged)}." if view.staged else text


def _cards(cards: list[Card], glyphs: Glyphs) -> str:
    return " ".join(glyphs.face(card) for card in cards)
