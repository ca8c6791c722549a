"""Requests of a person that cannot be met."""

from protocol.errors import LocalError


class BadRequest(LocalError):
    """A request for something that cannot be done."""


def check_number(name: str, asked: int, low: int, high: int) -> None:
    """Raise BadRequest for less than `low` or more than `high`; `name` is the option as typed."""
    if not low <= asked <= high:
        raise BadRequest("{name} is a number from {low} to {high}.", name=name, low=low, high=high)
