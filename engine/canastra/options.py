"""House rules of Canastra."""

from attrs import frozen

from engine.options import Options, flag, number
from engine.sentences import N_


@frozen(kw_only=True)
class CanastraOptions(Options):
    """Table options of Canastra with their defaults."""

    rounds: int = number(
        1, 1, 1000, clause="B2a", doc=N_("Games to play; the players take turns at starting.")
    )
    require_canastra: bool = flag(
        False, clause="B45", doc=N_("Going out for good takes a canastra of one's own.")
    )
    idle_turns: int = number(
        100,
        10,
        1000,
        clause="B55",
        doc=N_(
            "Turns in a row without a card drawn from the stock or melded, after which the "
            "game ends."
        ),
    )
