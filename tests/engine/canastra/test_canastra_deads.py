"""Going out, deads, the end of the stock and of the game (B40-B55)."""

import pytest

from engine.moves import Discard, DrawStock, LayMelds, TakePile
from engine.orders import Deal
from engine.turn import Step
from tests.engine.canastra.canastra_tables import canastra_table, game_of

STRICT = {"require_canastra": True}
SEVEN = "5h 6h 7h 8h 9h Th Jh"


def test_b40_out_is_an_empty_hand_by_melding_or_discarding() -> None:
    melding = canastra_table(hands=["5s 6s 7s"], deads=[])
    assert melding.apply(melding.lay("5s 6s 7s")).position.closer == 0
    discarding = canastra_table(hands=["5s"], deads=[])
    assert discarding.apply(discarding.discard("5s")).position.closer == 0


def test_b41_the_first_time_out_brings_the_first_dead() -> None:
    table = canastra_table(hands=["5s 6s 7s"], deads=["Ks Kh Kd +8", "+11"])
    first, second = game_of(table).aside
    ordered = table.position.apply(table.lay("5s 6s 7s"))
    order = ordered.orders[0]
    assert isinstance(order, Deal)
    assert order.to(ordered.turn.seat) == first
    after = table.apply(table.lay("5s 6s 7s"))
    assert after.position.hands[0] == first
    assert game_of(after).aside == (second,)
    assert after.position.closer is None


def test_b41_while_the_dead_is_dealt_it_still_lies_there_and_nobody_moves() -> None:
    table = canastra_table(hands=["5s"])
    waiting = table.position.apply(table.discard("5s"))
    assert game_of(table).aside == waiting.aside  # type: ignore[attr-defined]
    assert waiting.to_move is None


def test_b42_a_direct_out_goes_on_with_the_dead_in_the_same_turn() -> None:
    table = canastra_table(hands=["5s 6s 7s"], deads=["Ks Kh Kd 8s 4h 6h +5", "+11"])
    after = table.apply(table.lay("5s 6s 7s"))
    assert after.position.turn.seat == 0
    assert after.position.turn.step is Step.PLAY
    assert after.refusal(DrawStock()) == "X10"
    melded = after.apply(after.lay("Ks Kh Kd", after.play("8s", onto=0)))
    ended = melded.apply(melded.discard("4h"))
    assert ended.position.turn.seat == 1
    assert ended.pile_codes == "4h"


def test_b42_b44_who_melds_the_dead_away_as_well_has_ended_the_game() -> None:
    dead = "Ks Kh Kd 8s 9s Ts Js Qs Kc 3h 3d"
    table = canastra_table(hands=["5s 6s 7s"], deads=[dead, "+11"])
    out = table.apply(table.lay("5s 6s 7s"))
    kings, spades = out.play("Ks Kh Kd Kc"), out.play("8s 9s Ts Js Qs", onto=0)
    left = out.apply(LayMelds((kings, spades)))
    assert left.hand_codes(0) == "3h 3d"
    one = left.apply(left.discard("3h"))
    assert one.position.closer is None
    twos = canastra_table(hands=["3h 3d 3s"], took_dead=[0])
    assert twos.apply(twos.lay("3h 3d 3s")).position.closer == 0


def test_b43_an_indirect_out_receives_the_dead_and_ends_the_turn() -> None:
    table = canastra_table(hands=["5s", "4c 6c"], deads=["Ks Kh Kd +8", "+11"])
    after = table.apply(table.discard("5s"))
    assert len(after.position.hands[0]) == 11
    assert after.position.turn.seat == 1
    assert after.position.turn.step is Step.DRAW
    later = after.apply(DrawStock(), Discard(*after.hand("4c", 1)), DrawStock())
    assert later.refusal(later.lay("Ks Kh Kd")) is None


def test_b44_without_a_dead_going_out_ends_the_game() -> None:
    for took, deads in (([0], ["+11"]), ([], [])):
        table = canastra_table(hands=["5s"], took_dead=took, deads=deads)
        after = table.apply(table.discard("5s"))
        assert after.position.turn.step is Step.OVER
        assert after.position.closer == 0
        assert after.position.sheet is not None


def test_b45_no_canastra_is_needed_unless_the_table_says_so() -> None:
    free = canastra_table(hands=["5s 6s 7s"], took_dead=[0])
    assert free.refusal(free.lay("5s 6s 7s")) is None
    strict = canastra_table(hands=["5s 6s 7s"], took_dead=[0], options=STRICT)
    assert strict.refusal(strict.lay("5s 6s 7s")) == "B45"
    owner = canastra_table(hands=["5s 6s 7s"], took_dead=[0], options=STRICT, melds=[[SEVEN]])
    assert owner.refusal(owner.lay("5s 6s 7s")) is None


def test_b45_the_last_card_stays_in_hand_without_a_canastra() -> None:
    table = canastra_table(hands=["5s 6s 7s 9d"], took_dead=[0], options=STRICT)
    assert table.refusal(table.lay("5s 6s 7s")) == "B45"  # the nine could not be discarded
    assert not any(isinstance(move, LayMelds) for move in table.moves)
    two = canastra_table(hands=["5s 6s 7s 9d Jd"], took_dead=[0], options=STRICT)
    assert two.refusal(two.lay("5s 6s 7s")) is None
    last = canastra_table(hands=["9d"], took_dead=[0], options=STRICT)
    assert last.refusal(last.discard("9d")) == "B45"


