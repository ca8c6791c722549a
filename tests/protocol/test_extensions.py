"""The extensions of a charter: deals of a day, the same on all machines, and opponents."""

import pytest
from attrs import evolve

from protocol.charter import Charter, Extension
from protocol.extensions import (
    DEAL_OF_THE_DAY,
    DayTable,
    day_extension,
    day_of,
    opponents_extension,
    opponents_of,
)
from tests.client.plain_seat import state_of

DAY = "2026-11-23"
TABLE = DayTable(DAY, "canasta", 4)


def charter(*extensions: Extension) -> Charter:
    return evolve(
        state_of("canasta", 4, ("Ana", "Bruno", "Carla", "Diego")).charter, extensions=extensions
    )


def test_the_permutation_of_a_day_is_the_same_on_all_machines() -> None:
    """Worked out once, and written down: nobody would see it change otherwise."""
    assert TABLE.permutation(0, 0, 8) == (0, 7, 5, 2, 3, 1, 6, 4)
    assert DayTable.of(charter(day_extension(DAY))) == TABLE


@pytest.mark.parametrize(
    "other",
    [
        DayTable("2026-11-24", "canasta", 4).permutation(1, 0, 108),
        DayTable(DAY, "kanastic", 4).permutation(1, 0, 108),
        DayTable(DAY, "canasta", 2).permutation(1, 0, 108),
        TABLE.permutation(2, 0, 108),
        TABLE.permutation(1, 1, 108),
    ],
)
def test_day_game_players_deal_and_player_all_make_another_permutation(
    other: tuple[int, ...],
) -> None:
    own = TABLE.permutation(1, 0, 108)
    assert sorted(own) == sorted(other) == list(range(108))
    assert own != other


def test_the_order_of_a_deal_is_that_of_all_shuffles_one_after_the_other() -> None:
    first, second = (TABLE.permutation(1, player, 5) for player in (0, 1))
    cards = (10, 11, 12, 13, 14)
    once = [cards[place] for place in first]
    assert TABLE.dealt(cards, 1, (0, 1)) == tuple(once[place] for place in second)


@pytest.mark.parametrize(
    "value",
    [b"", b"today", b"20261123", b"2026-11-32", b"2026-11-23 ", b"\xff" * 10, b"2026-13-01"],
)
def test_what_is_no_date_is_no_deal_of_the_day(value: bytes) -> None:
    strange = charter(Extension(DEAL_OF_THE_DAY, critical=False, value=value))
    assert day_of(strange) == ""
    assert DayTable.of(strange) is None


def test_a_charter_says_the_day_and_the_opponents_or_nothing() -> None:
    both = charter(day_extension(DAY), opponents_extension("strong"))
    again = Charter.decode(both.encode())
    assert (day_of(again), opponents_of(again)) == (DAY, "strong")
    assert (day_of(charter()), opponents_of(charter())) == ("", "")
    for value in ("a b", "x" * 41, "\x1b[31m"):
        assert opponents_of(charter(opponents_extension(value))) == ""
