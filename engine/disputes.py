"""What a table disputes beyond moves, and how the rules of a game answer."""

from attrs import frozen

from engine.sentences import N_, Marked, Sentence


@frozen
class Answer:
    """`clause` of our rules, whether the text of the game `says` it, and in short what it is."""

    clause: str
    says: bool
    short: Sentence


def said(clause: str, short: Marked) -> Answer:
    """What the text of the game says."""
    return Answer(clause, True, Sentence.of(short))


def ours(clause: str, short: Marked) -> Answer:
    """What is so here, where the text of the game is silent."""
    return Answer(clause, False, Sentence.of(short))


MISDEAL = N_("The text does not say what follows a misdeal. Here the program deals.")
EXPOSED = N_("The text does not say what follows. Here nobody sees a card before its time.")
NOT_HELD = N_("The text does not say. A move with a card that is not held is refused.")
OUT_OF_TURN = N_("The text has no penalty for it. A move out of turn is refused.")
WRONG = N_("The text does not say. A move that is refused changes nothing, and play goes on.")
