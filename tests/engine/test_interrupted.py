"""Rounds that are interrupted because players are missing for good (clause X25)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from attrs import evolve

from engine.game import Game
from engine.match import Match
from engine.moves import Answer, Ask, Cut, DrawStock
from engine.orders import Deal, OpenHand, Shuffle
from engine.plain_dealer import PlainDealer
from engine.slots import Seat
from engine.turn import Step
from tests.engine.kanastic.tables import SEVENS, kanastic_table
from tests.engine.positions import Table, canasta_table, counted, ending, table_of
from tests.engine.simulation import begun, mixed, states
from tests.made_up_game import ALL_GAMES

ALL = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
BOTH = pytest.mark.parametrize("void", [False, True], ids=["counted", "void"])
CANASTRA = "4s 5s 6s 7s 8s 9s Ts"  # a clean one


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
            return match.deliver([dealer.cards[slot] for slot in order.to(None)])
        case OpenHand(_, slots):
            return match.deliver([dealer.cards[slot] for slot in slots])


def points_if_interrupted(table: Table, *missing: int) -> list[dict[str, int]]:
    """Return the points of each item by side, if the table's round is interrupted."""
    sheet = table.position.interrupted_sheet(map(Seat, missing))
    assert sheet.closer is None
    return [{item.what: item.points for item in items} for items in sheet.sides]


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
def test_x25_a_counted_round_stands(*, void: bool) -> None:
    match = evolve(with_option(begun(), void=void), round=counted(ending()))
    assert match.interrupted([0]) == match.close_round()


@BOTH
def test_x25_hands_of_missing_players_stay_closed_while_others_are_opened(*, void: bool) -> None:
    match = evolve(with_option(begun(), void=void), round=ending())
    assert match.interrupted([1]) == match.leaving_closed([1])
    assert match.interrupted([]) == match
    assert match.interrupted([0, 1, 2]).round_over


def test_x25_a_finished_match_is_not_changed() -> None:
    match = with_option(begun(), rounds=1)
    for over in (evolve(match, round=counted(ending())).close_round(), match.ended()):
        assert over.interrupted([0]) == over


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
        assert (again.totals, again.sheets, again.dealer) == (
            match.totals,
            match.sheets,
            match.dealer,
        )
        assert again.round_number == match.round_number
        assert again.round == game.position.start(
            match.options, match.players, match.dealer, match.totals, match.round_number
        )
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


# -- what an interrupted round counts


@ALL
def test_x25_silence_never_pays_while_cards_are_dealt(game: Game) -> None:
    """A missing player may have been dealt dear cards that some others have not unlocked yet."""
    given = 0
    for match, dealer in stages(game):
        if match.round is None or not match.orders or match.opening:
            continue
        if not isinstance(match.orders[0], Deal):
            continue
        after = next_of(match, dealer).round
        assert after is not None
        for seat in after.clockwise(Seat(0)):
            points = match.round.interrupted_sheet([seat]).totals[after.side_of(seat)]
            hand = dealer.view(after, seat).hand_cards(seat)
            table = match.round.table_points(after.side_of(seat))
            assert points <= table + after.hand_points(hand)
            given += len(match.orders[0].to(seat))
    assert given > 20


def test_x25_a_card_just_drawn_counts_in_the_hand() -> None:
    table = canasta_table(seats=3, hands=["Ks"], step=Step.DRAW)
    drawing = Table(table.position.apply(DrawStock()), table.cards)
    assert isinstance(drawing.position.orders[0], Deal)
    assert points_if_interrupted(drawing, 0)[0] == {"cards that stay closed": -2 * 100}
    assert points_if_interrupted(drawing, 1)[0] == {}


def test_x25_canasta_counts_melds_but_no_hands_of_present_players() -> None:
    """Red threes count against a side that has not melded (C66, C67)."""
    table = canasta_table(
        seats=3,
        hands=["Ks Kd", "As", "5c 6c 7c"],
        melds=[["9s 9s 9h 9h 9d 9d 9c"], ["8s 8d 2s"]],
        bonus=["3h", "", "3d 3d"],
    )
    melded = {"clean canastas": 500, "cards melded": 70, "red threes": 100}
    assert points_if_interrupted(table, 2) == [
        melded,
        {"cards melded": 40},
        {"red threes": -200, "cards that stay closed": -100 - 2 * 50},
    ]
    assert points_if_interrupted(table) == [melded, {"cards melded": 40}, {"red threes": -200}]


