"""Answers of the rules of Canasta to disputes, by topic."""

from collections.abc import Mapping

from engine.disputes import MISDEAL, NOT_HELD, OUT_OF_TURN, WRONG, DisputeAnswer, ours, said
from engine.sentences import N_

ANSWERS: Mapping[str, DisputeAnswer] = {
    "draw": said(
        "C5",
        N_("Whoever draws the highest card chooses a place; whoever draws a joker draws again."),
    ),
    "misdeal": ours("X22", MISDEAL),
    "exposed": said(
        "C97", N_("With the option penalties, uncovering a card while drawing costs 50.")
    ),
    "not-held": ours("X11", NOT_HELD),
    "take-back": ours("X3", N_("The published rules do not say. Here a legal move is final.")),
    "illegal-move": ours("X2", WRONG),
    "out-of-turn": ours("X10", OUT_OF_TURN),
    "kept-bonus": said(
        "C97", N_("With the option penalties, a red three kept unawares costs 500.")
    ),
    "talk": said("C57", N_("Talk and comments are forbidden. No penalty is named.")),
    "look-at-pile": said("C61", N_("The pile may not be examined: only its top is seen.")),
    "hand-count": said("C58", N_("One may ask how many cards a player holds.")),
    "tie": ours("X8", N_("The published rules do not say. Here another round is played.")),
}
