"""The unlocking of cards of one deal, z_i = u * w_i, with one proof for all of them.

The cards are w_i before the lock is taken off, and z_i after that. u is the inverse of the lock,
U is its public key (`LockKey`), and B is the base point of the group. The proof shows that the same
u makes U = u B and all z_i = u w_i. It is the batched proof of equal discrete logarithms of
RFC 9497 section 2.2. The suite is that RFC's ristretto255-SHA512, and the right column has its
names of functions:

 1. weights  g_i = H(seed, i, w_i, z_i), where seed hashes U        ComputeComposites
 2.          M = sum g_i w_i,  Z = sum g_i z_i  (who knows u computes u M)
 3. commit   t2 = r B,  t3 = r M                                    GenerateProof
 4. ask      c = H(U, M, Z, t2, t3)
 5. answer   s = r - c u;  the proof is (c, s)
    verify   c = H(U, M, Z, s B + c U, s M + c Z)    "dleq"         VerifyProof

In RFC 9497 every hash has a context string, which names mode and suite. Our context string names
the purpose, and has a digest of the whole statement: ctx, U, all w and all z. So every weight
depends on all pairs. In the RFC each weight hashes only one pair, so a cheat could try false z_i
one by one until some cancel each other (`spec/protocol.md`, 9). With the RFC's context string this
code computes the RFC's test vectors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from engine.sentences import Sentence
from protocol.errors import Malformed, ProofFailed, Refused
from protocol.group import BASE, SIZE, Point, Scalar, sum_of_products, times_base
from protocol.hashing import digest, expand_message_xmd
from protocol.lock_key import LockKey, derive_nonces


@frozen
class UnlockProof:
    """The challenge c and the answer s: 64 bytes for any number of cards."""

    c: Scalar
    s: Scalar

    def encode(self) -> bytes:
        """Return c and s, 32 bytes each."""
        return self.c.encode() + self.s.encode()

    @classmethod
    def decode(cls, data: bytes) -> UnlockProof:
        """Return the proof in `data`. Raises Malformed unless it is two canonical scalars."""
        if len(data) != 2 * SIZE:
            raise Malformed("An unlock proof has 64 bytes, not {size}.", size=len(data))
        return cls(Scalar.decode(data[:SIZE]), Scalar.decode(data[SIZE:]))


def unlock(key: LockKey, locked: Iterable[Point]) -> tuple[Point, ...]:
    """Return the points of the cards after this lock was taken off."""
    return tuple(key.unlock * point for point in locked)


def prove_unlock(
    ctx: bytes,
    key: LockKey,
    locked: Sequence[Point],
    unlocked: Sequence[Point],
) -> UnlockProof:
    """Prove that `unlocked` is `unlock(key, locked)`; `ctx` is what the proof is bound to.

    The nonce is derived from the lock, its seed and the statement, so proving the same statement
    again gives the same proof.

    Raises Refused when there are no cards, or `locked` and `unlocked` differ in length. `unlocked`
    is not checked: for wrong cards the result is a proof that does not verify.
    """
    if not 0 < len(locked) == len(unlocked):
        raise Refused("An unlock proof needs at least one card, and as many cards before as after.")
    statement = _statement(ctx, key.unlock_key, locked, unlocked)
    (r,) = derive_nonces("unlock nonces", 1, key, *statement)
    context = context_string(ctx, key.unlock_key, locked, unlocked)
    return generate_proof(context, key, locked, unlocked, r)


def verify_unlock(
    ctx: bytes,
    unlock_key: Point,
    locked: Sequence[Point],
    unlocked: Sequence[Point],
    proof: UnlockProof,
) -> None:
    """Check that `unlocked` is `locked` without the lock of `unlock_key`. Raises ProofFailed.

    The error names the equation: "length" (no cards, or lists of different lengths), "identity" or
    "dleq".
    """
    if not 0 < len(locked) == len(unlocked):
        raise ProofFailed(
            "length",
            Sentence.counted(
                "An unlocking of {n} card gives {given}.",
                "An unlocking of {n} cards gives {given}.",
                len(locked),
                given=len(unlocked),
            ),
        )
    try:
        context = context_string(ctx, unlock_key, locked, unlocked)
        holds = verify_proof(context, unlock_key, locked, unlocked, proof)
    except Refused as error:
        raise ProofFailed(
            "identity", "Unlock proof: one of its sums is not allowed. {error}", error=error
        ) from None
    if not holds:
        raise ProofFailed(
            "dleq", "Unlock proof: the cards were not unlocked with the announced key."
        )


def context_string(ctx: bytes, unlock_key: Point, w: Sequence[Point], z: Sequence[Point]) -> bytes:
    """Return our context string, 71 bytes, in place of RFC 9497's "OPRFV1-" mode "-" suite."""
    statement = digest("unlock", *_statement(ctx, unlock_key, w, z))
    return b"sobremesa/1/unlock-ristretto255-SHA512-" + statement


