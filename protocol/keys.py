"""Locks: one fresh secret scalar a player and deal.

    k     the lock, random and non-zero; locking a card is k * point
    u     = 1 / k, the unlock scalar
    U     = u * B, the public unlock key, announced inside the shuffle entry

Locks commute, k1 * (k2 * P) = k2 * (k1 * P), so they come off in any order.
"""

from __future__ import annotations

from attrs import field, frozen

from protocol.errors import Malformed
from protocol.group import SIZE, WIDE, Entropy, Point, Scalar, random_scalar, times_base
from protocol.hashing import labelled_stream


@frozen(repr=False)
class LockKey:
    """A player's lock for one deal.  Secret: its repr shows the public unlock key only."""

    lock: Scalar
    unlock: Scalar = field(init=False)
    unlock_key: Point = field(init=False)

    def __attrs_post_init__(self) -> None:
        if not self.lock:
            raise Malformed("A lock of zero would turn every card into the identity.")
        object.__setattr__(self, "unlock", self.lock.invert())
        object.__setattr__(self, "unlock_key", times_base(self.unlock))

    @classmethod
    def generate(cls, entropy: Entropy) -> LockKey:
        """A fresh uniform lock from 64 bytes of `entropy`."""
        return cls(random_scalar(entropy))

    @classmethod
    def decode(cls, data: bytes) -> LockKey:
        """From the journal.  Raises Malformed unless a canonical scalar other than zero."""
        return cls(Scalar.decode(data))

    def encode(self) -> bytes:
        """For the journal: the 32 secret bytes of k, of which all else follows."""
        return self.lock.encode()

    def __repr__(self) -> str:
        return f"LockKey(unlock_key={self.unlock_key!r})"


def hedged_nonces(count: int, key: LockKey, entropy: Entropy, *statement: bytes) -> list[Scalar]:
    """`count` uniform scalars that blind one proof about `key`.

    They are drawn from SHAKE256 over the secret, 32 fresh bytes and the whole statement.  With
    good entropy they are fresh; with entropy that repeats (a restored snapshot of a machine) two
    statements still never share nonces, and one statement gives one and the same proof.  Two
    challenges on the same nonces would give the lock away.

    The fresh bytes are there for faults of the machine: with nonces of secret and statement alone,
    a challenge computed wrongly and then rightly would be two on the same nonces.  The price: a
    proof made again after a crash has other bytes.  So nothing that was sent is made again; see
    `p2p.storage.journal`, on doubt.
    """
    stream = labelled_stream("nonces", count * WIDE, key.encode(), entropy(SIZE), *statement)
    return [Scalar.reduce(stream[i : i + WIDE]) for i in range(0, len(stream), WIDE)]
