"""Moves that are tried and offered if the cards or points just suffice, and are not otherwise."""

import pytest

from engine.moves import DrawStock, LayMelds, TakePile, TakeTop
from engine.position_facts import PileState
from engine.slots import Seat
from engine.turn import Step
from tests.engine.kanastic.tables import kanastic, kanastic_table
from tests.engine.positions import Table, codes_of


def layings(table: Table) -> list[LayMelds]:
    return [move for move in table.moves if isinstance(move, LayMelds)]


def test_k69_taking_only_the_top_needs_no_four_cards_in_the_stock() -> None:
    table = kanastic_table(hands=["9h 9d Kh Kd Kc 4h 5h"], pile="8c 9c", stock="+3", step=Step.DRAW)
    assert table.offers(table.take_top("^ 9h 9d", "Kh Kd Kc"))
    assert any(isinstance(move, TakeTop) for move in table.moves)


def test_without_a_pile_the_only_move_is_to_draw() -> None:
    for melds in ([], ["8h 8d 8c"]):
        table = kanastic_table(hands=["9h 9d 9c 4h 5h"], melds=[melds], step=Step.DRAW)
        assert table.moves == (DrawStock(),)


def test_k44_exactly_enough_points_suffice_to_open() -> None:
    """The opening has 30 and 15 points, exactly the 45 that are needed."""
    table = kanastic_table(hands=["9h 9d 9c 5h 5d 5c 4h Kd"])
    (move,) = layings(table)
    assert [codes_of(play.cards) for play in move.plays] == ["9c 9d 9h", "5c 5d 5h"]


def test_every_meld_of_an_opening_is_needed() -> None:
    table = kanastic_table(hands=["Ah Ad Ac 5h 5d 5c 9d 4h"])
    assert [codes_of(play.cards) for move in layings(table) for play in move.plays] == ["Ac Ad Ah"]


def test_k37_wild_cards_without_room_go_to_the_next_meld() -> None:
    table = kanastic_table(hands=["5h 5h 5d 5d 5c 5c 8h 8d 8c Sw Sw Sw Kh 4h"])
    assert table.offers(table.lay("5h 5h 5d 5d 5c 5c Sw Sw", "8h 8d 8c Sw"))
    assert all(map(table.position.allows, table.position.candidates()))


def test_adding_a_single_sword_is_offered() -> None:
    table = kanastic_table(hands=["Sw 4h 5d"], melds=[["9h 9d 9c", "8h 8d 8c 8h 8d 8c 8s"]])
    assert table.offers(table.lay(table.play("Sw", onto=0)))


def test_three_gold_cards_are_offered_as_a_golden_suit() -> None:
    table = kanastic_table(hands=["4g 5g 6g Kh Qd"], melds=[["9h 9d 9c"]])
    assert table.offers(table.lay("4g 5g 6g"))


def test_the_plain_one_of_two_spades_is_laid_first() -> None:
    table = kanastic_table(hands=["9s 9g 9h 9d 4h 5h"], melds=[["8h 8d 8c"]])
    shortest = [move.plays[0].cards for move in layings(table) if len(move.plays[0].cards) == 3]
    assert [codes_of(cards) for cards in shortest] == ["9d 9h 9s"]


@pytest.mark.parametrize(("pile", "clause"), [("9c", "K97"), ("4c 9c", None), ("4c 6c 9c", None)])
def test_k74_a_single_card_may_be_kept_if_the_pile_brings_more(
    pile: str, clause: str | None
) -> None:
    """If the pile has only its top, the four is the last card: its discard would go out (K97)."""
    table = kanastic_table(
        hands=["9h 9d 9s 4h"],
        pile=pile,
        discards=f"5c {pile}",
        melds=[["8h 8d 8c"]],
        step=Step.DRAW,
    )
    assert table.refusal(table.take("^ 9h 9d 9s")) == clause


def test_k72_k97_a_player_who_leaves_the_pile_gets_no_cards_from_it() -> None:
    table = kanastic_table(
        hands=["9h 9d 9s 4h"],
        pile="4c 6c 9c",
        melds=[["8h 8d 8c"]],
        step=Step.DRAW,
        options={"leave_pile": True},
    )
    assert table.refusal(table.take_top("^ 9h 9d 9s")) == "K97"
    assert table.refusal(table.take("^ 9h 9d 9s")) is None


