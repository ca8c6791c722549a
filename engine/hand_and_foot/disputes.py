"""Answers of the rules of Hand and Foot to disputes, by topic."""

from collections.abc import Mapping

from engine.disputes import MISDEAL, NOT_HELD, OUT_OF_TURN, WRONG, DisputeAnswer, ours, said
from engine.sentences import N_

ANSWERS: Mapping[str, DisputeAnswer] = {
    "draw": said(
        "H4",
        N_("Whoever draws the highest card chooses a place; whoever draws a joker draws again."),
    ),
    "misdeal": ours("X22", MISDEAL),
    "not-held": ours("X11", NOT_HELD),
    "illegal-move": ours("X2", WRONG),
    "out-of-turn": ours("X10", OUT_OF_TURN),
    "kept-bonus": said("H64", N_("A red three that is kept costs as much as it counts.")),
    "hand-count": ours("X7", N_("The published rules do not say. Here everybody sees all counts.")),
    "tie": ours("X8", N_("The published rules do not say. Here equal points are a draw.")),
}
