"""What becomes of a run with one more card.

Whoever looks for moves asks it of the same runs many times over: the answers are kept.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from attrs import frozen

from engine.canastra.deck import CANASTRA
from engine.canastra.runs import Run, arranged, position_code
from engine.canastra.values import LONGEST_SEQUENCE, is_two
from engine.cards import Rank, Suit
from engine.slots import Shown

_FACES = {card.code: card for card in reversed(CANASTRA)}  # one card of each face
_TWOS = frozenset(card.code for card in CANASTRA if is_two(card))
_NATURALS = frozenset(_FACES) - _TWOS
_OF_RANK = {rank: frozenset(c for c in _NATURALS if _FACES[c].rank is rank) for rank in Rank}
_OF_SUIT = {suit: frozenset(c for c in _NATURALS if _FACES[c].suit is suit) for suit in Suit}


@frozen
class Growth:
    """A run as it lies, and what may become of it. `possible` are the codes of the cards that may
    join it at all, one after another.

    `turned` is for a sequence with an ace, which may come to lie at its other end: for each longer
    length how many cards are lacking, and the codes of those it has not.
    """

    numbers: frozenset[int]
    run: Run
    possible: frozenset[str]
    turned: tuple[tuple[int, tuple[str, ...]], ...]

    def longer(self, code: str) -> Run | None:
        """The run with one more card of this face; None where that is no run."""
        return _longer(self.numbers, code) if code in self.possible else None


def growth(cards: Iterable[Shown]) -> Growth:
    """The growth of cards that are a run."""
    return _growth(frozenset([shown.card.number for shown in cards]))


@lru_cache(maxsize=20_000)
def _growth(numbers: frozenset[int]) -> Growth:
    cards = tuple(CANASTRA[number] for number in numbers)
    run = arranged(cards)
    assert run is not None
    naturals = [card for card in cards if not is_two(card)]
    first = naturals[0]
    if run.low is None:
        possible = _OF_RANK[first.rank]
    else:  # aces may lie at either end
        assert first.suit is not None
        once = {card.code for card in naturals if card.rank is not Rank.ACE}
        possible = _OF_SUIT[first.suit] - once
    return Growth(numbers, run, possible | _TWOS, tuple(_turned(run)))


@lru_cache(maxsize=20_000)
def _longer(numbers: frozenset[int], code: str) -> Run | None:
    return arranged((*[CANASTRA[number] for number in numbers], _FACES[code]))


def _turned(run: Run) -> Iterator[tuple[int, tuple[str, ...]]]:
    suit = next((card.suit for card in run.cards if card.rank is Rank.ACE), None)
    if run.low is None or suit is None:
        return
    there = {card.code for card in run.cards}
    size = len(run.cards)
    for length in range(size + 1, LONGEST_SEQUENCE + 1):
        low = LONGEST_SEQUENCE - length + 1 if run.low == 1 else 1
        codes = [position_code(suit, position) for position in range(low, low + length)]
        yield length - size, tuple(code for code in codes if code not in there)
