"""Deck, seats, deal, start card (C1-C16) and dealt red threes (C63)."""

from collections import Counter

import pytest
from attrs import evolve

from engine.canasta.deck import CANASTA
from engine.cards import Card, Rank
from engine.dealer import PlainDealer
from engine.errors import IllegalMove, InvalidOption
from engine.games import GAMES
from engine.match import Match
from engine.moves import Cut, DrawStock, ShowBonus
from engine.orders import Deal, Shuffle
from engine.slots import Seat
from engine.turn import Step
from tests.engine.canasta.tables import canasta_table, position_of
from tests.engine.positions import Table

CANASTA_GAME = GAMES["canasta"]


def round_of(seats: int, first: str = "", *, cut: int = 0) -> Table:
    """Return a dealt round, with the codes of `first` on top of the shuffled deck.

    The rest of the deck is in order.
    """
    left = [card for card in CANASTA if card.rank not in (Rank.TWO, Rank.THREE, Rank.JOKER)]
    left += [card for card in CANASTA if card not in left]
    named = []
    for code in first.split():
        named.append(next(card for card in left if card.code == code))
        left.remove(named[-1])
    stacked = named + left

    def stack(cards: list[Card]) -> None:
        cards[:] = stacked[len(stacked) - cut :] + stacked[: len(stacked) - cut]

    sides = CANASTA_GAME.sides(seats)
    start = CANASTA_GAME.position.start(
        CANASTA_GAME.options(), seats, Seat(seats - 1), sides * (0,)
    )
    dealer = PlainDealer(stack)
    position = dealer.fulfil(start)
    assert position.turn.step is Step.CUT
    position = dealer.fulfil(position.apply(Cut(cut)))
    hands = [dealer.cards[slot] for hand in position.hands for slot in hand]
    return Table(position.seen(hands), dealer.cards)


def test_c1_the_deck_is_two_packs_and_four_jokers() -> None:
    count = Counter(card.code for card in CANASTA)
    assert len(CANASTA) == 108
    assert count.pop("Jo") == 4
    assert len(count) == 52
    assert set(count.values()) == {2}


def test_c2_two_to_six_play_and_four_or_six_in_couples() -> None:
    for players, sides in {2: 2, 3: 3, 4: 2, 5: 5, 6: 3}.items():
        match = Match.start(CANASTA_GAME, CANASTA_GAME.options(), players)
        assert len(match.totals) == sides
    for players in (0, 1, 7):
        with pytest.raises(InvalidOption):
            Match.start(CANASTA_GAME, CANASTA_GAME.options(), players)


def test_c5_partners_are_first_and_second_of_the_draw_and_the_first_is_hand() -> None:
    seats, dealer = CANASTA_GAME.seating((2, 0, 3, 1))
    assert seats == (2, 3, 0, 1)
    assert (dealer + 1) % 4 == 0  # whoever drew highest sits at seat 0 and plays first
    assert CANASTA_GAME.seating((1, 0)) == ((1, 0), 1)


def test_c6_six_play_as_three_couples_with_eleven_cards() -> None:
    seats, dealer = CANASTA_GAME.seating((5, 4, 3, 2, 1, 0))
    assert seats == (5, 3, 1, 4, 2, 0)
    assert dealer == 5
    table = round_of(6)
    assert [len(hand) for hand in table.position.hands] == 6 * [11]
    assert [table.position.side_of(Seat(seat)) for seat in range(6)] == [0, 1, 2, 0, 1, 2]
    assert table.position.partner_of(Seat(1)) == 4


def test_c7_five_play_alone_with_eleven_cards() -> None:
    assert CANASTA_GAME.seating((4, 0, 3, 1, 2)) == ((4, 0, 3, 1, 2), 4)
    table = round_of(5)
    assert [len(hand) for hand in table.position.hands] == 5 * [11]
    assert [table.position.partner_of(Seat(seat)) for seat in range(5)] == 5 * [None]


@pytest.mark.parametrize(("seats", "size"), [(2, 15), (3, 13)])
def test_c8_two_get_fifteen_and_three_thirteen(seats: int, size: int) -> None:
    table = round_of(seats)
    assert [len(hand) for hand in table.position.hands] == seats * [size]
    assert table.position.sides == seats
    assert table.position.partner_of(Seat(0)) is None


def test_c9_the_hand_plays_first_and_their_right_neighbour_deals() -> None:
    assert CANASTA_GAME.seating((3, 1, 0, 2))[1] == 3
    table = round_of(4)
    assert table.position.dealer == 3
    assert table.position.to_move == 0


def test_c10_the_right_neighbour_of_the_dealer_cuts() -> None:
    start = CANASTA_GAME.position.start(CANASTA_GAME.options(), 4, Seat(3), (0, 0))
    position = PlainDealer(lambda _: None).fulfil(start)
    assert position.to_move == 2
    cut = position.apply(Cut(30))
    assert cut.stock == position.stock[30:] + position.stock[:30]
    assert position.apply(Cut(0)).stock == position.stock
    for number in (-1, 108):
        with pytest.raises(IllegalMove) as refused:
            position.apply(Cut(number))
        assert refused.value.clause == "C10"
    assert round_of(4, "Ks Kd Kh Kc", cut=77).hand_codes(0).startswith("Ks")


