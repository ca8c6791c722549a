"""A sitting of a lesson: from the step at which the learner last left, until they leave again.

That step is kept in a bookmark: a small file in the data folder, one for each game.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path

import trio

from client.bots.runner import PACES
from client.lessons.lesson import Lesson
from client.lessons.seat import LessonSeat
from client.session.solo import opponents_for
from client.settings import Settings
from p2p.storage.private_files import FolderError, make_private, read_own, replace_private

_MOST_BYTES = 16  # maximum size of a bookmark

ShowLesson = Callable[[LessonSeat], Awaitable[object]]
"""Function that shows a lesson from the learner's seat, until the learner leaves."""


async def attend(
    lesson: Lesson, settings: Settings, folder: Path, show: ShowLesson, *, again: bool = False
) -> bool:
    """Give a lesson, and return True if the learner has come to its end.

    The lesson goes on at its bookmark, or begins anew if `again` is True. Raises FolderError and
    OSError if the bookmark cannot be written.
    """
    game = lesson.game.name
    done = 0 if again else steps_done(folder, game)
    last = len(lesson.steps) - 1
    others = opponents_for(settings.name, lesson.position.seats)
    names = (settings.name, *others)
    seat = LessonSeat.sit(lesson, names, done if done < last else 0, PACES[settings.pace])
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(seat.run)
            await show(seat)
            nursery.cancel_scope.cancel()
    finally:
        # A finished lesson begins anew next time: after all 9 steps of a lesson, 0 are kept.
        keep_steps(folder, game, seat.steps_done % last)
    return seat.steps_done == last


# -- bookmarks


def steps_done(folder: Path, game: str) -> int:
    """Return the number of steps done in a lesson; 0 if there is no usable bookmark."""
    try:
        text = read_own(folder / "lessons" / game, _MOST_BYTES).decode("ascii", "replace").strip()
    except (OSError, FolderError):
        return 0
    return int(text) if text.isdecimal() else 0


def keep_steps(folder: Path, game: str, steps: int) -> None:
    """Write the number of steps done in a lesson. Raises FolderError and OSError."""
    replace_private(make_private(folder / "lessons") / game, f"{steps}\n".encode())
