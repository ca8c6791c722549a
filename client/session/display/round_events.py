"""The public events of a round: cards discarded, and cards taken from the pile."""

from collections.abc import Iterator

from attrs import frozen

from engine.cards import Card, Rank
from engine.moves import Discard, Move, TakePile, TakeTop
from engine.position import Position
from engine.slots import Seat, cards_of
from protocol.entries import MoveContent
from protocol.table.events import Change


@frozen
class Thrown:
    """A discard by `seat`, in which the player called `name` sat."""

    seat: Seat
    name: str
    card: Card


@frozen
class Taken:
    """Cards of the pile that went to the hand or the melds of `seat`."""

    seat: Seat
    name: str
    cards: tuple[Card, ...]


@frozen
class RoundEvents:
    """The events of one round, oldest first. All of them are public."""

    events: tuple[Thrown | Taken, ...] = ()

    def after(self, change: Change) -> "RoundEvents":
        """Return the events with those of a change added; no events if a new round has begun."""
        old = change.before.match.round
        if change.continues and not change.before.match.opening:
            return NOTHING_SEEN
        if change.after.match.round_number != change.before.match.round_number or old is None:
            return NOTHING_SEEN
        content = change.after.last.content if change.after.last else None
        if not isinstance(content, MoveContent):
            return self
        name = change.before.charter.name_of(change.before.match.player_at(old.turn.seat))
        return self.with_move(old, content.move, name)

    def with_move(self, before: Position, move: Move, name: str) -> "RoundEvents":
        """Return the events with those of a move that `name` makes in the position `before`."""
        return RoundEvents((*self.events, *_events(before, move, name)))

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

        In each such case another seat threw the card, and the next event is a discard of `seat`.
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
        """Return the name of the last player with an event in the seat; "" if there is none yet."""
        return next((event.name for event in reversed(self.events) if event.seat == seat), "")


NOTHING_SEEN = RoundEvents()
"""The events of a round that has just begun."""


def _events(before: Position, move: Move, name: str) -> Iterator[Thrown | Taken]:
    seat = before.turn.seat
    match move:
        case Discard(shown):
            yield Thrown(seat, name, shown.card)
        case TakePile():
            yield Taken(seat, name, cards_of(before.pile))
        case TakeTop():
            yield Taken(seat, name, cards_of(before.pile[-1:]))
