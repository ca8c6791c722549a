"""What becomes of a run with one more card.

Whoever looks for moves asks it of the same runs many times over: the answers are kept.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from attrs import frozen

from engine.canastra.deck import CANASTRA
from engine.canastra.runs import Run, arranged, position_code
from engine.canastra.values import LONGEST_SEQUENCE, is_two
from engine.cards import Card, Rank, Suit
from engine.slots import Shown

_FACES = CANASTRA[: len(CANASTRA) // 2]  # one card of each face
_TWOS = tuple(card for card in _FACES if is_two(card))


@frozen
class Growth:
    """A run as it lies, and what becomes of it with one more card, by the code of that card. `kin`
    are the codes of the naturals that may join it at all, one after another.

    `turned` is for a sequence with an ace, which may come to lie at its other end: for each longer
    length how many cards are lacking, and the codes of those it has not.
    """

    run: Run
    longer: Mapping[str, Run]
    kin: frozenset[str]
    turned: tuple[tuple[int, tuple[str, ...]], ...]


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
    kin = [card for card in _FACES if not is_two(card) and _may_join(run, lying, suit, card)]
    longer = {card.code: arranged((*cards, card)) for card in (*kin, *_TWOS)}
    return Growth(
        run,
        {code: run for code, run in longer.items() if run},
        frozenset([card.code for card in kin]),
        tuple(_turned(run)),
    )


def _turned(run: Run) -> Iterator[tuple[int, tuple[str, ...]]]:
    if run.low is None or all(card.rank is not Rank.ACE for card in run.cards):
        return
    suit = next(card.suit for card in run.cards if card.suit and not is_two(card))
    there = {card.code for card in run.cards}
    size = len(run.cards)
    for length in range(size + 1, LONGEST_SEQUENCE + 1):
        low = LONGEST_SEQUENCE - length + 1 if run.low == 1 else 1
        codes = [position_code(suit, position) for position in range(low, low + length)]
        yield length - size, tuple(code for code in codes if code not in there)


def _may_join(run: Run, lying: set[Rank], suit: Suit | None, card: Card) -> bool:
    """A quick look before the rules are asked: a card of the number, or one of the suit that the
    sequence lacks; aces may lie at either end.
    """
    if run.low is None:
        return card.rank in lying
    return card.suit is suit and (card.rank is Rank.ACE or card.rank not in lying)
