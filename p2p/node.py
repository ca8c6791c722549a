"""A node at a table: it folds what others write, writes what it owes, and passes everything on.

The order of every step is the same, whoever wrote the entry: fold it (all checks), put it into
the journal (with the secrets behind it, on disk), and only then let others know. So a node that
dies at any moment comes back to what it has said, and says it again in the same bytes.
"""

import logging
import os
from collections.abc import AsyncIterator, Iterator, Mapping

import trio
from attrs import frozen

from engine.errors import IllegalMove
from engine.moves import Move
from engine.position import Position
from p2p.endpoint import Endpoint
from p2p.frames import LinkError
from p2p.journal import Journal
from p2p.lobby import Agreement
from p2p.mesh import Mesh
from protocol.errors import Broken, Exposed, Refused
from protocol.fold import advance, check_same
from protocol.group import Entropy
from protocol.player import Player
from protocol.record import record_parts
from protocol.state import State

_log = logging.getLogger(__name__)

FAREWELL_SECONDS = 10.0
"""How long a node that has everything stays for those that have not said so."""

_BACKLOG = 10_000  # changes that a client may leave unread: more than the entries of a long match


@frozen
class Change:
    """One entry was folded: the states before and after it."""

    before: State
    after: State


class Node:
    """This node's part in one table. `state` is always the newest; `exposed` who has cheated."""

    def __init__(
        self,
        endpoint: Endpoint,
        journal: Journal,
        agreement: Agreement,
        entropy: Entropy = os.urandom,
    ) -> None:
        self.state = State.start(agreement.charter.charter)
        self.exposed: Exposed | None = None
        self._player = Player(agreement.me, endpoint.identity.sign)
        self._signer = endpoint.identity.sign
        self._journal = journal
        self._agreement = agreement
        self._entropy = entropy
        self._mesh = Mesh(endpoint, agreement, self._entries, self._carried)
        self._folding = trio.Lock()
        self._choose, self._chosen = trio.open_memory_channel[Move](0)
        self._watchers: list[trio.MemorySendChannel[Change]] = []
        self._progress = trio.Event()

    # -- for the client

    @property
    def me(self) -> int:
        """This node's player number."""
        return self._agreement.me

    @property
    def view(self) -> Position | None:
        """The round as this node sees it; None while seats are drawn."""
        return self._player.view(self.state)

    @property
    def chooses(self) -> bool:
        """Whether the table waits for a move of this node."""
        return self.exposed is None and self._player.chooses(self.state)

    async def play(self, move: Move) -> None:
        """Make a move. Raises IllegalMove, or Refused when it is not this node's turn."""
        if not self.chooses:
            raise Refused("It is not your turn.")
        self.state.match.apply(move)
        await self._choose.send(move)

    def changes(self) -> AsyncIterator[Change]:
        """Every change from now on, until the node stops."""
        sender, receiver = trio.open_memory_channel[Change](_BACKLOG)
        self._watchers.append(sender)
        return receiver

    def record(self) -> Iterator[bytes]:
        """The record as far as it goes, as the bytes of a record file, piece by piece."""
        return record_parts(self._agreement.charter, self._journal.entries(self.state.table_id))

    # -- running

    async def run(self) -> State:
        """Play until the match is over, signed by all, and all members have the whole record (or
        cannot be reached for a while).

        Raises Exposed when a member has cheated: the evidence is in the journal then.
        """
        await trio.to_thread.run_sync(self._restore)
        async with trio.open_nursery() as nursery:
            await nursery.start(self._mesh.run)
            nursery.start_soon(self._write_all)
            while not self.state.complete and self.exposed is None:
                await self._progress.wait()
            with trio.move_on_after(FAREWELL_SECONDS):
                if self.exposed is None:
                    await self._mesh.everybody_has(self.state.height)
            await self._mesh.leave()
            nursery.cancel_scope.cancel()
        for watcher in self._watchers:
            watcher.close()
        if self.exposed is not None:
            raise self.exposed
        return self.state

    def _restore(self) -> None:
        """Open the table in the journal, and fold what is there of it."""
        table_id = self.state.table_id
        self._journal.create_table(table_id, self._agreement.charter.encode(), self.me)
        self._player = Player.restored(self.me, self._signer, self._journal.secrets(table_id))
        for entry in self._journal.entries(table_id):
            self.state = advance(self.state, entry)
        self._mesh.height = self.state.height

    async def _write_all(self) -> None:
        """Write whatever this node owes, as soon as it owes it."""
        while not self.state.complete:
            if not self._player.owes(self.state):
                await self._progress.wait()
                continue
            move = await self._chosen.receive() if self.chooses else None
            async with self._folding:
                if self.exposed is None and self._player.owes(self.state):
                    await self._write(move)

    async def _write(self, move: Move | None) -> None:
        try:
            written = await trio.to_thread.run_sync(
                self._player.write, self.state, self._entropy, move
            )
        except IllegalMove as error:  # chosen before the table moved on
            _log.warning("a move came too late: %s", error)
            return
        await self._fold(written.entry, written.secrets)

    async def _fold(self, entry: bytes, secrets: Mapping[str, bytes] | None = None) -> None:
        """Fold the next entry, write it to the journal, and pass it on; `_folding` is held.

        Raises Broken and Exposed: nothing has changed then.
        """
        before = self.state

        def folded() -> State:
            after = advance(before, entry)
            self._journal.append(before.table_id, after.height, entry, secrets)
            for name in self._player.forget(after):
                self._journal.forget_secrets(before.table_id, name)
            return after

        self.state = await trio.to_thread.run_sync(folded)
        for watcher in self._watchers:
            watcher.send_nowait(Change(before, self.state))
        self._wake()
        await self._mesh.advanced(self.state.height)

    def _wake(self) -> None:
        self._progress.set()
        self._progress = trio.Event()

    # -- what the mesh asks for

    async def _entries(self, since: int, most: int) -> tuple[bytes, ...]:
        return await trio.to_thread.run_sync(
            self._journal.entries, self.state.table_id, since, most
        )

    async def _carried(self, height: int, entry: bytes) -> None:
        """An entry that a member carried to us, his own or not. Raises LinkError."""
        async with self._folding:
            if self.exposed is not None:
                return
            try:
                if height == self.state.height + 1:
                    await self._fold(entry)
                elif height <= self.state.height:
                    (ours,) = await self._entries(height, 1)
                    check_same(self.state.charter, ours, entry)
            except Exposed as error:
                await self._stop(error, height, entry)
            except Broken as error:
                raise LinkError(f"Entry {height} does not hold: {error}") from error

    async def _stop(self, error: Exposed, height: int, entry: bytes) -> None:
        """Somebody has cheated: keep the evidence, show it to all, and go no further."""
        self.exposed = error
        for evidence in error.evidence:
            await trio.to_thread.run_sync(
                self._journal.keep_evidence, self.state.table_id, str(error), evidence
            )
        self._mesh.show(height, entry)
        self._wake()
