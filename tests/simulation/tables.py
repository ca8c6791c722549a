"""Where simulated tables begin: moments of rounds that were played once, without proofs.

Proofs are left out, for a simulation is about who says what to whom: shuffles and unlockings are
real, and all else that the reducer looks at.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import pytest
import trio
from attrs import frozen

from engine.games import GAMES
from protocol.deck import Deck
from protocol.group import Scalar
from protocol.keys import LockKey
from protocol.player import _secret_name
from protocol.reducer import advance
from protocol.shuffle import draw_permutation, lock_and_shuffle
from protocol.shuffle_proof import ShuffleProof, Statement, prove
from protocol.signing import is_signed
from protocol.state import State
from protocol.unlock import UnlockProof
from tests.protocol.played import Played, play
from tests.protocol.seeded import seeded
from tests.simulation.simulated_mesh import SimulatedMesh

GRACE = 10
"""Seconds, the least that a charter can have."""

TABLES = tuple((game.name, players) for game in GAMES.values() for players in game.players)


VERIFICATIONS = (
    "protocol.reducer.verify",
    "protocol.reducer.verify_unlock",
    "protocol.player.verify_in_part",
    "protocol.player.verify_unlock",
)
"""The functions that verify proofs, by the names under which the program calls them."""


@cache
def a_proof(size: int) -> ShuffleProof:
    """A proof about some shuffle of so many cards: it has the form of every other one."""
    entropy = seeded(f"a proof of {size}")
    key = LockKey.generate(entropy)
    inputs = Deck.fresh(bytes(32), 1, 0, list(range(size))).points
    permutation = draw_permutation(size, entropy)
    outputs = lock_and_shuffle(inputs, key, permutation)
    statement = Statement(bytes(32), key.unlock_key, inputs, outputs)
    return prove(statement, key, permutation)


@cache
def an_unlock_proof() -> UnlockProof:
    one = Scalar.of(1)
    return UnlockProof(one, one)


@contextmanager
def without_proofs() -> Iterator[None]:
    """Proofs are neither made nor verified, and each signature is verified once."""
    with pytest.MonkeyPatch.context() as patch:
        leave_out_proofs(patch)
        yield


def leave_out_proofs(patch: pytest.MonkeyPatch) -> None:
    """As `without_proofs`, until the patch is undone."""

    def no_proof(statement: Statement, *_: Any, **__: Any) -> ShuffleProof:
        return a_proof(len(statement.inputs))

    for name in VERIFICATIONS:
        patch.setattr(name, lambda *_, **__: None)
    patch.setattr("protocol.player.prove", no_proof)
    patch.setattr("protocol.player.prove_unlock", lambda *_: an_unlock_proof())
    patch.setattr(ShuffleProof, "decode", staticmethod(lru_cache(8)(ShuffleProof.decode)))
    patch.setattr("protocol.entries.is_signed", lru_cache(1 << 16)(is_signed))


@contextmanager
def simulated_nodes() -> Iterator[None]:
    """Nodes have links of a simulation, fold each entry of a record once for all of them, and run
    in one thread, in the same order each time.
    """

    async def inline(function: Any, *arguments: Any, **_: Any) -> Any:
        return function(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("p2p.table.node.Mesh", SimulatedMesh)
        patch.setattr("trio.to_thread.run_sync", inline)
        patch.setattr("trio.from_thread.check_cancelled", lambda: None)
        patch.setattr(trio._core._run, "_ALLOW_DETERMINISTIC_SCHEDULING", True)
        for module in (
            "table.appender",
            "table.judging",
            "table.live_record",
            "replacement.take_vacant_seat",
        ):
            patch.setattr(f"p2p.{module}.advance", _advanced_once)
        patch.setattr("protocol.audit.advance", _advanced_once)
        yield


_ADVANCED: dict[tuple[bytes, bytes], State] = {}


def _advanced_once(state: State, entry: bytes, **how: Any) -> State:
    """A record leads to one state, whoever folds it."""
    place = state.head, entry
    if place not in _ADVANCED:
        _ADVANCED[place] = advance(state, entry, **how)
    return _ADVANCED[place]


@cache
def round_of(game: str, players: int, number: int) -> Played:
    """A round of it from the draw to the last signature."""
    return play(game, players, seed=7 + players + 100 * number, rounds=1, grace=GRACE)


@frozen
class Start:
    """The table at one of its moments, and the locks of each player then, by name."""

    played: Played
    height: int

    @classmethod
    def draw(cls, rng: random.Random, number: int) -> "Start":
        """A moment of the rounds with that number: to change it now and then is to play others."""
        played = round_of(*rng.choice(TABLES), number)
        # As often the end of the round, where all is signed, as anywhere before.
        last = len(played.moments)
        low = last - 3 * len(played.ring.players) if rng.random() < 0.4 else 0
        start = cls(played, rng.randrange(max(low, 0), last))
        _ADVANCED.clear()
        for before, after in pairwise(played.moments[: start.height + 1]):
            _ADVANCED[before.state.head, before.entry] = after.state
        return start

    def locks(self, player: int) -> dict[str, bytes]:
        known = self.played.ring.players[player]._locks
        announced = self.played.moments[self.height].state.cards.deals
        return {
            _secret_name(deal.number): known[deal.number].encode()
            for deal in announced
            if player in deal.keys
        }
