"""The referee's answer about an entry of a record: the verdict, and the other legal moves."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from client.errors import BadRequest
from client.i18n.language import _, _n
from client.reports.words import verdict
from client.ui.model.command_words import line_of, spoken
from client.ui.model.replay import Moment, Replay, Teller
from engine.cards import Card
from engine.moves import Move, shown_by
from engine.notation.position_writer import format_position
from engine.position import Position
from engine.slots import Shown, Slot
from protocol.audit import Verdict
from protocol.entries import MoveContent
from protocol.state import State

_MOST_LISTED = 80
"""Maximum number of legal moves to list; there may be more, such as 107 places to cut a deck."""


@frozen
class JudgedEntry:
    """An entry with a move, in the position in which the move was made."""

    entry: int
    sentence: str
    """A sentence that describes the entry, without a full stop."""
    line: str
    """The move in the notation; "" if the entry exposes its player."""
    position: Position
    others: tuple[str, ...]
    """All other legal moves in the notation, as far as the cards of the mover's hand are known."""
    hidden: int
    """Number of cards in the mover's hand that were never opened."""

    @property
    def legal(self) -> bool:
        """Return True if the rules allow the move."""
        return bool(self.line)

    def lines(self, *, show: bool) -> Iterator[str]:
        """Return the lines of the answer; with `show`, the position as well."""
        yield f"{self.sentence}."
        if self.legal:
            yield _("That was legal: {line}").format(line=spoken(self.line))
        if self.hidden:
            yield _n(
                "{n} card of that hand was never opened: moves with it are not listed.",
                "{n} cards of that hand were never opened: moves with them are not listed.",
                self.hidden,
            )
        if not self.others and not self.hidden:
            yield _("No other move was legal.")
        if self.others:
            yield _("These other moves were legal; several melds may be laid in one move:")
        yield from (f"    {spoken(line)}" for line in self.others[:_MOST_LISTED])
        more = len(self.others) - _MOST_LISTED
        if more > 0:
            yield "    " + _n("and {n} more", "and {n} more", more)
        if show:
            yield from (f"        {line}" for line in format_position(self.position).splitlines())

    def as_json(self, *, show: bool) -> dict[str, Any]:
        """Return the answer as a JSON object; with `show`, the position as well."""
        fields = {
            "entry": self.entry,
            "verdict": "legal" if self.legal else "illegal",
            **({"text": self.line} if self.legal else {"why": self.sentence}),
            "others": list(self.others),
            "hidden": self.hidden,
        }
        return fields | ({"position": format_position(self.position)} if show else {})


def judged_entry(replay: Replay, number: int) -> JudgedEntry:
    """Judge the entry with this number. Raises BadRequest if the entry is no move."""
    moves = [moment for moment in replay.moments if _move(moment) is not None]
    found = next((moment for moment in moves if moment.number == number), None)
    if found is not None:
        sentence = _("Entry {number}, {round}: {told}").format(
            number=number, round=replay.title(found), told=_teller().sentence(found)
        )
        return _judged(number, sentence, found.before, found.faces, _move(found))
    if _exposes_by_a_move(replay, number):
        last = replay.moments[-1]
        sentence = verdict(replay.report).rstrip(".")
        return _judged(number, sentence, last.after, last.faces, None)
    raise BadRequest(
        "Entry {number} is no move. {near} To see all entries: sobremesa replay FILE --plain",
        number=number,
        near=_near(replay, moves, number),
    )


def _judged(
    number: int, sentence: str, before: State, faces: Mapping[Slot, Card], move: Move | None
) -> JudgedEntry:
    assert before.match.round is not None
    position = _with_hand(before.match.round, faces, shown_by(move) if move else ())
    line = line_of(position, move) if move else ""
    legal = (line_of(position, other) for other in position.legal_moves(position.moving_seat))
    return JudgedEntry(
        number,
        sentence,
        line,
        position,
        tuple(other for other in dict.fromkeys(legal) if other != line),
        sum(position.face(slot) is None for slot in position.hands[position.turn.seat]),
    )


def _with_hand(position: Position, faces: Mapping[Slot, Card], named: Iterable[Shown]) -> Position:
    """Return the position with all cards of the mover's hand that become known, now or later."""
    hand = position.hands[position.turn.seat]
    opened = {slot: Shown(slot, faces[slot]) for slot in hand if slot in faces}
    shown = {card.slot: card for card in named if card.slot in hand}
    return position.seen((opened | shown).values())


def _exposes_by_a_move(replay: Replay, number: int) -> bool:
    """Return True if entry `number` exposes a player, and a move was due in its place."""
    end = replay.report.conclusion
    stopped = end.verdict in (Verdict.EXPOSED, Verdict.ILLEGAL) and end.entry == number
    if not stopped or not replay.moments:
        return False
    state = replay.moments[-1].after
    return state.match.mover is not None and state.height == number - 1


def _move(moment: Moment) -> Move | None:
    content = moment.after.last.content if moment.after.last else None
    return content.move if isinstance(content, MoveContent) else None


def _teller() -> Teller:
    return Teller(None, symbols=True)


def _near(replay: Replay, moves: list[Moment], number: int) -> str:
    """Return the moves before and after entry `number`; if no move comes after, add the verdict."""
    before = [moment for moment in moves if moment.number < number][-1:]
    after = [moment for moment in moves if moment.number > number][:1]
    entry = _("entry {number} ({told})")
    beside = [
        entry.format(number=one.number, told=_teller().sentence(one)) for one in (*before, *after)
    ]
    listed = _("The moves beside it: {moves}.").format(moves=", ".join(beside)) if beside else ""
    end = "" if after else verdict(replay.report)
    return " ".join(filter(None, (listed, end)))
