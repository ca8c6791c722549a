"""A cache keyed by the identity of an argument.

Melds and tables suit it: they stay the same objects while many moves are tried.
"""

from collections.abc import Callable
from typing import Concatenate, Generic, ParamSpec, TypeVar

from attrs import define, field

_Thing = TypeVar("_Thing")
_More = ParamSpec("_More")
_Result = TypeVar("_Result")

_MOST = 4096


@define
class IdentityCache(Generic[_Thing, _More, _Result]):
    """A cache in front of `work_out`, keyed by the identity of the first argument.

    A look-up by identity is faster than one by value. The identity is a safe key because the cache
    keeps the first argument alive, so that no other object can get the same `id`. Further arguments
    are compared by value.
    """

    work_out: Callable[Concatenate[_Thing, _More], _Result]
    _kept: dict[tuple[object, ...], tuple[_Thing, _Result]] = field(factory=dict, init=False)

    def __call__(self, thing: _Thing, *more: _More.args, **named: _More.kwargs) -> _Result:
        key = (id(thing), *more, *named.items())
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= _MOST:
                self._kept.clear()
            found = self._kept[key] = thing, self.work_out(thing, *more, **named)
        return found[1]
