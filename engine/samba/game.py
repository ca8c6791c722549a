"""The description of Samba for the other packages: decks, players, options and texts."""

from collections.abc import Mapping

from engine.game import CardNote, Game
from engine.games import position_in
from engine.like_melds import cards
from engine.like_melds.melds import COMPLETE
from engine.samba import constants, deck
from engine.samba.disputes import ANSWERS
from engine.samba.options import SambaOptions
from engine.sentences import Sentence


def _numbers() -> Mapping[str, int]:
    """Return the numbers for the placeholders in the text of the rules."""
    openings = {
        f"opening_{place}": need for place, (_, need) in enumerate(reversed(constants.OPENINGS), 1)
    }
    totals = {
        f"total_{place}": least for place, (least, _) in enumerate(reversed(constants.OPENINGS), 1)
    }
    return {
        "hand": constants.HAND_SIZE[4],
        "hand_6": constants.HAND_SIZE[6],
        "canasta": COMPLETE,
        "longest": constants.LONGEST_SEQUENCE,
        "most_wilds": constants.MOST_WILDS,
        **openings,
        **totals,
        "opening_below": constants.NEGATIVE_OPENING,
        **cards.numbers(),
        "samba": constants.SAMBA,
        "natural": constants.NATURAL_CANASTA,
        "mixed": constants.MIXED_CANASTA,
        "red_three": constants.RED_THREE,
        "all_red_threes": constants.ALL_RED_THREES,
        "going_out": constants.GOING_OUT,
    }


_LEGEND = (  # S13, S23, S31, S32, S34, S35, S63
    CardNote(
        ("Jo", "2s", "2h", "2d", "2c"),
        Sentence("Wild card: at most two in a meld of like cards, and none in a sequence."),
    ),
    CardNote(
        ("3h", "3d"),
        Sentence(
            "Red three: laid on the table at once and replaced. It counts {points} points for a "
            "side with the canastas that it needs to go out, and against any other.",
            points=constants.RED_THREE,
        ),
    ),
    CardNote(
        ("3s", "3c"),
        Sentence("Black three: never melded. With it on top the next player cannot take the pile."),
    ),
)


_EXAMPLE = """\
case May the pile be taken by adding its top card to a sequence?
samba 4
turn 1 draw
pile 9c 8h
hand 1 4h 4c 2s 9h Ks ? ?
meld 1 5h 6h 7h
try take ^8h 9h to 1
expect illegal S22
play take ^8h to 1
expect legal
"""


SAMBA = Game(
    name="samba",
    decks=deck.DECKS,
    load_position=position_in("engine.samba.position", "SambaPosition"),
    options=SambaOptions,
    players=(2, 3, 4, 5, 6),
    couples=(4, 6),
    draws_seats=True,
    numbers=_numbers,
    answers=ANSWERS,
    legend=_LEGEND,
    example=_EXAMPLE,
)
