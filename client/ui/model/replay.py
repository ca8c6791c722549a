"""A record as moments to step through: the table after each event.

A replay keeps the whole game in memory, so that one can go back; an audit does not.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

from attrs import define, field, frozen

from client.i18n.card_letters import card_face
from client.i18n.language import _, _n
from client.reports.auditing import audit_file
from client.reports.model import AuditReport
from client.reports.score_sheet import sheet_lines, side_names
from client.reports.words import title_of
from client.ui.text.events import continuation_text, move_text
from engine.cards import Card
from engine.position import Position
from engine.slots import Seat, Shown, Slot, slot_range
from protocol.entries import CloseContent, MoveContent, OpenContent, ShuffleContent, UnlockContent
from protocol.state import State

Viewer = int | None
"""The player whose view is shown; None to show all cards that were ever opened."""


@frozen
class Moment:
    """The table before and after one event."""

    number: int
    """The number of the part of the record that made the event happen."""
    before: State
    after: State
    faces: Mapping[Slot, Card] = field(repr=False)
    """All cards of this round that are open at the end of the round, by slot."""

    @property
    def round_number(self) -> int:
        """The number of the round in which the event happened; 0 for the draw for seats."""
        return self.before.match.round_number

    @property
    def deal_number(self) -> int:
        """The number of the round's first deal.

        A void round and the round that is played in its place have the same round number, but
        different deal numbers. The deal numbers are equal only if nobody had shuffled in the void
        round.
        """
        return self.before.cards.deals[0].number

    def view(self, viewer: Viewer) -> Position | None:
        """Return the position after the event as the viewer sees it; None while seats are drawn."""
        match = self.after.match
        position = match.round
        if position is None:
            return None
        seats = range(position.seats) if viewer is None else [match.seat_of(viewer)]
        slots = [slot for seat in seats for slot in position.hands[seat]]
        return position.seen(Shown(slot, self.faces[slot]) for slot in slots if slot in self.faces)

    @property
    def sheet(self) -> tuple[str, ...]:
        """The lines of the score sheet, if the event has closed a round; () otherwise."""
        match = self.after.match
        if len(match.sheets) == len(self.before.match.sheets):
            return ()
        names = [member.name for member in self.after.charter.members]
        title = title_of(len(match.sheets), void=False)
        return sheet_lines(match.sheets[-1], match.totals, side_names(match, names), title)

    def hand(self, seat: Seat, viewer: Viewer) -> tuple[Shown, ...]:
        """Return those cards of a hand that the viewer sees."""
        position = self.view(viewer)
        return () if position is None else position.hand(seat)


@frozen
class Replay:
    """The moments of a record (there may be none), and the report of its audit.

    `void` has the number of the first deal of each void round in which somebody had shuffled.
    """

    report: AuditReport
    moments: tuple[Moment, ...]
    void: frozenset[int] = frozenset()

    @classmethod
    def load(cls, path: Path, on_progress: Callable[[str], None]) -> "Replay":
        """Audit a record file and keep its moments. Raises RecordError."""
        changes: list[_Step] = []

        def on_entry(before: State | None, after: State, number: int) -> None:
            if before is not None and _is_moment(before, after):
                changes.append((number, before, after))

        report = audit_file(path, on_progress, on_entry, threads=os.cpu_count() or 1)
        begun = [each for each in report.rounds if each.void and each.deals[0].shuffles]
        void = frozenset(each.deals[0].number for each in begun)
        return cls(report, tuple(_with_faces(changes)), void)

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.report.table.players) if self.report.table else 0

    @property
    def sitters(self) -> tuple[tuple[str, ...], ...]:
        """The names of all who have sat in each player's seat, one after the other."""
        names: list[dict[str, None]] = [{} for _player in range(self.players)]
        for round_report in self.report.rounds:
            for there, player in zip(names, round_report.players, strict=True):
                there[player.name] = None
        if self.report.table:
            for there, player in zip(names, self.report.table.players, strict=True):
                there[player.name] = None
        return tuple(map(tuple, names))

    @property
    def first_with_cards(self) -> int:
        """The number of the first moment at which hands are dealt; 0 if none ever are."""
        dealt = (
            place
            for place, moment in enumerate(self.moments)
            if moment.after.match.round is not None and any(moment.after.match.round.hands)
        )
        return next(dealt, 0)

    def title(self, moment: Moment) -> str:
        """Return the title of the round of a moment."""
        return title_of(moment.round_number, void=moment.deal_number in self.void)


