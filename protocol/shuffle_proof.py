"""The proof that a deck was locked with one lock and put into some order, and nothing else.

Terelius and Wikstrom's characterisation of permutation matrices, in the form of Haenni, Locher,
Koenig and Dubuis (Pseudo-Code Algorithms for Verifiable Re-Encryption Mix-Nets, VOTING'17),
adapted from re-encryption to exponentiation.  Indices run from 1 to N.  B, k, u and U are those of
`lock_key`, x and y those of `shuffle`.  H_0..H_N are generators hashed to the group, which nobody
chooses.  The order of the group is l.

Statement: ctx, U, inputs x, outputs y.  Claim: y_i = k x_{j_i} for a permutation j, and U = u B.

Prove
 1. commit to the permutation      c_{j_i} = r_{j_i} B + H_i
 2. derive the weights             seed = H(ctx, U, x, y, c); e_j = H(seed, j); e'_i = e_{j_i}
 3. multiply the e' up in a chain  d_i = q_i B + e'_i d_{i-1}, with d_0 = H_0
 4. derive the chain's weights     f = H(seed, d): the weights of the chain's links are f, f^2 ..
 5. commit to the equations        T_sum, T_prod, T_commit, T_map, T_key, T_chain: the equations
                                   below at C = 0, with nonces w1..w4, w^, w'_i in place of
                                   s1..s4, s^, s'_i
 6. derive the challenge           C = H(seed, d, T)
 7. respond                        s1 = w1 + C sum r_j            s4   = w4 + C k
                                   s2 = w2 + C qhat               s^   = w^ + C sum f^i q_i
                                   s3 = w3 + C sum r_j e_j        s'_i = w'_i + C e'_i
    where d_N = qhat B + (prod e_j) H_0.

Verify: six sums are zero
    sum     s1 B - C (sum c_j - sum H_i) - T_sum             the rows of the matrix sum to one
    prod    s2 B - C (d_N - (prod e_j) H_0) - T_prod         the product of the e' is that of the e
    commit  s3 B + sum s'_i H_i - C sum e_j c_j - T_commit   e' is the matrix times e
    map     sum s'_i y_i - s4 sum e_j x_j - T_map            the same matrix takes x to y,
    key     s4 U - C B - T_key                               with the lock that U belongs to
    chain   s^ B + sum f^i s'_i d_{i-1} - C sum f^i d_i - T_chain     the d multiply the e' up
A matrix whose rows sum to one and that keeps the product of random e is a permutation matrix.

Two choices of form make the proof both smaller and faster:

- The chain's N links are one equation, weighted with powers of f.  Since f is derived from
  c and d, a prover with responses for N values of f has responses for every link (Vandermonde),
  and c binds the prover to the same e' in all of them.  This saves N commitments and N responses,
  and N multiplications on either side.  In return the chance to cheat grows from 1/l to N/l.
- The proof carries the six T instead of C, which takes 160 bytes more.  So each equation can be
  tested alone, and a bad proof is refused with the name of the equation that it breaks.  All six
  can also be tested as one sum, in which every point is multiplied exactly once.  The weights in
  that sum are powers of H(C, responses).  The chance that the sum is zero although an equation is
  false is 6/l.  The weights are hashes and not random, so every verifier and every later audit
  comes to the same verdict.

Work for N cards in multiplications (m), additions (a) and multiplications of B (b):
prove 3N + 1 m, 4N a, 2N + 5 b; verify 5N + 8 m, 5N + 8 a, 1 b.  (An addition takes as long as a
multiplication of B.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, reduce
from itertools import accumulate, repeat
from operator import add, mul
from typing import NamedTuple

from attrs import frozen

from engine.sentences import Sentence
from protocol.errors import Malformed, ProofFailed, Refused
from protocol.group import (
    BASE,
    ONE,
    SIZE,
    ZERO,
    Point,
    Scalar,
    dot,
    hash_to_point,
    hash_to_scalar,
    sum_of_products,
    times_base,
    vanishes,
)
from protocol.hashing import labelled_hash, number
from protocol.lock_key import LockKey, derive_nonces
from protocol.parallel import ParallelMap, each
from protocol.shuffle import Permutation, check_permutation


@frozen
class ShuffleStatement:
    """The claim: `outputs` are `inputs` under the lock of `unlock_key`, in some order.

    Raises ProofFailed "length" unless both decks have the same number of cards, at least one, and
    "distinct" when a card is in the outputs twice.
    """

    ctx: bytes
    """The bytes that stand for all that the caller binds the proof to: the prover and the place in
    the record.
    """
    unlock_key: Point
    inputs: tuple[Point, ...]
    outputs: tuple[Point, ...]

    def __attrs_post_init__(self) -> None:
        if not 0 < len(self.inputs) == len(self.outputs):
            raise ProofFailed(
                "length",
                "A shuffle of {cards} cards gave {given}.",
                cards=len(self.inputs),
                given=len(self.outputs),
            )
        if len(set(self.outputs)) < len(self.outputs):
            raise ProofFailed("distinct", "The shuffled deck holds the same card twice.")

    @property
    def parts(self) -> tuple[bytes, ...]:
        """The parts of the statement in bytes, for hashing."""
        return self.ctx, self.unlock_key.encode(), _join(self.inputs), _join(self.outputs)


class Commitments(NamedTuple):
    """The six T, one for each equation: its value at C = 0."""

    sum: Point
    prod: Point
    commit: Point
    map: Point
    key: Point
    chain: Point


@frozen
class ShuffleProof:
    """A proof: c_1..c_N, d_1..d_N, the six T, and the responses, 32 bytes each.

    That makes 32 (3N + 11) bytes: 10,720 for 108 cards.
    """

    c: tuple[Point, ...]
    d: tuple[Point, ...]
    commitments: Commitments
    s1: Scalar
    s2: Scalar
    s3: Scalar
    s4: Scalar
    s_hat: Scalar
    s_prime: tuple[Scalar, ...]

    @property
    def responses(self) -> bytes:
        """The responses s1..s4, s^, s'_1..s'_N in bytes."""
        return _join((self.s1, self.s2, self.s3, self.s4, self.s_hat, *self.s_prime))

    def encode(self) -> bytes:
        """Return the fields in their order, 32 bytes each."""
        return _join(self.c) + _join(self.d) + _join(self.commitments) + self.responses

    @classmethod
    def decode(cls, data: bytes, size: int) -> ShuffleProof:
        """Read the proof for a deck of `size` cards.

        Raises Malformed unless the length is exact, every point canonical and not the identity, and
        every scalar canonical: a proof has one encoding.
        """
        if len(data) != SIZE * (3 * size + 11):
            raise Malformed(
                "A shuffle proof for {size} cards has {right} bytes, not {given}.",
                size=size,
                right=SIZE * (3 * size + 11),
                given=len(data),
            )
        parts = [data[i : i + SIZE] for i in range(0, len(data), SIZE)]
        # The first 2N + 6 parts are points: all c, all d, and the six T.
        points = tuple(map(Point.decode, parts[: 2 * size + 6]))
        s1, s2, s3, s4, s_hat, *s_prime = map(Scalar.decode, parts[2 * size + 6 :])
        return cls(
            points[:size],
            points[size : 2 * size],
            Commitments(*points[2 * size :]),
            s1,
            s2,
            s3,
            s4,
            s_hat,
            tuple(s_prime),
        )


def prove(
    statement: ShuffleStatement,
    key: LockKey,
    permutation: Permutation,
    *,
    parallel_map: ParallelMap = map,
) -> ShuffleProof:
    """Prove that `statement.outputs` are `lock_and_shuffle(inputs, key, permutation)`.

    The numbered steps are those of the module's text.  The prover knows the lock and all
    logarithms of the chain, and so multiplies less often than the equations do.  The chain is
    d_i = a_i B + b_i H_0, with a_i drawn in place of q_i.  In `map` the outputs
    replace the inputs: x_{j_i} = u y_i.

    One statement has one proof.  Nothing in it is random but the lock, its seed and the order of
    the cards, and that order follows from the lock, the inputs and the outputs.  By their equations
    the values c, a_i B and `commit` do not depend on the inputs.  Still they cannot be computed
    ahead, for the nonces are derived from the whole statement (`spec/protocol.md`, 4).

    Raises Refused when key or permutation do not fit the statement.  The outputs are not checked:
    for wrong ones the result is a proof that does not verify.
    """
    size = len(statement.inputs)
    check_permutation(permutation, size)
    if key.unlock_key != statement.unlock_key:
        raise Refused("The lock to prove with is not the one whose unlock key is announced.")
    h_0, *h = generators(size)
    nonces = derive_nonces("shuffle nonces", 3 * size + 5, key, *statement.parts)
    r, a, w_prime = nonces[:size], nonces[size : 2 * size], nonces[2 * size : 3 * size]
    w1, w2, w3, w4, w_hat = nonces[3 * size :]
    # 1: the permutation
    h_for = dict(zip(permutation, h, strict=True))
    c = each(parallel_map, lambda j: times_base(r[j]) + h_for[j], range(size))
    # 2
    seed, e = derive_weights(statement, c)
    e_prime = [e[j] for j in permutation]
    # 3: the chain
    # d_i = a_i B + b_i H_0, where b_i is the product of the first i weights e'.
    b = list(accumulate(e_prime, mul))
    d = each(parallel_map, lambda i: times_base(a[i]) + b[i] * h_0, range(size))
    # d_0 = H_0, so a_0 = 0 and b_0 = 1. From step 3 follows a_i = q_i + e'_i a_{i-1}.
    a_before, b_before = [ZERO, *a[:-1]], [ONE, *b[:-1]]
    q = [a_i - e_i * before for a_i, e_i, before in zip(a, e_prime, a_before, strict=True)]
    # 4
    f = derive_chain_weights(seed, d)
    # 5: the commitments, each equation at C = 0
    w4_u = w4 * key.unlock
    w_f = list(map(mul, w_prime, f))
    commitments = Commitments(
        sum=times_base(w1),
        prod=times_base(w2),
        commit=sum_of_products(zip([w3, *w_prime], [BASE, *h], strict=True), parallel_map),
        # Since x_{j_i} = u y_i, the term w4 sum e_j x_j is w4 u sum e'_i y_i: N multiplications
        # less.
        map=sum_of_products(
            (
                (w_i - w4_u * e_i, y_i)
                for w_i, e_i, y_i in zip(w_prime, e_prime, statement.outputs, strict=True)
            ),
            parallel_map,
        ),
        key=times_base(w4_u),
        chain=times_base(w_hat + dot(w_f, a_before)) + dot(w_f, b_before) * h_0,
    )
    # 6
    challenge = derive_challenge(seed, d, commitments)
    # 7
    return ShuffleProof(
        c,
        d,
        commitments,
        s1=w1 + challenge * reduce(add, r),
        # qhat is a_N, by the form of d_N.
        s2=w2 + challenge * a[-1],
        s3=w3 + challenge * dot(r, e),
        s4=w4 + challenge * key.lock,
        s_hat=w_hat + challenge * dot(f, q),
        s_prime=tuple(w_i + challenge * e_i for w_i, e_i in zip(w_prime, e_prime, strict=True)),
    )


def verify_in_part(statement: ShuffleStatement, proof: ShuffleProof) -> None:
    """Verify only `prod` and `key`, the two equations that do not grow with the deck.

    They test the hashes, the challenge and the lock.  Provers use this to find faults of their own
    machine.  Raises ProofFailed.
    """
    about = Transcript.of(statement, proof)
    check(about, {name: EQUATIONS[name] for name in ("prod", "key")})


def verify(
    statement: ShuffleStatement, proof: ShuffleProof, *, parallel_map: ParallelMap = map
) -> None:
    """Check that `proof` shows `statement`. Raises ProofFailed, naming the equation."""
    check(Transcript.of(statement, proof), EQUATIONS, parallel_map=parallel_map)


@frozen
class Transcript:
    """A statement, its proof, and the weights and the challenge that hashing derives from them.

    All of it is public.
    """

    statement: ShuffleStatement
    proof: ShuffleProof
    e: tuple[int, ...]
    f: tuple[int, ...]
    """The weights f, f^2, .. f^N."""
    challenge: int
    h: tuple[Point, ...]
    """The generators H_0 .. H_N."""

    @classmethod
    def of(cls, statement: ShuffleStatement, proof: ShuffleProof) -> Transcript:
        """Derive a transcript. Raises ProofFailed "length" when the proof is of another size."""
        size = len(statement.inputs)
        if not size == len(proof.c) == len(proof.d) == len(proof.s_prime):
            raise ProofFailed("length", "The proof is not for a deck of {size} cards.", size=size)
        seed, e = derive_weights(statement, proof.c)
        return cls(
            statement,
            proof,
            # All of this is public, so Python's integers, which are not constant-time, will do.
            tuple(map(int, e)),
            tuple(map(int, derive_chain_weights(seed, proof.d))),
            int(derive_challenge(seed, proof.d, proof.commitments)),
            generators(size),
        )


Term = tuple[int, Point]
Equation = Callable[[Transcript], Iterator[Term]]
"""A function from a transcript to the terms of a sum that has to be zero."""


def _sum(about: Transcript) -> Iterator[Term]:
    yield int(about.proof.s1), BASE
    yield from zip(repeat(-about.challenge), about.proof.c)
    yield from zip(repeat(about.challenge), about.h[1:])
    yield -1, about.proof.commitments.sum


def _prod(about: Transcript) -> Iterator[Term]:
    yield int(about.proof.s2), BASE
    yield -about.challenge, about.proof.d[-1]
    yield about.challenge * reduce(mul, about.e), about.h[0]
    yield -1, about.proof.commitments.prod


def _commit(about: Transcript) -> Iterator[Term]:
    yield int(about.proof.s3), BASE
    yield from zip(map(int, about.proof.s_prime), about.h[1:], strict=True)
    yield from (
        (-about.challenge * e_j, c_j) for e_j, c_j in zip(about.e, about.proof.c, strict=True)
    )
    yield -1, about.proof.commitments.commit


def _map(about: Transcript) -> Iterator[Term]:
    s4 = int(about.proof.s4)
    yield from zip(map(int, about.proof.s_prime), about.statement.outputs, strict=True)
    yield from ((-s4 * e_j, x_j) for e_j, x_j in zip(about.e, about.statement.inputs, strict=True))
    yield -1, about.proof.commitments.map


def _key(about: Transcript) -> Iterator[Term]:
    yield int(about.proof.s4), about.statement.unlock_key
    yield -about.challenge, BASE
    yield -1, about.proof.commitments.key


def _chain(about: Transcript) -> Iterator[Term]:
    d_before = (about.h[0], *about.proof.d[:-1])
    yield int(about.proof.s_hat), BASE
    for f_i, s_i, before, d_i in zip(
        about.f, about.proof.s_prime, d_before, about.proof.d, strict=True
    ):
        yield f_i * int(s_i), before
        yield -about.challenge * f_i, d_i
    yield -1, about.proof.commitments.chain


EQUATIONS: Mapping[str, Equation] = {
    "sum": _sum,
    "prod": _prod,
    "commit": _commit,
    "map": _map,
    "key": _key,
    "chain": _chain,
}
_BROKEN = {
    "sum": Sentence("the commitment does not take every card exactly once"),
    "prod": Sentence("the commitment mixes cards"),
    "commit": Sentence("the answers do not belong to the commitment"),
    "map": Sentence("the new deck does not come from the old one"),
    "key": Sentence("the lock is not the one of the announced unlock key"),
    "chain": Sentence("the product was not built from the commitment"),
}


def check(
    transcript: Transcript, equations: Mapping[str, Equation], *, parallel_map: ParallelMap = map
) -> None:
    """Check all `equations` as one weighted sum. Raises ProofFailed, naming a false equation.

    If the sum is not zero, each equation is checked alone, and the first false one is named.
    """
    weights = _powers(
        hash_to_scalar(
            "shuffle sum",
            Scalar.of(transcript.challenge).encode(),
            transcript.proof.responses,
        ),
        len(equations),
    )
    # A point of several equations is multiplied only once: B, for example, is in five of the six.
    coefficients: defaultdict[Point, int] = defaultdict(int)
    for weight, equation in zip(map(int, weights), equations.values(), strict=True):
        for a, point in equation(transcript):
            coefficients[point] += weight * a
    if not _zero(((a, point) for point, a in coefficients.items()), parallel_map):
        # If all equations held, the sum would be zero: so there is a false one.
        broken = next(name for name, terms in equations.items() if not _zero(terms(transcript)))
        raise ProofFailed(
            broken, "Shuffle proof, equation {broken}: {what}.", broken=broken, what=_BROKEN[broken]
        )


def _zero(terms: Iterable[Term], parallel_map: ParallelMap = map) -> bool:
    return vanishes(((Scalar.of(a), point) for a, point in terms), parallel_map)


@cache
def generators(size: int) -> tuple[Point, ...]:
    """Return the generators H_0 .. H_size: each is a hash of its index, the same at all nodes."""
    return tuple(hash_to_point("generator", number(i)) for i in range(size + 1))


def derive_weights(
    statement: ShuffleStatement, c: tuple[Point, ...]
) -> tuple[bytes, tuple[Scalar, ...]]:
    """Return the seed, a hash of the statement and of c, and the weights e_1..e_N (step 2)."""
    seed = labelled_hash("shuffle seed", *statement.parts, _join(c))
    return seed, tuple(hash_to_scalar("shuffle e", seed, number(j + 1)) for j in range(len(c)))


def derive_chain_weights(seed: bytes, d: tuple[Point, ...]) -> tuple[Scalar, ...]:
    """Return f, f^2, .. f^N, derived from the finished chain (step 4)."""
    return _powers(hash_to_scalar("shuffle f", seed, _join(d)), len(d))


def derive_challenge(seed: bytes, d: tuple[Point, ...], commitments: Commitments) -> Scalar:
    """Return the challenge C (step 6)."""
    return hash_to_scalar("shuffle c", seed, _join(d), _join(commitments))


def _powers(x: Scalar, count: int) -> tuple[Scalar, ...]:
    """Return x, x^2, .. x^count."""
    return tuple(accumulate(repeat(x, count), mul))


def _join(values: Iterable[Point | Scalar]) -> bytes:
    return b"".join(value.encode() for value in values)
