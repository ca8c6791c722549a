"""Deck, seats, deal, dealt Treasure Pots and the opening discard (K1-K24)."""

from collections import Counter

import pytest
from attrs import evolve

from engine.cards import Rank, Suit
from engine.errors import IllegalMove, InvalidOption
from engine.kanastic.deck import KANASTIC
from engine.match import Match
from engine.moves import Cut, Discard, DrawStock, Pass, ShowBonus
from engine.orders import Deal, Shuffle
from engine.slots import Seat
from engine.turn import Step
from tests.engine.kanastic.tables import GAME, SEVENS, dealt, kanastic, kanastic_table, stopped
from tests.engine.positions import Table


def test_k1_the_deck_has_108_cards() -> None:
    counted = Counter(card.rank for card in KANASTIC)
    assert len(KANASTIC) == 108
    assert sum(count for rank, count in counted.items() if rank <= Rank.ACE) == 88
    assert [counted[r] for r in (Rank.SWORD, Rank.SHIELD, Rank.ARTIFACT, Rank.POT)] == [8, 4, 4, 4]
    told = GAME.numbers()
    kinds = ("naturals", "swords", "shields", "artifacts", "pots")
    assert [told[kind] for kind in kinds] == [88, 8, 4, 4, 4]


def test_k2_eleven_ranks_of_eight_cards_without_twos_and_threes() -> None:
    counted = Counter(card.rank for card in KANASTIC if card.suit)
    assert sorted(counted) == [rank for rank in Rank if Rank.FOUR <= rank <= Rank.ACE]
    assert set(counted.values()) == {8}


def test_k3_two_cards_of_each_suit_in_each_rank() -> None:
    counted = Counter((card.rank, card.suit) for card in KANASTIC if card.suit)
    assert len(counted) == 44
    assert set(counted.values()) == {2}


def test_k4_the_gold_card_of_each_rank_is_its_first_spade() -> None:
    golds = [card for card in KANASTIC if card.gold]
    assert len(golds) == 11
    assert {card.rank for card in golds} == {card.rank for card in KANASTIC if card.suit}
    for gold in golds:
        spades = [c for c in KANASTIC if c.rank is gold.rank and c.suit is Suit.SPADES]
        assert gold is spades[0]


def test_k11_four_play_in_couples_and_two_or_three_alone() -> None:
    assert [GAME.sides(players) for players in (2, 3, 4)] == [2, 3, 2]
    four = kanastic_table(seats=4).position
    assert [four.partner_of(Seat(seat)) for seat in range(4)] == [2, 3, 0, 1]
    assert kanastic_table(seats=2).position.partner_of(Seat(0)) is None
    for players in (1, 5):
        with pytest.raises(InvalidOption):
            Match.start(GAME, GAME.options(), players)


def test_k12_turns_go_clockwise() -> None:
    table = kanastic_table(seats=3, hands=["4h 5h", "6h 7h", "8h 9h"], seat=1)
    table = table.apply(table.discard("6h"))
    assert table.position.turn.seat == 2
    table = table.apply(DrawStock(), table.discard("8h"))
    assert table.position.turn.seat == 0


def test_k13_the_highest_card_of_the_draw_deals_first() -> None:
    assert GAME.seating((2, 0, 3, 1)) == ((0, 1, 2, 3), 2)


def test_k15_the_right_neighbour_cuts_within_the_deck() -> None:
    start = GAME.position.start(GAME.options(), 4, Seat(1), (0, 0))
    assert start.orders == (Shuffle(KANASTIC),)
    cutting = start.deliver()
    assert (cutting.turn.step, cutting.to_move) == (Step.CUT, 0)
    uncut = cutting.stock
    for number in (-1, 108):
        with pytest.raises(IllegalMove) as refused:
            cutting.apply(Cut(number))
        assert refused.value.clause == "K15"
    assert cutting.apply(Cut(0)).stock == uncut
    assert cutting.apply(Cut(107)).stock == (uncut[107], *uncut[:107])


