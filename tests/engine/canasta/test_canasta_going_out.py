"""Going out (C70-C76) and keeping a card (C85)."""

from typing import Any

import pytest

from engine.moves import Answer, Ask, DrawStock, LayMelds, Pass
from engine.slots import Seat
from engine.turn import Step
from tests.engine.canasta.tables import canasta_table, position_of
from tests.engine.positions import Table

CANASTA = "9s 9s 9h 9h 9d 9d 9c"
OTHER = "8s 8s 8h 8h 8d 8d 8c"


def test_c70_going_out_takes_a_canasta_of_the_side() -> None:
    with_one = canasta_table(hands=["Ks"], melds=[[CANASTA, "Kd Kh Kc"]])
    assert with_one.refusal(with_one.discard("Ks")) is None
    assert with_one.refusal(with_one.lay(with_one.play("Ks", onto=1))) is None
    without = canasta_table(hands=["Ks"], melds=[["Kd Kh Kc"], [CANASTA]])
    assert without.refusal(without.discard("Ks")) == "C70"
    assert without.refusal(without.lay(without.play("Ks", onto=0))) == "C70"


def test_c70_the_canasta_may_be_finished_in_the_same_turn() -> None:
    table = canasta_table(hands=["9c 4c 5c"], melds=[["9s 9s 9h 9h 9d 9d"]])
    after = table.apply(table.lay(table.play("9c", onto=0)))
    assert after.refusal(after.discard("4c")) is None
    last = canasta_table(hands=["9c"], melds=[["9s 9s 9h 9h 9d 9d"]])
    assert last.apply(last.lay(last.play("9c", onto=0))).position.closer == 0


def test_c70_a_partners_canasta_counts() -> None:
    table = canasta_table(hands=["", "", "Ks"], melds=[[CANASTA]], seat=2)
    assert table.apply(table.discard("Ks")).position.closer == 2


@pytest.mark.parametrize("two_canastas", [False, True])
def test_c71_two_players_may_agree_on_two_canastas(two_canastas: bool) -> None:
    def table(melds: list[str], seats: int = 2) -> Table:
        return canasta_table(
            seats=seats, hands=["Ks"], melds=[melds], options={"two_canastas": two_canastas}
        )

    one, two, three_players = table([CANASTA]), table([CANASTA, OTHER]), table([CANASTA], seats=3)
    assert one.refusal(one.discard("Ks")) == ("C71" if two_canastas else None)
    assert two.refusal(two.discard("Ks")) is None
    assert three_players.refusal(three_players.discard("Ks")) is None


def test_c71_both_canastas_may_be_finished_in_one_move() -> None:
    table = canasta_table(
        seats=2,
        hands=["9c 8c"],
        melds=[["9s 9s 9h 9h 9d 9d", "8s 8s 8h 8h 8d 8d"]],
        options={"two_canastas": True},
    )
    nine, eight = table.play("9c", onto=0), table.play("8c", onto=1)
    assert table.refusal(table.lay(nine)) == "C71"
    assert LayMelds((nine, eight)) in table.moves
    assert table.apply(table.lay(nine, eight)).position.closer == 0


@pytest.mark.parametrize("hand", ["Ks Kd Kh", "Ks Kd Kh 4c"])
def test_c72_one_goes_out_with_or_without_a_discard(hand: str) -> None:
    table = canasta_table(hands=[hand, "As Ad"], melds=[[CANASTA]])
    table = table.apply(table.lay("Ks Kd Kh"))
    if "4c" in hand:
        assert table.position.closer is None
        table = table.apply(table.discard("4c"))
        assert table.pile_codes == "4c"
    assert table.position.closer == 0
    assert table.position.sheet is not None
    assert table.position.to_move is None
    assert table.hand_codes(1) == "As Ad"


# -- asking


def asking(**more: Any) -> Table:
    """Return a table at which seat 0 may go out by laying three kings and discarding a four."""
    values: dict[str, Any] = {
        "hands": ["Ks Kd Kh 4c", "", "As"],
        "melds": [[CANASTA]],
        "stock": "4d 4h 4s 5s 5d",
    }
    return canasta_table(**(values | more))


def test_c73_one_asks_a_partner_and_they_say_yes_or_no() -> None:
    table = asking().apply(Ask())
    assert table.position.turn.step is Step.ANSWER
    assert table.position.to_move == 2
    assert table.moves == (Answer(True), Answer(False))
    assert table.position.legal_moves(Seat(0)) == ()
    assert table.refusal(Ask()) == "X10"
    answered = table.apply(Answer(True))
    assert answered.position.to_move == 0
    assert answered.position.turn.answer is True


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_c73_who_plays_alone_has_nobody_to_ask(seats: int) -> None:
    table = canasta_table(seats=seats, hands=["Ks Kd"], melds=[[CANASTA]])
    assert table.refusal(Ask()) == "C73"
    assert Ask() not in table.moves


