"""The log goes to a bounded file, never to the terminal, and strangers cannot fill it."""

import logging
import os
import sys
import threading
import warnings
from pathlib import Path
from unittest.mock import Mock

import pytest

from client.cli import log_file
from client.cli.log_file import LOG_FILE, write_log

pytestmark = pytest.mark.usefixtures("own_log")


def strangers(times: int) -> None:
    """Log a line about each of `times` strangers, by one statement of the program."""
    for number in range(times):
        logging.getLogger("p2p.transport.link").warning("one from 10.0.0.%d is closed", number)


def lines_in(folder: Path) -> list[str]:
    return (folder / LOG_FILE).read_text().splitlines()


def our_handlers() -> list[logging.Handler]:
    """Return the handlers of the log file; pytest has others beside them."""
    module = log_file.__name__
    return [one for one in logging.getLogger().handlers if type(one).__module__ == module]


def test_a_thousand_knocks_make_one_line_in_the_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    write_log(tmp_path, "info")
    strangers(1000)
    assert len(lines_in(tmp_path)) == 1
    now = 61.0
    strangers(1)
    assert lines_in(tmp_path)[-1].endswith("one from 10.0.0.0 is closed (and 999 times before)")
    assert capfd.readouterr() == ("", "")


def test_a_time_too_large_for_python_breaks_no_log_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From 2262 on, the nanoseconds since 1970 do not fit into 64 bits."""
    write_log(tmp_path, "info")
    too_large = OverflowError("timestamp too large to convert to C _PyTime_t")
    monkeypatch.setattr("time.time", Mock(side_effect=too_large))
    strangers(1)
    (line,) = lines_in(tmp_path)
    assert line.endswith(" WARNING p2p.transport.link: one from 10.0.0.0 is closed")


def test_log_file_heeds_the_level_and_stays_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_file, "_MOST_BYTES", 1000)
    monkeypatch.setattr(log_file, "_QUIET_SECONDS", 0.0)
    write_log(tmp_path, "warning")
    logging.getLogger("p2p").info("not written")
    strangers(200)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert set(sizes) == {LOG_FILE, f"{LOG_FILE}.1"}
    assert max(sizes.values()) <= 1000
    assert not any("not written" in line for line in lines_in(tmp_path))
    write_log(tmp_path, "debug")
    logging.getLogger("p2p").debug("a detail")
    assert lines_in(tmp_path)[-1].endswith(" DEBUG p2p: a detail")


def test_a_new_log_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_log(tmp_path / name, "info")
        if name == "one":
            strangers(1)
            (first,) = our_handlers()
            file = first._file  # type: ignore[attr-defined]
    (second,) = our_handlers()
    assert second is not first
    assert file.closed
    strangers(1)
    assert [len(lines_in(tmp_path / name)) for name in ("one", "two")] == [1, 1]


def test_a_message_that_cannot_be_formatted_is_left_out(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_log(tmp_path, "info")
    (ours,) = our_handlers()
    for number, arguments in enumerate((("no number",), (7,))):
        record = logging.LogRecord("p2p", logging.INFO, __file__, number, "%d", arguments, None)
        ours.handle(record)
    (line,) = lines_in(tmp_path)
    assert line.endswith(" INFO p2p: 7")
    assert capfd.readouterr() == ("", "")


@pytest.mark.filterwarnings("always")
def test_a_warning_of_a_library_is_logged(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_log(tmp_path, "info")
    warnings.warn("the serial number is negative", stacklevel=1)
    assert "serial number is negative" in lines_in(tmp_path)[0]
    assert capfd.readouterr() == ("", "")


def test_each_logging_statement_writes_at_most_one_line_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 5.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    write_log(tmp_path, "info")
    log = logging.getLogger("p2p")
    for now in (5.0, 6.0, 64.9, 65.0, 66.0, 124.9, 125.0):  # noqa: B007 - the clock
        log.info("one")
        log.info("two")
    passed = [line.partition(": ")[2] for line in lines_in(tmp_path)]
    later = ["one (and 2 times before)", "two (and 2 times before)"]
    assert passed == ["one", "two", *later, *later]


def test_a_full_log_file_loses_no_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Counted:
        def __str__(self) -> str:
            made.append(self)
            return f"number {len(made):03}"

    monkeypatch.setattr(log_file, "_MOST_BYTES", 1000)
    monkeypatch.setattr(log_file, "_QUIET_SECONDS", 0.0)
    write_log(tmp_path, "warning")
    root, (ours,) = logging.getLogger(), our_handlers()
    for _ in range(30):
        ours.handle(root.makeRecord("p2p", logging.WARNING, __file__, 1, "%s", (Counted(),), None))
    lines = [(tmp_path / name).read_text() for name in (f"{LOG_FILE}.1", LOG_FILE)]
    found = [int(line.split()[-1]) for line in "".join(lines).splitlines()]
    assert found == [*range(1, 31)]


def test_logging_without_a_folder_creates_nothing_and_does_not_fail(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_log(tmp_path / "none", "info")
    strangers(1)
    write_log(tmp_path, "info")
    (tmp_path / LOG_FILE).mkdir()
    strangers(1)
    assert capfd.readouterr() == ("", "")
    assert [path.name for path in tmp_path.iterdir()] == [LOG_FILE]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
def test_a_named_pipe_as_log_file_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / LOG_FILE)
    write_log(tmp_path, "info")
    strangers(1)
    assert [path.name for path in tmp_path.iterdir()] == [LOG_FILE]


def test_errors_in_threads_and_destructors_are_logged(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The errors are raised in a library's thread, and in `__del__` of its objects."""

    class Half:
        def __del__(self) -> None:
            raise AttributeError("made by half")

    def fails() -> None:
        raise OSError("no loop")

    write_log(tmp_path, "info")
    Half()
    thread = threading.Thread(target=fails)
    thread.start()
    thread.join()
    written = (tmp_path / LOG_FILE).read_text()
    assert "AttributeError: made by half" in written
    assert "OSError: no loop" in written
    assert capfd.readouterr() == ("", "")


def test_a_library_warning_is_one_line_and_an_error_has_its_traceback(tmp_path: Path) -> None:
    write_log(tmp_path, "info")
    library, error = logging.getLogger("zeroconf"), OSError(101, "Network is unreachable")
    library.warning("Error with socket 16: %s", error, exc_info=error)
    (line,) = lines_in(tmp_path)
    assert line.endswith("[Errno 101] Network is unreachable")
    library.error("This should not happen.", exc_info=error)
    assert any("OSError" in line for line in lines_in(tmp_path))


def test_logged_text_cannot_move_the_cursor_or_forge_a_line(tmp_path: Path) -> None:
    write_log(tmp_path, "info")
    forged = "2026-01-01 00:00:00 ERROR sobremesa: update"
    error = ValueError(f"name\x1b[2J\x9b1m\u202e\n{forged}\r{forged}")
    logging.getLogger("zeroconf").error("bad packet: %s", error, exc_info=error)
    first, *others = lines_in(tmp_path)
    assert "bad packet: name\\x1b[2J\\x9b1m\\u202e" in first
    assert others
    assert all(line.startswith("    ") for line in others)
    assert all(line.isprintable() for line in (first, *others))
