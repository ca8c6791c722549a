"""What becomes of a run with one more card.

Whoever looks for moves asks it of the same runs many times over: the answers are kept.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from attrs import frozen

from engine.canastra.deck import CANASTRA
from engine.canastra.runs import Run, arranged
from engine.canastra.values import is_two
from engine.cards import Card, Rank, Suit
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
    lying = {card.rank for card in cards if not is_two(card)}
    suit = next(card.suit for card in cards if not is_two(card))
    tried = [card for card in _FACES if is_two(card) or _may_join(run, lying, suit, card)]
    longer = {card.code: arranged((*cards, card)) for card in tried}
    return Growth(run, {code: run for code, run in longer.items() if run})


def _may_join(run: Run, lying: set[Rank], suit: Suit | None, card: Card) -> bool:
    """A quick look before the rules are asked: a card of the number, or one of the suit that the
    sequence lacks; aces may lie at either end.
    """
    if run.low is None:
        return card.rank in lying
    return card.suit is suit and (card.rank is Rank.ACE or card.rank not in lying)
