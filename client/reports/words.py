"""Sentences of an audit report in the language of the person, for its text and its page."""

from collections.abc import Iterable, Iterator
from itertools import islice

from attrs import evolve

from client.i18n.language import _, _n, capital, number, with_and
from client.i18n.sentences import said
from client.reports import model
from engine.sentences import N_
from protocol.audit import Verdict

_MOST_CONTINUATIONS = 3
"""The maximum number of continuations that the verdict names one by one."""

_VERDICTS = {
    Verdict.SOUND: N_("sound"),
    Verdict.ENDED: N_("ended early"),
    Verdict.UNFINISHED: N_("sound so far"),
    Verdict.BROKEN: N_("broken"),
    Verdict.EXPOSED: N_("exposed"),
    Verdict.ILLEGAL: N_("against the rules"),
    Verdict.NEWER: N_("made by a newer program"),
}

OPENS = N_("opens")
GOES_OUT = N_("goes out")

CAUTION = N_("It is no proof of cheating: a fault in the program's rules would look the same.")
"""Sentence about a finding that rests on the rules of play."""

_SENTENCES = {
    Verdict.SOUND: N_("Verdict: sound. Every entry holds, and all have signed the end."),
    Verdict.ENDED: N_(
        "Verdict: ended early. Every entry holds, and all who stayed have signed the end."
    ),
    Verdict.EXPOSED: N_("Verdict: {name} is exposed at {where}. {sentence} {against}"),
    Verdict.ILLEGAL: N_(
        "Verdict: {name} has signed what is against the rules as this program knows them, "
        "at {where}. {sentence} {against} {caution}"
    ),
    Verdict.UNFINISHED: N_(
        "Verdict: sound so far. Every entry up to {entry} holds; the match goes on."
    ),
}
_ENDED_BEFORE = N_(
    "Verdict: ended early. Every entry holds. The match was ended in entry {entry}, "
    "before it was over."
)
_NOT_SIGNED = N_(
    "Verdict: sound so far. Every entry up to {entry} holds; not signed yet by {names}."
)
_BROKEN = N_("Verdict: {verdict} at {where}. {sentence}")
"""Sentence for any other verdict."""


def verdict(report: model.AuditReport) -> str:
    """Return the verdict with its reason, the exposures, and the continuations."""
    return " ".join((verdict_sentence(report), *exposures(report), *continuations(report)))


def verdict_word(report: model.AuditReport) -> str:
    """Return the verdict alone, in a word."""
    return _(_VERDICTS[report.conclusion.verdict])


def verdict_sentence(report: model.AuditReport) -> str:
    """Return the verdict with its reason, but without other exposures and continuations."""
    end = report.conclusion
    text = _SENTENCES.get(end.verdict, _BROKEN)
    if end.verdict is Verdict.ENDED and report.ended:
        text = _ENDED_BEFORE
    elif end.verdict is Verdict.UNFINISHED and len(end.unsigned) not in (0, _members(report)):
        text = _NOT_SIGNED
    missing = with_and(report.name(player) for player in end.unsigned)
    sentence = _(text).format(
        verdict=verdict_word(report),
        name="" if end.player is None else report.name(end.player),
        entry=number(end.entry),
        where=_where(end),
        sentence=reason(end),
        against="" if end.player is None else _against(report),
        caution=_(CAUTION),
        names=missing,
    )
    if text == _BROKEN and missing:
        sentence += " " + _("The end is not signed by {names}.").format(names=missing)
    if text == _BROKEN and end.given_up:
        sentence += " " + _("The match was given up by {name}.").format(name=end.given_up)
    return sentence


def _members(report: model.AuditReport) -> int:
    return len(report.table.players) if report.table else 0


def reason(end: model.Conclusion) -> str:
    """Return the reason why the audit stopped."""
    return said(end.sentence)


def _where(end: model.Conclusion) -> str:
    where = _("entry {number}").format(number=number(end.entry)) if end.entry else _("the charter")
    return f"{where} [{end.cause}]" if end.cause else where


def _against(report: model.AuditReport) -> str:
    is_proof = ":" in report.conclusion.cause
    text = _("What fails is {what}.") if is_proof else _("That is against {what}.")
    return text.format(what=cause_words(report))


def cause_words(report: model.AuditReport) -> str:
    """Return the cause in words: a clause of the record or the rules, or an equation of a proof.

    The report must have a table.
    """
    cause = report.conclusion.cause
    proof, _colon, equation = cause.partition(":")
    if equation and proof == "shuffle":
        text = _("equation {equation} of the shuffle proof")
    elif equation:
        text = _("equation {equation} of the unlock proof")
    elif cause[:1] == "R" or report.conclusion.verdict is Verdict.EXPOSED:
        text = _("clause {clause} of the record's rules")  # the record's C1 is not Canasta's C1
    elif cause[:1] == "X":
        text = _("clause {clause} of the rules that all games share")
    else:
        text = _("clause {clause} of the rules of {game}")
    game = "" if report.table is None else report.table.title
    return text.format(equation=equation, clause=cause, game=game)


