"""The price of a knock: a moment's work, by which a new key costs a stranger something.

It is a number that with the host's nonce, which is another one for each lobby and each key, gives a
hash that begins with some zero bits. The hash takes memory (scrypt, RFC 7914), so that a machine
made for hashing has no great advantage over a notebook.
"""

import hashlib
from itertools import count

from p2p.transport.lobby_messages import WORK_BYTES

BITS = 7
"""Zero bits: 128 attempts on average, a fifth of a second; 1 % need more than 590."""

_HASH_BYTES = 4


def is_paid(nonce: bytes, work: bytes) -> bool:
    """Return True if that is the price. Costs one attempt."""
    return len(work) == WORK_BYTES and _hash(nonce, work) >> (8 * _HASH_BYTES - BITS) == 0


def pay(nonce: bytes) -> bytes:
    """Return the work. Blocks."""
    attempts = (number.to_bytes(WORK_BYTES, "big") for number in count())
    return next(work for work in attempts if is_paid(nonce, work))


def _hash(nonce: bytes, work: bytes) -> int:
    made = hashlib.scrypt(work, salt=nonce, n=512, r=8, p=1, dklen=_HASH_BYTES)
    return int.from_bytes(made, "big")
