"""The clauses of Samba, one after the other."""

from typing import Any

import pytest

from engine.cards import Rank
from engine.dealer import PlainDealer
from engine.games import GAMES
from engine.moves import Answer, Ask, Cut, DrawStock, LayMelds, ShowBonus
from engine.samba.melds import OPEN
from engine.samba.options import SambaOptions
from engine.samba.position import SambaPosition
from engine.slots import Seat, Side
from engine.table_status import PileState
from engine.turn import Step
from tests.engine.positions import TOP, Table, codes_of, table_of

GAME = GAMES["samba"]
SEVENS, EIGHTS = "7h 7d 7c 7s 7h 7d 7c", "8h 8d 8c 8s 8h 8d 2s"
RUN = "4h 5h 6h 7h 8h 9h Th"


def table(**given: Any) -> Table:
    return table_of("samba", meld_of=OPEN.new_meld, **given)


def dealt(*first: str, players: int = 4) -> SambaPosition:
    """Return a round that was just dealt; its first cards to be turned up are `first`."""
    size = 13 if players == 6 else 15

    def put(cards: list[Any]) -> None:
        for place, code in enumerate(first, size * players):
            other = next(i for i in range(place, len(cards)) if cards[i].code == code)
            cards[place], cards[other] = cards[other], cards[place]

    sides = GAME.sides(players)
    start = GAME.position.start(GAME.options(), players, Seat(0), sides * (0,))
    position = PlainDealer(put).fulfil(start)
    assert isinstance(position, SambaPosition)
    return position


# -- the deal


def test_s1_two_to_six_play_four_and_six_in_couples() -> None:
    assert [GAME.sides(players) for players in GAME.players] == [2, 3, 2, 5, 3]
    assert dealt().partner_of(Seat(1)) == Seat(3)


def test_s2_a_match_goes_to_ten_thousand_points() -> None:
    assert GAME.options().match_target == 10_000
    assert SambaOptions(target=5000).match_target == 5000


def test_s3_the_deck_has_three_packs_and_six_jokers() -> None:
    assert len(GAME.deck) == 162
    assert sum(card.rank is Rank.JOKER for card in GAME.deck) == 6


def test_s4_the_highest_card_plays_first() -> None:
    seats, dealer = GAME.seating((2, 0, 3, 1))
    assert seats[(dealer + 1) % 4] == 2


@pytest.mark.parametrize("players", GAME.players)
def test_s5_s6_each_has_fifteen_cards_or_thirteen_of_six(players: int) -> None:
    position, size = dealt("Ks", players=players), 13 if players == 6 else 15
    assert [len(hand) for hand in position.hands] == players * [size]
    assert len(position.stock) == 162 - players * size - 1
    assert codes_of(position.pile) == "Ks"
    assert position.to_move == position.left_of(position.dealer)


def test_s7_threes_and_wild_cards_do_not_begin_the_pile() -> None:
    assert codes_of(dealt("Jo", "3h", "2c", "3s", "9d").pile) == "Jo 3h 2c 3s 9d"


# -- the turn


def test_s10_there_is_no_other_move() -> None:
    assert not table(hands=["Ks 4c"]).position.turning(step=Step.CUT).allows(Cut(1))


@pytest.mark.parametrize(("draw", "stock", "drawn"), [(2, "+5", 2), (1, "+5", 1), (3, "+2", 2)])
def test_s11_two_cards_are_drawn_or_as_many_as_there_are(draw: int, stock: str, drawn: int) -> None:
    before = table(hands=["Ks 4c"], step=Step.DRAW, stock=stock, options={"draw": draw})
    after = before.apply(DrawStock())
    assert len(after.position.hands[0]) == 2 + drawn
    assert after.position.turn.step is Step.PLAY


def test_s12_wild_cards_and_black_threes_are_discarded() -> None:
    held = table(hands=["Jo 3s 3h Ks"])
    assert [held.refusal(held.discard(code)) for code in ("Jo", "3s", "3h")] == [None, None, "S13"]


def test_s13_red_threes_are_laid_at_once_and_replaced() -> None:
    held = table(hands=["3h 3d Ks 4c"], stock="5c 6c 7c")
    assert held.moves == (held.show("3h 3d"),)
    after = held.apply(held.show("3h 3d"))
    assert after.hand_codes(0) == "Ks 4c 5c 6c"
    assert after.bonus_codes() == "3h 3d"
    assert held.refusal(held.show("Ks")) == "S13"
    assert held.refusal(ShowBonus(())) == "S13"