@pytest.mark.parametrize(("seats", "stock"), [(2, 79), (3, 65), (4, 51)])
def test_k16_fourteen_cards_each_and_fifteen_for_the_first(seats: int, stock: int) -> None:
    start = GAME.position.start(GAME.options(), seats, Seat(0), GAME.sides(seats) * (0,))
    cut = start.deliver().apply(Cut(5))
    assert len(cut.orders) == 1
    assert isinstance(cut.orders[0], Deal)
    after = cut.deliver()
    assert [len(hand) for hand in after.hands] == [14, 15, 14, 14][:seats]
    assert len(after.stock) == stock
    told = GAME.numbers()
    assert (told["hand"], told["first_hand"], told[f"stock_{seats}"]) == (14, 15, stock)
    # Round and round from the dealer's left, the fifteenth card at the end.
    assert after.hands[1] == (*range(5, 5 + 14 * seats, seats), 5 + 14 * seats)


def test_k17_no_card_is_turned_up() -> None:
    table = dealt(4)
    assert table.position.pile == ()
    assert table.position.known == {}


def test_k18_dealt_pots_are_laid_from_the_fifteen_cards_on() -> None:
    table = dealt(2, "4h Po 5h")  # the second card goes to seat 1
    assert (table.position.turn.step, table.position.to_move) == (Step.SHOW, 0)
    assert table.moves == (ShowBonus(()),)
    assert table.refusal(table.show("4h")) == "K18"
    table = table.apply(table.show())
    assert table.position.to_move == 1
    assert table.moves == (table.show("Po"),)
    laid = table.apply(table.show("Po"))
    assert laid.bonus_codes(1) == "Po"
    assert len(laid.position.hands[1]) == 14
    # The replacement may be a Pot as well, so seat 1 is asked again.
    assert (laid.position.turn.step, laid.position.to_move) == (Step.SHOW, 1)
    done = laid.apply(laid.show())
    assert (done.position.turn.step, done.position.to_move) == (Step.OPEN, 0)


def test_k18_a_replacement_that_is_a_pot_is_laid_too() -> None:
    plain = " ".join(c.code for c in KANASTIC if c.suit)
    table = dealt(2, "Po " + " ".join(plain.split()[:28]) + " Po 4c")
    table = table.apply(table.show("Po"))
    assert table.moves == (table.show("Po"),)
    table = table.apply(table.show("Po"))
    assert table.bonus_codes(0) == "Po Po"
    assert table.position.to_move == 0
    assert len(table.position.hands[0]) == 15


def test_k18a_nobody_is_asked_once_all_four_pots_lie() -> None:
    table = dealt(4, "Po 4h 5h 6h Po 4h 5h 6h Po 7h 7h 8h Po 9h 9h Th")
    table = table.apply(table.show("Po Po Po Po"))
    assert (table.position.turn.step, table.position.to_move) == (Step.OPEN, 0)
    assert len(table.position.hands[0]) == 15


def test_k18_a_drawn_pot_is_laid_at_once_and_replaced() -> None:
    table = kanastic_table(hands=["4h 5h"], stock="Po Kd +5", step=Step.DRAW).apply(DrawStock())
    assert table.moves == (table.show("Po"),)
    after = table.apply(table.show("Po"))
    assert after.bonus_codes(0) == "Po"
    assert after.hand_codes(0) == "4h 5h Kd"
    assert after.refusal(after.show()) == "K18"
    assert after.refusal(after.show("Kd")) == "K18"


def test_k18_a_pot_kept_back_is_not_laid_later() -> None:
    table = kanastic_table(hands=["Po 4h 5h"], stock="Kd +5", step=Step.DRAW).apply(DrawStock())
    assert table.refusal(table.show("Po")) == "K18"
    assert table.show("Po") not in table.moves
    assert table.moves


def test_k19_a_pot_is_never_discarded() -> None:
    table = kanastic_table(hands=["Po 4h 5h"])
    assert table.refusal(table.discard("Po")) == "K19"
    with pytest.raises(IllegalMove, match=r"never discarded\. "):  # it is too late to lay it
        table.position.check(table.discard("Po"))
    drawn = kanastic_table(hands=["4h 5h"], stock="Po +5", step=Step.DRAW).apply(DrawStock())
    with pytest.raises(IllegalMove, match="never discarded: lay it on the table"):
        drawn.position.check(drawn.discard("Po"))
    assert table.refusal(table.discard("4h")) is None


def opening_table(hand: str = "4h 5h Sh 7c 7d 7h 7s") -> Table:
    return kanastic_table(hands=[hand, "8h 8d 5c 5s 9h"], step=Step.OPEN, pile="")


