"""A list of rounds on disk, because a match may have more rounds than fit in memory."""

from __future__ import annotations

import pickle
import weakref
import zlib
from array import array
from collections.abc import Iterator, Sequence
from tempfile import SpooledTemporaryFile
from typing import overload

from client.reports.model import RoundReport

IN_MEMORY = 1 << 18
"""The maximum number of bytes in memory: about fifty compressed rounds.

If the rounds take more, all of them go to a file on disk.
"""


class KeptRounds(Sequence[RoundReport]):
    """A sequence that only grows. A round is unpickled anew on each access."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile[bytes](max_size=IN_MEMORY)
        self._ends = array("Q", [0])
        # Closing the file deletes it. Without this finalizer, Python warns of an unclosed file.
        weakref.finalize(self, self._file.close)

    def append(self, one: RoundReport) -> None:
        self._file.seek(self._ends[-1])
        self._file.write(zlib.compress(pickle.dumps(one), 1))
        self._ends.append(self._file.tell())

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __iter__(self) -> Iterator[RoundReport]:
        return map(self._read, range(len(self)))

    @overload
    def __getitem__(self, place: int) -> RoundReport: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[RoundReport]: ...

    def __getitem__(self, place: int | slice) -> RoundReport | Sequence[RoundReport]:
        numbers = range(len(self))[place]
        return self._read(numbers) if isinstance(numbers, int) else [*map(self._read, numbers)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(self) != len(other):
            return False
        return all(ours == theirs for ours, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> tuple[bytes, array[int]]:
        """Return the whole contents, for another process."""
        self._file.seek(0)
        return self._file.read(), self._ends

    def __setstate__(self, state: tuple[bytes, array[int]]) -> None:
        self.__init__()  # type: ignore[misc]
        data, self._ends = state
        self._file.write(data)

    def _read(self, number: int) -> RoundReport:
        begin, end = self._ends[number : number + 2]
        self._file.seek(begin)
        one: RoundReport = pickle.loads(zlib.decompress(self._file.read(end - begin)))
        return one
