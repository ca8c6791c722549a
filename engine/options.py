"""Table options: the house rules that players agree on before they sit down.

Each game has one frozen class of options. A field's metadata carry the clause and a sentence; its
type is bool or int, and an int has bounds. Options travel in the charter as name and value.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Self

from attrs import Attribute, field, fields, frozen

from engine.errors import InvalidOption
from engine.sentences import N_, Marked


def flag(default: bool, *, clause: str, doc: Marked) -> Any:
    """A yes-or-no option."""
    return field(default=default, metadata={"clause": clause, "doc": doc}, validator=_check)


def number(default: int, low: int, high: int, *, clause: str, doc: Marked) -> Any:
    """A whole number from `low` to `high`."""
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
    """Options that all games have."""

    rounds: int = number(
        0, 0, 1000, clause="X20", doc=N_("Rounds to play; 0: until a side reaches the target.")
    )
    void_interrupted: bool = flag(
        False,
        clause="X25",
        doc=N_("A round that is interrupted is dealt again, and does not count as it lies."),
    )

    @property
    def match_target(self) -> int | None:
        """Match points that end the match; None where only the number of rounds does."""
        return None

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, bool | int]]) -> Self:
        """Options from names and values; what is not named has its default.

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
        """All options with their values, in the order of their definition."""
        return tuple((a.name, getattr(self, a.name)) for a in fields(type(self)))

    def changes(self) -> tuple[tuple[str, bool | int], ...]:
        """The options that are not as in the rules with their values, in the order of names: an
        option that comes to a game later changes nothing in it.
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
        """For each option its default, clause, sentence and, for a number, low and high."""
        return {a.name: {"default": a.default, **a.metadata} for a in fields(cls)}
