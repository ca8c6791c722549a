"""Child processes: they finish all work, or an error tells why not."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from unittest.mock import MagicMock, Mock, call

import pytest

from client import child_processes
from client.child_processes import (
    Child,
    ProcessesDied,
    _answer,
    _serve,
    on_all_cores,
    readable,
    started,
)
from tests.patience import PATIENCE
from tests.protocol.played import played

COMMAND = Path(sys.executable).with_name("sobremesa")

posix = pytest.mark.skipif(os.name != "posix", reason="Windows has no such limits")


def double(number: int) -> int:
    return 2 * number


def refused(number: int) -> int:
    if number == 3:
        raise LookupError(f"there is no {number}")
    return number


def dies(_item: object) -> None:
    os._exit(1)


def function_of(number: int) -> object:
    return lambda: number


def test_results_come_in_the_order_of_the_items() -> None:
    counted: list[int] = []
    assert on_all_cores(double, range(9), on_done=counted.append, processes=3) == [*range(0, 18, 2)]
    assert counted == [*range(1, 10)]


class Worker:
    """A stand-in for a child process, which dies over the items in `deadly`."""

    def __init__(self, deadly: set[int]) -> None:
        self.deadly = deadly
        self.items: list[int] = []
        self.ended = False
        self.pipe = Mock(recv=self._answered)

    def send(self, item: int) -> bool:
        self.items.append(item)
        return True

    def end(self) -> None:
        assert not self.ended
        self.ended = True

    def _answered(self) -> tuple[int, None]:
        if self.items[-1] in self.deadly:
            raise EOFError
        return 2 * self.items[-1], None


@pytest.fixture
def starting(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Replace the function that starts a process: each call takes the next of its `side_effect`."""
    monkeypatch.setattr(child_processes, "readable", lambda children: children)
    monkeypatch.setattr(child_processes, "started", start := Mock())
    return start


@pytest.mark.parametrize(
    ("deadly", "items"),
    [
        ((set(), set(), set()), [[0, 3], [1], [2]]),
        ((set(), {1}, set()), [[0, 3], [1], [2, 1]]),
        # The first process dies over item 0, and the third over item 2.
        (({0}, set(), {2}), [[0], [1, 3, 0, 2], [2]]),
        (({3}, set(), set()), [[0, 3], [1], [2, 3]]),
        ((set(),), [[0, 1, 2, 3]]),  # the system starts one process only
    ],
)
def test_each_free_process_gets_the_next_item(
    deadly: tuple[set[int], ...], items: list[list[int]], starting: Mock
) -> None:
    """The item of a process that died is done last. All processes are ended."""
    workers = [*map(Worker, deadly)]
    starting.side_effect = [*workers, OSError("no more processes")]
    counted: list[int] = []
    assert on_all_cores(double, range(4), on_done=counted.append, processes=3) == [0, 2, 4, 6]
    assert counted == [1, 2, 3, 4]
    assert [worker.items for worker in workers] == items
    assert all(worker.ended for worker in workers)
    assert {one.args for one in starting.call_args_list} == {(_answer, double)}


