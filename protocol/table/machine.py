"""The table of a node as one value: it takes events, and says what is to be done after each.

It has no clock, randomness, threads, disk or links: `p2p.table.node` has them, and does what is
asked for. The order of every step is the same, whoever wrote an entry: the reducer advances the
state by it, the journal has it, with the secrets behind it, and only then do others get it. So a
node that dies at any moment comes back to what it has said, and says it again in the same bytes.
(Of unlockings, and of what others write, see `Append` and `p2p.storage.journal`.)

`tests/protocol/table/machine` has what comes of events, as texts. The idea is that of the `Ready`
of etcd's raft library, and of h11's connections.
"""

import math
from collections.abc import Iterable
from typing import Generic

from attrs import define, field

from protocol.entries import MoveContent, UnlockContent
from protocol.errors import Exposed, RemoteError, Unattributable
from protocol.state import State
from protocol.table import events
from protocol.table.events import Ready, TableEvent
from protocol.table.other_records import OtherRecords
from protocol.table.own_player import OwnPlayer
from protocol.table.peer import T
from protocol.table.peers import Peers
from protocol.table.record import TableRecord
from protocol.table.resync import Resync

_ANOTHER_RECORD = "R7"  # the clause by which an entry continues another record than ours

_AHEAD = 8
"""Heights by which an entry may be ahead of our record, and is kept until it is its turn: one for
each height and member who has carried it, half a megabyte a member at most.
"""

_BRIEF = 2
"""Cards: to verify that many unlockings, or to prove them, takes about a millisecond."""

_BRIEF_MOVE = 256
"""Bytes: so long is a move that shows ten cards, and to judge it takes a millisecond."""


