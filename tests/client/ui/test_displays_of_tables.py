"""The displays of tables: what they are given, and what a bot's display tells beside the play."""

from functools import partial
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from client.session.display.snapshot import AfterMatch
from client.ui import session_displays
from client.ui.model.hint import Hints
from client.ui.model.pages import Page
from client.ui.session_displays import PersonDisplay, ProgramDisplay, show_table
from client.ui.text.console import Console
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.sentences import Sentence
from p2p.background_task import beside
from p2p.table.asides import AsideCode
from protocol.errors import Exposed
from tests.client.plain_seat import state_of
from tests.client.terminals import Typed, plain_look

SCREEN = plain_look()._replace(hints="never")
LINES = SCREEN._replace(lines=Typed(()))


def node(**more: Any) -> Any:
    """Return a stand-in for the node of player 0 at a table of three."""
    state = state_of("canasta", 3)
    facts = {"state": state, "charter": state.charter, "me": 0, "height": 0, "asides": "asides"}
    return SimpleNamespace(**{**facts, **more})


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of the lines that a display writes."""
    lines: list[str] = []
    monkeypatch.setattr(TerminalLook, "say", lambda _look, line: lines.append(line))
    return lines


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Replace `show_table`, and return the list of its arguments."""
    calls: list[tuple[Any, ...]] = []

    async def show(*arguments: Any, **named: Any) -> AfterMatch:
        calls.append((*arguments[2:], *named.items()))
        return AfterMatch.AGAIN

    monkeypatch.setattr(session_displays, "show_table", show)
    return calls


