"""The audit report as one HTML page, without a script, font or picture from elsewhere.

If the page contains the records themselves, it checks them again in the browser.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from client.i18n.language import _, _n, number, with_and
from client.reports.deal_of_the_day_check import day_lines
from client.reports.html.boxes_and_tables import bullets, data_table, fold
from client.reports.html.cards import chip
from client.reports.html.curves import score_curves, side_legend
from client.reports.html.document import document
from client.reports.html.luck import luck_section
from client.reports.html.markup import Child, Html, closing, join, opening, tag
from client.reports.html.round_columns import Scale
from client.reports.html.rounds import round_section
from client.reports.html.timeline import timeline
from client.reports.html.verification import checking_document, verification
from client.reports.luck.report import LuckReport
from client.reports.model import AuditReport, PlayerReport, TableReport
from client.reports.words import (
    CAUTION,
    cause_words,
    continuations,
    exposures,
    extension_words,
    option_words,
    reason,
    replaced,
    result,
    seat_words,
    verdict_sentence,
    verdict_word,
)
from protocol.audit import Verdict

_SEALS = {
    Verdict.SOUND: ("good", "M14 25l8 8 14-17"),
    Verdict.ENDED: ("doubt", "M25 12v14l9 6"),
    Verdict.EXPOSED: ("bad", "M16 16l18 18M34 16l-18 18"),
    Verdict.ILLEGAL: ("doubt", "M16 16l18 18M34 16l-18 18"),
    Verdict.BROKEN: ("doubt", "M25 12v18M25 36v2"),
    Verdict.NEWER: ("doubt", "M20 20a5 5 0 1 1 7 5q-2 1-2 4M25 34v2"),
    Verdict.UNFINISHED: ("open", "M25 12v14l9 6"),
}


def page(
    reports: Sequence[AuditReport], luck: LuckReport | None = None, records: Sequence[Path] = ()
) -> Iterator[Html]:
    """Return the whole document in parts, none longer than a round or a record.

    `records` are the files of the reports, in the same order. If they are given, the page contains
    the records and checks them again. Raises OSError if a file cannot be read any more.
    """
    verdicts = ", ".join(map(verdict_word, reports))
    title = _("Sobremesa audit: {verdicts}").format(verdicts=verdicts)
    made = _("Made by sobremesa audit. Nothing on this page was loaded from elsewhere.")
    main = _main(reports, luck, checks=bool(records))
    yield from (
        checking_document(title, main, made, records) if records else document(title, main, made)
    )


def _main(
    reports: Sequence[AuditReport], luck: LuckReport | None, *, checks: bool
) -> Iterator[Html]:
    if len(reports) > 1:
        yield _overview(reports)
    for at, report in enumerate(reports):
        yield from _record(report, at if checks else None)
    yield _limits(dict.fromkeys(one for report in reports for one in report.cannot_show))
    if luck:
        yield luck_section(luck)


def _overview(reports: Sequence[AuditReport]) -> Html:
    """Return a table of many records, a line each."""
    rows = []
    for report in reports:
        kind = _SEALS[report.conclusion.verdict][0]
        players = report.table.players if report.table else ()
        cells = (
            tag("td", report.file),
            tag("td", report.table.title if report.table else "—"),
            tag("td", with_and(player.name for player in players)),
            tag("td", verdict_word(report), class_=kind),
        )
        rows.append(tag("tr", cells))
    title = _n("{n} record", "{n} records", len(reports))
    heads = (_("File"), _("Game"), _("Players"), _("Verdict"))
    return tag("section", tag("h1", title), data_table(heads, rows, title), class_="overview")


def _record(report: AuditReport, at: int | None) -> Iterator[Html]:
    yield opening("article", class_=_SEALS[report.conclusion.verdict][0])
    yield _header(report)
    if at is not None:
        yield verification(report, at)
    if report.table is not None:
        yield from _table(report, report.table, at)
    yield closing("article")


def _header(report: AuditReport) -> Html:
    table, end = report.table, report.conclusion
    kind, path = _SEALS[end.verdict]
    seal = tag(
        "svg",
        tag("circle", cx=25, cy=25, r=23),
        tag("path", d=path),
        viewBox="0 0 50 50",
        class_=f"seal {kind}",
        aria_hidden="true",
    )
    title = table.title if table else _("A record without a charter")
    text = result(report)
    return tag(
        "header",
        seal,
        tag(
            "div",
            tag("h1", title),
            tag("p", verdict_sentence(report), class_="verdict"),
            [tag("p", one, class_="result") for one in exposures(report)],
            [tag("p", one, class_="result") for one in continuations(report)],
            tag("p", text, class_="result") if text else None,
        ),
    )


def _table(report: AuditReport, table: TableReport, at: int | None) -> Iterator[Html]:
    if report.conclusion.player is not None:
        yield _accusation(report)
    yield _people(report, table)
    yield _facts(report)
    scale = Scale.of(report.rounds)
    curves = score_curves(report, table, scale)
    if curves:
        yield tag("h2", _("The match"))
        yield side_legend(table, report.totals, report.winner)
        yield curves
    if report.rounds:
        yield tag("h2", _("The timeline"))
        yield timeline(report, table, scale, at)
        yield tag("h2", _("Round by round"))
    for one in report.rounds:
        yield round_section(one, report, table, at)
    yield fold(_("The table"), _charter(report, table))


def _people(report: AuditReport, table: TableReport) -> Html:
    players = [_player(chip(table, at), player) for at, player in enumerate(table.players)]
    gone = [
        _player(tag("span", player.name, class_="chip gone"), player, entry)
        for player, entry in replaced(report)
    ]
    return bullets(players + gone, "players")


def _player(name: Html, player: PlayerReport, until: int | None = None) -> Child:
    words = tag("span", " ".join(player.words), class_="words", title=player.key.hex())
    return name, tag("span", seat_words(player, until)), words


def _facts(report: AuditReport) -> Html:
    checked = report.checked
    proofs = checked.shuffle_proofs + checked.unlock_proofs + checked.face_proofs
    facts = (
        (number(sum(checked.entries.values())), _("entries")),
        (number(checked.signatures), _("signatures")),
        (number(proofs), _("proofs")),
        (f"{number(round(report.size / 1000))} kB", _("record")),
    )
    return bullets(((tag("b", n), what) for n, what in facts), "facts")


def _accusation(report: AuditReport) -> Html:
    end = report.conclusion
    assert end.player is not None
    illegal = end.verdict is Verdict.ILLEGAL
    template = _("{name} is exposed")
    if illegal:
        template = _("{name} has signed what is against the rules")
    evidence = _("The first {count} bytes of the record show it to any verifier.")
    facts = (
        (_("Entry"), number(end.entry)),
        (_("What fails"), (cause_words(report), " ", tag("span", end.cause, class_="clause"))),
        (_("Evidence"), evidence.format(count=number(end.evidence or 0))),
    )
    return tag(
        "div",
        tag("h2", template.format(name=report.name(end.player))),
        tag("p", reason(end)),
        tag("p", _(CAUTION)) if illegal else None,
        tag("dl", ((tag("dt", what), tag("dd", value)) for what, value in facts)),
        class_="accusation",
    )


def _charter(report: AuditReport, table: TableReport) -> Html:
    options = [f"{name}: {option_words(value)}" for name, value in table.options]
    options.append(f"grace: {number(table.grace)} s")
    if table.spectators:
        options.append(_("Spectators: all have agreed that others may watch"))
    options += [*day_lines(report), *map(extension_words, table.extensions)]
    keys = ((player.name, ": ", tag("code", player.key.hex())) for player in table.players)
    words = _("Words of the table: {words}").format(words=" ".join(table.words))
    return join(
        [
            tag("p", _("File: {name}").format(name=report.file)),
            tag("p", words),
            tag("p", _("Table id:"), " ", tag("code", table.table_id.hex())),
            bullets(keys),
            bullets(options),
        ]
    )


def _limits(sentences: dict[str, None]) -> Html:
    return tag("section", tag("h2", _("What no record can show")), bullets(map(_, sentences)))
