"""The state machine of a table at one node: it takes events, and returns the tasks after each.

It has no clock, randomness, threads, disk or links: `p2p.table.node` has them, and does the tasks.

Every entry goes the same way, whoever wrote it:

1. The reducer advances the state by it.
2. It is written to the journal, together with its secrets.
3. Only then is it sent to others.

So a node that dies at any moment has on disk all that it has sent, and sends it again in the same
bytes. (`Append` and `p2p.storage.journal` tell the exceptions: unlockings, and entries of others.)

`tests/protocol/table/machine` has events and the tasks that follow, as texts. The design follows
`Ready` in etcd's raft library, and the connections of h11.
"""

import math
from collections.abc import Iterable
from typing import Generic

from attrs import define, field

from protocol.entries import MoveContent, UnlockContent
from protocol.errors import Exposed, RemoteError, Unattributable
from protocol.state import State
from protocol.table import events, tasks
from protocol.table.events import TableEvent
from protocol.table.own_player import OwnPlayer
from protocol.table.peer import T
from protocol.table.peers import Peers
from protocol.table.record import TableRecord
from protocol.table.records_after_fork import OtherRecords
from protocol.table.resync import Resync
from protocol.table.tasks import Ready

_ANOTHER_RECORD = "R7"  # the clause by which an entry continues another record than ours

_AHEAD = 8
"""An entry is kept until its turn if it is ahead of our record by at most this many heights. One
entry is kept for each height and carrier: at most half a megabyte for each member.
"""

_BRIEF = 2
"""The number of cards whose unlocking takes about a millisecond to verify, or to prove."""

_BRIEF_MOVE = 256
"""The size in bytes of a move that shows ten cards. It takes about a millisecond to judge."""


