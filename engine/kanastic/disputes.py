"""Answers of the rules of Kanastic to disputes, by topic."""

from collections.abc import Mapping

from engine.disputes import EXPOSED, MISDEAL, NOT_HELD, DisputeAnswer, ours, said
from engine.sentences import N_

ANSWERS: Mapping[str, DisputeAnswer] = {
    "draw": said("K13", N_("The first dealer is chosen at random, by any agreed method.")),
    "misdeal": ours("X22", MISDEAL),
    "exposed": ours("X23", EXPOSED),
    "not-held": ours("X11", NOT_HELD),
    "take-back": said("K119", N_("Only a first meld below its minimum is taken back.")),
    "illegal-move": said("K53", N_("Melds short of the minimum go back, and play goes on.")),
    "out-of-turn": said("K27", N_("Nobody draws before the last player has discarded.")),
    "kept-bonus": ours(
        "K19a", N_("The published rules do not say. Here a kept Treasure Pot counts nothing.")
    ),
    "talk": said("K118", N_("Talk and secret signs are forbidden. No penalty is named.")),
    "look-at-pile": ours(
        "K66", N_("The published rules do not say. Here everybody has seen the cards of the pile.")
    ),
    "hand-count": ours("X7", N_("One may announce three cards. Here everybody sees all counts.")),
    "tie": ours("X8", N_("The published rules do not say. Here another round is played.")),
}
