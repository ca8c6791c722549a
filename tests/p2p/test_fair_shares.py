"""Whose place somebody takes where all are taken."""

import random

import pytest

from p2p.fair_shares import who_makes_room


@pytest.mark.parametrize(
    ("here", "newcomer", "leaves"),
    [
        ("", "a", None),
        ("a", "b", None),  # the address with one place keeps it
        ("aa", "b", 1),
        ("aaaa", "a", None),
        ("aaab", "b", 2),
        ("aabb", "b", None),
        ("aabb", "c", 1),  # where two have as many, that of the one who came first
        ("babb", "a", 3),
        ("bbab", "a", 3),
        ("bbaa", "a", None),
    ],
)
def test_who_has_most_places_gives_the_newest_of_them(
    here: str, newcomer: str, leaves: int | None
) -> None:
    assert who_makes_room(here, newcomer) == leaves


@pytest.mark.parametrize("places", [4, 8])
def test_nobody_keeps_an_address_out_and_nobody_is_sent_away_for_ever(places: int) -> None:
    """Until each has its share, whoever comes; then all stay."""
    rng = random.Random(places)
    here = ["a"] * places
    left = 0
    for newcomer in rng.choices("abc", k=100):
        leaves = who_makes_room(here, newcomer)
        if leaves is not None:
            del here[leaves]
            here.append(newcomer)
            left += 1
    assert max(map(here.count, "abc")) - min(map(here.count, "abc")) <= 1
    assert left < places