@define(eq=False)
class TableMachine(Generic[T]):
    """The state machine of one table, at the node of one player.

    Events by which the record may grow are handled one at a time: each waits for the results of all
    computations that the event before it has asked for.
    """

    record: TableRecord
    player: OwnPlayer
    peers: Peers[T]
    is_fresh: bool = False
    """True if this node sits down for the first time, and has never sent anything here."""
    resync: Resync = field(init=False)
    since: float = field(default=math.inf, init=False)
    """The time at which the newest entry came or this node began; infinite before `Started`."""
    _look_at: float = field(default=-math.inf, init=False)
    """The time at which to check again if this node may write."""
    _has_begun: bool = field(default=False, init=False)
    """True if this node may write, for it has what its peers have."""
    _ahead: dict[tuple[int, int], bytes] = field(factory=dict, init=False)
    """Entries that came too early, before the entry that they continue, by carrier and height."""

    _others: OtherRecords = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.resync = Resync(self.peers)
        self._others = OtherRecords(self.record)

    @property
    def can_write(self) -> bool:
        """True if an entry is due from this node, and nothing here keeps it from writing."""
        return self._has_begun and self.player.can_write and not self.peers.probe.found

    def grace_left(self, now: float) -> float:
        """Return the seconds until the others may go on without the player who is due."""
        # Before `Started`, `since` is infinite: then the whole grace is left.
        return max(0.0, min(self.since, now) + self.record.state.charter.grace - now)

    def handle(self, event: TableEvent[T], now: float) -> Ready[T]:
        """Return what is to be done after an event at that time.

        Raises Mismatch or Unattributable for a message whose link is to be ended.
        """
        ready: Ready[T]
        match event:
            case events.Carried(player, height, entry):
                ready = self._carried(player, height, entry)
            case events.Computed(task, found):
                ready = self._computed(task, found)
            case events.Due():
                is_brief = self.player.proves_at_most(_BRIEF)
                ready = Ready(compute=tasks.WriteEntry(self.record.state, is_brief))
            case events.Contradicted(error):
                ready = self._stop(error)
            case events.Restored():
                ready = self._forget(Ready())
            case events.Persisted(what):
                ready = self._persisted(what, now)
            case _:
                ready = self.peers.handle(event, now)
                if isinstance(event, events.Started):
                    self._start(now)
        ready.wake = min(self.peers.wake, self._look(event, ready, now))
        return ready

    # -- beginning

    def _start(self, now: float) -> None:
        self.since = now
        # Only a node that has never sent anything here may write without hearing the others: it
        # cannot contradict itself.
        self._has_begun = self.resync.done = self.is_fresh and self.record.height == 0
        self.resync.begin(now)

    def _look(self, event: TableEvent[T], ready: Ready[T], now: float) -> float:
        """Check if this node may begin to write. Return when to check again.

        It checks only at `Ticked`. After any other event that changes something, it returns `now`,
        so that `Ticked` comes at once.
        """
        if self.since == math.inf or self.resync.done:
            return math.inf
        if isinstance(event, events.Ticked):
            is_doubtful = self.resync.doubtful
            self._look_at = self.resync.look(now)
            if self.resync.done:
                ready.persist.append(tasks.Begin(is_doubtful))
        elif ready.has_changed:
            self._look_at = now
        return self._look_at

    # -- entries of others

    def _carried(self, player: int, height: int, entry: bytes) -> Ready[T]:
        """Have an entry judged or compared; keep it for later if entries before it are missing."""
        record = self.record
        if record.state.complete or record.chain.has(height, entry):
            return Ready()
        # This node may have written entries after the fork, and lost them in a power cut. Until the
        # resync is done, it takes no other record in place of its own.
        if self.resync.done:
            before = self._others.state_before(player, entry)
            if before is not None:
                return Ready(compute=tasks.JudgeEntry(before, entry, of=player))
        # The carrier names a height, but the place that the writer has signed counts. For example,
        # a second entry 5 that is carried as entry 9 is compared with our entry 5. If it were
        # judged as entry 9, the evidence would lack the entry that it contradicts.
        place = min(height, record.chain.height_of(entry))
        if place <= record.height:
            return Ready(compute=tasks.CompareEntry(place, entry))
        if height == record.height + 1:
            return Ready(compute=self._judge(entry))
        # Entries further ahead are dropped: `Peers` tells the member our height, and they send from
        # there.
        if height <= record.height + _AHEAD:
            self._ahead[player, height] = entry
        return Ready()

    def _judge(self, entry: bytes, *, is_early: bool = False) -> tasks.JudgeEntry:
        shuffles_on = self._has_begun and self.player.shuffles_next
        return tasks.JudgeEntry(
            self.record.state, entry, self._is_brief(entry), shuffles_on, is_early
        )

    def _is_brief(self, entry: bytes) -> bool:
        """Return True if `entry` is a move or an unlocking that takes hardly any time to judge."""
        state = self.record.state
        due = state.due
        if due is None:
            return False
        if due.kind == MoveContent.kind:
            return len(entry) <= _BRIEF_MOVE
        return due.kind == UnlockContent.kind and len(state.owed_slots(due)) <= _BRIEF

    def _computed(
        self, task: tasks.Compute, found: State | tasks.Written | RemoteError | None
    ) -> Ready[T]:
        """Have an entry written to disk if it holds. If not, go on with another that came early."""
        match task, found:
            # This case comes first: an entry of another record must not be appended to ours.
            case tasks.JudgeEntry(before, entry, of=int(member)), _:
                return self._take_other(member, before, entry, found)
            case tasks.JudgeEntry(entry=entry, is_brief=is_brief), State():
                return Ready([tasks.Append(found, entry, is_deferred=is_brief)])
            case tasks.WriteEntry(), tasks.Written(after, entry, secrets):
                # Our own unlocking is sent without waiting for the disk, like the entries of others
                # (secrets are None). If the power fails, it is written again in the same bytes.
                assert after.last is not None
                again = isinstance(after.last.content, UnlockContent)
                return Ready([tasks.Append(after, entry, None if again else secrets)])
            case _, RemoteError():
                ready = self._refuse(task, found)
                ready.compute = self._next_ahead()
                return ready
        return Ready()

    def _take_other(self, member: int, before: State, entry: bytes, found: object) -> Ready[T]:
        """Have the record of a member taken in place of ours, if `OtherRecords` says so."""
        if not isinstance(found, State):
            return Ready()
        other = self._others.add(member, before, found, entry)
        return Ready([] if other is None else [other])

    def _refuse(self, task: tasks.Compute, error: RemoteError) -> Ready[T]:
        """Expose the writer of an entry that does not hold, or raise the error.

        The error ends the link of the message that is being handled. So it is not raised for an
        entry that came early, perhaps on another link. Nor is it raised for an entry of a record
        that differs from ours: the two records are being compared.
        """
        if isinstance(error, Exposed):
            return self._stop(error)
        is_early = isinstance(task, tasks.JudgeEntry) and task.is_early
        is_apart = isinstance(error, Unattributable) and error.cause == _ANOTHER_RECORD
        if not is_early and not is_apart:
            raise error
        return Ready()

    def _next_ahead(self) -> tasks.JudgeEntry | None:
        """Have the next entry judged, if it came early. Drop early entries of lower heights."""
        height = self.record.height + 1
        # Entries of this height by other carriers stay for now: if this one does not hold, the next
        # of them is judged.
        for place in [place for place in self._ahead if place[1] <= height]:
            entry = self._ahead.pop(place)
            if place[1] == height and not self.record.state.complete:
                return self._judge(entry, is_early=True)
        return None

    def _stop(self, error: Exposed) -> Ready[T]:
        """Write no more, and have the evidence written to disk: somebody has cheated.

        Entries that others have written before they heard of the cheat are still taken, so that all
        go on from the same place. Evidence against this node's own player is shown to nobody: that
        player has gone on from a copy of the data folder.
        """
        if error.key == self.record.key:
            self.peers.probe.note_contradiction()
            return Ready()
        known = {known.key for known in self.record.exposures}
        self.record.expose(error)
        # Known evidence is not sent again, or nodes would send it to each other for ever.
        return Ready([] if error.key in known else [tasks.Evidence(error)])

    # -- on the disk

    def _persisted(self, what: tasks.Persist, now: float) -> Ready[T]:
        match what:
            case tasks.Append(after, entry):
                return self._grow(after, entry, now)
            case tasks.TakeOther() as other:
                return self._grown(self.record.take_other(other), now)
            case tasks.Evidence():
                return self.peers.handle(events.EvidenceKept(), now)
            case tasks.Begin(_):
                self._has_begun = True
                return Ready(erase=self.player.heard_out())

    def _grow(self, after: State, entry: bytes, now: float) -> Ready[T]:
        """Take an entry that is on the disk into the record, and tell everybody."""
        before = self.record.state
        self.record.take(after, entry)
        ready = self._grown([tasks.Change(before, after)], now)
        ready.compute = self._next_ahead()
        return ready

    def _grown(self, changes: Iterable[tasks.Change], now: float) -> Ready[T]:
        """Tell everybody that the record has changed."""
        after = self.record.state
        assert after.last is not None
        # The grace of the next player begins.
        self.since = now
        awaited = None if after.due is None else after.due.player
        ready = self._forget(self.peers.handle(events.Grown(after.last.writer, awaited), now))
        ready.changes, ready.is_news = [*changes], True
        return ready

    def _forget(self, ready: Ready[T]) -> Ready[T]:
        """Forget the chosen move, and the locks that no entry needs any more.

        While this node's journal is in doubt no lock is forgotten: entries may be missing here.
        """
        ready.erase = self.player.advanced(erases=not self.resync.doubtful)
        return ready
