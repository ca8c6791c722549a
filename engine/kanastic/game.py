"""The description of Kanastic for the other packages: decks, players, options and texts."""

from collections.abc import Mapping

from engine.cards import Rank
from engine.game import CardNote, Game
from engine.games import position_in
from engine.kanastic import constants, deck
from engine.kanastic.disputes import ANSWERS
from engine.kanastic.options import KanasticOptions
from engine.sentences import Sentence


def _numbers() -> Mapping[str, int]:
    """Return the numbers for the placeholders in the text of the rules."""
    points, stages = constants.CARD_POINTS, constants.STAGES[::-1]
    ranks = [card.rank for card in deck.KANASTIC]
    first_hand = constants.HAND_SIZE + 1
    return {
        "naturals": sum(rank <= Rank.ACE for rank in ranks),
        "swords": ranks.count(Rank.SWORD),
        "shields": ranks.count(Rank.SHIELD),
        "artifacts": ranks.count(Rank.ARTIFACT),
        "pots": ranks.count(Rank.POT),
        "hand": constants.HAND_SIZE,
        "first_hand": first_hand,
        **{f"stock_{n}": len(ranks) - n * constants.HAND_SIZE - 1 for n in (2, 3, 4)},
        **{f"stage_{i}": stage.least for i, stage in enumerate(stages)},
        # Points are multiples of 5 (with the usual bonus for going out), so the highest total below
        # 1500 is 1495.
        **{f"before_{i}": stage.least - 5 for i, stage in enumerate(stages)},
        **{f"opening_{i}": stage.points for i, stage in enumerate(stages) if stage.points},
        **{f"stage_wilds_{i}": stage.wilds for i, stage in enumerate(stages) if stage.wilds},
        "fewest_naturals": constants.FEWEST_NATURALS,
        "most_wilds": constants.MOST_WILDS,
        "complete": constants.COMPLETE,
        "largest_meld": constants.LARGEST_RANK_MELD,
        "fewest_to_take": constants.FEWEST_TO_TAKE,
        "natural_canasta": constants.NATURAL_CANASTA,
        "mixed_canasta": constants.MIXED_CANASTA,
        "natural_ace_canasta": constants.NATURAL_ACE_CANASTA,
        "mixed_ace_canasta": constants.MIXED_ACE_CANASTA,
        "royal_suit": constants.ROYAL_SUIT,
        "mixed_suit": constants.MIXED_SUIT,
        "doubled_total": constants.DOUBLED_TOTAL,
        "pot": constants.POT,
        "all_pots": constants.ALL_POTS,
        "shield": constants.SHIELD_IN_HAND,
        "artifact": points[Rank.ARTIFACT],
        "sword": points[Rank.SWORD],
        "ace": points[Rank.ACE],
        "nine": points[Rank.NINE],
        "four": points[Rank.FOUR],
    }


_LEGEND = (  # K4-K9, K20, K75, K108, K111
    CardNote(
        ("Sw",),
        Sentence(
            "Sword: wild in melds of like cards. Discarded, it blocks the pile for all others "
            "until your next turn."
        ),
    ),
    CardNote(
        ("Ar",),
        Sentence(
            "Artifact: wild in melds of like cards and in golden suits. Discarded, it blocks the "
            "pile like a Sword."
        ),
    ),
    CardNote(
        ("Sh",),
        Sentence(
            "Shield: never melded. Discarded, it blocks the pile like a Sword; left in the hand, "
            "it costs {shield} points.",
            shield=constants.SHIELD_IN_HAND,
        ),
    ),
    CardNote(
        ("Po",),
        Sentence(
            "Treasure Pot: laid on the table at once and replaced. It counts {pot} points, all "
            "four together {all_pots}.",
            pot=constants.POT,
            all_pots=constants.ALL_POTS,
        ),
    ),
    CardNote(
        tuple(f"{rank.code}g" for rank in Rank if Rank.FOUR <= rank <= Rank.ACE),
        Sentence(
            "Gold: one of the two spades of each rank. It melds with its like, or with other gold "
            "cards in sequence: seven of them are a golden suit, {royal} points.",
            royal=constants.ROYAL_SUIT,
        ),
    ),
)


_EXAMPLE = """\
case May the pile be taken with a Sword?
kanastic 4
totals 1520 940
turn 1 draw
pile 9c 4d
hand 1 4h 4c Sw 9d Kc ? ?
meld 1 7h 7d 7s
try take ^4d 4h Sw
expect illegal K65
play take ^4d 4h 4c
expect legal
play discard Kc
expect turn 2 draw
"""


KANASTIC = Game(
    name="kanastic",
    decks=deck.DECKS,
    load_position=position_in("engine.kanastic.position", "KanasticPosition"),
    options=KanasticOptions,
    players=(2, 3, 4),
    couples=(4,),
    highest_deals=True,
    numbers=_numbers,
    answers=ANSWERS,
    legend=_LEGEND,
    example=_EXAMPLE,
)
