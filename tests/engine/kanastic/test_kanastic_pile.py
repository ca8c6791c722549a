"""Taking the top of the pile or all of it, and stop cards (K56-K79)."""

from typing import Any

import pytest

from engine.errors import IllegalMove
from engine.moves import DrawStock, LayMelds, Play, TakePile, TakeTop
from engine.slots import Seat
from engine.turn import Step
from tests.engine.kanastic.tables import SEVENS, kanastic, kanastic_table, stopped
from tests.engine.positions import Table

_ACES = "Ah Ad 4h 5h 6h"


def before_top(hand: str = _ACES, pile: str = "9d Ac", **given: Any) -> Table:
    """Return a table at which seat 0 is about to draw; its side has not melded."""
    return kanastic_table(hands=[hand], pile=pile, step=Step.DRAW, **given)


def before_pile(hand: str = _ACES, pile: str = "9d 9h Ac", **given: Any) -> Table:
    """Return a table at which seat 0 is about to draw; its side has melded."""
    melds = {"melds": [["8h 8d 8c"]], **given}
    return kanastic_table(hands=[hand], pile=pile, step=Step.DRAW, **melds)


# -- the top alone


def test_k56_the_top_alone_is_for_a_side_that_has_not_melded() -> None:
    table = before_top()
    assert table.refusal(table.take_top("^ Ah Ad")) is None
    opened = before_pile()
    assert opened.refusal(opened.take_top("^ Ah Ad")) == "K56"


def test_k57_no_stop_card_is_taken() -> None:
    for stop in ("Sw", "Sh", "Ar"):
        table = before_top(pile=f"9d {stop}")
        assert table.refusal(table.take_top("^ Ah Ad")) == "K57"
        assert not any(isinstance(move, TakeTop) for move in table.moves)
        pile = before_pile(pile=f"9d {stop}")
        assert pile.refusal(pile.take("^ Ah Ad")) == "K57"


def test_k57_there_must_be_a_pile() -> None:
    table = before_top(pile="")
    assert table.refusal(TakeTop((table.play("Ah Ad"),))) == "K57"


def test_k58_the_top_is_melded_at_once_with_two_naturals() -> None:
    table = before_top("Ah Ad Kh Kd Kc Qh Qd Qc 4h 5h")
    assert table.refusal(TakeTop(())) == "K58"
    assert table.refusal(table.take_top("Kh Kd Kc", "Qh Qd Qc")) == "K58"
    assert table.refusal(table.take_top("^ Ah", "Kh Kd Kc")) == "K58"
    assert table.refusal(TakeTop((Play(table.hand("^ Ah Ad"), 0),))) == "K58"
    assert table.refusal(table.take_top("^ Ah Ad")) is None


def test_k58_the_suits_of_the_new_meld_differ() -> None:
    table = before_top("Ah Ad Ac As 4h 5h", pile="9d Ac")
    assert table.refusal(table.take_top("^ Ah Ac")) == "K31"
    assert table.refusal(table.take_top("^ Ah As")) is None


def test_k58_it_may_be_a_golden_run() -> None:
    table = before_top("Qg Kg 9h 9d 9c 4h 5h", pile="9d Ag")
    assert table.refusal(table.take_top("Qg Kg ^", "9h 9d 9c")) is None
    assert any(isinstance(move, TakeTop) for move in table.moves)


def test_k59_no_wild_cards_in_that_meld() -> None:
    table = before_top("Ah Ad 8h 8d 8c Sw Ar 4h 5h")
    assert table.refusal(table.take_top("^ Ah Ad Sw")) == "K59"
    assert table.refusal(table.take_top("^ Ah Ad Ar")) == "K59"
    golden = before_top("Qg Kg Ar 4h 5h", pile="9d Ag")
    assert golden.refusal(golden.take_top("Ar Qg Kg ^")) == "K59"


def test_k59_other_melds_of_the_move_may_have_them() -> None:
    table = before_top("Ah Ad 8h 8d 8c Sw 4h 5h")
    assert table.refusal(table.take_top("^ Ah Ad", "8h 8d 8c Sw")) is None


def test_k60_the_whole_move_meets_the_stage_the_top_counted() -> None:
    table = before_top("Kh Kd 8h 8d 8c 4h 5h", pile="9d Kc")
    assert table.refusal(table.take_top("^ Kh Kd")) == "K44"  # 30
    assert table.refusal(table.take_top("^ Kh Kd", "8h 8d 8c")) is None  # 45
    fourth = before_top(totals=[5000])
    assert fourth.refusal(fourth.take_top("^ Ah Ad")) == "K50"


