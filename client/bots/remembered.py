"""Remembers what was worked out about values that stay the same while many moves are tried."""

from collections.abc import Callable
from typing import Generic, TypeVar

from attrs import define, field

_Thing = TypeVar("_Thing")
_Result = TypeVar("_Result")

_MOST = 4096


@define
class Remembered(Generic[_Thing, _Result]):
    """The results of `work_out`, by the identity of what it was asked about: that is found sooner
    than an equal value, and lasts while the value is kept here.
    """

    work_out: Callable[[_Thing], _Result]
    _kept: dict[int, tuple[_Thing, _Result]] = field(factory=dict, init=False)

    def __call__(self, thing: _Thing) -> _Result:
        found = self._kept.get(id(thing))
        if found is None:
            if len(self._kept) >= _MOST:
                self._kept.clear()
            found = self._kept[id(thing)] = thing, self.work_out(thing)
        return found[1]
