"""The ledger as one HTML page: a table of the players, and their points as curves."""

from client.i18n.language import _, number
from client.reports.html.boxes_and_tables import bullets, data_table, row, scrolling
from client.reports.html.curves import Curve, points_chart
from client.reports.html.document import document
from client.reports.html.markup import Html, join, tag
from client.reports.html.round_columns import EDGE, MARGIN
from client.reports.ledger.ledger import Ledger, PlayerSums
from client.reports.ledger.text import backing_line, day_results, facts, key_words

_WIDTH, _HEIGHT = 760.0, 300.0
_COLOURS = 6


def ledger_page(ledger: Ledger) -> Html:
    """Return the whole document."""
    title = _("The ledger")
    main = (tag("h1", title), _players(ledger), _curves(ledger), _records(ledger))
    return join(document(title, main))


def _players(ledger: Ledger) -> Html:
    rows = [
        row(
            _chip(at, sums),
            (
                *map(number, (sums.matches, sums.wins, sums.points, sums.canastas)),
                ", ".join(map(str, sums.records)),
            ),
        )
        for at, sums in enumerate(ledger.players)
    ]
    heads = (_("Player"), _("Matches"), _("Wins"), _("Points"), _("Complete melds"), _("Records"))
    text = (
        (
            _chip(at, sums),
            tag("span", key_words(sums.key), class_="words", title=sums.key),
            [tag("span", fact) for fact in facts(ledger, sums)],
        )
        for at, sums in enumerate(ledger.players)
    )
    return join([data_table(heads, rows, _("Players")), bullets(text, "players")])


def _chip(at: int, sums: PlayerSums) -> Html:
    return tag("span", sums.name, class_=f"chip p{at % _COLOURS}")


def _curves(ledger: Ledger) -> Html | None:
    """Return curves of the players' points, added up from record to record."""
    if not ledger.backings:
        return None
    step = (_WIDTH - MARGIN - EDGE) / len(ledger.backings)
    curves = [
        Curve(
            [(MARGIN, 0), *((MARGIN + step * record, points) for record, points in sums.curve)],
            sums.name,
            at,
            at % _COLOURS,
        )
        for at, sums in enumerate(ledger.players)
    ]
    title = _("Match points, all records added up")
    drawn = points_chart(_WIDTH, _HEIGHT, title, curves)
    return join([tag("h2", title), scrolling(drawn, title)])


def _records(ledger: Ledger) -> Html:
    counted = tag("h2", _("Records that count:"))
    if not ledger.backings:
        counted = tag("p", _("There is no sound record of a match that is over."))
    parts: list[Html] = []
    if days := [*day_results(ledger)]:
        parts += [tag("h2", _("Deals of the day:")), bullets(days)]
    parts += [counted, bullets(map(backing_line, ledger.backings))]
    if left := [(tag("strong", one.file), " ", one.reason) for one in ledger.left]:
        parts += [tag("h2", _("Records that do not count:")), bullets(left)]
    return join(parts)