def test_k61_the_rest_of_the_pile_stays() -> None:
    table = before_top(pile="9d 9c Ac")
    after = table.apply(table.take_top("^ Ah Ad"))
    assert after.pile_codes == "9d 9c"
    assert after.meld_codes(0) == ["Ac Ah Ad"]
    done = after.apply(after.discard("4h"))
    assert done.pile_codes == "9d 9c 4h"
    assert done.hand_codes(0) == "5h 6h"


def test_k62_the_limits_of_hand_and_stock_do_not_count_here() -> None:
    table = before_top("Ah Ad 4h 5h", stock="9h")
    assert table.refusal(table.take_top("^ Ah Ad")) is None
    three = before_top(SEVENS + " Ah Ad", pile="9d Ac")
    # Two cards beside the top and the canasta would leave none: K96 decides and not K68.
    assert three.refusal(three.take_top("^ Ah Ad", SEVENS)) == "K96"


def test_k63_the_top_cannot_be_kept() -> None:
    table = before_top("Ah Ad Kh Kd Kc Qh Qd Qc 4h 5h")
    assert table.refusal(table.take_top("Kh Kd Kc", "Qh Qd Qc")) == "K58"


# -- the whole pile


def test_k64_the_whole_pile_is_for_a_side_that_has_melded() -> None:
    opened = before_pile()
    assert opened.refusal(opened.take("^ Ah Ad")) is None
    table = before_top()
    assert table.refusal(table.take("^ Ah Ad")) == "K64"


def test_k65_the_top_goes_into_a_new_meld_with_two_naturals() -> None:
    table = before_pile("Ah Ad Kh Kd Kc Sw 4h 5h")
    assert table.refusal(TakePile(())) == "K65"
    assert table.refusal(table.take("Kh Kd Kc")) == "K65"
    assert table.refusal(table.take("^ Ah")) == "K65"
    assert table.refusal(table.take("^ Ah Sw")) == "K65"
    assert table.refusal(table.take("^ Ah Ad Sw")) == "K65"
    assert table.refusal(table.take("^ Ah Ad")) is None


def test_k65_a_rank_on_the_table_is_no_use() -> None:
    table = before_pile("8s 8h 4h 5h 6h", pile="9d 8d")
    assert table.refusal(table.take("^ 8s 8h")) == "K33"
    with pytest.raises(IllegalMove, match="does not take this pile"):  # not: add to it (K65)
        table.position.apply(table.take("^ 8s 8h"))
    assert table.refusal(TakePile((Play(table.hand("^ 8s"), 0),))) == "K65"
    assert not any(isinstance(move, TakePile) for move in table.moves)


def test_k65_a_gold_card_makes_a_run_or_a_meld_of_its_rank() -> None:
    table = before_pile("Qg Kg Ah Ad 4h 5h", pile="9d Ag")
    assert table.refusal(table.take("Qg Kg ^")) is None
    assert table.refusal(table.take("^ Ah Ad")) is None
    onto = before_pile("Qg Kg 4h 5h", pile="9d Ag", melds=[["9g Tg Jg"]])
    assert onto.refusal(TakePile((Play(onto.hand("^"), 0),))) == "K65"


def test_x2_the_pile_is_taken_with_one_meld() -> None:
    table = before_pile("Ah Ad Kh Kd Kc 4h 5h")
    assert table.refusal(table.take("^ Ah Ad", "Kh Kd Kc")) == "X2"


def test_k97_who_takes_the_top_alone_keeps_two_cards_or_goes_out() -> None:
    """Nothing comes into the hand after the discard, so one card left would be the last."""
    for hand, refusal in (("Ah Ad 4h", "K97"), ("Ah Ad 4h 5h", None)):
        table = kanastic_table(hands=[hand], pile="9d 9h Ac", step=Step.DRAW)
        assert table.refusal(table.take_top("^ Ah Ad")) == refusal


def test_k66_the_old_pile_comes_into_the_hand_after_the_discard() -> None:
    table = before_pile()
    taken = table.apply(table.take("^ Ah Ad"))
    assert taken.hand_codes(0) == "4h 5h 6h"
    assert [taken.position.gets_more(Seat(seat)) for seat in range(4)] == [True, *3 * [False]]
    assert taken.meld_codes(0)[-1] == "Ac Ah Ad"
    done = taken.apply(taken.discard("4h"))
    assert done.hand_codes(0) == "5h 6h 9d 9h"
    assert done.pile_codes == "4h"
    assert done.position.to_move == 1
    assert not any(done.position.gets_more(Seat(seat)) for seat in range(4))
    # Everybody has seen what was taken, and knows it still.
    assert {card.card.code for card in done.position.seen(()).known.values()} == {"9d", "9h"}


