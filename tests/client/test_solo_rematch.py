"""A rematch against the program: at once, with the same opponents or with others."""

from itertools import pairwise
from pathlib import Path

import pytest

from client.session import solo as solo_table
from client.session.next_step import Wish
from client.session.solo import NAMES, Outcome, opponents_for
from client.settings import Settings
from client.ui.appearance import Look
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from tests.client.plain_seat import state_of

WITH = ("Ana", "Bruno", "Carla", "Diego")


def outcome(wish: Wish, names: tuple[str, ...] = WITH) -> Outcome:
    return Outcome(state_of("kanastic", len(names), names).charter, Path("record"), wish)


async def matches(monkeypatch: pytest.MonkeyPatch, *wishes: Wish) -> list[tuple[str, ...]]:
    """With whom the matches after the first one are played, one for each wish."""
    left = list(wishes)
    played: list[tuple[str, ...]] = []
    seeds: list[int] = []

    async def play_new(
        _settings: Settings, _look: Look, game: object, others: tuple[str, ...], seed: int
    ) -> Outcome:
        assert str(getattr(game, "name", "")) == "kanastic"
        played.append(tuple(others))
        seeds.append(seed)
        return outcome(left.pop(0), ("Ana", *others))

    monkeypatch.setattr(solo_table, "_play_new", play_new)
    look = Look(UNICODE, style_of("plain"), None, False, None)
    game = outcome(Wish.LEAVE).charter.game
    end = await solo_table.new_table(Settings(name="Ana"), look, game, 4, 7)
    assert end.wish is Wish.LEAVE
    assert len(set(seeds)) == len(seeds), "other choices in each match"
    return played


async def test_the_same_opponents_for_as_many_matches_as_one_wants(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played = await matches(monkeypatch, Wish.AGAIN, Wish.AGAIN, Wish.LEAVE)
    assert played == 3 * [WITH[1:]]


async def test_other_seats_are_another_partner_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    wishes = (*(5 * [Wish.OTHER_SEATS]), Wish.LEAVE)
    partners = [others[1] for others in await matches(monkeypatch, *wishes)]
    assert all(one != next_ for one, next_ in pairwise(partners))
    assert len(set(partners)) == 6


@pytest.mark.parametrize("name", ["Ana", "Gloria", "Olga"])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_nobody_plays_against_the_own_name(name: str, players: int) -> None:
    others: tuple[str, ...] = ()
    for _ in NAMES:
        others = opponents_for(name, players, others)
        assert name not in others
        assert len(set(others)) == players - 1
