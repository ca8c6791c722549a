"""Signatures and hashes: the separation by labels, and keys for which anybody could sign."""

from __future__ import annotations

import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from protocol.hashing import digest, expand_message_xmd, labelled_hash, labelled_stream, number
from protocol.signatures import is_signed, is_sound_key, labelled

P = 2**255 - 19
SECRET = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = SECRET.public_key().public_bytes_raw()


def test_signed_bytes_begin_with_the_length_of_the_label() -> None:
    assert labelled(b"ab", b"c") == b"\x02abc"


def changed_byte(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]


SIGNED = SECRET.sign(labelled(b"use", b"message"))
UNREDUCED = int.from_bytes(SIGNED[32:], "little") + 2**252 + 27742317777372353535851937790883648493


def test_a_signature_is_for_one_label_and_message_and_has_one_encoding() -> None:
    """A careless verifier accepts S + l like S; l is the order of B (RFC 8032, 5.1.7)."""
    assert is_signed(PUBLIC, b"use", b"message", SIGNED)
    for label, message in ((b"use", b"messag"), (b"us", b"emessage"), (b"", b"\x03usemessage")):
        assert not is_signed(PUBLIC, label, message, SIGNED)
    for wrong in (
        *(changed_byte(SIGNED, at) for at in range(64)),
        SIGNED[:32] + UNREDUCED.to_bytes(32, "little"),
        *(bytes(size) for size in (0, 63, 65)),
    ):
        assert not is_signed(PUBLIC, b"use", b"message", wrong)


# the y coordinates of the points whose order divides 8
SMALL_ORDER = [
    0,
    1,
    P - 1,
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD83D3D706A17C7,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
]


@pytest.mark.parametrize("y", [*SMALL_ORDER, *range(P, 2**255)])
@pytest.mark.parametrize("sign", [0, 1 << 255])
def test_keys_of_small_order_and_unreduced_keys_are_refused(y: int, sign: int) -> None:
    key = (y | sign).to_bytes(32, "little")
    assert not is_sound_key(key)
    assert not is_signed(key, b"use", b"message", bytes(64))


@pytest.mark.parametrize("key", [b"", PUBLIC[1:], PUBLIC + b"\0"])
def test_keys_of_the_wrong_length_are_refused(key: bytes) -> None:
    assert is_sound_key(PUBLIC)
    assert not is_sound_key(key)


def test_anybody_could_sign_for_a_key_of_small_order() -> None:
    """With A of order one, R = S B holds for any message: the reason to refuse such keys."""
    identity = (1).to_bytes(32, "little")
    forged = identity + bytes(32)
    public = Ed25519PublicKey.from_public_bytes(identity)
    public.verify(forged, b"anything")
    assert not is_signed(identity, b"use", b"anything", forged)


# -- Labelled hashes: no two lists of parts, and no two labels, share an input


def test_hash_input_is_the_label_and_each_part_after_its_own_length() -> None:
    parts = b"sobremesa/1/card", b"ab", b""
    written = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    assert labelled_hash("card", b"ab", b"") == hashlib.sha512(written).digest()
    assert digest("card", b"ab", b"") == hashlib.sha256(written).digest()
    assert labelled_stream("card", 70, b"ab", b"") == hashlib.shake_256(written).digest(70)


def test_hashes_depend_on_the_label_and_on_the_borders_between_parts() -> None:
    borders = (b"abc",), (b"a", b"bc"), (b"ab", b"c"), (b"abc", b""), (b"", b"abc"), ()
    assert len({labelled_hash(label, *parts) for label in "ab" for parts in borders}) == 12
    assert labelled_hash("a", b"1")[:32] != digest("a", b"1")


def test_numbers_are_eight_bytes_and_bounded() -> None:
    assert number(258) == bytes([0, 0, 0, 0, 0, 0, 1, 2])
    for value in (-1, 2**64):
        with pytest.raises(OverflowError):
            number(value)


def test_expand_message_xmd_refuses_long_tags() -> None:
    with pytest.raises(OverflowError):
        expand_message_xmd(b"", bytes(256))
