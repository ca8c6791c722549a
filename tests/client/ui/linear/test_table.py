"""The linear mode: a line for each event, and a prompt at the end."""

import os
import random
from collections.abc import AsyncIterator
from functools import partial

import pytest
import trio
from attrs import evolve

from client.bots.eager import choose
from client.i18n.language import choose_language
from client.session.display.presenter import Presenter
from client.session.display.snapshot import AfterMatch, LogLine, Snapshot
from client.ui.linear.table import PROMPT, LinearTable
from client.ui.text.events import log_lines
from client.ui.tui.terminal.typed_lines import TypedLines
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE
from engine.turn import Step
from p2p.background_task import beside
from p2p.table.asides import AsideCode, Asides
from tests.client.plain_seat import PlainSeat, snapshot_at, snapshot_of
from tests.client.terminals import Typed
from tests.client.ui.linear.typists import Script, Typist, typed_session
from tests.client.ui.tui.situations import alone, waiting
from tests.engine.positions import table_of


async def test_every_line_of_an_evening_is_whole() -> None:
    others = partial(choose, rng=random.Random(4))
    seat = PlainSeat.sit("canasta", 2, others, seed=6)
    written = await typed_session(seat, Script(seat, random.Random(9)), ASCII)
    assert written.isascii()
    for line in written.splitlines():
        assert not line.startswith(PROMPT), "a prompt says what it asks for"
        assert line.count(PROMPT) <= 1


async def answers(*lines: str) -> str:
    """Return the text written after the lines, typed at a table in the middle of a round."""
    table = table_of(
        "canasta",
        hands=["7h 7d 7s Kc Ks 2h"],
        pile="5h",
        melds=[["9h 9d 9s"], ["Qh Qd Qs"]],
        step=Step.PLAY,
    )
    left = list(lines)
    typist = Typist(lambda _written: left.pop(0) if left else None)
    linear = LinearTable(UNICODE, typist, typist.write)
    linear.show(snapshot_at("canasta", table))
    await linear.run()
    return typist.written


async def test_the_table_is_told_in_lines() -> None:
    written = await answers("table", "hand", "quit")
    assert "Clockwise from your left: Bruno 0 cards, Carla (partner) 0 cards" in written
    assert "Diego 0 cards." in written
    assert "20 cards in the stock; 5♥ on a pile of 1; free." in written
    assert "Ana & Carla 0; 1: 9♥ 9♦ 9♠." in written
    assert "Your hand, 6 cards: 7♠ 7♥ 7♦ K♠ K♣ 2♥." in written


async def test_a_hint_is_one_line_before_the_next_prompt() -> None:
    seat = PlainSeat.sit("canasta", 2, partial(choose, rng=random.Random(1)), seed=6)
    while not seat.chooses:
        seat.step(seat.others)
    written: list[str] = []

    async def typed() -> AsyncIterator[str]:
        yield "hint"
        while "".join(written).count(PROMPT) < 3:  # the third one comes after the hint
            await trio.sleep(0.01)
        yield "quit"

    linear = LinearTable(UNICODE, typed(), written.append)
    linear.show(snapshot_of(seat))
    await linear.run()
    heard = "".join(written).split(PROMPT)[2]
    lines = heard.strip().splitlines()
    assert lines[0].startswith("Hint: ")
    assert len(lines) == 2, "and the next prompt"


async def test_phrases_are_listed_and_said_in_lines() -> None:
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
        await table.run()
    assert "Bruno says “Good luck!”.\n" in typist.written
    assert "\n2 " in typist.written
    assert "Ana says “One moment, please.”.\n" in typist.written
    assert "Type it like this: say 1." in typist.written


async def test_it_is_said_once_that_somebody_has_left() -> None:
    waits = waiting(alone(1, 3, 73, linked=False, left=True))
    gone = LogLine("has left the table", "Bruno", aside=True)
    written: list[str] = []
    linear = LinearTable(UNICODE, Typed(("quit",)), written.append)
    linear.show(evolve(waits, absence=None))
    linear.show(evolve(waits, log=(*waits.log, gone), said=waits.said + 1))
    assert "".join(written).count("Bruno has left the table.") == 1


