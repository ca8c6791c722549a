"""Bad encodings of points and scalars, in every field that holds one: their signer is exposed."""

import pytest
from attrs import evolve

from protocol.entries import MoveContent, ShuffleContent, UnlockContent
from protocol.group import ORDER
from tests.protocol.bad_encodings import TORSION
from tests.protocol.played import discarding, shuffling, unlocking

BAD_POINTS = {
    "the identity": bytes(32),
    "-1, where torsion would show": TORSION,
    "not reduced": bytes.fromhex("00" + 31 * "ff"),
    "above the prime": bytes.fromhex("f3" + 30 * "ff" + "7f"),
    "negative": bytes.fromhex("01" + 31 * "00"),
    "no square": bytes.fromhex("26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371"),
}
BAD_SCALARS = {
    "the order": ORDER.to_bytes(32, "little"),
    "all ones": b"\xff" * 32,
}


@pytest.mark.parametrize("bad", BAD_POINTS.values(), ids=BAD_POINTS)
def test_a_bad_point_as_card_key_or_commitment_of_a_shuffle_is_exposed(bad: bytes) -> None:
    moment = shuffling()
    honest = moment.the(ShuffleContent)
    size = len(honest.cards)
    assert moment.cause(evolve(honest, unlock_key=bad)) == "R9"
    for card in (0, size - 1):
        outputs = honest.outputs[: 32 * card] + bad + honest.outputs[32 * card + 32 :]
        assert moment.cause(evolve(honest, outputs=outputs)) == "R9"
    for point in (0, size, 2 * size, 2 * size + 5):  # c, d, the first and the last T
        proof = honest.proof[: 32 * point] + bad + honest.proof[32 * point + 32 :]
        assert moment.cause(evolve(honest, proof=proof)) == "R9"


@pytest.mark.parametrize("bad", BAD_POINTS.values(), ids=BAD_POINTS)
def test_a_bad_point_as_share_of_an_unlocking_is_exposed(bad: bytes) -> None:
    moment = unlocking()
    honest = moment.the(UnlockContent)
    for at in (0, len(honest.shares) - 1):
        shares = (*honest.shares[:at], bad, *honest.shares[at + 1 :])
        assert moment.cause(evolve(honest, shares=shares)) == "R9"


@pytest.mark.parametrize("bad", BAD_SCALARS.values(), ids=BAD_SCALARS)
def test_a_scalar_not_reduced_in_a_shuffle_proof_is_exposed(bad: bytes) -> None:
    moment = shuffling()
    honest = moment.the(ShuffleContent)
    first = 32 * (2 * len(honest.cards) + 6)
    for at in (first, first + 4 * 32, len(honest.proof) - 32):
        proof = honest.proof[:at] + bad + honest.proof[at + 32 :]
        assert moment.cause(evolve(honest, proof=proof)) == "R9"


def test_a_proof_with_a_second_form_of_its_scalars_is_exposed() -> None:
    """Add l to s: a careless verifier takes both, and one proof has two byte strings."""
    for moment, honest in (
        (unlocking(), unlocking().the(UnlockContent)),
        (discarding(), discarding().the(MoveContent)),
    ):
        (proof,) = honest.proofs
        for half in (0, 32):
            scalar = int.from_bytes(proof[half : half + 32], "little") + ORDER
            again = proof[:half] + scalar.to_bytes(32, "little") + proof[half + 32 :]
            assert moment.cause(evolve(honest, proofs=(again,))) == "R9"
