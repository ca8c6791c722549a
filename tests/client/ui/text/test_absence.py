"""Sentences about an absent player for whom a table waits."""

from collections.abc import Iterator, Mapping
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from client.session.display.absence import Absence, Proposed
from client.ui.model.table_view import table_view
from client.ui.model.table_words import status_sentence
from client.ui.model.ways_on import ways_on
from client.ui.text.absence import awaited_sentence, clock, proposed_sentence, resting_sentence
from client.ui.text.events import log_lines
from protocol.match.messages import Wish, WishKind
from protocol.state import State
from protocol.table.resync import Unheard
from protocol.table.tasks import Change
from protocol.words_for_keys import words
from tests.client.ui.tui.golden import check_file
from tests.client.ui.tui.situations import DORA, ENDING, IMPOSTOR, OPPONENT, ROBOT, alone, waiting
from tests.protocol.continuing import ended, follow, replaced
from tests.protocol.proofless import without_proofs
from tests.protocol.seeded_table import SeededTable


def test_after_a_restart_the_sentence_names_the_awaited_players() -> None:
    names = ("Ana", "Bruno", "Carla")
    back = Absence(0, 12, 90, unheard=Unheard(silent=frozenset({1, 2})))
    assert awaited_sentence(back, names, me=0) == (
        "This machine was started again, and goes on when it knows where the game is. "
        "It must hear from Bruno and Carla where the game is."
    )
    some = evolve(back, unheard=Unheard(silent=frozenset({1, 2}), enough=1))
    assert awaited_sentence(some, names, me=0) == (
        "This machine was started again, and goes on when it knows where the game is. "
        "It must hear where the game is from 1 of these: Bruno and Carla."
    )
    old = evolve(back, unheard=Unheard(frozenset({1}), frozenset({2}), doubtful=True))
    assert awaited_sentence(old, names, me=0) == (
        "This machine's files are older than what it has signed. It must hear from Bruno where "
        "the game is. The machine of Carla says that the game has gone further, but does not "
        "send the rest."
    )


def test_a_machine_that_is_cut_off_says_so() -> None:
    cut_off = Absence(1, 12, 0, linked=False, cut_off=True)
    assert awaited_sentence(cut_off, ("Ana", "Bruno", "Carla"), me=0) == (
        "The table has waited for Bruno for 0:12. This machine is cut off: it reaches none of the "
        "others. Look at its network."
    )


def test_the_sentence_says_why_nothing_can_be_decided() -> None:
    """The sentence names the reason: too few are left, or this machine is cut off.

    A third reason is that this machine must hear from others first. Nothing is said about a linked
    player, because they may be thinking.
    """
    away = Absence(1, 70, 0, linked=False)
    for absence, told in (
        (away, "More than half of those who began must be there"),
        (evolve(away, linked=True, left=True), "More than half of those who began must be there"),
        (evolve(away, linked=True), ""),
        (evolve(away, cut_off=True), "The game goes on as soon as this machine reaches the others"),
        (Absence(0, 70, 0, unheard=Unheard(silent=frozenset({1}))), "Nothing is lost: leave"),
    ):
        said = resting_sentence(absence, me=0)
        assert said.startswith(told)
        assert bool(said) == bool(told)


def test_the_proposal_sentence_names_who_has_not_accepted() -> None:
    names = ("Ana", "Bruno", "Carla", "Diego")
    aloud = " ".join(words(ROBOT.key))
    seat = f"Carla proposes: Robot Ada (words: {aloud}) takes the seat of Bruno."
    assert proposed_sentence(OPPONENT, names, me=0) == f"{seat} You have not accepted that yet."
    joined = evolve(OPPONENT, accepted=(0, 2))
    assert proposed_sentence(joined, names, me=0) == f"{seat} Not accepted yet by Diego."
    assert proposed_sentence(evolve(ENDING, accepted=(2,)), names, me=2) == (
        "You propose: the match ends here without Bruno. Not accepted yet by Ana and Diego."
    )


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
    "few, one exposed": {"enough": False, "exposed": (2,), "away": (2,)},
    "proposed": {"proposed": OPPONENT},
    "own proposal": {"proposed": evolve(ENDING, by=0, accepted=(0, 2))},
    "together": {"proposed": TOGETHER},
    "Dora asks": {
        "candidates": (IMPOSTOR, DORA),
        "wishes": (Wish(WishKind.PERSON, DORA.member.key),),
    },
    "impostor": {
        "candidates": (IMPOSTOR,),
        "wishes": (Wish(WishKind.OPPONENT), Wish(WishKind.END)),
    },
    "unheard": {"unheard": Unheard(silent=frozenset({1}), doubtful=True)},
    "hurries": {"hurries": True},
    "nobody awaited": {"awaited": None},
}
"""Changes of an absence, by name. Two changes together need not make a possible absence."""


def test_each_absence_is_told_with_all_that_can_be_done() -> None:
    """For a changed absence the file has only the texts that the unchanged one does not have."""
    told: list[str] = []
    for base in (alone(1, 130, 0), alone(1, 30, 45), alone(0, 70, 50)):
        usual = tuple(texts_about(base))
        told += [f"{base.awaited} for {base.silent} s, {base.grace_left} s left", *usual]
        pairs = combinations(TRAITS, 2) if base.missing else ()
        for names in (*((name,) for name in TRAITS), *pairs):
            traits = dict(chain(*(TRAITS[name].items() for name in names)))
            new = [text for text in texts_about(evolve(base, **traits)) if text not in usual]
            told += [f"{base.awaited}, {' and '.join(names)}", *new]
    check_file(Path(__file__).parent / "absences.txt", "\n".join(told))


def texts_about(absence: Absence) -> Iterator[str]:
    snapshot = waiting(absence)
    view, ways = table_view(snapshot, None), ways_on(snapshot)
    sentences = (view.awaited, status_sentence(view), resting_sentence(absence, snapshot.me))
    yield from (f"    {sentence}" for sentence in sentences if sentence)
    yield f"    ways: {''.join(way.key for way in ways) or 'none'}"
    for way in ways:
        marks = "*" * way.chosen + "." * (way.decision is None)
        yield f"    {way.key}{marks} {way.text} {way.question}".rstrip()


def lines_of(before: State, part: bytes) -> list[str]:
    """Return the lines of the log about a continuation."""
    change = Change(before, follow(before, part))
    return [line.text for line in log_lines(change, symbols=False)]


@pytest.mark.parametrize(
    ("until", "ends", "told"),
    [
        ("shuffle", True, "The match ends here without {name}."),
        ("move", True, "The match ends here without {name}; the round is dealt again."),
        ("shuffle", False, "{name} is gone, and Olga plays on in that seat."),
        (
            "open",
            False,
            (
                "{name} is gone, and Olga plays on in that seat; the round stands, and the hand of "
                "the missing player stays closed (X24)."
            ),
        ),
    ],
)
def test_the_log_describes_a_continuation(until: str, ends: bool, told: str) -> None:
    table = SeededTable.sit("canasta", 3, seed=3, rounds=2)
    with without_proofs():
        table.play_until(until)
        gone = table.state.writers[0]
        line, *_more = lines_of(
            table.state, (ended if ends else replaced)(table, table.state, gone)
        )
    assert line == told.format(name=table.state.charter.name_of(gone))
