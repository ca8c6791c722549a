"""Signatures: RFC 8032's own vectors, labels apart, and keys for which anybody could sign."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from protocol.signing import is_signed, is_sound_key, labelled

P = 2**255 - 19
SECRET = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = SECRET.public_key().public_bytes_raw()


def test_what_is_signed_begins_with_the_length_of_its_label() -> None:
    assert labelled(b"ab", b"c") == b"\x02abc"


def test_a_signature_is_for_one_label_and_message() -> None:
    signature = SECRET.sign(labelled(b"use", b"message"))
    assert is_signed(PUBLIC, b"use", b"message", signature)
    for label, message in ((b"use", b"messag"), (b"us", b"emessage"), (b"", b"\x03usemessage")):
        assert not is_signed(PUBLIC, label, message, signature)


def test_no_changed_byte_of_a_signature_goes_unseen() -> None:
    signature = SECRET.sign(labelled(b"use", b"message"))
    for at in range(64):
        changed = bytearray(signature)
        changed[at] ^= 1 << at % 8
        assert not is_signed(PUBLIC, b"use", b"message", bytes(changed))


def test_the_other_form_of_the_second_half_is_refused() -> None:
    """S + l is S to a careless verifier (RFC 8032, 5.1.7)."""
    signature = SECRET.sign(labelled(b"use", b"message"))
    order = 2**252 + 27742317777372353535851937790883648493
    s = int.from_bytes(signature[32:], "little") + order
    assert not is_signed(PUBLIC, b"use", b"message", signature[:32] + s.to_bytes(32, "little"))


SMALL_ORDER = [
    0,
    1,
    P - 1,
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD83D3D706A17C7,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
]


@pytest.mark.parametrize("y", [*SMALL_ORDER, *range(P, 2**255)])
@pytest.mark.parametrize("sign", [0, 1 << 255])
def test_keys_of_small_order_and_keys_not_reduced_are_no_identities(y: int, sign: int) -> None:
    key = (y | sign).to_bytes(32, "little")
    assert not is_sound_key(key)
    assert not is_signed(key, b"use", b"message", bytes(64))


@pytest.mark.parametrize("key", [b"", PUBLIC[1:], PUBLIC + b"\0"])
def test_a_key_has_32_bytes(key: bytes) -> None:
    assert is_sound_key(PUBLIC)
    assert not is_sound_key(key)


def test_anybody_could_sign_for_a_key_of_small_order() -> None:
    """The reason: with A of order one, R = S B holds whatever the message is."""
    identity = (1).to_bytes(32, "little")
    forged = identity + bytes(32)
    public = Ed25519PublicKey.from_public_bytes(identity)
    public.verify(forged, b"anything")
    assert not is_signed(identity, b"use", b"anything", forged)


def test_a_signature_of_the_wrong_length_is_none() -> None:
    for size in (0, 63, 65):
        assert not is_signed(PUBLIC, b"use", b"message", bytes(size))
