"""Results that this process has computed before, so that it does not compute them again.

The tests play few matches, and look at each of them many times, and several nodes fold the same
record. A proof that was refused is not remembered.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from hashlib import sha256
from pkgutil import resolve_name
from typing import Any
from unittest.mock import patch

from protocol import group, reducer, shuffle_proof, signing, unlock
from protocol.group import Point
from protocol.parallel import ParallelMap
from protocol.shuffle_proof import ShuffleProof, ShuffleStatement
from protocol.unlock import UnlockProof

_MOST = 1 << 14

_held: set[bytes] = set()
"""Digests of every byte of a statement and its proof."""


def verify(
    statement: ShuffleStatement, proof: ShuffleProof, *, parallel_map: ParallelMap = map
) -> None:
    """Verify as `protocol.shuffle_proof.verify` does."""
    digest = _digest(b"shuffle", *statement.parts, proof.encode())
    if digest not in _held:
        shuffle_proof.verify(statement, proof, parallel_map=parallel_map)
        _held.add(digest)


def verify_unlock(
    context: bytes,
    unlock_key: Point,
    locked: Sequence[Point],
    unlocked: Sequence[Point],
    proof: UnlockProof,
) -> None:
    """Verify as `protocol.unlock.verify_unlock` does."""
    cards = (b"".join(point.encode() for point in points) for points in (locked, unlocked))
    digest = _digest(b"unlock", context, unlock_key.encode(), *cards, proof.encode())
    if digest not in _held:
        unlock.verify_unlock(context, unlock_key, locked, unlocked, proof)
        _held.add(digest)


is_signed = lru_cache(_MOST)(signing.is_signed)
hash_to_point = lru_cache(_MOST)(group.hash_to_point)
points = lru_cache(256)(reducer._points)
"""The points of a deck, or of unlocked cards; nodes at one table read the same bytes."""


_SIGNED = ("protocol.charter", "protocol.entries", "protocol.match.messages")
"""Modules that judge signatures which several nodes are shown."""

IN_PLACE_OF: Mapping[str, Callable[..., Any]] = {
    **{f"{module}.is_signed": is_signed for module in _SIGNED},
    "protocol.reducer.verify": verify,
    "protocol.reducer.verify_unlock": verify_unlock,
    "protocol.player.verify_unlock": verify_unlock,
    "protocol.deck.hash_to_point": hash_to_point,
    "protocol.reducer._points": points,
}
"""By the names under which the program calls them."""

_ORIGINALS = {name: resolve_name(name) for name in IN_PLACE_OF}


@contextmanager
def computed_anew() -> Iterator[None]:
    """Within the block the program computes all by itself; what was known before stays known."""
    with ExitStack() as originals:
        for name, function in _ORIGINALS.items():
            originals.enter_context(patch(name, function))
        yield


def forget() -> None:
    """Compute everything again from now on."""
    _held.clear()
    is_signed.cache_clear()
    hash_to_point.cache_clear()
    points.cache_clear()


def _digest(*parts: bytes) -> bytes:
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()
