"""Labelled hashing: the hash of a domain label and length-prefixed parts.

Only `expand_message_xmd` has another input, which RFC 9380 prescribes.

The input of a hash is the list `DOMAIN/label, part 1, part 2, ...`, each written as its length
(8 bytes, big-endian) and its bytes.  So the list can be read back from the input in one way only:
two different lists never have the same input, and a hash for one use never serves another use.
"""

from __future__ import annotations

import hashlib

DOMAIN = "sobremesa/1"
_BLOCK = 128  # SHA-512's input block, bytes (the Z_pad of RFC 9380)


def labelled_hash(label: str, *parts: bytes) -> bytes:
    """Return the SHA-512 (64 bytes) of `parts` under `label`."""
    return hashlib.sha512(_framed(label, parts)).digest()


def digest(label: str, *parts: bytes) -> bytes:
    """Return the SHA-256 (32 bytes) of `parts` under `label`: the id of an entry, or of a table."""
    return hashlib.sha256(_framed(label, parts)).digest()


def labelled_stream(label: str, length: int, *parts: bytes) -> bytes:
    """Return `length` bytes of SHAKE256 over `parts` under `label`."""
    return hashlib.shake_256(_framed(label, parts)).digest(length)


def number(value: int) -> bytes:
    """Return a count or index as a part for a hash: 8 bytes, big-endian.

    Raises OverflowError outside of 0 .. 2^64 - 1.

    >>> number(258).hex()
    '0000000000000102'
    """
    return value.to_bytes(8, "big")


def expand_message_xmd(message: bytes, dst: bytes) -> bytes:
    """Return the 64 bytes of expand_message_xmd (RFC 9380 section 5.3.1) with SHA-512.

    `dst`, the domain separation tag, is at most 255 bytes (OverflowError otherwise).
    """
    dst_prime = dst + len(dst).to_bytes(1, "big")
    # One hash has the 64 bytes that are wanted, so b_1 is the whole output.
    b_0 = hashlib.sha512(bytes(_BLOCK) + message + (64).to_bytes(2, "big") + b"\0" + dst_prime)
    return hashlib.sha512(b_0.digest() + b"\1" + dst_prime).digest()


def _framed(label: str, parts: tuple[bytes, ...]) -> bytes:
    named = (f"{DOMAIN}/{label}".encode(), *parts)
    return b"".join([len(part).to_bytes(8, "big") + part for part in named])
