"""Melds of Kanastic: like cards of one rank, and golden suits (`engine.kanastic.golden_suit_runs`).

Clauses K5-K10, K30-K39, K110.
"""

from engine.errors import IllegalMove
from engine.kanastic import constants
from engine.kanastic.golden_suit_runs import extended_run, is_complete_suit, is_golden, new_run
from engine.melds import Meld
from engine.slots import Shown, cards_of


def is_canasta(meld: Meld) -> bool:
    """Return True for a canasta: at least seven like cards."""
    return not is_golden(meld) and len(meld.cards) >= constants.COMPLETE


def is_complete(meld: Meld) -> bool:
    """Return True for a canasta or a complete golden suit; going out requires one (K97)."""
    return is_canasta(meld) or is_complete_suit(meld)


def is_mixed(meld: Meld) -> bool:
    """Return True if there is a wild card in the meld (K38, K105)."""
    return any(map(constants.is_wild, cards_of(meld.cards)))


def new_meld(cards: tuple[Shown, ...], *, distinct_suits: bool) -> Meld:
    """Return a new meld, or raise IllegalMove."""
    _check_meldable(cards)
    naturals = [card for card in cards_of(cards) if constants.is_natural(card)]
    if not naturals:
        raise IllegalMove("K10", "Wild cards alone are no meld.")
    if len(naturals) < constants.FEWEST_NATURALS:
        raise IllegalMove("K30", "A meld has at least three naturals.")
    ranks = {card.rank for card in naturals}
    if len(ranks) == 1:
        # A gold card is a spade, too: Kg Ks Kh show only two suits.
        if distinct_suits and len({card.suit for card in naturals}) < constants.FEWEST_NATURALS:
            raise IllegalMove("K31", "A new meld shows naturals of at least three suits.")
        return _checked(Meld(cards, ranks.pop()))
    if all(card.gold for card in naturals):
        return new_run(cards)
    raise IllegalMove("K31", "The naturals of a meld are of one rank, or all of them are gold.")


def extended(meld: Meld, cards: tuple[Shown, ...], *, low: bool) -> Meld:
    """Return a meld with `cards` added to it, or raise IllegalMove."""
    if not cards:
        raise IllegalMove("K35", "Adding to a meld takes at least one card.")
    _check_meldable(cards)
    if is_golden(meld):
        return extended_run(meld, cards, low=low)
    check_no_low_end(low)
    for card in cards_of(cards):
        if constants.is_natural(card) and card.rank is not meld.rank:
            raise IllegalMove("K35", "The {card} is of another rank than the meld.", card=card)
    return _checked(Meld(meld.cards + cards, meld.rank))


def check_no_low_end(low: bool) -> None:
    """Raise IllegalMove if a play names the low end of a meld that has none."""
    if low:
        raise IllegalMove("K112", "Only a golden suit on the table has a low end.")


def _check_meldable(cards: tuple[Shown, ...]) -> None:
    if any(map(constants.is_shield, cards_of(cards))):
        raise IllegalMove("K8", "Shields are never melded.")
    if any(map(constants.is_pot, cards_of(cards))):
        raise IllegalMove("K9", "Treasure Pots are never melded.")


def _checked(meld: Meld) -> Meld:
    if sum(map(constants.is_wild, cards_of(meld.cards))) > constants.MOST_WILDS:
        raise IllegalMove("K30", "A meld has at most three wild cards.")
    if len(meld.cards) > constants.LARGEST_RANK_MELD:
        raise IllegalMove("K37", "A meld of one rank has at most eight cards.")
    return meld
