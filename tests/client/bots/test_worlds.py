"""Conclusions of opponents about hidden cards, and the worlds (possible deals) that they try."""

import random
from functools import partial
from itertools import chain

import pytest

from client.bots import eager
from client.bots.card_counting import chance, hidden_slots, thrown_after, thrown_by, unseen
from client.bots.worlds import played_out, world
from engine.canasta.deck import CANASTA
from engine.cards import Rank
from engine.games import GAMES
from engine.like_melds.cards import is_red_three
from engine.plain_dealer import PlainDealer
from engine.slots import Seat
from tests.client.bots.hidden_cards import seen_by_0
from tests.client.bots.thick_piles import REST
from tests.engine.positions import codes_of, table_of
from tests.engine.simulation import eagerly, views


@pytest.mark.parametrize(
    ("copies", "unseen_cards", "hidden", "wanted", "likely"),
    [
        (3, 10, 4, 0, 1.0),
        (0, 10, 4, 1, 0.0),
        (1, 10, 4, 1, 0.4),
        (10, 10, 4, 4, 1.0),
        (2, 4, 2, 2, 1 / 6),
        (2, 6, 3, 1, 1 - (3 * 2) / (6 * 5)),
    ],
)
def test_the_chance_to_hold_a_number_of_cards_is_exact(
    copies: int, unseen_cards: int, hidden: int, wanted: int, likely: float
) -> None:
    assert chance(copies, unseen_cards, hidden, wanted) == pytest.approx(likely)


def test_discards_are_assigned_to_their_players() -> None:
    # Seat 0 is to move: the last card came from seat 3, the one before from seat 2, and so on.
    thrown = {3: "9s 5s", 2: "8s 4s", 1: "7s", 0: "6s"}
    after = {0: "5s", 1: "6s", 2: "7s", 3: "8s 4s"}
    view = table_of("canasta", pile="4s 5s 6s 7s 8s 9s").position
    short = table_of("canasta", pile="4s").position  # tells nothing about earlier discards
    for seat in map(Seat, range(4)):
        assert [card.code for card in thrown_by(view, seat)] == thrown[seat].split()
        assert [card.code for card in thrown_after(view, seat)] == after[seat].split()
        assert (thrown_by(short, seat) == ()) == (seat < 3)
        assert thrown_after(short, seat) == ()


def test_open_cards_are_not_among_the_unseen() -> None:
    table = table_of("canasta", hands=["Kc Jo"], pile="4s 5s", melds=[["Ks Kh Kd"]], stock="+80")
    view = seen_by_0(table)
    kings = [card for card in unseen(view, Seat(0)) if card.rank is Rank.KING]
    assert len(kings) == 4
    assert len(unseen(view, Seat(0))) == len(CANASTA) - 7
    assert codes_of(view.hand(Seat(0))) == "Kc Jo"


@pytest.mark.parametrize("name", GAMES)
def test_a_world_deals_each_hidden_card_once_and_keeps_seen_cards(name: str) -> None:
    game = GAMES[name]
    rng = random.Random(5)
    looked = 0
    for view, _, _ in views(game, game.options(rounds=1), game.usual_players, 5, eagerly):
        seat = view.turn.seat
        made = world(view, seat, rng)
        hidden = {*view.stock, *chain.from_iterable(view.set_aside)}
        for other in set(view.clockwise(seat)) - {seat}:
            hidden.update(hidden_slots(view, other))
        assert {c.number for c in unseen(view, seat)} == {made.cards[s].card.number for s in hidden}
        assert all(made.cards[slot].card == view.face(slot) for slot in view.hands[seat])
        looked += 1
    assert looked > 20


def test_in_a_world_nobody_holds_a_red_three() -> None:
    view = seen_by_0(table_of("canasta", hands=["Kc Jo", "+11", "+11", "+11"], stock=REST))
    for seed in range(20):
        made = world(view, Seat(0), random.Random(seed))
        held = [made.cards[slot].card for hand in view.hands[1:] for slot in hand]
        assert not any(map(is_red_three, held))


def test_a_world_is_played_for_a_number_of_moves_or_to_its_end() -> None:
    table = table_of("canasta", seats=2, hands=["4c 5c", "+9"], pile="6c", stock="+9")
    choose = partial(eager.choose, rng=random.Random(1))
    for most in (0, 1, 5):
        made = PlainDealer(lambda _cards: None, dict(table.cards))
        position, moves = played_out(table.position, made, choose, most)
        assert moves == most
        assert position.sheet is None
        assert (position == table.position) is (most == 0)
    made = PlainDealer(lambda _cards: None, dict(table.cards))
    position, moves = played_out(table.position, made, choose, 1000)
    assert moves < 1000
    assert position.to_move is None
    assert position.sheet is not None
