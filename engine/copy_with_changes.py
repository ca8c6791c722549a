"""Values of which most fields stay as they are from one to the next."""

from typing import Any, Self


class CopyWithChanges:
    """For frozen attrs classes with `slots=False`: copies that differ in a few fields.

    `attrs.evolve` does the same by the class's constructor, field by field; a position has some
    twenty fields, and every move makes several.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "__slots__" in cls.__dict__:
            raise TypeError(f"{cls.__name__} must be an attrs class with slots=False.")

    def changed(self, **changes: Any) -> Self:
        """This value with other values in these fields. No field is converted or validated."""
        new = object.__new__(type(self))
        object.__setattr__(new, "__dict__", self.__dict__ | changes)  # the class is frozen
        return new
