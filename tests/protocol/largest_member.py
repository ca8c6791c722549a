"""The member of a charter who takes the most bytes."""

from protocol.charter import Member
from protocol.names import MAX_WIDTH
from protocol.signatures import KEY_BYTES


def largest_member() -> Member:
    """Return a member with the longest name: letters of four bytes with three marks each."""
    letters = MAX_WIDTH * "\U00010400\u0316\u0317\u0318"
    return Member(b"\1" * KEY_BYTES, letters, bytes(32))