async def test_a_page_has_a_line_for_each_sentence_and_no_rules() -> None:
    """A terminal breaks them at its own width; broken before, they would be ragged."""
    log = (LogLine("round 1", heading=True), LogLine("goes out", "Bruno"))
    waits = evolve(waiting(alone(1, 200, 0, linked=False)), log=log, said=2)
    written: list[str] = []
    linear = LinearTable(UNICODE, Typed(("away", "log", "quit")), written.append)
    linear.show(waits)
    await linear.run()
    lines = "".join(written).split("\n")
    assert any(
        line.startswith("The table has waited for Bruno for 3:20. That machine cannot be reached.")
        and line.endswith("You others may decide how to go on.")
        for line in lines
    )
    assert any("A wish binds nobody" in line and "Then it is final." in line for line in lines)
    assert any(line.endswith("> round 1") for line in lines)
    assert not any("──" in line for line in lines)


async def test_what_is_laid_out_is_said_and_refusals_with_their_clause() -> None:
    written = await answers("meld 7 7 7", "meld K K", "add 2 to 9", "undo", "fly", "quit")
    assert written.count("Laid out: 7♠ 7♥ 7♦.") == 1, "once, and not after each line"
    assert "A meld has at least three cards. [C25]" in written
    assert "There is no meld 9 on your side." in written
    assert "There is no command fly." in written


async def test_a_hand_without_cards_is_said_to_be_empty() -> None:
    typist = Typist(lambda _written: None if "empty" in _written else "hand")
    table = LinearTable(UNICODE, typist, typist.write)
    table.show(snapshot_at("canasta", table_of("canasta", stock="+100", step=Step.CUT)))
    await table.run()
    assert "Your hand is empty.\n" in typist.written


async def test_help_and_moves_tell_what_can_be_typed() -> None:
    written = await answers("help", "moves", "sheet", "hands", "fair", "?", "quit")
    assert "quit: leave the table" in written
    assert "\nmeld 7d 7h 7s\n" in written
    assert "No round has been counted yet." in written


@pytest.mark.parametrize(
    ("language", "word", "told"),
    [("es", "ayuda", "ayuda dice cuáles hay."), ("pt", "ajuda", "ajuda mostra quais existem.")],
)
async def test_the_help_is_named_by_the_word_that_asks_for_it(
    language: str, word: str, told: str
) -> None:
    choose_language(language)
    written = await answers(word, "quit")
    assert told in written
    assert f"\n{word}: " in written


async def test_lines_come_whole_however_the_bytes_come() -> None:
    reading, writing = os.pipe()
    lines = TypedLines(reading)
    os.write(writing, b"dr")
    os.write(writing, "aw\ndiscard 7\N{BLACK HEART SUIT}\x1b[31m\r\nrest".encode())
    os.close(writing)
    assert [line async for line in lines] == ["draw", "discard 7\N{BLACK HEART SUIT}[31m"]
    os.close(reading)


async def test_a_line_that_a_cancelled_reader_has_waited_for_comes_to_the_next() -> None:
    reading, writing = os.pipe()
    lines = TypedLines(reading)
    async with beside(partial(anext, lines)):
        await trio.testing.wait_all_tasks_blocked()
    os.write(writing, b"ready\n")
    assert await anext(lines) == "ready"
    os.close(writing)
    os.close(reading)


async def ended(*lines: str) -> tuple[AfterMatch, str]:
    """Return the wish that the lines express when the match is over, and the text written."""
    others = partial(choose, rng=random.Random(4))
    seat = PlainSeat.sit("canastra", 2, others, seed=6)
    while not seat.state.match.over:
        seat.step(others)
    left = list(lines)
    typist = Typist(lambda _written: left.pop(0) if left else None)
    linear = LinearTable(UNICODE, typist, typist.write, (AfterMatch.AGAIN, AfterMatch.OTHER_SEATS))
    linear.show(Snapshot(seat.state, seat.view, 0, chooses=False))
    return await linear.run(), typist.written


@pytest.mark.parametrize(
    ("line", "choice"),
    [
        ("again", AfterMatch.AGAIN),
        ("seats", AfterMatch.OTHER_SEATS),
        ("quit", AfterMatch.LEAVE),
        ("fly", AfterMatch.LEAVE),
    ],
)
async def test_a_word_wishes_for_a_rematch_when_the_match_is_over(
    line: str, choice: AfterMatch
) -> None:
    wished, written = await ended(line)
    assert wished is choice
    assert "again: a rematch" in written


async def test_no_rematch_in_the_middle_of_a_match() -> None:
    assert "The match is not over yet." in await answers("again", "quit")


async def test_lines_typed_ahead_serve_the_next_reader_too() -> None:
    reading, writing = os.pipe()
    lines = TypedLines(reading)
    os.write(writing, b"one\ntwo\n")
    os.close(writing)
    async for line in lines:
        assert line == "one"
        break
    assert [line async for line in lines] == ["two"]
    os.close(reading)
