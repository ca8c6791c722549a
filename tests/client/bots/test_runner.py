"""An opponent in a seat: the times when it moves, and when it stops."""

import random
from functools import partial
from itertools import chain, pairwise, repeat
from typing import Any, cast

import pytest
import trio
from attrs import define, evolve, field
from trio.testing import MockClock, wait_all_tasks_blocked

from client.bots.eager import choose_overlooking as choose
from client.bots.runner import before_draws, sit_in
from engine.moves import Move
from engine.position import Position
from engine.turn import Step
from p2p.background_task import beside
from p2p.match.match_node import MatchNode
from tests.client.plain_seat import PlainSeat
from tests.engine.positions import table_of


def seat_of(game: str) -> PlainSeat:
    return PlainSeat.sit(game, 2, partial(choose, rng=random.Random(2)), seed=5, rounds=1)


@define
class Chooser:
    """A chooser that notes when it was asked, and at which step."""

    rng: random.Random = field(factory=lambda: random.Random(3))
    asked: list[tuple[float, Step]] = field(factory=list)
    clock: MockClock | None = None

    def __call__(self, view: Position) -> Move:
        assert self.clock is not None
        self.asked.append((self.clock.current_time(), view.turn.step))
        return choose(view, self.rng)


async def test_bot_thinks_before_each_turn_without_blocking_the_loop(
    autojump_clock: MockClock,
) -> None:
    seat = seat_of("canastra")
    chooser = Chooser(clock=autojump_clock)
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await trio.sleep(1)
            ticks += 1

    async with (
        beside(tick),
        beside(partial(sit_in, cast(MatchNode, cast(Any, seat)), chooser, before_draws(10))),
    ):
        await wait_all_tasks_blocked()
        seat.run()
        while len(chooser.asked) < 10:
            await trio.sleep(1)
    draws = [moment for moment, step in chooser.asked if step is Step.DRAW]
    assert len(draws) >= 3
    assert all(later - one >= 10 for one, later in pairwise(draws))
    assert ticks >= 30


@pytest.mark.parametrize("paused", [False, True], ids=["table has gone on", "table is paused"])
async def test_bot_drops_its_move_when_the_table_has_changed(
    autojump_clock: MockClock, paused: bool
) -> None:
    """While a bot thinks, the table may pause, or the others may go on without somebody."""
    seat = seat_of("canastra")
    seat.run()
    made: list[Move] = []
    waits = chain([True], repeat(False))

    async def play(move: Move) -> None:
        await trio.lowlevel.checkpoint()
        made.append(move)

    @define
    class Watched:
        """The seat, with a note of every move played on it."""

        seat: PlainSeat

        def __getattr__(self, name: str) -> Any:
            if name == "chooses" and paused:
                return next(waits)
            return play if name == "play" else getattr(self.seat, name)

    async def gone_on(_view: Position) -> None:
        await trio.lowlevel.checkpoint()
        if not paused:
            seat.step(partial(choose, rng=random.Random(1)))

    watched = cast(MatchNode, cast(Any, Watched(seat)))
    async with beside(partial(sit_in, watched, Chooser(clock=autojump_clock), gone_on)):
        await trio.sleep(5)
    assert made == []


async def test_a_bot_pauses_only_before_it_takes_its_turn(autojump_clock: MockClock) -> None:
    view = table_of("canasta").position
    for step in Step:
        begun = trio.current_time()
        await before_draws(10)(evolve(view, turn=evolve(view.turn, step=step)))
        paused = trio.current_time() - begun
        assert paused == (10 if step in (Step.OPEN, Step.DRAW) else 0), step
