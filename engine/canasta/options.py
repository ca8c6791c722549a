"""House rules of Canasta."""

from attrs import frozen

from engine.options import Options, flag, number
from engine.sentences import N_


@frozen(kw_only=True)
class CanastaOptions(Options):
    """Table options of Canasta with their defaults."""

    target: int = number(
        5000, 500, 100_000, clause="C96", doc=N_("Match points at which the match ends.")
    )
    two_canastas: bool = flag(
        False, clause="C71", doc=N_("Two players: going out takes two canastas instead of one.")
    )
    penalties: bool = flag(
        False, clause="C97", doc=N_("Penalties for a kept red three and for a vain question.")
    )
    red_start: bool = flag(
        False,
        clause="C14",
        doc=N_("Black twos and black threes stay as the start card; red ones and jokers do not."),
    )
    ask_again: bool = flag(
        False,
        clause="C75",
        doc=N_(
            "A player who was told No may ask again in that turn; the second answer does not bind."
        ),
    )
    must_take: bool = flag(
        True,
        clause="C88",
        doc=N_("Without a stock, a pile that can be taken as it lies must be taken."),
    )