def test_c11_c12_cards_are_dealt_one_by_one_clockwise_from_the_dealers_left() -> None:
    table = round_of(4, "As Kd Qh Jc 9s 8d 7h 6c")
    hands = [table.hand_codes(seat).split() for seat in range(4)]
    assert [hand[:2] for hand in hands] == [["As", "9s"], ["Kd", "8d"], ["Qh", "7h"], ["Jc", "6c"]]
    assert [len(hand) for hand in hands] == 4 * [11]


def test_c12_the_deal_is_one_order() -> None:
    start = CANASTA_GAME.position.start(CANASTA_GAME.options(), 4, Seat(0), (0, 0))
    assert start.orders == (Shuffle(CANASTA),)
    dealt = PlainDealer(lambda _: None).fulfil(start).apply(Cut(5))
    assert [len(order.gives) for order in dealt.orders if isinstance(order, Deal)] == [45]
    with pytest.raises(IllegalMove) as refused:
        dealt.apply(DrawStock())
    assert refused.value.clause == "X10"


def test_c13_the_next_card_starts_the_pile() -> None:
    table = round_of(4)
    assert len(table.position.pile) == 1
    assert table.position.pile[0].slot == 44
    assert len(table.position.stock) == 108 - 45


@pytest.mark.parametrize("odd", ["Jo", "2c", "2h", "3h", "3d", "3s", "3c"])
def test_c14_another_card_is_turned_on_wild_cards_and_threes(odd: str) -> None:
    table = round_of(2, f"{plain_cards(30)} {odd} 2s {odd} Kd")
    assert table.pile_codes == f"{odd} 2s {odd} Kd"
    assert len(table.position.stock) == 108 - 30 - 4


@pytest.mark.parametrize(
    ("turned", "frozen"),
    [("Jo 9d", True), ("2c 9d", True), ("3h 9d", True), ("3s 9d", False), ("9d", False)],
)
def test_c15_a_wild_card_or_red_three_at_the_start_freezes_the_pile(
    turned: str, frozen: bool
) -> None:
    table = round_of(2, f"{plain_cards(30)} {turned}")
    assert table.pile_codes == turned
    assert position_of(table).pile_frozen is frozen


def test_c16_the_deal_goes_clockwise() -> None:
    match = PlainDealer(lambda _: None).fulfil(Match.start(CANASTA_GAME, CANASTA_GAME.options(), 3))
    dealers = []
    for _ in range(4):
        assert match.round is not None
        dealers.append(match.dealer)
        over = evolve(match.round, orders=()).finishing(None)
        match = evolve(match, round=PlainDealer(lambda _: None).fulfil(over)).close_round()
    assert [(dealer - dealers[0]) % 3 for dealer in dealers] == [0, 1, 2, 0]


def plain_cards(count: int) -> str:
    """Return codes of cards that start no trouble."""
    plain = [card.code for card in CANASTA if Rank.FOUR <= card.rank <= Rank.EIGHT]
    return " ".join(plain[:count])


# -- red threes that were dealt


def dealt_red_threes() -> Table:
    """Return a round in which seat 0 is dealt two red threes and seat 2 one."""
    return round_of(3, "3h 4s 3d 3d 4d 4h")


def test_c63_c63a_dealt_red_threes_are_laid_at_once_beginning_with_the_hand() -> None:
    table = dealt_red_threes()
    for seat, shown in enumerate(("3h 3d", "", "3d")):
        assert table.position.turn.step is Step.SHOW
        assert table.position.to_move == seat
        assert table.moves == (table.show(shown),)
        table = table.apply(table.show(shown))
    assert table.position.turn.step is Step.DRAW
    assert table.position.to_move == 0
    assert [table.bonus_codes(side) for side in range(3)] == ["3h 3d", "", "3d"]
    assert [len(hand) for hand in table.position.hands] == [11, 13, 12]
    assert position_of(table).debts == (2, 0, 1)


def test_c63_replacements_come_with_the_first_draw_from_the_stock() -> None:
    table = dealt_red_threes()
    table = table.apply(table.show("3h 3d"), ShowBonus(()))
    table = table.apply(table.show("3d"))
    before = table.position.stock
    table = table.apply(DrawStock())
    assert table.position.stock == before[3:]
    assert len(table.position.hands[0]) == 14
    assert position_of(table).debts == (0, 0, 1)
    assert table.position.turn.drawn == before[:3]


def test_c63_the_debt_stays_when_the_pile_is_taken_first() -> None:
    table = canasta_table(
        hands=["9d 9h Ks Kd Kh Jo 5c 6c"],
        pile="9s",
        step=Step.DRAW,
        debts=(1, 0, 0, 0),
    )
    table = table.apply(table.take("^ 9d 9h Jo"), table.discard("5c"))
    assert position_of(table).debts == (1, 0, 0, 0)


@pytest.mark.parametrize(("stock", "received"), [("Ks", 1), ("Ks Kd", 2), ("Ks Kd Kh Kc", 3)])
def test_c63_a_short_stock_gives_what_it_has(stock: str, received: int) -> None:
    table = canasta_table(
        hands=["9d 9h"],
        pile="4c",
        step=Step.DRAW,
        stock=stock,
        debts=(2, 0, 0, 0),
    )
    after = table.apply(DrawStock())
    assert len(after.position.hands[0]) == 2 + received
    assert position_of(after).debts == (0, 0, 0, 0)


def test_c62_only_red_threes_are_laid_before_the_first_turn() -> None:
    table = dealt_red_threes()
    plain = table.hand_codes(0).split()[-1]
    assert table.refusal(table.show(f"3h {plain}")) == "C62"
