"""Counting a round that is over or interrupted: the items of each side."""

from collections.abc import Iterable, Iterator
from itertools import chain

from attrs import frozen

from engine.round_state import RoundState
from engine.score_sheet import CLOSED_CARDS, Item, ScoreSheet
from engine.slots import Side
from engine.turn import Step


@frozen(kw_only=True, slots=False)
class CountedRound(RoundState):
    """A round that can be counted: cards on the table, going out, and cards left in hands."""

    def score(self) -> ScoreSheet:
        """Return the sheet of a finished round.

        All hands should be open by now, except those of the seats in `closed`. Hidden cards in any
        other hand count nothing.
        """
        sides = (tuple(self.round_items(Side(side))) for side in range(self.sides))
        return ScoreSheet(tuple(sides), self.closer, self.sheet_lines)

    def round_items(self, side: Side) -> Iterator[Item]:
        """Return the items of a side in a round that is over.

        The items are for the side's cards on the table, for going out, and for cards in hands.
        """
        yield from self.table_items(side)
        if self.closer is not None and self.side_of(self.closer) == side:
            yield from self.going_out_items()
        yield from self.hand_items(tuple(chain(*map(self.hand_cards, self.members(side)))))
        yield from self.closed_items(side)

    def going_out_items(self) -> Iterable[Item]:
        """Return the items for going out."""
        return ()

    def closed_items(self, side: Side) -> Iterator[Item]:
        """Return items for the hidden cards in a side's closed hands (clause X24).

        The hidden cards of a hand count as the worst cards that nobody has seen. If a player of the
        side is absent when the round is over, this also holds for the hands that were set aside for
        the side and stay closed.
        """
        closed = [seat for seat in self.members(side) if seat in self.closed]
        if not closed:
            return
        # Every replica must name the same worst cards, so those that only this replica has seen
        # count as unseen, too. Points of cards in hands are negative: with three jokers unseen,
        # `worst` begins -50, -50, -50.
        unseen = self.seen(()).unseen()
        worst = sorted(self.hand_points((card,)) for card in unseen)
        hands = [self.hands[seat] for seat in closed]
        # In an interrupted round (X25) the step is another one, and hands set aside count nothing.
        if self.turn.step is Step.OVER:
            hands += [slots for seat, slots in self.set_aside_of if self.side_of(seat) == side]
        # Each hand begins anew with the worst card: if both hands of a side stay closed, both may
        # count the same joker.
        for hand in hands:
            if hidden := sum(slot not in self.known for slot in hand):
                yield Item(CLOSED_CARDS, hidden, sum(worst[:hidden]), "X24")

    def interrupted_items(self, side: Side) -> Iterator[Item]:
        """Return the items of a side when the round is interrupted (clause X25).

        The players at the seats in `closed` are missing. The items are for the side's cards on the
        table, and for the hands of its missing players; the other hands do not count.
        """
        yield from self.table_items(side)
        closed = [self.hand_cards(seat) for seat in self.members(side) if seat in self.closed]
        yield from self.hand_items(tuple(chain(*closed)))
        yield from self.closed_items(side)
