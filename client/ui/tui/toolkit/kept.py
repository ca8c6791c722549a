"""What is made anew only when what it is made of has changed."""

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import define, field

T = TypeVar("T")


@define
class Kept:
    """Keeps, for each part of a screen, what was made of it last."""

    _made: dict[str, tuple[object, Any]] = field(factory=dict)

    def part(self, name: str, shown: object, make: Callable[[], T]) -> T:
        """What `make` made when the part showed something equal, or what it makes now."""
        before = self._made.get(name)
        if before is None or before[0] != shown:
            before = self._made[name] = shown, make()
        made: T = before[1]
        return made
