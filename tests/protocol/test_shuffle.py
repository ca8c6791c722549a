"""Shuffles: permutations, cards as points, and the locks on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import permutations
from typing import TypeVar

import pytest
from attrs import evolve

from protocol.cards_as_points import DeckPoints, card_points
from protocol.errors import Malformed, Refused
from protocol.group import BASE, ONE, ORDER, Point, Scalar, times_base
from protocol.lock_key import LockKey, derive_nonces
from protocol.parallel import by_slices, each
from protocol.shuffle import draw_permutation, lock_and_shuffle
from protocol.unlock import unlock
from tests.protocol.seeded import seeded

KEY = LockKey.generate(seeded("key"))


def test_all_permutations_are_equally_likely() -> None:
    entropy = seeded("uniform")
    seen = Counter(draw_permutation(4, entropy) for _ in range(24 * 200))
    assert set(seen) == set(permutations(range(4)))
    # each is binomial with mean 200 and deviation 14
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


# -- Cards as points: distinct, bound to their deal, and found again when all locks are off


def test_all_cards_are_distinct_and_unrelated_to_the_base() -> None:
    points = card_points(b"table", 1, 1, range(108))
    assert len(set(points)) == 108
    # no card is a small multiple of another one or of B, as "card i is i * B" would make them
    doubles = {Scalar.of(2) * point for point in (*points, BASE)}
    assert not doubles & set(points)


@pytest.mark.parametrize(
    "place", [(b"other", 1, 1), (b"table", 2, 1), (b"table", 1, 2), (b"table", 11, 1)]
)
def test_each_deal_has_its_own_points(place: tuple[bytes, int, int]) -> None:
    assert not set(card_points(b"table", 1, 1, range(8))) & set(card_points(*place, range(8)))


def test_the_point_of_a_card_does_not_depend_on_the_other_cards() -> None:
    """A reshuffle has only a part of the deck, the discards."""
    all_points = card_points(b"table", 1, 2, range(20))
    assert card_points(b"table", 1, 2, [17, 3]) == (all_points[17], all_points[3])


def test_unlocked_points_lead_back_to_cards() -> None:
    deck = DeckPoints.fresh(b"table", 1, 1, [5, 7, 11, 13])
    entropy = seeded("deal")
    keys = [LockKey.generate(entropy) for _ in range(3)]
    points: tuple[Point, ...] = deck.points
    for key in keys:
        points = lock_and_shuffle(points, key, draw_permutation(4, entropy))
    for key in keys:
        assert [deck.card_number(point) for point in points] == [None] * 4
        points = unlock(key, points)
    assert sorted(deck.card_number(point) or 0 for point in points) == [5, 7, 11, 13]


def test_the_point_of_a_card_outside_the_deck_is_none() -> None:
    deck = DeckPoints.fresh(b"table", 1, 1, [5, 7, 11])
    assert [deck.point(card) for card in (5, 6, 7, 11)] == [
        deck.points[0],
        None,
        deck.points[1],
        deck.points[2],
    ]


@pytest.mark.parametrize("numbers", [[], [4, 4]])
def test_a_deck_with_a_repeated_card_is_refused(numbers: list[int]) -> None:
    with pytest.raises(Refused):
        DeckPoints.fresh(b"table", 1, 1, numbers)


# -- Lock keys, their seeds, and the nonces that are derived for proofs about them

OTHER = LockKey.generate(seeded("other"))


def test_lock_and_unlock_are_inverse_and_the_unlock_key_is_public() -> None:
    assert KEY.lock * KEY.unlock == ONE
    assert KEY.unlock_key == times_base(KEY.unlock)
    assert KEY.lock * KEY.unlock_key == BASE
    assert KEY != OTHER


def test_a_lock_survives_encoding_and_decoding() -> None:
    assert LockKey.decode(KEY.encode()) == KEY
    assert KEY.encode() == KEY.lock.encode() + KEY.seed
    assert len(KEY.encode()) == 64


def test_two_locks_have_two_seeds() -> None:
    entropy = seeded("two")
    assert LockKey.generate(entropy).seed != LockKey.generate(entropy).seed


@pytest.mark.parametrize(
    "bad",
    [
        bytes(64),
        ORDER.to_bytes(32, "little") + KEY.seed,
        b"",
        KEY.lock.encode(),
        KEY.encode()[:-1],
        KEY.encode() + b"\0",
    ],
)
def test_malformed_locks_are_refused(bad: bytes) -> None:
    with pytest.raises(Malformed):
        LockKey.decode(bad)


def test_secrets_of_a_lock_are_not_printed() -> None:
    for secret in (KEY.lock, KEY.unlock):
        assert secret.encode().hex() not in repr(KEY)
        assert str(int(secret)) not in repr(KEY)
    assert KEY.seed.hex() not in repr(KEY)


def nonces(label: str = "unlock nonces", key: LockKey = KEY, *statement: bytes) -> list[Scalar]:
    return derive_nonces(label, 3, key, *(statement or (b"ctx", b"deck")))


def test_nonces_of_a_statement_are_repeatable() -> None:
    assert nonces() == nonces(key=LockKey.decode(KEY.encode()))


def test_nonces_depend_on_all_their_inputs() -> None:
    drawn = [
        nonces(),
        nonces("shuffle nonces"),
        nonces("unlock nonces", KEY, b"ctxdeck"),
        nonces("unlock nonces", KEY, b"other", b"deck"),
        nonces(key=evolve(KEY, lock=OTHER.lock)),
        nonces(key=evolve(KEY, seed=OTHER.seed)),
    ]
    assert len({nonce for each in drawn for nonce in each}) == 3 * len(drawn)


# -- Work is cut into a few slices, and small work stays in the calling thread

_A = TypeVar("_A")
_B = TypeVar("_B")


def no_threads(_function: Callable[[_A], _B], _items: Iterable[_A], /) -> Iterable[_B]:
    raise AssertionError("handed over")


@pytest.mark.parametrize("items", [0, 1, 32, 63])
def test_little_work_stays_in_the_calling_thread(items: int) -> None:
    """Handing little work over to another thread would take longer."""
    assert each(no_threads, abs, range(items)) == tuple(range(items))


@pytest.mark.parametrize(
    ("items", "sizes"),
    [(64, [32, 32]), (108, [36, 36, 36]), (127, [43, 43, 41]), (1000, [250, 250, 250, 250])],
)
def test_work_on_a_deck_is_cut_into_equal_slices(items: int, sizes: list[int]) -> None:
    with pytest.raises(AssertionError, match="handed over"):
        each(no_threads, abs, range(items))
    assert list(by_slices(map, len, range(items))) == sizes
    assert each(map, abs, range(items)) == tuple(range(items))