def test_c73a_not_with_a_single_card_for_a_no_could_not_be_obeyed() -> None:
    table = canasta_table(hands=["4c"], melds=[[CANASTA]])
    assert table.refusal(Ask()) == "C73a"
    six = canasta_table(seats=6, hands=["4c 5c"], melds=[[CANASTA]])
    assert six.apply(Ask()).position.to_move == 3


def test_c74_the_first_no_bars_going_out_in_this_turn() -> None:
    table = asking().apply(Ask(), Answer(False))
    assert table.refusal(table.lay("Ks Kd Kh")) == "C74"
    assert table.refusal(table.lay("Ks Kd Kh")) == "C74"
    table = table.apply(table.discard("4c"))
    assert table.position.closer is None
    assert table.position.to_move == 1


def test_c74_it_bars_the_last_card_too() -> None:
    table = canasta_table(hands=["Ks 4c"], melds=[[CANASTA, "Kd Kh Kc"]])
    table = table.apply(Ask(), Answer(False))
    assert table.refusal(table.lay(table.play("Ks", onto=1))) == "C74"
    assert set(table.moves) == {table.discard("Ks"), table.discard("4c")}


def test_c74_a_yes_does_not_oblige() -> None:
    table = asking().apply(Ask(), Answer(True))
    after = table.apply(table.discard("Kh"))
    assert after.position.closer is None
    out = table.apply(table.lay("Ks Kd Kh"))
    assert out.apply(out.discard("4c")).position.closer == 0


def test_c75_the_second_no_in_a_hand_does_not_bind() -> None:
    table = asking(asks=(1, 0, 0, 0)).apply(Ask(), Answer(False))
    assert position_of(table).asks == (2, 0, 0, 0)
    table = table.apply(table.lay("Ks Kd Kh"))
    assert table.apply(table.discard("4c")).position.closer == 0


def test_c75_a_no_binds_only_in_the_turn_of_the_question() -> None:
    table = asking(hands=["Ks Kd Kh 4c", "6c", "As", "6d"]).apply(Ask(), Answer(False))
    table = table.apply(table.discard("4c"))
    for card in ("6c", "As", "6d"):
        table = table.apply(DrawStock(), table.discard(card))
    table = table.apply(DrawStock())
    table = table.apply(table.lay("Ks Kd Kh"))
    assert table.refusal(table.discard("5s")) is None


def test_c75_each_partner_has_their_own_first_question() -> None:
    table = asking(hands=["", "", "Ks Kd Kh 4c"], seat=2, asks=(3, 0, 0, 0))
    table = table.apply(Ask(), Answer(False))
    assert table.refusal(table.lay("Ks Kd Kh")) == "C74"


def test_c75_one_asks_once_in_a_turn_or_not_at_all() -> None:
    table = asking().apply(Ask(), Answer(True))
    assert table.refusal(Ask()) == "C75"
    silent = asking()
    silent = silent.apply(silent.lay("Ks Kd Kh"))
    assert silent.apply(silent.discard("4c")).position.closer == 0


# -- prizes


def test_c76_going_out_is_100() -> None:
    table = canasta_table(hands=["Ks"], melds=[[CANASTA]])
    scored = table.apply(table.discard("Ks")).scored()
    assert scored["going out"] == 100
    assert "going out at one stroke" not in scored


RELANCE = "9s 9s 9h 9h 9d 9d 9c Ks Kd Kh 4c"


def test_c76_opening_and_going_out_in_one_turn_is_200_in_all() -> None:
    table = canasta_table(hands=[RELANCE, "As"], bonus=["3h"], totals=[0, 0])
    whole = table.lay(CANASTA, "Ks Kd Kh")
    assert table.offers(whole)
    table = table.apply(whole)
    scored = table.apply(table.discard("4c")).scored()
    assert scored["going out at one stroke"] == 200
    assert "going out" not in scored


def test_c76_in_several_moves_of_one_turn_it_is_the_same() -> None:
    table = canasta_table(hands=[RELANCE])
    table = table.apply(table.lay(CANASTA))
    table = table.apply(table.lay("Ks Kd Kh"))
    assert table.apply(table.discard("4c")).scored()["going out at one stroke"] == 200


def test_c76_not_when_the_partner_had_opened() -> None:
    table = canasta_table(hands=["9c 4c"], melds=[["9s 9s 9h 9h 9d 9d"]])
    table = table.apply(table.lay(table.play("9c", onto=0)))
    assert table.apply(table.discard("4c")).scored()["going out"] == 100


