"""The pause after a round, and the end of a match."""

import random
from functools import partial

import pytest
from attrs import evolve

from client.bots.eager import choose
from client.session.display.absence import Absence
from client.session.display.snapshot import (
    AfterMatch,
    CountedRound,
    Fairness,
    LessonNote,
    LogLine,
    Snapshot,
)
from client.ui.model.pages import Page
from client.ui.tui.table.round_pages import sheet
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.spans import Click
from engine.moves import DrawStock
from engine.sentences import Sentence
from engine.turn import Step
from protocol.errors import Exposed
from tests.client.plain_seat import PlainSeat, snapshot_at, snapshot_of
from tests.client.ui.tui.golden import SIZES, check, styled, table_on
from tests.client.ui.tui.situations import counted_round, next_round_begun
from tests.engine.positions import table_of

ESCAPE = "\x1b"


@pytest.fixture(scope="module")
def begun() -> Snapshot:
    """Return a match with two counted rounds, in the third of which it is the person's turn."""
    return next_round_begun("canasta", 4)


@pytest.fixture(scope="module")
def over() -> Snapshot:
    """Return a match of three rounds that is over."""
    return counted_round("canasta", 4, rounds=3)


@pytest.mark.parametrize(("game", "players"), [("canasta", 4), ("kanastic", 3), ("canastra", 2)])
@pytest.mark.parametrize(("keys", "page"), [("", "sheet"), ("o", "hands"), ("f", "fair")])
async def test_after_a_round_its_sheet_lies_on_the_table(
    game: str, players: int, keys: str, page: str
) -> None:
    with table_on(counted_round(game, players)) as (hands, screen):
        assert screen.window.page is Page.SHEET
        hands.press(keys)
        check(f"{game}-{page}-80x24", hands.screen)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("keys", "name"), [("", "pause"), (ESCAPE, "layout")])
async def test_a_pause_looks_as_in_its_file(
    begun: Snapshot, keys: str, name: str, size: str
) -> None:
    with table_on(_counted(begun), *SIZES[size]) as (hands, screen):
        screen.window.show(begun)
        hands.press(keys)
        check(f"{name}-{size}", styled(hands))


@pytest.mark.parametrize("size", SIZES)
async def test_the_end_of_a_match_looks_as_in_its_file(over: Snapshot, size: str) -> None:
    with table_on(over, *SIZES[size]) as (hands, screen):
        screen.window.controls.choices = (AfterMatch.AGAIN, AfterMatch.OTHER_SEATS)
        check(f"end-{size}", styled(hands))


def _counted(begun: Snapshot) -> Snapshot:
    """Return the snapshot before the round was counted."""
    state = evolve(begun.state, height=begun.state.height - 1)
    return evolve(begun, state=state, rounds=begun.rounds[:-1], chooses=False)


async def test_the_pause_is_ones_own_and_ends_with_one_key(begun: Snapshot) -> None:
    """The table has moved on behind it; nothing of the next round is touched before it ends."""
    with table_on(_counted(begun)) as (hands, screen):
        screen.window.go_on()
        sent: list[object] = []
        screen.window.controls.send = lambda *moves: sent.extend(moves)
        assert not screen.window.paused
        screen.window.show(begun)
        assert screen.window.paused
        assert "The others wait for you" in hands.screen
        assert "Enter next round" in hands.screen
        hands.press(ESCAPE)
        assert screen.window.page is None
        last = begun.rounds[-1].position
        assert all(f"{len(hand)} card" in hands.screen for hand in last.hands[1:])
        hands.press("c" + "d" + "x" + " " + "1" + "m" + ":")
        screen.window.run_line("draw")
        screen.window.clicked(Click("stock"))
        assert sent == []
        assert not screen.window.command_open
        notice = screen.window.controls.notice
        assert notice is not None
        assert "Enter goes on" in notice.text
        hands.press("\r")
        assert not screen.window.paused
        assert sent == []
        hands.press("d")
        assert [type(move) for move in sent] == [DrawStock]