def test_b45_a_canastra_finished_by_the_last_meld_counts() -> None:
    run = "5h 6h 7h 8h"
    table = canastra_table(
        hands=["9h Th Jh"], melds=[[run]], took_dead=[0], options=STRICT, deads=[]
    )
    assert table.refusal(table.lay(table.play("9h Th", onto=0))) == "B45"
    out = table.lay(table.play("9h Th Jh", onto=0))
    assert out in table.moves
    assert table.apply(out).position.closer == 0


def test_b45_no_canastra_is_ever_needed_for_a_dead() -> None:
    table = canastra_table(hands=["5s 6s 7s"], options=STRICT)
    assert len(table.apply(table.lay("5s 6s 7s")).position.hands[0]) == 11


def test_b46_a_second_dead_is_not_taken() -> None:
    table = canastra_table(hands=["5s"], took_dead=[0], deads=["+11"])
    after = table.apply(table.discard("5s"))
    assert len(game_of(after).aside) == 1
    assert after.position.hands[0] == ()


def test_b47_the_deads_belong_to_whoever_comes_first() -> None:
    table = canastra_table(hands=["4c", "5s"], seat=1, deads=["+11"])
    after = table.apply(table.discard("5s"))
    assert len(after.position.hands[1]) == 11
    drawn = after.apply(DrawStock())
    one_left = drawn.apply(drawn.discard("4c"), DrawStock())
    assert game_of(one_left).aside == ()
    seconds = canastra_table(hands=["4c", "5s 9d"], took_dead=[1], deads=[])
    assert seconds.apply(seconds.discard("4c")).position.closer == 0


def test_b48_no_discard_is_needed_to_go_out() -> None:
    table = canastra_table(hands=["5s 6s 7s"], deads=[])
    after = table.apply(table.lay("5s 6s 7s"))
    assert after.position.sheet is not None
    assert after.position.pile == ()


def test_b49_the_first_dead_becomes_the_stock_after_the_discard() -> None:
    table = canastra_table(hands=["5s 9d"], stock="Kd", step=Step.DRAW)
    first, second = game_of(table).aside
    drawn = table.apply(DrawStock())
    assert drawn.position.stock == ()
    assert game_of(drawn).aside == (first, second)
    after = drawn.apply(drawn.discard("Kd"))
    assert after.position.stock == first
    assert game_of(after).aside == (second,)
    assert after.position.turn.seat == 1


def test_b50_who_goes_out_takes_the_dead_before_the_stock_does() -> None:
    table = canastra_table(hands=["5s"], stock="", deads=["+11", "+11"])
    first, second = game_of(table).aside
    after = table.apply(table.discard("5s"))
    assert after.position.hands[0] == first
    assert after.position.stock == second
    assert game_of(after).aside == ()
    only = canastra_table(hands=["5s"], stock="", deads=["+11"])
    ended = only.apply(only.discard("5s"))
    assert len(ended.position.hands[0]) == 11
    assert ended.position.turn.step is Step.OVER
    assert ended.position.closer is None


def test_b51_without_stock_and_deads_the_game_ends_with_the_turn() -> None:
    table = canastra_table(hands=["5s 9d"], stock="Kd", pile="4d", deads=[], step=Step.DRAW)
    drawn = table.apply(DrawStock())
    assert drawn.position.turn.step is Step.PLAY
    after = drawn.apply(drawn.discard("Kd"))
    assert after.position.turn.step is Step.OVER
    assert after.position.closer is None
    assert after.position.sheet is not None


def test_b52_a_dead_that_became_the_stock_takes_nobodys_right() -> None:
    table = canastra_table(hands=["5s 9d"], stock="Kd", step=Step.DRAW).apply(DrawStock())
    after = table.apply(table.discard("Kd"))
    assert all(
        game_of(after).has_aside(seat) for seat in after.position.members(after.position.side)
    )
    assert game_of(after).took_aside == frozenset()


@pytest.mark.parametrize(("limit", "turns"), [(10, 0), (100, 0), (1000, 980)])
def test_b55_the_game_ends_when_nothing_is_drawn_or_melded(limit: int, turns: int) -> None:
    table = canastra_table(
        hands=["5s 9d", "4c 6c"],
        pile="4h Th",
        step=Step.DRAW,
        options={"idle_turns": limit},
        idle_turns=turns,
    )
    while table.position.turn.step is Step.DRAW:
        taken = table.apply(TakePile())
        free = taken.hand(taken.hand_codes(taken.position.turn.seat))
        table = taken.apply(Discard(next(c for c in free if c.slot != game_of(taken).barred)))
        turns += 1
    assert turns == limit
    assert table.position.closer is None


def test_b55_a_card_drawn_or_melded_starts_the_count_anew() -> None:
    waiting = canastra_table(hands=["5s 6s 7s 9d"], pile="4h", step=Step.DRAW, idle_turns=99)
    drawn = waiting.apply(DrawStock())
    assert game_of(drawn).idle_turns == 0
    assert drawn.apply(drawn.discard("9d")).position.turn.step is Step.DRAW
    taken = waiting.apply(TakePile())
    assert taken.apply(taken.discard("9d")).position.turn.step is Step.OVER
    melded = taken.apply(taken.lay("5s 6s 7s"))
    going_on = melded.apply(melded.discard("9d"))
    assert going_on.position.turn.step is Step.DRAW
    assert game_of(going_on).idle_turns == 0
