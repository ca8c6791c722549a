"""The comparison of a record with the deal of the day that its charter promises."""

from collections.abc import Iterator

from client.i18n.language import _, _n
from client.i18n.setting_values import value_text
from client.reports.model import AuditReport, RoundReport
from protocol.deal_of_the_day import DayTable


def cards_as_promised(report: AuditReport) -> tuple[int, int]:
    """Return the number of opened cards that are as promised, and of all opened cards."""
    table = report.table
    assert table is not None
    day = DayTable(table.day, table.game, len(table.players))
    right = total = 0
    for one in report.rounds:
        for is_right in _compared(one, day):
            right += is_right
            total += 1
    return right, total


def is_deal_of_the_day(report: AuditReport) -> bool:
    """Return True if the record promises a deal of the day, and all opened cards are its cards."""
    if report.table is None or not report.table.day:
        return False
    right, total = cards_as_promised(report)
    return right == total > 0


def _compared(one: RoundReport, day: DayTable) -> Iterator[bool]:
    """Return, for each opened card, True if the deal of the day has that card in the same slot."""
    for deal in one.deals:
        players = [link.player for link in deal.shuffles]
        order = day.dealt(deal.cards, deal.number, players)
        for given in deal.given:
            if given.card is not None:
                yield order[given.slot - deal.first] == given.card


def day_lines(report: AuditReport) -> Iterator[str]:
    """Return sentences on the deal of the day and the opponents that a charter names."""
    table = report.table
    assert table is not None
    if table.opponents:
        yield _("Opponents: programs of the level {level} play for all but {name}").format(
            level=value_text(table.opponents), name=table.players[0].name
        )
    if not table.day:
        return
    yield _(
        "Deal of the day {day}: each shuffle is proven, and follows from the date. Everybody gets "
        "these cards, and anybody could work them out beforehand"
    ).format(day=table.day)
    right, total = cards_as_promised(report)
    if right == total:
        yield _n(
            "{n} opened card is compared with that deal: it is the same",
            "{n} opened cards are compared with that deal: all are the same",
            total,
        )
    else:
        yield _n(
            "{n} opened card is not in the deal of the day: somebody has not shuffled as promised",
            "{n} opened cards are not in the deal of the day: somebody has not shuffled as "
            "promised",
            total - right,
        )
