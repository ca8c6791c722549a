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


def test_draws_that_would_favour_small_numbers_are_rejected() -> None:
    """The largest of the 2^64 draws is rejected: modulo 3 there is one draw too many."""
    draws = iter([b"\xff" * 8, (1).to_bytes(8, "big"), b"\xff" * 8])
    assert draw_permutation(3, lambda _: next(draws)) == (0, 2, 1)
    assert next(draws, None) is None, (
        "the first draw is rejected for three cards, but the same draw is fine for two"
    )


def test_no_draw_is_rejected_without_need() -> None:
    """The largest draw below the last multiple of three is accepted."""
    draws = iter([2**64 - 2, 0])
    assert draw_permutation(3, lambda size: next(draws).to_bytes(size, "big")) == (1, 0, 2)


def test_a_draw_takes_eight_bytes() -> None:
    """With more bytes, almost all draws would be rejected."""
    entropy, sizes = seeded("sizes"), []

    def counted(size: int) -> bytes:
        sizes.append(size)
        return entropy(size)

    draw_permutation(4, counted)
    assert sizes == [8, 8, 8]


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
