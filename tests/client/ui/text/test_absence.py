"""Sentences about an absent player for whom a table waits."""

import pytest
from attrs import evolve

from client.session.display.absence import Absence
from client.ui.text.absence import awaited_sentence, clock, proposed_sentence, resting_sentence
from client.ui.text.events import log_lines
from protocol.state import State
from protocol.table.events import Change
from protocol.table.resync import Unheard
from protocol.words_for_keys import words
from tests.client.ui.tui.situations import ENDING, OPPONENT, ROBOT
from tests.protocol.continuing import ended, follow, replaced
from tests.protocol.proofless import without_proofs
from tests.protocol.ring import Ring


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
    assert [clock(seconds) for seconds in (0, 59, 125, 7384)] == ["0:00", "0:59", "2:05", "2:03:04"]


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
    ring = Ring.sit("canasta", 3, seed=3, rounds=2)
    with without_proofs():
        ring.play_until(until)
        gone = ring.state.writers[0]
        line, *_more = lines_of(ring.state, (ended if ends else replaced)(ring, ring.state, gone))
    assert line == told.format(name=ring.state.charter.name_of(gone))
