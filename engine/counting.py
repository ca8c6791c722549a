"""Counting a round: the items of each side, when the round is over or is interrupted."""

from collections.abc import Iterable, Iterator
from itertools import chain

from attrs import frozen

from engine.round_state import RoundState
from engine.score_sheet import CLOSED_CARDS, Item, ScoreSheet
from engine.slots import Side
from engine.turn import Step


@frozen(kw_only=True, slots=False)
class CountedRound(RoundState):
    """A round with the sum of what its tables and hands count."""

    def score(self) -> ScoreSheet:
        """Return the sheet of a finished round, all hands being open except those in `closed`."""
        sides = (tuple(self.round_items(Side(side))) for side in range(self.sides))
        return ScoreSheet(tuple(sides), self.closer, self.sheet_lines)

    def round_items(self, side: Side) -> Iterator[Item]:
        """Return the items of a side in a round that is over.

        They are those of its table, those for going out, and those of its hands.
        """
        yield from self.table_items(side)
        if self.closer is not None and self.side_of(self.closer) == side:
            yield from self.going_out_items()
        yield from self.hand_items(tuple(chain(*map(self.hand_cards, self.members(side)))))
        yield from self.closed_items(side)

    def going_out_items(self) -> Iterable[Item]:
        """Return the items that the side has for going out."""
        return ()

    def closed_items(self, side: Side) -> Iterator[Item]:
        """Return items for the hidden cards of hands of a side that stay closed (clause X24).

        They count the least that so many cards could count, of those that nobody has seen. So do
        hands set aside that stay closed at the end because a player of the side is absent.
        """
        closed = [seat for seat in self.members(side) if seat in self.closed]
        if not closed:
            return
        unseen = self.seen(()).unseen()
        worst = sorted(self.hand_points((card,)) for card in unseen)
        hands = [self.hands[seat] for seat in closed]
        if self.turn.step is Step.OVER:
            hands += [slots for seat, slots in self.set_aside_of if self.side_of(seat) == side]
        for hand in hands:
            if hidden := sum(slot not in self.known for slot in hand):
                yield Item(CLOSED_CARDS, hidden, sum(worst[:hidden]), "X24")

    def interrupted_items(self, side: Side) -> Iterator[Item]:
        """Return the items of a side when the round is interrupted (clause X25).

        The players at the seats in `closed` are missing. A side has its table, less what the hands
        of its missing players cost.
        """
        yield from self.table_items(side)
        closed = [self.hand_cards(seat) for seat in self.members(side) if seat in self.closed]
        yield from self.hand_items(tuple(chain(*closed)))
        yield from self.closed_items(side)