async def test_people_compare_words_once_and_can_talk_unless_all_others_are_bots(
    shown: list[tuple[Any, ...]], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of words opens at height 0. Only the linear mode begins with lines."""

    def opening_lines(_node: object, *, alone: bool = False) -> list[str]:
        return [f"Welcome, alone: {alone}."]

    monkeypatch.setattr(session_displays, "opening_lines", opening_lines)
    choices = (AfterMatch.AGAIN,)
    for bots, height, opening, asides in (
        *(((), 0, Page.WORDS, "asides"), ((2,), 0, Page.WORDS, "asides"), ((), 5, None, "asides")),
        *(((1, 2), 0, None, None), ((1, 2), 5, None, None)),
    ):
        for look, lines in ((SCREEN, []), (LINES, [f"Welcome, alone: {bots == (1, 2)}."])):
            own_bots = partial(tuple, bots)
            chosen = await PersonDisplay(look).table(node(height=height), own_bots, choices)
            assert chosen is AfterMatch.AGAIN
            assert shown.pop() == (own_bots, choices, opening, asides)
            assert said == lines
            said.clear()


async def test_a_table_against_bots_offers_rematches_and_a_watched_table_nothing(
    shown: list[tuple[Any, ...]], said: list[str]
) -> None:
    assert await PersonDisplay(LINES).solo(node()) is AfterMatch.AGAIN
    assert shown.pop() == (("choices", (AfterMatch.AGAIN, AfterMatch.OTHER_SEATS)),)
    assert said == []
    for look in (SCREEN, LINES):
        await PersonDisplay(look).watch(node(), "asides")  # type: ignore[arg-type]
        assert shown.pop() == (("asides", "asides"), ("watching", True))
    assert said == ["You watch. Canasta. At the table: Ana, Bruno and Carla."]


class Display:
    """A stand-in for the display of a table."""

    redraw = "redraw"

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self.made: list[tuple[Any, ...]] = [(*arguments, *named.items())]
        self.controls = SimpleNamespace(hints=None, own_review="none")

    async def run(self) -> AfterMatch:
        await wait_all_tasks_blocked()
        self.made.append((self.controls.hints, self.controls.own_review))
        return AfterMatch.OTHER_SEATS


class OnScreen(Display):
    """A stand-in for the whole screen."""


class InLines(Display):
    """A stand-in for the linear mode."""


class Presented:
    """A stand-in for the presenter of a display, which is cancelled when the person leaves."""

    newest: "Presented"

    def __init__(self, _seat: object, display: Display, narrate: Any, *given: Any) -> None:
        self.display, self.narrate, self.given, self.cancelled = display, narrate, given, False
        Presented.newest = self

    async def run(self) -> None:
        try:
            await trio.sleep_forever()
        finally:
            self.cancelled = True


@pytest.mark.parametrize("look", [SCREEN, LINES])
async def test_a_display_knows_who_may_speak_and_who_may_review(
    monkeypatch: pytest.MonkeyPatch, look: TerminalLook
) -> None:
    monkeypatch.setattr(session_displays, "TableScreen", OnScreen)
    monkeypatch.setattr(session_displays, "LinearTable", InLines)
    monkeypatch.setattr(session_displays, "Presenter", Presented)
    for asides, watching, lesson, speaks, reviews in (
        *(("asides", False, None, True, True), ("asides", True, None, False, False)),
        *((None, False, None, False, True), (None, False, "lesson", False, False)),
    ):
        given: Any = {"asides": asides, "watching": watching, "lesson": lesson}
        choice = await show_table(node(), look, None, (), Page.WORDS, **given)
        assert choice is AfterMatch.OTHER_SEATS
        presented = Presented.newest
        assert presented.given == (None, asides, watching, lesson)
        assert presented.narrate.keywords == {"symbols": True}
        assert presented.cancelled
        made, (hints, own) = presented.display.made
        assert isinstance(presented.display, OnScreen if look is SCREEN else InLines)
        assert (made[-1], hints) == (("speaks", speaks), Hints.NEVER)
        assert (own is not None) is reviews
        if own is not None:
            assert not own.wanted, "the review ends with the table"
            assert (own.redraw == "redraw") is (look is SCREEN)


class Heard:
    """Phrases that were heard, one after the other, and then nothing."""

    async def listen(self) -> Any:
        for player, code in ((1, AsideCode.THANK_YOU), (0, AsideCode.GOOD_LUCK)):
            yield SimpleNamespace(player=player, code=code)
        await trio.sleep_forever()


async def test_the_display_of_a_bot_tells_each_cheat_trouble_and_phrase_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, other = Sentence("No room."), Sentence("No lock.")
    table = node(
        asides=Heard(),
        exposed_players=frozenset[int](),
        exposed=None,
        trouble=None,
        going_on=SimpleNamespace(is_sure=True),
        progress=trio.Event(),
    )
    told, sat, ended, choices = StringIO(), [], trio.Event(), []

    async def sit_in(_node: object, opponent: object) -> None:
        sat.append(opponent)
        await trio.sleep_forever()

    async def bot_table(_node: object, _console: Console) -> None:
        await ended.wait()

    for name, stand_in in (
        ("opening_lines", lambda _node: ["Welcome."]),
        ("sit_in", sit_in),
        ("show_bot_table", bot_table),
        ("opponent_at_table", lambda *asked: asked),
    ):
        monkeypatch.setattr(session_displays, name, stand_in)

    async def happens(**news: Any) -> str:
        table.__dict__.update(news)
        progress, table.progress = table.progress, trio.Event()
        progress.set()
        await wait_all_tasks_blocked()
        lines = told.getvalue()
        told.seek(told.truncate(0))
        return lines.removesuffix("\n")

    async def play() -> None:
        display = ProgramDisplay(Console(told), "eager", 7)
        choices.append(await display.table(table, lambda: (), ()))

    sure, unsure = (SimpleNamespace(is_sure=is_sure) for is_sure in (True, False))
    cheat = Exposed(1, "R8", Sentence("Two locks."), ())
    async with beside(play):
        await wait_all_tasks_blocked()
        assert await happens() == 'Welcome.\nBruno says "Thank you!"'
        for news, expected in (
            ({}, ""),
            ({"trouble": one}, "No room."),
            ({"trouble": one}, ""),
            ({"trouble": other, "going_on": unsure}, ""),
            ({"going_on": sure}, "No lock."),
            ({"trouble": None}, ""),
            ({"trouble": other}, "No lock."),
            ({"exposed_players": frozenset({2})}, "Carla has cheated."),
            ({}, ""),
            (
                {"exposed_players": frozenset({2, 1}), "exposed": cheat},
                "Bruno has signed what exposes them: Two locks. Carla has cheated.",
            ),
        ):
            assert await happens(**news) == expected
        ended.set()
        await wait_all_tasks_blocked()
    assert choices == [AfterMatch.LEAVE]
    assert sat == [("eager", "canasta", "7")]
