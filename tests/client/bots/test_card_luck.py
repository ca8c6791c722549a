"""Luck in points: good cards are good luck, and the mean over all possible cards is zero."""

import pytest

from client.bots.card_luck import CardsGiven, Luck, luck_of
from engine.cards import Card
from engine.slots import Seat
from engine.turn import Step
from tests.client.bots.thick_piles import REST
from tests.engine.positions import Table, table_of


@pytest.fixture
def table() -> Table:
    """Return a table of three at which a king makes a canasta."""
    return table_of(
        "canasta",
        seats=3,
        hands=["4h 9d 5c 6s 8s", "4s 4d 5s 5d 6h 6d 9h", "Qs Qh Jd Js 8h 8d 7s"],
        melds=[["Ks Kh Kd Ks Kh Kd"]],
        step=Step.DRAW,
        pile="8c",
        stock=f"Kc 7c {REST}",
    )


def stock_of(table: Table) -> tuple[Card, ...]:
    return tuple(table.cards[slot].card for slot in table.position.stock)


def drawn(table: Table, card: Card) -> Luck:
    held = tuple(table.position.hand_cards(Seat(0)))
    return luck_of(
        CardsGiven("canasta", Seat(0), table.position.seen(()), held, (card,), stock_of(table))
    )


def test_a_card_for_a_canasta_and_a_red_three_are_good_luck(table: Table) -> None:
    king, seven, *rest = stock_of(table)
    assert rest[-4].code == "3s"  # the stock ends with eight threes
    assert drawn(table, king).points > 300
    assert drawn(table, seven).points < 0
    assert 60 < drawn(table, next(card for card in rest if card.code == "3h")).points < 140
    # The same card has the same luck every time.
    assert drawn(table, king).spread == drawn(table, king).spread > 0


def test_a_bonus_card_comes_with_another_card_in_its_place(table: Table) -> None:
    """The only other card is a king: the red three alone makes the difference, 100 points."""
    king, _seven, *rest = stock_of(table)
    three = next(card for card in rest if card.code == "3h")
    held, view = tuple(table.position.hand_cards(Seat(0))), table.position.seen(())
    for came, points in ((three, 50), (king, -50)):
        luck = luck_of(CardsGiven("canasta", Seat(0), view, held, (came,), (three, king)))
        assert (luck.points, luck.spread) == pytest.approx((points, 50))


def test_mean_luck_over_all_cards_of_the_stock_is_zero(table: Table) -> None:
    lucks = [drawn(table, card) for card in stock_of(table)]
    assert sum(luck.points for luck in lucks) / len(lucks) == pytest.approx(0, abs=0.5)
    squares = sum(luck.points**2 for luck in lucks) / len(lucks)
    assert lucks[0].spread ** 2 == pytest.approx(squares, rel=0.02)


def test_dealt_hand_is_compared_with_the_average_hand() -> None:
    def dealt(hand: str) -> Luck:
        table = table_of("canasta", seats=3, hands=[hand, "+11", "+11"], step=Step.DRAW, stock=REST)
        came, position = tuple(table.position.hand_cards(Seat(0))), table.position.seen(())
        return luck_of(CardsGiven("canasta", Seat(0), position, (), came, tuple(position.unseen())))

    good = dealt("Jo Jo 2s 2h As Ah Ad Ac Ks Kh Kd")
    assert good.points > 2 * good.spread
    assert dealt("4s 5h 6d 7c 8s 9h Td Jc Qs Kh As").points < 0


def test_total_luck_adds_points_and_variances() -> None:
    assert Luck.total([Luck(30.0, 3.0), Luck(-50.0, 4.0)]) == Luck(-20.0, 5.0)
    assert Luck.total([]) == Luck()
