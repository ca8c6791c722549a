"""Melds laid out and taken back before anything is sent."""

import pytest

from client.ui.model.staging import AmbiguousMeld, Staging
from engine.errors import IllegalMove
from engine.moves import LayMelds, TakePile, TakeTop
from engine.slots import Seat
from engine.table_status import Opening, Taking
from engine.turn import Step
from tests.engine.positions import Table, codes_of, table_of

ME = Seat(0)


def staging(table: Table) -> Staging:
    return Staging(table.position, ME)


def meld_codes(staged: Staging) -> list[str]:
    return [codes_of(meld.cards) for meld in staged.melds]


def test_melds_laid_out_lie_beside_those_on_the_table_and_come_back() -> None:
    table = table_of("canasta", hands=["7h 7d 7s Kc Ks 2h"], melds=[["9h 9d 9s"]])
    one = staging(table).melding(table.hand("7h 7d 7s"))
    two = one.laying(table.hand("2h"), 0)
    assert meld_codes(two) == ["9h 9d 9s 2h", "7h 7d 7s"]
    assert two.undone() == one
    assert one.undone() == staging(table)
    assert one.undone().move is None


def test_cards_go_to_the_one_meld_that_takes_them() -> None:
    table = table_of("canasta", hands=["9c Kc Ks Kh 5d 5h"], melds=[["9h 9d 9s", "Qh Qd Qs"]])
    assert meld_codes(staging(table).melding(table.hand("9c")))[0] == "9h 9d 9s 9c"


def test_a_wild_card_that_fits_several_melds_asks_which() -> None:
    table = table_of("canasta", hands=["2h 5d 5h"], melds=[["9h 9d 9s", "Qh Qd Qs"]])
    with pytest.raises(AmbiguousMeld) as caught:
        staging(table).melding(table.hand("2h"))
    assert caught.value.numbers == (0, 1)


def test_what_is_no_meld_is_refused_at_once_with_its_clause() -> None:
    table = table_of("canasta", hands=["7h 8d 9s 2h 2d"])
    for codes, clause in (("7h 8d 9s", "C25"), ("2h 2d", "C28"), ("7h 2h 2d", "C26")):
        with pytest.raises(IllegalMove) as caught:
            staging(table).melding(table.hand(codes))
        assert caught.value.clause == clause


def test_an_opening_below_its_minimum_stays_laid_out_and_says_what_is_missing() -> None:
    table = table_of("canasta", hands=["7h 7d 7s Kc Ks Kh 2h 2d"], totals=[1500, 0])
    sevens = staging(table).melding(table.hand("7h 7d 7s"))
    assert sevens.opening == Opening(15, 90, 0, None)
    assert sevens.refusal is not None
    assert sevens.refusal.clause == "C37"
    both = sevens.melding(table.hand("Kc Ks Kh 2h 2d"))
    assert both.opening == Opening(85, 90, 2, None)
    assert both.refusal is not None


def test_what_is_laid_out_grows_and_leaves_as_one_move() -> None:
    table = table_of("canasta", hands=["7h 7d 7s Kc Ks Kh 2h 5d 5h"])
    staged = staging(table).melding(table.hand("Kc Ks Kh")).melding(table.hand("7h 7d 7s"))
    grown = staged.laying(table.hand("2h"), 0)
    assert grown.refusal is None
    assert grown.move == table.lay("Kc Ks Kh 2h", "7h 7d 7s")


def test_the_pile_is_taken_with_the_meld_of_its_top_first() -> None:
    table = table_of("canasta", hands=["Kc Ks 7h 7d 7s 5c"], pile="4c Kd", seat=0, step=Step.DRAW)
    prepared = staging(table).melding(table.hand("7h 7d 7s"))
    taken = prepared.taking_pile(table.hand("Kc Ks"))
    assert taken.taking is Taking.PILE
    assert taken.move == table.take(table.play("^ Kc Ks"), "7h 7d 7s")
    assert taken.refusal is not None, "45 points do not open"
    assert taken.undone() != taken


