"""Laying cards on the table, and what one must keep in hand."""

from engine.canasta.melds import extended, is_canasta, new_meld
from engine.canasta.values import opening_minimum, points_of
from engine.cards import Rank
from engine.errors import IllegalMove
from engine.melds import Meld
from engine.moves import Play
from engine.places import cards_of


def melds_after(melds: tuple[Meld, ...], plays: tuple[Play, ...]) -> tuple[Meld, ...]:
    """A side's melds with `plays` laid. Raises IllegalMove."""
    if not plays:
        raise IllegalMove("C25", "Melding takes at least one meld.")
    after = list(melds)
    for play in plays:
        if play.low:
            raise IllegalMove("C25", "Only golden suits have a low end.")
        if play.onto is None:
            meld = new_meld(play.cards)
            if any(meld.rank is other.rank for other in after):
                raise IllegalMove("C29", "The side has a meld of that rank already; add to it.")
            after.append(meld)
        elif 0 <= play.onto < len(melds):
            after[play.onto] = extended(after[play.onto], play.cards)
        else:
            raise IllegalMove("C29", "There is no such meld on one's own side.")
    return tuple(after)


def check_opening(plays: tuple[Play, ...], total: int) -> None:
    """The first meld of a side reaches the minimum of its match total (C37-C42)."""
    points = sum(points_of(cards_of(play.cards)) for play in plays)
    need = opening_minimum(total)
    if points < need:
        clause = "C38" if total < 0 else "C37"
        raise IllegalMove(clause, f"Opening takes {need} points, and these cards have {points}.")


def check_rest(left: int, melds: tuple[Meld, ...], *, needed: int, denied: bool) -> None:
    """Who melds keeps two cards, or goes out and may (C69, C70, C74, C85).

    `left` cards remain in hand after melding, `needed` canastas are needed to go out, and
    `denied` tells that the partner's No is binding.
    """
    if left > 1:
        if any(meld.rank is Rank.THREE for meld in melds):
            raise IllegalMove("C69", "Black threes are melded only when one goes out.")
        return
    check_going_out(melds, needed=needed, denied=denied)


def check_going_out(melds: tuple[Meld, ...], *, needed: int, denied: bool) -> None:
    """The side has its canastas, and the partner has not said No. Raises IllegalMove."""
    if denied:
        raise IllegalMove("C74", "The partner said No: one does not go out in this turn.")
    if sum(map(is_canasta, melds)) < needed:
        word = "two canastas" if needed == 2 else "a canasta"
        clause = "C71" if needed == 2 else "C85"
        raise IllegalMove(
            clause, f"Without {word} one cannot go out, so a card must stay in the hand."
        )
