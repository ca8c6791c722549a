"""What becomes of a run with one more card.

Whoever looks for moves asks it of the same runs many times over: the answers are kept.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from attrs import frozen

from engine.canastra.deck import CANASTRA
from engine.canastra.runs import Run, arranged
from engine.canastra.values import is_two
from engine.cards import Card
from engine.slots import Shown

_FACES = CANASTRA[: len(CANASTRA) // 2]  # one card of each face


@frozen
class Growth:
    """A run as it lies, and what becomes of it with one more card, by the code of that card."""

    run: Run
    longer: Mapping[str, Run]


def growth(cards: Iterable[Shown]) -> Growth:
    """The growth of cards that are a run."""
    return _growth(frozenset([shown.card.number for shown in cards]))


@lru_cache(maxsize=20_000)
def _growth(numbers: frozenset[int]) -> Growth:
    cards = tuple(CANASTRA[number] for number in numbers)
    run = arranged(cards)
    assert run is not None
    tried = {card.code: arranged((*cards, card)) for card in _FACES if _may_join(cards, card)}
    return Growth(run, {code: longer for code, longer in tried.items() if longer})


def _may_join(cards: Sequence[Card], card: Card) -> bool:
    """A quick look before the rules are asked: wild, or of the suit or the rank of a natural."""
    naturals = [other for other in cards if not is_two(other)]
    return is_two(card) or any(
        card.suit is other.suit or card.rank is other.rank for other in naturals[:2]
    )
