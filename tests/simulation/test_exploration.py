"""The rules for continuations: the properties P1 to P5 hold, and each rule is needed for one.

Longer runs: `python -m tests.simulation.exploration`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest

from protocol import agreement, evidence
from protocol.agreement import Branch, Offer, newest
from protocol.charter import Charter
from protocol.continues import Continues
from protocol.entries import Body
from protocol.errors import Refused
from protocol.match.going_on import GoingOn
from protocol.match.history import continued_place
from protocol.place import Place
from protocol.table.record import TableRecord
from protocol.table.resync import Resync
from tests.simulation.exploration import Exploration, Violation
from tests.simulation.founders import remembered
from tests.simulation.small_game import registered

Patch = pytest.MonkeyPatch


@pytest.fixture(autouse=True)
def _small_game() -> Iterator[None]:
    with registered(), remembered():
        yield


@pytest.mark.parametrize(
    ("options", "states"),
    [
        ({"players": 3, "continuations": 1, "cheats": {0, 2}, "beyond": True}, 763),
        ({"players": 3, "continuations": 1, "cheats": {2}, "void": True, "talks": True}, 401),
        ({"players": 3, "continuations": 1, "checked": "P1 P2 P4 P5"}, 469),
    ],
)
def test_the_properties_hold_in_every_state(options: dict[str, Any], states: int) -> None:
    exploration = Exploration(**{**options, "cheats": frozenset(options.get("cheats", ()))})
    assert exploration.run()
    assert exploration.states == states


# -- Functions that remove or change a rule

_check, _may_write = agreement.check_may_sign, agreement.may_write
_contradiction = evidence.contradiction

Checked = Callable[[Sequence[Branch], int, Offer, Iterable[int]], tuple[Place, ...]]


def _signs(patch: Patch, check: Checked) -> None:
    """Let nodes sign every continuation that `check` does not refuse."""
    patch.setattr("protocol.match.going_on.check_may_sign", check)


def any_height(patch: Patch) -> None:
    """Let a node sign at any place of the newest table."""

    def check(branches: Sequence[Branch], signed: int, offer: Offer, _: Any) -> tuple[Place, ...]:
        parent = newest(branches)
        here = offer.place.table_id == parent.table_id
        if not here or offer.attempt <= max(signed, parent.attempt):
            raise Refused("It is another table, or an older number.")
        return ()

    def is_there(going_on: GoingOn, charter: Charter) -> bool:
        newest = going_on.history.newest
        place = continued_place(charter)
        return bool(place.table_id == newest.table_id and place.height <= newest.height)

    _signs(patch, check)
    patch.setattr(GoingOn, "_is_current", is_there)


def any_table(patch: Patch) -> None:
    """Let a node sign at the end of any table."""

    def check(branches: Sequence[Branch], signed: int, offer: Offer, _: Any) -> tuple[Place, ...]:
        ends = [branch.end for branch in branches if offer.attempt > branch.attempt]
        if offer.place not in ends or offer.attempt <= signed:
            raise Refused("It is no end, or an older number.")
        return ()

    _signs(patch, check)
    patch.setattr(GoingOn, "_is_current", lambda *_: True)
    patch.setattr("protocol.match.going_on.continued", lambda *_: None)
    patch.setattr(TableRecord, "state_at", lambda *_: None)


def any_number(patch: Patch) -> None:
    """Let a node sign attempts that are not higher than those that it has signed."""
    _signs(patch, lambda branches, _signed, offer, heard: _check(branches, 0, offer, heard))


def writes_on(patch: Patch) -> None:
    """Let a node write at the newest table even when it has signed a higher attempt."""

    def may_write(branches: Iterable[Branch], _signed: int, table_id: bytes) -> bool:
        return _may_write(branches, 0, table_id)

    patch.setattr("protocol.match.machine.may_write", may_write)


def loses_nothing(patch: Patch) -> None:
    """Let a node refuse every continuation that lacks a round that it has closed."""

    def check(
        branches: Sequence[Branch], signed: int, offer: Offer, heard: Iterable[int]
    ) -> tuple[Place, ...]:
        if any(b.closed and b.table_id != offer.place.table_id for b in branches):
            raise Refused("A round would be lost.")
        return _check(branches, signed, offer, heard)

    _signs(patch, check)


def half(patch: Patch) -> None:
    """Let half of the founders, rounded down, be enough for a continuation."""

    def enough(state: Any, keys: Iterable[bytes]) -> bool:
        return 2 * len(frozenset(keys).intersection(state.founders)) >= len(state.founders) - 1

    for name in ("continuation", "match.going_on", "match.history"):
        patch.setattr(f"protocol.{name}.are_most_founders", enough)


def forgetful(patch: Patch) -> None:
    """Let a node whose journal is an older copy go on without hearing the others."""
    patch.setattr(Resync, "_silent", frozenset())


def nobody_has_signed(patch: Patch) -> None:
    """Let nodes ignore that others have signed a continuation (and so do not write any more)."""
    patch.setattr(GoingOn, "_signed_later", frozenset())


def first_number(patch: Patch) -> None:
    """Let the leader propose the attempt after the table's, even if a higher one was signed."""
    patch.setattr(GoingOn, "_highest_attempt", lambda self, *_: self.charter.attempt)


