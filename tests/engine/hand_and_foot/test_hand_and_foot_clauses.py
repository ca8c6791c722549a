"""The clauses of Hand and Foot, one after the other."""

from functools import partial

import pytest
from attrs import evolve

from engine.cards import Rank
from engine.dealer import PlainDealer
from engine.errors import InvalidOption
from engine.games import GAMES
from engine.hand_and_foot.options import HandAndFootOptions
from engine.hand_and_foot.position import HandAndFootPosition
from engine.match import Match
from engine.moves import Answer, Ask, Cut, DrawStock, ShowBonus
from engine.notation.position_reader import parse_position
from engine.orders import Deal
from engine.slots import Seat, Side, Slot
from engine.turn import Step
from tests.engine.positions import TOP, Table, table_of

GAME = GAMES["hand_and_foot"]
CLEAN, DIRTY = "7h 7d 7c 7s 7h 7d 7c", "8h 8d 8c 8s 8h 8d 2s"
WALKING = frozenset(map(Seat, range(4)))

table = partial(table_of, "hand_and_foot", took_aside=WALKING)


def with_feet(*, hands: list[str], feet: str = "+11 +11", **fields: object) -> Table:
    """Return a table of two at which nobody has taken up their foot."""
    made = table_of("hand_and_foot", seats=2, hands=hands, stock=f"+20 {feet}", **fields)  # type: ignore[arg-type]
    stock = made.position.stock
    aside = (stock[-22:-11], stock[-11:])
    position = made.position.changed(stock=stock[:-22], aside=aside)
    return Table(position, made.cards)


def dealt(*first: str, players: int = 4) -> tuple[HandAndFootPosition, PlainDealer]:
    """Return a round that was just dealt; its first cards to be turned up are `first`."""

    def put(cards: list) -> None:  # type: ignore[type-arg]
        for place, code in enumerate(first, 22 * players):
            other = next(i for i in range(place, len(cards)) if cards[i].code == code)
            cards[place], cards[other] = cards[other], cards[place]

    dealer = PlainDealer(put)
    totals = GAME.sides(players) * (0,)
    start = GAME.position.start(GAME.options(), players, Seat(0), totals)
    position = dealer.fulfil(start)
    assert isinstance(position, HandAndFootPosition)
    return position, dealer


# -- the deal


def test_h1_two_to_six_play_four_and_six_in_couples() -> None:
    assert [GAME.sides(players) for players in GAME.players] == [2, 3, 2, 5, 3]
    assert dealt()[0].partner_of(Seat(1)) == Seat(3)


def test_h2_a_match_has_four_rounds() -> None:
    assert GAME.options().rounds == 4
    with pytest.raises(InvalidOption):
        GAME.options(rounds=0)


@pytest.mark.parametrize(("packs", "cards"), [(3, 162), (4, 216), (5, 270), (6, 324)])
def test_h3_the_deck_has_five_packs_and_ten_jokers_or_others(packs: int, cards: int) -> None:
    assert (HandAndFootOptions().packs, len(GAME.deck)) == (5, 270)
    match = Match.start(GAME, HandAndFootOptions(packs=packs), 6)
    assert sum(card.rank is Rank.JOKER for card in match.deck) == 2 * packs
    assert (position := PlainDealer(lambda _: None).fulfil(match).round)
    assert len(position.stock) == cards - 6 * 22 - len(position.pile)
    read = parse_position(f"hand_and_foot 6\noption packs {packs}")
    assert len(read.stock) == cards - 6 * 22


def test_h4_the_highest_card_plays_first() -> None:
    seats, dealer = GAME.seating((2, 0, 3, 1))
    assert seats[(dealer + 1) % 4] == 2


@pytest.mark.parametrize("players", GAME.players)
def test_h5_h6_h7_each_has_eleven_cards_and_a_foot_of_eleven(players: int) -> None:
    position, _ = dealt("Ks", players=players)
    assert [len(hand) for hand in position.hands] == players * [11]
    assert [len(foot) for foot in position.set_aside] == players * [11]
    assert len(position.stock) == 270 - 22 * players - 1
    assert [shown.card.code for shown in position.pile] == ["Ks"]
    assert all(slot not in position.known for foot in position.set_aside for slot in foot)
    assert position.to_move == position.left_of(position.dealer)


def test_h8_threes_and_wild_cards_do_not_begin_the_pile() -> None:
    position, _ = dealt("Jo", "3h", "2c", "9d")
    assert [shown.card.code for shown in position.pile] == ["Jo", "3h", "2c", "9d"]


