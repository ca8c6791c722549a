"""The shuffle proof: honest proofs pass, and each equation has an attack that only it stops."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from attrs import evolve

from protocol import shuffle_proof
from protocol.cards_as_points import card_points
from protocol.errors import Malformed, ProofFailed, Refused, RemoteError
from protocol.group import (
    BASE,
    ONE,
    ORDER,
    SIZE,
    ZERO,
    Point,
    Scalar,
    hash_to_point,
    hash_to_scalar,
    sum_of_products,
)
from protocol.hashing import labelled_hash, number
from protocol.lock_key import LockKey
from protocol.shuffle import Permutation, draw_permutation, lock_and_shuffle
from protocol.shuffle_proof import (
    EQUATIONS,
    ShuffleProof,
    ShuffleStatement,
    Transcript,
    check,
    generators,
    prove,
    verify,
    verify_in_part,
)
from tests.protocol.cheating_prover import (
    Matrix,
    answer_first,
    cheat,
    diagonal,
    products_of_weights,
)
from tests.protocol.seeded import seeded

CTX = b"version, table, round, deal, step, writer, previous entry"
KEY = LockKey.generate(seeded("lock"))
OTHER_KEY = LockKey.generate(seeded("another lock"))


def cards(size: int) -> tuple[Point, ...]:
    return card_points(b"table", 1, 1, range(size))


def honest(size: int) -> tuple[ShuffleStatement, Permutation, ShuffleProof]:
    entropy = seeded(f"honest {size}")
    permutation = draw_permutation(size, entropy)
    outputs = lock_and_shuffle(cards(size), KEY, permutation)
    statement = ShuffleStatement(CTX, KEY.unlock_key, cards(size), outputs)
    return statement, permutation, prove(statement, KEY, permutation)


def matrix_of(permutation: Permutation) -> Matrix:
    return [[ONE if j == at else ZERO for j in range(len(permutation))] for at in permutation]


def failed(check: Callable[..., object], *arguments: Any) -> str:
    """Return the equation that refuses a proof or its statement."""
    with pytest.raises(ProofFailed) as caught:
        check(*arguments)
    return caught.value.equation


# -- Honest proofs


@pytest.mark.parametrize("size", range(1, 9))
def test_the_proof_of_a_small_deck_holds_and_survives_encoding(size: int) -> None:
    statement, _, proof = honest(size)
    verify(statement, proof)
    assert ShuffleProof.decode(proof.encode(), size) == proof


def test_the_proof_of_a_whole_deck_does_not_depend_on_threads() -> None:
    statement, permutation, proof = honest(108)
    assert len(proof.encode()) == 10_720
    verify(statement, proof)
    with ThreadPoolExecutor(2) as threads:
        shuffled = lock_and_shuffle(statement.inputs, KEY, permutation, parallel_map=threads.map)
        assert shuffled == statement.outputs
        assert proof == prove(statement, KEY, permutation, parallel_map=threads.map)
        verify(statement, proof, parallel_map=threads.map)
        bad = evolve(proof, s1=proof.s1 + ONE)
        with pytest.raises(ProofFailed, match="equation sum"):
            verify(statement, bad, parallel_map=threads.map)


def test_the_cheating_prover_without_a_cheat_is_honest() -> None:
    statement, permutation, _ = honest(4)
    verify(statement, cheat(statement, KEY, matrix_of(permutation), seeded("fair")))


def test_prove_refuses_a_wrong_lock_or_permutation() -> None:
    statement, permutation, _ = honest(3)
    with pytest.raises(Refused, match="lock"):
        prove(statement, OTHER_KEY, permutation)
    for wrong in ((0, 0, 1), (0, 1), (1, 2, 3), (0, 1, 2, 3)):
        with pytest.raises(Refused, match="permutation"):
            prove(statement, KEY, wrong)


def test_proofs_are_repeatable_and_share_no_commitments_with_another_context() -> None:
    statement, permutation, first = honest(3)
    assert first == prove(statement, KEY, permutation)
    second = prove(evolve(statement, ctx=b"retried"), KEY, permutation)
    assert not set(first.commitments) & set(second.commitments)
    assert not set(first.c) & set(second.c)


def test_verify_in_part_checks_the_hashes_the_challenge_and_the_lock() -> None:
    statement, _, proof = honest(3)
    verify_in_part(statement, proof)
    wrong = {"s2": proof.s2 + ONE}, {"s4": proof.s4 + ONE}, {"c": proof.c[::-1]}
    found = [failed(verify_in_part, statement, evolve(proof, **changes)) for changes in wrong]
    assert found == ["prod", "key", "prod"]


# -- Each equation is needed: proofs that pass all equations but one
#
# There are four cards. The inputs are cards that nobody has locked yet, and the cheater starts from
# the identity permutation.

INPUTS = cards(4)
LOCKED = [KEY.lock * x for x in INPUTS]
IDENTITY = diagonal(ONE, ONE, ONE, ONE)
TWO = Scalar.of(2)
UNRELATED = [hash_to_point("a deck of my own", number(i)) for i in range(4)]


def claimed(outputs: list[Point], key: LockKey = KEY) -> ShuffleStatement:
    return ShuffleStatement(CTX, key.unlock_key, INPUTS, tuple(outputs))


def mixed() -> tuple[Matrix, ShuffleStatement]:
    """Return a matrix that mixes two cards although its rows sum to one, and the claim for it."""
    a, b = Scalar.of(3), Scalar.of(5)
    matrix = diagonal(ONE, ONE, ONE, ONE)
    matrix[0][:2], matrix[1][:2] = [a, ONE - a], [b, ONE - b]
    # y = k (M^-1)^T x; for rows (a, 1-a), (b, 1-b) the determinant is a - b
    scale = (a - b).invert() * KEY.lock
    x_0, x_1, *_ = INPUTS
    y_0 = scale * ((ONE - b) * x_0 - b * x_1)
    y_1 = scale * (a * x_1 - (ONE - a) * x_0)
    return matrix, claimed([y_0, y_1, *LOCKED[2:]])


def scaled() -> tuple[Matrix, ShuffleStatement]:
    """Return a matrix that scales two cards, by 1/2 and by 2, and the claim for it.

    The two factors cancel in the equation `prod`.
    """
    outputs = [TWO.invert() * LOCKED[0], TWO * LOCKED[1], *LOCKED[2:]]
    return diagonal(TWO, TWO.invert(), ONE, ONE), claimed(outputs)


def assert_only_stopped_by(name: str, statement: ShuffleStatement, proof: ShuffleProof) -> None:
    """Check that a verifier without equation `name` is fooled, and that the real one names it."""
    others = {other: terms for other, terms in EQUATIONS.items() if other != name}
    check(Transcript.of(statement, proof), others)
    assert failed(verify, statement, proof) == name


def test_sum_stops_cards_that_are_marked_by_a_factor() -> None:
    matrix, statement = scaled()
    assert_only_stopped_by("sum", statement, cheat(statement, KEY, matrix, seeded("sum")))


def test_commit_stops_responses_about_another_matrix() -> None:
    matrix, statement = scaled()
    proof = cheat(statement, KEY, matrix, seeded("commit"), committed=IDENTITY)
    assert_only_stopped_by("commit", statement, proof)


def test_prod_and_chain_stop_cards_that_are_mixed() -> None:
    """The second proof's chain multiplies the weights in their own order.

    So it satisfies `prod` although the cards are mixed, and only `chain` stops it.
    """
    matrix, statement = mixed()
    assert_only_stopped_by("prod", statement, cheat(statement, KEY, matrix, seeded("prod")))
    proof = cheat(statement, KEY, matrix, seeded("chain"), chain=products_of_weights)
    assert_only_stopped_by("chain", statement, proof)


@pytest.mark.parametrize(
    "outputs",
    [UNRELATED, [LOCKED[0], TWO * LOCKED[0], *LOCKED[2:]]],
    ids=["an unrelated deck", "a card that comes twice in disguise"],
)
def test_map_stops_a_deck_of_other_cards(outputs: list[Point]) -> None:
    statement = claimed(outputs)
    for permutation in ((2, 0, 3, 1), (0, 1, 2, 3)):
        assert_only_stopped_by("map", statement, prove(statement, KEY, permutation))


def test_distinct_stops_a_card_that_comes_twice_openly() -> None:
    assert failed(claimed, [LOCKED[0], LOCKED[0], *LOCKED[2:]]) == "distinct"


def test_key_stops_a_lock_that_was_not_announced() -> None:
    """Taking off the announced lock would never open a card."""
    statement = claimed(LOCKED, OTHER_KEY)
    assert_only_stopped_by("key", statement, cheat(statement, KEY, IDENTITY, seeded("key")))


# -- Attacks on weak Fiat-Shamir: cheats that would work if one of the hashes covered less


def test_the_weights_and_the_challenge_are_the_specified_hashes() -> None:
    """The test has its own copy of the transcript's wire format."""
    statement, _, proof = honest(2)

    def joined(points: tuple[Point, ...]) -> bytes:
        return b"".join(point.encode() for point in points)

    decks = joined(statement.inputs), joined(statement.outputs)
    seed = labelled_hash("shuffle seed", CTX, KEY.unlock_key.encode(), *decks, joined(proof.c))
    about = Transcript.of(statement, proof)
    assert about.e == tuple(int(hash_to_scalar("shuffle e", seed, number(j))) for j in (1, 2))
    f = int(hash_to_scalar("shuffle f", seed, joined(proof.d)))
    assert about.f == (f, f * f % ORDER)
    challenge = hash_to_scalar("shuffle c", seed, joined(proof.d), joined(proof.commitments))
    assert about.challenge == int(challenge)


