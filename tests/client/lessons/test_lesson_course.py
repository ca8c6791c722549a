"""The course of a lesson: its notes, the changes that a display gets, and its pauses."""

from contextlib import suppress

import pytest
import trio
from attrs import evolve
from trio.testing import MockClock, wait_all_tasks_blocked

from client.lessons.lesson import Lesson, read_lesson, taught
from client.lessons.seat import LessonSeat
from engine.moves import DrawStock
from engine.turn import Step
from protocol.entries import MoveContent
from protocol.errors import Refused
from protocol.place import Place
from protocol.table.tasks import Change

LESSONS = taught()
NAMES = ("Olga", "Ana", "Bruno", "Carla")
PAUSE = 5.0


@pytest.fixture(params=LESSONS, ids=lambda game: game.name)
def lesson(request: pytest.FixtureRequest) -> Lesson:
    return read_lesson(request.param)


def seat_of(lesson: Lesson, steps: int = 0) -> LessonSeat:
    return LessonSeat.sit(lesson, NAMES[: lesson.position.seats], steps, pause=PAUSE)


async def play_step(seat: LessonSeat) -> None:
    """Make the move that the lesson asks for, and wait until it is the learner's turn again."""
    before = seat.note
    assert before.move is not None
    await seat.play(before.move)
    if not seat.chooses and not seat.state.match.round_over:
        assert seat.note == evolve(before, move=None), "while others move, nothing is asked for"
    await wait_all_tasks_blocked()
    while not (seat.chooses or seat.state.match.round_over):
        with pytest.raises(Refused, match="It is not your turn"):
            await seat.play(DrawStock())
        await trio.sleep(PAUSE)
        await wait_all_tasks_blocked()


async def test_a_lesson_goes_on_from_move_to_move_with_pauses(
    lesson: Lesson, autojump_clock: MockClock
) -> None:
    """A pause comes only when another seat draws.

    Each change begins at the state in which the one before it ended.
    """
    seat = seat_of(lesson)
    start, begun = seat.state, trio.current_time()
    watcher, notes = seat.changes(), [seat.note]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat.run)
        while seat.note.number < len(lesson.steps):
            await play_step(seat)
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
    assert trio.current_time() - begun == PAUSE * len(others)


async def test_a_lesson_that_is_taken_up_again_has_its_earlier_changes(
    lesson: Lesson, autojump_clock: MockClock
) -> None:
    seat = seat_of(lesson)
    watcher, begun = seat.changes(), list(seat.past)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat.run)
        await wait_all_tasks_blocked()
        for steps in range(1, 5):
            await play_step(seat)
            begun += received(watcher)
            again = seat_of(lesson, steps)
            assert (again.past, again.note, again.state) == (tuple(begun), seat.note, seat.state)
        nursery.cancel_scope.cancel()


def received(watcher: object) -> list[Change]:
    """Return the changes that are waiting for a display."""
    assert isinstance(watcher, trio.MemoryReceiveChannel)
    changes = []
    with suppress(trio.WouldBlock):
        while True:
            changes.append(watcher.receive_nowait())
    return changes