# -- the turn


def test_h12_there_is_no_other_move() -> None:
    assert not table(hands=["Ks 4c"]).position.turning(step=Step.CUT).allows(Cut(1))


@pytest.mark.parametrize(("draw", "stock", "drawn"), [(2, "+5", 2), (1, "+5", 1), (3, "+2", 2)])
def test_h13_two_cards_are_drawn_or_as_many_as_there_are(draw: int, stock: str, drawn: int) -> None:
    before = table(hands=["Ks 4c"], step=Step.DRAW, stock=stock, options={"draw": draw})
    after = before.apply(DrawStock())
    assert len(after.position.hands[0]) == 2 + drawn
    assert after.position.turn.step is Step.PLAY


def test_h14_wild_cards_and_black_threes_are_discarded() -> None:
    held = table(hands=["Jo 3s 3h Ks"])
    assert [held.refusal(held.discard(code)) for code in ("Jo", "3s", "3h")] == [None, None, "H15"]


def test_h15_red_threes_are_laid_at_once_and_replaced() -> None:
    held = table(hands=["3h 3d Ks 4c"], stock="5c 6c 7c")
    assert held.moves == (held.show("3h 3d"),)
    after = held.apply(held.show("3h 3d"))
    assert after.hand_codes(0) == "Ks 4c 5c 6c"
    assert after.bonus_codes() == "3h 3d"
    assert held.refusal(held.show("Ks")) == "H15"
    assert held.refusal(ShowBonus(())) == "H15"


def test_h15_no_red_three_is_laid_before_one_has_drawn() -> None:
    held = table(hands=["3h Ks"], step=Step.DRAW)
    assert not held.position.allows(held.show("3h"))
    assert held.position.duty is None


def test_h16_the_discard_ends_the_turn() -> None:
    held = table(hands=["Ks 4c 5c"])
    after = held.apply(held.discard("Ks"))
    assert (after.position.to_move, after.pile_codes) == (1, "Ks")


def test_h17_the_round_ends_with_the_turn_in_which_the_stock_ends() -> None:
    held = table(hands=["Ks 4c"], stock="")
    after = held.apply(held.discard("Ks"))
    assert after.position.sheet is not None
    assert after.position.closer is None


def test_h18_without_a_stock_a_red_three_is_not_replaced() -> None:
    held = table(hands=["3h Ks 4c"], stock="")
    assert held.apply(held.show("3h")).hand_codes(0) == "Ks 4c"
    last = table(hands=["3h"], stock="")
    assert last.apply(last.show("3h")).position.closer is None
    may = table(hands=["3h"], stock="", melds=[[CLEAN, DIRTY]])
    assert may.apply(may.show("3h")).position.closer == 0


def test_h18_nobody_is_stuck_with_a_last_card() -> None:
    held = table(hands=["3h Ks"], stock="")
    left = held.apply(held.show("3h"))
    assert left.moves == (left.discard("Ks"),)
    assert left.apply(left.discard("Ks")).position.closer is None
    denied = table(hands=["Ks"], stock="", melds=[[CLEAN, DIRTY]], turn={"answer": False})
    assert denied.apply(denied.discard("Ks")).position.closer is None


# -- the pile


def test_h21_the_pile_takes_two_cards_of_the_rank_of_its_top() -> None:
    held = table(hands=["Kh Kd Kc 2s 5c 9d"], pile="9c Ks", step=Step.DRAW, melds=[[CLEAN]])
    assert held.refusal(held.take(f"{TOP} Kh 2s")) == "H21"
    assert held.refusal(held.take("Kh Kd Kc")) == "H21"
    assert held.refusal(held.take()) == "H21"
    assert held.refusal(held.take(f"{TOP} Kh Kd")) is None
    assert held.offers(held.take(f"{TOP} Kc Kd"))
    assert held.offers(held.take(f"{TOP} Kc Kd 2s"))
    empty = table(hands=["Kh Kd Kc"], step=Step.DRAW)
    assert empty.refusal(empty.take("Kh Kd Kc")) == "H21"


def test_h21_the_three_may_join_a_meld() -> None:
    held = table(hands=["Kh Kd 5c 9d"], pile="Ks", step=Step.DRAW, melds=[["Kh Kd Kc Ks"]])
    onto = held.play(f"{TOP} Kh Kd", 0)
    after = held.apply(held.take(onto))
    assert after.meld_codes() == ["Kh Kd Kc Ks Ks Kh Kd"]


