"""The price of a knock: a proof of work, so that a new key costs a stranger something.

The host gives a nonce, which differs for each lobby and each key. The stranger looks for a number
such that the hash of number and nonce begins with `BITS` zero bits. The hash needs memory (scrypt,
RFC 7914), so a machine made for hashing has no great advantage over a notebook.
"""

import hashlib
from itertools import count

from p2p.transport.lobby_messages import WORK_BYTES

BITS = 7
"""The number of zero bits. A stranger needs 128 attempts on average, which take a fifth of a
second. Of a hundred strangers one needs more than 590 attempts.
"""

_HASH_BYTES = 4


def is_paid(nonce: bytes, work: bytes) -> bool:
    """Return True if `work` pays the price for `nonce`. Takes as long as one attempt."""
    # Of the 32 bits of the hash, the shift leaves the first seven.
    return len(work) == WORK_BYTES and _hash(nonce, work) >> (8 * _HASH_BYTES - BITS) == 0


def pay(nonce: bytes) -> bytes:
    """Return work that pays the price for `nonce`. Blocks."""
    attempts = (number.to_bytes(WORK_BYTES, "big") for number in count())
    return next(work for work in attempts if is_paid(nonce, work))


def _hash(nonce: bytes, work: bytes) -> int:
    made = hashlib.scrypt(work, salt=nonce, n=512, r=8, p=1, dklen=_HASH_BYTES)
    return int.from_bytes(made, "big")
