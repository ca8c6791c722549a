"""Rounds that are interrupted because players are missing for good (clause X25)."""

from collections.abc import Iterator

import pytest
from attrs import evolve

from engine.game import Game
from engine.match import Match
from engine.moves import Cut, DrawStock
from engine.orders import Deal, OpenHand, Shuffle
from engine.plain_dealer import PlainDealer
from engine.slots import Seat
from engine.turn import Step
from tests.engine.positions import canasta_table, counted, ending
from tests.engine.simulation import begun, mixed, states
from tests.made_up_game import ALL_GAMES

ALL = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
BOTH = pytest.mark.parametrize("void", [False, True], ids=["counted", "void"])


def stages(game: Game, *, void: bool = False) -> Iterator[tuple[Match, PlainDealer]]:
    """Return the states of a match of two rounds before each move, and before each order."""
    options = game.options.from_pairs([("rounds", 2), ("void_interrupted", void)])
    for match, move, dealer in states(game, options, game.players[-1], 3, mixed):
        yield match, dealer
        after = match if move is None else match.apply(move)
        while after.orders:
            yield after, dealer
            after = next_of(after, dealer)


def next_of(match: Match, dealer: PlainDealer) -> Match:
    """Return the match after its first order. Only the dealer knows the result of a shuffle."""
    match order := match.orders[0]:
        case Shuffle():
            return dealer.fulfil(match)
        case Deal():
            return match.deliver([dealer.cards[slot] for slot in order.turned_up])
        case OpenHand(_, slots):
            return match.deliver([dealer.cards[slot] for slot in slots])


# -- which rounds are interrupted


@ALL
@BOTH
def test_x25_an_interrupted_seat_draw_begins_again(game: Game, *, void: bool) -> None:
    options = game.options.from_pairs([("void_interrupted", void)])
    start = Match.start(game, options, game.players[0])
    drawing = start.deliver()
    assert drawing.draw != start.draw
    assert drawing.interrupted([0]) == start


@BOTH
def test_x25_a_round_that_has_ended_counts_with_the_hands_of_missing_players_closed(
    *, void: bool
) -> None:
    """The hands of missing players stay closed, the others are opened, and the round counts."""
    begun_match = with_option(begun(), void=void)
    match = evolve(begun_match, round=ending())
    assert match.interrupted([1]) == match.leaving_closed([1])
    assert match.interrupted([]) == match
    assert match.interrupted([0, 1, 2]).round_over
    over = evolve(begun_match, round=counted(ending()))
    assert over.interrupted([0]) == over.close_round()
    for ended in (with_option(over, rounds=1).close_round(), match.ended()):
        assert ended.interrupted([0]) == ended, "a finished match is not changed"


@ALL
@BOTH
def test_x25_a_round_without_dealt_cards_is_dealt_again(game: Game, *, void: bool) -> None:
    options = game.options.from_pairs([("void_interrupted", void), ("rounds", 2)])
    players = game.players[0]
    started = PlainDealer(lambda _: None).fulfil(Match.start(game, options, players))
    totals = tuple(100 * side for side in range(1, game.sides(players) + 1))
    shuffling = evolve(started, totals=totals).redealt()
    shuffled = shuffling.deliver()
    if not shuffled.orders:  # a game in which somebody cuts
        assert shuffled.interrupted([0]) == shuffling
        shuffled = shuffled.apply(Cut(3))
    assert isinstance(shuffled.orders[0], Deal)
    assert shuffling.interrupted([0]) == shuffling
    # Once cards are being dealt, the round counts, unless interrupted rounds are void.
    assert (shuffled.interrupted([0]) == shuffling) == void


def with_option(match: Match, *, void: bool = False, rounds: int = 0) -> Match:
    return evolve(match, options=evolve(match.options, void_interrupted=void, rounds=rounds))


# -- what follows an interrupted round


@ALL
def test_x25_an_interrupted_round_counts_and_the_next_player_deals(game: Game) -> None:
    entered = set()
    for match, _ in stages(game):
        if match.round is None or not match.round.has_hands or match.round_over or match.opening:
            continue
        after = match.interrupted([1])
        sheet = match.round.interrupted_sheet([match.seat_of(1)])
        assert after.sheets == (*match.sheets, sheet)
        assert after.totals == tuple(map(sum, zip(match.totals, sheet.totals, strict=True)))
        assert after.dealer == match.round.left_of(match.dealer)
        assert after.over == (match.round_number == 2)
        assert after.round_number == (0 if after.over else 2)
        assert after.over or isinstance(after.orders[0], Shuffle)
        entered.add(match.round_number)
    assert entered == {1, 2}


@ALL
def test_x25_a_void_round_is_dealt_again_by_the_same_player(game: Game) -> None:
    numbers = set()
    for match, _ in stages(game, void=True):
        if match.round is None or match.round_over or match.opening:
            continue
        again = match.interrupted([0])
        anew = game.position.start(
            match.options, match.players, match.dealer, match.totals, match.round_number
        )
        assert again == evolve(match, round=anew)
        numbers.add(again.round_number)
    assert numbers == {1, 2}


def test_x25_a_side_can_win_by_an_interrupted_round() -> None:
    table = canasta_table(seats=3, hands=["Ks"], melds=[["9s 9s 9h 9h 9d 9d 9c"]])
    match = evolve(begun(), round=table.position, totals=(4500, 0, 0))
    after = match.interrupted([2])
    assert (after.totals[0], after.over, after.winner) == (4500 + 500 + 70, True, 0)


def test_x25_missing_players_are_numbered_as_players_not_seats() -> None:
    table = canasta_table(seats=3, hands=["Ks", "4c 5c", "6c"])
    match = evolve(begun(), round=table.position, seating=(2, 0, 1))
    assert match.interrupted([0]).totals == (0, -200, 0)


# -- how an interrupted round is counted; `notation/transcripts/counts.txt` has further cases


@ALL
def test_x25_silence_never_pays_while_cards_are_dealt(game: Game) -> None:
    """A player who stays silent gains nothing, even if the cards dealt to them cost many points."""
    given = 0
    for match, dealer in stages(game):
        if match.round is None or not match.orders or match.opening:
            continue
        if not isinstance(match.orders[0], Deal):
            continue
        after = next_of(match, dealer).round
        assert after is not None
        for seat in after.clockwise(Seat(0)):
            side = after.side_of(seat)
            hand = dealer.view(after, seat).hand_cards(seat)
            points = match.round.interrupted_sheet([seat]).totals[side]
            assert points <= match.round.table_points(side) + after.hand_points(hand)
            given += sum(give.seat == seat for give in match.orders[0].gives)
    assert given > 20


def test_x25_a_card_just_drawn_counts_in_the_hand() -> None:
    drawing = canasta_table(seats=3, hands=["Ks"], step=Step.DRAW).position.apply(DrawStock())
    assert isinstance(drawing.orders[0], Deal)
    assert drawing.interrupted_sheet([Seat(0)]).totals == (-2 * 100, 0, 0)
    assert drawing.interrupted_sheet([Seat(1)]).totals == (0, 0, 0)


def test_x25_the_lines_of_the_sheet_have_the_order_of_the_game() -> None:
    melds, bonus = [[], ["8s 8d 2s"]], ["3h"]
    table = canasta_table(seats=3, hands=["Ks"], melds=melds, bonus=bonus)
    sheet = table.position.interrupted_sheet([Seat(0)])
    assert sheet.lines == ("cards melded", "red threes", "cards that stay closed")
    assert sheet.closer is None
