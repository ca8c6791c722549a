"""Many records at once, each in a process of its own."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from client.i18n.language import _, number
from client.record_files import RecordError

_T = TypeVar("_T")


def on_all_cores(
    work: Callable[[Path], _T], files: Sequence[Path], progress: Callable[[str], None]
) -> list[_T]:
    """What `work`, a function of a module, makes of each file, in the order of the files.

    Raises RecordError when a process dies.
    """
    if not files:
        return []
    # Spawned processes are the same on all systems, and share nothing by accident.
    workers = min(len(files), os.cpu_count() or 1)
    results: dict[int, _T] = {}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        places = {pool.submit(work, file): place for place, file in enumerate(files)}
        try:
            for done, future in enumerate(as_completed(places), start=1):
                results[places[future]] = future.result()
                told = _("{done} of {all} records checked")
                progress(told.format(done=number(done), all=number(len(files))))
        except BrokenProcessPool as error:
            raise RecordError("A process of the audit has died; try fewer files.") from error
        finally:
            pool.shutdown(cancel_futures=True)
    return [results[place] for place in range(len(files))]
