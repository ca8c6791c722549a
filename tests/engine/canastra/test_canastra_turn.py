"""Drawing, taking the pile, discarding (B10-B19)."""

import pytest

from engine.moves import Answer, Ask, Discard, DrawStock, LayMelds, Pass, ShowBonus, TakePile
from engine.turn import Step
from tests.engine.canastra.canastra_tables import canastra_table, game_of
from tests.engine.positions import TOP


def test_b10_one_card_of_the_stock_then_melds_then_a_discard() -> None:
    table = canastra_table(hands=["5s 6s 7s Kd"], stock="9h +9", step=Step.DRAW)
    drawn = table.apply(DrawStock())
    assert drawn.hand_codes(0) == "5s 6s 7s Kd 9h"
    assert drawn.position.turn.drawn == table.position.stock[:1]
    melded = drawn.apply(drawn.lay("5s 6s 7s"))
    assert melded.meld_codes() == ["5s 6s 7s"]
    after = melded.apply(melded.discard("Kd"))
    assert after.hand_codes(0) == "9h"
    assert after.position.to_move == 1


def test_b10_the_whole_pile_is_taken_without_any_meld() -> None:
    table = canastra_table(hands=["5s 9d"], pile="Kh 4d 2c", step=Step.DRAW)
    taken = table.apply(TakePile())
    assert taken.hand_codes(0) == "5s 9d Kh 4d 2c"
    assert taken.position.pile == ()
    assert taken.position.turn.step is Step.PLAY


def test_b10_the_pile_is_not_taken_together_with_melds() -> None:
    table = canastra_table(hands=["5s 6s 9d"], pile="7s", step=Step.DRAW)
    assert table.refusal(table.take(f"5s 6s {TOP}")) == "B10"


def test_b10_melding_takes_cards() -> None:
    table = canastra_table(hands=["5s 6s 9d"], melds=[["7h 8h 9h"]])
    assert table.refusal(LayMelds(())) == "B10"
    assert table.refusal(table.lay(table.play("", onto=0))) == "B10"


def test_b10_moves_of_other_games_are_none_of_canastra() -> None:
    table = canastra_table(hands=["5s 6s 9d"])
    for move in (Ask(), Pass(), ShowBonus(()), ShowBonus(table.hand("5s"))):
        assert table.refusal(move) == "B10"
    assert table.refusal(Answer(True)) == "X10"


def test_b11_nothing_is_melded_before_drawing_or_out_of_turn() -> None:
    table = canastra_table(hands=["5s 6s 7s Kd", "5h 6h 7h Kc"], step=Step.DRAW)
    assert table.refusal(table.lay("5s 6s 7s")) == "X10"
    assert table.refusal(table.discard("Kd")) == "X10"
    drawn = table.apply(DrawStock())
    assert drawn.refusal(table.lay("5s 6s 7s")) is None
    theirs = LayMelds((drawn.play("5s 6s 7s"),))
    assert drawn.apply(drawn.discard("Kd"), DrawStock()).refusal(theirs) == "X11"
    assert drawn.refusal(DrawStock()) == "X10"
    assert drawn.refusal(TakePile()) == "X10"


def test_b12_the_card_of_a_one_card_pile_is_not_discarded_again() -> None:
    table = canastra_table(hands=["5s 9d"], pile="Kh", step=Step.DRAW).apply(TakePile())
    assert table.refusal(table.discard("Kh")) == "B12"
    assert table.refusal(table.discard("9d")) is None
    assert table.discard("Kh") not in table.moves


def test_b12_its_twin_may_be_discarded() -> None:
    table = canastra_table(hands=["Kh 9d"], pile="Kh", step=Step.DRAW).apply(TakePile())
    twin, barred = table.hand("Kh Kh")
    assert table.refusal(Discard(barred)) == "B12"
    assert table.refusal(Discard(twin)) is None
    assert Discard(twin) in table.moves
    assert Discard(barred) not in table.moves


def test_b12_one_of_several_cards_may_go_back() -> None:
    table = canastra_table(hands=["5s 9d"], pile="Kh 4d", step=Step.DRAW).apply(TakePile())
    assert table.refusal(table.discard("Kh")) is None
    assert table.refusal(table.discard("4d")) is None


def test_b12_the_bar_ends_with_the_turn() -> None:
    table = canastra_table(hands=["5s 9d", "4c 6c"], pile="Kh", step=Step.DRAW)
    later = table.apply(TakePile(), table.discard("9d"), DrawStock())
    later = later.apply(later.discard("4c"), DrawStock())
    assert later.refusal(later.discard("Kh")) is None
    assert game_of(later).barred is None


def test_b13_no_meld_leaves_the_barred_card_alone() -> None:
    table = canastra_table(hands=["5s 6s 7s Kh"], barred="Kh")
    assert table.refusal(table.lay("5s 6s 7s")) == "B13"
    assert not any(isinstance(move, LayMelds) for move in table.moves)
    assert table.refusal(table.discard("5s")) is None