def _is_moment(before: State, after: State) -> bool:
    """Return True for an event to show.

    If several players unlock the same cards, only the last unlocking is shown: it gives the cards.
    """
    last = after.last
    return last is None or not isinstance(last.content, UnlockContent) or len(before.writers) == 1


_Step = tuple[int, State, State]
"""A part of the record: its number, and the states before and after it."""


def _with_faces(steps: list[_Step]) -> Iterator[Moment]:
    """Yield the moments, each with the cards that are open at the end of its round."""
    # The steps are grouped by the deal and not by the round: a void round and the round in its
    # place have the same number, but different cards.
    for _deal, group in groupby(steps, lambda step: step[1].cards.deals[0].number):
        within = list(group)
        _number, before, after = within[-1]
        # The last step may begin the next round, so the state before that step is read, too.
        drawn = () if before.match.seating else after.match.draw.drawn
        faces = open_faces(before) | open_faces(after) | {s.slot: s.card for s in drawn if s}
        yield from (Moment(number, before, after, faces) for number, before, after in within)


def open_faces(state: State) -> dict[Slot, Card]:
    """Return all cards of this round that lie open, by slot."""
    deck, cards = state.match.deck, state.cards
    numbers = {
        slot: cards.face(slot)
        for deal in cards.deals
        for slot in slot_range(deal.first, len(deal.outputs))
        if slot in cards.points
    }
    return {slot: deck[number] for slot, number in numbers.items() if number is not None}


@define
class Teller:
    """The writer of a sentence about each moment, with the cards that one viewer saw."""

    viewer: Viewer
    symbols: bool

    def sentence(self, moment: Moment) -> str:
        """Return one sentence on the moment, without its full stop."""
        before, after = moment.before, moment.after
        if after.last is None:
            return continuation_text(before, after)
        name = before.charter.name_of(after.last.writer)
        match after.last.content:
            case ShuffleContent():
                done = len(before.cards.last.keys) + 1
                return _("{name} locks and shuffles the deck ({done} of {players})").format(
                    name=name, done=done, players=before.match.players
                )
            case UnlockContent() as content:
                return self._given(moment, content)
            case MoveContent(move=move):
                old, new = before.match.round, after.match.round
                assert old is not None
                assert new is not None
                text = move_text(old, new, move, symbols=self.symbols) or _("lays nothing")
                out = new.closer == old.turn.seat
                return ", ".join((f"{name} {text}", *([_("goes out")] if out else [])))
            case OpenContent() as content:
                return _("{name} opens {cards}").format(name=name, cards=self.cards(content.cards))
            case CloseContent():
                return _("{name} signs the score").format(name=name)

    def cards(self, shown: tuple[Shown, ...]) -> str:
        """Return the faces of the cards, separated by spaces."""
        return " ".join(card_face(each.card, symbols=self.symbols) for each in shown)

    def _given(self, moment: Moment, content: UnlockContent) -> str:
        faces, names = moment.faces, [m.name for m in moment.before.charter.members]
        slots: dict[int | None, list[Slot]] = {}  # by player; None for cards that all see
        for given in content.gives:
            slots.setdefault(given.player, []).append(given.slot)
        parts = []
        # Cards for several players at once are the deal of the hands; a draw is for one player.
        if len(slots.keys() - {None}) > 1:
            parts = [_("The hands are dealt")]
            slots = {None: slots[None]} if None in slots else {}
        for player, theirs in slots.items():
            seen = tuple(Shown(slot, faces[slot]) for slot in theirs if slot in faces)
            if player is None:
                parts.append(_("{cards} turned up").format(cards=self.cards(seen)))
                continue
            got = _n("{n} card", "{n} cards", len(theirs))
            if self.viewer in (None, player) and seen:
                got = self.cards(seen)
            parts.append(_("{name} gets {cards}").format(name=names[player], cards=got))
        return "; ".join(parts)