def test_s13_no_red_three_is_laid_before_one_has_drawn() -> None:
    held = table(hands=["3h Ks"], step=Step.DRAW)
    assert not held.position.allows(held.show("3h"))
    assert held.position.duty is None


def test_s13_a_red_three_of_the_pile_is_laid_and_not_replaced() -> None:
    held = table(hands=["Kh Kd 5c"], pile="3h 9c Ks", step=Step.DRAW, melds=[[SEVENS]])
    after = held.apply(held.take(f"{TOP} Kh Kd"))
    assert after.bonus_codes() == "3h"
    assert after.hand_codes(0) == "5c 9c"


def test_s14_the_discard_ends_the_turn() -> None:
    held = table(hands=["Ks 4c 5c"])
    after = held.apply(held.discard("Ks"))
    assert (after.position.to_move, after.pile_codes) == (1, "Ks")


def test_s15_the_round_ends_with_the_turn_in_which_the_stock_ends() -> None:
    held = table(hands=["Ks 4c"], stock="")
    after = held.apply(held.discard("Ks"))
    assert after.position.sheet is not None
    assert after.position.closer is None


def test_s16_without_a_stock_nobody_is_stuck_with_a_last_card() -> None:
    held = table(hands=["3h Ks"], stock="")
    left = held.apply(held.show("3h"))
    assert left.hand_codes(0) == "Ks"
    assert left.apply(left.discard("Ks")).position.closer is None
    last = table(hands=["3h"], stock="")
    assert last.apply(last.show("3h")).position.closer is None
    may = table(hands=["3h"], stock="", melds=[[SEVENS, EIGHTS]])
    assert may.apply(may.show("3h")).position.closer == 0


# -- the pile


def test_s20_two_naturals_of_the_rank_of_its_top_take_the_whole_pile() -> None:
    held = table(hands=["Kh Kd 2s 5c 9d"], pile="4c 9c Ks", step=Step.DRAW, melds=[[SEVENS]])
    assert held.refusal(held.take(f"{TOP} Kh 2s")) == "S20"
    assert held.refusal(held.take()) == "S20"
    assert held.offers(held.take(f"{TOP} Kh Kd"))
    assert held.offers(held.take(f"{TOP} Kh Kd 2s"))
    after = held.apply(held.take(f"{TOP} Kh Kd"))
    assert (after.pile_codes, after.hand_codes(0)) == ("", "2s 5c 9d 4c 9c")


def test_s20_there_is_a_pile_to_take() -> None:
    held = table(hands=["Kh Kd Kc 5c"], step=Step.DRAW, melds=[[SEVENS]])
    assert held.refusal(held.take("Kh Kd Kc")) == "S20"


def test_s21_the_top_of_a_free_pile_joins_a_meld_that_is_no_canasta() -> None:
    melds = ["Kh Kd Kc", "4h 5h 6h", SEVENS]
    held = table(hands=["5c 9d"], pile="9c Ks", step=Step.DRAW, melds=[melds])
    assert held.offers(held.take(held.play(TOP, 0)))
    assert held.refusal(held.take(held.play(TOP, 0))) is None
    full = table(hands=["5c 9d"], pile="9c 7s", step=Step.DRAW, melds=[melds[::2]])
    assert full.refusal(full.take(full.play(TOP, 1))) == "S36"
    assert full.moves == (DrawStock(),)


def test_s21_s22_on_a_sequence_the_top_is_laid_alone_and_begins_none() -> None:
    held = table(hands=["8h 9h 5c 9d"], pile="9c 7h", step=Step.DRAW, melds=[["4h 5h 6h"]])
    assert held.refusal(held.take(held.play(f"{TOP} 8h", 0))) == "S22"
    assert held.offers(held.take(held.play(TOP, 0)))
    assert held.apply(held.take(held.play(TOP, 0))).meld_codes() == ["4h 5h 6h 7h"]
    new = table(hands=["8h 9h 5c 9d"], pile="9c 7h", step=Step.DRAW, melds=[[SEVENS]])
    assert new.refusal(new.take(f"{TOP} 8h 9h")) == "S20"
    assert new.moves == (DrawStock(),)


