"""Many records at once, each in a process of its own."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from client.child_processes import on_all_cores
from client.i18n.language import _, number

T = TypeVar("T")


def each_record(
    work: Callable[[Path], T], files: Sequence[Path], on_progress: Callable[[str], None]
) -> list[T]:
    """Return the results of `work`, a function of a module, for each file, in their order.

    `on_progress` is called with a text about the progress. Raises the errors of `on_all_cores`.
    """

    def done(count: int) -> None:
        text = _("{done} of {all} records checked")
        on_progress(text.format(done=number(count), all=number(len(files))))

    return on_all_cores(work, files, on_done=done)
