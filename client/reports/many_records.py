"""Many records at once, each in a process of its own."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from client.child_processes import on_all_cores
from client.i18n.language import _, number

T = TypeVar("T")


def each_record(
    work: Callable[[Path], T], files: Sequence[Path], progress: Callable[[str], None]
) -> list[T]:
    """What `work`, a function of a module, makes of each file, in the order of the files;
    `progress` is told how far it is. Raises as `on_all_cores`.
    """

    def done(count: int) -> None:
        told = _("{done} of {all} records checked")
        progress(told.format(done=number(count), all=number(len(files))))

    return on_all_cores(work, files, done=done)
