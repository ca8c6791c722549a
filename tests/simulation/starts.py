"""The beginnings of simulated tables: moments of rounds that are played once, without proofs.

A simulation tests messages, so it leaves out the proofs. Everything else that the reducer checks is
real, for example shuffles and unlockings.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pytest
import trio
from attrs import frozen

from engine.games import GAMES
from p2p.table.node import Node
from protocol.charter import Charter
from protocol.continuation import continued
from protocol.match.statements import decode_statement
from protocol.player import _secret_name
from protocol.reducer import advance
from protocol.state import State
from tests.protocol.computed_once import hash_to_point, is_signed
from tests.protocol.played import Played, play
from tests.simulation.simulated_mesh import SimulatedNode, SimulatedPeers

GRACE = 10
"""The grace in seconds: the least that a charter allows."""

TABLES = tuple((game.name, players) for game in GAMES.values() for players in game.players)


@contextmanager
def simulated_nodes() -> Iterator[None]:
    """Give nodes simulated links, and compute each next state once for all nodes.

    Nothing runs in another thread, so everything happens in the same order each time.
    """

    async def inline(function: Any, *arguments: Any, **_: Any) -> Any:
        return function(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("p2p.table.mesh.Peers", SimulatedPeers)
        patch.setattr("p2p.match.tables.Node", _node)
        patch.setattr("trio.to_thread.run_sync", inline)
        patch.setattr("trio.from_thread.check_cancelled", lambda: None)
        patch.setattr(trio._core._run, "_ALLOW_DETERMINISTIC_SCHEDULING", True)
        for module in (
            "table.node",
            "table.shared_judging",
            "table.live_record",
            "match.take_vacant_seat",
        ):
            patch.setattr(f"p2p.{module}.advance", _advanced_once)
        patch.setattr("protocol.audit.advance", _advanced_once)
        patch.setattr("p2p.match.take_vacant_seat.continued", _continued_once)
        for module in ("going_on", "history"):
            patch.setattr(f"protocol.match.{module}.continued", _continued_once)
        for module in ("charter", "match.messages"):
            patch.setattr(f"protocol.{module}.is_signed", is_signed)
        patch.setattr("protocol.match.machine.decode_statement", _decode_statement)
        patch.setattr("protocol.cards_as_points.hash_to_point", hash_to_point)
        yield


_decode_statement = lru_cache(1 << 12)(decode_statement)


def _node(match: Any, *arguments: Any) -> Node:
    node = SimulatedNode(match, *arguments)
    if match.endpoint.take_over is not None:
        match.endpoint.take_over(node)
    return node


_ADVANCED: dict[tuple[bytes, bytes], State] = {}


def _advanced_once(state: State, entry: bytes, **how: Any) -> State:
    """Advance a state, with a cache that all nodes share."""
    place = state.head, entry
    if place not in _ADVANCED:
        _ADVANCED[place] = advance(state, entry, **how)
    return _ADVANCED[place]


_CONTINUED: dict[tuple[bytes, bytes], State] = {}


def _continued_once(state: State, charter: Charter) -> State:
    """Continue a record at a new table, with a cache that all nodes share."""
    place = state.head, charter.table_id
    if place not in _CONTINUED:
        _CONTINUED[place] = continued(state, charter)
    return _CONTINUED[place]


@lru_cache(len(TABLES))
def round_of(game: str, players: int, number: int) -> Played:
    """Return a played round of the game, from the draw for seats to the last signature."""
    return play(game, players, seed=7 + players + 100 * number, rounds=1, grace=GRACE)


@frozen
class Start:
    """The moment of a played round at which a simulated table begins."""

    played: Played
    height: int

    @classmethod
    def draw(cls, rng: random.Random, number: int) -> "Start":
        """Draw a game, and a random moment of its round with that number."""
        played = round_of(*rng.choice(TABLES), number)
        # In 40 % of the draws the moment is near the end, where hands are opened and rounds closed.
        last = len(played.moments)
        low = last - 3 * len(played.table.players) if rng.random() < 0.4 else 0
        start = cls(played, rng.randrange(max(low, 0), last))
        _ADVANCED.clear()
        _CONTINUED.clear()
        for before, after in pairwise(played.moments[: start.height + 1]):
            _ADVANCED[before.state.head, before.entry] = after.state
        return start

    def locks(self, player: int) -> dict[str, bytes]:
        known = self.played.table.players[player]._locks
        announced = self.played.moments[self.height].state.cards.deals
        return {
            _secret_name(deal.number): known[deal.number].encode()
            for deal in announced
            if player in deal.keys
        }
