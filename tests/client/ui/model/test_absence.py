"""A player for whom the table waits: what a person can have done about it, on each display."""

import pytest
from attrs import evolve

from client.session.display.absence import Absence, SeatBots
from client.session.display.snapshot import Snapshot
from client.ui.linear.table import PROMPT, LinearTable
from client.ui.model.controls import Controls
from client.ui.model.pages import Page
from client.ui.tui.toolkit.glyphs import UNICODE
from engine.turn import Step
from protocol.entries import AbsentContent
from tests.client.plain_seat import snapshot_at
from tests.client.ui.linear.typists import Typist
from tests.client.ui.tui.golden import table_on
from tests.client.ui.tui.situations import DORA, PROPOSED, alone, waiting
from tests.engine.positions import table_of


def test_an_answer_about_an_absence_goes_with_it() -> None:
    controls, _ = controls_at(waiting(alone(1, 130, 0, proposals=PROPOSED)))
    controls.agree()
    assert controls.notice is not None
    controls.show(evolve(waiting(alone(1, 0, 0)), absence=None))
    assert controls.notice is None


def controls_at(snapshot: Snapshot) -> tuple[Controls, list[object]]:
    made: list[object] = []
    controls = Controls(lambda *_: None, propose=made.append)
    controls.show(snapshot)
    return controls, made


def test_agreeing_takes_what_is_proposed_or_what_is_chosen() -> None:
    for number, wanted in ((None, PROPOSED[0]), (2, PROPOSED[1]), (3, SeatBots((1,)))):
        controls, made = controls_at(waiting(alone(1, 130, 0, proposals=PROPOSED)))
        controls.agree(number)
        assert made == [wanted]


def test_who_is_proposed_already_is_named_once() -> None:
    proposal = AbsentContent((1,), (DORA.member,))
    absence = alone(1, 130, 0, proposals=(proposal,), candidates=(DORA,))
    controls, _ = controls_at(waiting(absence))
    choices = [option.proposal for option in controls.absence_options]
    assert choices == [proposal, SeatBots((1,)), AbsentContent((1,))]


@pytest.mark.parametrize(
    ("absence", "number", "said"),
    [
        (None, None, "nothing to agree to"),
        (alone(1, 30, 5), 1, "nothing to agree to"),
        (alone(1, 300, 0, groups=()), 1, "nothing to agree to"),
        (alone(1, 300, 0, agreed=True), 1, "nothing to agree to"),
        (alone(0, 300, 0), 1, "nothing to agree to"),
        (alone(1, 300, 0), None, "Nobody has proposed anything"),
        (alone(1, 300, 0), 3, "no proposal 3"),
        (alone(1, 300, 0), 0, "no proposal 0"),
    ],
)
def test_what_cannot_be_agreed_to_says_why(
    absence: Absence | None, number: int | None, said: str
) -> None:
    snapshot = evolve(waiting(alone(1, 0, 0)), absence=absence)
    controls, made = controls_at(snapshot)
    controls.agree(number)
    assert made == []
    assert controls.notice is not None
    assert said in controls.notice.text


def test_time_that_passes_takes_nothing_from_the_desk() -> None:
    """The screen hears of every second: a warning that was given must still hold."""
    melds = [["6h 6d 6s"], ["9h 9d 9s"]]
    hand = "9c Qc 5d 5h"
    table = table_of("canasta", hands=[hand], melds=melds, pile="4h 4d", step=Step.PLAY)
    snapshot = snapshot_at("canasta", table)
    sent: list[object] = []
    controls = Controls(lambda *moves: sent.extend(moves))
    controls.show(snapshot)
    (nine,) = table.hand("9c")
    controls.discard(nine)
    assert sent == []
    controls.show(evolve(snapshot, absence=alone(0, 70, 50)))
    assert controls.notice is not None
    controls.discard(nine)
    assert len(sent) == 1


async def test_a_number_on_the_page_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = waiting(alone(1, 130, 0, proposals=PROPOSED))
    made: list[object] = []
    with table_on(snapshot) as (hands, screen):
        screen.window.controls.propose = made.append
        hands.press("w2")
        assert made == [PROPOSED[1]]
        assert screen.window.page is None
        assert "You agree: the match ends here without Bruno." in hands.screen
        hands.press("a")
        assert made == [PROPOSED[1], PROPOSED[0]]
        screen.window.open_page(Page.KEYS)
        hands.press("1")
        assert len(made) == 2, "numbers choose on the one page only"


async def test_the_linear_mode_tells_it_once_and_takes_the_choice() -> None:
    left = ["away", "agree 2"]
    typist = Typist(lambda _written: left.pop(0) if left else None)
    linear = LinearTable(UNICODE, typist, typist.write)
    for silent in (30, 31, 32):
        linear.show(waiting(alone(1, silent, 120 - silent)))
    assert typist.written.count("The table has waited for Bruno") == 1
    assert "Bruno is to draw.\n" in typist.written
    assert PROMPT not in typist.written, "there is nothing to type yet"
    for silent in (130, 131):
        linear.show(waiting(alone(1, silent, 0, proposals=PROPOSED)))
    assert typist.written.count("The table has waited for Bruno") == 2
    assert typist.written.endswith(PROMPT)
    await linear.run()
    assert await linear.decided() == PROPOSED[1]
    assert "You agree: the match ends here without Bruno." in typist.written


async def test_who_was_given_up_is_told_so() -> None:
    snapshot = waiting(alone(1, 130, 0))
    with table_on(evolve(snapshot, dismissed=True)) as (hands, _):
        assert "the others have gone on without you" in hands.screen
    with table_on(evolve(snapshot, state=evolve(snapshot.state, ended=True))) as (hands, _):
        assert "The match ended before its time" in hands.screen
