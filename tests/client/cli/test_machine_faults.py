"""Faults of the machine, each of which ends in a sentence and not in a traceback.

`python -m tests.machine_faults` tries all faults with all commands.
"""

import errno
import gc
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, nullcontext
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from typing import Any, TextIO
from unittest.mock import Mock

import pytest

from client.cli.machine_faults import is_machine_fault, machine_sentence
from client.cli.main import COMMANDS as SUBCOMMANDS
from client.cli.main import main
from client.cli.shared_arguments import port_number
from client.cli.standard_streams import prepare_standard_streams, what_was_lost
from client.record_files import RecordError, new_record_path
from p2p.storage.data_path import HOME_VARIABLE
from p2p.storage.private_files import FolderError, data_path
from tests.machine_faults import cells
from tests.machine_faults.cells import COMMANDS, QUICK, Ended, complaint_about
from tests.machine_faults.faults import FAULTS, LOSSES, CannotBeMade, Start

Run = Callable[[Start], Ended]
Full = Callable[[Mapping[str, str]], TextIO]
"""Function that returns a stream to a full disk.

The stream has a buffer, unless the environment sets PYTHONUNBUFFERED.
"""

SLOW_FAULTS = {
    "Ctrl-C at once",
    "Ctrl-C soon",
    "Ctrl-C early",
    "port taken",
    "port -1",
    "port 99999",
    *(name for name in FAULTS if name.endswith((" files", " MB")) and name != "10 files"),
}


FAULTS_WITHIN = {
    *("home is a file", "lock is a folder", "identity is a folder", "journal is a folder"),
    *("settings file is a folder", "journal is empty", "disk full", "no inodes"),
    *(name for name in FAULTS if name.endswith((" is a pipe", " endless", " nowhere", " circles"))),
}
"""Faults in the data folder. The command that meets them runs in the process of the test."""

PRINTERS = ("--version", "rules")
"""Two commands: one prints a line that stays in the buffer, the other more than the buffer holds.

When the output is lost, these two commands run as processes of their own, in which the interpreter
itself opens and closes the streams. The other commands run in the process of the test.
"""


@pytest.fixture
def run_here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(start: Start) -> Ended:
        with monkeypatch.context() as patch:
            patch.setenv(HOME_VARIABLE, str(start.home))
            patch.chdir(start.out)
            try:
                code = main(start.words)
            except SystemExit as ended:
                code = int(ended.code or 0)
        printed, said = capsys.readouterr()
        return Ended(code, printed, said)

    return run


@pytest.fixture
def full() -> Iterator[Full]:
    with ExitStack() as cleanup:

        def stream(environment: Mapping[str, str]) -> TextIO:
            number = os.open("/dev/full", os.O_WRONLY)
            cleanup.callback(os.close, number)
            raw = FileIO(number, "w", closefd=False)
            if "PYTHONUNBUFFERED" in environment:
                return TextIOWrapper(raw, encoding="utf-8", write_through=True)
            return TextIOWrapper(BufferedWriter(raw), encoding="utf-8")

        yield stream


