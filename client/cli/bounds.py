"""Numbers that a person asks for, within their bounds."""

from client.cli.errors import BadRequest
from client.i18n.language import _, number


def check_number(name: str, asked: int, low: int, high: int) -> None:
    """Raises BadRequest for less than `low` or more than `high`; `name` is the option as typed."""
    if not low <= asked <= high:
        raise BadRequest(
            _("{name} is a number from {low} to {high}.").format(
                name=name, low=number(low), high=number(high)
            )
        )
