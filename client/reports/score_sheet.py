"""The score sheet of a round as text: a table to read, or sentences to listen to."""

from collections.abc import Iterator, Sequence

from client.i18n.language import _, _n, capital, couple, number
from engine.match import Match
from engine.score_sheet import ScoreSheet

_NONE = "—"


def side_members(match: Match, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the names of the players on each side, in seat order."""
    sides = match.game.sides(match.players)
    return tuple(
        tuple(names[match.seating[seat]] for seat in range(side, match.players, sides))
        for side in range(sides)
    )


def side_names(match: Match, names: Sequence[str]) -> tuple[str, ...]:
    """Return one name for each side, with its players in seat order: "Ana & Carla"."""
    return tuple(map(couple, side_members(match, names)))


def result_sentence(match: Match, sides: Sequence[str]) -> str:
    """Return who has won a match that is over, and by how much."""
    winner = match.winner
    if winner is None:
        return _("The match is drawn.")
    others = (total for side, total in enumerate(match.totals) if side != winner)
    lead = _n("{n} point", "{n} points", match.totals[winner] - max(others))
    text = _("The match is over. Won by {side}, with a lead of {lead}.")
    return text.format(side=sides[winner], lead=lead)


def sheet_lines(
    sheet: ScoreSheet, totals: Sequence[int], sides: Sequence[str], title: str
) -> tuple[str, ...]:
    """Return the itemised sheet of a round; `totals` are the match points after the round."""
    rows = [
        (capital(_(what)), [_cell(sheet, side, what) for side in range(len(sides))])
        for what in sheet.lines
    ]
    summed = len(rows)
    rows.append((_("Round"), [number(points) for points in sheet.totals]))
    rows.append((_("Match"), [number(points) for points in totals]))
    first = max(len(label) for label, _ in [(title, []), *rows])
    widths = [max(len(name), 12) for name in sides]
    lines = [_row(title, sides, first, widths)]
    for place, (label, cells) in enumerate(rows):
        if place == summed:
            lines.append("-" * len(lines[0]))
        lines.append(_row(label, cells, first, widths))
    return tuple(lines)


def sheet_sentences(
    sheet: ScoreSheet, totals: Sequence[int], sides: Sequence[str]
) -> Iterator[str]:
    """Return the sheet for listeners: for each item a sentence with the points of the sides."""
    for what in sheet.lines:
        cells = [_cell(sheet, side, what) for side in range(len(sides))]
        yield _sentence(capital(_(what)), sides, cells)
    yield _sentence(_("Round"), sides, [number(points) for points in sheet.totals])
    yield _sentence(_("Match"), sides, [number(points) for points in totals])


def _sentence(what: str, sides: Sequence[str], cells: Sequence[str]) -> str:
    text = zip(sides, cells, strict=True)
    return f"{what}: " + ", ".join(f"{side} {cell}" for side, cell in text if cell != _NONE) + "."


def _cell(sheet: ScoreSheet, side: int, what: str) -> str:
    for item in sheet.sides[side]:
        if item.what == what:
            points = number(item.points)
            return f"({item.count}) {points}" if item.count != 1 else points
    return _NONE


def _row(label: str, cells: Sequence[str], first: int, widths: Sequence[int]) -> str:
    right = "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    return f"{label.ljust(first)}  {right}".rstrip()
