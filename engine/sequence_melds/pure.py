"""Melds in sequence: naturals of one suit that follow each other, without wild cards.

The four is the lowest card, the ace the highest. A meld in sequence has no rank (`Meld.rank`).
`engine.sequence_melds.with_wild` has sequences with a wild card, and with the ace at either end.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from attrs import frozen

from engine.cards import Card, Rank, Suit
from engine.errors import IllegalMove
from engine.like_melds.cards import is_natural
from engine.melds import Meld
from engine.moves import Play
from engine.slots import Shown, cards_of

Cards = tuple[Shown, ...]
SMALLEST = 3


@frozen
class Sequences:
    """Limits of a game's melds in sequence, and the clauses that a refusal names."""

    form: str
    """The clause for the form of a sequence."""
    size: str
    """The clause that limits the number of cards."""
    longest: int
    """The maximum number of cards in a sequence."""

    def meld(self, cards: Cards) -> Meld:
        """Return the sequence of these cards, or raise IllegalMove."""
        faces = cards_of(cards)
        if not all(map(is_natural, faces)):
            raise IllegalMove(self.form, "A sequence has no wild cards and no threes.")
        if len({card.suit for card in faces}) > 1:
            raise IllegalMove(self.form, "A sequence is all of one suit.")
        ranks = {card.rank for card in faces}
        # In 5 6 8 the highest rank is 3 above the lowest, too much for three cards; 5 6 6 has only
        # two ranks.
        if len(ranks) < len(faces) or max(ranks) - min(ranks) >= len(faces):
            raise IllegalMove(self.form, "The cards of a sequence follow each other, each once.")
        if len(faces) < SMALLEST:
            raise IllegalMove(self.form, "A sequence has at least three cards.")
        if len(faces) > self.longest:
            raise IllegalMove(self.size, "A sequence has at most {most} cards.", most=self.longest)
        return Meld(cards, None)

    def takes(self, meld: Meld, card: Card) -> bool:
        """Return True if this one card may join the sequence."""
        ranks = [shown.card.rank for shown in meld.cards]
        beside = card.rank in (min(ranks) - 1, max(ranks) + 1) and is_natural(card)
        return beside and card.suit is meld.cards[0].card.suit and len(ranks) < self.longest

    def new_plays(self, hand: Iterable[Shown]) -> Iterator[Play]:
        """Return every new sequence from the hand; of cards with equal faces it uses only one."""
        for run in runs(hand):
            for first, end in combinations(range(len(run) + 1), 2):
                if SMALLEST <= end - first <= self.longest:
                    yield Play(run[first:end])

    def additions(self, number: int, meld: Meld, hand: Iterable[Shown]) -> Iterator[Play]:
        """Return every addition to `meld`, which has that `number`, at one end or at both."""
        suit, room = meld.cards[0].card.suit, self.longest - len(meld.cards)
        if room < 1 or suit is None:
            return
        held, ranks = _by_rank(hand, suit), [shown.card.rank for shown in meld.cards]
        up, down = _following(held, max(ranks), 1), _following(held, min(ranks), -1)
        for below in range(min(len(down), room) + 1):
            for above in range(min(len(up), room - below) + 1):
                if below + above:
                    yield Play(down[:below] + up[:above], number)


def looks_like_sequence(cards: tuple[Card, ...]) -> bool:
    """Return True if the natural cards have several ranks, but only one suit.

    The player meant a sequence, so the refusal can name the rule for sequences.
    """
    naturals = [card for card in cards if is_natural(card)]
    several = len({card.rank for card in naturals}) > 1
    return several and len({card.suit for card in naturals}) == 1


def runs(hand: Iterable[Shown]) -> list[Cards]:
    """Return the longest sequences in a hand, of at least three cards each, lowest card first."""
    cards, found = tuple(hand), []
    for suit in Suit:
        held = _by_rank(cards, suit)
        for rank in held:
            # A run begins at a rank whose next lower rank is not held; all other ranks lie inside a
            # run.
            if rank - 1 not in held:
                run = (held[rank], *_following(held, rank, 1))
                if len(run) >= SMALLEST:
                    found.append(run)
    return found


def _by_rank(hand: Iterable[Shown], suit: Suit) -> Mapping[int, Shown]:
    """Return one card of each rank of a suit, the lowest rank first."""
    own = [shown for shown in hand if shown.card.suit is suit and is_natural(shown.card)]
    return {shown.card.rank: shown for shown in sorted(own, key=lambda shown: shown.card.rank)}


def _following(held: Mapping[int, Shown], rank: int, step: int) -> Cards:
    """Return the cards that follow a rank without a gap, upwards (`step` 1) or downwards (-1)."""
    found: Cards = ()
    while (rank := rank + step) <= Rank.ACE and rank in held:
        found += (held[rank],)
    return found
