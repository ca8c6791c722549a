"""Rounds without proofs, for speed; shuffles, unlockings and everything else are real."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

import pytest

from protocol.group import BASE, ONE
from protocol.shuffle_proof import Commitments, ShuffleProof, ShuffleStatement
from protocol.signatures import is_signed
from protocol.unlock import UnlockProof

VERIFICATIONS = (
    "protocol.reducer.verify",
    "protocol.reducer.verify_unlock",
    "protocol.player.verify_in_part",
    "protocol.player.verify_unlock",
)
"""The functions that verify proofs, by the names under which the program calls them."""


@cache
def a_proof(size: int) -> ShuffleProof:
    """Return a stub with the form of a proof for a shuffle of `size` cards; it proves nothing."""
    points, scalars = size * (BASE,), size * (ONE,)
    return ShuffleProof(points, points, Commitments(*6 * (BASE,)), *(5 * (ONE,)), scalars)


@cache
def an_unlock_proof() -> UnlockProof:
    return UnlockProof(ONE, ONE)


@contextmanager
def without_proofs() -> Iterator[None]:
    """Make and verify no proofs within the block, and verify each signature only once."""
    with pytest.MonkeyPatch.context() as patch:
        leave_out_proofs(patch)
        yield


def leave_out_proofs(patch: pytest.MonkeyPatch) -> None:
    """Leave out proofs as `without_proofs` does, until the patch is undone."""

    def no_proof(statement: ShuffleStatement, *_: Any, **__: Any) -> ShuffleProof:
        return a_proof(len(statement.inputs))

    for name in VERIFICATIONS:
        patch.setattr(name, lambda *_, **__: None)
    patch.setattr("protocol.player.prove", no_proof)
    patch.setattr("protocol.player.prove_unlock", lambda *_: an_unlock_proof())
    patch.setattr(ShuffleProof, "decode", staticmethod(lru_cache(8)(ShuffleProof.decode)))
    patch.setattr("protocol.entries.is_signed", lru_cache(1 << 16)(is_signed))
