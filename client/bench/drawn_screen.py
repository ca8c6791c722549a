"""What a player's screen takes: the changes of a table are drawn, one after the other, as they are
for a person, on a terminal that nobody looks at.
"""

import time
from collections.abc import Iterable

from attrs import define, evolve, field, frozen
from prompt_toolkit.data_structures import Size

from client.session.snapshot import Snapshot
from client.session.table_history import TableHistory
from client.ui.text.events import Narrator
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.asciicast import Recording
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from p2p.table.changes import Change
from p2p.table.node import Node

_SIZE = Size(rows=34, columns=120)


@frozen
class Drawn:
    """Seconds that all drawings took, and how many characters they sent to the terminal."""

    seconds: float
    characters: int


@define
class DrawnLater:
    """Notes the changes that a node's player would see, and draws them when nobody waits."""

    _seen: list[tuple[Change, Snapshot]] = field(factory=list)

    def note(self, node: Node, change: Change) -> None:
        """Of each change, what the node knows right after it."""
        shown = Snapshot(change.after, node.view, node.me, chooses=node.chooses)
        self._seen.append((change, shown))

    def draw(self) -> Drawn:
        """All that was noted. The first drawing, of the whole screen, does not count."""
        recording = Recording(_SIZE, "")
        history = TableHistory(Narrator(symbols=True))
        with recording.session():
            screen = TableScreen(UNICODE, style_of("dark", "dark"))
            begun = time.perf_counter()
            for place, (change, shown) in enumerate(self._seen):
                if place == 1:
                    recording.events.clear()
                    begun = time.perf_counter()
                history.follow(change)
                screen.window.show(_with_log(shown, history))
                recording.draw(screen.app, 0.0)
            return Drawn(time.perf_counter() - begun, _characters(recording.events))


def _with_log(shown: Snapshot, history: TableHistory) -> Snapshot:
    return evolve(
        shown, log=history.log, said=history.said, rounds=history.rounds, events=history.events
    )


def _characters(events: Iterable[tuple[float, str]]) -> int:
    return sum(len(text) for _at, text in events)