def test_k22_the_round_opens_with_a_discard_and_nothing_else() -> None:
    table = opening_table()
    assert table.refusal(DrawStock()) == "X10"
    assert table.refusal(table.lay("7c 7d 7h 7s")) == "X10"
    assert {type(move) for move in table.moves} == {Discard}
    after = table.apply(table.discard("5h"))
    assert (after.position.turn.step, after.position.to_move) == (Step.DRAW, 1)
    assert after.pile_codes == "5h"


def test_k23_the_first_discard_is_never_taken() -> None:
    table = opening_table().apply(opening_table().discard("5h"))
    assert table.refusal(table.take_top("^ 5c 5s")) == "K23"
    # Even where all else would allow it.
    later = kanastic_table(hands=["Ah Ad Kc 4c"], pile="As", step=Step.DRAW)
    assert later.refusal(later.take_top("^ Ah Ad")) == "K23"
    second = kanastic_table(hands=["Ah Ad Kc 4c"], pile="4d As", step=Step.DRAW)
    assert second.refusal(second.take_top("^ Ah Ad")) is None


def test_k23a_the_first_discard_comes_with_the_whole_pile() -> None:
    table = kanastic_table(
        hands=["8h 8d Kc 4c"], pile="4d 8s", melds=[["7h 7d 7s"]], step=Step.DRAW
    )
    after = table.apply(table.take("^ 8h 8d"))
    after = after.apply(after.discard("Kc"))
    assert after.hand_codes(0) == "4c 4d"


def test_k24_a_stop_card_as_first_discard_blocks() -> None:
    table = opening_table().apply(opening_table().discard("Sh"))
    assert stopped(kanastic(table))


def test_k25_a_turn_is_a_draw_melds_and_one_discard() -> None:
    table = kanastic_table(hands=["7c 7d 7h Ks 4h 5h"], melds=[["8h 8d 8s"]], step=Step.DRAW)
    assert table.refusal(table.discard("4h")) == "X10"
    table = table.apply(DrawStock())
    assert table.refusal(DrawStock()) == "X10"
    after = table.apply(table.lay("7c 7d 7h"), table.discard("4h"))
    assert after.position.to_move == 1


def test_k25_nobody_passes() -> None:
    for step in (Step.DRAW, Step.PLAY):
        assert kanastic_table(hands=["4h 5h"], step=step).refusal(Pass()) == "K25"


def test_k26_one_draws_once_and_from_one_place() -> None:
    table = kanastic_table(
        hands=["8h 8d Kc 4c 5h"], pile="4d 8s", melds=[["7h 7d 7s"]], step=Step.DRAW
    )
    taken = table.apply(table.take("^ 8h 8d"))
    assert taken.refusal(DrawStock()) == "X10"
    drawn = table.apply(DrawStock())
    assert drawn.refusal(drawn.take("^ 8h 8d")) == "X10"


def test_k27_nobody_draws_before_the_discard_of_the_seat_before() -> None:
    table = kanastic_table(hands=["4h 5h", "6h 7h"])
    assert table.position.to_move == 0
    assert table.position.legal_moves(Seat(1)) == ()


def test_k28_melding_comes_after_drawing() -> None:
    table = kanastic_table(hands=["Ah Ad Ac 4c 5h"], step=Step.DRAW)
    assert table.refusal(table.lay("Ah Ad Ac")) == "X10"
    drawn = table.apply(DrawStock())
    assert drawn.refusal(drawn.lay("Ah Ad Ac")) is None


@pytest.mark.parametrize("code", ["4h", "Kg", "Sw", "Sh", "Ar"])
def test_k29_any_card_may_be_discarded(code: str) -> None:
    table = kanastic_table(hands=[f"{code} 9d"])
    assert table.apply(table.discard(code)).pile_codes == code


@pytest.mark.parametrize("code", ["4h", "Sw", "Sh", "Ar"])
def test_k29_also_as_the_last_card(code: str) -> None:
    table = kanastic_table(hands=[code, "", "", ""], melds=[[SEVENS]])
    closed = table.apply(table.discard(code)).position
    assert closed.closer == 0


def test_x10_no_move_while_cards_are_dealt() -> None:
    table = kanastic_table(hands=["4h 5h"], step=Step.DRAW)
    pending = table.position.apply(DrawStock())
    assert pending.to_move is None
    assert not pending.allows(table.discard("4h"))
    assert evolve(pending, orders=()).allows(table.discard("4h"))
