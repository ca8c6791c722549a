"""A headless Firefox for tests of pages, controlled by Marionette, its own remote protocol.

The protocol is https://firefox-source-docs.mozilla.org/testing/marionette/ , over TCP on the
loopback. A message is its length, a colon, and JSON: a command is [0, number, name, parameters], an
answer [1, number, error, result]. POSIX only, like the module `browser`.
"""

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from attrs import define

from tests.patience import PATIENCE

NAMES = ("firefox-esr", "firefox")
_PREFERENCES = {
    "marionette.port": 0,
    # Nothing listens at the proxy, so pages are tested offline.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}


def find_firefox() -> str | None:
    """Return the path of a Firefox that the tests can control; None if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None) if os.name == "posix" else None


@define
class FirefoxPage:
    """The one page of a browser."""

    _socket: socket.socket
    _received: BinaryIO
    _asked: int = 0

    def call(self, command: str, **parameters: Any) -> Any:
        """Send a command, and wait for the answer."""
        self._asked += 1
        text = json.dumps([0, self._asked, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(text), text))
        _kind, _number, error, result = self.read()
        assert error is None, error
        return result

    def open(self, file: Path) -> None:
        """Go to a file and wait until it is loaded."""
        self.call("WebDriver:Navigate", url=file.as_uri())

    def evaluate(self, expression: str) -> Any:
        """Return the value of a line of JavaScript; if it is a promise, the promised value."""
        script = f"const done = arguments[0]; Promise.resolve({expression}).then(done)"
        return self.call("WebDriver:ExecuteAsyncScript", script=script, args=[])["value"]

    def type_into(self, selector: str, text: str) -> None:
        """Type text into an element; for a file chooser, the text is the path of the file."""
        found = self.call("WebDriver:FindElement", using="css selector", value=selector)
        (identity,) = found["value"].values()
        self.call("WebDriver:ElementSendKeys", id=identity, text=text)

    def read(self) -> Any:
        """Return the next message."""
        size = b""
        while not size.endswith(b":"):
            part = self._received.read(1)
            assert part, "the browser has ended"
            size += part
        return json.loads(self._received.read(int(size[:-1])))


@contextmanager
def firefox(program: str, folder: Path) -> Iterator[FirefoxPage]:
    """Yield the page of a browser whose profile is in `folder`."""
    lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in _PREFERENCES.items())
    (folder / "user.js").write_text("\n".join(lines), encoding="utf-8")
    command = [program, "--headless", "--no-remote", "--marionette", "--profile", str(folder)]
    environment = os.environ | {"HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        with (
            socket.create_connection(("127.0.0.1", _port(process)), PATIENCE) as speaking,
            speaking.makefile("rb") as received,
        ):
            page = FirefoxPage(speaking, received)
            page.read()  # the greeting
            page.call("WebDriver:NewSession")
            page.call("WebDriver:SetTimeouts", script=1000 * PATIENCE)
            yield page
    finally:
        # The profile is not needed any more, so the browser can be killed.
        process.kill()
        process.communicate()


def _port(process: "subprocess.Popen[bytes]") -> int:
    """Return the port at which the browser says that it listens."""
    assert process.stdout is not None
    for line in process.stdout:
        if b"Listening on port" in line:
            return int(line.split()[-1])
    raise AssertionError("the browser ended before it listened")
