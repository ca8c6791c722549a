"""Signals, and the end of a command: by itself, by an error or by a signal."""

import signal
import sys
from pathlib import Path
from typing import Any

import pytest
import trio

from client.session.ending_signals import Interrupted, answered
from client.session.loopback_table import newest_match, restore_all
from client.session.run_until_signal import at_a_signal, run_trio, until_signalled
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.journal_file import JournalError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="raises signals of POSIX")


async def raises(error: BaseException) -> int:
    await trio.lowlevel.checkpoint()
    raise error


ONE, TWO = KeyError("one"), ValueError("two")


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (ONE, ONE),
        (ExceptionGroup("a", [ONE]), ONE),
        (ExceptionGroup("a", [ExceptionGroup("b", [ONE])]), ONE),
        (ExceptionGroup("a", [ExceptionGroup("b", [ONE, TWO])]), "b"),
        (ExceptionGroup("a", [ONE, TWO]), "a"),
    ],
)
def test_a_single_error_is_raised_without_its_groups(error: Exception, raised: object) -> None:
    with pytest.raises(type(error) if isinstance(raised, str) else type(ONE)) as caught:
        run_trio(raises, error)
    if isinstance(raised, str):
        assert isinstance(caught.value, ExceptionGroup)
        assert caught.value.message == raised
    else:
        assert caught.value is raised


def test_a_command_returns_its_code() -> None:
    async def command(code: int) -> int:
        await trio.lowlevel.checkpoint()
        return code

    assert [run_trio(command, code) for code in (0, 3)] == [0, 3]


async def test_a_function_may_return_nothing() -> None:
    async def nothing() -> None:
        await trio.lowlevel.checkpoint()

    await until_signalled(nothing)


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_at_a_signal_only_the_goodbyes_of_open_blocks_are_said(
    number: signal.Signals,
) -> None:
    said: list[str] = []

    def goodbye(name: str) -> Any:
        async def say() -> None:
            await trio.lowlevel.checkpoint()
            said.append(name)

        return say

    async def command() -> None:
        with at_a_signal(goodbye("one")):
            with at_a_signal(goodbye("two")):
                await trio.lowlevel.checkpoint()
            with at_a_signal(goodbye("three")):
                signal.raise_signal(number)
                signal.raise_signal(number)  # a second signal changes nothing
                await trio.sleep(60)

    began = trio.current_time()
    with pytest.raises(Interrupted):
        await until_signalled(command)
    assert sorted(said) == ["one", "three"]
    assert trio.current_time() == began


async def test_a_goodbye_outside_of_any_command_is_never_said() -> None:
    async def goodbye() -> None:
        raise AssertionError("nobody is here")

    with at_a_signal(goodbye):
        await trio.lowlevel.checkpoint()


async def test_the_progress_of_all_nodes_is_counted_together() -> None:
    class Node:
        """A stand-in for a node, which restores four entries in two steps."""

        async def restore(self, progress: Any) -> None:
            await trio.lowlevel.checkpoint()
            progress(1, 4)
            progress(4, 4)

    nodes: Any = [Node(), Node(), Node()]
    told: list[tuple[int, int]] = []
    await restore_all(nodes, lambda done, total: told.append((done, total)))
    assert told == [(1, 12), (4, 12), (5, 12), (8, 12), (9, 12), (12, 12)]


def test_a_journal_without_a_match_cannot_be_resumed(tmp_path: Path) -> None:
    with (
        Journal.open(tmp_path / JOURNAL_FILE) as journal,
        pytest.raises(JournalError, match="No table was begun here"),
    ):
        newest_match(journal)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"])
def test_every_ending_signal_of_the_system_has_a_handler(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGBREAK exists only on Windows. Here SIGUSR1 stands for it."""
    if name == "SIGBREAK":
        monkeypatch.setattr(signal, name, signal.SIGUSR1, raising=False)
    number = getattr(signal, name)
    before = signal.getsignal(number)
    answers: list[str] = []
    with answered(lambda: answers.append(name)):
        assert signal.getsignal(number) != before
        signal.raise_signal(number)
    assert answers == [name]
    assert signal.getsignal(number) == before
