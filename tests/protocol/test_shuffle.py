"""Shuffles: permutations that are equally likely, and locked decks in their order."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from protocol.cards_as_points import card_points
from protocol.errors import Refused
from protocol.lock_key import LockKey
from protocol.shuffle import draw_permutation, lock_and_shuffle
from tests.protocol.seeded import seeded

KEY = LockKey.generate(seeded("key"))


def test_all_permutations_are_equally_likely() -> None:
    entropy = seeded("uniform")
    seen = Counter(draw_permutation(4, entropy) for _ in range(24 * 200))
    assert set(seen) == set(permutations(range(4)))
    # each count is binomial with mean 200 and standard deviation 14
    assert 140 < min(seen.values()) <= max(seen.values()) < 260


def test_draws_that_would_favour_small_numbers_are_rejected_and_no_others() -> None:
    """2^64 - 1 is a multiple of 3, but 2^64 is not.

    So the largest draw, 2^64 - 1, would make 0 more likely than 1 and 2. Modulo 2 it is fine.
    """
    sizes = []
    for draws, permutation in (([2**64 - 1, 1, 2**64 - 1], (0, 2, 1)), ([2**64 - 2, 0], (1, 0, 2))):

        def drawn(size: int, draws: list[int] = draws) -> bytes:
            sizes.append(size)
            return draws.pop(0).to_bytes(size, "big")

        assert draw_permutation(3, drawn) == permutation
        assert draws == []
    assert set(sizes) == {8}, "with more bytes, almost all draws would be rejected"


def test_zero_or_one_card_has_one_permutation() -> None:
    assert draw_permutation(0, seeded("none")) == ()
    assert draw_permutation(1, seeded("one")) == (0,)


def test_outputs_are_locked_inputs_in_permuted_order() -> None:
    cards = card_points(b"table", 1, 1, range(3))
    assert lock_and_shuffle(cards, KEY, (2, 0, 1)) == tuple(KEY.lock * cards[j] for j in (2, 0, 1))


@pytest.mark.parametrize("wrong", [(0, 1), (0, 1, 1), (0, 1, 3), (0, 1, 2, 3), ()])
def test_shuffling_needs_a_permutation(wrong: tuple[int, ...]) -> None:
    with pytest.raises(Refused, match="permutation"):
        lock_and_shuffle(card_points(b"table", 1, 1, range(3)), KEY, wrong)
