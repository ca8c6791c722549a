"""Labelled hashes: no two lists of parts, and no two labels, share an input."""

from __future__ import annotations

import hashlib

import pytest

from protocol.hashing import (
    digest,
    expand_message_xmd,
    labelled_hash,
    labelled_stream,
    number,
)


def test_the_input_is_the_label_and_the_parts_after_their_lengths() -> None:
    written = (
        (len("sobremesa/1/card")).to_bytes(8, "big")
        + b"sobremesa/1/card"
        + (2).to_bytes(8, "big")
        + b"ab"
        + (0).to_bytes(8, "big")
    )
    assert labelled_hash("card", b"ab", b"") == hashlib.sha512(written).digest()
    assert digest("card", b"ab", b"") == hashlib.sha256(written).digest()
    assert labelled_stream("card", 70, b"ab", b"") == hashlib.shake_256(written).digest(70)


@pytest.mark.parametrize(
    "parts", [(b"abc",), (b"a", b"bc"), (b"ab", b"c"), (b"abc", b""), (b"", b"abc"), ()]
)
def test_parts_cannot_be_moved_across_their_borders(parts: tuple[bytes, ...]) -> None:
    others = {(b"abc",), (b"a", b"bc"), (b"ab", b"c"), (b"abc", b""), (b"", b"abc"), ()} - {parts}
    assert labelled_hash("x", *parts) not in {labelled_hash("x", *other) for other in others}


def test_labels_separate() -> None:
    assert labelled_hash("a", b"1") != labelled_hash("b", b"1")
    assert labelled_hash("a", b"1")[:32] != digest("a", b"1")


def test_numbers_are_eight_bytes_and_bounded() -> None:
    assert number(258) == bytes([0, 0, 0, 0, 0, 0, 1, 2])
    for value in (-1, 2**64):
        with pytest.raises(OverflowError):
            number(value)


def test_expand_message_xmd_refuses_long_tags() -> None:
    with pytest.raises(OverflowError):
        expand_message_xmd(b"", bytes(256))
