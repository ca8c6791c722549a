"""A cache for the parts of a screen."""

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import define, field

T = TypeVar("T")


@define
class PartCache:
    """A cache with one entry for each part of a screen."""

    _made: dict[str, tuple[object, Any]] = field(factory=dict)

    def part(self, name: str, shown: object, make: Callable[[], T]) -> T:
        """Return the part, made by `make` only if it shows something else than last time."""
        before = self._made.get(name)
        if before is None or before[0] != shown:
            before = self._made[name] = shown, make()
        made: T = before[1]
        return made
