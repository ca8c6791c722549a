"""Runs, and how they grow (B20-B39)."""

import pytest

from engine.canastra.melding import run_of
from engine.canastra.runs import Canastra
from engine.cards import Rank
from engine.moves import LayMelds, Play
from tests.engine.canastra.canastra_tables import canastra_table, game_of
from tests.engine.positions import Table

JUNK = "4c 9c Jd"


def refused(cards: str) -> str | None:
    """Return the clause that forbids laying the cards as a new run."""
    table = canastra_table(hands=[f"{cards} {JUNK}"])
    return table.refusal(table.lay(cards))


def added(run: str, cards: str) -> str | None:
    """Return the clause that forbids adding the cards to the run."""
    table = canastra_table(hands=[f"{cards} {JUNK}"], melds=[[run]])
    return table.refusal(table.lay(table.play(cards, onto=0)))


def best(run: str) -> str:
    """Return the run in its best arrangement."""
    table = canastra_table(melds=[[run]])
    return " ".join(card.code for card in run_of(table.position.laid[0].melds[0]).cards)


def wild(run: str) -> str | None:
    table = canastra_table(melds=[[run]])
    card = run_of(table.position.laid[0].melds[0]).wild
    return card.code if card else None


def test_b20_a_run_has_at_least_three_cards() -> None:
    assert refused("5s 6s") == "B20"
    assert refused("Kh Ks") == "B20"
    assert refused("5s 6s 7s") is None


def test_b21_a_sequence_is_consecutive_and_of_one_suit() -> None:
    assert refused("5s 6s 7h") == "B21"
    assert refused("5s 5h 6s 7s") == "B21"
    assert refused("5s 6h 2s") == refused("5s 5h 6d") == "B21"  # of two ranks as of more
    assert refused("5s 6s 8s") == "B21"
    assert refused("5s 6s 9s 2h") == "B21"
    assert refused("9s Ts Js Qs Ks") is None
    assert refused("As 2s 3s") is None
    assert refused("Qs Ks As") is None


def test_b22_an_ace_is_first_or_last() -> None:
    assert refused("Ks As 3s") == "B22"
    assert refused("Ks As 2s 2h") == "B22"
    assert refused("Qs Ks As 2s 3s") == "B22"
    assert best("Ks As 2s") == "2s Ks As"  # the two is wild, for the queen


def test_b23_only_the_whole_sequence_has_both_aces() -> None:
    whole = "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As"
    assert refused(whole) is None
    assert refused(whole.replace("7s", "2h")) is None
    assert refused("As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs As") == "B23"
    assert added(whole, "2h") == "B23"
    assert added(whole.removesuffix(" As"), "As") is None


def test_b24_no_card_of_a_sequence_twice() -> None:
    assert refused("5s 6s 6s 7s") == "B24"
    assert added("5s 6s 7s", "6s") == "B24"


def test_b25_one_number_is_aces_kings_or_threes() -> None:
    for rank in "AK3":
        assert refused(f"{rank}s {rank}h {rank}d") is None
    for rank in "456789TJQ":
        assert refused(f"{rank}s {rank}h {rank}d") == "B25"
    assert refused("5s 5s 2h") == "B25"
    assert refused("Ks Kh Ad") == "B25"
    assert added("Ks Kh Kd", "Ad") == "B25"


def test_b26_suits_of_one_number_are_free() -> None:
    for cards in ("Kh Kh Kd", "Ks Ks 2h", "3s 3h 3d 3c"):
        assert refused(cards) is None


def test_b27_one_number_takes_all_eight_and_a_two() -> None:
    kings = "Ks Ks Kh Kh Kd Kd Kc Kc"
    assert refused(f"{kings} 2h") is None
    assert added(kings, "2h") is None


def test_b28_any_two_stands_for_any_card() -> None:
    for two in ("2s", "2h", "2d", "2c"):
        assert refused(f"8s 9s {two}") is None
        assert refused(f"8s {two} Ts") is None
        assert refused(f"Ah Ad {two}") is None


def test_b29_one_wild_card_and_the_natural_two() -> None:
    assert refused("5s 6s 2h 2d") == "B29"
    assert refused("As 2s 2h 4s") is None
    assert best("As 2s 2h 4s") == "As 2s 2h 4s"
    assert wild("As 2s 2h 4s") == "2h"
    assert refused("2s 2s 3s") is None  # one natural, one wild
    assert added("5s 6s 2h", "2s") == "B21"  # the two of the suit fits, but four and three lack
    assert added("3s 5s 2h", "2s") is None
    assert added("5s 6s 2h", "2d") == "B29"
    assert refused("5s 6s 2s 2s 2h") == "B29"
    assert refused("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks 2s 2s 2h") == "B29"


