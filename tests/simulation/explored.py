"""The states of an exploration."""

from tests.simulation.founders import View

Known = tuple[int, int, int]
"""A table that is on the heap: its uid, the steps of its record, and its signers so far."""

State = tuple[tuple[Known, ...], tuple[View, ...]]
"""The heap, in the order of the uids; and what each player has."""


class Violation(AssertionError):
    """A property does not hold; `steps` have led there."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.steps: list[State] = []


def replaced(tables: tuple[Known, ...], known: Known) -> tuple[Known, ...]:
    """Return the heap with that table as it is now."""
    return tuple(known if each[0] == known[0] else each for each in tables)


def with_view(views: tuple[View, ...], player: int, view: View) -> tuple[View, ...]:
    """Return the views of all players with that one of a player."""
    return (*views[:player], view, *views[player + 1 :])


def packed(state: State) -> int:
    """Return the state as one number: the set of those that were seen is large."""
    number = len(state[0])
    for uid, height, by in state[0]:
        number = number << 36 | uid << 12 | height << 6 | by
    for uid, height in state[1]:
        number = number << 30 | uid << 6 | height
    return number