async def test_nobody_waits_before_it_is_ones_turn(begun: Snapshot) -> None:
    dealing = evolve(begun, chooses=False)
    with table_on(_counted(begun)) as (hands, screen):
        screen.window.go_on()
        screen.window.show(dealing)
        assert "Nobody waits for you" in hands.screen
        screen.window.show(evolve(begun, absence=Absence(1, 47, 73)))
        hands.press(ESCAPE)
        told = "\n".join(hands.screen.splitlines()[-4:])
        assert "waited for Bruno" in told, "whom the table waits for is told"


async def test_no_next_round_is_offered_before_all_have_signed_this_one(begun: Snapshot) -> None:
    """Enter closes the sheet then, and the layout stays until all have signed."""
    signing = _unsigned(begun)
    with table_on(_counted(begun)) as (hands, screen):
        screen.window.go_on()
        screen.window.show(signing)
        assert "Round 2 is counted. All sign it." in hands.screen
        assert "next round" not in hands.screen
        hands.press("\r")
        assert screen.window.page is None
        assert screen.window.paused
        hands.press("d")
        assert "all have to sign it first" in hands.screen
        screen.window.show(evolve(begun, state=evolve(begun.state, height=10**6)))
        assert not screen.window.paused


async def test_who_looks_at_the_sheet_again_is_not_taken_from_it(begun: Snapshot) -> None:
    signing = _unsigned(begun)
    with table_on(_counted(begun)) as (hands, screen):
        screen.window.go_on()
        screen.window.show(signing)
        hands.press("\r" + "v")
        screen.window.show(evolve(begun, state=evolve(begun.state, height=10**6)))
        assert screen.window.page is Page.SHEET
        assert screen.window.paused
        assert "Enter next round" in hands.screen


def _unsigned(begun: Snapshot) -> Snapshot:
    """Return a snapshot in which the last round is counted, and not all have signed it."""
    match = evolve(
        begun.state.match,
        sheets=begun.state.match.sheets[:-1],
        round=begun.rounds[-1].position,
        totals=begun.rounds[-2].totals,
    )
    return evolve(begun, state=evolve(begun.state, match=match, writers=(1,)), chooses=False)


async def test_nothing_of_the_next_round_is_told_behind_the_sheet(begun: Snapshot) -> None:
    """Only words of other players are shown, because they may be meant for the person."""
    log = (
        LogLine("discards 5♥", "Bruno"),
        LogLine("Round 2 is counted and signed by all."),
        LogLine("round 3", heading=True),
        LogLine("draws", "Carla"),
        LogLine("says “Well played!”", "Diego", aside=True),
    )
    with table_on(_counted(begun), 120, 40) as (hands, screen):
        screen.window.go_on()
        screen.window.show(evolve(begun, log=log, said=len(log)))
        hands.press(ESCAPE)
        for told, shown in (("discards 5♥", True), ("round 3", False), ("draws", False)):
            assert (told in hands.screen) == shown
        assert "Well played!" in hands.screen
        hands.press("\r")
        assert "draws" in hands.screen


async def test_sheet_and_title_have_the_own_side_first(begun: Snapshot) -> None:
    for me, first in ((0, "Diego & Ana"), (1, "Bruno & Carla")):
        with table_on(evolve(_counted(begun), me=me)) as (hands, screen):
            screen.window.show(evolve(begun, me=me))
            title, *rows = hands.screen.splitlines()
            for line in (title, *(row for row in rows if "Round" in row and "&" in row)):
                assert line.index(first) == min(map(line.index, ("Diego & Ana", "Bruno & Carla")))


def test_the_sheet_of_a_lesson_offers_no_record(begun: Snapshot) -> None:
    lesson = evolve(begun, lesson=LessonNote(3, 3, Sentence("The end."), "C60"))
    keys = ["".join(span.text for span in sheet(of, UNICODE, 80)[-1]) for of in (begun, lesson)]
    assert keys == [
        "o: the hands, opened. f: what was checked. r: save the record.",
        "o: the hands, opened.",
    ]