def test_h22_a_pile_is_not_taken_if_the_three_find_no_room() -> None:
    held = table(hands=["Kh Kd 5c 9d"], pile="Ks", step=Step.DRAW, melds=[["Kh Kd Kc Ks Kh"]])
    assert not held.position.may_take_pile()
    assert held.refusal(held.take(held.play(f"{TOP} Kh Kd", 0))) == "H36"
    assert held.refusal(held.take(f"{TOP} Kh Kd")) == "H36"
    assert held.moves == (DrawStock(),)


@pytest.mark.parametrize("top", ["Jo", "2s", "3s"])
def test_h23_a_three_or_a_wild_card_on_top_blocks(top: str) -> None:
    held = table(hands=["Kh Kd 3s 3c 2d 2h"], pile=f"Ks {top}", step=Step.DRAW, melds=[[CLEAN]])
    assert held.refusal(held.take(f"{TOP} Kh Kd")) == "H23"
    assert held.moves == (DrawStock(),)


@pytest.mark.parametrize(("whole", "left"), [(False, "4c 5c"), (True, "")])
def test_h24_seven_cards_are_taken_or_all(*, whole: bool, left: str) -> None:
    pile = "4c 5c 6c 7c 8c 9c Tc Jc Ks"
    held = table(
        hands=["Kh Kd 5d"],
        pile=pile,
        step=Step.DRAW,
        melds=[[CLEAN]],
        options={"whole_pile": whole},
    )
    after = held.apply(held.take(f"{TOP} Kh Kd"))
    assert after.pile_codes == left
    assert len(after.position.hands[0]) == (7 if not whole else 9)


def test_h25_only_the_top_is_seen() -> None:
    assert table(pile="4c 5c 6c").position.pile_seen == ()


def test_h26_the_cards_below_do_not_open() -> None:
    held = table(hands=["6h 6d 5c 9d"], pile="Ah Ad Ac 6s", step=Step.DRAW)
    assert held.refusal(held.take(f"{TOP} 6h 6d")) == "H42"
    assert held.moves == (DrawStock(),)
    more = table(hands=["6h 6d Ah Ad Ac 9d 5d"], pile="Ah 6s", step=Step.DRAW)
    assert more.refusal(more.take(f"{TOP} 6h 6d", "Ah Ad Ac")) is None
    assert more.offers(more.take(f"{TOP} 6h 6d", "Ah Ad Ac"))


# -- melds


@pytest.mark.parametrize(
    ("codes", "clause"),
    [
        ("Kh Kd", "H31"),
        ("Kh Kd Qc", "H31"),
        ("Kh Kd 2s", None),  # H32
        ("Kh 2s 2h", "H33"),
        ("Kh Kd 2s 2h", "H33"),
        ("Kh Kd Kc 2s 2h", None),
        ("Kh Kd Kc Ks 2s 2h Jo", None),
        ("Kh Kd Kc Ks Kh 2s 2h Jo", "H36"),
        ("2s 2h Jo", "H34"),
        ("3s 3c 3s", "H35"),
        ("3h 3d 3h", "H35"),
    ],
)
def test_h31_h32_h33_h34_h35_h36_melds(codes: str, clause: str | None) -> None:
    held = table(hands=[f"{codes} 5c 9d Td"], melds=[[CLEAN]])
    assert held.refusal(held.lay(codes)) == clause


def test_h36_a_book_is_closed_and_the_next_one_may_be_begun() -> None:
    held = table(hands=["7s 7h 7d 8s 5c 9d"], melds=[[CLEAN, "8h 8d 8c"]])
    assert held.refusal(held.lay(held.play("7s", 0))) == "H36"
    assert held.refusal(held.lay("7s 7h 7d")) is None
    assert held.offers(held.lay("7s 7h 7d"))
    assert held.offers(held.lay(held.play("8s", 1)))
    open_one = table(hands=["8s 8h 8d 5c 9d"], melds=[["8h 8d 8c"]])
    assert open_one.refusal(open_one.lay("8s 8h 8d")) == "H36"


def test_h37_a_book_with_a_wild_card_is_dirty() -> None:
    held = table(hands=["Kh"], melds=[[CLEAN, DIRTY]])
    found = [held.position.meld_class(meld) for meld in held.position.laid[0].melds]
    assert [each.value for each in found if each] == ["clean", "dirty"]


