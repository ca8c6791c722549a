"""Clauses of Hand and Foot that the cases in `spec/referee` cannot show."""

import pytest
from attrs import evolve

from engine.cards import Rank
from engine.errors import InvalidOption
from engine.games import GAMES
from engine.match import Match
from engine.notation.position_reader import parse_position
from engine.orders import Deal
from engine.plain_dealer import PlainDealer
from engine.slots import Seat, Side
from tests.engine.positions import Table, table_of

GAME = GAMES["hand_and_foot"]


def test_h2_a_match_has_four_rounds() -> None:
    match = Match.start(GAME, GAME.options(), 2)
    numbers = []
    dealer = PlainDealer(lambda _: None)
    while not match.over:
        match = dealer.fulfil(match)
        assert match.round is not None
        numbers.append(match.round.number)
        match = evolve(match, round=dealer.fulfil(match.round.finishing(None))).close_round()
    assert numbers == [1, 2, 3, 4]
    with pytest.raises(InvalidOption):
        GAME.options(rounds=0)


@pytest.mark.parametrize(("packs", "cards"), [(3, 162), (4, 216), (5, 270), (6, 324)])
def test_h3_an_option_changes_the_number_of_packs(packs: int, cards: int) -> None:
    match = Match.start(GAME, GAME.options.from_pairs([("packs", packs)]), 6)
    assert sum(card.rank is Rank.JOKER for card in match.deck) == 2 * packs
    read = parse_position(f"hand_and_foot 6\noption packs {packs}")
    assert len(read.stock) == cards - 6 * 22


@pytest.mark.parametrize(("number", "need"), [(1, 50), (2, 90), (3, 120), (4, 150), (7, 150)])
def test_h42_the_first_melds_need_more_in_each_round(number: int, need: int) -> None:
    opening = table_of("hand_and_foot", number=number).position.opening(Side(0))
    assert opening is not None
    assert opening.need == need


def test_h51_a_player_takes_up_their_own_foot() -> None:
    table = table_of("hand_and_foot", seats=2, hands=["4c 5h", "9d"], seat=1, stock="+42")
    stock = table.position.stock
    position = table.position.changed(stock=stock[:20], aside=(stock[20:31], stock[31:]))
    after = Table(position, table.cards).apply(table.discard("9d"))
    assert after.position.hands[1] == stock[31:]
    assert after.position.set_aside == (stock[20:31],)


def test_x25_a_finished_round_counts_while_feet_are_turned_up() -> None:
    """The first player goes out, and the second has not taken up their foot."""
    melds = [["7h 7d 7c 7s 7h 7d 7c", "8h 8d 8c 8s 8h 8d 2s"], ["Qh Qd Qc"]]
    made = table_of("hand_and_foot", seats=2, hands=["5h", "Kc"], melds=melds, stock="+31")
    stock = made.position.stock
    ending = made.position.changed(
        stock=stock[:-11], aside=(stock[-11:],), took_aside=frozenset({Seat(0)})
    )
    over = ending.apply(made.discard("5h"))
    match = PlainDealer(lambda _: None).fulfil(Match.start(GAME, GAME.options(rounds=1), 2))
    match = Match(GAME, match.options, 2, match.draw, (0, 0), (), (0, 1), Seat(1), over)
    assert match.opening
    after = match.interrupted([1])
    assert after.round_over
    assert after.round is not None
    assert after.round.closer == 0
    assert not isinstance(match.interrupted([]).orders[0], Deal), (
        "after a finished round no card may be dealt: some locks may be off already"
    )