@define(eq=False)
class TableMachine(Generic[T]):
    """The table of `record`, at which `player` plays with `peers`.

    `is_fresh`: this node sits down for the first time, and has never said anything here. Of the
    events by which the record may grow one is handled at a time, with all that is computed for it.
    """

    record: TableRecord
    player: OwnPlayer
    peers: Peers[T]
    is_fresh: bool = False
    resync: Resync = field(init=False)
    since: float = field(default=math.inf, init=False)
    """The time at which the newest entry came, infinite before `Started`."""
    _look_at: float = field(default=-math.inf, init=False)
    """The time at which to look if this node may write."""
    _has_begun: bool = field(default=False, init=False)
    """True if this node may write: it has what its peers have."""
    _ahead: dict[tuple[int, int], bytes] = field(factory=dict, init=False)
    """Entries that have come before what they continue, by who has carried them, and height."""

    _others: OtherRecords = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.resync = Resync(self.peers)
        self._others = OtherRecords(self.record)

    @property
    def can_write(self) -> bool:
        """True if an entry is due from this node, and nothing here keeps it from writing."""
        return self._has_begun and self.player.can_write and not self.peers.probe.found

    def grace_left(self, now: float) -> float:
        """Return the seconds until the player for whom the table waits can be left behind."""
        return max(0.0, min(self.since, now) + self.record.state.charter.grace - now)

    def handle(self, event: TableEvent[T], now: float) -> Ready[T]:
        """Return what is to be done after an event at that time.

        Raises Mismatch and Unattributable for a message that ends its link.
        """
        ready: Ready[T]
        match event:
            case events.Carried(player, height, entry):
                ready = self._carried(player, height, entry)
            case events.Computed(task, found):
                ready = self._computed(task, found)
            case events.Due():
                is_brief = self.player.proves_at_most(_BRIEF)
                ready = Ready(compute=events.WriteEntry(self.record.state, is_brief))
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
        self._has_begun = self.resync.done = self.is_fresh and self.record.height == 0
        self.resync.begin(now)

    def _look(self, event: TableEvent[T], ready: Ready[T], now: float) -> float:
        """Look if this node may begin to write, when time goes by. Return when to look again."""
        if self.since == math.inf or self.resync.done:
            return math.inf
        if isinstance(event, events.Ticked):
            is_doubtful = self.resync.doubtful
            self._look_at = self.resync.look(now)
            if self.resync.done:
                ready.persist.append(events.Begin(is_doubtful))
        elif ready.has_changed:
            self._look_at = now
        return self._look_at

    # -- entries of others

    def _carried(self, player: int, height: int, entry: bytes) -> Ready[T]:
        """Have an entry judged, or compared; keep one that comes before what it continues."""
        record = self.record
        if record.state.complete or record.chain.has(height, entry):
            return Ready()
        if record.exposures and self.resync.done:
            before = self._others.state_before(player, entry)
            if before is not None:
                return Ready(compute=events.JudgeEntry(before, entry, of=player))
        if height <= record.height:
            return Ready(compute=events.CompareEntry(height, entry))
        if height == record.height + 1:
            return Ready(compute=self._judge(entry))
        if height <= record.height + _AHEAD:
            self._ahead[player, height] = entry
        return Ready()

    def _judge(self, entry: bytes, *, is_early: bool = False) -> events.JudgeEntry:
        shuffles_on = self._has_begun and self.player.shuffles_next
        return events.JudgeEntry(
            self.record.state, entry, self._is_brief(entry), shuffles_on, is_early
        )

    def _is_brief(self, entry: bytes) -> bool:
        """Return True if the next entry is a move or an unlocking that is judged in no time."""
        state = self.record.state
        due = state.due
        if due is None:
            return False
        if due.kind == MoveContent.kind:
            return len(entry) <= _BRIEF_MOVE
        return due.kind == UnlockContent.kind and len(state.owed_slots(due)) <= _BRIEF

    def _computed(
        self, task: events.Compute, found: State | events.Written | RemoteError | None
    ) -> Ready[T]:
        """Have an entry kept that leads to a state; go on after one that does not."""
        match task, found:
            case events.JudgeEntry(before, entry, of=int(member)), _:
                return self._take_other(member, before, entry, found)
            case events.JudgeEntry(entry=entry, is_brief=is_brief), State():
                return Ready([events.Append(found, entry, is_deferred=is_brief)])
            case events.WriteEntry(), events.Written(after, entry, secrets):
                # An own unlocking does not wait for the disk, as if it were somebody else's: if the
                # power fails, it is written again in the same bytes.
                assert after.last is not None
                again = isinstance(after.last.content, UnlockContent)
                return Ready([events.Append(after, entry, None if again else secrets)])
            case _, RemoteError():
                self.player.drop_early()
                ready = self._refuse(task, found)
                ready.compute = self._next_ahead()
                return ready
        return Ready()

    def _take_other(self, member: int, before: State, entry: bytes, found: object) -> Ready[T]:
        """Have the record of a member taken in the place of ours, if it is the longer one."""
        if not isinstance(found, State):
            return Ready()
        other = self._others.add(member, before, found, entry)
        return Ready([] if other is None else [other])

    def _refuse(self, task: events.Compute, error: RemoteError) -> Ready[T]:
        """Expose whoever has written an entry, or raise the error, if its carrier is to blame.

        They are not for an entry that has come by another link before; nor if their record has come
        apart from ours: the two are being compared.
        """
        if isinstance(error, Exposed):
            return self._stop(error)
        is_early = isinstance(task, events.JudgeEntry) and task.is_early
        is_apart = isinstance(error, Unattributable) and error.cause == _ANOTHER_RECORD
        if not is_early and not is_apart:
            raise error
        return Ready()

    def _next_ahead(self) -> events.JudgeEntry | None:
        """Have an entry judged that came early and whose turn it may be by now."""
        height = self.record.height + 1
        for place in [place for place in self._ahead if place[1] <= height]:
            entry = self._ahead.pop(place)
            if place[1] == height and not self.record.state.complete:
                return self._judge(entry, is_early=True)
        return None

    def _stop(self, error: Exposed) -> Ready[T]:
        """Write no more, and have the evidence kept: somebody has cheated.

        What others have written before they heard of it is still taken: all go on from the same
        place. If the cheat is this node's own player, who has played on from a copy of their home,
        nobody is shown it.
        """
        if error.key == self.record.key:
            self.peers.probe.note_contradiction()
            return Ready()
        known = {known.key for known in self.record.exposures}
        self.record.expose(error)
        # All are shown it once, or they would show it to each other for ever.
        return Ready([] if error.key in known else [events.Evidence(error)])

    # -- on the disk

    def _persisted(self, what: events.Persist, now: float) -> Ready[T]:
        match what:
            case events.Append(after, entry):
                return self._grow(after, entry, now)
            case events.TakeOther() as other:
                return self._grown(self.record.take_other(other), now)
            case events.Evidence():
                return self.peers.handle(events.EvidenceKept(), now)
            case events.Begin(_):
                self._has_begun = True
                return Ready(erase=self.player.heard_out())

    def _grow(self, after: State, entry: bytes, now: float) -> Ready[T]:
        """Let everybody know the next entry."""
        before = self.record.state
        self.record.take(after, entry)
        ready = self._grown([events.Change(before, after)], now)
        ready.compute = self._next_ahead()
        return ready

    def _grown(self, changes: Iterable[events.Change], now: float) -> Ready[T]:
        """Let everybody know the record as it is now."""
        after = self.record.state
        assert after.last is not None
        self.since = now
        awaited = None if after.due is None else after.due.player
        ready = self._forget(self.peers.handle(events.Grown(after.last.writer, awaited), now))
        ready.changes, ready.is_news = [*changes], True
        return ready

    def _forget(self, ready: Ready[T]) -> Ready[T]:
        """Forget the chosen move, and the locks that nothing is written with any more.

        While entries may be missing nobody knows which those are.
        """
        ready.erase = self.player.advanced(erases=not self.resync.doubtful)
        return ready
