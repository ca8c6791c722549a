"""Taking the discard pile of Kanastic, or only its top (K23, K56-K65, K75-K78)."""

from engine.cards import Card
from engine.errors import IllegalMove
from engine.kanastic.constants import FEWEST_NATURALS, is_natural, is_stop, is_wild
from engine.melds import Meld
from engine.moves import Play
from engine.slots import Shown, cards_of


def is_blocked(discards: tuple[Card, ...], seats: int) -> bool:
    """Return True if a stop card was discarded since the mover's own last discard (K75-K78).

    `discards` are all cards discarded in the round, oldest first, even those that have left the
    pile.
    """
    # With four seats these are the last three discards: one of each other player, since the mover's
    # own.
    return any(map(is_stop, discards[1 - seats :]))


def check_free(pile: tuple[Shown, ...], discards: tuple[Card, ...], seats: int) -> Shown:
    """Return the top of the pile if it may be taken, alone or with the rest.

    Raises IllegalMove otherwise.
    """
    if not pile:
        raise IllegalMove("K57", "There is no discard pile.")
    top = pile[-1]
    if len(discards) == 1:
        raise IllegalMove("K23", "The first discard of the round is never taken.")
    if is_stop(top.card):
        raise IllegalMove("K57", "A pile with a {card} on top cannot be taken.", card=top.card)
    if is_blocked(discards, seats):
        raise IllegalMove(
            "K76", "The pile is blocked by a stop card discarded since one's last turn."
        )
    return top


def check_use(
    top: Shown, plays: tuple[Play, ...], melds: tuple[Meld, ...], *, use: str, wilds: str
) -> None:
    """Raise IllegalMove unless the top is laid in a new meld with two naturals of the hand.

    The new meld must have no wild card, and must not be of the rank of one of the side's `melds`.
    `use` is the clause for the new meld, `wilds` the clause against wild cards. The rules for all
    melds are checked by `melds_after`.
    """
    play = next((play for play in plays if top in play.cards), None)
    if play is None:
        raise IllegalMove(use, "The top card, the {card}, must be melded at once.", card=top.card)
    if play.onto is not None:
        raise IllegalMove(
            use, "The {card} goes into a new meld, not onto an old one.", card=top.card
        )
    if any(map(is_wild, cards_of(play.cards))):
        raise IllegalMove(wilds, "The meld with the {card} has no wild cards.", card=top.card)
    if sum(map(is_natural, cards_of(play.cards))) < FEWEST_NATURALS:
        raise IllegalMove(
            use, "Two naturals from the hand must be laid with the {card}.", card=top.card
        )
    if all(card.rank is top.card.rank for card in cards_of(play.cards)) and any(
        meld.rank is top.card.rank for meld in melds
    ):
        raise IllegalMove(
            "K33",
            "The {card} must start a new meld, but the side has a meld of its rank "
            "already, so it cannot take this pile.",
            card=top.card,
        )
