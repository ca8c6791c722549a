"""The background colour of a terminal, from the environment or from the terminal's answer."""

import os
import select
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from client.ui.tui.terminal import background
from client.ui.tui.terminal.background import lightness, told_by_environment, told_by_terminal

pty = pytest.importorskip("pty", reason="only POSIX has pseudo-terminals")
termios = pytest.importorskip("termios")

ATTRIBUTES = b"\x1b[?62;22c"


def test_the_answer_of_a_terminal_is_parsed() -> None:
    for answer, told in (
        *(("rgb:ffff/ffff/ffff\x1b\\", "light"), ("rgb:fd/f6/e3\x07", "light")),
        *(("rgb:8/8/8\x07", "light"), ("rgb:7/7/7\x07", "dark"), ("rgb:8/8/1\x07", "dark")),
        *(("rgb:7f/7f/7f\x07", "dark"), ("rgb:00/ff/00\x07", "light")),
        *(("rgb:ff/00/ff\x07", "dark"), ("rgb:ff/80/00\x07", "light")),
        *(("rgb:0000/0000/0000\x1b\\", "dark"), ("rgb:zz/00/00\x1b\\", "")),
        ("rgba:1c1c/1c1c/1c1c/ffff\x1b\\", "dark"),
    ):
        assert lightness(b"\x1b]11;" + answer.encode() + ATTRIBUTES) == told, answer
    assert lightness(ATTRIBUTES + ATTRIBUTES) == lightness(ATTRIBUTES) == ""


def test_the_environment_can_tell_the_background() -> None:
    for told, values in (
        ("dark", ("15;0", "6", "8", "16", "100")),
        ("light", ("0;15", "0;default;15", "7", "9")),
        ("", ("", "x;y", "1000", "\u0667")),
    ):
        assert {told_by_environment(value) for value in values} == {told}


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    master, slave = pty.openpty()
    yield master, slave
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize(
    ("answer", "told"),
    [(b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\" + ATTRIBUTES, "light"), (ATTRIBUTES, "")],
)
def test_asking_a_terminal_leaves_it_unchanged(
    terminal: tuple[int, int], answer: bytes, told: str
) -> None:
    master, slave = terminal
    before = termios.tcgetattr(slave)

    def reply() -> None:
        while not os.read(master, 100).endswith(b"c"):
            pass
        os.write(master, answer)

    thread = threading.Thread(target=reply)
    thread.start()
    assert told_by_terminal(slave, slave, seconds=10) == told
    thread.join()
    assert termios.tcgetattr(slave) == before


def test_the_terminal_is_asked_only_if_the_environment_tells_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[int, int]] = []

    def told(reading: int, writing: int) -> str:
        asked.append((reading, writing))
        return "light"

    monkeypatch.setattr(background, "told_by_terminal", told)
    monkeypatch.setattr("sys.stdin.fileno", lambda: 10)
    monkeypatch.setattr("sys.stdout.fileno", lambda: 11)
    for value, found in (("15;0", "dark"), ("", "light")):
        assert not asked
        monkeypatch.setenv("COLORFGBG", value)
        background.background.cache_clear()
        assert background.background() == found
    assert asked == [(10, 11)]
    background.background.cache_clear()


def test_an_answer_is_awaited_until_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 7.0)
    reading, writing = os.pipe()
    os.write(writing, ATTRIBUTES)
    waits: list[object] = []

    def wait(*given: list[int]) -> tuple[list[int], ...]:
        assert not waits, "the program waits although the answer is complete"
        waits.append(given)
        return given[:3]

    with monkeypatch.context() as once:
        once.setattr("select.select", wait)
        assert background._answer(reading, 1.0) == ATTRIBUTES
    assert waits == [([reading], [], [], 1.0)]
    os.write(writing, ATTRIBUTES)
    assert background._answer(reading, 0.0) == b""
    assert os.read(reading, 100) == ATTRIBUTES
    os.write(writing, (background._LONGEST + 1) * b"x")
    assert background._answer(reading, 1.0) == background._LONGEST * b"x"
    os.close(writing)
    os.close(reading)


def test_a_silent_terminal_gives_no_answer(terminal: tuple[int, int]) -> None:
    _master, slave = terminal
    assert told_by_terminal(slave, slave, seconds=0) == ""


def test_typed_ahead_input_is_kept_and_the_terminal_is_not_asked(
    terminal: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    master, slave = terminal
    wait = select.select
    seconds: list[float] = []

    def noted(*given: Any) -> Any:
        seconds.append(given[3])
        return wait(*given)

    monkeypatch.setattr("select.select", noted)
    os.write(master, b"d\n")
    assert told_by_terminal(slave, slave, seconds=10) == ""
    assert os.read(slave, 10) == b"d\n"
    assert seconds == [0], "the program must look for typed input without waiting"