def _statement(
    ctx: bytes, unlock_key: Point, w: Sequence[Point], z: Sequence[Point]
) -> tuple[bytes, ...]:
    """Return the parts of the statement in bytes, for hashing."""
    joined = (b"".join(point.encode() for point in points) for points in (w, z))
    return (ctx, unlock_key.encode(), *joined)


def generate_proof(
    context: bytes,
    key: LockKey,
    w: Sequence[Point],
    z: Sequence[Point],
    r: Scalar,
) -> UnlockProof:
    """Return GenerateProof(k=u, A=B, B=U, C=w, D=z) of RFC 9497, 2.2.1, with the nonce `r`."""
    m = sum_of_products(zip(_weights(context, key.unlock_key, w, z), w, strict=True))
    m_unlocked = key.unlock * m  # ComputeCompositesFast
    c = _challenge(context, key.unlock_key, m, m_unlocked, times_base(r), r * m)
    return UnlockProof(c, r - c * key.unlock)


def verify_proof(
    context: bytes,
    unlock_key: Point,
    w: Sequence[Point],
    z: Sequence[Point],
    proof: UnlockProof,
) -> bool:
    """Return VerifyProof(A=B, B=U, C=w, D=z) of RFC 9497 section 2.2.2.

    Raises Refused when M, Z or a commitment comes out as the identity.
    """
    weights = list(_weights(context, unlock_key, w, z))
    m = sum_of_products(zip(weights, w, strict=True))
    m_unlocked = sum_of_products(zip(weights, z, strict=True))
    # Since s = r - c u, t2 is r B, and t3 is r M if Z = u M. So they are the prover's commitments.
    t2 = sum_of_products([(proof.s, BASE), (proof.c, unlock_key)])
    t3 = sum_of_products([(proof.s, m), (proof.c, m_unlocked)])
    return proof.c == _challenge(context, unlock_key, m, m_unlocked, t2, t3)


def _weights(
    context: bytes, unlock_key: Point, w: Sequence[Point], z: Sequence[Point]
) -> Iterator[Scalar]:
    """Yield the g_i of ComputeComposites."""
    seed = hashlib.sha512(_framed(unlock_key.encode(), b"Seed-" + context)).digest()
    for i, (w_i, z_i) in enumerate(zip(w, z, strict=True)):
        # RFC 9497 counts from 0, and writes i in two bytes.
        cards = _framed(w_i.encode(), z_i.encode())
        yield _hash_to_scalar(context, _framed(seed) + i.to_bytes(2, "big") + cards + b"Composite")


def _challenge(context: bytes, *points: Point) -> Scalar:
    transcript = _framed(*(point.encode() for point in points))
    return _hash_to_scalar(context, transcript + b"Challenge")


def _hash_to_scalar(context: bytes, transcript: bytes) -> Scalar:
    """Return HashToScalar of RFC 9497 section 4.1."""
    return Scalar.reduce(expand_message_xmd(transcript, b"HashToScalar-" + context))


def _framed(*parts: bytes) -> bytes:
    """Return each part after its length in two bytes."""
    return b"".join(len(part).to_bytes(2, "big") + part for part in parts)
