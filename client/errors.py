"""Requests of a person that cannot be met, wherever in the client that is found out."""

from client.i18n.language import _, number


class BadRequest(Exception):
    """A person asks for what cannot be done; the message is a sentence for them."""


def check_number(name: str, asked: int, low: int, high: int) -> None:
    """Raises BadRequest for less than `low` or more than `high`; `name` is the option as typed."""
    if not low <= asked <= high:
        raise BadRequest(
            _("{name} is a number from {low} to {high}.").format(
                name=name, low=number(low), high=number(high)
            )
        )
