"""Sentences of a report in the language of the person, for text and page."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from client.i18n.language import _, _n, number
from client.i18n.names import with_and
from client.i18n.sentences import said
from client.reports.model import (
    Absence,
    AuditReport,
    CardCount,
    Conclusion,
    PlayerReport,
    RoundReport,
    TableReport,
)
from engine.sentences import N_, Marked
from protocol.audit import Verdict

_MOST_ABSENCES = 3
"""Most absences that the verdict names one by one."""

_VERDICTS = {
    Verdict.SOUND: N_("sound"),
    Verdict.ENDED: N_("ended by an absence"),
    Verdict.UNFINISHED: N_("sound so far"),
    Verdict.BROKEN: N_("broken"),
    Verdict.EXPOSED: N_("exposed"),
    Verdict.ILLEGAL: N_("against the rules"),
    Verdict.NEWER: N_("made by a newer program"),
}

MOVES = (
    N_("cut"),
    N_("bonus"),
    N_("draw"),
    N_("take pile"),
    N_("take top"),
    N_("meld"),
    N_("discard"),
    N_("ask"),
    N_("answer"),
    N_("pass"),
)
"""Names of the kinds of moves in `client.reports.gather`."""

OPENS = N_("opens")
GOES_OUT = N_("goes out")
COMPLETES: Mapping[str, Marked] = {
    "clean": N_("completes a clean canasta"),
    "dirty": N_("completes a dirty canasta"),
    "natural": N_("completes a natural canasta"),
    "mixed": N_("completes a mixed canasta"),
    "royal": N_("completes a royal golden suit"),
    "real": N_("completes a real canastra"),
}
"""Texts for completed melds, which are worth pointing at, by their class."""


CAUTION = N_("It is no proof of cheating: a fault in the program's rules would look the same.")
"""Sentence about a finding that rests on the rules of play."""


def verdict(report: AuditReport) -> str:
    """Return the verdict with its reason, and with the absences."""
    return " ".join((verdict_sentence(report), *absences(report)))


def verdict_word(report: AuditReport) -> str:
    """Return the verdict alone, in a word."""
    return _(_VERDICTS[report.conclusion.verdict])


def verdict_sentence(report: AuditReport) -> str:
    """Return the verdict without the absences."""
    end = report.conclusion
    match end.verdict:
        case Verdict.ENDED if report.ended:
            return _(
                "Verdict: ended by an absence. Every entry holds. The match ended early, in entry "
                "{entry}."
            ).format(entry=number(end.entry))
        case Verdict.ENDED:
            return _(
                "Verdict: ended by an absence. Every entry holds, and all who were there have "
                "signed the end."
            )
        case Verdict.SOUND:
            return _("Verdict: sound. Every entry holds, and all have signed the end.")
        case Verdict.EXPOSED:
            assert end.player is not None
            return _("Verdict: {name} is exposed at {where}. {sentence} {against}").format(
                name=report.name(end.player),
                where=_where(end),
                sentence=reason(end),
                against=_against(report),
            )
        case Verdict.ILLEGAL:
            assert end.player is not None
            return _(
                "Verdict: {name} has signed what is against the rules as this program knows them, "
                "at {where}. {sentence} {against} {caution}"
            ).format(
                name=report.name(end.player),
                where=_where(end),
                sentence=reason(end),
                against=_against(report),
                caution=_(CAUTION),
            )
        case Verdict.UNFINISHED if len(end.unsigned) in (0, _members(report)):
            return _(
                "Verdict: sound so far. Every entry up to {entry} holds; the match goes on."
            ).format(entry=number(end.entry))
        case Verdict.UNFINISHED:
            return _(
                "Verdict: sound so far. Every entry up to {entry} holds; not signed yet by {names}."
            ).format(
                entry=number(end.entry),
                names=with_and(report.name(player) for player in end.unsigned),
            )
        case _:
            text = _("Verdict: {verdict} at {where}. {sentence}").format(
                verdict=verdict_word(report), where=_where(end), sentence=reason(end)
            )
            missing = [report.name(player) for player in end.unsigned]
            unsigned = _("The end is not signed by {names}.").format(names=with_and(missing))
            return f"{text} {unsigned}" if missing else text


def _members(report: AuditReport) -> int:
    return len(report.table.players) if report.table else 0


def reason(end: Conclusion) -> str:
    """Return the reason why the audit stopped."""
    return said(end.sentence)


def _where(end: Conclusion) -> str:
    where = _("entry {number}").format(number=number(end.entry)) if end.entry else _("the charter")
    return f"{where} [{end.cause}]" if end.cause else where


def _against(report: AuditReport) -> str:
    is_proof = ":" in report.conclusion.cause
    text = _("What fails is {what}.") if is_proof else _("That is against {what}.")
    return text.format(what=cause_words(report))


def cause_words(report: AuditReport) -> str:
    """Return the cause in words: a clause of the record or the rules, or an equation of a proof.

    Only for a report with a table.
    """
    cause = report.conclusion.cause
    proof, _colon, equation = cause.partition(":")
    if equation and proof == "shuffle":
        return _("equation {equation} of the shuffle proof").format(equation=equation)
    if equation:
        return _("equation {equation} of the unlock proof").format(equation=equation)
    match cause[:1]:
        case "R":
            return _("clause {clause} of the record").format(clause=cause)
        case "X":
            return _("clause {clause} of the rules that all games share").format(clause=cause)
        case _:
            assert report.table is not None
            text = _("clause {clause} of the rules of {game}")
            return text.format(clause=cause, game=report.table.title)


def absences(report: AuditReport) -> Iterator[str]:
    """Return sentences about the first few absences, and the number of the others."""
    absent = ((one, absence) for one in report.rounds for absence in one.absences)
    for one, absence in islice(absent, _MOST_ABSENCES):
        yield f"{round_title(one)}: {_absence(absence)}."
    if more := sum(1 for _one in absent):
        yield _n("And {n} absence more.", "And {n} absences more.", more)


def round_title(one: RoundReport) -> str:
    """Return the name of a round, with a mark if it is void."""
    return title_of(one.number, void=one.void)


def title_of(place: int, *, void: bool) -> str:
    """Return the name of the round with that number; 0 is the draw."""
    if not place:
        return _("The draw for seats, void") if void else _("The draw for seats")
    title = _("Round {number}, void") if void else _("Round {number}")
    return title.format(number=place)


def absence_sentence(absence: Absence) -> str:
    """Return a sentence on an absence: the absent players, the signers, and what followed."""
    text = _absence(absence)
    return f"{text[:1].upper()}{text[1:]}."


def _absence(absence: Absence) -> str:
    return absence_text(
        [player.name for player in absence.left],
        [player.name for player in absence.signers],
        [member.name for member in absence.substitutes],
        absence.entry,
        closed=absence.closed,
    )


def absence_text(
    absent: Sequence[str],
    signers: Sequence[str],
    substitutes: Sequence[str],
    entry: int,
    *,
    closed: bool,
) -> str:
    """Return the text of an absence, without capital and full stop; all players are names.

    `closed` is True if hands were being opened.
    """
    text = _("the hand of {name} stays closed and counts the worst it can (X24)")
    closing = with_and(text.format(name=name) for name in absent)
    then = (
        closing if closed else _("the match ends here without {name}").format(name=with_and(absent))
    )
    if substitutes:
        seats = [
            _("{new} takes the seat of {name}").format(new=new, name=old)
            for new, old in zip(substitutes, absent, strict=True)
        ]
        then = with_and([*seats, closing] if closed else seats)
    text = _("absence of {names}, signed by all the others ({signers}) in entry {entry}; {then}")
    return text.format(
        names=with_and(absent), signers=with_and(signers), entry=number(entry), then=then
    )


def replaced(report: AuditReport) -> Iterator[tuple[PlayerReport, int]]:
    """Return the players who were replaced, and the entry in which that happened."""
    for one in report.rounds:
        for absence in one.absences:
            if absence.substitutes:
                yield from ((player, absence.entry) for player in absence.left)


def result(report: AuditReport) -> str:
    """Return the result of the match so far; "" before the first round is counted."""
    table = report.table
    if table is None or not table.sides or not any(one.sheet for one in report.rounds):
        return ""
    sides = zip(table.sides, report.totals, strict=True)
    points = _("Match points: {points}.").format(
        points=listed(f"{side} {number(value)}" for side, value in sides)
    )
    if not report.over:
        return points
    if report.winner is None:
        return points + " " + _("The match is drawn.")
    return points + " " + _("The winner: {name}.").format(name=table.sides[report.winner])


def moves_sentence(moves: int, table: TableReport) -> str:
    """Return how many moves of a round were made, all of them legal."""
    made = _n("{n} move", "{n} moves", moves)
    text = _("{moves}, every one allowed by the rules of {game}")
    return text.format(moves=made, game=table.title)


def card_places(count: CardCount) -> dict[str, str]:
    """Return how many cards of the round are in each place, by the names of the count's fields."""
    return {
        "melded": _n("{n} melded", "{n} melded", count.melded),
        "bonus": _n("{n} bonus card laid", "{n} bonus cards laid", count.bonus),
        "discarded": _n("{n} in the pile", "{n} in the pile", count.discarded),
        "held": _n("{n} opened in hands", "{n} opened in hands", count.held),
        "unseen": _n("{n} never seen", "{n} never seen", count.unseen),
    }


def count_sentence(count: CardCount) -> str:
    """Return the places of all cards of the round."""
    total = _n("{n} card", "{n} cards", count.total)
    places = f"{total}: {', '.join(card_places(count).values())}"
    if count.closed:
        places += " " + _("({closed} of them in hands that stay closed)").format(
            closed=count.closed
        )
    if count.balanced:
        return _("{places}; every card once.").format(places=places)
    return _("{places}; {missing} are not accounted for!").format(
        places=places, missing=count.missing
    )


def seat_words(player: PlayerReport) -> str:
    """Return the player's seat."""
    if player.seat is None:
        return _("no seat yet")
    return _("seat {number}").format(number=player.seat + 1)


def option_words(value: bool | int) -> str:
    """Return the value of an option."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return number(value)


def extension_words(name: str) -> str:
    """Return a sentence on an extension of the charter that this program does not know."""
    sentence = _(
        "Extension {name}: this program does not know it, and nothing in the record hangs on it"
    )
    return sentence.format(name=name)


def listed(words: Iterable[str]) -> str:
    """Return the words with commas between them."""
    return ", ".join(words)