@pytest.mark.parametrize(("run", "card"), [("Ar 5g 6g 7g", "4g"), ("5g 6g 7g Ar", "8g")])
def test_k111_a_gold_card_cannot_take_the_place_of_an_artifact(run: str, card: str) -> None:
    table = kanastic_table(hands=[f"{card} 4h 5h"], melds=[[run]])
    assert table.refusal(table.lay(table.play(card, onto=0))) == "K111"


def test_k75_a_stop_card_blocks_until_its_players_next_turn() -> None:
    for discards, until in {"4h 5h Sw": 3, "4h Sw 5h": 2, "Sw 4h 5h": 1}.items():
        table = kanastic_table(hands=["9h 9d"], discards=discards, pile="5h", step=Step.DRAW)
        status = kanastic(table).pile_status(table.position.side)
        assert (status.state, status.until) == (PileState.BLOCKED, Seat(until))


def test_k111_a_high_gold_card_cannot_lie_at_the_low_end() -> None:
    for run, card in {"Jg Qg Kg": "Ag", "Ar 5g 6g 7g": "4g"}.items():
        table = kanastic_table(hands=[f"{card} 4h 5h"], melds=[[run]])
        assert table.refusal(table.lay(table.play(card, onto=0, low=True))) == "K111"


@pytest.mark.parametrize(
    ("hand", "cards", "onto"),
    [
        ("Ar 4h 5d", "Ar", 1),
        ("8g 4h 5d", "8g", 0),
        ("Kh Kd Kc 4h 5d", "Kh Kd Kc", None),
        ("Kh Kh Kd Kd Kc Kc Ks Kg 4h 5d", "Kh Kh Kd Kd Kc Kc Ks Kg", None),
        ("9h 4d 5d", "9h", 1),
    ],
)
def test_the_only_possible_addition_is_offered(hand: str, cards: str, onto: int | None) -> None:
    table = kanastic_table(hands=[hand], melds=[["5g 6g 7g", "9h 9d 9c"]])
    assert table.offers(table.lay(table.play(cards, onto=onto)))


def test_k33_no_second_meld_of_the_rank_of_the_top_is_tried() -> None:
    table = kanastic_table(hands=["9h 9h 9d 9d 9s 4h 5h"], pile="8c 9c", step=Step.DRAW)
    takings = [move for move in table.position.candidates() if isinstance(move, TakeTop)]
    assert takings
    assert all(map(table.position.allows, takings))


def test_k68_k69_four_cards_in_the_hand_and_in_the_stock_are_enough() -> None:
    for hand, stock, enough in (
        ("9h 9d 4h 5h", "+4", True),
        ("9h 9d 4h", "+4", False),
        ("9h 9d 4h 5h", "+3", False),
    ):
        table = kanastic_table(
            hands=[hand], pile="4c 6c 9c", stock=stock, melds=[["8h 8d 8c"]], step=Step.DRAW
        )
        assert any(isinstance(move, TakePile) for move in table.moves) == enough
        assert table.position.may_take_pile() == enough


def test_x2_the_pile_is_taken_with_one_meld() -> None:
    table = kanastic_table(
        hands=["9h 9d Kh Kd Kc 4h 5h"], pile="4c 6c 9c", melds=[["8h 8d 8c"]], step=Step.DRAW
    )
    assert table.refusal(table.take("^ 9h 9d", "Kh Kd Kc")) == "X2"
    assert table.refusal(table.take("^ 9h 9d")) is None


@pytest.mark.parametrize(
    ("hand", "top", "may"),
    [
        ("Qg Kg 4h 5h", "Ag", True),
        ("Qh Kh 4h 5h", "Ag", False),  # K111: no gold cards
        ("Qg Kg 4h 5h", "Ac", False),
        ("9g Jg 4h 5h", "Tg", True),
        ("Jg Qg 4h 5h", "Tg", True),
        ("8g 9g 4h 5h", "Tg", True),
        ("9g Qg 4h 5h", "Tg", False),
        ("8h 8s 4h 5h", "8c", False),  # K33: the side has a meld of eights
        ("9h 9s 4h 5h", "9c", True),
        ("9h Ts 4h 5h", "9c", False),
    ],
)
def test_k65_conditions_for_taking_the_pile(hand: str, top: str, may: bool) -> None:
    table = kanastic_table(hands=[hand], pile=f"4c 6c {top}", melds=[["8h 8d 8c"]], step=Step.DRAW)
    assert table.position.may_take_pile() == may
    assert any(isinstance(move, TakePile) for move in table.moves) == may