def exposures(report: model.AuditReport) -> Iterator[str]:
    """Return a sentence on each exposed player whom the verdict does not name.

    These players are former ones, or keys that never had a seat.
    """
    for one in report.conclusion.exposed:
        end = report.conclusion
        if end.player is not None and one.entry == end.entry:
            continue  # the verdict names this player
        text = _("{name} is exposed in entry {entry} [{cause}]; the others went on. {sentence}")
        if not one.name:
            text = _(
                "A player without a seat in this record, whose key is {key}, is exposed in entry "
                "{entry} [{cause}]: {what}"
            )
        elif one.illegal:
            text = _(
                "{name} has signed what is against the rules, in entry {entry} [{cause}]; the "
                "others went on. {sentence}"
            )
            text += " " + _(CAUTION)
        why = said(one.sentence)
        yield text.format(
            name=one.name,
            key=one.key.hex(),
            entry=number(one.entry),
            cause=one.cause,
            what=why,
            sentence=why,
        )


def continuations(report: model.AuditReport) -> Iterator[str]:
    """Return sentences on the first continuations, and the number of further ones."""
    all_ones = ((one, each) for one in report.rounds for each in one.continuations)
    for one, each in islice(all_ones, _MOST_CONTINUATIONS):
        yield f"{round_title(one)}: {_continuation(each)}."
    if more := sum(1 for _one in all_ones):
        yield _n("And {n} continuation more.", "And {n} continuations more.", more)


def round_title(one: model.RoundReport) -> str:
    """Return the name of a round, with a mark if it is void."""
    return title_of(one.number, void=one.void)


def title_of(place: int, *, void: bool) -> str:
    """Return the name of the round with that number; 0 is the draw."""
    if not place:
        return _("The draw for seats, void") if void else _("The draw for seats")
    title = _("Round {number}, void") if void else _("Round {number}")
    return title.format(number=place)


def continuation_sentence(one: model.Continuation) -> str:
    """Return a sentence on a continuation: who is gone, the signers, and what followed."""
    return capital(_continuation(one)) + "."


def _continuation(one: model.Continuation) -> str:
    gone = [player.name for player in one.left]
    text = _("{signers} have signed, in entry {entry}, to go on without {names}; {then}")
    if not gone:
        text = _("{signers} have signed, in entry {entry}, to go on together; {then}")
    seats = [
        _("{new} takes the seat of {name}").format(new=new.name, name=old)
        for new, old in zip(one.substitutes, gone, strict=False)
    ]
    if one.ends:
        seats = [_("the match ends here without {name}").format(name=with_and(gone))]
    closed = _("the hand of {name} stays closed and counts as the worst that it could be (X24)")
    if one.closed:
        seats += [closed.format(name=name) for name in gone]
    elif one.counted:
        seats.append(_("the round is counted as the cards lie (X25)"))
    return text.format(
        names=with_and(gone),
        signers=with_and(player.name for player in one.signers),
        entry=number(one.entry),
        then=with_and(seats) or _("the round stands"),
    )


def replaced(report: model.AuditReport) -> Iterator[tuple[model.PlayerReport, int]]:
    """Return each player who was replaced, with their seat, and the entry of the continuation."""
    for one in report.rounds:
        for each in one.continuations:
            if each.substitutes:
                for place, player in zip(each.players, each.left, strict=True):
                    yield evolve(player, seat=one.players[place].seat), each.entry


def result(report: model.AuditReport) -> str:
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


def moves_sentence(moves: int, table: model.TableReport) -> str:
    """Return a sentence on the number of moves of a round, all of them legal."""
    made = _n("{n} move", "{n} moves", moves)
    text = _("{moves}, every one allowed by the rules of {game}")
    return text.format(moves=made, game=table.title)


def card_places(count: model.CardCount) -> dict[str, str]:
    """Return a text on the number of cards in each place, by the field names of `CardCount`.

    Places without a card are left out: many games have no bonus cards.
    """
    places = {
        "melded": _n("{n} melded", "{n} melded", count.melded),
        "bonus": _n("{n} bonus card laid", "{n} bonus cards laid", count.bonus),
        "discarded": _n("{n} in the pile", "{n} in the pile", count.discarded),
        "held": _n("{n} opened in hands", "{n} opened in hands", count.held),
        "unseen": _n("{n} never seen", "{n} never seen", count.unseen),
    }
    return {name: text for name, text in places.items() if getattr(count, name)}


def count_sentence(count: model.CardCount) -> str:
    """Return the places of all cards of the round."""
    total = _n("{n} card", "{n} cards", count.total)
    places = f"{total}: {', '.join(card_places(count).values())}"
    if count.closed:
        places += " " + _("({closed} of them in hands that stay closed)").format(
            closed=count.closed
        )
    if count.balanced:
        return _("{places}; every card once.").format(places=places)
    if count.missing:
        places = _("{places}; {missing} are not accounted for!").format(
            places=places, missing=count.missing
        )
    if count.twice:
        places = _("{places}; {doubled} in two places!").format(
            places=places, doubled=len(count.twice)
        )
    return places


def seat_words(player: model.PlayerReport, until: int | None = None) -> str:
    """Return the player's seat, and the entry `until` in which somebody replaced them, if any."""
    seat = None if player.seat is None else _("seat {number}").format(number=player.seat + 1)
    if until is None:
        return seat or _("no seat yet")
    left = _("until entry {entry}").format(entry=number(until))
    return left if seat is None else f"{seat}, {left}"


def option_words(value: bool | int) -> str:
    """Return the value of an option in words."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return number(value)


def extension_words(name: str) -> str:
    """Return a sentence on an extension of the charter that this program does not know."""
    sentence = _(
        "Extension {name}: this program does not know it, and nothing in the record depends on it"
    )
    return sentence.format(name=name)


def listed(words: Iterable[str]) -> str:
    """Return the words with commas between them."""
    return ", ".join(words)
