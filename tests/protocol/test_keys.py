"""Lock keys and the nonces that are drawn for proofs about them."""

from __future__ import annotations

import pytest

from protocol.errors import Malformed
from protocol.group import BASE, ONE, ORDER, times_base
from protocol.keys import LockKey, hedged_nonces
from tests.protocol.seeded import seeded

KEY = LockKey.generate(seeded("key"))
OTHER = LockKey.generate(seeded("other"))


def broken(size: int) -> bytes:
    """Entropy as a machine has it that is restored from the same snapshot every time."""
    return bytes(size)


def test_lock_and_unlock_are_inverse_and_the_unlock_key_is_public() -> None:
    assert KEY.lock * KEY.unlock == ONE
    assert KEY.unlock_key == times_base(KEY.unlock)
    assert KEY.lock * KEY.unlock_key == BASE
    assert KEY != OTHER


def test_the_journal_keeps_the_lock() -> None:
    assert LockKey.decode(KEY.encode()) == KEY
    assert len(KEY.encode()) == 32


@pytest.mark.parametrize("bad", [bytes(32), ORDER.to_bytes(32, "little"), b"", bytes(64)])
def test_no_lock_of_zero_and_none_with_two_encodings(bad: bytes) -> None:
    with pytest.raises(Malformed):
        LockKey.decode(bad)


def test_secrets_stay_out_of_sight() -> None:
    for secret in (KEY.lock, KEY.unlock):
        assert secret.encode().hex() not in repr(KEY)
        assert str(int(secret)) not in repr(KEY)


def test_nonces_differ_with_all_that_they_are_made_of() -> None:
    drawn = [
        hedged_nonces(3, KEY, broken, b"ctx", b"deck"),
        hedged_nonces(3, KEY, broken, b"ctxdeck"),
        hedged_nonces(3, KEY, broken, b"other", b"deck"),
        hedged_nonces(3, OTHER, broken, b"ctx", b"deck"),
        hedged_nonces(3, KEY, seeded("fresh"), b"ctx", b"deck"),
        hedged_nonces(3, KEY, seeded("fresher"), b"ctx", b"deck"),
    ]
    assert len({nonce for nonces in drawn for nonce in nonces}) == 3 * len(drawn)
    assert hedged_nonces(3, KEY, broken, b"ctx", b"deck") == drawn[0]
