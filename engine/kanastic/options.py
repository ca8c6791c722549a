"""House rules of Kanastic."""

from attrs import frozen

from engine.options import Options, flag, number
from engine.sentences import N_


@frozen(kw_only=True)
class KanasticOptions(Options):
    """Table options of Kanastic with their defaults."""

    target: int = number(
        10_000, 500, 100_000, clause="K117", doc=N_("Match points at which the match ends.")
    )
    distinct_suits: bool = flag(
        True,
        clause="K31",
        doc=N_("A new meld of like cards shows naturals of three different suits."),
    )
    going_out_bonus: int = number(
        100, 0, 1000, clause="K109", doc=N_("Points for the side that goes out.")
    )
    barren_passes: int = number(
        2,
        1,
        100,
        clause="K94",
        doc=N_(
            "The round ends when the stock was rebuilt this many times in a row without a card "
            "melded."
        ),
    )
    short_suits: bool = flag(
        False, clause="K51", doc=N_("Three gold cards in sequence meet every stage.")
    )
    leave_pile: bool = flag(
        False, clause="K72", doc=N_("A side that has melded may take the top alone, too.")
    )
    double_totals: bool = flag(
        False, clause="K98", doc=N_("The last discard doubles match totals, not only the round.")
    )
