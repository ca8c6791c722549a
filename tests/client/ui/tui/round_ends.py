"""Snapshots around the end of a round and of a match, for scenes."""

from collections.abc import Callable, Mapping
from functools import cache

from attrs import evolve

from client.session.display.absence import Absence
from client.session.display.snapshot import Fairness, LessonNote, LogLine, Snapshot
from engine.sentences import Sentence
from protocol.errors import Exposed
from tests.client.ui.tui.situations import counted_round, next_round_begun

LOG = (
    LogLine("discards 5♥", "Bruno"),
    LogLine("Round 2 is counted and signed by all."),
    LogLine("round 3", heading=True),
    LogLine("draws", "Carla"),
    LogLine("says “Well played!”", "Diego", aside=True),
)


@cache
def begun() -> Snapshot:
    """Return a match with two counted rounds; in the third it is the person's turn."""
    return next_round_begun("canasta", 4)


@cache
def over() -> Snapshot:
    """Return a match of three rounds that is over."""
    return counted_round("canasta", 4, rounds=3)


def playing() -> Snapshot:
    """Return the snapshot before the second round was counted."""
    state = evolve(begun().state, height=begun().state.height - 1)
    return evolve(begun(), state=state, rounds=begun().rounds[:-1], chooses=False)


def signing() -> Snapshot:
    """Return a snapshot in which the second round is counted, and not all have signed it."""
    match = evolve(
        begun().state.match,
        sheets=begun().state.match.sheets[:-1],
        round=begun().rounds[-1].position,
        totals=begun().rounds[-2].totals,
    )
    return evolve(begun(), state=evolve(begun().state, match=match, writers=(1,)), chooses=False)


def signed() -> Snapshot:
    return evolve(begun(), state=evolve(begun().state, height=10**6))


def ending(*, counted: bool) -> Snapshot:
    """Return the end of a match of one round that not all have signed yet."""
    snapshot = counted_round("canastra", 2)
    match = evolve(
        snapshot.state.match, sheets=(), round=snapshot.rounds[-1].position, totals=(0, 0)
    )
    state = evolve(snapshot.state, match=match, writers=(0, 1))
    return evolve(snapshot, state=state, rounds=snapshot.rounds if counted else ())


def _unchecked() -> Snapshot:
    *before, last = over().rounds
    return evolve(over(), rounds=(*before, evolve(last, fairness=Fairness(0, 0, 0, 0))))


ROUND_ENDS: Mapping[str, Callable[[], Snapshot]] = {
    "playing": playing,
    "counted": begun,
    "dealing": lambda: evolve(begun(), chooses=False),
    "without-bruno": lambda: evolve(begun(), absence=Absence(1, 47, 73)),
    "behind": lambda: evolve(begun(), log=LOG, said=len(LOG)),
    "playing-as-bruno": lambda: evolve(playing(), me=1),
    "counted-as-bruno": lambda: evolve(begun(), me=1),
    "signing": signing,
    "signed": signed,
    "lesson": lambda: evolve(begun(), lesson=LessonNote(3, 3, Sentence("The end."), "C60")),
    "last-round": lambda: ending(counted=False),
    "signing-the-end": lambda: ending(counted=True),
    "end": over,
    "unchecked": _unchecked,
    "exposed": lambda: evolve(over(), exposed=Exposed(1, "R14", Sentence("A proof fails."), ())),
}