@pytest.mark.parametrize("top", ["Jo", "2s", "3s"])
def test_s23_a_three_or_a_wild_card_on_top_blocks(top: str) -> None:
    held = table(hands=["Kh Kd 3s 3c 2d 2h"], pile=f"Ks {top}", step=Step.DRAW, melds=[[SEVENS]])
    assert held.refusal(held.take(f"{TOP} Kh Kd")) == "S23"
    assert held.moves == (DrawStock(),)
    assert held.position.pile_status(Side(0)).state is PileState.BLOCKED


def test_s24_a_wild_card_freezes_the_pile_and_so_does_having_no_meld() -> None:
    melds = [["Kh Kd Kc", "4h 5h 6h"]]
    frozen = table(hands=["Kh 9d"], pile="2c Ks", step=Step.DRAW, melds=melds)
    assert frozen.refusal(frozen.take(frozen.play(TOP, 0))) == "S24"
    assert frozen.position.pile_status(Side(0)).state is PileState.FROZEN
    assert frozen.moves == (DrawStock(),)
    pair = table(hands=["Kh Kd 9d 5c"], pile="2c Ks", step=Step.DRAW, melds=melds)
    assert pair.offers(pair.take(pair.play(f"{TOP} Kh Kd", 0)))
    closed = table(hands=["Ah Ad Ac 9d 5c Kh 2s"], pile="9c Ks", step=Step.DRAW)
    assert closed.position.pile_status(Side(0)).state is PileState.UNOPENED
    assert closed.refusal(closed.take(f"{TOP} Kh 2s", "Ah Ad Ac")) == "S24"


def test_s25_only_the_top_is_seen() -> None:
    assert table(pile="4c 5c 6c").position.pile_seen == ()


def test_s26_the_cards_below_do_not_open() -> None:
    held = table(hands=["6h 6d 5c 9d"], pile="Ah Ad Ac 6s", step=Step.DRAW)
    assert held.refusal(held.take(f"{TOP} 6h 6d")) == "S45"
    assert held.moves == (DrawStock(),)
    more = table(hands=["6h 6d Ah Ad Ac 9d 5d"], pile="Ah 6s", step=Step.DRAW)
    assert more.offers(more.take(f"{TOP} 6h 6d", "Ah Ad Ac"))


def test_s27_a_frozen_pile_is_not_taken_if_the_three_find_no_room() -> None:
    melds = [["Kh Kd Kc Ks Kh"]]
    held = table(hands=["Kd Kc 5c 9d"], pile="2c Ks", step=Step.DRAW, melds=melds)
    assert not held.position.may_take_pile()
    assert held.refusal(held.take(held.play(f"{TOP} Kd Kc", 0))) == "S36"
    assert held.refusal(held.take(f"{TOP} Kd Kc")) == "S36"
    assert held.moves == (DrawStock(),)


# -- melds


@pytest.mark.parametrize(
    ("codes", "clause"),
    [
        ("Kh Kd", "S30"),
        ("Kh Kd Qc", "S30"),
        ("Kh Kd 2s", None),  # S31
        ("Kh 2s 2h", "S32"),
        ("Kh Kd 2s 2h", None),
        ("Kh Kd 2s 2h Jo", "S32"),
        ("Kh Kd Kc Ks Kh 2s 2h", None),
        ("Kh Kd Kc Ks Kh Kd 2s 2h", "S36"),
        ("2s 2h Jo", "S33"),
        ("4h 5h 6h", None),
        ("Qh Kh Ah", None),
        ("4h 5h", "S34"),
        ("4h 5h 7h", "S34"),
        ("4h 5h 5h", "S34"),
        ("4h 5h 2h", "S34"),
        ("4h 5h 6d", "S30"),
        ("4h 5h 6h 7h 8h 9h Th", None),
        ("4h 5h 6h 7h 8h 9h Th Jh", "S37"),
        ("3s 3c 3s", "S35"),
        ("3h 3d 3h", "S35"),
    ],
)
def test_s30_s31_s32_s33_s34_s35_s36_s37_melds(codes: str, clause: str | None) -> None:
    held = table(hands=[f"{codes} 5c 9d Td"], melds=[[SEVENS]])
    assert held.refusal(held.lay(codes)) == clause


