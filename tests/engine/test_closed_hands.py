"""Hands that stay closed because their player is absent: they count as badly as possible (X24)."""

from itertools import chain
from typing import Any

import pytest
from attrs import evolve

from engine.canasta.game import CANASTA
from engine.game import Game
from engine.kanastic.game import KANASTIC
from engine.match import Match
from engine.moves import Answer, Ask, Cut, Pass
from engine.orders import OpenHand
from engine.plain_dealer import PlainDealer
from engine.slots import Seat, Side
from engine.turn import Step
from tests.engine.kanastic.tables import SEVENS, kanastic_table
from tests.engine.positions import Table, canasta_table, ending, table_of
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
    """X24 relies on it: a hand of the dearest cards must be the dearest hand."""
    match, _ = over(game, 0)
    assert match.round is not None
    for size in (2, 7, 30):
        hand = game.deck[-size:]
        single = (match.round.hand_points((card,)) for card in hand)
        assert match.round.hand_points(hand) == sum(single)


def owing(match: Match) -> list[int]:
    """Return the players who must open their hands, in this order."""
    return [match.player_at(order.seat) for order in match.orders if isinstance(order, OpenHand)]


def test_x24_hands_of_present_players_are_opened() -> None:
    match, _ = over(CANASTA, 0)
    first, second, *rest = owing(match)
    after = match.leaving_closed([second])
    assert owing(after) == [first, *rest]
    assert after.round is not None
    assert after.round.closed == {match.seat_of(second)}
    assert after.leaving_closed([second]) == after


def given_up(held: str, **more: Any) -> Table:
    """Return a table of Canasta where seat 1 has ended the round by passing.

    Seat 2 holds the cards `held`.
    """
    given: dict[str, Any] = {"hands": ["Ks", "4c", held], "stock": "", "pile": "Ks", **more}
    table = canasta_table(step=Step.DRAW, seat=1, **given)
    return Table(table.position.apply(Pass()), table.cards)


def left_closed(table: Table, seat: int) -> Table:
    dealer = PlainDealer(lambda _: None, dict(table.cards))
    return Table(dealer.fulfil(table.position.leaving_closed([Seat(seat)])), table.cards)


def test_x24_hidden_cards_count_as_the_dearest_unseen_cards() -> None:
    """In Canasta the red threes are dearest, then the jokers, then twos and aces."""
    table = left_closed(given_up("5c 6c 7c 8c 9c Tc", seats=3), 2)
    assert table.scored(2) == {"cards that stay closed": -4 * 100 - 2 * 50}
    seen = left_closed(given_up("5c 6c 7c", seats=3, bonus=["3h 3d", "3h 3d"]), 2)
    assert seen.scored(2) == {"cards that stay closed": -3 * 50}
    melded = {"bonus": ["3h 3d", "3h 3d"], "melds": [["Jo Jo Jo Jo"]]}
    assert left_closed(given_up("5c 6c", seats=3, **melded), 2).scored(2) == {
        "cards that stay closed": -2 * 20
    }


def test_x24_a_public_card_in_a_closed_hand_counts_its_points() -> None:
    table = given_up("5c 6c 7c", seats=3, bonus=["3h 3d", "3h 3d"])
    slot = table.position.hands[2][1]
    known = table.position.changed(known={slot: table.cards[slot]})
    after = left_closed(Table(known, table.cards), 2)
    assert after.scored(2) == {"cards in hand": -5, "cards that stay closed": -2 * 50}
    assert [item.count for item in after.position.sheet.sides[2]] == [1, 2]  # type: ignore[union-attr]


def test_x24_private_cards_do_not_change_the_count() -> None:
    """Every node counts the same points, although only the owner's node sees the hand."""
    table = given_up("5c 6c 7c", seats=3)
    cards = [table.cards[slot] for slot in chain(*table.position.hands)]
    blind, seeing = (Table(table.position.seen(seen), table.cards) for seen in ((), cards))
    assert left_closed(blind, 2).scored(2) == left_closed(seeing, 2).scored(2)


def test_x24_a_question_that_depends_on_a_closed_hand_is_vain() -> None:
    """All cards could have been laid, but nobody can know that: the question is vain (C97a)."""
    hands = ["Ks Kd Kh 4c", "5c 6c"]
    options = {"penalties": True}
    clean = "9s 9s 9h 9h 9d 9d 9c"
    table = canasta_table(hands=hands, melds=[[clean]], stock="", options=options)
    table = table.apply(Ask(), Answer(True), table.discard("4c"))
    ended = Table(table.position.apply(Pass()), table.cards)
    assert "vain questions" not in left_closed(ended, 1).scored()
    assert left_closed(ended, 0).scored()["vain questions"] == -100


def test_x24_in_canastra_every_closed_card_costs_the_same() -> None:
    table = table_of("canastra", hands=["Ks", "5c 6c 7c"], melds=[["4s 5s 6s"]], aside=0)
    after = Table(table.position.apply(table.discard("Ks")), table.cards)
    assert after.position.orders
    assert left_closed(after, 1).scored(1) == {"cards in hand": -30}


def test_x24_in_kanastic_closed_cards_are_doubled_too() -> None:
    """The last discard is a Sword, which doubles the round, closed cards included (K98)."""
    table = kanastic_table(seats=3, hands=["Sw", "4c 5c", "6c"], melds=[[SEVENS], ["8h 8d 8c"]])
    over = Table(table.position.apply(table.discard("Sw")), table.cards)
    after = left_closed(over, 1)
    worst = after.scored(1)["cards that stay closed"]
    assert after.scored(1)["doubled by the last discard"] == 3 * 5 + worst


def test_x24_a_round_with_all_hands_closed_is_counted_at_once() -> None:
    match, dealer = over(KANASTIC, 0)
    del dealer
    after = match.leaving_closed(range(match.players))
    assert after.round_over
    assert not after.opening
    side = Side(0)
    assert after.round is not None
    held = sum(len(after.round.hands[seat]) for seat in after.round.members(side))
    items = list(after.round.closed_items(side))
    assert sum(item.count for item in items) <= held


def test_x24_the_hands_of_absent_players_stay_closed() -> None:
    match = evolve(begun(), seating=(2, 0, 1), round=ending())
    assert match.opening
    assert not begun().opening
    assert match.round is not None
    left = match.leaving_closed([0])  # the player at seat 1
    assert left.round is not None
    assert left.round.closed == {1}
    seats = [order.seat for order in left.orders if isinstance(order, OpenHand)]
    assert seats == [2, 0]


def test_x24_while_cards_are_dealt_no_hand_is_closed() -> None:
    match = begun()
    assert match.round is not None
    dealing = evolve(match, round=match.round.apply(Cut(3)))
    assert dealing.leaving_closed([0]) == dealing
