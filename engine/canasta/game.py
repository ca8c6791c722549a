"""The description of Canasta for the other packages: decks, players, options and texts."""

from collections.abc import Mapping

from engine.canasta import constants, deck
from engine.canasta.disputes import ANSWERS
from engine.canasta.melds import MELDS
from engine.canasta.options import CanastaOptions
from engine.game import CardNote, Game
from engine.games import position_in
from engine.like_melds import cards
from engine.like_melds.melds import COMPLETE
from engine.sentences import Sentence


def _numbers() -> Mapping[str, int]:
    """Return the numbers for the placeholders in the text of the rules."""
    stages = constants.OPENINGS[::-1]
    return {
        **{f"hand_{players}": size for players, size in constants.HAND_SIZE.items()},
        **{f"stage_{i}": least for i, (least, _) in enumerate(stages)},
        **{f"opening_{i}": need for i, (_, need) in enumerate(stages)},
        "negative_opening": constants.NEGATIVE_OPENING,
        **cards.numbers(),
        "canasta_size": COMPLETE,
        "most_wilds": MELDS.most_wilds,
        "clean_canasta": constants.CLEAN_CANASTA,
        "dirty_canasta": constants.DIRTY_CANASTA,
        "red_three": constants.RED_THREE,
        "all_red_threes": constants.ALL_RED_THREES,
        "going_out": constants.GOING_OUT,
        "relance": constants.RELANCE,
        "kept_red_three": constants.KEPT_RED_THREE_PENALTY,
        "vain_question": constants.VAIN_QUESTION_PENALTY,
        "exposed_card": constants.EXPOSED_CARD_PENALTY,
    }


_LEGEND = (  # C15, C23-C26, C50, C62, C66, C67, C69
    CardNote(("Jo",), Sentence("Joker: wild. Discarded, it freezes the pile.")),
    CardNote(
        ("2s", "2h", "2d", "2c"),
        Sentence("Two: wild, like a joker. Discarded, it freezes the pile."),
    ),
    CardNote(
        ("3h", "3d"),
        Sentence(
            "Red three: laid on the table at once and replaced. It counts {points} points for a "
            "side that has melded, and against one that has not; all four count {all}.",
            points=constants.RED_THREE,
            all=constants.ALL_RED_THREES,
        ),
    ),
    CardNote(
        ("3s", "3c"),
        Sentence(
            "Black three: with it on top the next player cannot take the pile. It is melded only "
            "when going out."
        ),
    ),
)


_EXAMPLE = """\
case May the pile be taken with one four and a two?
canasta 4
totals 1520 940
turn 1 draw
pile 9c 4d
hand 1 4h 4c 2s 9d Ks ? ?
meld 1 7h 7d 7s
try take ^4d 4h 2s
try take ^4d
expect illegal C46
play take ^4d 4h 4c
expect legal
play discard Ks
expect turn 2 draw
"""


CANASTA = Game(
    name="canasta",
    decks=deck.DECKS,
    load_position=position_in("engine.canasta.position", "CanastaPosition"),
    options=CanastaOptions,
    players=(2, 3, 4, 5, 6),
    couples=(4, 6),
    draws_seats=True,
    numbers=_numbers,
    answers=ANSWERS,
    legend=_LEGEND,
    example=_EXAMPLE,
)
