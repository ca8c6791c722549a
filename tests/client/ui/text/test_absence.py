"""Sentences about an absent player for whom a table waits."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from client.session.display.absence import Absence, Proposed
from client.ui.model.table_view import table_view
from client.ui.model.table_words import status_sentence
from client.ui.model.ways_on import ways_on
from client.ui.text.absence import clock, resting_sentence
from client.ui.text.events import log_lines
from protocol.match.messages import Wish, WishKind
from protocol.table.resync import Unheard
from protocol.table.tasks import Change
from tests.client.ui.tui.golden import check_file
from tests.client.ui.tui.situations import DORA, ENDING, IMPOSTOR, OPPONENT, alone, waiting
from tests.protocol.continuing import ended, follow, replaced
from tests.protocol.seeded_table import SeededTable


def test_waiting_time_is_shown_in_minutes() -> None:
    told = {0: "0:00", 59: "0:59", 60: "1:00", 125: "2:05", 3599: "59:59", 3600: "1:00:00"}
    assert {seconds: clock(seconds) for seconds in told} == told
    assert clock(7384) == "2:03:04"


TOGETHER = Proposed(2, Wish(WishKind.TOGETHER), (), (), (0, 1, 2, 3), (2,))
TRAITS: Mapping[str, dict[str, Any]] = {
    "not linked": {"linked": False},
    "left": {"left": True},
    "cut off": {"cut_off": True},
    "few": {"enough": False},
    "stuck": {"stuck": True},
    "none missing": {"missing": ()},
    "two missing": {"missing": (1, 3), "away": (1, 3)},
    "two away": {"away": (1, 2)},
    "exposed": {"exposed": (1,)},
    "another exposed": {"exposed": (2,), "away": (1, 2)},
    "few with one exposed": {"enough": False, "exposed": (2,), "away": (2,)},
    "proposed": {"proposed": OPPONENT},
    "own proposal": {"proposed": evolve(ENDING, by=0, accepted=(0, 2))},
    "accepted": {"proposed": evolve(OPPONENT, accepted=(0, 2))},
    "together": {"proposed": TOGETHER},
    "Dora asks": {
        "candidates": (IMPOSTOR, DORA),
        "wishes": (Wish(WishKind.PERSON, DORA.member.key),),
    },
    "impostor": {
        "candidates": (IMPOSTOR,),
        "wishes": (Wish(WishKind.OPPONENT), Wish(WishKind.END)),
    },
    "unheard": {"unheard": Unheard(silent=frozenset({1, 2}))},
    "some unheard": {"unheard": Unheard(silent=frozenset({1, 2}), enough=1)},
    "old files": {"unheard": Unheard(frozenset({1}), frozenset({2}), doubtful=True)},
    "hurries": {"hurries": True},
    "nobody awaited": {"awaited": None},
}
"""Changes of an absence, by name. Two changes together need not make a possible absence."""


def test_each_absence_is_told_with_all_that_can_be_done() -> None:
    """For a changed absence the file has only the texts that the unchanged one does not have."""
    told: list[str] = []
    for base in (alone(1, 130, 0), alone(1, 30, 45), alone(0, 70, 50)):
        told += [
            f"{base.awaited} for {base.silent} s, {base.grace_left} s left",
            *texts_about(base),
        ]
        for name in TRAITS:
            told += [f"{base.awaited}, {name}", *new_texts(base, name)]
        for first in TRAITS if base.missing else ():
            told += told_of_pairs(base, first)
    check_file(Path(__file__).parent / "absences.txt", "\n".join(told))


def told_of_pairs(base: Absence, first: str) -> Iterator[str]:
    """Yield the texts about an absence with `first` and, in turn, each change listed after it.

    If only one of two changes has an effect, one line says so.
    """
    alike: dict[str, list[str]] = {}
    for second in [*TRAITS][[*TRAITS].index(first) + 1 :]:
        texts = new_texts(base, first, second)
        same = next((one for one in (first, second) if new_texts(base, one) == texts), None)
        if same is None:
            yield from (f"{base.awaited}, {first} and {second}", *texts)
        else:
            alike.setdefault("first" if same == first else "other", []).append(second)
    for which, others in alike.items():
        told = f"{first} with any of these ({', '.join(others)})"
        yield f"{base.awaited}, {told}: the same texts as with the {which} change alone"


def new_texts(base: Absence, *names: str) -> list[str]:
    traits = dict(chain(*(TRAITS[name].items() for name in names)))
    return [text for text in texts_about(evolve(base, **traits)) if text not in texts_about(base)]


@cache
def texts_about(absence: Absence) -> tuple[str, ...]:
    return tuple(_texts_about(absence))


def _texts_about(absence: Absence) -> Iterator[str]:
    snapshot = waiting(absence)
    view, ways = table_view(snapshot, None), ways_on(snapshot)
    sentences = (view.awaited, status_sentence(view), resting_sentence(absence, snapshot.me))
    yield from (f"    {sentence}" for sentence in sentences if sentence)
    yield f"    ways: {''.join(way.key for way in ways) or 'none'}"
    for way in ways:
        marks = "*" * way.chosen + "." * (way.decision is None)
        yield f"    {way.key}{marks} {way.text} {way.question}".rstrip()


GONE = "{name} is gone, and Olga plays on in that seat"
STANDS = "the round stands, and the hand of the missing player stays closed (X24)"
CONTINUATIONS = (
    ("shuffle", ended, "The match ends here without {name}."),
    ("move", ended, "The match ends here without {name}; the round is dealt again."),
    ("shuffle", replaced, f"{GONE}."),
    ("open", replaced, f"{GONE}; {STANDS}."),
)


@pytest.mark.usefixtures("proofless")
@pytest.mark.parametrize(("until", "part_of", "told"), CONTINUATIONS)
def test_the_log_describes_a_continuation(until: str, part_of: Any, told: str) -> None:
    table = SeededTable.sit("canasta", 3, seed=3, rounds=2)
    table.play_until(until)
    gone = table.state.writers[0]
    after = follow(table.state, part_of(table, table.state, gone))
    line, *_more = log_lines(Change(table.state, after), symbols=False)
    assert line.text == told.format(name=table.state.charter.name_of(gone))
