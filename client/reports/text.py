"""The audit report, and the statistics of luck, as lines of text."""

from collections import Counter
from collections.abc import Iterator, Sequence

from client.i18n.language import _, _n, number, with_and
from client.reports import words
from client.reports.deal_of_the_day_check import day_lines
from client.reports.luck.report import Look, LuckReport
from client.reports.model import AuditReport, RoundReport, TableReport
from client.reports.score_sheet import sheet_lines
from engine.games import game_named
from protocol.audit import Tally


def verdict_lines(report: AuditReport) -> Iterator[str]:
    """Return the report in a few lines: players, points of each round, verdict."""
    table = report.table
    if table is not None:
        yield f"{table.title}: {with_and(player.name for player in table.players)}."
        for one in report.rounds:
            if one.sheet:
                yield f"{words.round_title(one)}: {_points(one)}; {_signers(one)}."
            elif one.void:
                yield f"{words.round_title(one)}."
        yield _checked(report.checked)
    yield words.verdict(report)


def report_lines(report: AuditReport) -> Iterator[str]:
    """Return the whole report; the verdict comes last."""
    size = _("{count} bytes").format(count=number(report.size))
    yield f"{report.file}: {size}"
    if report.table is not None:
        yield from _table_lines(report, report.table)
        for one in report.rounds:
            yield ""
            yield from _round_lines(one, report.table.during(one), report.equations)
        yield from ("", _checked(report.checked))
        if text := words.result(report):
            yield text
    yield from ("", _("What no record can show:"))
    yield from (f"  {_(sentence)}" for sentence in report.cannot_show)
    yield from ("", words.verdict(report))


def _table_lines(report: AuditReport, table: TableReport) -> Iterator[str]:
    text = _("{game}. Words of the table: {words}")
    yield text.format(game=table.title, words=" ".join(table.words))
    options = words.listed(f"{name} {words.option_words(value)}" for name, value in table.options)
    yield _("Options: {options}").format(options=options)
    yield _(
        "Grace: after {seconds} seconds of silence the others may go on without a player"
    ).format(seconds=number(table.grace))
    if table.spectators:
        yield _("Spectators: all have agreed that others may watch")
    yield from day_lines(report)
    yield from map(words.extension_words, table.extensions)
    gone = [*words.replaced(report)]
    widest = max(len(one.name) for one in (*table.players, *(one for one, _entry in gone)))
    for player in table.players:
        yield f"  {player.name.ljust(widest)}  {words.seat_words(player)}, {' '.join(player.words)}"
    for player, entry in gone:
        seat = words.seat_words(player, entry)
        yield f"  {player.name.ljust(widest)}  {seat}, {' '.join(player.words)}"


def _round_lines(one: RoundReport, table: TableReport, equations: Sequence[str]) -> Iterator[str]:
    text = _("{title}: entries {first} to {last}").format(
        title=words.round_title(one), first=number(one.first), last=number(one.last)
    )
    if one.dealer is not None:
        dealt = _("dealt by {name}").format(name=table.players[one.dealer].name)
        text = f"{text}, {dealt}"
    yield text
    for each in one.continuations:
        yield f"  {words.continuation_sentence(each)}"
    for deal in one.deals:
        shufflers = with_and(table.players[link.player].name for link in deal.shuffles)
        if not shufflers:
            continue
        yield "  " + _(
            "{cards} cards shuffled by {names}: every proof holds, each in {many} equations "
            "({equations})"
        ).format(
            cards=len(deal.cards),
            names=shufflers,
            many=len(equations),
            equations=words.listed(equations),
        )
    checked = one.checked
    unlockings = _n("{n} unlocking proof", "{n} unlocking proofs", checked.unlock_proofs)
    faces = _n("{n} proof of cards shown", "{n} proofs of cards shown", checked.face_proofs)
    yield "  " + _("Every proof holds (equation dleq): {proofs}").format(
        proofs=words.listed((unlockings, faces))
    )
    if one.drawn:
        drawn = words.listed(
            player.name + " " + (_("nothing") if card is None else table.deck.codes[card])
            for player, card in zip(table.players, one.drawn, strict=True)
        )
        yield "  " + _("Drawn: {cards}").format(cards=drawn)
    if any(one.moves):
        yield from _play_lines(one, table)
    if one.count is not None:
        yield f"  {words.count_sentence(one.count)}"
    if one.sheet is not None:
        title = _("Score, recomputed")
        rows = sheet_lines(one.sheet.sheet, one.sheet.totals, table.sides, title)
        yield from (f"    {row}" for row in rows)
        yield "  " + _("The score is {signed}.").format(signed=_signers(one))


