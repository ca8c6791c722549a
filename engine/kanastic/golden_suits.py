"""Golden suits: gold cards of consecutive ranks, and Artifacts in the place of missing ones.

The cards of such a meld lie from the lowest rank up, so an Artifact's rank is told by its place
and never changes (K113). Clauses K6, K7, K111-K116.
"""

from engine.cards import Card, Rank
from engine.errors import IllegalMove
from engine.kanastic.values import COMPLETE, MOST_WILDS
from engine.melds import Meld
from engine.slots import Shown, cards_of


def is_golden(meld: Meld) -> bool:
    """A golden suit, or a shorter run of gold cards that may become one."""
    return meld.low is not None


def is_complete_suit(meld: Meld) -> bool:
    return is_golden(meld) and len(meld.cards) >= COMPLETE


def is_royal(meld: Meld) -> bool:
    """Gold cards only (K104, K105)."""
    return all(card.gold for card in cards_of(meld.cards))


def new_run(cards: tuple[Shown, ...]) -> Meld:
    """A new run, its cards from the lowest rank up; there is a natural among them.

    Raises IllegalMove.
    """
    place, natural = next((i, card) for i, card in enumerate(cards_of(cards)) if card.suit)
    return _checked(cards, natural.rank - place)


def extended_run(meld: Meld, cards: tuple[Shown, ...], *, low: bool) -> Meld:
    """A run with `cards`, from the lowest rank up, at its high end or at its low one.

    Raises IllegalMove.
    """
    assert meld.low is not None
    if low:
        return _checked(cards + meld.cards, meld.low - len(cards))
    return _checked(meld.cards + cards, meld.low)


def _checked(cards: tuple[Shown, ...], low: int) -> Meld:
    for card in cards_of(cards):
        _check_card(card)
    if low < Rank.FOUR or low + len(cards) - 1 > Rank.ACE:
        raise IllegalMove("K112", "A golden suit lies within 4 and ace, and the ace is high.")
    if any(card.gold and card.rank != low + place for place, card in enumerate(cards_of(cards))):
        raise IllegalMove("K111", "The gold cards of a suit follow each other, the lowest first.")
    if sum(not card.gold for card in cards_of(cards)) > MOST_WILDS:
        raise IllegalMove("K111", "A golden suit has at most three Artifacts.")
    return Meld(cards, None, Rank(low))


def _check_card(card: Card) -> None:
    if card.rank is Rank.SWORD:
        raise IllegalMove("K6", "Swords have no place in a golden suit.")
    if not card.gold and card.rank is not Rank.ARTIFACT:
        raise IllegalMove("K111", "The {card} is no gold card.", card=card)
