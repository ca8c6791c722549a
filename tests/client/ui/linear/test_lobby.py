"""A lobby in lines: one for each event, and words that decide."""

from collections.abc import Sequence
from typing import Any

import pytest
import trio
from attrs import define, evolve, field
from trio.testing import MockClock, wait_all_tasks_blocked

from client.i18n.language import choose_language
from client.session.display.lobby_interface import (
    Action,
    LetIn,
    LobbyDecision,
    LobbySnapshot,
    News,
    SendAway,
)
from client.ui.linear.lobby import LobbyLines
from p2p.background_task import beside
from protocol.errors import LocalError
from protocol.words import words
from tests.client.lobbies import key_of, lobby_at


@define
class Typed:
    """Lines that are typed one after the other, each when all is quiet."""

    lines: Sequence[str]
    _left: list[str] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self._left = list(self.lines)

    def __aiter__(self) -> "Typed":
        return self

    async def __anext__(self) -> str:
        await wait_all_tasks_blocked()
        if not self._left:
            raise StopAsyncIteration
        return self._left.pop(0)


async def decided(snapshot: LobbySnapshot, *lines: str) -> tuple[list[LobbyDecision], list[str]]:
    """Return the decisions that the lines make in that lobby, and the text written."""
    written: list[str] = []
    display = LobbyLines(written.append, Typed((*lines, "quit")))
    display.show(snapshot)
    decisions: list[LobbyDecision] = []

    async def listen() -> None:
        while True:
            decisions.append(await display.decided())

    async with beside(listen):
        await display.run()
        await wait_all_tasks_blocked()
    return decisions, written


async def test_words_decide_and_leaving_ends_it() -> None:
    decisions, _ = await decided(lobby_at(False), "ready", "add", "quit", "add")
    assert decisions == [Action.READY, Action.ADD_OPPONENT]


async def test_a_lobby_without_anybody_who_types_is_no_success() -> None:
    written: list[str] = []
    with pytest.raises(LocalError, match=r"The input has ended before .*--autoplay\."):
        await LobbyLines(written.append, Typed(())).run()


async def test_who_knocks_is_told_to_all_and_the_host_is_asked() -> None:
    """Each gets a line, once; guests read it, and the host can answer."""
    at_the_door: dict[str, Any] = {"knocking": ("Eve", "Bruno"), "known": (11,)}
    decisions, written = await decided(lobby_at(False, **at_the_door), "let in", "send away")
    assert decisions == [LetIn((key_of(10),)), SendAway(key_of(10))]
    told = [line for line in written if "knocks" in line]
    assert told == [
        f"“Eve” ({' '.join(words(key_of(10)))}) knocks. You have not met them before.",
        f"“Bruno” ({' '.join(words(key_of(11)))}) knocks. You have played with them before.",
        "let in or send away: who knocks first is Eve.",
    ]
    decisions, written = await decided(lobby_at(False, False, me=1, **at_the_door), "let in")
    assert decisions == []
    assert sum("knocks" in line for line in written) == 2


async def test_the_host_decides_about_whom_they_name() -> None:
    """Two who knock with one name are told apart by the words of the key."""
    crowd = lobby_at(False, knocking=("Eve", "Bruno", "Bruno"))
    lines = ("let in eve", "send away Eve", f"let in {' '.join(words(key_of(12)))}", "let in Bruno")
    decisions, _ = await decided(crowd, *lines, "let everybody in")
    assert decisions == [
        LetIn((key_of(10),)),
        SendAway(key_of(10)),
        LetIn((key_of(12),)),
        LetIn((key_of(10), key_of(11), key_of(12))),
    ]


async def test_a_host_sends_away_who_sits_by_name_or_number() -> None:
    snapshot = lobby_at(False, False, True, True, names=("Ana", "Bruno", "José M", "Robot"))
    snapshot = evolve(snapshot, opponents=frozenset({key_of(3)}))
    lines = ("send away bruno", "send jose m", "send away 3", "send away 1", "send away Robot")
    decisions, written = await decided(snapshot, *lines)
    assert decisions == [SendAway(key_of(1)), SendAway(key_of(2)), SendAway(key_of(2))]
    assert any(line.startswith("send away NAME: ") for line in written)
    decisions, _ = await decided(evolve(snapshot, hosting=False), "send away bruno")
    assert decisions == []


async def test_words_may_be_those_of_the_person() -> None:
    choose_language("es")
    decisions, written = await decided(lobby_at(False), "listo", "salir")
    assert decisions == [Action.READY]
    assert any("La mesa «Kitchen» está abierta" in line for line in written)


async def test_what_cannot_be_done_is_said_and_what_can_be_typed_too() -> None:
    decisions, written = await decided(lobby_at(False, False, me=1), "add", "fly", "")
    assert decisions == []
    assert "That cannot be done now." in written
    assert any(line.startswith("ready: ") for line in written)


async def test_a_name_looks_like_no_two_and_like_no_state() -> None:
    names = ("Ana", "Eve (ready), Bruno", "Jose\u0301 d'Oc-2")
    _, written = await decided(lobby_at(False, False, True, game="kanastic", names=names))
    assert "3 of 4: Ana, “Eve (ready), Bruno” and Jose\u0301 d'Oc-2 (ready)." in " ".join(written)


async def test_only_news_are_told() -> None:
    written: list[str] = []
    display = LobbyLines(written.append)
    display.show(LobbySnapshot(key_of(0), hosting=True))
    display.show(lobby_at(False, seats=2, target=500))
    assert "The table “Kitchen” is open: Canasta, 2 seats." in written
    assert any(line.startswith("target: 500, usually 5,000.") for line in written)
    assert "sobremesa join 192.0.2.7:24815" in written
    told = len(written)
    display.show(lobby_at(False, seats=2, target=500))
    assert len(written) == told
    display.show(lobby_at(False, True, seats=2, target=500, news=("!! No.",)))
    assert written[told:] == [
        "2 of 2: Ana and Bruno (ready).",
        "!! No.",
        "All are here: say that you are ready.",
    ]


async def test_each_line_of_news_is_told_however_many_there_were() -> None:
    """A lobby keeps the newest ones only; those that come together are all told."""
    written: list[str] = []
    display, news, lines = LobbyLines(written.append), News(), [f"News {n}." for n in range(120)]
    for number, line in enumerate(lines):
        news = news.and_then(line)
        if number % 3 == 0:
            display.show(evolve(lobby_at(False), news=news))
    display.show(evolve(lobby_at(False), news=news))
    assert [line for line in written if line.startswith("News")] == lines
    assert len(news.lines) < 120


async def test_without_typed_lines_it_goes_on_until_it_is_stopped(
    autojump_clock: MockClock,
) -> None:
    with trio.move_on_after(100) as waiting:
        await LobbyLines(lambda _line: None).run()
    assert waiting.cancelled_caught


@pytest.mark.parametrize("line", ["\x1b[31m", "ready" * 1000, "ready now"])
async def test_nonsense_decides_nothing(line: str) -> None:
    decisions, _ = await decided(lobby_at(False), line)
    assert decisions == []