def _play_lines(one: RoundReport, table: TableReport) -> Iterator[str]:
    dealt, drawn, aside = Counter[int](), Counter[int](), Counter[int]()
    for deal in one.deals:
        for given in deal.given:
            if given.player is not None:
                kind = dealt if given.dealt else aside if given.aside else drawn
                kind[given.player] += 1
    total = sum(sum(moves.values()) for moves in one.moves)
    yield f"  {words.moves_sentence(total, table)}:"
    for place, (player, moves) in enumerate(zip(table.players, one.moves, strict=True)):
        kinds = words.listed(f"{_(what)} {count}" for what, count in sorted(moves.items()))
        template = _("{name}: {dealt} dealt, {drawn} drawn; {moves}")
        if aside:
            template = _(
                "{name}: {dealt} dealt, {drawn} drawn, {aside} from a hand that lay aside until "
                "then; {moves}"
            )
        text = template.format(
            name=player.name,
            dealt=_n("{n} card", "{n} cards", dealt[place]),
            drawn=drawn[place],
            aside=aside[place],
            moves=kinds or _("no move"),
        )
        yield f"    {text}"
    for light in one.highlights:
        entry = _("entry {number}").format(number=number(light.entry))
        yield f"    {entry}: {table.players[light.player].name} {_(light.what)}"


def _points(one: RoundReport) -> str:
    assert one.sheet is not None
    points = zip(one.sides, one.sheet.sheet.totals, strict=True)
    return words.listed(f"{side} {number(value)}" for side, value in points)


def _signers(one: RoundReport) -> str:
    if len(one.signed) == len(one.players):
        return _("signed by all")
    names = with_and(one.last_name(player) for player, _entry in one.signed)
    return _("signed by {names} only").format(names=names) if names else _("signed by nobody")


def _checked(checked: Tally) -> str:
    return _("Checked: {what}.").format(
        what=words.listed(
            [
                _n("{n} entry", "{n} entries", sum(checked.entries.values())),
                _n("{n} signature", "{n} signatures", checked.signatures),
                _n("{n} shuffle proof", "{n} shuffle proofs", checked.shuffle_proofs),
                _n("{n} unlocking proof", "{n} unlocking proofs", checked.unlock_proofs),
                _n("{n} proof of cards shown", "{n} proofs of cards shown", checked.face_proofs),
            ]
        )
    )


def luck_lines(luck: LuckReport) -> Iterator[str]:
    """Return a line for each test, and the result of all tests together."""
    yield _("Luck over {extent}:").format(extent=luck.extent)
    for place, player in enumerate(luck.players):
        yield f"  {player.name}, {' '.join(player.words)}"
        yield from (f"    {look_line(look)}" for look in luck.looks if look.player == place)
    yield luck.verdict
    yield _(luck.sentence)


def look_line(look: Look) -> str:
    """Return one test in a line, without the player."""
    counts = number(look.came)
    if look.what != "ranks":
        by_chance = _("by chance {count}").format(count=f"{look.expected:.1f}")
        counts += f" ({by_chance})"
    text = _("too few cards to test")
    if look.p is not None:
        text = _("p = {p}, corrected {corrected}, {method} test").format(
            p=f"{look.p:.3g}", corrected=f"{look.corrected:.3g}", method=_(look.method)
        )
    mark = "  <- " + _("unlike chance") if look.strikes else ""
    return f"{game_named(look.game).title}, {_(look.what)}, {_(look.how)}: {counts}: {text}{mark}"
