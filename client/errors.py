"""Requests of a person that cannot be met, wherever in the client that is found out."""

from protocol.errors import LocalError


class BadRequest(LocalError):
    """A person asks for what cannot be done."""


def check_number(name: str, asked: int, low: int, high: int) -> None:
    """Raises BadRequest for less than `low` or more than `high`; `name` is the option as typed."""
    if not low <= asked <= high:
        raise BadRequest("{name} is a number from {low} to {high}.", name=name, low=low, high=high)
