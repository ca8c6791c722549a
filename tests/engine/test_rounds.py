"""Rounds of every game, played by a state machine, and whole matches that two scorers count."""

import random
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, ClassVar

import pytest
from attrs import evolve
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from engine.canasta.options import CanastaOptions
from engine.canastra.options import CanastraOptions
from engine.game import Game
from engine.games import GAMES
from engine.moves import DrawStock, LayMelds, Move, TakePile
from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.slots import Seat, Shown, Side, Slot
from tests import soak
from tests.engine import simulation
from tests.engine.simulation import (
    EndlessMatch,
    Player,
    at_random,
    cards_in,
    eagerly,
    play_checked,
    reluctantly,
    states,
)
from tests.soak import scorer_of

SETTINGS = settings(
    max_examples=7,
    stateful_step_count=30,
    phases=[Phase.generate],  # no shrinking: it takes long and helps little
    suppress_health_check=list(HealthCheck),
)
TOTALS = (-500, 0, 1600, 3500, 7000)


class RoundMachine(RuleBasedStateMachine):
    """Rounds of a game, one after the other, with invariants after every move."""

    game: ClassVar[Game]

    @initialize(seed=st.integers(0, 2**32), players=st.integers(0, 9), flags=st.integers(0, 2**16))
    def deal(self, seed: int, players: int, flags: int) -> None:
        seats = self.game.players[players % len(self.game.players)]
        pairs = [
            (name, bool(flags >> bit & 1))
            for bit, (name, about) in enumerate(self.game.options.describe().items())
            if isinstance(about["default"], bool)
        ]
        rng = random.Random(seed)
        totals = tuple(rng.choice(TOTALS) for _ in range(self.game.sides(seats)))
        options = self.game.options.from_pairs(pairs)
        self.dealer = PlainDealer(rng.shuffle)
        self.start = self.game.position.start(options, seats, Seat(rng.randrange(seats)), totals)
        self._deal()

    def _deal(self) -> None:
        self.position = self.dealer.fulfil(self.start)
        self.naive = scorer_of(self.game)()

    @rule(picks=st.lists(st.integers(0, 9), min_size=1, max_size=15))
    def play(self, picks: list[int]) -> None:
        for pick in picks:
            seat = self.position.to_move
            if seat is None:
                self._deal()
                return
            view = self.dealer.view(self.position, seat)
            legal = view.legal_moves(seat)
            assert legal, "the seat to move has no legal move"
            eager = eagerly(view, random.Random(0))
            move = eager if pick == 0 else legal[pick * len(legal) // 10]
            before = deepcopy(self.position)
            after = self.position.apply(move)
            assert self.position == before, "`apply` has changed the old position"
            self.naive.watch(self.position, move)
            self.position = self.dealer.fulfil(after)
            assert cards_in(self.position, self.dealer) == list(self.position.deck)

    @invariant()
    def only_the_seat_to_move_has_legal_moves(self) -> None:
        for seat in map(Seat, range(self.position.seats)):
            moves = self.dealer.view(self.position, seat).legal_moves(seat)
            assert bool(moves) == (seat == self.position.to_move)

    @invariant()
    def hidden_cards_decide_nothing(self) -> None:
        """Assert that no verdict depends on the cards that the mover does not see (X12)."""
        seat = self.position.to_move
        if seat is None:
            return
        view = self.dealer.view(self.position, seat)
        own = dict(view.private)
        others = evolve(view, private=own | self._swapped(seat))
        assert others.legal_moves(seat) == view.legal_moves(seat)
        blind, liar = view.seen(()), view.seen(self._swapped(None).values())
        for move in view.candidates():
            assert view.allows(move) == blind.allows(move) == liar.allows(move)

    @invariant()
    def the_sheet_is_what_a_naive_scorer_counts(self) -> None:
        if self.position.sheet is not None:
            assert self.position.sheet.totals == self.naive.totals(self.position)

    @invariant()
    def silence_never_pays(self) -> None:
        """Compare the points of an interrupted round with those of a naive scorer.

        The side of a missing player gets at most what it would get with the player's hand open. The
        other sides get the points of their cards on the table (X25).
        """
        if self.position.sheet is not None or not self.position.has_hands:
            return
        for seat in map(Seat, range(self.position.seats)):
            points = self.position.interrupted_sheet([seat]).totals
            assert points == self.naive.interrupted(self.position, [seat])
            for side in map(Side, range(self.position.sides)):
                table = self.position.table_points(side)
                if side != self.position.side_of(seat):
                    assert points[side] == table
                    continue
                hand = self.dealer.view(self.position, seat).hand_cards(seat)
                assert points[side] <= table + self.position.hand_points(hand) <= table

    def _swapped(self, spared: Seat | None) -> dict[Slot, Shown]:
        """Return the hidden cards, each in the place of another, without those of seat `spared`."""
        hidden = [
            slot
            for seat, hand in enumerate(self.position.hands)
            for slot in hand
            if seat != spared and slot not in self.position.known
        ]
        hidden += self.position.stock
        turned = hidden[1:] + hidden[:1]
        cards = [self.dealer.cards[other].card for other in turned]
        return dict(zip(hidden, map(Shown, hidden, cards), strict=True))


@pytest.mark.parametrize("name", GAMES)
def test_the_invariants_of_rounds_hold(name: str) -> None:
    machine = type("Rounds", (RoundMachine,), {"game": GAMES[name]})
    run_state_machine_as_test(machine, settings=SETTINGS)


READINGS = {"red_start": True, "ask_again": True, "must_take": False, "penalties": True}
SUITS = {"short_suits": True, "leave_pile": True, "double_totals": True, "rounds": 2}
HOUSE = {"rounds": 2, "draw": 1, "whole_pile": True, "clean_books": 0, "dirty_books": 2}


@pytest.mark.parametrize(
    ("name", "options", "players", "seeds"),
    [
        ("canasta", {}, GAMES["canasta"].players, range(3)),
        ("canasta", {"two_canastas": True, "target": 2000}, [2], range(5)),
        ("canasta", READINGS | {"target": 1000}, [4], range(3)),
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
    game = GAMES[name]
    chosen = game.options(rounds=1, **options)
    assert closers <= {
        play_checked(game, chosen, number, seed, scorer_of(game)).sheets[0].closer
        for number in players
        for seed in seeds
    }


def test_of_sixty_short_matches_some_have_one_round_and_others_more() -> None:
    game = GAMES["canasta"]
    options = CanastaOptions(target=500, penalties=True)
    rounds = [len(play_checked(game, options, 4, n, scorer_of(game)).sheets) for n in range(60)]
    assert min(rounds) == 1
    assert max(rounds) > 1


@pytest.mark.parametrize(
    ("bounds", "told"),
    [
        ({"most_rounds": 2}, "the match is not over after 2 rounds"),
        ({"most_moves": 20}, "the round is not over after 20 moves"),
    ],
)
def test_a_match_that_players_never_finish_is_stopped(bounds: dict[str, int], told: str) -> None:
    game = GAMES["canasta"]
    with pytest.raises(EndlessMatch, match=told):
        play_checked(game, game.options(), 2, 1, scorer_of(game), reluctantly, **bounds)


def test_the_soak_reports_a_match_that_does_not_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(soak.PLAYERS, "eager", reluctantly)
    monkeypatch.setattr(simulation, "MOST_ROUNDS", 2)
    assert soak.main(["--style", "eager", "--players", "2", "--seed", "3"]) == 1
    told = "canasta of 2, with --style eager and seed 3: the match is not over after 2 rounds"
    assert capsys.readouterr().err.startswith(told)


STRICT: dict[str, dict[str, Any]] = {
    "canastra": {"require_canastra": True},
    "samba": {"canastas": 5, "draw": 3},
}


@pytest.mark.parametrize("player", [at_random, eagerly])
def test_players_always_have_a_legal_move_with_strict_options(player: Player) -> None:
    for name, seeds in {"canastra": range(3), "samba": [1]}.items():
        game, moves = GAMES[name], Counter[type]()
        options = game.options(rounds=1, **STRICT[name])
        for players in game.players:
            for seed in seeds:
                steps = list(states(game, options, players, seed, player))
                moves.update(type(move) for _, move, _ in steps)
                assert steps[-1][0].over
        assert moves[LayMelds] > 20
        assert moves[TakePile] > 5


def test_b55_too_many_idle_turns_end_the_round() -> None:
    def hoarding(view: Position, _rng: random.Random) -> Move:
        wanted = (move for move in (TakePile(), DrawStock()) if view.allows(move))
        return next(wanted, None) or list(view.candidates())[-1]

    game = GAMES["canastra"]
    *_, (match, _, _) = states(game, CanastraOptions(idle_turns=10), 2, 1, hoarding)
    assert match.over
    assert match.sheets[0].closer is None