def test_the_seed_must_hash_the_decks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the decks in the hash, all outputs but one could be one card in disguise."""
    size = 8
    statement, permutation, _ = honest(size)
    matrix = matrix_of(permutation)

    def without_decks(
        about: ShuffleStatement, c: tuple[Point, ...]
    ) -> tuple[bytes, tuple[Scalar, ...]]:
        seed = labelled_hash("shuffle seed", about.ctx, *(c_j.encode() for c_j in c))
        return seed, tuple(hash_to_scalar("shuffle e", seed, number(j + 1)) for j in range(len(c)))

    with monkeypatch.context() as weak:
        weak.setattr(shuffle_proof, "derive_weights", without_decks)
        # The commitment is made, and the weights are known, before the deck is chosen.
        _, e = without_decks(statement, cheat(statement, KEY, matrix, seeded("decks")).c)
        e_prime = [e[j] for j in permutation]
        copies = [Scalar.of(i + 1) * statement.inputs[0] for i in range(size - 1)]
        terms = [(KEY.lock * e_j, x_j) for e_j, x_j in zip(e, statement.inputs, strict=True)]
        terms += [(ZERO - e_i, y_i) for e_i, y_i in zip(e_prime, copies, strict=False)]
        last = e_prime[-1].invert() * sum_of_products(terms)
        forged = evolve(statement, outputs=(*copies, last))
        proof = cheat(forged, KEY, matrix, seeded("decks"))
        verify(forged, proof)
    # With the decks in the seed, the weights differ.
    assert failed(verify, forged, proof) == "sum"
    assert failed(verify, forged, cheat(forged, KEY, matrix, seeded("decks"))) == "map"


def test_the_weights_must_hash_the_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    """If f were known before d is chosen, one false link could balance another."""
    matrix, statement = mixed()
    f = Scalar.of(7)

    def balanced(e: list[Scalar], e_prime: list[Scalar]) -> list[Scalar]:
        b_1 = e_prime[0]
        b_2 = b_1 * e_prime[1]
        b_4 = products_of_weights(e, e_prime)[-1]
        b_3 = (e_prime[2] * b_2 - f * b_4) * (ONE - f * e_prime[3]).invert()
        return [b_1, b_2, b_3, b_4]

    def powers_of_seven(_: bytes, d: tuple[Point, ...]) -> tuple[Scalar, ...]:
        return tuple(Scalar.of(7 ** (i + 1)) for i in range(len(d)))

    with monkeypatch.context() as weak:
        weak.setattr(shuffle_proof, "derive_chain_weights", powers_of_seven)
        proof = cheat(statement, KEY, matrix, seeded("f"), chain=balanced)
        verify(statement, proof)
    again = cheat(statement, KEY, matrix, seeded("f"), chain=balanced)
    assert [failed(verify, statement, one) for one in (proof, again)] == ["chain", "chain"]


def test_the_challenge_must_hash_the_six_commitments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without T in the hash, responses could be chosen first, and anything could be proven."""
    statement, c = claimed(UNRELATED), tuple(UNRELATED)
    with monkeypatch.context() as weak:
        without = lambda seed, _, __: hash_to_scalar("shuffle c", seed)  # noqa: E731
        weak.setattr(shuffle_proof, "derive_challenge", without)
        proof = answer_first(statement, c, c, seeded("responses"))
        verify(statement, proof)
    again = answer_first(statement, c, c, seeded("responses"))
    assert [failed(verify, statement, one) for one in (proof, again)] == ["sum", "sum"]


