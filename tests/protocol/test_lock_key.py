"""Lock keys, their seeds, and the nonces that are derived for proofs about them."""

from __future__ import annotations

import pytest
from attrs import evolve

from protocol.errors import Malformed
from protocol.group import BASE, ONE, ORDER, Scalar, times_base
from protocol.lock_key import LockKey, derive_nonces
from tests.protocol.seeded import seeded

KEY = LockKey.generate(seeded("key"))
OTHER = LockKey.generate(seeded("other"))


def test_lock_and_unlock_are_inverse_and_the_unlock_key_is_public() -> None:
    assert KEY.lock * KEY.unlock == ONE
    assert KEY.unlock_key == times_base(KEY.unlock)
    assert KEY.lock * KEY.unlock_key == BASE
    assert KEY != OTHER


def test_a_lock_survives_encoding_and_decoding() -> None:
    assert LockKey.decode(KEY.encode()) == KEY
    assert KEY.encode() == KEY.lock.encode() + KEY.seed
    assert len(KEY.encode()) == 64


def test_two_locks_have_two_seeds() -> None:
    entropy = seeded("two")
    assert LockKey.generate(entropy).seed != LockKey.generate(entropy).seed


@pytest.mark.parametrize(
    "bad",
    [
        bytes(64),
        ORDER.to_bytes(32, "little") + KEY.seed,
        b"",
        KEY.lock.encode(),
        KEY.encode()[:-1],
        KEY.encode() + b"\0",
    ],
)
def test_malformed_locks_are_refused(bad: bytes) -> None:
    with pytest.raises(Malformed):
        LockKey.decode(bad)


def test_secrets_of_a_lock_are_not_printed() -> None:
    for secret in (KEY.lock, KEY.unlock):
        assert secret.encode().hex() not in repr(KEY)
        assert str(int(secret)) not in repr(KEY)
    assert KEY.seed.hex() not in repr(KEY)


def nonces(label: str = "unlock nonces", key: LockKey = KEY, *statement: bytes) -> list[Scalar]:
    return derive_nonces(label, 3, key, *(statement or (b"ctx", b"deck")))


def test_nonces_of_a_statement_are_repeatable() -> None:
    assert nonces() == nonces(key=LockKey.decode(KEY.encode()))


def test_nonces_depend_on_all_their_inputs() -> None:
    drawn = [
        nonces(),
        nonces("shuffle nonces"),
        nonces("unlock nonces", KEY, b"ctxdeck"),
        nonces("unlock nonces", KEY, b"other", b"deck"),
        nonces(key=evolve(KEY, lock=OTHER.lock)),
        nonces(key=evolve(KEY, seed=OTHER.seed)),
    ]
    assert len({nonce for each in drawn for nonce in each}) == 3 * len(drawn)
