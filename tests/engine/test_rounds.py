"""Rounds of random moves, with checks of their invariants; matches that two scorers count."""

import pickle
import random
from collections.abc import Sequence
from typing import Any

import pytest
from attrs import evolve

from engine.games import GAMES
from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.slots import Seat, Shown, Side, Slot
from tests import soak
from tests.engine import simulation
from tests.engine.second_scoring import NaiveScorer
from tests.engine.simulation import (
    EndlessMatch,
    cards_in,
    eagerly,
    play_checked,
    reluctantly,
)
from tests.soak import scorer_of

TOTALS = (-500, 0, 1600, 3500, 7000)


@pytest.mark.parametrize("name", GAMES)
def test_the_invariants_of_rounds_hold(name: str) -> None:
    """The test plays rounds with random options and totals, and checks every eighth position."""
    game, rng = GAMES[name], random.Random(f"rounds {name}")
    switches = [
        option
        for option, about in game.options.describe().items()
        if isinstance(about["default"], bool)
    ]
    for number in range(7):
        seats = game.players[number % len(game.players)]
        options = game.options.from_pairs((one, rng.random() < 0.5) for one in switches)
        totals = tuple(rng.choice(TOTALS) for _ in range(game.sides(seats)))
        dealer, naive = PlainDealer(rng.shuffle), scorer_of(game)()
        position = dealer.fulfil(
            game.position.start(options, seats, Seat(rng.randrange(seats)), totals)
        )
        for moves in range(240):
            if moves % 8 == 0 or position.to_move is None:
                check(position, dealer, naive)
            if position.to_move is None:
                break
            view = dealer.view(position, position.to_move)
            legal = view.legal_moves(position.to_move)
            assert legal, "the seat to move has no legal move"
            move = eagerly(view, rng) if rng.random() < 0.1 else rng.choice(legal)
            before = pickle.dumps(position) if moves % 8 == 0 else b""
            after = position.apply(move)
            assert not before or position == pickle.loads(before), "`apply` has changed it"
            naive.watch(position, move)
            position = dealer.fulfil(after)
            assert cards_in(position, dealer) == list(position.deck)


def check(position: Position, dealer: PlainDealer, naive: NaiveScorer) -> None:
    """Assert what holds in every position of a round."""
    seats = list(map(Seat, range(position.seats)))
    for seat in seats:
        offered = dealer.view(position, seat).legal_moves(seat)
        assert bool(offered) == (seat == position.to_move), "only the seat to move has moves"
    if position.to_move is not None:
        hidden_cards_decide_nothing(position, dealer)
    if position.sheet is not None:
        assert position.sheet.totals == naive.totals(position)
    elif position.has_hands:
        for seat in seats:
            silence_never_pays(position, dealer, naive, seat)


def hidden_cards_decide_nothing(position: Position, dealer: PlainDealer) -> None:
    """Assert that no verdict depends on the cards that the mover does not see (X12)."""
    view = dealer.view(position, position.moving_seat)
    swapped = hidden_cards_swapped(position, dealer, spared=position.moving_seat)
    others = evolve(view, private=dict(view.private) | swapped)
    assert others.legal_moves(position.moving_seat) == view.legal_moves(position.moving_seat)
    liar = view.seen(hidden_cards_swapped(position, dealer, spared=None).values())
    blind = view.seen(())
    for move in view.candidates():
        assert view.allows(move) == blind.allows(move) == liar.allows(move)


def hidden_cards_swapped(
    position: Position, dealer: PlainDealer, spared: Seat | None
) -> dict[Slot, Shown]:
    """Return the hidden cards, each in the place of another, without those of seat `spared`."""
    hands = (hand for seat, hand in enumerate(position.hands) if seat != spared)
    hidden = [slot for hand in hands for slot in hand if slot not in position.known]
    hidden += position.stock
    turned = hidden[1:] + hidden[:1]
    return {
        slot: Shown(slot, dealer.cards[other].card)
        for slot, other in zip(hidden, turned, strict=True)
    }


