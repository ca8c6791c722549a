"""Some simulated tables, and what can happen at the end of a match with somebody absent. More of
both are commands: `python -m tests.simulation`, `python -m tests.simulation.exploration`.
"""

from collections.abc import Iterator

import pytest

from tests.simulation.exploration import Exploration, signatures_once
from tests.simulation.pure_node import PureNode
from tests.simulation.simulation import Simulation
from tests.simulation.tables import without_proofs

SEEDS = (6, 21, 38, 39, 1063)
"""Tables of two and three, with players who cheat and without. At 1063 nobody refused any more for
somebody who had voted in the last place of the match.
"""


@pytest.fixture(scope="module", autouse=True)
def without_proofs_here() -> Iterator[None]:
    with without_proofs():
        yield


@pytest.mark.parametrize("seed", SEEDS)
def test_a_simulated_table_comes_to_no_wrong_verdict(seed: int) -> None:
    Simulation(seed).run()


@pytest.mark.parametrize("players", [3, 4])
def test_when_all_are_honest_every_order_of_messages_ends_the_match(players: int) -> None:
    exploration = Exploration(players)
    with signatures_once():
        exploration.run(400)
    assert exploration.states > 300
    assert exploration.exposures == exploration.finals == 0


@pytest.mark.parametrize("cheats", [{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}])
def test_whoever_cheats_no_two_final_records_hold(cheats: set[int]) -> None:
    exploration = Exploration(3, frozenset(cheats))
    with signatures_once():
        exploration.run(400)
    assert exploration.states >= 400
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


def test_a_node_comes_back_from_any_beginning_of_its_journal() -> None:
    simulation = Simulation(39)
    simulation.run()
    node = max(simulation.nodes, key=lambda node: node.height)
    assert node.journal
    for length in range(len(node.journal) + 1):
        back: PureNode = node.back(node.journal[:length])
        assert back.height <= node.height
        assert back.head_at(back.height) == node.head_at(back.height)
