"""Melds of Canasta: like cards of one rank with at most three wild ones."""

from engine.canasta.values import CANASTA_SIZE, MOST_WILDS, is_red_three, is_wild
from engine.cards import Rank
from engine.errors import IllegalMove
from engine.melds import Meld
from engine.slots import Shown, cards_of

_THREE = Rank.THREE  # a module variable is found faster than an attribute


def is_canasta(meld: Meld) -> bool:
    """Return True if a meld is a canasta."""
    return len(meld.cards) >= CANASTA_SIZE


def is_clean(meld: Meld) -> bool:
    """Return True if there is no wild card in the meld (C32)."""
    return not wild_count(meld)


def wild_count(meld: Meld) -> int:
    """Return how many cards of a meld are not of its rank."""
    rank = meld.rank
    return sum([shown.card.rank is not rank for shown in meld.cards])


def new_meld(cards: tuple[Shown, ...]) -> Meld:
    """Return a new meld, or raise IllegalMove.

    Black threes are accepted: only a player who goes out may lay them, but that depends on the rest
    of the hand (C69).
    """
    ranks = {card.rank for card in cards_of(cards) if not is_wild(card)}
    if not ranks:
        raise IllegalMove("C28", "Wild cards alone are no meld.")
    if len(ranks) > 1:
        raise IllegalMove("C25", "The naturals of a meld are all of one rank.")
    return _checked(Meld(cards, ranks.pop()))


def extended(meld: Meld, cards: tuple[Shown, ...]) -> Meld:
    """Return a meld with `cards` added to it, or raise IllegalMove."""
    if not cards:
        raise IllegalMove("C29", "Adding to a meld takes at least one card.")
    for card in cards_of(cards):
        if not is_wild(card) and card.rank is not meld.rank:
            raise IllegalMove("C25", "The {card} is of another rank than the meld.", card=card)
    return _checked(Meld(meld.cards + cards, meld.rank))


def _checked(meld: Meld) -> Meld:
    if meld.rank is _THREE and any(map(is_red_three, cards_of(meld.cards))):
        raise IllegalMove("C62", "Red threes are never melded.")
    size, wilds = len(meld.cards), wild_count(meld)
    naturals = size - wilds
    if size < 3:
        raise IllegalMove("C25", "A meld has at least three cards.")
    if size == 3 and wilds > 1:
        raise IllegalMove("C26", "A meld of three cards has at most one wild card.")
    if naturals < 2:
        raise IllegalMove("C27", "A meld has at least two naturals.")
    if wilds > MOST_WILDS:
        raise IllegalMove("C27", "A meld has at most three wild cards.")
    if meld.rank is _THREE and (naturals, wilds) not in ((3, 0), (4, 0), (2, 1)):
        raise IllegalMove("C69", "Black threes are laid three, four, or two with one wild card.")
    return meld
