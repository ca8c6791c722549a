"""Each rule for continuations is needed: without it an exploration finds an error.

Longer runs: `python -m tests.simulation.exploration`.
"""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from protocol.agreement import Branch, Offer, newest
from protocol.continues import Continues
from protocol.entries import Body, CloseContent
from tests.simulation.exploration import Exploration
from tests.simulation.explored import Rules, Violation


@pytest.mark.parametrize(
    ("options", "states"),
    [
        ({"players": 3, "continuations": 1}, 373),
        ({"players": 3, "continuations": 1, "cheats": {0, 1}, "beyond": True}, 569),
        ({"players": 3, "continuations": 1, "cheats": {0, 2}, "beyond": True}, 529),
        ({"players": 3, "continuations": 1, "cheats": {2}, "void": True}, 316),
        ({"players": 4, "continuations": 1}, 1098),
        ({"players": 4, "continuations": 1, "cheats": {1}, "same_points": True}, 863),
    ],
)
def test_what_must_hold_does_in_every_state(options: dict[str, Any], states: int) -> None:
    cheats = frozenset(options.pop("cheats", ()))
    exploration = Exploration(cheats=cheats, **options)
    assert exploration.run()
    assert exploration.states == states


def test_proposals_for_other_places_change_nothing() -> None:
    """For all places of all tables, the shipped rules sign only the end of the newest one."""

    class Wide(Rules):
        wide = True

    found = []
    for rules in (Rules(), Wide()):
        exploration = Exploration(3, 1, rules=rules)
        exploration.run()
        found.append((exploration.states, len(exploration.match.tables)))
    assert found[0] == found[1]


def test_what_must_hold_does_on_walks_by_lot() -> None:
    exploration = Exploration(5, 4, frozenset({1, 3}))
    rng = random.Random(7)
    for _ in range(20):
        exploration.walk(rng)
    assert exploration.states > 300


class AnyHeight(Rules):
    """A node signs at any place of the newest table."""

    wide = True

    def may_sign(self, branches: Sequence[Branch], signed: int, offer: Offer) -> bool:
        parent = newest(branches)
        here = offer.place.table_id == parent.table_id
        return here and offer.attempt > max(signed, parent.attempt)


class AnyTable(Rules):
    """A node signs at the end of any table."""

    wide = True

    def may_sign(self, branches: Sequence[Branch], signed: int, offer: Offer) -> bool:
        ends = [branch.end for branch in branches if offer.attempt > branch.attempt]
        return offer.place in ends and offer.attempt > signed


class AnyNumber(Rules):
    """A node signs numbers that are not higher than what it has signed."""

    def may_sign(self, branches: Sequence[Branch], signed: int, offer: Offer) -> bool:
        return super().may_sign(branches, 0, offer)


class WritesOn(Rules):
    """A node writes in the newest table, also when it has signed a higher attempt."""

    def may_write(self, branches: Sequence[Branch], signed: int, table_id: bytes) -> bool:
        return super().may_write(branches, 0, table_id)


class LosesNothing(Rules):
    """A node signs nothing without a round that it has closed."""

    def may_sign(self, branches: Sequence[Branch], signed: int, offer: Offer) -> bool:
        lost = any(b.closed and b.table_id != offer.place.table_id for b in branches)
        return super().may_sign(branches, signed, offer) and not lost


class Half(Rules):
    """Half of the founders sign a continuation."""

    def founders_needed(self, founders: int) -> int:
        return founders // 2


class Forgetful(Rules):
    """A node whose journal was put back does not wait for what the others know."""

    forgets = True


class WithoutC1(Rules):
    """Nobody is exposed who plays on at a table that they have left."""

    def entry_exposes(self, continues: Continues, body: Body, attempt: int) -> str | None:
        cause = super().entry_exposes(continues, body, attempt)
        return None if cause == "C1" else cause


class WithoutC2(Rules):
    """Nobody is exposed who signs a continuation without a round that they have closed."""

    def entry_exposes(self, continues: Continues, body: Body, attempt: int) -> str | None:
        cause = super().entry_exposes(continues, body, attempt)
        return None if cause == "C2" else cause


class NarrowC2(Rules):
    """Only a continuation of that very table exposes."""

    def entry_exposes(self, continues: Continues, body: Body, attempt: int) -> str | None:
        is_parent = continues.place.table_id == body.place.table_id
        return super().entry_exposes(continues, body, attempt) if is_parent else None


class WideC2(Rules):
    """Each continuation with a higher attempt exposes, also one of a newer table."""

    def entry_exposes(self, continues: Continues, body: Body, attempt: int) -> str | None:
        content = body.content
        if isinstance(content, CloseContent) and attempt < continues.attempt:
            number = content.round_number
            if content.points not in continues.results[number - 1 : number]:
                return "C2"
        return super().entry_exposes(continues, body, attempt)


class WithoutC3(Rules):
    """Nobody is exposed who signs two continuations with the same number."""

    def two_expose(self, one: Continues, other: Continues) -> bool:
        return False


@pytest.mark.parametrize(
    ("rules", "cheats", "continuations", "broken"),
    [
        (AnyHeight, [], 1, "P1"),
        (AnyTable, [0], 2, "P1"),
        (AnyNumber, [], 2, "P1"),
        (WritesOn, [], 1, "P1"),
        (LosesNothing, [0], 2, "P3"),
        (Half, [], 2, "P2"),
        (Forgetful, [], 1, "P1"),
        (WithoutC1, [0, 1], 1, "P5"),
        (WithoutC2, [0], 2, "P2"),
        (NarrowC2, [0], 2, "P2"),
        (WideC2, [1, 2], 2, "P1"),
        (WithoutC3, [0], 2, "P2"),
    ],
)
def test_without_a_rule_something_goes_wrong(
    rules: type[Rules], cheats: list[int], continuations: int, broken: str
) -> None:
    beyond = rules is WideC2
    exploration = Exploration(3, continuations, frozenset(cheats), beyond=beyond, rules=rules())
    with pytest.raises(Violation, match=broken):
        exploration.run(100_000)