@pytest.fixture
def run_with_lost_streams(run_here: Run, full: Full, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command in this process, with closed or full streams."""

    def run(start: Start) -> Ended:
        with monkeypatch.context() as patch:
            if start.closed is not None:
                patch.setattr(sys, STREAMS[start.closed], None)
            if start.full is not None:
                patch.setattr(sys, STREAMS[start.full], full(start.environment))
            return run_here(start)

    return run


STREAMS = ("stdin", "stdout", "stderr")


@pytest.mark.skipif(sys.platform == "win32", reason="these faults can be made only on POSIX")
@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault not in SLOW_FAULTS])
def test_each_command_answers_a_machine_fault_with_a_sentence(
    fault: str, run_here: Run, run_with_lost_streams: Run
) -> None:
    for command in QUICK:
        run = run_here if fault in FAULTS_WITHIN else cells.run
        if fault in LOSSES and command not in PRINTERS:
            run = run_with_lost_streams
        try:
            assert complaint_about(command, fault, None, run) is None
        except CannotBeMade as reason:
            pytest.skip(str(reason))


@pytest.mark.skipif(sys.platform == "win32", reason="these faults can be made only on POSIX")
@pytest.mark.parametrize("fault", LOSSES)
def test_help_that_cannot_be_printed_ends_in_a_sentence(
    fault: str, run_with_lost_streams: Run
) -> None:
    helps = [command for command in COMMANDS if command.endswith("--help")]
    assert len(helps) == 1 + len(SUBCOMMANDS)
    for command in helps:
        assert complaint_about(command, fault, None, run_with_lost_streams) is None


@pytest.mark.parametrize(
    ("command", "fault", "ended", "complaint"),
    [
        ("rules", "output closed, unbuffered", Ended(0, "", ""), "was lost"),
        ("rules", "output full", Ended(2, "", "usage: sobremesa rules"), "without a sentence"),
        ("rules", "output full", Ended(1, "", "no"), "was lost"),
        ("rules", "output full", Ended(120, "", "sobremesa: no."), "ended with 120"),
        ("rules", "output full", Ended(2, "", "Traceback (most recent call"), "a traceback"),
        ("rules", "output full", Ended(2, "", "sobremesa: no."), None),
        ("rules", "errors full", Ended(0, "C1 ...", ""), None),
        ("rules", "errors closed", Ended(2, "", ""), None),
        ("audit --html", "errors full", Ended(0, "sound", ""), "was lost"),
        ("audit --html", "errors full", Ended(2, "sound", ""), None),
        ("replay --html", "output full", Ended(0, "", "The page is there."), None),
        ("doctor", "no home at all", Ended(1, "", ""), "without a sentence"),
        ("doctor", "input closed", Ended(1, "One thing is wrong.", ""), None),
    ],
)
def test_the_check_notices_lost_output_and_missing_sentences(
    command: str, fault: str, ended: Ended, complaint: str | None
) -> None:
    try:
        found = complaint_about(command, fault, None, lambda _: ended)
    except CannotBeMade as reason:
        pytest.skip(str(reason))
    assert (found is None) is (complaint is None), found
    assert complaint is None or complaint in str(found)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no /dev/full")
@pytest.mark.parametrize("environment", [{}, {"PYTHONUNBUFFERED": "1"}])
@pytest.mark.parametrize("size", [1, 100_000])
def test_lost_output_is_remembered_after_the_stream_forgets_the_error(
    size: int, environment: dict[str, str], full: Full, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text longer than the buffer fails at once. The stream then forgets text and error."""
    monkeypatch.setattr(sys, "stdout", full(environment))
    prepare_standard_streams()
    assert what_was_lost(sys.stdout) is None
    with pytest.raises(OSError, match="No space") if environment or size > 1 else nullcontext():
        print("x" * size)
    for _ in range(2):
        lost = what_was_lost(sys.stdout)
        assert lost is not None
        assert lost.errno == errno.ENOSPC
    sys.stdout.flush()  # no error: nothing is left in the buffer


@pytest.mark.parametrize(
    ("buffered", "by_lines", "at_once"),
    [(True, False, False), (True, True, True), (False, False, True), (False, True, True)],
)
def test_a_stream_that_wrote_each_line_at_once_still_does(
    buffered: bool, by_lines: bool, at_once: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`prepare_standard_streams` does not change at which moments a stream writes."""
    with FileIO(tmp_path / "out", "w") as raw:
        to: Any = BufferedWriter(raw) if buffered else raw
        monkeypatch.setattr(sys, "stdout", TextIOWrapper(to, line_buffering=by_lines))
        print("before", end=" ")
        prepare_standard_streams()
        assert (tmp_path / "out").read_text() == "before "
        print("one line")
        assert ((tmp_path / "out").read_text() != "before ") is at_once
        sys.stdout.flush()
        assert (tmp_path / "out").read_text() == "before one line\n"


def test_the_file_for_a_missing_stream_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise its number would be given to the next file."""
    monkeypatch.setattr(sys, "stdout", None)
    prepare_standard_streams()
    number = sys.stdout.fileno()
    monkeypatch.undo()
    gc.collect()
    os.fstat(number)
    os.close(number)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no /dev/full")
def test_an_interrupted_command_leaves_no_output_that_fails_later(
    full: Full, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_arguments: object) -> int:
        print("what waits in the buffer")
        raise KeyboardInterrupt

    monkeypatch.setattr("client.cli.commands.rules.run", interrupted)
    monkeypatch.setattr("warnings.simplefilter", lambda *_: None)  # it would outlast the test
    monkeypatch.setattr(sys, "stdout", full({}))
    assert main(["rules", "canasta"]) == 130
    sys.stdout.flush()
    assert capsys.readouterr().err == "Interrupted.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="these faults can be made only on POSIX")
def test_output_to_a_closed_pipe_gives_no_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in `sobremesa rules | true`: there is no message, but the exit code is 2."""
    reading, writing = os.pipe()
    os.close(reading)
    unread = os.fdopen(writing, "w", encoding="utf-8", closefd=False)
    monkeypatch.setattr(sys, "stdout", unread)
    assert main(["--version"]) == 2
    os.close(writing)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "module", "code"),
    [
        ("--version", "client.version", 130),
        ("rules", "signal", 130),
        ("rules", "client.cli.main", -signal.SIGINT),
        ("rules", "client.cli.commands.rules", -signal.SIGINT),
    ],
)
def test_ctrl_c_while_the_program_is_loaded_shows_no_traceback(
    words: str, module: str, code: int
) -> None:
    """Ctrl-C comes at a fixed moment: when Python looks for `module`."""
    program = f"""
import os, signal, sys

class InterruptAtImport:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)

from client.cli.entry_point import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job of a shell ignores it
sys.modules.pop("{module}", None)
sys.meta_path.insert(0, InterruptAtImport())
sys.argv = ["sobremesa", "{words}"]
raise SystemExit(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "/home/journal"), "/home/journal"),
        (OSError(errno.EROFS, "Read-only file system", "/home/lock"), HOME_VARIABLE),
        (OSError(errno.EISDIR, "Is a directory", "/home/lock"), "in the place of /home/lock"),
        (OSError(errno.EADDRINUSE, "Address already in use"), "--port"),
        (OSError(errno.EMFILE, "Too many open files"), "Close other programs"),
        (OSError(errno.ENETDOWN, "Network is down"), "sobremesa doctor"),
        (OSError(errno.EIO, "Input/output error"), "Input/output error"),
        (OSError("nothing but words"), "nothing but words"),
        (sqlite3.OperationalError("disk I/O error"), "disk I/O error"),
        (MemoryError(), "memory"),
        (RuntimeError("can't start new thread"), "Close other programs"),
        (ImportError("libssl.so.3: failed to map segment"), "Close other programs"),
        (SystemError("error return without exception set"), "Close other programs"),
    ],
)
def test_a_system_error_becomes_a_sentence(error: BaseException, words: str) -> None:
    assert is_machine_fault(error)
    sentence = str(machine_sentence(error))
    assert words in sentence
    assert sentence.endswith(".")
    a_bug = RuntimeError("the nodes have come to different records")
    assert not is_machine_fault(a_bug)