async def test_enter_on_the_sheet_goes_on_and_the_layout_is_that_of_the_round(
    begun: Snapshot,
) -> None:
    with table_on(_counted(begun)) as (hands, screen):
        screen.window.go_on()
        screen.window.show(begun)
        pause = screen.window.view
        assert pause is not None
        ended = begun.rounds[-1]
        assert pause.round_number == ended.number == 2
        assert {side.total for side in pause.sides} == set(ended.totals)
        laid = sum(len(laid.melds) for laid in ended.position.laid)
        assert sum(len(side.melds) for side in pause.sides) == laid > 0
        hands.press("\r")
        assert screen.window.page is None
        assert not screen.window.paused
        now = screen.window.view
        assert now is not None
        assert now.round_number == 3
        assert all(side.melds == () for side in now.sides)


async def test_no_next_round_is_offered_after_the_last_one() -> None:
    """This holds even while not all have signed that the match is over."""
    seat = PlainSeat.sit("canastra", 2, partial(choose, rng=random.Random(2)), rounds=1)
    while not seat.state.match.round_over:
        seat.step(seat.others)
    seat.state = evolve(seat.state, writers=(0, 1))
    signing = snapshot_of(seat)
    round_ = seat.state.match.round
    assert round_ is not None
    assert round_.sheet is not None
    counted = CountedRound(1, round_.sheet, round_.sheet.totals, round_, Fairness(2, 9, 9, 9))
    with table_on(signing) as (hands, screen):
        screen.window.show(evolve(signing, rounds=(counted,)))
        assert "next round" not in hands.screen
        assert "All sign the end of the match." in hands.screen
        hands.press("\r")
        assert screen.window.paused, "the last layout stays"
        assert screen.window.page is None
        hands.press("d")
        assert "next one" not in hands.screen


async def test_the_sheet_says_who_has_won_and_by_how_much(over: Snapshot) -> None:
    with table_on(over, 100, 40) as (hands, screen):
        totals = over.rounds[-1].totals
        lead = f"{max(totals) - min(totals):,}"
        assert f"with a lead of {lead} points." in hands.screen
        rows = [line for line in hands.screen.splitlines() if "█" in line or "░" in line]
        assert len([row for row in rows if row.strip(" │")[0] in "123"]) == 3
        hands.press("\r")
        assert screen.window.paused, "the last layout stays when the match is over"


async def test_fairness_is_said_only_where_the_audit_says_so(over: Snapshot) -> None:
    *before, last = over.rounds
    unchecked = evolve(last, fairness=Fairness(0, 0, 0, 0))
    exposed = evolve(over, exposed=Exposed(1, "R14", Sentence("A proof fails."), ()))
    for snapshot, told in (
        (over, True),
        (evolve(over, rounds=(*before, unchecked)), False),
        (exposed, False),
    ):
        with table_on(snapshot, 100, 40) as (hands, _):
            assert ("This deal was fair" in hands.screen) == told


async def test_a_key_that_the_footer_has_serves_while_the_sheet_is_open() -> None:
    table = table_of("canasta", stock="+100", step=Step.CUT)
    with table_on(snapshot_at("canasta", table)) as (hands, screen):
        sent: list[object] = []
        screen.window.controls.send = lambda *moves: sent.extend(moves)
        hands.press("v")
        assert screen.window.page is Page.SHEET
        hands.press("c")
        assert screen.window.page is None
        assert len(sent) == 1


async def test_q_leaves_from_the_sheet_of_a_match_that_is_over(over: Snapshot) -> None:
    with table_on(over) as (hands, screen):
        left: list[AfterMatch] = []
        screen.window.controls.leave = left.append
        assert " q leave " in hands.screen.splitlines()[-1]
        hands.press("q")
        assert left == [AfterMatch.LEAVE]