def test_k67_the_taken_cards_are_not_melded_in_the_same_turn() -> None:
    table = before_pile("Ah Ad 9s 4h 5h", pile="9d 9h Ac")
    taken = table.apply(table.take("^ Ah Ad"))
    lying = table.position.pile[:2]
    assert taken.refusal(LayMelds((Play((*lying, *table.hand("9s"))),))) == "X11"
    assert not any(isinstance(move, LayMelds) for move in taken.moves)


def test_k68_four_cards_in_hand_are_needed() -> None:
    assert before_pile("Ah Ad 4h 5h").refusal(before_pile("Ah Ad 4h 5h").take("^ Ah Ad")) is None
    three = before_pile("Ah Ad 4h")
    assert three.refusal(three.take("^ Ah Ad")) == "K68"


def test_k69_four_cards_in_the_stock_are_needed() -> None:
    for stock, refusal in (("+4", None), ("+3", "K69")):
        table = before_pile(stock=stock)
        assert table.refusal(table.take("^ Ah Ad")) == refusal


def test_k70_every_replica_checks_the_meld_from_public_faces_alone() -> None:
    table = before_pile()
    blind = table.position.seen(())
    assert blind.allows(table.take("^ Ah Ad"))
    assert not blind.allows(table.take("^ Ah 4h"))


def test_k71_other_cards_of_the_hand_may_be_melded_before_the_discard() -> None:
    table = before_pile("Ah Ad Kh Kd Kc 8s 4h 5h")
    taken = table.apply(table.take("^ Ah Ad"))
    assert taken.refusal(taken.lay("Kh Kd Kc")) is None
    assert taken.refusal(taken.lay(taken.play("8s", 0))) is None


def test_k72_the_old_pile_is_not_declined() -> None:
    table = before_pile()
    taken = table.apply(table.take("^ Ah Ad"))
    after = taken.apply(taken.discard("6h"))
    assert len(after.position.hands[0]) == 4
    assert len(after.position.pile) == 1


def four_seats(**given: Any) -> Table:
    """Return a table at which seat 0 has just opened, and everybody could take the pile."""
    hands = ["Ah Ad Ac 8h 8d 4h 5h", "4c 5c 7c 7c", "7h 7d 4d 5d 6d", "4s 5s 6s 7s"]
    table = kanastic_table(hands=hands, pile="9d 9h", stock="Th Td Tc Ts +20", **given)
    return table.apply(table.lay("Ah Ad Ac"))


def test_k73_the_partner_of_the_first_melder_waits() -> None:
    table = four_seats()
    assert kanastic(table).waiting == {2}
    table = table.apply(table.discard("4h"), DrawStock())
    table = table.apply(table.discard("7c"))
    assert table.position.to_move == 2
    assert table.refusal(table.take("^ 7h 7d")) == "K73"
    table = table.apply(DrawStock())
    table = table.apply(table.discard("4d"), DrawStock())
    table = table.apply(table.discard("7s"), DrawStock())
    assert kanastic(table).waiting == {2}
    table = table.apply(table.discard("5h"), DrawStock())
    assert kanastic(table).waiting == frozenset()
    table = table.apply(table.discard("7c"))
    assert table.refusal(table.take("^ 7h 7d")) is None


def test_k73_the_first_melder_need_not_wait() -> None:
    table = kanastic_table(
        hands=["Ah Ad 4h 5h 6h"],
        pile="9d 9h Ac",
        melds=[["8h 8d 8c"]],
        step=Step.DRAW,
        waiting=frozenset({Seat(2)}),
    )
    assert table.refusal(table.take("^ Ah Ad")) is None


@pytest.mark.parametrize("seats", [2, 3])
def test_k73_without_partners_nobody_waits(seats: int) -> None:
    table = kanastic_table(seats=seats, hands=["Ah Ad Ac 4h 5h"])
    assert kanastic(table.apply(table.lay("Ah Ad Ac"))).waiting == frozenset()


def test_k74_the_last_card_is_discarded_before_the_old_pile_comes() -> None:
    table = before_pile("Ah Ad 8s 4h")
    taken = table.apply(table.take("^ Ah Ad"))
    one = taken.apply(taken.lay(taken.play("8s", 0)))
    assert one.hand_codes(0) == "4h"
    after = one.apply(one.discard("4h"))
    assert after.position.closer is None
    assert after.hand_codes(0) == "9d 9h"
    # All but one card, no canasta on the table: without a pile to receive it would be illegal.
    drawn = kanastic_table(hands=["Ah Ad Ac 4h"], melds=[["8h 8d 8c"]])
    assert drawn.refusal(drawn.lay("Ah Ad Ac")) == "K97"


