"""Signatures with Ed25519 (RFC 8032). Each is for one purpose, which its label names."""

from collections.abc import Callable
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KEY_BYTES = 32
SIGNATURE_BYTES = 64

Signer = Callable[[bytes, bytes], bytes]
"""A function from a label and a message to a signature. Its caller needs no secret key."""

_P = 2**255 - 19

# The y coordinates of the eight points of small order. If the key is such a point, anybody can make
# signatures that verify.
_SMALL_ORDER_Y = frozenset(
    {
        0,
        1,
        _P - 1,
        0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD83D3D706A17C7,
        0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
    }
)


def labelled(label: bytes, message: bytes) -> bytes:
    """Return the bytes that are signed: the label with its length in front, and the message.

    So a signature for one use is worth nothing for another.
    """
    return len(label).to_bytes(1, "big") + label + message


def is_sound_key(public: bytes) -> bool:
    """Return True if `public` can be an identity: 32 bytes, reduced, and no point of small order.

    Libraries disagree on keys that are not reduced, but a verdict must not depend on the library.
    """
    # The highest bit is the sign of x (RFC 8032, 5.1.2), and no part of y.
    y = int.from_bytes(public, "little") & (2**255 - 1)
    return len(public) == KEY_BYTES and y < _P and y not in _SMALL_ORDER_Y


def is_signed(public: bytes, label: bytes, message: bytes, signature: bytes) -> bool:
    """Return True if the holder of `public` signed `message` for the use `label`."""
    try:
        key = _loaded(public)
        if key is None:
            return False
        key.verify(signature, labelled(label, message))
    except (InvalidSignature, ValueError):
        return False
    return True


@lru_cache(maxsize=64)  # a table checks the same few keys with each message
def _loaded(public: bytes) -> Ed25519PublicKey | None:
    """Return the key for verifying; None if it cannot be an identity. Raises ValueError."""
    return Ed25519PublicKey.from_public_bytes(public) if is_sound_key(public) else None
