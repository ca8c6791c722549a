"""Going out in Canasta: the conditions, and the cards that a player must keep otherwise."""

from collections.abc import Iterator

from attrs import frozen

from engine.canasta.melds import MELDS
from engine.errors import IllegalMove
from engine.like_melds.melds import is_complete
from engine.melds import Meld
from engine.slots import Shown

Melds = tuple[Meld, ...]


@frozen
class GoingOut:
    """Conditions for going out."""

    canastas: int
    """Number of canastas that the side must have (C70, C71)."""
    denied: bool
    """True if the partner has said No (C74)."""

    def allows(self, melds: Melds) -> bool:
        """Return True if a side with these melds may go out."""
        return not self.denied and sum(map(is_complete, melds)) >= self.canastas

    def check(self, melds: Melds, clause: str = "C70") -> None:
        """Raise IllegalMove unless a side with these melds may go out.

        `clause` is the clause that the error names if a canasta is lacking.
        """
        if self.allows(melds):
            return
        if self.denied:
            raise IllegalMove("C74", "The partner said No: one does not go out in this turn.")
        if self.canastas > 1:
            raise IllegalMove("C71", "Going out takes two canastas between two players.")
        raise IllegalMove(clause, "Without a canasta one cannot go out, so a card must be kept.")

    def check_rest(self, melds: Melds, left: int, last: Shown | None) -> None:
        """Raise IllegalMove if the mover could not finish the turn after melding (C85, C85a).

        `left` cards remain in the hand. `last` is the card if only one remains and everybody knows
        it; otherwise it is None.
        """
        if left < 2 and not (last and any(map(self.allows, _with(melds, last)))):
            # With one card left a card must be kept (C85); with none left the mover goes out by
            # melding (C70).
            self.check(melds, "C85" if left else "C70")


def _with(melds: Melds, shown: Shown) -> Iterator[Melds]:
    """Return an iterator over the melds after each way to add one card to them."""
    for number, meld in enumerate(melds):
        try:
            longer = MELDS.extended(meld, (shown,))
        except IllegalMove:
            continue
        yield (*melds[:number], longer, *melds[number + 1 :])