def test_the_weights_of_the_equations_must_hash_the_responses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If weights were known before the responses, one false equation could hide another."""
    statement, _, proof = honest(4)
    challenge = Scalar.of(Transcript.of(statement, proof).challenge)
    weight = hash_to_scalar("shuffle sum", challenge.encode())
    # Equation `sum` has the weight w, and `prod` w^2: errors of w and -1 cancel, w w - w^2 = 0.
    forged = evolve(proof, s1=proof.s1 + weight, s2=proof.s2 - ONE)

    def without_responses(label: str, *parts: bytes) -> Scalar:
        return hash_to_scalar(label, *(parts[:1] if label == "shuffle sum" else parts))

    with monkeypatch.context() as weak:
        weak.setattr(shuffle_proof, "hash_to_scalar", without_responses)
        verify(statement, forged)
    assert failed(verify, statement, forged) == "sum"
    # These errors would cancel in a sum without weights.
    cancelling = evolve(proof, s1=proof.s1 + ONE, s2=proof.s2 - ONE)
    assert failed(verify, statement, cancelling) == "sum"


# -- Every byte counts: proofs and statements with one part changed

STATEMENT, _, PROOF = honest(3)
DATA = PROOF.encode()
POINTS, PARTS = 2 * 3 + 6, 3 * 3 + 11
"""The numbers of points and of all parts in a proof for three cards.

