"""The verifier in JavaScript, run by Node: questions to it, and its answers."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from attrs import frozen

from client.reports.html.verification import FOLDER as SOURCES
from client.reports.html.verification import VERIFIER, script

FOLDER = Path(__file__).parent


def find_node() -> str | None:
    """Return the path of Node; None if it is not on this machine."""
    return shutil.which("node")


@frozen
class Verifier:
    """A process of Node with the verifier, which reads and writes lines of JSON."""

    questions: IO[str]
    answers: IO[str]

    def ask(self, what: str, **question: Any) -> Any:
        """Ask the verifier in the form that `answer.js` understands; bytes are hexadecimal."""
        self.questions.write(json.dumps({"ask": what, **question}) + "\n")
        self.questions.flush()
        line = self.answers.readline()
        assert line, "the verifier has stopped: its error is on the terminal"
        return json.loads(line)


@contextmanager
def running(node: str, folder: Path, games: str = "") -> Iterator[Verifier]:
    """Write the script of the verifier into `folder`, and run it.

    `games` is a table of games in place of the verifier's own.
    """
    command = [node, str(FOLDER / "answer.js"), str(write_script(folder, games))]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Verifier(process.stdin, process.stdout)
        process.stdin.close()


def write_script(folder: Path, games: str = "") -> Path:
    """Write the verifier as one script, and return its path."""
    path, own = folder / "verifier.js", (SOURCES / "games.js").read_text(encoding="utf-8")
    path.write_text(script(VERIFIER).replace(own, games or own), encoding="utf-8")
    return path
