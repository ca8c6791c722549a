"""The system's error messages, which people see without numbers and addresses."""

import errno
import os
import socket
import sys

import pytest
import trio

from p2p.error_reasons import reason_of


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.EMFILE, "Too many open files"), "Too many open files"),
        (OSError(errno.ENOENT, "No such file or directory", "/a"), "No such file or directory"),
        (socket.gaierror(-2, "Name or service not known"), "Name or service not known"),
        (OSError("no cause is known"), "no cause is known"),
        (RuntimeError("can't start new thread"), "can't start new thread"),
        (KeyError(), "KeyError"),
        (
            ExceptionGroup("", [OSError(5, "a"), OSError(5, "a"), OSError(errno.EPERM, "b")]),
            "Input/output error; Operation not permitted",
        ),
    ],
    ids=str,
)
@pytest.mark.skipif(sys.platform == "win32", reason="the words are those of POSIX")
def test_a_reason_contains_no_numbers_and_addresses(error: Exception, reason: str) -> None:
    assert reason_of(error) == reason


def test_on_windows_the_text_of_the_error_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Error numbers on Windows are not those of `errno`."""
    refused = OSError(10061, "The target machine actively refused it")
    with monkeypatch.context() as patched:
        patched.setattr(os, "name", "nt")
        reason = reason_of(refused)
    assert reason == "The target machine actively refused it"


@pytest.mark.skipif(sys.platform == "win32", reason="the words are those of POSIX")
async def test_an_error_of_trio_is_shown_without_the_address() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        with pytest.raises(OSError, match="failed") as caught:
            await trio.open_tcp_stream("127.0.0.1", taken.getsockname()[1])
    assert reason_of(caught.value) == "Connection refused"
