"""The game of Canasta, as all else knows it."""

from collections.abc import Mapping

from engine.canasta import values
from engine.canasta.disputes import ANSWERS
from engine.canasta.options import CanastaOptions
from engine.canasta.position import CanastaPosition
from engine.cards import Rank
from engine.game import Game


def _numbers() -> Mapping[str, int]:
    points = values.CARD_POINTS
    stages = values.OPENINGS[::-1]
    return {
        **{f"hand_{players}": size for players, size in values.HAND_SIZE.items()},
        **{f"stage_{i}": least for i, (least, _) in enumerate(stages)},
        **{f"opening_{i}": need for i, (_, need) in enumerate(stages)},
        "negative_opening": values.NEGATIVE_OPENING,
        "joker": points[Rank.JOKER],
        "two": points[Rank.TWO],
        "ace": points[Rank.ACE],
        "eight": points[Rank.EIGHT],
        "four": points[Rank.FOUR],
        "three": points[Rank.THREE],
        "canasta_size": values.CANASTA_SIZE,
        "most_wilds": values.MOST_WILDS,
        "clean_canasta": values.CLEAN_CANASTA,
        "dirty_canasta": values.DIRTY_CANASTA,
        "red_three": values.RED_THREE,
        "all_red_threes": values.ALL_RED_THREES,
        "going_out": values.GOING_OUT,
        "relance": values.RELANCE,
        "kept_red_three": values.KEPT_RED_THREE_PENALTY,
        "vain_question": values.VAIN_QUESTION_PENALTY,
        "exposed_card": values.EXPOSED_CARD_PENALTY,
    }


CANASTA = Game(
    name="canasta",
    position=CanastaPosition,
    options=CanastaOptions,
    players=(2, 3, 4, 5, 6),
    couples=(4, 6),
    draws_seats=True,
    highest_deals=False,
    numbers=_numbers,
    answers=ANSWERS,
)
