"""The linear mode: a line for each event, and a prompt at the end."""

import os
import random
from collections.abc import AsyncIterator
from functools import partial
from types import SimpleNamespace

import pytest
import trio
from attrs import evolve

from client.bots.eager import choose
from client.session.display.presenter import Presenter
from client.session.display.snapshot import AfterMatch, LogLine
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


async def test_a_hint_is_one_line_before_the_next_prompt() -> None:
    seat = PlainSeat.sit("canasta", 2, partial(choose, rng=random.Random(1)), seed=6)
    while not seat.chooses:
        seat.step(seat.others)
    written: list[str] = []

    async def typed() -> AsyncIterator[str]:
        yield "hint"
        with trio.move_on_after(PATIENCE):
            while "".join(written).count(PROMPT) < 3:  # the third one comes after the hint
                await trio.sleep(0.01)
        yield "quit"

    linear = LinearTable(UNICODE, typed(), written.append)
    linear.show(snapshot_of(seat))
    await linear.run()
    heard = "".join(written).split(PROMPT)[2]
    lines = heard.strip().splitlines()
    assert lines[0].startswith("Hint: ")
    assert len(lines) == 2, "the hint must be one line before the next prompt"


async def test_a_hint_that_lays_out_melds_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of("canasta", hands=["Kh Kd Ks 7c"], melds=[["9h 9d 9s"]])
    given = Hint(table.lay("Kh Kd Ks"), "meld Kh Kd Ks", "Why not.")
    monkeypatch.setattr(advice, "_found", lambda *_asked: given)
    written: list[str] = []

    async def typed() -> AsyncIterator[str]:
        yield "hint"
        with trio.move_on_after(PATIENCE):
            while "".join(written).count(PROMPT) < 3:  # the third one comes after the hint
                await trio.sleep(0.01)

    linear = LinearTable(UNICODE, typed(), written.append)
    linear.show(snapshot_at("canasta", table))
    assert await linear.run() is AfterMatch.LEAVE
    assert "".join(written).split(PROMPT)[2].splitlines() == [
        "Hint: meld K♥ K♦ K♠. Why not.",
        "Laid out: K♥ K♦ K♠.",
        "meld or discard",
    ]


async def test_the_prompt_comes_again_after_a_refusal() -> None:
    seat = PlainSeat.sit("canasta", 2, partial(choose, rng=random.Random(1)), seed=6)
    while not seat.chooses:
        seat.step(seat.others)
    written: list[str] = []
    linear = LinearTable(UNICODE, Typist(lambda _written: None), written.append)
    linear.show(snapshot_of(seat))
    asked = written[-1]
    written.clear()
    linear.refuse(IllegalMove("X10", "It is not your turn."))
    assert "".join(written) == f"\nIt is not your turn. [X10]\n{asked}"
    written.clear()
    linear.tell("Bruno is back.")
    assert "".join(written) == f"\nBruno is back.\n{asked}"


async def test_phrases_can_be_listed_and_said_in_lines() -> None:
    lines = iter(["say", "say 2", "say partner"])
    seat = PlainSeat.sit("canasta", 2, partial(choose, rng=random.Random(1)), seed=6)
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
    assert first == 60 + 2 - table._RECALLED


async def test_typed_bytes_are_joined_into_whole_lines() -> None:
    reading, writing = os.pipe()
    lines = TypedLines(reading)
    os.write(writing, b"dr")
    os.write(writing, "aw\ndiscard 7\N{BLACK HEART SUIT}\x1b[31m\r\nrest".encode())
    os.close(writing)
    assert [line async for line in lines] == ["draw", "discard 7\N{BLACK HEART SUIT}[31m", "rest"]
    os.close(reading)


async def test_typed_bytes_are_utf_8_if_nothing_else_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(encoding=None))
    reading, writing = os.pipe()
    os.write(writing, "Fermín\n".encode())
    os.close(writing)
    assert [line async for line in TypedLines(reading)] == ["Fermín"]
    os.close(reading)


async def test_a_closed_terminal_gives_no_lines() -> None:
    reading, writing = os.pipe()
    os.close(writing)
    os.close(reading)
    assert [line async for line in TypedLines(reading)] == []


async def test_after_a_cancelled_reader_the_next_one_gets_the_line() -> None:
    reading, writing = os.pipe()
    lines = TypedLines(reading)
    async with beside(partial(anext, lines)):
        await trio.testing.wait_all_tasks_blocked()
    os.write(writing, b"ready\n")
    assert await anext(lines) == "ready"
    os.close(writing)
    os.close(reading)


async def test_lines_typed_ahead_go_to_the_next_reader() -> None:
    reading, writing = os.pipe()
    lines = TypedLines(reading)
    os.write(writing, b"one\ntwo\n")
    os.close(writing)
    async for line in lines:
        assert line == "one"
        break
    assert [line async for line in lines] == ["two"]
    os.close(reading)
