"""The part of a node that makes continuations of a match: it keeps them, then sends them.

`protocol.match.machine` decides: it is told what happens, and returns what is to be kept and
signed. This module has the clock, writes to the disk, and starts and stops tables.
"""

from collections.abc import Callable

import trio
from attrs import define, field

from p2p.match.tables import Tables
from protocol.match import events
from protocol.match.events import MatchEvent, Ready
from protocol.match.history import continued_place
from protocol.match.machine import MatchMachine
from protocol.match.statements import encode_statement
from protocol.state import State
from protocol.table.events import Change

_TICK_SECONDS = 1.0
"""Seconds between two looks at who is missing, while nothing else happens."""


@define(eq=False)
class Continuations:
    """The continuations of one match, at the node that has `tables`.

    `on_continued` is called with the change that a continuation makes. `wake` is called whenever
    something changes; it sets the event that `progress` returns.
    """

    tables: Tables
    machine: MatchMachine
    on_continued: Callable[[Change], None]
    wake: Callable[[], None]
    progress: Callable[[], trio.Event]
    _tasks: list[events.Persist] = field(factory=list, init=False)
    """The tasks that `look_after` has to carry out: each keeps something on the disk."""

    def handle(self, event: MatchEvent) -> Ready:
        """Handle an event, and return what follows from it. Raises Malformed or Refused."""
        ready = self.machine.handle(event, trio.current_time())
        self._tasks += ready.persist
        if ready.has_spoken:
            for node in tuple(self.tables.running.values()):
                node.show_talk()
        if ready.before is not None:
            self.on_continued(self._change(ready.before))
        if ready.has_spoken or ready.persist:
            self.wake()
        return ready

    def _change(self, before: State) -> Change:
        after = self.tables.history.newest.start
        place = continued_place(after.charter)
        taken_back = before.height - place.height if before.table_id == place.table_id else 0
        return Change(before, after, taken_back)

    async def look_after(self) -> None:
        """Do what is to be done: at every change, and at least once a second. Never returns."""
        while True:
            progress = self.progress()
            ready = self.handle(events.Ticked())
            await self._carry_out()
            if ready.is_due:
                await self._sign()
            self.tables.stop_old()
            if progress is self.progress():
                with trio.move_on_after(_TICK_SECONDS):
                    await progress.wait()

    async def _sign(self) -> None:
        """Sign a continuation, while nothing is written at any table."""
        for node in (nodes := tuple(self.tables.running.values())):
            await node.advancing.acquire()
        try:
            self.handle(events.Due())
            await self._carry_out()
        finally:
            for node in nodes:
                node.advancing.release()

    async def _carry_out(self) -> None:
        """Carry out all tasks: nothing is sent before it is on the disk. Raises JournalError."""
        while self._tasks:
            what = self._tasks.pop(0)
            match what:
                case events.Open(signed, start):
                    record = await self.tables.open(signed, start)
                    self.handle(events.Opened(record, signed))
                    await self.tables.start(signed.charter.table_id)
                    continue
                case events.Sign(statement):
                    attempt, data = statement.continues.attempt, encode_statement(statement)
                    keep = self.tables.journal.keep_statement
                    await trio.to_thread.run_sync(keep, self.tables.match_id, attempt, data)
                case events.Expose(error, table_id, stops=True):
                    await self.tables.nodes[table_id].expose(error)
                case events.Expose(error, table_id):
                    keep_evidence = self.tables.journal.keep_evidence
                    await trio.to_thread.run_sync(
                        keep_evidence, table_id, str(error), error.evidence[0]
                    )
            self.handle(events.Persisted(what))
