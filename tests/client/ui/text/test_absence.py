"""Whom a table waits for, in words."""

from attrs import evolve

from client.session.display.absence import Absence
from client.ui.text.absence import awaited_sentence, clock, resting_sentence
from client.ui.text.events import Narrator
from p2p.table.changes import Change
from p2p.table.resync import Unheard
from protocol.charter import Member
from protocol.entries import AbsentContent, Body, Place
from protocol.reducer import advance
from protocol.words import words
from tests.client.ui.tui.situations import ROBOT, alone, waiting
from tests.protocol.absent import ended
from tests.protocol.ring import Ring


def test_who_came_back_is_told_for_whom_their_machine_waits_and_why() -> None:
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
        "the game is. The machine of Carla says that the game is further, and does not send it."
    )


def test_a_machine_that_reaches_nobody_says_so_and_not_that_others_are_away() -> None:
    cut_off = Absence(1, 12, 0, linked=False, cut_off=True)
    assert awaited_sentence(cut_off, ("Ana", "Bruno", "Carla"), me=0) == (
        "The table has waited for Bruno for 0:12. This machine is cut off: it reaches none of the "
        "others. Look at its network."
    )


def test_what_becomes_of_a_match_is_told_where_nothing_can_be_agreed_on() -> None:
    """More than half being away is no reason where it is this machine that is cut off, or that has
    to hear from others first; and whoever is linked may be thinking.
    """
    away = Absence(1, 70, 0, linked=False)
    for absence, told in (
        (away, "More than half of the players must be there"),
        (evolve(away, linked=True, left=True), "More than half of the players must be there"),
        (evolve(away, linked=True), ""),
        (evolve(away, cut_off=True), "The game goes on as soon as this machine reaches the others"),
        (Absence(0, 70, 0, unheard=Unheard(silent=frozenset({1}))), "Nothing is lost: leave"),
    ):
        said = resting_sentence(absence, me=0)
        assert said.startswith(told)
        assert bool(said) == bool(told)


def test_who_is_linked_may_think_as_long_as_they_like() -> None:
    for linked, told in ((True, False), (False, True)):
        sentence = awaited_sentence(Absence(1, 400, 0, linked=linked), ("Ana", "Bruno"), me=0)
        assert ("match can rest" in sentence) == told


def test_waiting_is_told_in_minutes() -> None:
    assert [clock(seconds) for seconds in (0, 59, 125, 7384)] == ["0:00", "0:59", "2:05", "2:03:04"]


def test_an_absence_while_cards_are_shuffled_tells_of_no_shuffle() -> None:
    ring = Ring.sit(players=3)
    before = ring.state
    absent = before.writers[0]
    after = advance(before, ended(ring, before, absent))
    (line,) = Narrator(symbols=False).feed(Change(before, after))
    name = before.charter.name_of(absent)
    assert line.text == f"All the others have agreed: the match ends here without {name}."


def after_absence(*substitutes: Member, opening: bool = False) -> list[str]:
    before = waiting(alone(1, 130, 0)).state
    content = AbsentContent((1,), substitutes, opening)
    after = evolve(before, last=Body(Place(b"", 1, b""), 0, content))
    return [line.text for line in Narrator(symbols=False).feed(Change(before, after))]


def test_the_outcome_of_an_absence_is_told() -> None:
    void = "The round that was not over is void."
    stands = "The round stands: an absence does not undo what has been won."
    closed = "the hand of Bruno stays closed and counts the worst it can (X24)"
    ends = "All the others have agreed: the match ends here without Bruno."
    aloud = " ".join(words(ROBOT.key))
    taken = f"Robot maple owl (words: {aloud}) takes the seat of Bruno"
    assert after_absence() == [ends, void]
    assert after_absence(ROBOT) == [f"All the others have agreed: {taken}.", void]
    assert after_absence(opening=True) == [f"All the others have agreed: {closed}.", stands]
    assert after_absence(ROBOT, opening=True) == [f"All the others have agreed: {taken}.", stands]
