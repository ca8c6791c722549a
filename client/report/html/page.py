"""The report as one page that stands alone: no script, no font, no picture from elsewhere.

Its policy (Content-Security-Policy) allows nothing but the one style sheet inside, by its digest,
so even markup that found a way in could load and run nothing.
"""

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path

from client.luck.report import LuckReport
from client.report.html.cards import chip
from client.report.html.course import score_curves, side_legend, timeline
from client.report.html.luck import luck_section
from client.report.html.markup import Html, join, tag
from client.report.html.rounds import fold, round_section
from client.report.model import AuditReport, PlayerReport, TableReport
from client.report.text import verdict
from protocol.audit import Verdict

STYLE = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")

_SEALS = {
    Verdict.SOUND: ("good", "M14 25l8 8 14-17"),
    Verdict.EXPOSED: ("bad", "M16 16l18 18M34 16l-18 18"),
    Verdict.BROKEN: ("doubt", "M25 12v18M25 36v2"),
    Verdict.UNFINISHED: ("doubt", "M25 12v14l9 6"),
}


def page(reports: Sequence[AuditReport], luck: LuckReport | None = None) -> str:
    """The whole document: every report, and luck if there is one."""
    told = [_record(report) for report in reports]
    title = f"Sobremesa audit: {', '.join(report.conclusion.verdict.value for report in reports)}"
    limits = dict.fromkeys(sentence for report in reports for sentence in report.cannot_show)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy()),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", Html(STYLE)),
    )
    body = tag(
        "body",
        tag(
            "main",
            _overview(reports) if len(reports) > 1 else None,
            luck_section(luck) if luck else None,
            told,
            _limits(limits),
        ),
        tag("footer", "Made by sobremesa audit. Nothing on this page was loaded from elsewhere."),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def policy() -> str:
    """Nothing at all, but the style sheet of the page."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _overview(reports: Sequence[AuditReport]) -> Html:
    """Many records, a line each."""
    rows = []
    for report in reports:
        kind = _SEALS[report.conclusion.verdict][0]
        players = report.table.players if report.table else ()
        cells = (
            tag("td", report.file),
            tag("td", report.table.title if report.table else "—"),
            tag("td", ", ".join(player.name for player in players)),
            tag("td", report.conclusion.verdict.value, class_=kind),
        )
        rows.append(tag("tr", cells))
    head = tag("tr", [tag("th", what) for what in ("File", "Game", "Players", "Verdict")])
    table = tag("table", tag("thead", head), tag("tbody", rows))
    title = tag("h1", f"{len(reports)} records")
    return tag("section", title, tag("div", table, class_="scroll"), class_="overview")


def _record(report: AuditReport) -> Html:
    table = report.table
    return tag(
        "article",
        _header(report),
        _table(report, table) if table else None,
        class_=_SEALS[report.conclusion.verdict][0],
    )


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
    title = table.title if table else "A record without a charter"
    return tag(
        "header",
        seal,
        tag("div", tag("h1", title), tag("p", verdict(report), class_="verdict")),
    )


def _table(report: AuditReport, table: TableReport) -> Html:
    end, checked = report.conclusion, report.checked
    proofs = checked.shuffle_proofs + checked.unlock_proofs + checked.face_proofs
    facts = (
        (f"{sum(checked.entries.values()):,}", "entries"),
        (f"{checked.signatures:,}", "signatures"),
        (f"{proofs:,}", "proofs"),
        (f"{report.size / 1000:,.0f} kB", "record"),
    )
    curves = score_curves(report, table)
    return join(
        [
            _accusation(report) if end.player is not None else Html(""),
            tag(
                "ul",
                [_player(table, number) for number in range(len(table.players))],
                class_="players",
            ),
            tag("ul", [tag("li", tag("b", n), what) for n, what in facts], class_="facts"),
            tag("h2", "The match"),
            side_legend(table, report.totals, report.winner),
            curves or Html(""),
            timeline(report, table),
            tag("p", _TIMELINE_KEY, class_="caption"),
            tag("h2", "Round by round"),
            *(round_section(one, report, table) for one in report.rounds),
            fold("The table", _charter(report, table)),
        ]
    )


_TIMELINE_KEY = (
    "Each band is a round, as wide as its entries: shuffling, play, opening and signing. A dot is "
    "an opening or a canasta in its player's colour, a large one is going out."
)


def _accusation(report: AuditReport) -> Html:
    end = report.conclusion
    assert end.player is not None
    return tag(
        "div",
        tag("h2", f"{report.name(end.player)} is exposed"),
        tag("p", end.sentence),
        tag(
            "dl",
            tag("dt", "Entry"),
            tag("dd", end.entry),
            tag("dt", "What fails"),
            tag("dd", end.where, " ", tag("span", end.cause, class_="clause")),
            tag("dt", "Evidence"),
            tag("dd", f"The first {end.evidence:,} bytes of the record show it to any verifier."),
        ),
        class_="accusation",
    )


def _player(table: TableReport, number: int) -> Html:
    player: PlayerReport = table.players[number]
    seat = "not seated yet" if player.seat is None else f"seat {player.seat + 1}"
    return tag(
        "li",
        chip(table, number),
        tag("span", seat),
        tag("span", " ".join(player.words), class_="words", title=player.key.hex()),
    )


def _charter(report: AuditReport, table: TableReport) -> Html:
    options = [
        tag("li", f"{name}: {value if not isinstance(value, bool) else 'yes' if value else 'no'}")
        for name, value in table.options
    ]
    keys = [tag("li", player.name, ": ", tag("code", player.key.hex())) for player in table.players]
    return join(
        [
            tag("p", "File: ", report.file),
            tag("p", "Words of the table: ", " ".join(table.words)),
            tag("p", "Table id: ", tag("code", table.table_id.hex())),
            tag("ul", keys),
            tag("ul", options),
        ]
    )


def _limits(sentences: Sequence[str] | dict[str, None]) -> Html:
    return tag(
        "section",
        tag("h2", "What no record can show"),
        tag("ul", [tag("li", sentence) for sentence in sentences]),
    )
