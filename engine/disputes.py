"""Disputes about something that is not a move, and the answers of a game's rules."""

from attrs import frozen

from engine.sentences import N_, Marked, Sentence


@frozen
class DisputeAnswer:
    """The rules' answer to one dispute."""

    clause: str
    """The clause of our rules that has the answer."""
    says: bool
    """True if the published rules of the game have the answer; False if only our own rules do."""
    short: Sentence
    """The answer in a short sentence."""


def said(clause: str, short: Marked) -> DisputeAnswer:
    """Return an answer that the published rules of the game give."""
    return DisputeAnswer(clause, True, Sentence.of(short))


def ours(clause: str, short: Marked) -> DisputeAnswer:
    """Return an answer that this program gives because the published rules are silent."""
    return DisputeAnswer(clause, False, Sentence.of(short))


MISDEAL = N_("The published rules do not say what follows a misdeal. Here the program deals.")
EXPOSED = N_(
    "The published rules do not say what follows. Here nobody sees a card before its time."
)
NOT_HELD = N_("The published rules do not say. A move with a card that is not held is refused.")
OUT_OF_TURN = N_("The published rules have no penalty for it. A move out of turn is refused.")
WRONG = N_(
    "The published rules do not say. A move that is refused changes nothing, and play goes on."
)
