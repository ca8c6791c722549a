"""The course of a lesson: its notes, the changes that a display gets, and its pauses."""

from contextlib import suppress

import pytest
import trio
import trio.testing
from attrs import evolve

from client.lessons.lesson import read_lesson, taught
from client.lessons.seat import LessonSeat
from engine.game import Game
from engine.moves import DrawStock
from engine.turn import Step
from protocol.entries import MoveContent
from protocol.errors import Refused
from protocol.place import Place
from protocol.table.tasks import Change

LESSONS = taught()
NAMES = ("Olga", "Ana", "Bruno", "Carla")


@pytest.mark.parametrize("game", LESSONS, ids=lambda game: game.name)
async def test_a_lesson_goes_on_at_its_pace_from_state_to_state(
    game: Game, autojump_clock: trio.testing.MockClock
) -> None:
    """A pause comes only when another seat draws. Each change begins where the last one ended."""
    lesson = read_lesson(game)
    seat = LessonSeat.sit(lesson, NAMES[: lesson.position.seats], 0, pause=5.0)
    start, begun = seat.state, trio.current_time()
    watcher, notes = seat.changes(), [seat.note]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat.run)
        while seat.note.number < len(lesson.steps):
            assert seat.note.move is not None
            await seat.play(seat.note.move)
            if not seat.chooses and not seat.state.match.round_over:
                assert seat.note == evolve(notes[-1], move=None)
            await trio.testing.wait_all_tasks_blocked()
            while not (seat.chooses or seat.state.match.round_over):
                with pytest.raises(Refused, match="It is not your turn"):
                    await seat.play(DrawStock())
                await trio.sleep(5.0)
                await trio.testing.wait_all_tasks_blocked()
            notes.append(seat.note)
    assert [(note.number, note.steps, note.clause) for note in notes] == [
        (number, len(lesson.steps), step.clause) for number, step in enumerate(lesson.steps, 1)
    ]
    with pytest.raises(Refused, match="It is not your turn"):
        await seat.play(DrawStock())
    changes = received(watcher)
    assert start.writers == (0,)
    assert [change.before for change in changes] == [start, *(c.after for c in changes[:-1])]
    made = [c for c in changes if c.after.last and isinstance(c.after.last.content, MoveContent)]
    assert len(made) == len(lesson.moves)
    for change in changes:
        before, last = change.before, change.after.last
        assert last is not None
        assert last.place == Place(before.table_id, before.height + 1, before.head)
        assert change.after.height == last.place.height
        mover = change.after.match.mover
        assert change.after.writers == (() if mover is None else (mover,))
        assert last.writer == (before.match.mover or 0)
    turns = [(c.before.match.round, c.before.match.mover) for c in made]
    others = [one for one, mover in turns if mover and one and one.turn.step is Step.DRAW]
    assert trio.current_time() - begun == 5.0 * len(others)


@pytest.mark.parametrize("game", LESSONS, ids=lambda game: game.name)
async def test_a_lesson_that_is_taken_up_again_has_its_earlier_changes(
    game: Game, autojump_clock: trio.testing.MockClock
) -> None:
    lesson = read_lesson(game)
    names = NAMES[: lesson.position.seats]
    seat = LessonSeat.sit(lesson, names, 0, pause=1.0)
    watcher, begun = seat.changes(), list(seat.past)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat.run)
        for steps in range(1, 5):
            while not seat.chooses:
                await trio.sleep(1.0)
                await trio.testing.wait_all_tasks_blocked()
            assert seat.note.move is not None
            await seat.play(seat.note.move)
            await trio.testing.wait_all_tasks_blocked()
            while not seat.chooses:
                await trio.sleep(1.0)
                await trio.testing.wait_all_tasks_blocked()
            begun += received(watcher)
            again = LessonSeat.sit(lesson, names, steps, pause=1.0)
            assert again.past == tuple(begun)
            assert again.note == seat.note
            assert again.state == seat.state
        nursery.cancel_scope.cancel()


def received(watcher: object) -> list[Change]:
    """Return the changes that are waiting for a display."""
    assert isinstance(watcher, trio.MemoryReceiveChannel)
    changes = []
    with suppress(trio.WouldBlock):
        while True:
            changes.append(watcher.receive_nowait())
    return changes
