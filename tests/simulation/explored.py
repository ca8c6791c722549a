"""State of an exploration, and the rules by which it goes on."""

from collections.abc import Sequence
from functools import cache

from protocol import agreement, evidence
from protocol.agreement import Branch, Offer
from protocol.continues import Continues
from protocol.entries import Body
from protocol.errors import Refused
from tests.simulation.abstract_match import Table

Known = tuple[int, int, int]
"""A table that is on the heap: its uid, the height of its record, and its signers so far."""

View = tuple[int, int]
"""The knowledge of a node: the uid of the newest table it knows, and its record's height there."""

State = tuple[tuple[Known, ...], tuple[View, ...]]
"""The heap, in the order of the uids; and what each player has."""


class Violation(AssertionError):
    """A property does not hold; `steps` have led there."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.steps: list[State] = []


class Rules:
    """The shipped rules.

    With `wide`, proposals for any place of any table are tried. With `forgets`, a player who takes
    a step may have forgotten all, and does not ask.
    """

    wide = False
    forgets = False

    def founders_needed(self, founders: int) -> int:
        """Return how many of the founders sign a continuation at least."""
        return founders // 2 + 1

    def may_write(self, branches: Sequence[Branch], signed: int, table_id: bytes) -> bool:
        """Return True if a node may write there."""
        return agreement.may_write(branches, signed, table_id)

    def may_sign(self, branches: Sequence[Branch], signed: int, offer: Offer) -> bool:
        """Return True if a node may sign the offer."""
        try:
            agreement.check_may_sign(branches, signed, offer)
        except Refused:
            return False
        return True

    def entry_exposes(self, continues: Continues, body: Body, attempt: int) -> str | None:
        """Return the cause for which an entry and a statement expose, if they do."""
        found = evidence.contradiction(continues, (), body, attempt)
        return None if found is None else found[0]

    def two_expose(self, one: Continues, other: Continues) -> bool:
        """Return True if two different statements expose."""
        return evidence.same_number(one, other)


@cache
def continues_of(table: Table) -> Continues:
    """Return what the charter of a table says of the one that it continues."""
    parent = table.parent
    assert parent is not None, "the first table continues none"
    results: tuple[tuple[int, ...], ...] = table.before  # type: ignore[assignment]
    place = parent.place(table.height)
    return Continues(b"match", place, parent.attempt, table.attempt, (), results, False)


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
