"""The public events at the pile in a round: cards discarded, and cards taken from the pile."""

from collections.abc import Iterator

from attrs import frozen

from engine.cards import Card, Rank
from engine.moves import Discard, Move, TakePile, TakeTop
from engine.position import Position
from engine.slots import Seat, cards_of
from protocol.entries import MoveContent
from protocol.table.tasks import Change


@frozen
class Thrown:
    """A discard: the card, the seat, and the name of the player who sat there."""

    seat: Seat
    name: str
    card: Card


@frozen
class Taken:
    """Cards that the player called `name`, in `seat`, took from the pile."""

    seat: Seat
    name: str
    cards: tuple[Card, ...]


@frozen
class PileEvents:
    """The events at the pile in one round, oldest first. All of them are public."""

    events: tuple[Thrown | Taken, ...] = ()

    def after(self, change: Change) -> "PileEvents":
        """Return the events after a change: none if it deals a round or deals it again."""
        old = change.before.match.round
        # A continuation deals the round again, unless the hands were already being opened.
        if change.continues and not change.before.match.opening:
            return NOTHING_SEEN
        if change.after.match.round_number != change.before.match.round_number or old is None:
            return NOTHING_SEEN
        content = change.after.last.content if change.after.last else None
        if not isinstance(content, MoveContent):
            return self
        name = change.before.charter.name_of(change.before.match.player_at(old.turn.seat))
        return self.with_move(old, content.move, name)

    def with_move(self, before: Position, move: Move, name: str) -> "PileEvents":
        """Return the events, followed by those of a move by `name` in the position `before`."""
        return PileEvents((*self.events, *_events(before, move, name)))

    def thrown(self, seat: Seat, rank: Rank) -> int:
        """Return the number of cards of the rank that `seat` has thrown."""
        return sum(
            isinstance(event, Thrown) and event.seat == seat and event.card.rank is rank
            for event in self.events
        )

    def taken(self, seat: Seat, rank: Rank) -> int:
        """Return the number of cards of the rank that `seat` has taken from the pile."""
        return sum(
            card.rank is rank
            for event in self.events
            if isinstance(event, Taken) and event.seat == seat
            for card in event.cards
        )

    def left(self, seat: Seat, rank: Rank) -> int:
        """Return how often `seat` left a card of the rank on top of the pile.

        In each such case another seat threw the card, and `seat` then discarded without taking it.
        """
        pairs = zip(self.events, self.events[1:], strict=False)
        return sum(
            isinstance(event, Thrown)
            and event.card.rank is rank
            and isinstance(then, Thrown)
            and then.seat == seat != event.seat
            for event, then in pairs
        )

    def name(self, seat: Seat) -> str:
        """Return the player's name in the seat's latest event; "" if the seat has no event yet."""
        return next((event.name for event in reversed(self.events) if event.seat == seat), "")


NOTHING_SEEN = PileEvents()
"""The events of a round that has just begun."""


def _events(before: Position, move: Move, name: str) -> Iterator[Thrown | Taken]:
    seat = before.turn.seat
    match move:
        case Discard(shown):
            yield Thrown(seat, name, shown.card)
        case TakePile():
            yield Taken(seat, name, cards_of(before.takes))
        case TakeTop():
            yield Taken(seat, name, cards_of(before.pile[-1:]))
