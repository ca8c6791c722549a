"""Where simulated tables begin: moments of rounds that were played once, without proofs.

Proofs are left out, for a simulation is about who says what to whom: shuffles and unlockings are
real, and all else that the reducer looks at.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest
from attrs import frozen

from protocol.deck import Deck
from protocol.group import Scalar
from protocol.keys import LockKey
from protocol.player import _secret_name
from protocol.shuffle import draw_permutation, lock_and_shuffle
from protocol.shuffle_proof import ShuffleProof, Statement, prove
from protocol.signing import is_signed
from protocol.unlock import UnlockProof
from tests.protocol.played import Played, play
from tests.protocol.seeded import seeded

GAMES = (
    ("canasta", 2),
    ("canasta", 3),
    ("canasta", 4),
    ("canasta", 5),
    ("canasta", 6),
    ("kanastic", 3),
    ("canastra", 2),
)


@cache
def a_proof(size: int) -> ShuffleProof:
    """A proof about some shuffle of so many cards: it has the form of every other one."""
    entropy = seeded(f"a proof of {size}")
    key = LockKey.generate(entropy)
    inputs = Deck.fresh(bytes(32), 1, 0, list(range(size))).points
    permutation = draw_permutation(size, entropy)
    outputs = lock_and_shuffle(inputs, key, permutation)
    statement = Statement(bytes(32), key.unlock_key, inputs, outputs)
    return prove(statement, key, permutation, entropy)


@cache
def an_unlock_proof() -> UnlockProof:
    one = Scalar.of(1)
    return UnlockProof(one, one)


@contextmanager
def without_proofs() -> Iterator[None]:
    """Proofs are neither made nor verified, and each signature is verified once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("protocol.reducer.verify", lambda *_, **__: None)
        patch.setattr("protocol.reducer.verify_unlock", lambda *_, **__: None)
        patch.setattr("protocol.player.prove", lambda statement, *_: a_proof(len(statement.inputs)))
        patch.setattr("protocol.player.prove_unlock", lambda *_: an_unlock_proof())
        patch.setattr("protocol.entries.is_signed", cache(is_signed))
        yield


@cache
def round_of(game: str, players: int) -> Played:
    """A round of it from the draw to the last signature."""
    return play(game, players, seed=7 + players)


@frozen
class Start:
    """The table at one of its moments, and the locks of each player then, by name."""

    played: Played
    height: int

    @classmethod
    def draw(cls, rng: random.Random) -> "Start":
        played = round_of(*rng.choice(GAMES))
        # As often the end of the round, where all is signed, as anywhere before.
        last = len(played.moments)
        low = last - 3 * len(played.ring.players) if rng.random() < 0.4 else 0
        return cls(played, rng.randrange(max(low, 0), last))

    def locks(self, player: int) -> dict[str, bytes]:
        known = self.played.ring.players[player]._locks
        announced = self.played.moments[self.height].state.cards.deals
        return {
            _secret_name(deal.number): known[deal.number].encode()
            for deal in announced
            if player in deal.keys
        }
