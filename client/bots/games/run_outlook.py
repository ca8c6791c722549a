"""What becomes of a run of Canastra with one more card.

Asking the rules for every card and run takes long, and the same runs are asked about many times:
the answers are kept.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from attrs import frozen

from engine.canastra.deck import CANASTRA
from engine.canastra.runs import Run, arranged
from engine.canastra.values import is_two
from engine.cards import Card
from engine.melds import Meld


@frozen
class Outlook:
    """A run as it lies, and what becomes of it with one more card, by the code of that card."""

    run: Run
    longer: Mapping[str, Run]


def outlook(meld: Meld) -> Outlook:
    return _outlook(frozenset(shown.card.number for shown in meld.cards))


@lru_cache(maxsize=20_000)
def _outlook(numbers: frozenset[int]) -> Outlook:
    cards = tuple(CANASTRA[number] for number in numbers)
    run = arranged(cards)
    assert run is not None
    faces = CANASTRA[: len(CANASTRA) // 2]
    tried = {card.code: arranged((*cards, card)) for card in faces if _may_join(cards, card)}
    return Outlook(run, {code: longer for code, longer in tried.items() if longer})


def _may_join(cards: Sequence[Card], card: Card) -> bool:
    """A quick look before the rules are asked: wild, or of the suit or the rank of a natural."""
    naturals = [other for other in cards if not is_two(other)]
    return is_two(card) or any(
        card.suit is other.suit or card.rank is other.rank for other in naturals[:2]
    )