@pytest.mark.parametrize(
    ("items", "cores", "processes", "started_ones"),
    [
        *[(4, 3, None, 3), (4, 9, None, 4), (4, 1, None, 0), (4, None, None, 0)],
        *[(4, 1, 2, 2), (4, 9, 1, 0), (1, 9, None, 0), (0, 9, None, 0)],
    ],
)
def test_there_are_as_many_processes_as_cores_or_items(
    items: int,
    cores: int | None,
    processes: int | None,
    started_ones: int,
    starting: Mock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Instead of one process alone, the program itself does the items, and counts them."""
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    starting.side_effect = lambda *_: Worker(set())
    counted: list[int] = []
    done = on_all_cores(double, range(items), on_done=counted.append, processes=processes)
    assert done == [*range(0, 2 * items, 2)]
    assert counted == [*range(1, items + 1)]
    assert starting.call_count == started_ones


def test_an_error_of_the_work_ends_all_processes(starting: Mock) -> None:
    starting.side_effect = workers = [Worker(set()), Worker(set())]
    workers[1].pipe.recv = lambda: (None, LookupError("there is no 1"))
    with pytest.raises(LookupError, match="there is no 1"):
        on_all_cores(double, range(4), processes=2)
    assert all(worker.ended for worker in workers)


def test_an_error_is_raised_if_no_process_starts_or_all_die(starting: Mock) -> None:
    starting.side_effect = OSError("too many")
    with pytest.raises(OSError, match="too many"):
        on_all_cores(double, range(4), processes=3)
    starting.side_effect = [Worker({0, 1}), Worker({0, 1})]
    with pytest.raises(ProcessesDied, match="Close other programs"):
        on_all_cores(double, range(3), processes=2)


def test_a_child_answers_each_item_until_its_pipe_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is for the program, which ends its children."""
    monkeypatch.setattr("signal.signal", handled := Mock())
    pipe = Mock(recv=Mock(side_effect=[3, 4, EOFError]))
    _serve(_answer, pipe, refused)
    (none, error), four = (call.args[0] for call in pipe.send.call_args_list)
    assert (none, four) == (None, (4, None))
    assert "in refused" in error.__notes__[0]
    handled.assert_called_once_with(signal.SIGINT, signal.SIG_IGN)
    pipe = Mock(recv=Mock(side_effect=[5, EOFError]), send=Mock(side_effect=[TypeError, None]))
    _serve(_answer, pipe, function_of)
    assert "cannot be sent" in f"{pipe.send.call_args.args[0][1]}"


def test_an_error_in_a_child_is_raised_with_its_traceback(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(LookupError, match="there is no 3") as caught:
        on_all_cores(refused, range(9), processes=2)
    assert "in refused" in "".join(caught.value.__notes__)
    assert capfd.readouterr().err == ""


class Unreadable:
    """An argument that no process can read."""

    def __reduce__(self) -> tuple[object, ...]:
        return (int, ("no number",))


def test_a_process_that_dies_at_its_start_writes_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    child = started(dies, Unreadable())
    assert readable([child], PATIENCE) == [child]
    child.end()
    assert capfd.readouterr().err == ""


@posix
def test_too_little_memory_gives_an_error_message_and_no_hang(tmp_path: Path) -> None:
    """A pool of the standard library would print errors of its threads here, or hang."""
    files = [tmp_path / f"{number}.sobremesa" for number in range(2)]
    for file, game in zip(files, ("canasta", "canastra"), strict=True):
        file.write_bytes(played(game, 2).record(upto=20))
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    ran = subprocess.run(
        ["sh", "-c", f"ulimit -v 57000 && exec {COMMAND} ledger {files[0]} {files[1]}"],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "LC_ALL": "C.UTF-8", "SOBREMESA_HOME": str(home)},
    )
    if ran.returncode == 2:
        assert ran.stderr.startswith("sobremesa: ")
        assert ran.stderr.count("\n") == 1
    else:
        # Enough memory: the command has worked, and code 1 says that no match is counted.
        assert (ran.returncode, ran.stderr) == (1, ""), "the command has failed without a sentence"


@pytest.mark.parametrize("fails", [False, True])
def test_a_child_is_started_with_its_end_of_the_pipe(
    fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child is a daemon: it ends with the program. If it cannot start, the pipe is closed."""
    ours, theirs, context = Mock(), MagicMock(), Mock()
    context.Pipe.return_value = (ours, theirs)
    context.Process.return_value.start.side_effect = [OSError("too many") if fails else None]
    monkeypatch.setattr(child_processes, "get_context", Mock(return_value=context))
    if fails:
        with pytest.raises(OSError, match="too many"):
            started(dies, 1)
    else:
        child = started(dies, 1)
        assert (child.process, child.pipe) == (context.Process(), ours)
    assert context.Process.call_args_list[0] == call(
        target=_serve, args=(dies, theirs, 1), daemon=True
    )
    assert (ours.close.called, theirs.__exit__.called) == (fails, True)


def test_errors_of_a_start_are_hidden_and_later_ones_are_not(
    capfd: pytest.CaptureFixture[str],
) -> None:
    free = os.dup(0)  # the lowest file number that is free
    os.close(free)
    with child_processes._silent():
        os.write(2, b"lost")
    os.write(2, b"kept")
    assert capfd.readouterr().err == "kept"
    assert os.dup(0) == free, "a file has stayed open"
    os.close(free)


@posix
def test_ctrl_c_waits_until_a_process_has_started() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    with child_processes._interrupts_blocked():
        assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == {*before, signal.SIGINT}
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before


def test_the_end_of_a_child_closes_its_pipe_and_waits() -> None:
    done = Mock()
    Child(done.process, done.pipe).end()
    assert done.mock_calls == [call.pipe.close(), call.process.terminate(), call.process.join()]


def test_nothing_can_be_sent_to_a_child_that_has_ended() -> None:
    child = started(dies)
    child.end()
    assert not child.send(1)
