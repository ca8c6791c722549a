"""The report as lines for people; the last one is always the verdict."""

from collections import Counter
from collections.abc import Iterator, Sequence

from client.luck.report import Look, LuckReport
from client.report.model import (
    Absence,
    AuditReport,
    CardCount,
    Checked,
    Conclusion,
    RoundReport,
    TableReport,
)
from client.telling.sheet import sheet_lines
from protocol.audit import Verdict


def verdict_lines(report: AuditReport) -> list[str]:
    """The report in few lines: who played, the points of each round, the verdict."""
    table = report.table
    if table is None:
        return [verdict(report)]
    rounds = []
    for one in report.rounds:
        if one.sheet:
            rounds.append(f"{one.title}: {_points(one)}; {_signers(one)}.")
        elif one.absence:
            rounds.append(f"{one.title}: {absence_sentence(one.absence)}")
    names = ", ".join(player.name for player in table.players)
    return [f"{table.title}, {names}.", *rounds, _checked(report.checked), verdict(report)]


def report_lines(report: AuditReport) -> list[str]:
    """The whole report."""
    lines = [f"{report.file}: {report.size:,} bytes"]
    if report.table is not None:
        lines += _table_lines(report.table)
        for one in report.rounds:
            lines += ["", *_round_lines(one, report.table.during(one), report.equations)]
        lines += ["", _checked(report.checked)]
    lines += ["", "What no record can show:"]
    lines += [f"  {sentence}" for sentence in report.cannot_show]
    return [*lines, "", verdict(report)]


def verdict(report: AuditReport) -> str:
    """The one sentence that counts, and why."""
    end = report.conclusion
    where = "the charter" if end.entry == 0 else f"entry {end.entry}"
    cause = f" [{end.cause}]" if end.cause else ""
    match end.verdict:
        case Verdict.SOUND if report.ended:
            return "Verdict: sound. Every entry holds; all others have signed to end it early."
        case Verdict.SOUND:
            return "Verdict: sound. Every entry holds, and all have signed the end."
        case Verdict.EXPOSED:
            assert end.player is not None
            who = report.name(end.player)
            return f"Verdict: {who} is exposed at {where}{cause}. {end.sentence}{_named(end)}"
        case _:
            missing = [report.name(player) for player in end.unsigned]
            unsigned = f" The end is not signed by {', '.join(missing)}." if missing else ""
            return f"Verdict: {end.verdict.value} at {where}{cause}. {end.sentence}{unsigned}"


def luck_lines(luck: LuckReport) -> list[str]:
    """The statistics, one line a look."""
    lines = [f"Luck over {luck.extent}:"]
    for number, player in enumerate(luck.players):
        lines.append(f"  {player.name}, {' '.join(player.words)}")
        lines += [f"    {_look(look)}" for look in luck.looks if look.player == number]
    return [*lines, luck.verdict, luck.sentence]


def _look(look: Look) -> str:
    counts = f"{look.came:,}"
    if look.what != "ranks":
        counts += f" (by chance {look.expected:,.1f})"
    p = "too few cards to test"
    if look.p is not None:
        p = f"p = {look.p:.3g}, corrected {look.corrected:.3g}, {look.method} test"
    mark = "  <- unlike chance" if look.strikes else ""
    return f"{look.game}, {look.what} {look.how}: {counts}: {p}{mark}"


def _named(end: Conclusion) -> str:
    against = "That is against" if end.where.startswith("clause") else "What fails is"
    return f" {against} {end.where}."


def _table_lines(table: TableReport) -> Iterator[str]:
    yield f"{table.title}. Words of the table: {' '.join(table.words)}"
    options = ", ".join(f"{name} {_option(value)}" for name, value in table.options)
    yield f"Options: {options}"
    widest = max(len(player.name) for player in table.players)
    for player in table.players:
        seat = "no seat yet" if player.seat is None else f"seat {player.seat + 1}"
        yield f"  {player.name.ljust(widest)}  {seat}, {' '.join(player.words)}"


