"""Caches of verified proofs, verified signatures and points, shared by all tests of a process.

The tests play few matches and read each of them many times; several nodes also read the same
record. A proof that was refused is not cached.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from hashlib import sha256
from pkgutil import resolve_name
from typing import Any
from unittest.mock import patch

from protocol import group, reducer, shuffle_proof, signatures, unlock
from protocol.group import Point
from protocol.parallel import ParallelMap
from protocol.shuffle_proof import ShuffleProof, ShuffleStatement
from protocol.unlock import UnlockProof

_MOST = 1 << 14

_valid: set[bytes] = set()
"""The cache of valid proofs: a digest of each proof together with its statement."""


def verify(
    statement: ShuffleStatement, proof: ShuffleProof, *, parallel_map: ParallelMap = map
) -> None:
    """Verify like `protocol.shuffle_proof.verify`, but each proof only once."""
    digest = _digest(b"shuffle", *statement.parts, proof.encode())
    if digest not in _valid:
        shuffle_proof.verify(statement, proof, parallel_map=parallel_map)
        _valid.add(digest)


def verify_unlock(
    context: bytes,
    unlock_key: Point,
    locked: Sequence[Point],
    unlocked: Sequence[Point],
    proof: UnlockProof,
) -> None:
    """Verify like `protocol.unlock.verify_unlock`, but each proof only once."""
    cards = (b"".join(point.encode() for point in points) for points in (locked, unlocked))
    digest = _digest(b"unlock", context, unlock_key.encode(), *cards, proof.encode())
    if digest not in _valid:
        unlock.verify_unlock(context, unlock_key, locked, unlocked, proof)
        _valid.add(digest)


is_signed = lru_cache(_MOST)(signatures.is_signed)
hash_to_point = lru_cache(_MOST)(group.hash_to_point)
points = lru_cache(256)(reducer._points)
"""The cache of decoded points: all nodes at a table decode the same bytes."""


_SIGNED = ("protocol.charter", "protocol.entries", "protocol.match.messages")
"""The modules that verify signatures which several nodes receive."""

IN_PLACE_OF: Mapping[str, Callable[..., Any]] = {
    **{f"{module}.is_signed": is_signed for module in _SIGNED},
    "protocol.reducer.verify": verify,
    "protocol.reducer.verify_unlock": verify_unlock,
    "protocol.player.verify_unlock": verify_unlock,
    "protocol.cards_as_points.hash_to_point": hash_to_point,
    "protocol.reducer._points": points,
}
"""The cached functions, by the names under which the program calls the originals."""

_ORIGINALS = {name: resolve_name(name) for name in IN_PLACE_OF}


@contextmanager
def computed_anew() -> Iterator[None]:
    """Bypass the caches within the block, without emptying them."""
    with ExitStack() as originals:
        for name, function in _ORIGINALS.items():
            originals.enter_context(patch(name, function))
        yield


def forget() -> None:
    """Empty all caches."""
    _valid.clear()
    is_signed.cache_clear()
    hash_to_point.cache_clear()
    points.cache_clear()


def _digest(*parts: bytes) -> bytes:
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()