Points come first, then scalars. Each part has 32 bytes.
"""


def with_part(at: int, part: bytes) -> bytes:
    return DATA[: at * SIZE] + part + DATA[(at + 1) * SIZE :]


def test_a_proof_is_bound_to_every_part_of_its_statement() -> None:
    """A proof cannot be replayed under another context, key or deck."""
    other, decks = (
        hash_to_point("other"),
        {"inputs": STATEMENT.inputs, "outputs": STATEMENT.outputs},
    )
    changes: list[dict[str, Any]] = [
        {"ctx": b"replayed"},
        {"ctx": b""},
        {"unlock_key": OTHER_KEY.unlock_key},
        {"inputs": STATEMENT.outputs, "outputs": STATEMENT.inputs},
    ]
    for name, deck in decks.items():
        exchanged = ((*deck[:i], other, *deck[i + 1 :]) for i in range(3))
        changes += [{name: wrong} for wrong in (deck[::-1], *exchanged)]
    for change in changes:
        assert failed(verify, evolve(STATEMENT, **change), PROOF) in EQUATIONS


@pytest.mark.parametrize("at", range(PARTS))
def test_every_changed_value_of_a_proof_is_refused(at: int) -> None:
    """The identity, bad points, and a second encoding of a scalar are refused, too."""
    part = DATA[at * SIZE : (at + 1) * SIZE]
    if at < POINTS:
        changed = (Point.decode(part) + BASE).encode()
        bad = [bytes(32), b"\xff" * 32, b"\x01" + bytes(31)]
    else:
        changed = (Scalar.decode(part) + ONE).encode()
        bad = [(int.from_bytes(part, "little") + ORDER).to_bytes(SIZE, "little")]
    assert failed(verify, STATEMENT, ShuffleProof.decode(with_part(at, changed), 3)) in EQUATIONS
    for encoding in bad:
        with pytest.raises(Malformed):
            ShuffleProof.decode(with_part(at, encoding), 3)


def test_changed_bytes_of_a_proof_are_refused() -> None:
    for i in range(0, len(DATA), 5):
        changed = bytearray(DATA)
        changed[i] ^= 1 << i % 8
        with pytest.raises(RemoteError):
            verify(STATEMENT, ShuffleProof.decode(bytes(changed), 3))


def test_a_proof_of_the_wrong_length_is_refused() -> None:
    for wrong in (b"", DATA[:-1], DATA + b"\0", DATA[:-SIZE], DATA + bytes(SIZE), DATA * 2):
        with pytest.raises(Malformed, match=f"3 cards has 640 bytes, not {len(wrong)}"):
            ShuffleProof.decode(wrong, 3)
    for size in (0, 2, 4):
        with pytest.raises(Malformed):
            ShuffleProof.decode(DATA, size)
    assert failed(verify, honest(4)[0], PROOF) == "length"
    for inputs, outputs in (((), ()), (cards(3), cards(2)), (cards(2), cards(3))):
        assert failed(ShuffleStatement, CTX, KEY.unlock_key, inputs, outputs) == "length"


def test_generators_are_derived_from_their_index() -> None:
    """Only the index determines a generator, so nobody can choose one."""
    h = generators(4)
    assert h == tuple(hash_to_point("generator", number(i)) for i in range(5))
    assert h == generators(6)[:5]
    assert len({*h, BASE}) == 6
