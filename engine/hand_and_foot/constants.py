"""Numbers of Hand and Foot, and limits of its melds (H5, H24, H31-H38, H42, H60-H65)."""

from engine.like_melds.melds import COMPLETE, LikeMelds

FEWEST_PACKS, PACKS, MOST_PACKS = 3, 5, 6
"""The smallest, the usual and the largest number of packs, each with two jokers."""
HAND_SIZE, FOOT_SIZE = 11, 11
"""Cards of a hand, and of a foot."""
PILE_PART = 7
"""The maximum number of cards taken from the top of the pile."""
OPENINGS = (50, 90, 120, 150)
"""Points that first melds need in rounds 1, 2, 3 and 4; later rounds need as many as round 4."""

CLEAN_BOOK = 500
DIRTY_BOOK = 300
RED_THREE = 100
GOING_OUT = 100

MELDS = LikeMelds(
    most_wilds=3,
    more_naturals=True,
    largest=COMPLETE,
    meld="H31",
    three_cards="H33",
    limits="H33",
    naturals="H34",
    adding="H36",
    own="H38",
    red_threes="H35",
    black_threes="H35",
    melds_black_threes=False,
)
