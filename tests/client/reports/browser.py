"""A headless Chromium for tests of pages, controlled over its debugging pipe.

The protocol is https://chromedevtools.github.io/devtools-protocol/ . A message is JSON, and ends in
a zero byte. The browser reads from its file descriptor 3, and writes to 4. POSIX only.
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define, field

if os.name == "posix":
    import fcntl

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_PORTION = 1 << 16
_SWITCHES = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--hide-scrollbars",
    "--no-first-run",
    "--remote-debugging-pipe",
)


def find_browser() -> str | None:
    """Return the path of a Chromium that the tests can control; None if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None) if os.name == "posix" else None


@define
class Page:
    """One page of the browser."""

    writing: int
    reading: int
    events: list[dict[str, Any]] = field(factory=list)
    _session: str | None = None
    _asked: int = 0
    _rest: bytes = b""

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command, and wait for the answer."""
        self._asked += 1
        message = {"id": self._asked, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._asked:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def attach(self) -> None:
        """Open a page and listen to its events."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def open(self, file: Path) -> None:
        """Go to a file and wait until it is loaded."""
        self.call("Page.navigate", url=file.as_uri())
        while not self.told("Page.loadEventFired"):
            self.events.append(self._next())

    def show(self, file: Path, html: str) -> None:
        """Write a page to a file, and open it on a wide screen; earlier events are forgotten."""
        file.write_text(html, encoding="utf-8")
        self.events.clear()
        self.screen(1000, 800)
        self.open(file)

    def told(self, method: str) -> list[dict[str, Any]]:
        """Return the parameters of all events of that kind."""
        return [event["params"] for event in self.events if event.get("method") == method]

    @property
    def complaints(self) -> list[dict[str, Any]]:
        """The faults that the browser has found, and all lines on its console."""
        kinds = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
        return [complaint for kind in kinds for complaint in self.told(kind)]

    @property
    def requests(self) -> list[str]:
        """The addresses that the page has asked for."""
        return [one["request"]["url"] for one in self.told("Network.requestWillBeSent")]

    def evaluate(self, expression: str) -> Any:
        """Return the value of a line of JavaScript; if it is a promise, the promised value."""
        asked = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in asked, asked
        return asked["result"].get("value")

    def screen(self, width: int, height: int, *, dark: bool = False) -> None:
        """Show the page on a screen of that size, in CSS pixels."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            data = os.read(self.reading, _PORTION)
            assert data, "the browser has ended"
            self._rest += data
        line, self._rest = self._rest.split(b"\0", 1)
        message: dict[str, Any] = json.loads(line)
        return message


@contextmanager
def browser(program: str, folder: Path) -> Iterator[Page]:
    """Yield the page of a browser whose profile is in `folder`."""
    their_in, our_out = map(_above, os.pipe())
    our_in, their_out = map(_above, os.pipe())
    command = [program, *_SWITCHES, f"--user-data-dir={folder}"]
    silence = os.open(os.devnull, os.O_WRONLY)
    process = os.posix_spawn(
        program,
        command,
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, their_in, 3),
            (os.POSIX_SPAWN_DUP2, their_out, 4),
            (os.POSIX_SPAWN_DUP2, silence, 1),
            (os.POSIX_SPAWN_DUP2, silence, 2),
        ],
    )
    for end in (their_in, their_out, silence):
        os.close(end)
    page = Page(our_out, our_in)
    try:
        page.attach()
        yield page
    finally:
        # A browser whose pipe is closed ends itself.
        os.close(our_out)
        os.close(our_in)
        os.waitpid(process, 0)


def _above(descriptor: int) -> int:
    """Move a descriptor to a number of 10 or more, away from 3 and 4."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved
