"""Fast copies of frozen objects, with new values in a few fields."""

from typing import Any, Self


class CopyWithChanges:
    """Base of frozen attrs classes with `slots=False` that are often copied with a few changes.

    `attrs.evolve` is slower, because it calls the class's constructor with every field. A position
    has some twenty fields, and every move makes several positions.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        # With slots=True attrs makes the class a second time, and only then it has `__slots__`.
        # Such objects have no `__dict__`, so `changed` would fail at the first copy.
        if "__slots__" in cls.__dict__:
            raise TypeError(f"{cls.__name__} must be an attrs class with slots=False.")

    def changed(self, **changes: Any) -> Self:
        """Return a copy with new values in the given fields; nothing is converted or validated."""
        new = object.__new__(type(self))
        object.__setattr__(new, "__dict__", self.__dict__ | changes)  # the class is frozen
        return new