def test_s34_every_new_sequence_and_every_addition_is_offered() -> None:
    held = table(hands=["5h 6h 7h 8h Qs Jd"], melds=[["9s Ts Js", "4d 5d 6d"]])
    laid = [move for move in held.moves if isinstance(move, LayMelds)]
    new = {codes_of(move.plays[0].cards) for move in laid if move.plays[0].onto is None}
    assert new == {"5h 6h 7h", "6h 7h 8h", "5h 6h 7h 8h"}
    assert held.offers(held.lay(held.play("Qs", 0)))
    both = table(hands=["8s Qs Ks 5c 4c"], melds=[["9s Ts Js"]])
    for codes in ("8s", "Qs", "Qs Ks", "8s Qs", "8s Qs Ks"):
        assert both.offers(both.lay(both.play(codes, 0))), codes
    assert both.refusal(both.lay(both.play("Ks", 0))) == "S34"
    assert both.refusal(both.lay(both.play("", 0))) == "S36"


def test_s36_a_canasta_is_closed_and_the_next_one_may_be_begun() -> None:
    held = table(hands=["7s 7h 7d 8s 5c 9d"], melds=[[SEVENS, "8h 8d 8c"]])
    assert held.refusal(held.lay(held.play("7s", 0))) == "S36"
    assert held.offers(held.lay("7s 7h 7d"))
    assert held.offers(held.lay(held.play("8s", 1)))
    open_one = table(hands=["8s 8h 8d 5c 9d"], melds=[["8h 8d 8c"]])
    assert open_one.refusal(open_one.lay("8s 8h 8d")) == "S36"


@pytest.mark.parametrize("closed", [True, False])
def test_s37_a_samba_is_closed_or_grows_to_eleven_cards(*, closed: bool) -> None:
    options = {"closed_sequences": closed}
    held = table(hands=["Jh Qh Kh Ah 5c 9d"], melds=[[RUN]], options=options)
    assert held.refusal(held.lay(held.play("Jh", 0))) == ("S37" if closed else None)
    assert held.offers(held.lay(held.play("Jh Qh Kh Ah", 0))) != closed
    assert held.position.meld_class(held.position.laid[0].melds[0])


def test_s37_a_side_may_have_several_sequences_of_a_suit() -> None:
    held = table(hands=["4h 5h 6h 9c Td"], melds=[["4h 5h 6h"]])
    assert held.offers(held.lay("4h 5h 6h"))


def test_s38_s39_cards_join_melds_of_the_own_side_and_stay_there() -> None:
    held = table(hands=["7s 5c 9d"], melds=[["8h 8d 8c"], ["7h 7d 7c"]])
    assert held.refusal(held.lay(held.play("7s", 0))) == "S30"
    assert held.refusal(held.lay(held.play("7s", 1))) == "S38"


def test_s40_a_canasta_with_a_wild_card_is_mixed() -> None:
    held = table(hands=["Kh"], melds=[[SEVENS, EIGHTS, RUN, "9h 9d 9c"]])
    position = held.position
    found = [position.meld_class(meld) for meld in position.laid[0].melds]
    assert [position.meld_words[each] for each in found if each] == ["natural", "mixed", "samba"]
    assert found[3] is None


def test_s34_a_sequence_lies_in_its_order() -> None:
    position = table(hands=["Kh"], melds=[["6h 4h 5h"]]).position
    assert codes_of(position.in_order(position.laid[0].melds[0])) == "4h 5h 6h"


@pytest.mark.parametrize(
    ("total", "need"), [(-5, 15), (0, 50), (1500, 90), (3000, 120), (7000, 150)]
)
def test_s45_the_first_melds_need_more_with_a_higher_total(total: int, need: int) -> None:
    hand = "Ah Ad Ac Kh Qh Jh Kd Kc 5c 5d 9d 9s"
    held = table(hands=[hand], totals=[total, 0])
    opening = held.position.opening(Side(0))
    assert opening is not None
    assert opening.need == need
    assert held.refusal(held.lay("Ah Ad Ac")) == (None if need <= 60 else "S45")
    assert held.refusal(held.lay("Ah Ad Ac", "Jh Qh Kh")) == (None if need <= 90 else "S45")
    assert all(held.refusal(move) is None for move in held.moves)


def test_s45_sequences_and_like_cards_open_together() -> None:
    held = table(hands=["Jh Qh Kh 9d 9c 9s 4c 5d"])
    assert held.offers(held.lay("Jh Qh Kh", "9d 9c 9s"))
    two = table(hands=["Jh Qh Kh 8d 9d Td 4c 5d"])
    assert two.offers(two.lay("Jh Qh Kh", "8d 9d Td"))


