"""The chain of shuffles of a deal as a picture, and the shuffled deck card by card.

Each row of the picture is the whole deck at one step. Each card is a bar, whose height is one byte
of the locked card. Only the player who shuffled can follow a card from one row to the next.
"""

from collections.abc import Callable, Iterator
from itertools import groupby

from client.i18n.language import _, number
from client.reports.html.cards import back, card, chip
from client.reports.html.markup import Child, Html, join, tag
from client.reports.model import DealReport, TableReport

_HEIGHT = 24


def chain(deal: DealReport, table: TableReport, equations: tuple[str, ...]) -> Html:
    """Return the chain: the fresh deck, a row for each shuffle, and who got which cards."""
    proof = _("proof holds: {equations}").format(equations=", ".join(equations))
    fresh = tag("span", _("The fresh deck"), class_="chip")
    rows = [_row(fresh, None, _skyline(deal.traces, "fresh"))]
    for link in deal.shuffles:
        entry = _("entry {number}").format(number=number(link.entry))
        note = [entry, tag("span", "✓", class_="good"), proof]
        rows.append(_lock(table.players[link.player].name))
        rows.append(_row(chip(table, link.player), note, _skyline(link.traces, f"p{link.player}")))
    if deal.given:
        off = _("the locks of each card are taken off by all but its owner")
        rows.append(tag("p", off, class_="lock"))
        legend = [chip(table, player) for player in sorted(_owners(deal))]
        label = tag("span", _("Who got it"), class_="chip")
        rows.append(_row(label, legend, _destinations(deal)))
    return tag("div", *rows, class_="chain")


def deck_grid(deal: DealReport, table: TableReport) -> Html:
    """Return the shuffled deck: opened cards with their faces and owners, others with their backs.

    The cards are in the order of the slots.
    """
    given = {one.slot: one for one in deal.given}
    cells = []
    for slot in range(deal.first, deal.first + len(deal.cards)):
        one = given.get(slot)
        if one is None or one.card is None:
            cells.append(back())
            continue
        who = _("turned up")
        if one.player is not None:
            drawn = _("taken up by {name}") if one.aside else _("drawn by {name}")
            how = _("dealt to {name}") if one.dealt else drawn
            who = how.format(name=table.players[one.player].name)
        cells.append(card(table.deck.codes[one.card], one.player, who))
    return tag("div", cells, class_="deck")


def _lock(name: str) -> Html:
    text = _("locked and put into an order that only {name} knows").format(name=name)
    return tag("p", text, class_="lock")


def _row(label: Html, note: Child, picture: Html) -> Html:
    text = tag("span", note, class_="note") if note else None
    return tag("div", tag("p", label, text), picture, class_="link")


def _skyline(traces: bytes, colour: str) -> Html:
    tops = (_HEIGHT - 2 - trace * (_HEIGHT - 3) // 255 for trace in traces)
    bars = "".join(f"M{i}.5 {_HEIGHT}V{top}" for i, top in enumerate(tops))
    return _strip(len(traces), tag("path", d=bars), f"skyline {colour}")


def _destinations(deal: DealReport) -> Html:
    owner = {one.slot: one.player for one in deal.given}
    slots = range(deal.first, deal.first + len(deal.cards))

    def kind(slot: int) -> str:
        if slot not in owner:
            return "unseen"
        return "open" if owner[slot] is None else f"p{owner[slot]}"

    return _strip(len(deal.cards), join(_runs(deal.first, slots, kind)), "owners")


def _runs(first: int, slots: range, kind: Callable[[int], str]) -> Iterator[Html]:
    for name, run in groupby(slots, kind):
        cells = list(run)
        yield tag("rect", x=cells[0] - first, y=0, width=len(cells), height=_HEIGHT, class_=name)


def _strip(cards: int, inner: Html, kind: str) -> Html:
    return tag(
        "svg",
        inner,
        viewBox=f"0 0 {cards} {_HEIGHT}",
        preserveAspectRatio="none",
        class_=f"strip {kind}",
        aria_hidden="true",
    )


def _owners(deal: DealReport) -> set[int]:
    return {one.player for one in deal.given if one.player is not None}