def nobody_leads(patch: Patch) -> None:
    """Let everybody propose, and accept only their own proposal."""
    patch.setattr(GoingOn, "leader", property(lambda self: self.negotiation.key))


def _exposes(patch: Patch, found: Callable[[Continues, Body, int], Any]) -> None:
    def contradiction(continues: Continues, _: Any, body: Body, attempt: int) -> Any:
        return found(continues, body, attempt)

    patch.setattr(evidence, "contradiction", contradiction)


def _without(patch: Patch, cause: str) -> None:
    def found(continues: Continues, body: Body, attempt: int) -> Any:
        other = _contradiction(continues, (), body, attempt)
        return None if other is not None and other[0] == cause else other

    _exposes(patch, found)


def without_c1(patch: Patch) -> None:
    """Expose nobody who plays on at a table that they have left."""
    _without(patch, "C1")


def without_c2(patch: Patch) -> None:
    """Expose nobody who signs a continuation without a round that they have closed."""
    _without(patch, "C2")


def narrow_c2(patch: Patch) -> None:
    """Let C2 expose only signers of a continuation of the same table."""

    def found(continues: Continues, body: Body, attempt: int) -> Any:
        is_parent = continues.place.table_id == body.place.table_id
        return _contradiction(continues, (), body, attempt) if is_parent else None

    _exposes(patch, found)


def without_c3(patch: Patch) -> None:
    """Expose nobody who signs two continuations with the same attempt."""
    patch.setattr(evidence, "same_number", lambda *_: False)


@pytest.mark.parametrize(
    ("rule", "cheats", "continuations", "broken"),
    [
        (any_height, [], 1, "P1"),
        (any_table, [0], 2, "P1"),
        (any_number, [], 2, "P1"),
        (writes_on, [], 1, "P1"),
        (forgetful, [], 1, "P1"),
        (without_c2, [0], 2, "P2"),
        (narrow_c2, [0], 2, "P2"),
        (without_c3, [0], 2, "P2"),
        (loses_nothing, [0], 2, "P3"),
        (nobody_has_signed, [], 1, "P3"),
        (first_number, [], 1, "P3"),
        (nobody_leads, [], 1, "P3"),
        (half, [], 2, "P4"),
        (without_c1, [0, 1], 1, "P5"),
    ],
)
def test_a_property_fails_if_one_rule_is_removed_or_changed(
    monkeypatch: Patch,
    rule: Callable[[Patch], None],
    cheats: list[int],
    continuations: int,
    broken: str,
) -> None:
    rule(monkeypatch)
    exploration = Exploration(
        3,
        continuations,
        frozenset(cheats),
        wide=rule in (any_height, any_table),
        least=rule is half,
        checked=broken,
        talks=True,
    )
    with pytest.raises(Violation, match=broken):
        exploration.run(100_000)
