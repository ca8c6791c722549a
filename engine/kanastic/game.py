"""The game of Kanastic, as all else knows it."""

from collections.abc import Mapping

from engine.cards import Rank
from engine.game import Game
from engine.kanastic import deck, values
from engine.kanastic.disputes import ANSWERS
from engine.kanastic.options import KanasticOptions
from engine.kanastic.position import KanasticPosition


def _numbers() -> Mapping[str, int]:
    points, stages = values.CARD_POINTS, values.STAGES[::-1]
    ranks = [card.rank for card in deck.KANASTIC]
    first_hand = values.HAND_SIZE + 1
    return {
        "naturals": sum(rank <= Rank.ACE for rank in ranks),
        "swords": ranks.count(Rank.SWORD),
        "shields": ranks.count(Rank.SHIELD),
        "artifacts": ranks.count(Rank.ARTIFACT),
        "pots": ranks.count(Rank.POT),
        "hand": values.HAND_SIZE,
        "first_hand": first_hand,
        **{f"stock_{n}": len(ranks) - n * values.HAND_SIZE - 1 for n in (2, 3, 4)},
        **{f"stage_{i}": stage.least for i, stage in enumerate(stages)},
        **{f"before_{i}": stage.least - 5 for i, stage in enumerate(stages)},
        **{f"opening_{i}": stage.points for i, stage in enumerate(stages) if stage.points},
        **{f"stage_wilds_{i}": stage.wilds for i, stage in enumerate(stages) if stage.wilds},
        "fewest_naturals": values.FEWEST_NATURALS,
        "most_wilds": values.MOST_WILDS,
        "complete": values.COMPLETE,
        "largest_meld": values.LARGEST_RANK_MELD,
        "fewest_to_take": values.FEWEST_TO_TAKE,
        "natural_canasta": values.NATURAL_CANASTA,
        "mixed_canasta": values.MIXED_CANASTA,
        "natural_ace_canasta": values.NATURAL_ACE_CANASTA,
        "mixed_ace_canasta": values.MIXED_ACE_CANASTA,
        "royal_suit": values.ROYAL_SUIT,
        "mixed_suit": values.MIXED_SUIT,
        "pot": values.POT,
        "all_pots": values.ALL_POTS,
        "shield": values.SHIELD_IN_HAND,
        "artifact": points[Rank.ARTIFACT],
        "sword": points[Rank.SWORD],
        "ace": points[Rank.ACE],
        "nine": points[Rank.NINE],
        "four": points[Rank.FOUR],
    }


KANASTIC = Game(
    name="kanastic",
    position=KanasticPosition,
    options=KanasticOptions,
    players=(2, 3, 4),
    couples=(4,),
    draws_seats=False,
    highest_deals=True,
    numbers=_numbers,
    answers=ANSWERS,
)