def test_b30_an_own_two_off_its_place_is_wild() -> None:
    assert wild("5s 6s 2s") == "2s"
    assert refused("5s 6s 2s 2h") == "B21"
    assert wild("2s 3s 4s") is None


def test_b31_a_foreign_two_in_the_place_of_the_two_is_wild() -> None:
    assert wild("As 2h 3s") == "2h"


def test_b32_a_run_of_one_number_has_one_two() -> None:
    assert refused("3s 3h 2s 2h") == "B32"
    assert refused("Ks Kh Kd 2s 2s") == "B32"
    assert added("As Ah 2s", "2h") == "B32"


def test_b33_twos_are_no_run() -> None:
    assert refused("2s 2h 2d") == "B33"
    assert refused("2s 2s 2h") == "B33"


def test_b34_a_new_run_may_hold_a_wild_card() -> None:
    assert refused("Ks Kh 2s") is None
    assert refused("Ks 2h 2s") == "B21"


def test_b35_runs_only_grow() -> None:
    table = canastra_table(hands=[f"8s {JUNK}"], melds=[["5s 6s 7s", "9s Ts Js"]])
    after = table.apply(table.lay(table.play("8s", onto=0)))
    assert after.meld_codes() == ["5s 6s 7s 8s", "9s Ts Js"]  # never merged
    held = game_of(after).laid[0].melds[0].cards[0]
    stolen = LayMelds((Play((held, *table.hand("4c 9c"))),))
    assert table.refusal(stolen) == "X11"


def test_b36_an_addition_moves_the_wild_card_or_the_ace() -> None:
    assert added("5s 2h 7s", "6s") is None
    assert best("5s 2h 7s 6s") == "5s 6s 7s 2h"
    assert added("As 2s 3s 4s 5s 6s 7s 8s 9s Ts", "Qs Ks") is None
    assert best("As 2s 3s 4s 5s 6s 7s 8s 9s Ts Qs Ks") == "3s 4s 5s 6s 7s 8s 9s Ts 2s Qs Ks As"
    table = canastra_table(hands=[f"8s {JUNK}"], melds=[["5s 6s 7s"]])
    low = table.lay(table.play("8s", onto=0, low=True))
    assert table.refusal(low) == "B36"


def test_b36a_three_aces_with_a_two_may_become_the_whole_sequence() -> None:
    table = canastra_table(hands=[f"3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks {JUNK}"], melds=[["As As 2s"]])
    assert table.position.laid[0].melds[0].rank is Rank.ACE
    grown = table.apply(table.lay(table.play("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks", onto=0)))
    meld = grown.position.laid[0].melds[0]
    assert meld.rank is None
    assert run_of(meld).canastra is Canastra.REAL


@pytest.mark.parametrize(
    ("run", "clean"),
    [("2s 4s 5s", "3s"), ("3s 4s 5s 2s", ""), ("Ks As 2s", "Qs Js Ts 9s 8s 7s 6s 5s 4s 3s")],
)
def test_b37_a_two_that_can_be_natural_is(run: str, clean: str) -> None:
    assert wild(f"{run} {clean}") is None
    assert (wild(run) is None) == (not clean)


def test_b38_one_adds_to_own_runs_only() -> None:
    table = canastra_table(hands=[f"8s {JUNK}"], melds=[["5h 6h 7h"], ["5s 6s 7s", "9s Ts Js"]])
    for number in (1, -1, 7):
        assert table.refusal(table.lay(table.play("8s", onto=number))) == "B38"
    assert table.refusal(table.lay(table.play("8s", onto=0))) == "B21"
    assert not any(isinstance(move, LayMelds) for move in table.moves)


def test_b39_several_runs_of_a_suit_or_number() -> None:
    table = canastra_table(hands=["5s 6s 7s Kh Kd Kc 4c 9c"], melds=[["5s 6s 7s", "Ks Kh Kd"]])
    after = table.apply(table.lay("5s 6s 7s", "Kh Kd Kc"))
    assert len(after.meld_codes()) == 4


def test_x2_one_move_lays_several_runs_and_additions_or_nothing() -> None:
    table: Table = canastra_table(hands=[f"5s 6s 7s 8h {JUNK}"], melds=[["5h 6h 7h"]])
    good = table.lay("5s 6s 7s", table.play("8h", onto=0))
    assert table.apply(good).meld_codes() == ["5h 6h 7h 8h", "5s 6s 7s"]
    bad = table.lay("5s 6s 7s", table.play("4c", onto=0))
    assert table.refusal(bad) == "B21"


def test_x2_two_plays_of_a_move_may_join_the_same_run() -> None:
    table = canastra_table(hands=[f"4h 8h {JUNK}"], melds=[["5h 6h 7h"]])
    assert table.refusal(table.lay(table.play("4h", 0), table.play("8h", 0))) is None
    onto_new = table.lay(table.play("8h", 1))
    assert table.refusal(onto_new) == "B38"