def test_without_a_home_folder_the_error_names_the_variable_to_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(HOME_VARIABLE)
    monkeypatch.delenv("HOME", raising=False)
    unknown = Mock(return_value="~nobody.here/sobremesa")
    monkeypatch.setattr("platformdirs.user_data_dir", unknown)
    with pytest.raises(FolderError, match=HOME_VARIABLE):
        data_path()


@pytest.mark.parametrize("word", ["-1", "0", "65536", "99999", "１", "80 ", ""])
def test_an_invalid_port_is_refused(word: str) -> None:
    with pytest.raises(Exception, match="1 to 65535"):
        port_number(word)
    assert [port_number(word) for word in ("1", "65535")] == [1, 65535]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such file modes")
def test_an_unwritable_folder_is_refused_before_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(RecordError, match="takes no new files"):
        new_record_path(tmp_path / "game.sobremesa", "canasta")


@pytest.mark.parametrize(
    ("lacks", "sentence"),
    [
        (MemoryError(), "There is not enough memory."),
        (
            OSError(errno.EMFILE, "Full"),
            "A part of the program cannot be loaded ([Errno 24] Full).",
        ),
        (ImportError("No attrs"), "A part of the program cannot be loaded (No attrs)."),
    ],
)
def test_a_fault_ends_in_a_sentence_even_if_no_module_can_be_imported(
    lacks: Exception,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The modules that would explain the fault cannot be imported, because of that fault."""
    monkeypatch.setattr("client.cli.main.import_module", Mock(side_effect=lacks))
    assert main(["rules"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"sobremesa: {sentence} Close other programs")
    assert said.count("\n") == 1