def test_a_taken_pile_goes_onto_the_meld_of_its_rank() -> None:
    table = table_of(
        "canasta", hands=["Kc 7h 7d 5c"], pile="4c Kd", melds=[["Kh Ks Kd"]], step=Step.DRAW
    )
    taken = staging(table).taking_pile(())
    assert isinstance(taken.move, TakePile)
    assert taken.move.plays[0].onto == 0
    assert taken.refusal is None


def test_without_cards_what_keeps_the_pile_is_said() -> None:
    blocked = table_of("canasta", hands=["Kc 7h"], pile="4c 3s", step=Step.DRAW)
    empty = table_of("canasta", hands=["Kc 7h"], pile="", step=Step.DRAW)
    for table, clause in ((blocked, "C50"), (empty, "C17")):
        with pytest.raises(IllegalMove) as caught:
            staging(table).taking_pile(())
        assert caught.value.clause == clause


def test_kanastic_takes_the_top_to_open_and_the_pile_later() -> None:
    table = table_of("kanastic", hands=["Kc Kh Kd 5h 5d 5c 7h"], pile="4c Ks", step=Step.DRAW)
    staged = staging(table).taking_pile(table.hand("Kc Kh Kd"))
    assert isinstance(staged.move, TakeTop)
    assert staged.opening == Opening(40, 45, 0, None)


def test_kanastic_tells_its_limit_of_wild_cards() -> None:
    table = table_of("kanastic", hands=["Kc Kh Kd Sw Ar 5h"], totals=[1500, 0])
    staged = staging(table).melding(table.hand("Kc Kh Kd Sw Ar"))
    assert staged.opening == Opening(105, 90, 2, 1)
    assert staged.refusal is not None
    assert staged.refusal.clause == "K49"


def test_a_golden_suit_grows_at_whichever_end_fits() -> None:
    table = table_of("kanastic", hands=["8g 9g Tg 7g Jg 5h 5c"])
    suit = staging(table).melding(table.hand("8g 9g Tg"))
    laid = table.position.laying(suit.side, suit.melds)
    low = Staging(laid, ME).adding(table.hand("7g"), 0)
    high = Staging(laid, ME).adding(table.hand("Jg"), 0)
    assert meld_codes(low) == ["7g 8g 9g Tg"]
    assert meld_codes(high) == ["8g 9g Tg Jg"]


def test_canastra_takes_the_pile_bare() -> None:
    table = table_of("canastra", seats=2, hands=["4h 5h"], pile="9c", step=Step.DRAW)
    assert staging(table).taking_pile(()).move == TakePile()


@pytest.mark.parametrize(("hand", "pile", "clause"), [("4h 5h", "", "B16"), ("4h", "9c", "B15")])
def test_a_pile_that_is_not_to_be_taken_bare_is_not_laid_out(
    hand: str, pile: str, clause: str
) -> None:
    table = table_of("canastra", seats=2, hands=[hand], pile=pile, step=Step.DRAW)
    with pytest.raises(IllegalMove, match=clause):
        staging(table).taking_pile(())


def test_what_is_laid_out_survives_the_others_moves_as_far_as_it_can() -> None:
    table = table_of("canasta", hands=["7h 7d 7s Kc Ks 2h 5c"], seat=1)
    staged = staging(table).melding(table.hand("7h 7d 7s", 0))
    partner_melded = table.position.laying(
        staged.side, (*Staging(table.position, ME).laying(table.hand("7h 7d 7s", 0)).melds,)
    )
    assert staged.over(table.position) == staged
    assert staged.over(partner_melded).plays == (), "the side has a meld of sevens now"
    lost = table.position.losing(ME, table.hand("7h", 0))
    assert staged.over(lost).plays == ()


def test_a_move_of_what_is_laid_out_is_what_the_rules_take() -> None:
    table = table_of("canasta", hands=["Ah Ad As Ac 5h 5d"], totals=[0, 0])
    staged = staging(table).melding(table.hand("Ah Ad As Ac"))
    assert isinstance(staged.move, LayMelds)
    assert table.position.apply(staged.move).laid[0].melds == staged.melds