def _option(value: bool | int) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else f"{value}"


def _round_lines(one: RoundReport, table: TableReport, equations: Sequence[str]) -> Iterator[str]:
    dealt = "" if one.dealer is None else f", dealt by {table.players[one.dealer].name}"
    yield f"{one.title}: entries {one.first} to {one.last}{dealt}"
    for deal in one.deals:
        shufflers = ", ".join(table.players[link.player].name for link in deal.shuffles)
        many = len(deal.shuffles)
        yield (
            f"  {len(deal.cards)} cards shuffled by {shufflers}: {many} proofs hold, each in "
            f"{len(equations)} equations ({', '.join(equations)})"
        )
    checked = one.checked
    yield (
        f"  {checked.unlock_proofs} unlock proofs and {checked.face_proofs} proofs of cards shown "
        "hold (equation dleq)"
    )
    if one.drawn:
        drawn = (
            f"{player.name} {'nothing' if card is None else table.deck.codes[card]}"
            for player, card in zip(table.players, one.drawn, strict=True)
        )
        yield f"  Drawn: {', '.join(drawn)}"
    if any(one.moves):
        yield from _play_lines(one, table)
    if one.count is not None:
        yield f"  {count_sentence(one.count)}"
    if one.sheet is not None:
        title = "Score, recomputed"
        rows = sheet_lines(one.sheet.sheet, one.sheet.totals, table.sides, title)
        yield from (f"    {row}" for row in rows)
        yield f"  The score is {_signers(one)}."
    if one.absence is not None:
        yield f"  {absence_sentence(one.absence)}"


def _play_lines(one: RoundReport, table: TableReport) -> Iterator[str]:
    came = {True: Counter[int](), False: Counter[int]()}
    for deal in one.deals:
        for given in deal.given:
            if given.player is not None:
                came[given.dealt][given.player] += 1
    total = sum(sum(moves.values()) for moves in one.moves)
    yield f"  {total} moves, every one allowed by the rules of {table.title}:"
    for number, (player, moves) in enumerate(zip(table.players, one.moves, strict=True)):
        kinds = ", ".join(f"{count} {what}" for what, count in sorted(moves.items()))
        yield (
            f"    {player.name}: {came[True][number]} cards dealt, {came[False][number]} drawn; "
            f"{kinds or 'no move'}"
        )
    for light in one.highlights:
        yield f"    entry {light.entry}: {table.players[light.player].name} {light.what}"


def count_sentence(count: CardCount) -> str:
    """Where all cards of the round are."""
    places = (
        f"{count.total} cards: {count.melded} melded, {count.bonus} bonus cards laid, "
        f"{count.discarded} in the pile, {count.held} opened in hands, {count.unseen} never seen"
    )
    return places + (
        "; every card once." if count.balanced else f"; {count.missing} are not accounted for!"
    )


def absence_sentence(absence: Absence) -> str:
    """Who was agreed to be absent, and what came of it."""
    names = " and ".join(absence.players)
    then = (
        f"{' and '.join(absence.substitutes)} took over"
        if absence.substitutes
        else "the match was ended"
    )
    return f"In entry {absence.entry} all others have signed that {names} is absent; {then}."


def _points(one: RoundReport) -> str:
    assert one.sheet is not None
    points = zip(one.sides, one.sheet.sheet.totals, strict=True)
    return ", ".join(f"{side} {number}" for side, number in points)


def _signers(one: RoundReport) -> str:
    if len(one.signed) == len(one.players):
        return "signed by all"
    names = ", ".join(one.players[player].name for player, _ in one.signed)
    return f"signed by {names} only" if names else "signed by nobody"


def _checked(checked: Checked) -> str:
    return (
        f"Checked: {sum(checked.entries.values())} entries, {checked.signatures} signatures, "
        f"{checked.shuffle_proofs} shuffle proofs, {checked.unlock_proofs} unlocking proofs, "
        f"{checked.face_proofs} proofs of cards shown."
    )
