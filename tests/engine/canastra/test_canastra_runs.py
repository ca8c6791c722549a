"""The solver that arranges cards as a run, compared with the list of all runs (B20-B37)."""

from collections.abc import Iterable
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from engine.canastra.deck import CANASTRA
from engine.canastra.runs import arranged, refusal
from engine.cards import Card
from engine.moves import LayMelds
from engine.sequence_melds.with_wild import CODES
from tests.engine.canastra.brute_force_runs import ALL_RUNS, Faces
from tests.engine.canastra.canastra_tables import canastra_table

TWINS: dict[str, list[Card]] = {}
for _card in CANASTRA:
    TWINS.setdefault(_card.code, []).append(_card)

CLAUSES = {"B20", "B21", "B22", "B23", "B24", "B25", "B29", "B32", "B33"}


def cards_of_codes(codes: Iterable[str]) -> tuple[Card, ...]:
    left = {code: list(twins) for code, twins in TWINS.items()}
    return tuple(left[code].pop(0) for code in codes)


def check(faces: Faces) -> None:
    """Assert that the solver agrees with the list of all runs."""
    cards = cards_of_codes(faces)
    run = arranged(cards)
    if tuple(sorted(faces)) not in ALL_RUNS:
        assert run is None
        assert refusal(cards).clause in CLAUSES
        return
    assert run is not None
    assert (run.wild is not None) == ALL_RUNS[tuple(sorted(faces))]
    assert sorted(run.cards) == sorted(cards)
    if run.low is None:
        assert len({card.rank for card in run.cards if card != run.wild}) == 1
    else:
        for place, card in enumerate(run.cards, run.low - 1):
            there = {codes[place] for codes in CODES.values()}
            assert card == run.wild or card.code in there


def test_every_run_is_arranged_with_the_fewest_wild_cards() -> None:
    assert len(ALL_RUNS) > 8000
    for faces in ALL_RUNS:
        check(faces)


def test_the_highest_of_several_arrangements_counts() -> None:
    run = arranged(cards_of_codes(("5s", "6s", "2h")))
    assert run is not None
    assert run.low == 5


def test_cards_of_one_suit_that_are_not_in_the_list_are_no_run() -> None:
    ones = [("", f"{rank}s") for rank in "3456789TJQK"]
    some = [("", "As", "As As"), ("", "2s", "2s 2s"), ("", "2h")]
    for chosen in product(*ones, *some):
        faces = tuple(" ".join(chosen).split())
        if len(faces) >= 3 and tuple(sorted(faces)) not in ALL_RUNS:
            assert arranged(cards_of_codes(faces)) is None, faces


def test_the_solver_agrees_with_the_list_on_cards_of_few_ranks() -> None:
    counts = [("", code, f"{code} {code}") for code in ("As", "Ah", "Kh", "Kd", "3h", "2h", "2d")]
    for chosen in product(*counts, ("", "4s"), ("", "4h")):
        check(tuple(" ".join(chosen).split()))


@given(
    st.sampled_from(sorted(ALL_RUNS)),
    st.lists(st.sampled_from(sorted(TWINS)), max_size=2),
    st.integers(0, 2),
    st.randoms(use_true_random=False),
)
def test_the_solver_agrees_with_the_list_on_cards_that_are_nearly_a_run(
    faces: Faces, more: list[str], fewer: int, rng: object
) -> None:
    left = sorted(faces)
    rng.shuffle(left)  # type: ignore[attr-defined]
    near = (*left[: len(left) - fewer], *more)
    if all(near.count(code) <= 2 for code in near):
        check(near)


def test_every_longer_run_grows_from_a_shorter_one_card_by_card() -> None:
    # `candidates` offers new runs of three cards, so a player can build every longer run from one.
    for faces in ALL_RUNS:
        if len(faces) > 3:
            assert any(tuple(sorted(rest)) in ALL_RUNS for rest in _one_less(faces))


def test_additions_that_move_an_ace_are_offered() -> None:
    # If several cards can be added to a run, `candidates` must offer a move. Mostly one of them
    # fits alone, or three of five or more make a new run. In all other additions an ace moves to
    # the other end: A 2 3 ... T with Q K becomes 3 4 ... T 2 Q K A. This test finds all of
    # these and expects a move for each.
    bits = {code: 1 << i for i, code in enumerate(f"{rank}s" for rank in "ABW23456789TJQK")}
    bits["2h"] = 1 << len(bits)
    runs = {mask for faces in ALL_RUNS if (mask := _mask(faces, bits)) is not None}
    short = {run for run in runs if run.bit_count() == 3}
    turned_round = []
    for longer, run in product(runs, repeat=2):
        added = longer ^ run
        if longer & run != run or not added:
            continue
        alone = any(run | bit in runs for bit in bits.values() if added & bit)
        anew = added.bit_count() >= 5 and any(each & added == each for each in short)
        if not alone and not anew:
            turned_round.append((_codes(run, bits), _codes(added, bits)))
    assert ("As 2s 3s 4s 5s 6s 7s 8s 9s Ts", "Qs Ks") in turned_round
    for short_run, cards in turned_round:
        table = canastra_table(hands=[f"{cards} 4h 9d"], melds=[[short_run]])
        assert table.refusal(table.lay(table.play(cards, onto=0))) is None
        assert any(isinstance(move, LayMelds) for move in table.moves), (short_run, cards)


def _codes(mask: int, bits: dict[str, int]) -> str:
    codes = [code for code, bit in bits.items() if mask & bit]
    return " ".join(codes).replace("B", "A").replace("W", "2")


def _one_less(faces: Faces) -> Iterable[Faces]:
    return (faces[:i] + faces[i + 1 :] for i in range(len(faces)))


def _mask(faces: Faces, bits: dict[str, int]) -> int | None:
    """Return the cards as bits; None if one is neither a spade nor the two of hearts.

    Second aces and twos have letters of their own.
    """
    mask = 0
    for code in faces:
        name = {"As": "Bs", "2s": "Ws"}.get(code) if mask & bits.get(code, 0) else code
        if name not in bits:
            return None
        mask |= bits[name]
    return mask
