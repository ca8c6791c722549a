"""Answers of the rules of Canastra to disputes, by topic."""

from collections.abc import Mapping

from engine.disputes import EXPOSED, MISDEAL, NOT_HELD, WRONG, DisputeAnswer, ours, said
from engine.sentences import N_

ANSWERS: Mapping[str, DisputeAnswer] = {
    "draw": ours(
        "B8", N_("The published rules do not say who starts. Here it is the higher card.")
    ),
    "misdeal": ours("X22", MISDEAL),
    "exposed": ours("X23", EXPOSED),
    "not-held": ours("X11", NOT_HELD),
    "take-back": said("B35", N_("Cards are never removed from a run.")),
    "illegal-move": ours("X2", WRONG),
    "out-of-turn": said("B11", N_("Runs are changed only in one's own turn, after drawing.")),
    "talk": ours("X7", N_("The published rules do not say.")),
    "look-at-pile": ours("B14", N_("The published rules do not say. Here the pile lies open.")),
    "hand-count": ours("X7", N_("The published rules do not say. Here everybody sees all counts.")),
    "tie": ours("B65", N_("The published rules do not say. Here equal points are a draw.")),
}