def test_c76_the_opening_minimum_still_applies() -> None:
    low = "4s 4s 4h 4h 4d 4d 4c"
    table = canasta_table(hands=[f"{low} Kc"])
    assert table.refusal(table.lay(low)) == "C37"
    higher = canasta_table(hands=[f"{low} Ks Kd Kh Kc"])
    assert higher.refusal(higher.lay(low, "Ks Kd Kh")) is None


# -- who cannot go out keeps two cards for their discard


def test_c85_melding_leaves_two_cards() -> None:
    table = canasta_table(hands=["Ks Kd Kh 4c 5c"], totals=[-5])
    assert table.refusal(table.lay("Ks Kd Kh")) is None
    shorter = canasta_table(hands=["Ks Kd Kh 4c"], totals=[-5])
    assert shorter.refusal(shorter.lay("Ks Kd Kh")) == "C85"
    nothing = canasta_table(hands=["Ks Kd Kh"], totals=[-5])
    assert nothing.refusal(nothing.lay("Ks Kd Kh")) == "C70"
    assert not [move for move in nothing.moves if isinstance(move, LayMelds)]


def test_c85_taking_the_pile_leaves_two_cards() -> None:
    def table(pile: str) -> Table:
        return canasta_table(hands=["9d 9h"], pile=pile, melds=[["4s 4d 4h"]], step=Step.DRAW)

    for pile, clause in {"9s": "C70", "5c 9s": "C85", "5c 6c 9s": None}.items():
        short = table(pile)
        assert short.refusal(short.take("^ 9d 9h")) == clause


def test_c85a_a_last_card_that_all_know_to_finish_a_canasta_may_be_left() -> None:
    """It lay in the pile; laying it is a legal way to end the turn, so nobody is stranded."""
    table = canasta_table(
        hands=["Kd Kh"], pile="9c Ks", melds=[["9s 9s 9h 9h 9d 9d"]], step=Step.DRAW
    )
    after = table.apply(table.take("^ Kd Kh"))
    assert after.moves == (after.lay(after.play("9c", onto=0)),)
    assert after.refusal(after.discard("9c")) == "C70"
    assert after.refusal(Pass()) == "C89"
    assert after.apply(*after.moves).position.closer == 0
    wild = canasta_table(
        hands=["Kd Kh Ks"], pile="2c Ks", melds=[["9s 9s 9h 9h 9d 9d"]], step=Step.DRAW
    )
    assert wild.refusal(wild.take("^ Kd Kh Ks")) is None
    denied = canasta_table(hands=["Kd Kh"], pile="8c Ks", melds=[["9s 9s 9h"]], step=Step.DRAW)
    assert denied.refusal(denied.take("^ Kd Kh")) == "C85"


def test_c85_a_hidden_last_card_is_melded_in_the_same_move() -> None:
    table = canasta_table(
        hands=["Kd Kh 9c"], pile="Ks", melds=[["9s 9s 9h 9h 9d 9d"]], step=Step.DRAW
    )
    assert table.refusal(table.take("^ Kd Kh")) == "C85"
    whole = table.take("^ Kd Kh", table.play("9c", onto=0))
    assert table.apply(whole).position.closer == 0
    assert any(table.apply(move).position.closer == 0 for move in table.moves)


def test_c85a_the_other_melds_count_beside_the_one_that_grows() -> None:
    table = canasta_table(
        seats=2,
        hands=["Kd Kh"],
        pile="9c Ks",
        melds=[["9s 9s 9h 9h 9d 9d", OTHER]],
        step=Step.DRAW,
        options={"two_canastas": True},
    )
    after = table.apply(table.take("^ Kd Kh"))
    assert after.apply(after.lay(after.play("9c", onto=0))).position.closer == 0


def test_c75_with_the_option_one_asks_again_after_the_no_that_binds() -> None:
    table = canasta_table(
        hands=["Ks Kd Kh 4c"], melds=[[CANASTA]], options={"ask_again": True}
    ).apply(Ask(), Answer(False))
    assert Ask() in table.moves
    again = table.apply(Ask(), Answer(False))
    assert Ask() not in again.moves
    assert again.refusal(Ask()) == "C75"
    assert again.refusal(again.lay("Ks Kd Kh")) is None
    allowed = canasta_table(
        hands=["Ks Kd Kh 4c"], melds=[[CANASTA]], options={"ask_again": True}
    ).apply(Ask(), Answer(True))
    assert allowed.refusal(Ask()) == "C75"
