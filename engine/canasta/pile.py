"""When the discard pile of Canasta may be taken."""

from engine.canasta.values import freezes, is_black_three, is_wild
from engine.errors import IllegalMove
from engine.moves import Play
from engine.slots import Shown


def is_frozen(pile: tuple[Shown, ...]) -> bool:
    """A joker, a two or a red three lies in the pile (C15, C51)."""
    return any(freezes(shown.card) for shown in pile)


def check_taking(pile: tuple[Shown, ...], plays: tuple[Play, ...], *, opened: bool) -> None:
    """The pile may be taken with these plays (C44-C50); `opened` tells that the side has melded.

    What the melds themselves must be, and what an opening must reach, is checked elsewhere.
    Raises IllegalMove.
    """
    if not pile:
        raise IllegalMove("C17", "There is no discard pile to take.")
    top = pile[-1]
    if is_wild(top.card) or is_black_three(top.card):
        raise IllegalMove("C50", f"A pile with a {top.card} on top cannot be taken.")
    play = next((play for play in plays if top in play.cards), None)
    if play is None:
        raise IllegalMove("C44", f"The top card, the {top.card}, must be melded at once.")
    beside = [shown.card for shown in play.cards if shown != top]
    naturals = sum(card.rank is top.card.rank for card in beside)
    wilds = sum(map(is_wild, beside))
    if not opened and naturals < 2:
        raise IllegalMove("C45", _pair_wanted(top, "the side has not opened"))
    if is_frozen(pile) and naturals < 2:
        raise IllegalMove("C48", _pair_wanted(top, "the pile is frozen"))
    if play.onto is None and naturals == 0:
        clause = "C49" if wilds else "C46"
        raise IllegalMove(clause, f"No {top.card.rank.code} from the hand joins the top card.")


def _pair_wanted(top: Shown, why: str) -> str:
    return f"Taking the {top.card} needs two more of its rank from the hand: {why}."
