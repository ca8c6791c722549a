"""A round of any game as a state machine of Hypothesis, with invariants after every move.

A game's own test makes a subclass with its `game` and its second, naive scorer.
"""

import random
from copy import deepcopy
from typing import ClassVar

from attrs import evolve
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from engine.dealer import PlainDealer
from engine.game import Game
from engine.slots import Seat, Shown, Side, Slot
from tests.engine.simulation import NaiveScorer, cards_in, eagerly

SETTINGS = settings(
    max_examples=8,
    stateful_step_count=30,
    phases=[Phase.generate],  # no shrinking: it takes longer than it helps
    suppress_health_check=list(HealthCheck),
)


class RoundMachine(RuleBasedStateMachine):
    """Rounds of `game`, one after the other."""

    game: ClassVar[Game]
    scorer: ClassVar[type[NaiveScorer]]
    totals: ClassVar[tuple[int, ...]] = (-500, 0, 1600, 3500)

    @initialize(seed=st.integers(0, 2**32), players=st.integers(0, 9), flags=st.integers(0, 2**16))
    def deal(self, seed: int, players: int, flags: int) -> None:
        seats = self.game.players[players % len(self.game.players)]
        pairs = [
            (name, bool(flags >> bit & 1))
            for bit, (name, about) in enumerate(self.game.options.describe().items())
            if isinstance(about["default"], bool)
        ]
        rng = random.Random(seed)
        totals = tuple(rng.choice(self.totals) for _ in range(self.game.sides(seats)))
        options = self.game.options.from_pairs(pairs)
        self.dealer = PlainDealer(rng.shuffle)
        self.start = self.game.position.start(options, seats, Seat(rng.randrange(seats)), totals)
        self._deal()

    def _deal(self) -> None:
        self.position = self.dealer.fulfil(self.start)
        self.naive = self.scorer()

    @rule(picks=st.lists(st.integers(0, 9), min_size=1, max_size=15))
    def play(self, picks: list[int]) -> None:
        for pick in picks:
            seat = self.position.to_move
            if seat is None:
                self._deal()
                return
            view = self.dealer.view(self.position, seat)
            legal = view.legal_moves(seat)
            assert legal, "whoever is to move has a legal move"
            eager = eagerly(view, random.Random(0))
            move = eager if pick == 0 else legal[pick * len(legal) // 10]
            before = deepcopy(self.position)
            after = self.position.apply(move)
            assert self.position == before, "apply gives a new position and leaves the old one"
            self.naive.watch(self.position, move)
            self.position = self.dealer.fulfil(after)
            assert cards_in(self.position, self.dealer) == list(self.position.deck)

    @invariant()
    def only_the_seat_to_move_moves(self) -> None:
        for seat in map(Seat, range(self.position.seats)):
            moves = self.dealer.view(self.position, seat).legal_moves(seat)
            assert bool(moves) == (seat == self.position.to_move)

    @invariant()
    def hidden_cards_decide_nothing(self) -> None:
        """Assert that verdicts are the same with other cards in the hands of others (X12)."""
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
        other sides get the points of their table (X25).
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
