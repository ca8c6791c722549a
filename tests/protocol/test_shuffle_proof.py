"""The shuffle proof: honest proofs pass, and each equation has an attack that only it stops."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

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
from tests.protocol.cheating_prover import answer_first, cheat, diagonal, products_of_weights
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


def refused_by(statement: ShuffleStatement, proof: ShuffleProof) -> str:
    with pytest.raises(ProofFailed) as caught:
        verify(statement, proof)
    return caught.value.equation


def assert_only_stopped_by(name: str, statement: ShuffleStatement, proof: ShuffleProof) -> None:
    """Check that a verifier without equation `name` is fooled, and that the real one names it."""
    others = {other: terms for other, terms in EQUATIONS.items() if other != name}
    check(Transcript.of(statement, proof), others)
    assert refused_by(statement, proof) == name


class TestHonest:
    """Honest proofs."""

    @pytest.mark.parametrize("size", range(1, 9))
    def test_the_proof_of_a_small_deck_holds_and_survives_encoding(self, size: int) -> None:
        statement, _, proof = honest(size)
        verify(statement, proof)
        assert ShuffleProof.decode(proof.encode(), size) == proof

    def test_the_proof_of_a_whole_deck_does_not_depend_on_threads(self) -> None:
        statement, permutation, proof = honest(108)
        assert len(proof.encode()) == 10_720
        verify(statement, proof)
        with ThreadPoolExecutor(2) as threads:
            assert lock_and_shuffle(
                statement.inputs, KEY, permutation, parallel_map=threads.map
            ) == (statement.outputs)
            proof = prove(statement, KEY, permutation, parallel_map=threads.map)
            assert proof == prove(statement, KEY, permutation)
            verify(statement, proof, parallel_map=threads.map)
            bad = evolve(proof, s1=proof.s1 + ONE)
            with pytest.raises(ProofFailed, match="equation sum"):
                verify(statement, bad, parallel_map=threads.map)

    def test_the_cheating_prover_without_a_cheat_is_honest(self) -> None:
        statement, permutation, _ = honest(4)
        matrix = [[ONE if permutation[i] == j else ZERO for j in range(4)] for i in range(4)]
        verify(statement, cheat(statement, KEY, matrix, seeded("fair")))

    def test_prove_refuses_a_wrong_lock_or_permutation(self) -> None:
        statement, permutation, _ = honest(3)
        with pytest.raises(Refused, match="lock"):
            prove(statement, OTHER_KEY, permutation)
        for wrong in ((0, 0, 1), (0, 1), (1, 2, 3), (0, 1, 2, 3)):
            with pytest.raises(Refused, match="permutation"):
                prove(statement, KEY, wrong)

    def test_proofs_are_repeatable_and_share_no_commitments_with_another_context(self) -> None:
        statement, permutation, first = honest(3)
        assert first == prove(statement, KEY, permutation)
        second = prove(evolve(statement, ctx=b"retried"), KEY, permutation)
        assert not set(first.commitments) & set(second.commitments)
        assert not set(first.c) & set(second.c)

    def test_verify_in_part_checks_hashes_challenge_and_lock(self) -> None:
        statement, _, proof = honest(3)
        verify_in_part(statement, proof)
        for name, bad in (
            ("prod", evolve(proof, s2=proof.s2 + ONE)),
            ("key", evolve(proof, s4=proof.s4 + ONE)),
            ("prod", evolve(proof, c=proof.c[::-1])),
        ):
            with pytest.raises(ProofFailed) as caught:
                verify_in_part(statement, bad)
            assert caught.value.equation == name


class TestEveryEquationIsNeeded:
    """Proofs that pass all equations but one.

    N = 4. The inputs are the cards themselves, and the cheater starts from the identity
    permutation.
    """

    INPUTS = cards(4)

    def statement(self, outputs: list[Point], key: LockKey = KEY) -> ShuffleStatement:
        return ShuffleStatement(CTX, key.unlock_key, self.INPUTS, tuple(outputs))

    def locked(self) -> list[Point]:
        return [KEY.lock * x for x in self.INPUTS]

    def mixed(self) -> tuple[list[list[Scalar]], list[Point]]:
        """Return a matrix whose rows sum to one, but that mixes two cards, and its outputs."""
        a, b = Scalar.of(3), Scalar.of(5)
        matrix = diagonal(ONE, ONE, ONE, ONE)
        matrix[0][:2], matrix[1][:2] = [a, ONE - a], [b, ONE - b]
        # y = k (M^-1)^T x; for rows (a, 1-a), (b, 1-b) the determinant is a - b
        scale = (a - b).invert() * KEY.lock
        x_0, x_1, *rest = self.INPUTS
        y_0 = scale * ((ONE - b) * x_0 - b * x_1)
        y_1 = scale * (a * x_1 - (ONE - a) * x_0)
        return matrix, [y_0, y_1, *(KEY.lock * x for x in rest)]

    def scaled(self) -> tuple[list[list[Scalar]], list[Point]]:
        """Return a matrix that scales two cards, by 1/2 and by 2, and its outputs: `prod` holds."""
        two = Scalar.of(2)
        y = self.locked()
        matrix = diagonal(two, two.invert(), ONE, ONE)
        return matrix, [two.invert() * y[0], two * y[1], *y[2:]]

    def test_sum_stops_cards_that_are_marked_by_a_factor(self) -> None:
        matrix, outputs = self.scaled()
        statement = self.statement(outputs)
        assert_only_stopped_by("sum", statement, cheat(statement, KEY, matrix, seeded("sum")))

    def test_prod_stops_cards_that_are_mixed(self) -> None:
        matrix, outputs = self.mixed()
        statement = self.statement(outputs)
        assert_only_stopped_by("prod", statement, cheat(statement, KEY, matrix, seeded("prod")))

    def test_commit_stops_responses_about_another_matrix(self) -> None:
        matrix, outputs = self.scaled()
        statement = self.statement(outputs)
        innocent = diagonal(ONE, ONE, ONE, ONE)
        proof = cheat(statement, KEY, matrix, seeded("commit"), committed=innocent)
        assert_only_stopped_by("commit", statement, proof)

    def test_map_stops_a_deck_that_is_unrelated(self) -> None:
        unrelated = [hash_to_point("a deck of my own", number(i)) for i in range(4)]
        statement = self.statement(unrelated)
        proof = prove(statement, KEY, (2, 0, 3, 1))
        assert_only_stopped_by("map", statement, proof)

    def test_map_stops_a_card_that_comes_twice_in_disguise(self) -> None:
        y = self.locked()
        statement = self.statement([y[0], Scalar.of(2) * y[0], y[2], y[3]])
        proof = prove(statement, KEY, (0, 1, 2, 3))
        assert_only_stopped_by("map", statement, proof)

    def test_distinct_stops_a_card_that_comes_twice_openly(self) -> None:
        y = self.locked()
        with pytest.raises(ProofFailed) as caught:
            self.statement([y[0], y[0], y[2], y[3]])
        assert caught.value.equation == "distinct"

    def test_key_stops_a_lock_that_was_not_announced(self) -> None:
        """The deck is locked with another lock than the announced one.

        So taking off the announced lock would never open a card.
        """
        statement = self.statement(self.locked(), OTHER_KEY)
        proof = cheat(statement, KEY, diagonal(ONE, ONE, ONE, ONE), seeded("key"))
        assert_only_stopped_by("key", statement, proof)

    def test_chain_stops_a_product_of_other_numbers(self) -> None:
        """Two cards are mixed again, but here the chain satisfies `prod`."""
        matrix, outputs = self.mixed()
        statement = self.statement(outputs)
        proof = cheat(statement, KEY, matrix, seeded("chain"), chain=products_of_weights)
        assert_only_stopped_by("chain", statement, proof)


class TestWeightsAndChallengeHashAllBeforeThem:
    """Attacks on weak Fiat-Shamir: cheats that would work if one of the hashes covered less."""

    def test_the_weights_and_the_challenge_are_the_specified_hashes(self) -> None:
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

    def test_the_seed_must_hash_the_decks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without the decks in the hash, all outputs but one could be one card in disguise."""
        size = 8
        statement, permutation, _ = honest(size)

        def without_decks(
            about: ShuffleStatement, c: tuple[Point, ...]
        ) -> tuple[bytes, tuple[Scalar, ...]]:
            seed = labelled_hash("shuffle seed", about.ctx, *(c_j.encode() for c_j in c))
            return seed, tuple(
                hash_to_scalar("shuffle e", seed, number(j + 1)) for j in range(len(c))
            )

        matrix = [[ONE if permutation[i] == j else ZERO for j in range(size)] for i in range(size)]
        with monkeypatch.context() as weak:
            weak.setattr(shuffle_proof, "derive_weights", without_decks)
            # The commitment is made, and the weights are known, before the deck is chosen.
            c = cheat(statement, KEY, matrix, seeded("decks")).c
            _, e = without_decks(statement, c)
            e_prime = [e[j] for j in permutation]
            copies = [Scalar.of(i + 1) * statement.inputs[0] for i in range(size - 1)]
            remainder = sum_of_products(
                [
                    *((KEY.lock * e_j, x_j) for e_j, x_j in zip(e, statement.inputs, strict=True)),
                    *((ZERO - e_i, y_i) for e_i, y_i in zip(e_prime, copies, strict=False)),
                ]
            )
            forged = evolve(statement, outputs=(*copies, e_prime[-1].invert() * remainder))
            proof = cheat(forged, KEY, matrix, seeded("decks"))
            verify(forged, proof)
        assert refused_by(forged, proof) == "sum", (
            "with the decks in the seed, the weights differ, so the proof must fail"
        )
        assert refused_by(forged, cheat(forged, KEY, matrix, seeded("decks"))) == "map"

    def test_the_weights_must_hash_the_chain(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """If f were known before d is chosen, one false link could balance another."""
        attack = TestEveryEquationIsNeeded()
        matrix, outputs = attack.mixed()
        statement = attack.statement(outputs)
        f = Scalar.of(7)

        def balanced(e: list[Scalar], e_prime: list[Scalar]) -> list[Scalar]:
            b_1 = e_prime[0]
            b_2 = b_1 * e_prime[1]
            b_4 = products_of_weights(e, e_prime)[-1]
            b_3 = (e_prime[2] * b_2 - f * b_4) * (ONE - f * e_prime[3]).invert()
            return [b_1, b_2, b_3, b_4]

        with monkeypatch.context() as weak:
            weak.setattr(
                shuffle_proof,
                "derive_chain_weights",
                lambda _, d: tuple(Scalar.of(7 ** (i + 1)) for i in range(len(d))),
            )
            proof = cheat(statement, KEY, matrix, seeded("f"), chain=balanced)
            verify(statement, proof)
        assert refused_by(statement, proof) == "chain"
        again = cheat(statement, KEY, matrix, seeded("f"), chain=balanced)
        assert refused_by(statement, again) == "chain"

    def test_the_challenge_must_hash_the_six_commitments(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Without T in the hash, responses could be chosen first, and anything could be proven."""
        unrelated = tuple(hash_to_point("a deck of my own", number(i)) for i in range(4))
        statement = ShuffleStatement(CTX, KEY.unlock_key, cards(4), unrelated)
        c = d = unrelated
        with monkeypatch.context() as weak:
            weak.setattr(
                shuffle_proof,
                "derive_challenge",
                lambda seed, _, __: hash_to_scalar("shuffle c", seed),
            )
            proof = answer_first(statement, c, d, seeded("responses"))
            verify(statement, proof)
        assert refused_by(statement, proof) == "sum"
        assert refused_by(statement, answer_first(statement, c, d, seeded("responses"))) == "sum"

    def test_the_weights_of_the_equations_must_hash_the_responses(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """If weights were known before the responses, one false equation could hide another."""
        statement, _, proof = honest(4)
        challenge = Scalar.of(Transcript.of(statement, proof).challenge)
        weight = hash_to_scalar("shuffle sum", challenge.encode())
        # Equation `sum` has the weight w, and `prod` w^2: errors of w and -1 cancel, w w - w^2 = 0.
        forged = evolve(proof, s1=proof.s1 + weight, s2=proof.s2 - ONE)
        with monkeypatch.context() as weak:
            weak.setattr(
                shuffle_proof,
                "hash_to_scalar",
                lambda label, *parts: hash_to_scalar(
                    label, *parts[: 1 if label == "shuffle sum" else None]
                ),
            )
            verify(statement, forged)
        assert refused_by(statement, forged) == "sum"

    def test_weights_stop_errors_that_would_cancel(self) -> None:
        statement, _, proof = honest(4)
        assert refused_by(statement, evolve(proof, s1=proof.s1 + ONE, s2=proof.s2 - ONE)) == "sum"


class TestEveryByteCounts:
    """Proofs and statements with one part changed."""

    STATEMENT, _, PROOF = honest(3)

    def test_a_proof_is_bound_to_every_part_of_its_statement(self) -> None:
        """A proof cannot be replayed under another context, key or deck."""
        statement, other = self.STATEMENT, hash_to_point("other")
        changed = [
            evolve(statement, ctx=b"replayed"),
            evolve(statement, ctx=b""),
            evolve(statement, unlock_key=OTHER_KEY.unlock_key),
            evolve(statement, inputs=statement.inputs[::-1]),
            evolve(statement, outputs=statement.outputs[::-1]),
            evolve(statement, inputs=statement.outputs, outputs=statement.inputs),
        ]
        for i in range(3):
            deck = list(statement.inputs)
            deck[i] = other
            changed.append(evolve(statement, inputs=tuple(deck)))
            deck = list(statement.outputs)
            deck[i] = other
            changed.append(evolve(statement, outputs=tuple(deck)))
        for variant in changed:
            assert refused_by(variant, self.PROOF) in EQUATIONS

    @pytest.mark.parametrize("region", range(3 * 3 + 11))
    def test_every_changed_value_of_a_proof_is_refused(self, region: int) -> None:
        data = self.PROOF.encode()
        parts = [data[i : i + SIZE] for i in range(0, len(data), SIZE)]
        if region < 2 * 3 + 6:
            parts[region] = (Point.decode(parts[region]) + BASE).encode()
        else:
            parts[region] = (Scalar.decode(parts[region]) + ONE).encode()
        changed = ShuffleProof.decode(b"".join(parts), 3)
        assert refused_by(self.STATEMENT, changed) in EQUATIONS

    def test_every_changed_byte_of_a_proof_is_refused(self) -> None:
        data = self.PROOF.encode()
        for i in range(len(data)):
            changed = bytearray(data)
            changed[i] ^= 1 << i % 8
            with pytest.raises(RemoteError):
                verify(self.STATEMENT, ShuffleProof.decode(bytes(changed), 3))

    @pytest.mark.parametrize("region", range(2 * 3 + 6))
    @pytest.mark.parametrize("encoding", [bytes(32), b"\xff" * 32, b"\x01" + bytes(31)])
    def test_the_identity_and_bad_points_are_refused(self, region: int, encoding: bytes) -> None:
        data = bytearray(self.PROOF.encode())
        data[region * SIZE : (region + 1) * SIZE] = encoding
        with pytest.raises(Malformed):
            ShuffleProof.decode(bytes(data), 3)

    @pytest.mark.parametrize("region", range(2 * 3 + 6, 3 * 3 + 11))
    def test_a_second_encoding_of_a_scalar_is_refused(self, region: int) -> None:
        data = bytearray(self.PROOF.encode())
        place = slice(region * SIZE, (region + 1) * SIZE)
        data[place] = (int.from_bytes(data[place], "little") + ORDER).to_bytes(SIZE, "little")
        with pytest.raises(Malformed):
            ShuffleProof.decode(bytes(data), 3)

    def test_a_proof_of_the_wrong_length_is_refused(self) -> None:
        data = self.PROOF.encode()
        for wrong in (b"", data[:-1], data + b"\0", data[:-SIZE], data + bytes(SIZE), data * 2):
            with pytest.raises(Malformed, match=f"3 cards has 640 bytes, not {len(wrong)}"):
                ShuffleProof.decode(wrong, 3)
        for size in (0, 2, 4):
            with pytest.raises(Malformed):
                ShuffleProof.decode(data, size)
        assert refused_by(honest(4)[0], self.PROOF) == "length"
        for inputs, outputs in (((), ()), (cards(3), cards(2)), (cards(2), cards(3))):
            with pytest.raises(ProofFailed) as caught:
                ShuffleStatement(CTX, KEY.unlock_key, inputs, outputs)
            assert caught.value.equation == "length"


def test_generators_are_derived_from_their_index() -> None:
    """Only the index determines a generator, so nobody can choose one."""
    h = generators(4)
    assert h == tuple(hash_to_point("generator", number(i)) for i in range(5))
    assert h == generators(6)[:5]
    assert len({*h, BASE}) == 6