def test_h38_h39_cards_join_melds_of_the_own_side() -> None:
    held = table(hands=["7s 5c 9d"], melds=[["8h 8d 8c"], ["7h 7d 7c"]])
    assert held.refusal(held.lay(held.play("7s", 0))) == "H31"
    assert held.refusal(held.lay(held.play("7s", 1))) == "H38"


@pytest.mark.parametrize(("number", "need"), [(1, 50), (2, 90), (3, 120), (4, 150), (7, 150)])
def test_h42_the_first_melds_need_more_in_each_round(number: int, need: int) -> None:
    held = table(hands=["Ah Ad Ac Kh Kd Kc Kh Qd Qc Qh 5c 9d"], number=number)
    opening = held.position.opening(Side(0))
    assert opening is not None
    assert opening.need == need
    assert held.refusal(held.lay("Ah Ad Ac")) == (None if need <= 60 else "H42")
    assert held.refusal(held.lay("Ah Ad Ac", "Kh Kd Kc")) == (None if need <= 90 else "H42")
    assert bool([move for move in held.moves if held.refusal(move)]) is False


def test_h42_the_rounds_of_a_match_are_counted() -> None:
    match = Match.start(GAME, GAME.options(), 2)
    numbers = []
    dealer = PlainDealer(lambda _: None)
    while not match.over:
        match = dealer.fulfil(match)
        assert match.round is not None
        numbers.append(match.round.number)
        match = evolve(match, round=dealer.fulfil(match.round.finishing(None))).close_round()
    assert numbers == [1, 2, 3, 4]


def test_h43_later_melds_have_no_minimum() -> None:
    held = table(hands=["5h 5d 5c 9d Td"], melds=[["8h 8d 8c"]], number=4)
    assert held.refusal(held.lay("5h 5d 5c")) is None


# -- the foot, and going out


def test_h50_who_lays_the_last_card_takes_up_the_foot_and_goes_on() -> None:
    held = with_feet(hands=["5h 5d 5c"], melds=[[CLEAN]], feet="Ks Kh +9 +11")
    after = held.apply(held.lay("5h 5d 5c"))
    assert after.hand_codes(0).startswith("Ks Kh")
    assert (after.position.to_move, after.position.turn.step) == (0, Step.PLAY)
    assert after.position.took_aside == {0}  # type: ignore[attr-defined]
    assert len(after.position.set_aside) == 1


def test_h51_who_discards_the_last_card_plays_the_foot_from_the_next_turn_on() -> None:
    held = with_feet(hands=["4c 5h", "9d"], seat=1, feet="+11 Ks Kh +9")
    after = held.apply(held.discard("9d"))
    assert after.hand_codes(1).startswith("Ks Kh"), "the own foot, though it is the second"
    assert after.position.to_move == 0


def test_h52_h53_who_has_no_foot_goes_out_with_a_clean_and_a_dirty_book() -> None:
    without = table(hands=["5h"], melds=[[CLEAN]])
    assert without.refusal(without.discard("5h")) == "H54"
    held = table(hands=["5h"], melds=[[CLEAN, DIRTY]])
    assert held.apply(held.discard("5h")).position.closer == 0
    laid = table(hands=["5h 5d 5c"], melds=[[CLEAN, DIRTY]])
    assert laid.apply(laid.lay("5h 5d 5c")).position.closer == 0


def test_h53_other_books_by_the_options_and_those_just_completed() -> None:
    none = table(hands=["5h"], options={"clean_books": 0, "dirty_books": 0})
    assert none.refusal(none.discard("5h")) is None
    two = table(hands=["5h"], melds=[[CLEAN, DIRTY]], options={"dirty_books": 2})
    assert two.refusal(two.discard("5h")) == "H54"
    now = table(hands=["8h 5d"], melds=[[CLEAN, "8h 8d 8c 8s 8d 2s"]])
    assert now.refusal(now.lay(now.play("8h", 1))) is None


def test_h54_two_cards_are_kept_without_the_books() -> None:
    held = table(hands=["5h 5d 5c 9d"], melds=[[CLEAN]])
    assert held.refusal(held.lay("5h 5d 5c")) == "H54"
    kept = table(hands=["5h 5d 5c 9d Td"], melds=[[CLEAN]])
    assert kept.refusal(kept.lay("5h 5d 5c")) is None
    foot = with_feet(hands=["5h 5d 5c 9d"], melds=[[CLEAN]])
    assert foot.refusal(foot.lay("5h 5d 5c")) is None


