"""Table options: the house rules that players agree on before they sit down.

Each game has one frozen class of options. An option is a bool, or an int with bounds; the metadata
of its field have a clause and a sentence. The charter has options as pairs of name and value.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Self

from attrs import Attribute, field, fields, frozen

from engine.errors import InvalidOption
from engine.sentences import N_, Marked


def flag(default: bool, *, clause: str, doc: Marked) -> Any:
    """Return a field for a yes-or-no option."""
    return field(default=default, metadata={"clause": clause, "doc": doc}, validator=_check)


def number(default: int, low: int, high: int, *, clause: str, doc: Marked) -> Any:
    """Return a field for a whole number from `low` to `high`."""
    metadata = {"clause": clause, "doc": doc, "low": low, "high": high}
    return field(default=default, metadata=metadata, validator=_check)


def _check(_: Any, attribute: "Attribute[Any]", value: object) -> None:
    if isinstance(attribute.default, bool):
        if not isinstance(value, bool):
            raise InvalidOption(
                "Option {option} is yes or no, not {value}.",
                option=attribute.name,
                value=repr(value),
            )
        return
    low, high = attribute.metadata["low"], attribute.metadata["high"]
    # In Python True is also the int 1, so `rounds=True` would pass the test of bounds below.
    if isinstance(value, bool):
        raise InvalidOption(
            "Option {option} is a whole number from {low} to {high}, not yes or no.",
            option=attribute.name,
            low=low,
            high=high,
        )
    if not isinstance(value, int) or not low <= value <= high:
        raise InvalidOption(
            "Option {option} is a whole number from {low} to {high}, not {value}.",
            option=attribute.name,
            low=low,
            high=high,
            value=repr(value),
        )


@frozen(kw_only=True)
class Options:
    """Options that all games have.

    >>> Options(rounds=3).changes()
    (('rounds', 3),)
    """

    rounds: int = number(
        0, 0, 1000, clause="X20", doc=N_("Rounds to play; 0: until a side reaches the target.")
    )
    void_interrupted: bool = flag(
        False,
        clause="X25",
        doc=N_("A round that is interrupted is dealt again; its cards are not counted."),
    )

    @property
    def match_target(self) -> int | None:
        """Match points that end the match, the option `target`; None in a game without it."""
        target: int | None = getattr(self, "target", None)
        return target

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, bool | int]]) -> Self:
        """Return options from names and values; an option that is not named has its default.

        Raises InvalidOption for a name that does not exist, one named twice, or a bad value.
        """
        given: dict[str, Any] = {}
        names = [attribute.name for attribute in fields(cls)]
        for name, value in pairs:
            if name not in names:
                raise InvalidOption(
                    "There is no option {name!r}; there are {names}.",
                    name=name,
                    names=", ".join(names),
                )
            if name in given:
                raise InvalidOption("Option {name} is given twice.", name=name)
            given[name] = value
        return cls(**given)

    def pairs(self) -> tuple[tuple[str, bool | int], ...]:
        """Return all options with their values, in the order of their definition."""
        return tuple((a.name, getattr(self, a.name)) for a in fields(type(self)))

    def changes(self) -> tuple[tuple[str, bool | int], ...]:
        """Return the options that differ from their defaults, with their values, sorted by name.

        The charter holds only these, so an option added to a game later changes no older charter.
        """
        return tuple(
            sorted(
                (a.name, getattr(self, a.name))
                for a in fields(type(self))
                if getattr(self, a.name) != a.default
            )
        )

    @classmethod
    def describe(cls) -> Mapping[str, Mapping[str, Any]]:
        """Return for each option its default, clause and sentence, and the bounds of a number."""
        return {a.name: {"default": a.default, **a.metadata} for a in fields(cls)}
