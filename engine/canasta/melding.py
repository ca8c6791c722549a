"""Laying cards on the table in Canasta: the melds of a side afterwards, and its opening."""

from engine.canasta.melds import extended, new_meld
from engine.canasta.values import opening_minimum, points_of
from engine.errors import IllegalMove
from engine.melds import Meld
from engine.moves import Play
from engine.slots import cards_of


def melds_after(melds: tuple[Meld, ...], plays: tuple[Play, ...]) -> tuple[Meld, ...]:
    """Return a side's melds with `plays` laid, or raise IllegalMove."""
    if not plays:
        raise IllegalMove("C25", "Melding takes at least one meld.")
    after = list(melds)
    for play in plays:
        if play.low:
            raise IllegalMove("C25", "There are no sequences here, so no meld has a low end.")
        if play.onto is None:
            meld = new_meld(play.cards)
            if any(meld.rank is other.rank for other in after):
                raise IllegalMove("C29", "The side has a meld of that rank already; add to it.")
            after.append(meld)
        # Only melds that lay there before: cards for a new meld are laid with it.
        elif 0 <= play.onto < len(melds):
            after[play.onto] = extended(after[play.onto], play.cards)
        else:
            raise IllegalMove("C31", "Cards are added to a meld of one's own side only.")
    return tuple(after)


def check_opening(plays: tuple[Play, ...], total: int) -> None:
    """Raise IllegalMove unless a side's first melds reach the minimum of its total (C37-C42)."""
    points = sum(points_of(cards_of(play.cards)) for play in plays)
    need = opening_minimum(total)
    if points < need:
        clause = "C38" if total < 0 else "C37"
        raise IllegalMove(
            clause,
            "Opening takes {need} points, and these cards have {points}.",
            need=need,
            points=points,
        )
