"""House rules of Samba."""

from attrs import frozen

from engine.options import Options, flag, number
from engine.sentences import N_


@frozen(kw_only=True)
class SambaOptions(Options):
    """Table options of Samba with their defaults."""

    target: int = number(
        10_000, 500, 100_000, clause="S2", doc=N_("Match points at which the match ends.")
    )
    draw: int = number(2, 1, 3, clause="S11", doc=N_("Cards to draw from the stock."))
    closed_sequences: bool = flag(
        True, clause="S37", doc=N_("A sequence of seven cards takes no more cards.")
    )
    canastas: int = number(2, 0, 5, clause="S51", doc=N_("Canastas and sambas needed to go out."))
