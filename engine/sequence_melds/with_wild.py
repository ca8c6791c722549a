"""Sequences of one suit in which a wild card may stand for a missing one.

A sequence is a *set* of cards: nobody declares which card a wild one stands for, or at which end an
ace lies. Cards form a sequence if they can be arranged as one with at most one wild card. Of
several arrangements the one with the fewest wild cards counts. Twos are wild, and a game may have
other wild cards. But the suit's own two, if it lies in its own place, stands for itself. Positions
are numbered upwards, 1 for the low ace, 2 for the two, and so on to 14 for the high ace.

`first_position` decides if cards are a sequence, from the facts in `Contents`. `placed` then puts
each card in its place. `engine.sequence_melds.pure` has sequences without wild cards.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.cards import Card, Rank, Suit

LONGEST = 14
"""Number of cards in the whole sequence, from ace to ace."""

_SEQUENCE = (Rank.ACE, *(rank for rank in Rank if rank <= Rank.ACE))

CODES: Mapping[Suit, tuple[str, ...]] = {
    suit: tuple(rank.code + suit for rank in _SEQUENCE) for suit in Suit
}
"""Codes of the cards in the whole sequence of each suit: index n - 1 has that of position n."""


class Contents(NamedTuple):
    """The facts that decide if cards are a sequence of a suit.

    Cards that are counted in `size` and in no other field are wild.
    """

    size: int
    """Number of cards."""
    fixed: frozenset[Rank]
    """Ranks of cards that have a single place in a sequence (all but aces and twos), each once."""
    aces: int
    """Number of aces."""
    own_two: bool
    """True if the suit's own two is among the cards."""

    @classmethod
    def of(cls, cards: Sequence[Card], suit: Suit | None) -> "Contents | None":
        """Return the contents of the cards; None if a rank other than ace or two is there twice."""
        fixed = [card.rank for card in cards if Rank.TWO < card.rank < Rank.ACE]
        ranks = frozenset(fixed)
        if len(ranks) < len(fixed):
            return None
        aces = sum([card.rank is Rank.ACE for card in cards])
        own_two = any(card.rank is Rank.TWO and card.suit is suit for card in cards)
        return cls(len(cards), ranks, aces, own_two)

    def with_card(self, rank: Rank, *, own: bool = False) -> "Contents":
        """Return the contents with one more card, a natural of the suit or a two.

        A two is of another suit, unless `own` is true.
        """
        size, fixed, aces, own_two = self
        if rank is Rank.ACE:
            return Contents(size + 1, fixed, aces + 1, own_two)
        if rank is Rank.TWO:
            return Contents(size + 1, fixed, aces, own_two or own)
        return Contents(size + 1, fixed | {rank}, aces, own_two)


@lru_cache(maxsize=20_000)
def first_position(contents: Contents) -> int | None:
    """Return the position at which the best arrangement begins; None if there is no sequence."""
    size, fixed, aces, own_two = contents
    # The sequence must cover all cards that have one place. For example, a sequence of 5, 9 and
    # three more cards begins at 5 or below and ends at 9 or above; with five cards it begins at 5.
    highest = min([LONGEST - size + 1, *fixed])
    lowest = max([1, *[rank - size + 1 for rank in fixed]])
    best = None
    for low in range(highest, lowest - 1, -1):
        high = low + size - 1
        # Some cards have no place of their own here: aces that are not at an end, and twos except
        # the suit's own two at position 2. Each of them has to stand for a missing card.
        at_ends = min(aces, (low == 1) + (high == LONGEST))
        left = size - len(fixed) - at_ends - (own_two and low <= Rank.TWO)
        if not left:
            return low  # without any wild card, which is the best
        if best is None and left == 1 and at_ends == aces:  # the card left over is a two
            best = low
    return best


class Placed(NamedTuple):
    """The cards of a sequence in their places."""

    cards: tuple[Card, ...]
    """The cards from the first position to the last."""
    wild: Card | None
    """The card that stands for another one."""
    low: int
    """Position of the first card."""


def placed(cards: Sequence[Card], suit: Suit | None) -> Placed | None:
    """Return the best arrangement of the cards as a sequence; None if there is none.

    All cards but wild ones must be of the suit. The best arrangement has no wild card if possible.
    If several arrangements have equally many wild cards, the highest is the best. A wild card takes
    the place of the missing card.
    """
    contents = Contents.of(cards, suit)
    low = first_position(contents) if contents else None
    if low is None:
        return None
    own: dict[Rank, Card] = {}
    second_ace = second_two = None
    for card in cards:
        # Left over are the second ace of the sequence of 14, and a two that is wild: `Contents.of`
        # has refused any other card that is there twice.
        if card.suit is suit and card.rank not in own:
            own[card.rank] = card
        elif card.rank is Rank.ACE:
            second_ace = card
        else:
            second_two = card
    # Place by place, None for a gap: 5 6 8 and a two begin at 5 and give 5, 6, None, 8.
    places = [own.get(rank) for rank in _SEQUENCE[low - 1 : low - 1 + len(cards)]]
    if len(cards) == LONGEST:  # from ace to ace: `own` has only the first ace
        places[-1] = second_ace
    if None not in places:
        return Placed(tuple(filter(None, places)), None, low)
    # The suit's own two is wild only if there is no other two; otherwise it lies at position 2.
    wild = second_two or own[Rank.TWO]
    return Placed(tuple([card or wild for card in places]), wild, low)
