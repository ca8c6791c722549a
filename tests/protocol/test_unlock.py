"""Unlock proofs: the test vectors of RFC 9497, and false proofs that must not pass."""

from __future__ import annotations

import pytest
from attrs import evolve

from protocol import unlock as unlocking
from protocol.errors import Malformed, ProofFailed, Refused
from protocol.group import BASE, ONE, ORDER, Point, Scalar, hash_to_point, times_base
from protocol.lock_key import SEED_BYTES, LockKey
from protocol.unlock import (
    UnlockProof,
    context_string,
    generate_proof,
    prove_unlock,
    unlock,
    verify_proof,
    verify_unlock,
)
from tests.protocol.seeded import seeded

# from RFC 9497, appendix A.1.2: ristretto255-SHA512, VOPRF mode
RFC_CONTEXT = b"OPRFV1-\x01-ristretto255-SHA512"
RFC_SECRET = "e6f73f344b79b379f1a0dd37e07ff62e38d9f71345ce62ae3a9bc60b04ccd909"
RFC_PUBLIC = "c803e2cc6b05fc15064549b5920659ca4a77b2cca6f04f6b357009335476ad4e"
RFC_VECTORS = [
    (  # test vector 1, batch size 1: blinded, evaluated, nonce, proof
        ["863f330cc1a1259ed5a5998a23acfd37fb4351a793a5b3c090b642ddc439b945"],
        ["aa8fa048764d5623868679402ff6108d2521884fa138cd7f9c7669a9a014267e"],
        "222a5e897cf59db8145db8d16e597e8facb80ae7d4e26d9881aa6f61d645fc0e",
        (
            "ddef93772692e535d1a53903db24367355cc2cc78de93b3be5a8ffcc6985dd06"
            "6d4346421d17bf5117a2a1ff0fcb2a759f58a539dfbe857a40bce4cf49ec600d"
        ),
    ),
    (  # test vector 3, batch size 2
        [
            "863f330cc1a1259ed5a5998a23acfd37fb4351a793a5b3c090b642ddc439b945",
            "90a0145ea9da29254c3a56be4fe185465ebb3bf2a1801f7124bbbadac751e654",
        ],
        [
            "aa8fa048764d5623868679402ff6108d2521884fa138cd7f9c7669a9a014267e",
            "cc5ac221950a49ceaa73c8db41b82c20372a4c8d63e5dded2db920b7eee36a2a",
        ],
        "419c4f4f5052c53c45f3da494d2b67b220d02118e0857cdbcf037f9ea84bbe0c",
        (
            "cc203910175d786927eeb44ea847328047892ddf8590e723c37205cb74600b0a"
            "5ab5337c8eb4ceae0494c2cf89529dcf94572ed267473d567aeed6ab873dee08"
        ),
    ),
]


def _points(encodings: list[str]) -> list[Point]:
    return [Point.decode(bytes.fromhex(encoding)) for encoding in encodings]


@pytest.mark.parametrize(("blinded", "evaluated", "nonce", "expected"), RFC_VECTORS)
def test_unlock_proofs_match_rfc_9497(
    blinded: list[str], evaluated: list[str], nonce: str, expected: str
) -> None:
    unlock_scalar = Scalar.decode(bytes.fromhex(RFC_SECRET))
    key = LockKey(unlock_scalar.invert(), bytes(SEED_BYTES))
    assert key.unlock == unlock_scalar
    assert key.unlock_key.encode().hex() == RFC_PUBLIC
    w, z = _points(blinded), _points(evaluated)
    assert list(unlock(key, w)) == z
    proof = generate_proof(RFC_CONTEXT, key, w, z, Scalar.decode(bytes.fromhex(nonce)))
    assert proof.encode().hex() == expected
    assert verify_proof(RFC_CONTEXT, key.unlock_key, w, z, proof)
    ours = context_string(b"", key.unlock_key, w, z)
    assert not verify_proof(ours, key.unlock_key, w, z, proof)


