"""Copies of positions with changes in some fields: no field is added, and none is lost."""

import pytest
from attrs import fields, frozen

from engine.copy_with_changes import CopyWithChanges
from engine.games import GAMES
from tests.engine.simulation import states


@frozen(slots=False)
class Pair(CopyWithChanges):
    """Two numbers."""

    left: int
    right: int


def test_changed_returns_a_copy_and_keeps_the_old_value() -> None:
    old = Pair(1, 2)
    assert old.changed(right=3) == Pair(1, 3)
    assert old == Pair(1, 2)


def test_a_class_with_slots_is_refused() -> None:
    @frozen(slots=False)
    class Triple(Pair):
        third: int = 3

    assert Triple(1, 2).changed(third=4) == Triple(1, 2, 4)
    with pytest.raises(TypeError, match="slots=False"):

        @frozen
        class Slotted(Pair):
            third: int = 3


def test_a_class_with_unknown_keywords_is_refused() -> None:
    with pytest.raises(TypeError):

        class Other(CopyWithChanges, unknown=True):
            pass


@pytest.mark.parametrize("game", GAMES)
def test_positions_have_exactly_the_fields_of_their_class(game: str) -> None:
    rules = GAMES[game]
    names = {field.name for field in fields(rules.position)}
    for match, _, _ in states(rules, rules.options(rounds=1), rules.usual_players, 5):
        if match.round is not None:
            assert vars(match.round).keys() == names
            assert vars(match.round.turn).keys() == {f.name for f in fields(type(match.round.turn))}
