"""A prover who follows the shuffle proof, except for one cheat that the test chooses.

The prover proves the linear map y = k (M^-1)^T x, where M can be any matrix of scalars, not only a
permutation matrix. The code follows the equations, without the honest prover's shortcuts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import accumulate
from operator import add, mul

from attrs import evolve

from protocol import shuffle_proof
from protocol.group import (
    BASE,
    ONE,
    ZERO,
    Entropy,
    Point,
    Scalar,
    dot,
    random_scalar,
    sum_of_products,
    times_base,
)
from protocol.lock_key import LockKey
from protocol.shuffle_proof import Commitments, ShuffleProof, ShuffleStatement

Matrix = list[list[Scalar]]
Chain = Callable[[list[Scalar], list[Scalar]], list[Scalar]]


def diagonal(*values: Scalar) -> Matrix:
    """Return a matrix that scales each card and does not mix them."""
    return [
        [value if i == j else ZERO for j in range(len(values))] for i, value in enumerate(values)
    ]


def products_of_permuted_weights(_: list[Scalar], e_prime: list[Scalar]) -> list[Scalar]:
    """Return the honest chain: the products e'_1, e'_1 e'_2, and so on."""
    return list(accumulate(e_prime, mul))


def products_of_weights(e: list[Scalar], _: list[Scalar]) -> list[Scalar]:
    """Return a chain that satisfies `prod`, whatever the commitments are."""
    return list(accumulate(e, mul))


def cheat(
    statement: ShuffleStatement,
    key: LockKey,
    matrix: Matrix,
    entropy: Entropy,
    *,
    committed: Matrix | None = None,
    chain: Chain = products_of_permuted_weights,
) -> ShuffleProof:
    """Return a proof for `matrix`.

    If `committed` is given, the commitments c are for that matrix instead. `chain` computes the
    numbers in the commitments d.
    """
    size = len(statement.inputs)
    h_0, *h = shuffle_proof.generators(size)
    r = [random_scalar(entropy) for _ in range(size)]
    rows = committed or matrix
    c = tuple(
        sum_of_products(
            [(r[j], BASE), *((row[j], h_i) for row, h_i in zip(rows, h, strict=True) if row[j])]
        )
        for j in range(size)
    )
    seed, asked = shuffle_proof.derive_weights(statement, c)
    e = list(asked)
    e_prime = [dot(row, e) for row in matrix]
    a = [random_scalar(entropy) for _ in range(size)]
    b = chain(e, e_prime)
    d = tuple(times_base(a_i) + b_i * h_0 for a_i, b_i in zip(a, b, strict=True))
    q = [a_i - e_i * before for a_i, e_i, before in zip(a, e_prime, [ZERO, *a], strict=False)]
    f = shuffle_proof.derive_chain_weights(seed, d)
    w1, w2, w3, w4, w_hat = (random_scalar(entropy) for _ in range(5))
    w_prime = [random_scalar(entropy) for _ in range(size)]
    x_sum = sum_of_products(zip(e, statement.inputs, strict=True))
    y_sum = sum_of_products(zip(w_prime, statement.outputs, strict=True))
    commitments = Commitments(
        sum=times_base(w1),
        prod=times_base(w2),
        commit=sum_of_products(zip([w3, *w_prime], [BASE, *h], strict=True)),
        map=y_sum - w4 * x_sum,
        key=w4 * statement.unlock_key,
        chain=sum_of_products(
            [
                (w_hat, BASE),
                *((f_i * w_i, d_i) for f_i, w_i, d_i in zip(f, w_prime, [h_0, *d], strict=False)),
            ]
        ),
    )
    challenge = shuffle_proof.derive_challenge(seed, d, commitments)
    return ShuffleProof(
        c,
        d,
        commitments,
        s1=w1 + challenge * reduce(add, r),
        s2=w2 + challenge * a[-1],
        s3=w3 + challenge * dot(r, e),
        s4=w4 + challenge * key.lock,
        s_hat=w_hat + challenge * dot(f, q),
        s_prime=tuple(w_i + challenge * e_i for w_i, e_i in zip(w_prime, e_prime, strict=True)),
    )


def answer_first(
    statement: ShuffleStatement, c: tuple[Point, ...], d: tuple[Point, ...], entropy: Entropy
) -> ShuffleProof:
    """Return a proof whose responses are chosen before its commitments T.

    It passes only if the challenge does not hash T.
    """
    s_prime = tuple(random_scalar(entropy) for _ in statement.inputs)
    s1, s2, s3, s4, s_hat = (random_scalar(entropy) for _ in range(5))
    guess = ShuffleProof(c, d, Commitments(*[BASE] * 6), s1, s2, s3, s4, s_hat, s_prime)
    about = shuffle_proof.Transcript.of(statement, guess)
    needed = []
    for equation in shuffle_proof.EQUATIONS.values():
        terms = [(Scalar.of(a), point) for a, point in equation(about)]
        needed.append(sum_of_products([*terms, (ONE, BASE)]))  # cancels the guessed T
    return evolve(guess, commitments=Commitments(*needed))