CTX = b"table 7, round 2, entry 40"
KEY = LockKey.generate(seeded("unlock key"))
OTHER = LockKey.generate(seeded("other key"))
LOCKED = tuple(hash_to_point("test", bytes([i])) for i in range(4))
UNLOCKED = unlock(KEY, LOCKED)
PROOF = prove_unlock(CTX, KEY, LOCKED, UNLOCKED)


def _refused_by(*arguments: object) -> str:
    with pytest.raises(ProofFailed) as caught:
        verify_unlock(*arguments)  # type: ignore[arg-type]
    return caught.value.equation


def test_an_honest_proof_passes_and_survives_its_encoding() -> None:
    assert UnlockProof.decode(PROOF.encode()) == PROOF
    verify_unlock(CTX, KEY.unlock_key, LOCKED, UNLOCKED, PROOF)
    verify_unlock(CTX, KEY.unlock_key, list(LOCKED), list(UNLOCKED), PROOF)


def test_unlocking_one_card_can_be_proven() -> None:
    """One card is unlocked when a player draws."""
    proof = prove_unlock(CTX, KEY, LOCKED[:1], UNLOCKED[:1])
    verify_unlock(CTX, KEY.unlock_key, LOCKED[:1], UNLOCKED[:1], proof)
    assert _refused_by(CTX, KEY.unlock_key, LOCKED[1:2], UNLOCKED[:1], proof) == "dleq"


def test_locks_come_off_in_any_order() -> None:
    twice = [KEY.lock * (OTHER.lock * card) for card in LOCKED]
    assert unlock(OTHER, unlock(KEY, twice)) == unlock(KEY, unlock(OTHER, twice)) == LOCKED


@pytest.mark.parametrize(
    "wrong",
    [
        *([*UNLOCKED[:at], UNLOCKED[at] + BASE, *UNLOCKED[at + 1 :]] for at in range(4)),
        [UNLOCKED[1], UNLOCKED[0], *UNLOCKED[2:]],
        [UNLOCKED[0] + BASE, UNLOCKED[1] - BASE, *UNLOCKED[2:]],
    ],
    ids=["first", "second", "third", "fourth", "exchanged", "cancelling"],
)
def test_wrong_cards_in_the_batch_are_found(wrong: list[Point]) -> None:
    """Exchanged cards, and errors that cancel in a sum, would pass in a batch without weights."""
    for proof in (PROOF, prove_unlock(CTX, KEY, LOCKED, wrong)):
        assert _refused_by(CTX, KEY.unlock_key, LOCKED, wrong, proof) == "dleq"


