"""Pages about the last counted round: its sheet, the hands, the checks."""

from collections.abc import Sequence

from client.i18n.language import _, _n, number
from client.reports.score_sheet import result_sentence, sheet_lines, side_names
from client.session.display.snapshot import CountedRound, Fairness, Snapshot
from client.ui.model.command_words import own_key
from client.ui.model.table_view import own_first, own_sheet
from client.ui.tui.toolkit.glyphs import Glyphs, card_style
from client.ui.tui.toolkit.spans import (
    Line,
    Span,
    cut,
    folded,
    labelled,
    padded,
    wrapped,
)
from engine.cards import Card
from engine.sentences import N_
from engine.slots import Seat, cards_of

_ROUND_COLUMNS = 6
_TOTAL_COLUMNS = 8
_LEAST_BAR = 4
_MOST_BAR = 24


def sheet(snapshot: Snapshot, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the sheet of the round, the winner, the fairness, and the points after each round."""
    counted = snapshot.last_counted
    if counted is None:
        return folded(_("No round has been counted yet."), width)
    match = snapshot.state.match
    sides = side_names(match, snapshot.names)
    title = _("Round {number}").format(number=counted.number)
    table = sheet_lines(*own_sheet(snapshot, counted), title)
    lines: list[Line] = [cut((Span(glyphs.plain(line)),), width) for line in table]
    lines.append(())
    if match.over:
        lines += folded(glyphs.plain(result_sentence(match, sides)), width, "class:mine")
    if snapshot.exposed is None and counted.fairness.shuffles:
        lines += folded(glyphs.plain(fair_sentence(counted.fairness)), width, "class:mine")
    if len(snapshot.rounds) > 1:
        lines += [(), *_all_rounds(snapshot, own_first(snapshot, sides), glyphs, width)]
    lines.append(())
    keys = (
        _("{o}: the hands, opened.")
        if snapshot.lesson is not None  # a lesson has no record
        else _("{o}: the hands, opened. {f}: what was checked. {r}: save the record.")
    )
    keys = keys.format(o=own_key("o"), f=own_key("f"), r=own_key("r"))
    return lines + folded(glyphs.plain(keys), width, "class:dim")


def _all_rounds(snapshot: Snapshot, sides: Sequence[str], glyphs: Glyphs, width: int) -> list[Line]:
    """Return the match points after each round, with bars.

    A bar is full at the points that end the match, or at the highest total if that is more.
    """
    options = snapshot.state.match.options
    target = 0 if options.rounds else options.match_target or 0
    full = max(1, target, *(max(counted.totals) for counted in snapshot.rounds))
    # Two sides on 76 columns: 35 for each, of which a number takes 9 and the bar at most 24.
    share = (width - _ROUND_COLUMNS) // len(sides)
    bar = min(_MOST_BAR, share - _TOTAL_COLUMNS - 3)
    title: Line = (Span(_("Round").ljust(_ROUND_COLUMNS)),)
    for name in sides:
        title += padded((Span(f"  {glyphs.plain(name)}", "bold"),), share)
    lines = [cut(title, width)]
    for counted in snapshot.rounds:
        line: Line = (Span(f"{counted.number:>{_ROUND_COLUMNS - 1}} "),)
        for total in own_first(snapshot, counted.totals):
            points = Span(number(total).rjust(_TOTAL_COLUMNS) + " ")
            line += padded((points, *_bar(total, full, bar, glyphs)), share)
        lines.append(cut(line, width))
    return lines


def _bar(points: int, full: int, columns: int, glyphs: Glyphs) -> Line:
    if columns < _LEAST_BAR:
        return ()
    filled = max(0, min(columns, columns * points // full))
    return (Span(glyphs.bar[0] * filled + glyphs.bar[1] * (columns - filled), "class:bar"),)


def fair_sentence(fairness: Fairness) -> str:
    """Return a sentence about the checks of the deal."""
    return _("This deal was fair: {shuffles}, {unlockings}, {signatures} checked.").format(
        shuffles=_n("{n} shuffle", "{n} shuffles", fairness.shuffles),
        unlockings=_n("{n} unlocking", "{n} unlockings", fairness.unlockings + fairness.faces),
        signatures=_n("{n} signature", "{n} signatures", fairness.signatures),
    )


def hands(snapshot: Snapshot, glyphs: Glyphs, width: int) -> list[Line]:
    """Return all hands as they were opened."""
    counted = snapshot.last_counted
    if counted is None:
        return folded(_("No round has been counted yet."), width)
    lines: list[Line] = []
    for seat in map(Seat, range(counted.position.seats)):
        name = snapshot.names[snapshot.state.match.player_at(seat)]
        lines.append((Span(glyphs.plain(name), "bold"),))
        lines += _hand_lines(counted, seat, glyphs, width)
    return lines


def _hand_lines(counted: CountedRound, seat: Seat, glyphs: Glyphs, width: int) -> list[Line]:
    cards = sorted(cards_of(counted.position.hand(seat)), key=lambda card: (card.rank, card.code))
    hidden = len(counted.position.hands[seat]) - len(cards)
    if not cards and not hidden:
        return [(Span("  " + _("no cards left"), "class:dim"),)]
    lines = wrapped(((word,) for word in card_words(cards, glyphs)), width, indent="  ")
    closed = _n("{n} card stays closed", "{n} cards stay closed", hidden)
    return [*lines, (Span("  " + closed, "class:dim"),)] if hidden else lines


def fairness(snapshot: Snapshot, glyphs: Glyphs, width: int) -> list[Line]:
    """Return the checks of the round."""
    if snapshot.lesson is not None:
        return folded(_("The deal of a lesson is prepared: nobody has shuffled it."), width)
    counted = snapshot.last_counted
    if counted is None:
        return folded(_("No round has been counted yet."), width)
    checked = counted.fairness
    counts = (
        (checked.shuffles, N_("shuffles, each proven to have changed no card")),
        (checked.unlockings, N_("unlockings of dealt cards, each with its proof")),
        (checked.faces, N_("proofs that a card shown was the card dealt")),
        (checked.signatures, N_("signatures, one on each entry of the record")),
    )
    lines = [
        line
        for count, what in counts
        for line in labelled(number(count), glyphs.plain(_(what)), width)
    ]
    text = _(
        "Every player has shuffled and locked the deck, so nobody knew or chose a card. Your own "
        "machine has checked all of it as it came; anybody can check it again from the record."
    )
    return [*lines, (), *folded(glyphs.plain(text), width)]


def card_words(cards: Sequence[Card], glyphs: Glyphs) -> Line:
    """Return the cards, separated by spaces."""
    return tuple(Span(glyphs.face(card) + " ", card_style(card)) for card in cards)
