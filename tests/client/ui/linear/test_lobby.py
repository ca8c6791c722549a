"""A lobby in lines: behaviour that the scenes do not show."""

import pytest
import trio
from attrs import evolve
from trio.testing import MockClock

from client.session.display.lobby_interface import News
from client.ui.linear.lobby import LobbyLines
from protocol.errors import LocalError
from tests.client.lobby_snapshots import lobby_at
from tests.client.terminals import Typed


async def test_a_lobby_raises_an_error_when_its_input_ends() -> None:
    written: list[str] = []
    with pytest.raises(LocalError, match=r"The input has ended before .*--autoplay"):
        await LobbyLines(written.append, Typed(())).run()


async def test_before_the_first_news_a_lobby_gives_help_but_nothing_can_be_decided() -> None:
    written: list[str] = []
    lines = LobbyLines(written.append, Typed(("ready", "send away Bo", "quit", "ready")))
    await lines.run()
    assert written[1] == "That cannot be done now."
    assert written[2].startswith("ready: ")
    assert written[-1] == "quit: leave the lobby"
    assert not [line for line in written if "NAME" in line], "only a host can send guests away"


async def test_the_lobby_prints_every_line_of_news() -> None:
    """A lobby keeps only the newest lines, but lines that come together are all shown."""
    written: list[str] = []
    display, news, lines = LobbyLines(written.append), News(), [f"News {n}." for n in range(120)]
    for number, line in enumerate(lines):
        news = news.and_then(line)
        if number % 3 == 0:
            display.show(evolve(lobby_at(False), news=news))
    display.show(evolve(lobby_at(False), news=news))
    assert [line for line in written if line.startswith("News")] == lines
    assert len(news.lines) < 120


def test_the_host_reads_how_to_admit_the_next_visitor() -> None:
    written: list[str] = []
    both, display = lobby_at(True, knocking=("Eve", "Zoe")), LobbyLines(written.append)
    assert both.lobby_state is not None
    for place in (slice(1), slice(1, 2)):
        knocking = both.lobby_state.knocking[place]
        display.show(evolve(both, lobby_state=evolve(both.lobby_state, knocking=knocking)))
    told = [line for line in written if "who knocked first" in line]
    assert [line.removeprefix("Type let in or send away to answer ") for line in told] == [
        "Eve, who knocked first.",
        "Zoe, who knocked first.",
    ]


async def test_a_lobby_without_typed_lines_runs_until_cancelled(autojump_clock: MockClock) -> None:
    with trio.move_on_after(100) as waiting:
        await LobbyLines(lambda _line: None).run()
    assert waiting.cancelled_caught
