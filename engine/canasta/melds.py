"""Melds of Canasta: like cards of one rank with at most three wild ones."""

from engine.like_melds.melds import LikeMelds

MELDS = LikeMelds(
    most_wilds=3,
    meld="C25",
    three_cards="C26",
    limits="C27",
    naturals="C28",
    adding="C29",
    own="C31",
    red_threes="C62",
    black_threes="C69",
)
