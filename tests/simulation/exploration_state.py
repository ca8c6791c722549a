"""The states of an exploration, and functions on them."""

from tests.simulation.founders import View

Known = tuple[int, int, int]
"""A table on the heap: its uid, the steps of its record, and its signers so far."""

State = tuple[tuple[Known, ...], tuple[View, ...]]
"""The heap, ordered by uid, and the view of each player."""


class Violation(AssertionError):
    """The error that a property does not hold after `steps`."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.steps: list[State] = []


def replaced(tables: tuple[Known, ...], known: Known) -> tuple[Known, ...]:
    """Return the heap, in which `known` replaces the older form of the same table."""
    return tuple(known if each[0] == known[0] else each for each in tables)


def with_view(views: tuple[View, ...], player: int, view: View) -> tuple[View, ...]:
    """Return the views of all players, with one player's view replaced."""
    return (*views[:player], view, *views[player + 1 :])


def packed(state: State) -> int:
    """Return the state as one number, to save memory in the large set of seen states."""
    number = len(state[0])
    for uid, height, by in state[0]:
        number = number << 36 | uid << 12 | height << 6 | by
    for uid, height in state[1]:
        number = number << 30 | uid << 6 | height
    return number
