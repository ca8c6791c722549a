"""The linear mode: a line for each event, and a prompt at the end."""

import os
import random
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from types import SimpleNamespace

import pytest
import trio
from attrs import evolve

from client.bots.eager import choose
from client.session.display.presenter import Presenter
from client.session.display.snapshot import AfterMatch, LogLine, Snapshot
from client.ui.linear import table
from client.ui.linear.table import PROMPT, LinearTable
from client.ui.model.commands import advice
from client.ui.model.hint import Hint
from client.ui.text.events import log_lines
from client.ui.tui.terminal.typed_lines import TypedLines
from client.ui.tui.toolkit.glyphs import UNICODE
from engine.errors import IllegalMove
from p2p.background_task import beside
from p2p.table.asides import AsideCode, Asides
from tests.client.plain_seat import PlainSeat, snapshot_at, snapshot_of
from tests.client.ui.linear.typists import Typist
from tests.client.ui.tui.round_ends import begun
from tests.engine.positions import table_of
from tests.patience import PATIENCE


def seated() -> PlainSeat:
    return PlainSeat.sit("canasta", 2, partial(choose, rng=random.Random(1)), seed=6)


def choosing() -> Snapshot:
    seat = seated()
    while not seat.chooses:
        seat.step(seat.others)
    return snapshot_of(seat)


@pytest.mark.parametrize("lays", [False, True])
async def test_a_hint_is_told_in_lines_before_the_next_prompt(
    lays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the hint lays out melds, a second line names them."""
    table = table_of("canasta", hands=["Kh Kd Ks 7c"], melds=[["9h 9d 9s"]])
    given = Hint(table.lay("Kh Kd Ks"), "meld Kh Kd Ks", "Why not.")
    written: list[str] = []

    async def typed() -> AsyncIterator[str]:
        yield "hint"
        with trio.move_on_after(PATIENCE):
            while "".join(written).count(PROMPT) < 3:  # the third one comes after the hint
                await trio.sleep(0.01)

    if lays:
        monkeypatch.setattr(advice, "_found", lambda *_asked: given)
    linear = LinearTable(UNICODE, typed(), written.append)
    linear.show(snapshot_at("canasta", table) if lays else choosing())
    assert await linear.run() is AfterMatch.LEAVE
    lines = "".join(written).split(PROMPT)[2].strip().splitlines()
    assert lines[0].startswith("Hint: ")
    laid_out = ["Hint: meld K♥ K♦ K♠. Why not.", "Laid out: K♥ K♦ K♠.", "meld or discard"]
    assert lines == laid_out if lays else len(lines) == 2


async def test_the_prompt_comes_again_after_a_refusal() -> None:
    written: list[str] = []
    linear = LinearTable(UNICODE, Typist(lambda _written: None), written.append)
    linear.show(choosing())
    asked = written[-1]
    written.clear()
    linear.refuse(IllegalMove("X10", "It is not your turn."))
    linear.tell("Bruno is back.")
    told = ("It is not your turn. [X10]", "Bruno is back.")
    assert "".join(written) == "".join(f"\n{one}\n{asked}" for one in told)


async def test_phrases_can_be_listed_and_said_in_lines() -> None:
    lines = iter(["say", "say 2", "say partner"])
    seat = seated()
    typist = Typist(lambda _written: next(lines, None))
    table = LinearTable(UNICODE, typist, typist.write, speaks=True)
    asides = Asides(0, lambda _code: None, lambda: False)
    presenter = Presenter(seat, table, partial(log_lines, symbols=True), None, asides)
    async with beside(presenter.run):
        await trio.testing.wait_all_tasks_blocked()
        seat.run()
        await trio.testing.wait_all_tasks_blocked()
        asides.hear(1, AsideCode.GOOD_LUCK)
        with trio.fail_after(PATIENCE):
            await table.run()
    assert "Bruno says “Good luck!”.\n" in typist.written
    assert "\n2 " in typist.written
    assert "Ana says “One moment, please.”.\n" in typist.written
    assert "Type it like this: say 1." in typist.written


async def test_the_lines_begin_with_the_first_news_of_the_table() -> None:
    written: list[str] = []
    linear = LinearTable(UNICODE, Typist(lambda _written: None), written.append)
    async with beside(linear.run):
        await trio.testing.wait_all_tasks_blocked()
        assert "".join(written) == "Type a command and press Enter; help lists the commands.\n"
        linear.show(snapshot_at("canasta", table_of("canasta", hands=["7h 7d"])))
        await trio.testing.wait_all_tasks_blocked()
    assert "".join(written).endswith(PROMPT)


async def test_a_resumed_table_repeats_its_newest_lines_without_old_sheets() -> None:
    events = tuple(LogLine(f"draws {number}", "Carla") for number in range(60))
    log = (*events, LogLine("round 3", heading=True), LogLine("draws", "Diego"))
    written: list[str] = []
    linear = LinearTable(UNICODE, Typist(lambda _written: None), written.append)
    for said in (len(log), len(log) + 1):
        snapshot = evolve(begun(), chooses=False, log=(*log, LogLine("draws", "Ana")), said=said)
        linear.show(evolve(snapshot, log=snapshot.log[:said]))
    lines = "".join(written).splitlines()
    first = next(int(line.split()[2].rstrip(".")) for line in lines if line.startswith("Carla"))
    assert lines[: 60 - first] == [f"Carla draws {number}." for number in range(first, 60)]
    assert lines[60 - first :][:2] == ["Round 3.", "Diego draws."]
    assert lines[-1] == "Ana draws."
    # The last recalled lines are the heading and the line about Diego.
    assert first == 60 + 2 - table._RECALLED


# -- typed bytes


Pipe = tuple[TypedLines, Callable[[bytes], int], Callable[[], None]]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    """Return typed lines, and functions that type bytes and that close the terminal."""
    reading, writing = os.pipe()
    terminal = os.fdopen(writing, "wb", buffering=0)
    yield TypedLines(reading), partial(os.write, writing), terminal.close
    terminal.close()
    os.close(reading)


async def test_typed_bytes_are_joined_into_whole_lines(pipe: Pipe) -> None:
    lines, typed, close = pipe
    typed(b"dr")
    typed("aw\ndiscard 7\N{BLACK HEART SUIT}\x1b[31m\r\nrest".encode())
    close()
    assert [line async for line in lines] == ["draw", "discard 7\N{BLACK HEART SUIT}[31m", "rest"]


async def test_typed_bytes_are_utf_8_if_nothing_else_is_known(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, typed, close = pipe
    monkeypatch.setattr("sys.stdin", SimpleNamespace(encoding=None))
    typed("Fermín\n".encode())
    close()
    assert [line async for line in lines] == ["Fermín"]


async def test_a_closed_terminal_gives_no_lines() -> None:
    reading, writing = os.pipe()
    os.close(writing)
    os.close(reading)
    assert [line async for line in TypedLines(reading)] == []


async def test_after_a_cancelled_reader_the_next_one_gets_the_line(pipe: Pipe) -> None:
    lines, typed, _close = pipe
    async with beside(partial(anext, lines)):
        await trio.testing.wait_all_tasks_blocked()
    typed(b"ready\n")
    assert await anext(lines) == "ready"


async def test_lines_typed_ahead_go_to_the_next_reader(pipe: Pipe) -> None:
    lines, typed, close = pipe
    typed(b"one\ntwo\n")
    close()
    async for line in lines:
        assert line == "one"
        break
    assert [line async for line in lines] == ["two"]