def test_h55_the_partner_is_asked_and_a_no_binds() -> None:
    held = table(hands=["5h 5d 5c 9d"], melds=[[CLEAN, DIRTY]])
    assert Ask() in held.moves
    denied = held.apply(Ask(), Answer(False))
    assert denied.refusal(Ask()) == "H55"
    assert denied.refusal(denied.lay("5h 5d 5c")) == "H55"
    allowed = held.apply(Ask(), Answer(True))
    assert allowed.refusal(allowed.lay("5h 5d 5c")) is None
    walking = with_feet(hands=["5h 5d 5c 9d"], melds=[[CLEAN, DIRTY]])
    assert walking.refusal(Ask()) == "H55"
    assert Ask() not in walking.moves


def test_h56_one_asks_before_the_last_card() -> None:
    assert table(hands=["5h"], melds=[[CLEAN, DIRTY]]).refusal(Ask()) == "H56"


# -- points


def test_h60_h61_h63_h65_what_lies_on_the_table_counts() -> None:
    held = table(
        hands=["5h"],
        melds=[[CLEAN, DIRTY, "Ah Ad 2s"], []],
        bonus=["3h 3d", "3h"],
    )
    over = held.apply(held.discard("5h"))
    assert over.scored(0) == {
        "clean books": 500,
        "dirty books": 300,
        "cards melded": 35 + 80 + 60,
        "red threes": 200,
        "going out": 100,
    }
    assert over.scored(1) == {"red threes": -100}


def test_h62_h64_hands_and_feet_cost() -> None:
    held = with_feet(
        hands=["5h", "Jo 3s Kc"],
        melds=[[CLEAN, DIRTY]],
        feet="+11 3h 3d 2s Ac +7",
        took_aside=frozenset({Seat(0)}),
    )
    position = held.position.changed(aside=held.position.set_aside[1:])
    over = Table(position, held.cards).apply(held.discard("5h"))
    rest = over.position.hands[1][-7:]
    plain = sum(over.position.card_points(over.position.known[slot].card) for slot in rest)
    assert over.scored(1) == {
        "cards in hand": -(50 + 5 + 10 + 20 + 20 + plain),
        "red threes kept in hand": -200,
    }


def over_with_feet() -> Table:
    """Return the table of two at which the first has gone out, and the second's foot lies there."""
    held = with_feet(hands=["5h", "Kc"], melds=[[CLEAN, DIRTY], ["Qh Qd Qc"]])
    aside = held.position.set_aside[1:]
    took = frozenset({Seat(0)})
    return Table(held.position.changed(aside=aside, took_aside=took), held.cards)


def test_x24_feet_that_were_just_to_be_turned_up_stay_closed() -> None:
    """Count them as the dearest cards against the side of the absent player only."""
    held = over_with_feet()
    over = held.position.apply(held.discard("5h"))
    assert isinstance(over.orders[0], Deal)
    assert over.turn.step is Step.OVER
    dearest = 10 * 100 + 50  # ten red threes, and a joker
    gone = over.leaving_closed([Seat(1)])
    assert gone.sheet is not None
    assert gone.sheet.totals[1] == 30 - 100 - dearest
    present = over.leaving_closed([Seat(0)])
    assert present.orders[0].slots == over.hands[1]  # type: ignore[union-attr]
    king = held.position.hand(Seat(1))
    sheet = present.deliver(king).sheet
    assert sheet is not None
    assert sheet.totals[1] == 30 - 10


def test_x25_a_round_that_is_over_stands_while_feet_are_turned_up() -> None:
    held = over_with_feet()
    dealer = PlainDealer(lambda _: None)
    match = dealer.fulfil(Match.start(GAME, GAME.options(rounds=1), 2))
    over = held.position.apply(held.discard("5h"))
    match = Match(GAME, match.options, 2, match.draw, (0, 0), (), (0, 1), Seat(1), over)
    assert match.opening
    after = match.interrupted([1])
    assert after.round_over
    assert after.round is not None
    assert after.round.closer == 0
    assert not isinstance(match.interrupted([]).orders[0], Deal), "locks may be off already"


def test_feet_are_no_part_of_the_stock() -> None:
    position, _ = dealt()
    aside = {slot for foot in position.set_aside for slot in foot}
    assert aside.isdisjoint(position.stock)
    assert {*range(270)} >= aside >= {Slot(44)}
