"""Lock and shuffle: each player in turn locks all cards and puts them into a secret order.

    y_i = k * x_{j_i}        with j a permutation, drawn uniformly

One honest player in the chain makes the order unknown to all and uniform.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.errors import Refused
from protocol.group import Entropy, Point
from protocol.lock_key import LockKey
from protocol.parallel import ParallelMap, each

Permutation = tuple[int, ...]
"""j_0 .. j_{N-1}: output i is the locked input j_i."""


def draw_permutation(size: int, entropy: Entropy) -> Permutation:
    """Draw a uniform permutation of 0 .. size-1 (Fisher and Yates' shuffle).

    Each draw takes eight bytes of `entropy`. If all bytes are zero, each place, from the last down,
    is swapped with the first:

    >>> draw_permutation(4, bytes)
    (1, 2, 3, 0)
    """
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        other = _draw_below(last + 1, entropy)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def lock_and_shuffle(
    inputs: Sequence[Point],
    key: LockKey,
    permutation: Permutation,
    *,
    parallel_map: ParallelMap = map,
) -> tuple[Point, ...]:
    """Return the output deck. Raises Refused unless `permutation` has each input exactly once."""
    check_permutation(permutation, len(inputs))
    return each(parallel_map, lambda j: key.lock * inputs[j], permutation)


def check_permutation(permutation: Permutation, size: int) -> None:
    """Check that `permutation` is a permutation of 0 .. size-1. Raises Refused."""
    if sorted(permutation) != list(range(size)):
        raise Refused(
            "A shuffle of {size} cards needs a permutation of exactly that many.", size=size
        )


def _draw_below(bound: int, entropy: Entropy) -> int:
    """Draw a uniform integer in 0 .. bound-1.

    If 2^64 is no multiple of `bound`, the highest draws are thrown away: they would make some
    results likelier than others. With `bound` 3 that is one draw, 2^64 - 1.
    """
    limit = 2**64 - 2**64 % bound
    while (draw := int.from_bytes(entropy(8), "big")) >= limit:
        pass
    return draw % bound
