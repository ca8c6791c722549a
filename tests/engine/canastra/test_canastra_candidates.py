"""The moves offered to a player of Canastra: enough, and not too many."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.canastra.deck import CANASTRA
from engine.moves import LayMelds, Play
from engine.slots import Shown
from tests.engine.canastra.brute_force_runs import ALL_RUNS
from tests.engine.canastra.canastra_tables import canastra_table, game_of
from tests.engine.positions import Table

RUNS = sorted(ALL_RUNS)
SHORT_RUNS = [run for run in RUNS if len(run) <= 8]
CODES = sorted({card.code for card in CANASTRA})


def lays(table: Table) -> list[LayMelds]:
    return [move for move in table.moves if isinstance(move, LayMelds)]


def faces(cards: tuple[Shown, ...]) -> tuple[str, ...]:
    return tuple(sorted(shown.card.code for shown in cards))


def every_play(table: Table) -> list[Play]:
    """Return all plays that make or lengthen one run, according to the list of all runs."""
    hand = table.position.hand(table.position.turn.seat)
    melds = game_of(table).laid[0].melds
    sets = [cards for size in range(1, len(hand) + 1) for cards in combinations(hand, size)]
    targets = [(None, ()), *((number, meld.cards) for number, meld in enumerate(melds))]
    return [
        Play(cards, onto)
        for onto, there in targets
        for cards in sets
        if faces((*there, *cards)) in ALL_RUNS
    ]


def pack_has(codes: list[str]) -> bool:
    """Return True if the double pack has all these cards, each of them at most twice."""
    return all(codes.count(code) <= 2 for code in codes)


@settings(max_examples=150)
@given(
    st.sampled_from(SHORT_RUNS),
    st.sampled_from(SHORT_RUNS),
    st.lists(st.sampled_from(CODES), min_size=1, max_size=3),
    st.integers(0, 8),
    st.integers(0, 8),
    st.booleans(),
    st.booleans(),
)
def test_a_meld_is_offered_whenever_one_is_legal(
    first: tuple[str, ...],
    second: tuple[str, ...],
    junk: list[str],
    from_first: int,
    from_second: int,
    barring: bool,
    strict: bool,
) -> None:
    # Parts of two runs are on the table and the rest in the hand, so that many cards fit.
    melds, hand = [], list(junk)
    for run, kept in ((first, from_first), (second, from_second)):
        there = run[kept:]
        if tuple(sorted(there)) in ALL_RUNS:
            melds.append(" ".join(there))
            hand += run[:kept]
        else:
            hand += run[:4]
    if not pack_has([*" ".join(melds).split(), *hand]) or len(hand) > 9:
        return
    table = canastra_table(
        hands=[" ".join(hand), ""],
        melds=[melds],
        barred=junk[0] if barring else None,
        took_dead=[0],
        options={"require_canastra": strict},
    )
    plays = every_play(table)
    legal = [play for play in plays if table.refusal(LayMelds((play,))) is None]
    layings = [[(play.onto, faces(play.cards)) for play in move.plays] for move in lays(table)]
    assert all(layings.count(laying) == 1 for laying in layings)
    offered = {play for laying in layings for play in laying}
    # `legal` has only plays that are legal as a move of their own. With `strict`, two plays that
    # lay the last two cards may be legal only in one move, so a move may be offered though `legal`
    # is empty.
    assert bool(offered) == bool(legal) or strict
    assert bool(offered) >= bool(legal)
    for play in legal:
        small = len(play.cards) == (3 if play.onto is None else 1)
        assert not small or (play.onto, faces(play.cards)) in offered


def test_the_moves_of_a_hand_of_a_whole_pack_are_bounded() -> None:
    # These are the worst hands: one with every face, and one with every card that fits long runs.
    pack = " ".join(card.code for card in CANASTRA[:52])
    fours = " ".join(f"{rank}s {rank}h" for rank in "456789TJ")
    table = canastra_table(hands=[f"{pack} {fours}", ""], deads=[], stock="")
    assert len(table.position.hands[0]) == 68
    assert len(table.moves) < 900
    runs = [" ".join(f"{rank}{suit}" for rank in "678") for suit in "shdc"] * 2
    spread = canastra_table(
        hands=[" ".join(code for code in CODES if code[0] not in "678"), ""],
        melds=[runs],
        deads=[],
        stock="",
    )
    assert len(spread.moves) < 900
