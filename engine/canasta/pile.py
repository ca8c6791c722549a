"""Taking the discard pile of Canasta."""

from engine.errors import IllegalMove
from engine.like_melds.cards import freezes, is_black_three, is_wild
from engine.moves import Play
from engine.slots import Shown, cards_of


def is_frozen(pile: tuple[Shown, ...]) -> bool:
    """Return True if a joker, a two or a red three lies in the pile (C15, C51)."""
    return any(map(freezes, cards_of(pile)))


def check_taking(pile: tuple[Shown, ...], plays: tuple[Play, ...], *, opened: bool) -> None:
    """Raise IllegalMove unless the pile may be taken with these plays (C44-C50).

    `opened` is True if the side has melded. The melds themselves, and the minimum of an opening,
    are checked elsewhere.
    """
    if not pile:
        raise IllegalMove("C17", "There is no discard pile to take.")
    top = pile[-1]
    if is_wild(top.card) or is_black_three(top.card):
        raise IllegalMove("C50", "A pile with a {card} on top cannot be taken.", card=top.card)
    play = next((play for play in plays if top in play.cards), None)
    if play is None:
        raise IllegalMove("C44", "The top card, the {card}, must be melded at once.", card=top.card)
    # Cards from the hand that are laid with the top. If the top is a king, K K 2 from the hand are
    # two naturals and one wild card.
    beside = [shown.card for shown in play.cards if shown != top]
    naturals = sum(card.rank is top.card.rank for card in beside)
    wilds = sum(map(is_wild, beside))
    if not opened and naturals < 2:
        raise IllegalMove(
            "C45",
            "Taking the {card} needs two more of its rank from the hand: the side has not opened.",
            card=top.card,
        )
    if is_frozen(pile) and naturals < 2:
        raise IllegalMove(
            "C48",
            "Taking the {card} needs two more of its rank from the hand: the pile is frozen.",
            card=top.card,
        )
    # Here the pile is not frozen, or there are two naturals. If the top, a king, joins no meld of
    # kings on the table, it needs a king from the hand, and a second king or a wild card.
    if play.onto is None and naturals == 0:
        clause = "C49" if wilds else "C46"
        raise IllegalMove(
            clause, "No {rank} from the hand joins the top card.", rank=top.card.rank.code
        )
