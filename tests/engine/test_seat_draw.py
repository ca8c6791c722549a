"""The draw for seats (C3, C4, X21) and the seats that follow from it."""

import random

import pytest

from engine.canasta.deck import CANASTA
from engine.decks import Deck
from engine.errors import IllegalMove
from engine.game import Game
from engine.games import GAMES
from engine.kanastic.deck import KANASTIC
from engine.match import Match
from engine.moves import DrawStock
from engine.orders import Deal
from engine.plain_dealer import PlainDealer
from engine.seat_draw import SeatDraw
from engine.slots import Shown, Slot


def draw(*rows: str, deck: Deck = CANASTA) -> SeatDraw:
    """Return the draw in which these rows of codes are turned up, one after the other.

    Each row after the first is for the players who have no valid card yet.
    """
    left = list(deck)
    state = SeatDraw.start(deck, len(rows[0].split())).deliver(())
    for row in rows:
        (order,) = state.orders
        assert isinstance(order, Deal)
        cards = []
        for code in row.split():
            cards.append(next(card for card in left if card.code == code))
            left.remove(cards[-1])
        slots = order.turned_up
        state = state.deliver(tuple(map(Shown, slots, cards)))
    return state


@pytest.mark.parametrize(
    ("row", "ranking"),
    [("2s 3h Ks As", (3, 2, 1, 0)), ("Ts Js Qs 9s", (2, 1, 0, 3)), ("4c 3d 2h", (0, 1, 2))],
)
def test_x21_the_ace_is_highest_and_the_two_lowest(row: str, ranking: tuple[int, ...]) -> None:
    assert draw(row).ranking == ranking


def test_c3_jokers_are_void_and_their_players_draw_again() -> None:
    state = draw("Jo Ks Jo 2d")
    assert state.ranking == ()
    assert state.pending == (0, 2)
    (order,) = state.orders
    assert isinstance(order, Deal)
    assert [give.slot for give in order.gives] == [4, 5]
    assert draw("Jo Ks Jo 2d", "3d Ah").ranking == (2, 1, 0, 3)
    assert draw("Jo Ks Jo 2d", "Jo Ah", "Ac").ranking == (2, 0, 1, 3)


def test_x21_cards_without_a_suit_are_void_in_kanastic() -> None:
    state = draw("Sw Po Ar Sh", deck=KANASTIC)
    assert state.pending == (0, 1, 2, 3)


def test_c4_equal_ranks_go_by_suit() -> None:
    assert draw("Kc Kd Kh Ks").ranking == (3, 2, 1, 0)
    assert draw("Kd Ac Kc").ranking == (1, 0, 2)


def test_x21_the_twin_with_the_lower_number_ranks_higher() -> None:
    state = draw("Ks Ks")
    assert state.ranking == (0, 1)
    first, second = (shown for shown in state.drawn if shown)
    assert first.card.number < second.card.number
    swapped = SeatDraw(2, drawn=(Shown(Slot(0), second.card), Shown(Slot(1), first.card)))
    assert swapped.ranking == (1, 0)


def test_there_is_no_ranking_before_cards_are_drawn() -> None:
    assert SeatDraw.start(CANASTA, 4).ranking == ()


@pytest.mark.parametrize("game", tuple(GAMES.values()), ids=lambda game: game.name)
def test_x4_x21_the_first_round_follows_the_draw(game: Game) -> None:
    """All replicas come to the same seats after the same shuffle, for all numbers of players."""
    for players in game.players:
        start = Match.start(game, game.options(), players)
        assert start.mover is None
        with pytest.raises(IllegalMove) as refused:
            start.apply(DrawStock())
        assert refused.value.clause == "X10"
        match, other = (PlainDealer(random.Random(7).shuffle).fulfil(start) for _ in range(2))
        assert match == other
        # The player with the highest card deals, or sits to the left of the dealer.
        starter = (match.dealer + (0 if game.highest_deals else 1)) % players
        assert match.seating[starter] == match.draw.ranking[0]
        assert sorted(match.seating) == list(range(players))
        seats = [match.seat_of(player) for player in range(players)]
        assert [match.player_at(seat) for seat in seats] == list(range(players))


def test_no_round_is_over_during_the_seat_draw() -> None:
    for game in GAMES.values():
        assert not Match.start(game, game.options(), game.players[0]).round_over
