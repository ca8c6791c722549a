"""What can happen at the end of a match with somebody absent, a part of it; all of it is a command:
`python -m tests.simulation.exploration`.
"""

from collections.abc import Iterator

import pytest
from attrs import evolve

from engine.match import Match
from tests.simulation.exploration import Exploration, closing, explored, signatures_once
from tests.simulation.tables import without_proofs


@pytest.fixture(scope="module", autouse=True)
def without_proofs_here() -> Iterator[None]:
    with without_proofs():
        yield


@pytest.mark.parametrize("players", [3, 4])
def test_when_all_are_honest_every_order_of_messages_ends_the_match(players: int) -> None:
    exploration = Exploration(players)
    with signatures_once():
        exploration.run()
    assert exploration.states == {3: 148, 4: 5642}[players]
    assert exploration.exposures == exploration.finals == 0


def test_who_closes_last_while_the_others_agree_that_they_are_absent_has_the_same_points() -> None:
    """Neither record exposes anybody, and they say the same (record.md, 6)."""
    exploration = Exploration(3, signed=2)
    with signatures_once():
        exploration.run()
    assert exploration.exposures == 0
    assert exploration.rivals > 0


def test_two_final_records_with_other_points_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = Match.ended

    def in_which_nobody_has_points(match: Match) -> Match:
        *others, last = ended(match).sheets
        return evolve(ended(match), sheets=(*others, evolve(last, sides=last.sides[:1])))

    monkeypatch.setattr("engine.match.Match.ended", in_which_nobody_has_points)
    exploration = Exploration(3, signed=2)
    with signatures_once(), pytest.raises(AssertionError, match="two final records hold"):
        exploration.run()


def test_what_was_explored_is_said_in_a_line() -> None:
    line = explored(Exploration(3, frozenset({1})), 50)
    assert line.startswith("0 signed, cheats [1]: ")
    assert "not all" in line


@pytest.mark.parametrize("cheats", [{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}])
def test_whoever_cheats_no_two_final_records_hold(cheats: set[int]) -> None:
    exploration = Exploration(3, frozenset(cheats))
    with signatures_once():
        exploration.run(900)  # players 0 and 1 together have some more
    assert exploration.exposures > 0


@pytest.mark.parametrize("cheats", [{0, 2}, {0, 3}, {0, 1, 2}, {0, 1, 3}])
def test_with_four_players_neither_in_the_last_place(cheats: set[int]) -> None:
    """The three who have signed the round are in the same position; player 3 is due."""
    exploration = Exploration(4, frozenset(cheats), signed=3)
    assert closing(4, 3).state.writers == (3,)
    with signatures_once():
        exploration.run()
    assert exploration.exposures > 0


def test_the_oracles_see_a_node_that_goes_on_without_a_release(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who has voted takes the late entry: then honest players look like cheats."""
    monkeypatch.setattr("protocol.ballot.Ballot.holds_back", property(lambda _: False))
    exploration = Exploration(3, frozenset({2}))
    with signatures_once(), pytest.raises(AssertionError, match="honest player is exposed"):
        exploration.run(20_000)


def test_the_oracles_see_a_node_that_votes_and_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    def owes(ballot: object) -> bool:
        return True

    monkeypatch.setattr("protocol.ballot.Ballot.owes_refusal", property(owes))
    exploration = Exploration(3)
    with signatures_once(), pytest.raises(AssertionError, match="honest player is exposed"):
        exploration.run(5_000)


def test_the_oracles_see_a_match_that_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody refuses: who has voted waits for ever."""
    monkeypatch.setattr("protocol.ballot.Ballot.owes_refusal", property(lambda _: False))
    exploration = Exploration(3)
    with signatures_once(), pytest.raises(AssertionError, match="the match rests"):
        exploration.run(5_000)
