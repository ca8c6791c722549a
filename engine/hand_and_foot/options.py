"""House rules of Hand and Foot."""

from attrs import frozen

from engine.hand_and_foot.constants import FEWEST_PACKS, MOST_PACKS, PACKS
from engine.options import Options, flag, number
from engine.sentences import N_


@frozen(kw_only=True)
class HandAndFootOptions(Options):
    """Table options of Hand and Foot with their defaults."""

    rounds: int = number(
        4,
        1,
        1000,
        clause="H2",
        doc=N_(
            "Rounds to play; from the first to the fourth, first melds need more and more points."
        ),
    )
    packs: int = number(
        PACKS,
        FEWEST_PACKS,
        MOST_PACKS,
        clause="H3",
        doc=N_("Packs of cards, each with two jokers."),
    )
    draw: int = number(2, 1, 3, clause="H13", doc=N_("Cards to draw from the stock."))
    whole_pile: bool = flag(
        False, clause="H24", doc=N_("The whole pile is taken, not only its top cards.")
    )
    clean_books: int = number(1, 0, 5, clause="H53", doc=N_("Clean books needed to go out."))
    dirty_books: int = number(1, 0, 5, clause="H53", doc=N_("Dirty books needed to go out."))