def test_b13_the_barred_card_may_be_left_where_it_can_be_laid_next() -> None:
    table = canastra_table(hands=["4h 5h 6h"], pile="7h", step=Step.DRAW).apply(TakePile())
    after = table.apply(table.lay("4h 5h 6h"))
    seven = after.play("7h", onto=0)
    assert after.refusal(after.discard("7h")) == "B12"
    assert after.moves == (after.lay(seven),)
    assert len(after.apply(after.lay(seven)).position.hands[0]) == 11  # with the dead


def test_b13_a_barred_card_that_fits_no_run_may_not_be_left() -> None:
    table = canastra_table(hands=["4h 5h 6h"], pile="8h", step=Step.DRAW).apply(TakePile())
    assert table.refusal(table.lay("4h 5h 6h")) == "B13"


@pytest.mark.parametrize(
    ("hand", "pile", "refusal"), [("Kh Kd", "8d Kc", None), ("Kh Kd 8d", "4s Kc", "B45")]
)
def test_b45_a_known_last_card_may_complete_the_canastra(
    hand: str, pile: str, refusal: str | None
) -> None:
    """It may not be left if nobody can know that the last card does so."""
    table = canastra_table(
        hands=[hand],
        pile=pile,
        step=Step.DRAW,
        melds=[["2d 3d 4d 5d 6d 7d", "5s 6s 7s"]],
        took_dead=[0],
        options={"require_canastra": True},
    ).apply(TakePile())
    kings = table.lay("Kh Kd Kc")
    if refusal:
        table = table.apply(table.lay(table.play("4s", onto=1)))
    assert table.refusal(kings) == refusal
    if not refusal:
        after = table.apply(kings)
        last = after.lay(after.play("8d", onto=0))
        assert after.moves == (last,)
        assert after.apply(last).position.closer == 0


def test_b13_the_barred_card_may_be_melded_or_keep_company() -> None:
    melding = canastra_table(hands=["5s 6s 7s Kh"], barred="5s")
    assert melding.refusal(melding.lay("5s 6s 7s")) is None
    keeping = canastra_table(hands=["5s 6s 7s Kh 9d"], barred="Kh")
    assert keeping.refusal(keeping.lay("5s 6s 7s")) is None


def test_b13_the_last_two_are_offered_together_where_neither_goes_alone() -> None:
    # The nine alone would leave a ten of which only its holder knows, and without a canastra it
    # cannot be discarded. After the ten all can see that the barred nine may be laid.
    table = canastra_table(
        hands=["9s Th"],
        barred="9s",
        melds=[["5s 6s 7s 8s", "4h 5h 6h 7h 8h 9h"]],
        took_dead=[0],
        options={"require_canastra": True},
    )
    nine, ten = table.play("9s", onto=0), table.play("Th", onto=1)
    assert table.refusal(table.lay(nine)) == "B45"
    assert table.moves == (table.lay(ten), table.lay(nine, ten), table.discard("Th"))
    assert table.apply(table.lay(nine, ten)).position.closer == 0
    assert table.apply(table.lay(ten), table.lay(nine)).position.closer == 0


def test_b13_of_twins_the_barred_one_is_offered_for_melding() -> None:
    table = canastra_table(hands=["5s 6s 7s"], pile="7s", step=Step.DRAW).apply(TakePile())
    other, barred = table.hand("7s 7s")
    assert game_of(table).barred == barred.slot
    lays = [move for move in table.moves if isinstance(move, LayMelds)]
    assert lays
    assert not any(other in play.cards for lay in lays for play in lay.plays)
    assert {table.refusal(lay) for lay in lays} == {None}
    assert table.refusal(table.lay("5s 6s 7s")) == "B13", "with the other one"


def test_b14_everybody_knows_what_the_pile_was() -> None:
    table = canastra_table(hands=["5s 9d"], pile="Kh 4d", step=Step.DRAW).apply(TakePile())
    public = table.position.seen(())
    assert [shown.card.code for shown in public.hand(table.position.turn.seat)] == ["Kh", "4d"]


def test_b15_with_one_card_one_draws_from_the_stock() -> None:
    table = canastra_table(hands=["5s"], pile="Kh 4d", step=Step.DRAW)
    assert table.refusal(TakePile()) == "B15"
    assert table.moves == (DrawStock(),)
    two = canastra_table(hands=["5s 6s"], pile="Kh 4d", step=Step.DRAW)
    assert two.refusal(TakePile()) is None


def test_b17_the_card_just_drawn_may_be_discarded() -> None:
    table = canastra_table(hands=["5s 9d"], stock="Kh +5", step=Step.DRAW).apply(DrawStock())
    assert table.refusal(table.discard("Kh")) is None


def test_b18_any_card_may_be_discarded_and_no_pile_is_blocked() -> None:
    table = canastra_table(hands=["2s 3h As Kd", "4c 6c"])
    for code in ("2s", "3h", "As", "Kd"):
        after = table.apply(table.discard(code))
        assert after.pile_codes == code
        assert TakePile() in after.moves


def test_b19_the_discard_ends_the_turn() -> None:
    table = canastra_table(hands=["5s 9d", "4c 6c"])
    after = table.apply(table.discard("9d"))
    assert after.position.turn.seat == 1
    assert after.position.turn.step is Step.DRAW
    assert after.position.legal_moves(table.position.turn.seat) == ()
