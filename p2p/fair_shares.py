"""Shares in few places that anybody can ask for: keys cost nothing, so they go by address."""

from collections import Counter
from collections.abc import Sequence


def who_makes_room(here: Sequence[str], newcomer: str) -> int | None:
    """Whose place somebody takes who comes from the address `newcomer`: the index of the last of
    those who are `here` from the address that has most places, if it has at least two more than
    that of the newcomer. None: nobody's.
    """
    have = Counter(here)
    most = max(have, key=have.__getitem__, default=newcomer)
    if have[most] < have[newcomer] + 2:
        return None
    return len(here) - 1 - tuple(reversed(here)).index(most)