def test_k74_the_top_alone_leaves_nothing_to_receive() -> None:
    poor = before_pile("Ah Ad 8s 4h", pile="Ac", discards="9d Ac")
    taken = poor.apply(poor.take("^ Ah Ad"))
    assert taken.refusal(taken.lay(taken.play("8s", 0))) == "K97"
    rich = before_pile("Ah Ad 7g 4h", pile="Ac", discards="9d Ac", melds=[[SEVENS]])
    taken = rich.apply(rich.take("^ Ah Ad"))
    taken = taken.apply(taken.lay(taken.play("7g", 0)))
    assert taken.apply(taken.discard("4h")).position.closer == 0


# -- stop cards


@pytest.mark.parametrize("stop", ["Sw", "Sh", "Ar"])
def test_k75_a_stop_card_blocks_until_its_discarder_plays_again(stop: str) -> None:
    table = kanastic_table(hands=[f"{stop} 4h 4d", "5h 5d", "6h 6d", "7h 7d"], pile="9d 9h")
    table = table.apply(table.discard(stop))
    for code in ("5h", "6h", "7h"):
        assert stopped(kanastic(table))
        table = table.apply(DrawStock(), table.discard(code))
    assert table.position.to_move == 0
    assert not stopped(kanastic(table))


def test_k75_an_ordinary_card_does_not_block() -> None:
    table = kanastic_table(hands=["4h 4d"], pile="9d 9h")
    assert not stopped(kanastic(table.apply(table.discard("4h"))))


@pytest.mark.parametrize(
    ("seats", "pile", "refusal"),
    [
        (4, "9d Sh 9h Ac", "K76"),
        (4, "Sh 9d 9h Ac", None),
        (3, "9d Sh Ac", "K76"),
        (3, "Sh 9d Ac", None),
        (2, "9d Sh Ac", None),
    ],
)
def test_k76_the_last_discard_of_each_other_player_counts(
    seats: int, pile: str, refusal: str | None
) -> None:
    top = before_top(pile=pile, seats=seats)
    assert top.refusal(top.take_top("^ Ah Ad")) == refusal
    whole = before_pile(pile=pile, seats=seats)
    assert whole.refusal(whole.take("^ Ah Ad")) == refusal


def test_k77_blocks_overlap() -> None:
    table = kanastic_table(hands=["4h 4d"], pile="9d Sh Sw 9h", seats=4, step=Step.DRAW)
    table = table.apply(DrawStock(), table.discard("4h"))
    assert stopped(kanastic(table))  # by the Sword
    blocked = kanastic_table(hands=["Sh 4d"], pile="9d Sw")
    assert blocked.refusal(blocked.discard("Sh")) is None


def test_k78_a_block_outlasts_the_rebuilt_stock() -> None:
    table = before_top("Ah Ad 4h 5h 6h", pile="Ac", discards="9d Sh 9h Ac", seats=4)
    assert table.refusal(table.take_top("^ Ah Ad")) == "K76"


def test_k78_a_block_goes_by_turns_when_the_pile_was_taken() -> None:
    table = before_pile("Ah Ad 4h 5h", pile="9d 9c Ac")
    after = table.apply(table.take("^ Ah Ad"))
    after = after.apply(after.discard("4h"))
    assert [card.code for card in kanastic(after).discards] == ["9d", "9c", "Ac", "4h"]


# -- what must stay in the hand


def test_k79_one_card_is_left_only_to_go_out() -> None:
    poor = kanastic_table(hands=["Ah Ad Ac 4h 5h"], melds=[["8h 8d 8c"]])
    assert poor.refusal(poor.lay("Ah Ad Ac")) is None
    one = kanastic_table(hands=["Ah Ad Ac 4h"], melds=[["8h 8d 8c"]])
    assert one.refusal(one.lay("Ah Ad Ac")) == "K97"
    rich = kanastic_table(hands=["Ah Ad Ac 4h"], melds=[[SEVENS]])
    assert rich.refusal(rich.lay("Ah Ad Ac")) is None


def test_k79_nor_by_the_discard() -> None:
    table = kanastic_table(hands=["4h"], melds=[["8h 8d 8c"]])
    assert table.refusal(table.discard("4h")) == "K97"


@pytest.mark.parametrize("leave_pile", [False, True])
def test_k72_the_old_pile_may_be_left_where_the_table_takes_it_so(leave_pile: bool) -> None:
    table = kanastic_table(
        hands=["Ah Ad 4h 5h 6h"],
        pile="9d 8d Ac",
        step=Step.DRAW,
        melds=[["7h 7d 7s"]],
        options={"leave_pile": leave_pile},
    )
    top = TakeTop((Play(table.hand("^ Ah Ad")),))
    assert any(isinstance(move, TakeTop) for move in table.moves) == leave_pile
    assert table.refusal(top) == (None if leave_pile else "K56")
    if leave_pile:
        after = table.apply(top)
        assert not after.position.turn.took
        after = after.apply(after.discard("4h"))
        assert [shown.card.code for shown in after.position.pile] == ["9d", "8d", "4h"]