def silence_never_pays(
    position: Position, dealer: PlainDealer, naive: NaiveScorer, seat: Seat
) -> None:
    """Assert that an interrupted round counts as a naive scorer counts it.

    The side of the missing player gets at most what it would get with the player's hand open. The
    other sides get the points of their cards on the table (X25).
    """
    points = position.interrupted_sheet([seat]).totals
    assert points == naive.interrupted(position, [seat])
    hand = dealer.view(position, seat).hand_cards(seat)
    for side in map(Side, range(position.sides)):
        table = position.table_points(side)
        if side == position.side_of(seat):
            assert points[side] <= table + position.hand_points(hand) <= table
        else:
            assert points[side] == table


# Options that change many rules at once.
READINGS = {"red_start": True, "ask_again": True, "must_take": False, "penalties": True}
SUITS = {"short_suits": True, "leave_pile": True, "double_totals": True, "rounds": 2}
HOUSE = {"rounds": 2, "draw": 1, "whole_pile": True, "clean_books": 0, "dirty_books": 2}


@pytest.mark.parametrize(
    ("name", "options", "players", "seeds"),
    [
        ("canasta", {}, GAMES["canasta"].players, range(2)),
        ("canasta", {"two_canastas": True, "target": 2000}, [2], range(5)),
        ("canasta", READINGS | {"target": 1000}, [4], range(3)),
        ("canasta", {"penalties": True, "target": 500}, [4], range(40)),
        ("hand_and_foot", {}, GAMES["hand_and_foot"].players, [1]),
        ("hand_and_foot", HOUSE, [4], range(2)),
        ("kanastic", {}, GAMES["kanastic"].players, [1]),
        ("kanastic", {"target": 500}, GAMES["kanastic"].players, range(8)),
        ("kanastic", {"distinct_suits": False, "rounds": 2}, [4], [3]),
        ("kanastic", SUITS, [4], range(3)),
    ],
)
def test_matches_end_and_both_scorers_agree(
    name: str, options: dict[str, Any], players: Sequence[int], seeds: Sequence[int]
) -> None:
    game = GAMES[name]
    chosen = game.options(**options)
    for number in players:
        for seed in seeds:
            match = play_checked(game, chosen, number, seed, scorer_of(game))
            assert match.over
            assert match.winner in (None, match.totals.index(max(match.totals)))
            if chosen.rounds:
                assert len(match.sheets) == chosen.rounds
            else:
                assert max(match.totals) >= (chosen.match_target or 0)


@pytest.mark.parametrize(
    ("name", "options", "players", "seeds", "closers"),
    [
        ("canastra", {"require_canastra": False}, [2], range(8), {0, 1}),
        ("canastra", {"require_canastra": True}, [2], range(8), {0, 1}),
        ("samba", {"canastas": 0}, [2, 4], range(3), {0, 1, 2, 3, None}),
        ("samba", {"canastas": 2}, [2, 4], range(3), {0, None}),
    ],
)
def test_rounds_end_with_and_without_going_out(
    name: str,
    options: dict[str, Any],
    players: Sequence[int],
    seeds: Sequence[int],
    closers: set[int | None],
) -> None:
    """`closers` are seats that go out in at least one of the rounds; None: nobody goes out."""
    game = GAMES[name]
    chosen = game.options(rounds=1, **options)
    assert closers <= {
        play_checked(game, chosen, number, seed, scorer_of(game)).sheets[0].closer
        for number in players
        for seed in seeds
    }


def test_a_match_that_players_never_finish_is_stopped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = GAMES["canasta"]
    monkeypatch.setattr(simulation, "MOST_MOVES", 20)
    with pytest.raises(EndlessMatch, match="the round is not over after 20 moves"):
        play_checked(game, game.options(), 2, 1, scorer_of(game), reluctantly)
    monkeypatch.undo()
    monkeypatch.setitem(soak.PLAYERS, "eager", reluctantly)
    monkeypatch.setattr(simulation, "MOST_ROUNDS", 2)
    assert soak.main(["--style", "eager", "--players", "2", "--seed", "3"]) == 1
    told = "canasta of 2, with --style eager and seed 3: the match is not over after 2 rounds"
    assert capsys.readouterr().err.startswith(told)
