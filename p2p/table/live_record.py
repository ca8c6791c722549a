"""The record of one table at this node, with the journal that has its entries.

Nothing here takes a lock: the node makes sure that only one entry is handled at a time.
"""

import logging
from collections.abc import Collection, Iterator, Sequence
from typing import Self

import trio
from attrs import define, field

from p2p.shuffle_threads import on_all_cores
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.node_updates import Progress
from protocol.charter import SignedCharter
from protocol.entries import Entry
from protocol.errors import Exposed, Unattributable
from protocol.reducer import advance, check_equivocation
from protocol.state import State
from protocol.table.digest_chain import Chain
from protocol.table.record import TableRecord, is_entry
from protocol.table.tasks import Change

_log = logging.getLogger(__name__)

_NO_PLAYER = -1


async def read_entries(journal: Journal, chain: Chain, since: int, most: int) -> tuple[bytes, ...]:
    """Return at most `most` entries from height `since` on: from memory, if they are recent."""
    heights = range(since, min(since + most, chain.height + 1))
    if all(height in chain.recent for height in heights):
        return tuple(chain.recent[height] for height in heights)
    return await trio.to_thread.run_sync(journal.entries, chain.table_id, since, most)


@define(eq=False)
class LiveRecord(TableRecord):
    """The record of the table of `membership`; its entries are in `journal`."""

    journal: Journal
    membership: Membership
    past: list[Change] = field(factory=list, init=False)
    """The changes by the entries that `replay` has read from the journal."""

    @classmethod
    def of(cls, journal: Journal, membership: Membership, key: bytes, start: State) -> Self:
        """Return the record that begins at `start`, at the node with that public key."""
        return cls(membership.me, key, start, journal, membership)

    @classmethod
    def watched(cls, journal: Journal, signed: SignedCharter, key: bytes, start: State) -> Self:
        """Return the record of a table at which the holder of `key` has no seat."""
        return cls.of(journal, Membership(signed, _NO_PLAYER, ()), key, start)

    async def entries(self, since: int, most: int) -> tuple[bytes, ...]:
        """Return at most `most` entries from height `since` on."""
        return await read_entries(self.journal, self.chain, since, most)

    def state_at(self, height: int) -> State:
        """Return the state after the entry of that height, which this record has. Blocks."""
        if height in self._states:
            return self._states[height]
        state = self.start
        for entry in self.journal.entries(self.table_id, 1, height):
            state = advance(state, entry, later=[])  # it was verified before it was written
        return state

    # -- growing

    def replay(self, progress: Progress) -> None:
        """Replay the entries in the journal. Blocks.

        Every entry was judged before it was written. So if an entry is not valid now, the file is
        damaged. That entry and all later ones are erased; this node gets them again from the other
        members.
        """
        entries = self.journal.entries(self.table_id)
        for done, entry in enumerate(entries, start=1):
            before = self.state
            try:
                after = advance(before, entry, parallel_map=on_all_cores)
            except (Exposed, Unattributable) as error:
                _log.warning("entry %d in the journal is damaged: %s", done, error)
                self.journal.forget_entries(self.table_id, done)
                return
            self.take(after, entry)
            self.past.append(Change(before, after))
            progress(done, len(entries))

    # -- evidence

    def judge(self, height: int, entry: bytes) -> None:
        """Compare an entry that somebody sends with the record's entry at that height.

        Raises Exposed and Unattributable. Blocks.
        """
        if Entry.decode(entry).head == self.chain.heads[height]:
            return
        (ours,) = self.journal.entries(self.table_id, height, 1)
        check_equivocation(self.state.charter, ours, entry)

    def shown(self, most: int | None, known: Collection[bytes]) -> tuple[Exposed, ...]:
        """Return the exposures that `parts` can show by entries, except those of keys in `known`.

        `most` is as in `parts`. `known` has the keys that other parts of the file expose: a record
        exposes each key only once (record.md, R20).
        """

        def has_place(error: Exposed) -> bool:
            # Two entries of one height are shown only if the record goes on past their fork: for a
            # fork at height 7, `most` must be 8 or more.
            fork = self.fork_of(error)
            reached = most is None or fork is None or fork < most
            return reached and is_entry(error.evidence[0])

        new = (error for error in self.exposures if error.key not in known)
        return tuple(filter(has_place, new))

    def parts(
        self, most: int | None = None, exposures: Sequence[Exposed] | None = None
    ) -> Iterator[bytes]:
        """Yield the first `most` entries of the record (or all) as parts of a file. Blocks.

        Entries that expose a cheat are parts, too (`spec/audit.md`): each comes right after the
        entry of its height, or at the end if that height is not reached. They are taken from
        `exposures`, or if that is None, from all exposures at this node.
        """
        shown: dict[int, list[bytes]] = {}
        for part in self.exposing(self.shown(most, ()) if exposures is None else exposures):
            shown.setdefault(self.chain.height_of(part), []).append(part)
        entries = self.journal.entries(self.table_id, 1, most)
        for height, entry in enumerate(entries, start=1):
            yield entry
            # Of two entries that expose their writer, one is usually the record's own entry, which
            # was just yielded.
            yield from (part for part in shown.pop(height, ()) if part != entry)
        for late in shown.values():
            yield from late

    def keep_evidence(self, error: Exposed) -> None:
        """Keep for good the evidence that somebody has cheated. Blocks."""
        for evidence in error.evidence:
            self.journal.keep_evidence(self.table_id, str(error), evidence)

    def recall_evidence(self) -> None:
        """Judge the evidence in the journal again, and expose the cheats that it shows. Blocks."""
        held = None
        for _, entry in self.journal.evidence(self.table_id):
            if not is_entry(entry):
                continue
            try:
                height = self.chain.height_of(entry)
                if height <= self.height:
                    self.judge(height, entry)
                else:
                    # Two entries of the next height can each hold, and expose their writer only
                    # together. So the first of them is held, and the second compared with it.
                    advance(self.state, entry)
                    check_equivocation(self.state.charter, held or entry, entry)
                    held = entry
            except Exposed as error:
                self.expose(error)
            except Unattributable as error:
                _log.warning("evidence in the journal shows nothing: %s", error)