def test_false_shares_that_cancel_under_weak_weights_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If each weight hashed only its own pair, false shares could cancel.

    A cheat could make a list of false shares for each card, and search for some that cancel.
    The test shows this with weights of ten bits and two lists. With eight cards and weights of 252
    bits, the search takes eight lists and 2^63 steps (Wagner, CRYPTO 2002).
    """
    whole = unlocking._hash_to_scalar

    def cut(context: bytes, message: bytes) -> Scalar:
        weight = whole(context, message)
        return Scalar.of(int(weight) % 1024) if message.endswith(b"Composite") else weight

    monkeypatch.setattr(unlocking, "_hash_to_scalar", cut)
    honest = context_string(CTX, KEY.unlock_key, LOCKED, UNLOCKED)
    false = cancelling(honest)
    assert false[0] != UNLOCKED[0]
    assert false[1] != UNLOCKED[1]
    proof = prove_unlock(CTX, KEY, LOCKED, false)
    assert _refused_by(CTX, KEY.unlock_key, LOCKED, false, proof) == "dleq"
    monkeypatch.setattr(unlocking, "context_string", lambda *_: honest)
    proof = prove_unlock(CTX, KEY, LOCKED, false)
    verify_unlock(CTX, KEY.unlock_key, LOCKED, false, proof)


def cancelling(context: bytes) -> list[Point]:
    """Return shares with multiples of B added to the first two, which makes them false.

    The weighted sum of these multiples is zero if the weights are those of that context string.
    """
    w0, w1, *_ = LOCKED
    z0, z1, *rest = UNLOCKED
    found: dict[int, Point] = {}
    for factor in range(1, 3000):
        false = z0 + times_base(Scalar.of(factor))
        (weight,) = unlocking._weights(context, KEY.unlock_key, [w0], [false])
        found[int(weight) * factor] = false
    for factor in range(1, 3000):
        false = z1 - times_base(Scalar.of(factor))
        _, weight = unlocking._weights(context, KEY.unlock_key, [w0, w1], [z0, false])
        if (other := found.get(int(weight) * factor)) is not None:
            return [other, false, *rest]
    raise AssertionError("longer lists are needed")


def test_an_unlock_proof_is_bound_to_everything_in_its_statement() -> None:
    true = (CTX, KEY.unlock_key, LOCKED, UNLOCKED, PROOF)
    for at, wrong in (
        (0, [b"replayed"]),
        (1, [OTHER.unlock_key]),
        (2, [LOCKED[::-1], UNLOCKED[::-1]]),
        (2, [LOCKED[:3], UNLOCKED[:3]]),
        (4, [evolve(PROOF, c=PROOF.c + ONE)]),
        (4, [evolve(PROOF, s=PROOF.s + ONE)]),
    ):
        assert _refused_by(*true[:at], *wrong, *true[at + len(wrong) :]) == "dleq"


def test_a_proof_with_another_lock_is_refused() -> None:
    """Cards from which another lock was taken off could never be opened."""
    unlocked = unlock(OTHER, LOCKED)
    proof = prove_unlock(CTX, OTHER, LOCKED, unlocked)
    verify_unlock(CTX, OTHER.unlock_key, LOCKED, unlocked, proof)
    assert _refused_by(CTX, KEY.unlock_key, LOCKED, unlocked, proof) == "dleq"


def test_empty_and_uneven_batches_are_refused() -> None:
    assert _refused_by(CTX, KEY.unlock_key, (), (), PROOF) == "length"
    assert _refused_by(CTX, KEY.unlock_key, LOCKED, UNLOCKED[:3], PROOF) == "length"
    for locked, unlocked in (((), ()), (LOCKED, UNLOCKED[:3])):
        with pytest.raises(Refused):
            prove_unlock(CTX, KEY, locked, unlocked)


def test_a_commitment_that_is_the_identity_is_refused() -> None:
    """With c = 0 and s = 0 both commitments are the identity, whatever is claimed."""
    nothing = UnlockProof(Scalar.of(0), Scalar.of(0))
    assert _refused_by(CTX, KEY.unlock_key, LOCKED, UNLOCKED, nothing) == "identity"


@pytest.mark.parametrize("size", [0, 63, 65, 96])
def test_proofs_of_wrong_length_are_malformed(size: int) -> None:
    with pytest.raises(Malformed, match="64 bytes"):
        UnlockProof.decode(bytes(size))


@pytest.mark.parametrize("offset", [0, 32])
def test_a_proof_has_one_encoding(offset: int) -> None:
    data = bytearray(PROOF.encode())
    same = int.from_bytes(data[offset : offset + 32], "little") + ORDER
    data[offset : offset + 32] = same.to_bytes(32, "little")
    with pytest.raises(Malformed):
        UnlockProof.decode(bytes(data))


def test_unlock_proofs_are_repeatable_and_share_no_nonce() -> None:
    first = prove_unlock(CTX, KEY, LOCKED, UNLOCKED)
    assert first == PROOF
    other = prove_unlock(b"other", KEY, LOCKED, UNLOCKED)
    commitments = [times_base(p.s) + p.c * KEY.unlock_key for p in (first, other)]
    assert commitments[0] != commitments[1]
    leaked = (first.s - other.s) * (other.c - first.c).invert()
    assert leaked != KEY.unlock, "one nonce was used for two challenges, which reveals the key"
