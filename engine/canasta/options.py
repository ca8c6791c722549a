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

    @property
    def match_target(self) -> int:
        return self.target
