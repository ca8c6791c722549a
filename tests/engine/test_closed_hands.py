"""Hands that stay closed because their player is absent: they count as badly as possible (X24)."""

import pytest
from attrs import evolve

from engine.game import Game
from engine.kanastic.game import KANASTIC
from engine.match import Match
from engine.moves import Cut
from engine.orders import OpenHand
from engine.plain_dealer import PlainDealer
from engine.slots import Side
from tests.engine.positions import ending
from tests.engine.simulation import begun, mixed, states
from tests.made_up_game import ALL_GAMES

SEEDS = range(3)
ALL = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)


def over(game: Game, seed: int) -> tuple[Match, PlainDealer]:
    """Return a match with the most players, just before hands are opened, and its dealer."""
    options = game.options.from_pairs([("rounds", 1)])
    for match, move, dealer in states(game, options, game.players[-1], seed, mixed):
        if move is not None:
            after = match.apply(move)
            if after.opening:
                return after, dealer
    raise AssertionError


def counted(match: Match, dealer: PlainDealer) -> tuple[int, ...]:
    ended = dealer.fulfil(match).round
    assert ended is not None
    assert ended.sheet is not None
    return ended.sheet.totals


@ALL
@pytest.mark.parametrize("seed", SEEDS)
def test_x24_refusing_to_open_a_hand_never_pays(game: Game, seed: int) -> None:
    """The player's side gets at most what the open hand would give it; the others get the same.

    If hands set aside cannot be turned up without the player, the others get at least the same.
    """
    match, dealer = over(game, seed)
    honest = counted(match, dealer)
    for player in range(match.players):
        side = match.seat_of(player) % len(honest)
        closed = counted(match.leaving_closed([player]), dealer)
        assert closed[side] <= honest[side]
        for other in set(range(len(honest))) - {side}:
            aside = not isinstance(match.orders[0], OpenHand)
            assert closed[other] >= honest[other] if aside else closed[other] == honest[other]


@ALL
def test_x24_a_hand_counts_the_sum_of_its_cards(game: Game) -> None:
    """X24 relies on this: the hand that costs most must be that of the cards that cost most."""
    match, _ = over(game, 0)
    assert match.round is not None
    for size in (2, 7, 30):
        hand = game.deck[-size:]
        single = (match.round.hand_points((card,)) for card in hand)
        assert match.round.hand_points(hand) == sum(single)


def owing(match: Match) -> list[int]:
    """Return the players who must open their hands, in this order."""
    return [match.player_at(order.seat) for order in match.orders if isinstance(order, OpenHand)]


def test_x24_only_hands_of_present_players_are_opened() -> None:
    match = evolve(begun(), seating=(2, 0, 1), round=ending())
    assert match.opening
    assert not begun().opening
    assert owing(match) == [1, 2, 0]
    after = match.leaving_closed([0])
    assert owing(after) == [1, 2]
    assert after.round is not None
    assert after.round.closed == {match.seat_of(0)} == {1}
    assert after.leaving_closed([0]) == after


def test_x24_a_round_with_all_hands_closed_is_counted_at_once() -> None:
    match, _ = over(KANASTIC, 0)
    after = match.leaving_closed(range(match.players))
    assert after.round_over
    assert not after.opening
    assert after.round is not None
    held = sum(len(after.round.hands[seat]) for seat in after.round.members(Side(0)))
    assert sum(item.count for item in after.round.closed_items(Side(0))) <= held


def test_x24_while_cards_are_dealt_no_hand_is_closed() -> None:
    match = begun()
    assert match.round is not None
    dealing = evolve(match, round=match.round.apply(Cut(3)))
    assert dealing.leaving_closed([0]) == dealing