def test_s46_later_melds_have_no_minimum() -> None:
    held = table(hands=["5h 5d 5c 9d Td"], melds=[["8h 8d 8c"]], totals=[7000, 0])
    assert held.refusal(held.lay("5h 5d 5c")) is None


# -- going out


def test_s50_s51_two_canastas_of_any_kind_are_enough_to_go_out() -> None:
    for melds in ([SEVENS, EIGHTS], [SEVENS, RUN], [RUN, "4s 5s 6s 7s 8s 9s Ts"]):
        held = table(hands=["5h"], melds=[melds])
        assert held.apply(held.discard("5h")).position.closer == 0
    laid = table(hands=["5h 5d 5c"], melds=[[SEVENS, EIGHTS]])
    assert laid.apply(laid.lay("5h 5d 5c")).position.closer == 0
    one = table(hands=["5h"], melds=[[SEVENS]])
    assert one.refusal(one.discard("5h")) == "S52"
    easy = table(hands=["5h"], melds=[[SEVENS]], options={"canastas": 1})
    assert easy.refusal(easy.discard("5h")) is None


def test_s51_a_samba_that_the_move_completes_will_do() -> None:
    now = table(hands=["Th 5d"], melds=[[SEVENS, "4h 5h 6h 7h 8h 9h"]])
    assert now.refusal(now.lay(now.play("Th", 1))) is None


def test_s52_two_cards_are_kept_without_the_canastas() -> None:
    held = table(hands=["5h 5d 5c 9d"], melds=[[SEVENS]])
    assert held.refusal(held.lay("5h 5d 5c")) == "S52"
    kept = table(hands=["5h 5d 5c 9d Td"], melds=[[SEVENS]])
    assert kept.refusal(kept.lay("5h 5d 5c")) is None


def test_s53_the_answer_of_the_partner_binds() -> None:
    held = table(hands=["5h 9d"], melds=[[SEVENS, EIGHTS]])
    asked = held.apply(Ask())
    assert asked.position.to_move == 2
    assert set(asked.moves) == {Answer(True), Answer(False)}
    denied = asked.apply(Answer(False))
    assert denied.refusal(Ask()) == "S53"
    last = table(hands=["5h"], melds=[[SEVENS, EIGHTS]], turn={"answer": False})
    assert last.refusal(last.discard("5h")) == "S53"
    alone = table(seats=3, hands=["5h 9d"])
    assert alone.refusal(Ask()) == "S53"


def test_s54_one_asks_before_the_last_card() -> None:
    assert table(hands=["5h"], melds=[[SEVENS, EIGHTS]]).refusal(Ask()) == "S54"


# -- points


def ended(**given: Any) -> dict[str, int]:
    """Return the points of the first side when its player discards the last card."""
    held = table(hands=["5h", "Jo 2s 9d 4c 3s 3h"], **given)
    after = held.apply(held.discard("5h"))
    assert after.scored(1) == {"cards in hand": -90, "red threes kept in hand": -100}
    return after.scored()


def test_s60_s61_s62_s63_s64_s65_points() -> None:
    melds = [SEVENS, EIGHTS, RUN, "Ah Ad Jo"]
    assert ended(seats=2, melds=[melds], bonus=["3h 3d"]) == {
        "sambas": 1500,
        "natural canastas": 500,
        "mixed canastas": 300,
        "cards melded": 35 + 80 + 90,
        "cards in sequences": 4 * 5 + 3 * 10,
        "red threes": 200,
        "going out": 200,
    }


@pytest.mark.parametrize(
    ("melds", "threes", "points"),
    [
        ([SEVENS, EIGHTS], "3h 3d 3h 3d 3h 3d", 1000),
        ([SEVENS, RUN], "3h", 100),
        ([SEVENS], "3h 3d", -200),
        ([], "3h 3d 3h 3d 3h 3d", -1000),
    ],
)
def test_s63_red_threes_count_for_a_side_with_two_canastas(
    melds: list[str], threes: str, points: int
) -> None:
    held = table(seats=2, hands=["Ks 4c"], melds=[melds], bonus=[threes], stock="")
    assert held.apply(held.discard("Ks")).scored()["red threes"] == points
