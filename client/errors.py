"""Requests of a person that cannot be met."""

from protocol.errors import LocalError


class BadRequest(LocalError):
    """A person's request for something that cannot be done."""