def test_x25_in_canasta_public_cards_count_their_points() -> None:
    table = canasta_table(seats=3, hands=["Ks", "", "5c 6c"], bonus=["3h 3d", "3h 3d"])
    slot = table.position.hands[2][1]
    seen = table.position.changed(known={slot: table.cards[slot]})
    assert points_if_interrupted(Table(seen, table.cards), 2)[2] == {
        "cards in hand": -5,
        "cards that stay closed": -50,
    }


@pytest.mark.parametrize(
    ("missing", "vain"),
    [
        pytest.param(0, [-100, None], id="the one who has asked"),
        pytest.param(2, [-100, None], id="their partner"),
        pytest.param(1, [None, None], id="an opponent"),
    ],
)
def test_x25_a_question_is_vain_if_a_player_of_its_side_is_missing(
    missing: int, vain: list[int | None]
) -> None:
    """Nobody can see whether all the cards could have been laid, so the question is vain (C97a)."""
    table = canasta_table(
        hands=["Ks Kd Kh 4c", "", "5c 6c"],
        melds=[["9s 9s 9h 9h 9d 9d 9c"]],
        options={"penalties": True},
    )
    table = table.apply(Ask(), Answer(True), table.discard("4c"))
    assert [side.get("vain questions") for side in points_if_interrupted(table, missing)] == vain


def test_x25_in_kanastic_nothing_is_doubled_and_nobody_goes_out() -> None:
    """A wild card on the pile doubles nothing, unless somebody went out by discarding it (K98)."""
    table = kanastic_table(
        seats=3,
        hands=["4c", "5c", "6c Jc"],
        pile="Sw",
        melds=[[SEVENS], ["8h 8d 8c"]],
        bonus=["", "", "Po"],
    )
    assert points_if_interrupted(table, 2) == [
        {"natural canastas": 600, "cards melded": 35},
        {"cards melded": 15},
        {"Treasure Pots": 100, "cards that stay closed": -2 * 100},
    ]


def test_x25_in_canastra_closed_cards_cost_even_if_nobody_went_out() -> None:
    """Closed hands count against their side: B63 spares hands only if the stock ended the round."""
    hands = ["Ks Kd", "5c 6c 7c"]
    table = table_of("canastra", hands=hands, seats=2, melds=[[CANASTRA], ["4h 5h 6h"]])
    runs = {"clean canastras": 300, "cards in runs": 70}
    assert points_if_interrupted(table, 0) == [
        {**runs, "cards that stay closed": -20},
        {"cards in runs": 30},
    ]
    assert points_if_interrupted(table, 1) == [
        runs,
        {"cards in runs": 30, "cards that stay closed": -30},
    ]


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(partial(canasta_table, hands=["Jo Jo", "Jo Jo"]), id="canasta"),
        pytest.param(partial(kanastic_table, hands=["Sh Sh", "Sh Sh"]), id="kanastic"),
    ],
)
def test_x25_private_cards_do_not_change_the_count(table: Any) -> None:
    """Every node counts the same points, although only the owner's node sees the hand."""
    seeing = table(seats=3)
    blind = Table(seeing.position.seen(()), seeing.cards)
    assert points_if_interrupted(seeing, 0, 2) == points_if_interrupted(blind, 0, 2)
    assert "cards in hand" not in points_if_interrupted(seeing, 0)[0]
    assert "Shields in hand" not in points_if_interrupted(seeing, 0)[0]


def test_x25_the_sheet_has_the_order_of_the_game() -> None:
    melds, bonus = [[], ["8s 8d 2s"]], ["3h"]
    table = canasta_table(seats=3, hands=["Ks"], melds=melds, bonus=bonus)
    sheet = table.position.interrupted_sheet([Seat(0)])
    assert [item.clause for item in sheet.sides[0]] == ["C67", "X24"]
    assert sheet.lines == ("cards melded", "red threes", "cards that stay closed")
