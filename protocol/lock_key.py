"""Locks: a fresh secret scalar for each player and deal, and the nonces of the proofs about a lock.

    k     the lock, random and non-zero; locking a card is k * point
    u     = 1 / k, the unlock scalar
    U     = u * B, the public unlock key, announced inside the shuffle entry

Locks commute, k1 * (k2 * P) = k2 * (k1 * P), so they come off in any order.

A lock comes with a seed, which is drawn and stored with it. The nonces of every proof about the
lock are derived from lock, seed and statement alone. So if a statement is proven again after a
crash, the proof has the same bytes.
"""

from __future__ import annotations

from attrs import Attribute, field, frozen

from protocol.errors import Malformed
from protocol.group import SIZE, WIDE, Entropy, Point, Scalar, random_scalar, times_base
from protocol.hashing import labelled_stream

SEED_BYTES = 32


def _check_seed(_: object, __: Attribute[bytes], seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise Malformed("The seed of a lock has 32 bytes, not {size}.", size=len(seed))


@frozen(repr=False)
class LockKey:
    """A player's lock for one deal, and its seed.

    It is secret: only the public unlock key is in its repr.
    """

    lock: Scalar
    seed: bytes = field(validator=_check_seed)
    unlock: Scalar = field(init=False)
    unlock_key: Point = field(init=False)

    def __attrs_post_init__(self) -> None:
        if not self.lock:
            raise Malformed("A lock of zero would turn every card into the identity.")
        object.__setattr__(self, "unlock", self.lock.invert())
        object.__setattr__(self, "unlock_key", times_base(self.unlock))

    @classmethod
    def generate(cls, entropy: Entropy) -> LockKey:
        """Return a fresh uniform lock, and its seed, from 64 and 32 bytes of `entropy`."""
        return cls(random_scalar(entropy), entropy(SEED_BYTES))

    @classmethod
    def decode(cls, data: bytes) -> LockKey:
        """Return the lock that the journal keeps.

        Raises Malformed unless `data` are 64 bytes: a canonical scalar other than zero, and a seed.
        """
        return cls(Scalar.decode(data[:SIZE]), data[SIZE:])

    def encode(self) -> bytes:
        """Return 64 secret bytes for the journal: the lock k and its seed."""
        return self.lock.encode() + self.seed

    def __repr__(self) -> str:
        return f"LockKey(unlock_key={self.unlock_key!r})"


def derive_nonces(label: str, count: int, key: LockKey, *statement: bytes) -> list[Scalar]:
    """Return `count` uniform scalars that blind one proof about `key`; `label` names its use.

    They are the output of SHAKE256 over the lock, its seed and the whole statement, with a label
    for each use.  Two different challenges for the same nonces would give the lock away.  So:

    - Two statements, or two uses, never share nonces.  If a machine is restored from a snapshot,
      its entropy may repeat: then lock and seed may be the same, but the statement is not.
    - One statement has one challenge, which is a hash of the statement and the nonces.  But a
      faulty machine could compute a wrong challenge once, and the right one later.  So the
      player verifies each unlock proof before it is sent (`protocol.player`).  A lock is used to
      prove one shuffle at most: the proof is stored with the lock, or both are lost.

    The seed protects the nonces even from somebody who learns something about the lock: it is 32
    uniform bytes that no other computation uses.
    """
    stream = labelled_stream(label, count * WIDE, key.lock.encode(), key.seed, *statement)
    return [Scalar.reduce(stream[i : i + WIDE]) for i in range(0, len(stream), WIDE)]
