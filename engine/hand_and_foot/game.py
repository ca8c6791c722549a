"""The description of Hand and Foot for the other packages: decks, players, options and texts."""

from collections.abc import Mapping

from engine.game import CardNote, Game
from engine.games import position_in
from engine.hand_and_foot import constants, deck
from engine.hand_and_foot.disputes import ANSWERS
from engine.hand_and_foot.options import HandAndFootOptions
from engine.like_melds import cards
from engine.like_melds.melds import COMPLETE
from engine.sentences import Sentence


def _numbers() -> Mapping[str, int]:
    """Return the numbers for the placeholders in the text of the rules."""
    return {
        "hand": constants.HAND_SIZE,
        **{f"opening_{i}": need for i, need in enumerate(constants.OPENINGS, 1)},
        **cards.numbers(),
        "book": COMPLETE,
        "part": constants.PILE_PART,
        "below": constants.PILE_PART - 1,
        "most_wilds": constants.MELDS.most_wilds,
        "clean_book": constants.CLEAN_BOOK,
        "dirty_book": constants.DIRTY_BOOK,
        "red_three": constants.RED_THREE,
        "going_out": constants.GOING_OUT,
    }


_LEGEND = (  # H15, H23, H33, H35, H63
    CardNote(
        ("Jo", "2s", "2h", "2d", "2c"),
        Sentence("Wild card: a meld has fewer of them than naturals, and at most three."),
    ),
    CardNote(
        ("3h", "3d"),
        Sentence(
            "Red three: laid on the table at once and replaced. It counts {points} points for a "
            "side that has melded, and against one that has not.",
            points=constants.RED_THREE,
        ),
    ),
    CardNote(
        ("3s", "3c"),
        Sentence("Black three: never melded. With it on top the next player cannot take the pile."),
    ),
)


_EXAMPLE = """\
case May the pile be taken with one four and a two?
hand_and_foot 4
round 2
turn 1 draw
pile 9c 4d
hand 1 4h 4c 2s 9d Ks ? ?
meld 1 7h 7d 7s
try take ^4d 4h 2s
expect illegal H21
play take ^4d 4h 4c
expect legal
"""


HAND_AND_FOOT = Game(
    name="hand_and_foot",
    decks=deck.DECKS,
    load_position=position_in("engine.hand_and_foot.position", "HandAndFootPosition"),
    options=HandAndFootOptions,
    players=(2, 3, 4, 5, 6),
    couples=(4, 6),
    draws_seats=True,
    numbers=_numbers,
    answers=ANSWERS,
    legend=_LEGEND,
    example=_EXAMPLE,
)
