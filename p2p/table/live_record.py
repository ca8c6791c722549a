"""The record of a table at this node: the newest state, the entries that lead to it, and what
somebody carries that contradicts them.

Nothing here is locked or waits: the node sees to the order in which entries come.
"""

import logging
from collections.abc import Iterator, Mapping
from enum import Enum

import trio
from attrs import define, field

from p2p.shuffle_threads import on_all_cores
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.changes import Change, Progress, no_progress
from protocol.absence import is_agreed_absence
from protocol.ballot import (
    Contradiction,
    check_two_absences,
    height_of,
    is_contradiction,
    is_void,
    signers_of,
    step_by,
    step_of,
)
from protocol.charter import Charter, Member
from protocol.entries import Entry, Place, UnlockContent, is_entry_of, is_joint
from protocol.errors import Exposed, Unattributable
from protocol.record import record_parts
from protocol.reducer import advance, check_contradiction, check_equivocation
from protocol.state import State, Step

_log = logging.getLogger(__name__)

_RECENT = 32
"""Entries that are kept in memory: those that peers ask for."""


class Outcome(Enum):
    """What it means for a record that somebody carries another entry in one of its places."""

    NONE = "the record stays"
    DISMISSED = "the others have gone on without this node"
    OVERTAKEN = "the absence stands, and what the record has from its place on does not"


@define(eq=False)
class LiveRecord:
    """The record at the node whose public key is `key`. `exposed` is who has cheated; `dismissed`
    tells that the others have gone on without that member; `settled` is the height up to which
    they need not answer for their votes: that of their last entry, or of the last joint one;
    `signed` are the heights of the newest entries by whose key has signed them; `past` are the
    changes that the journal had.
    """

    journal: Journal
    membership: Membership
    key: bytes
    state: State = field(init=False)
    exposed: Exposed | None = field(default=None, init=False)
    dismissed: bool = field(default=False, init=False)
    settled: int = field(default=0, init=False)
    signed: dict[bytes, int] = field(factory=dict, init=False)
    past: list[Change] = field(factory=list, init=False)
    _heads: list[bytes] = field(init=False)
    _recent: dict[int, bytes] = field(factory=dict, init=False)
    _taken_back: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self.state = State.start(self.membership.charter.charter)
        self._heads = [self.state.head]

    @property
    def table_id(self) -> bytes:
        return self.state.table_id

    @property
    def height(self) -> int:
        return self.state.height

    @property
    def is_seated(self) -> bool:
        """Whether the seat is this node's by now: a substitute's record begins before they sit."""
        return self.state.charter.members[self.membership.me].key == self.key

    @property
    def stopped(self) -> bool:
        """Whether nothing is added any more before the end: somebody has cheated, or this node is
        dismissed.
        """
        return self.exposed is not None or self.dismissed

    @property
    def over(self) -> bool:
        """Whether this node appends nothing more: the match is over, or it has stopped."""
        return self.state.complete or self.stopped

    def head_at(self, height: int) -> bytes:
        """The digest of the entry at that height, the table id for 0."""
        return self._heads[height]

    def place_of(self, height: int) -> tuple[Place, Charter]:
        """The place of the entry with that height, of those that there are and the next, and the
        members before it.
        """
        place = Place(self.table_id, height, self._heads[height - 1])
        return place, self.state.charter_at(height)

    def has(self, height: int, entry: bytes) -> bool:
        """Whether that is one of the newest entries, in its place."""
        return self._recent.get(height) == entry

    async def entries(self, since: int, most: int) -> tuple[bytes, ...]:
        """At most so many entries from height `since` on."""
        heights = range(since, min(since + most, self.height + 1))
        if all(height in self._recent for height in heights):
            return tuple(self._recent[height] for height in heights)
        return await trio.to_thread.run_sync(self.journal.entries, self.table_id, since, most)

    # -- growing

    def replay(self, progress: Progress, most: int | None = None) -> Iterator[State]:
        """The states that the journal leads to, one after the other; at most so many. Blocks.

        Every entry was judged before it was written: where one does not hold, the file has been
        damaged since. From there on the others are asked.
        """
        entries = self.journal.entries(self.table_id, 1, most)
        for done, entry in enumerate(entries, start=1):
            before = self.state
            try:
                after = advance(before, entry, parallel_map=on_all_cores)
            except (Exposed, Unattributable) as error:
                _log.warning("entry %d in the journal is damaged: %s", done, error)
                self.journal.forget_entries(self.table_id, done)
                return
            self.past.append(self.take(after, entry))
            progress(done, len(entries))
            yield self.state

    def write(self, after: State, entry: bytes, secrets: Mapping[str, bytes] | None) -> None:
        """Put the next entry, which leads to `after`, into the journal. Blocks.

        An own unlocking does not wait for the disk, as if it were somebody else's: if the power
        fails, it is written again in the same bytes (`Journal.append`).
        """
        assert after.last is not None
        again = isinstance(after.last.content, UnlockContent)
        self.journal.append(self.table_id, after.height, entry, None if again else secrets)

    def take(self, after: State, entry: bytes) -> Change:
        """Make `after`, to which `entry` leads, the newest state. What has changed."""
        change, self._taken_back = Change(self.state, after, self._taken_back), 0
        was_seated, members, self.state = self.is_seated, self.state.charter, after
        self.dismissed = self.dismissed or (was_seated and not self.is_seated)
        self._heads.append(after.head)
        self._recent[after.height] = entry
        self._recent.pop(after.height - _RECENT, None)
        last = after.last
        assert last is not None
        step = step_by(members, last)
        self.signed |= dict.fromkeys(step.signers, after.height)
        if last.writer == self.membership.me or step.is_joint:
            self.settled = after.height
        return change

    # -- going back

    async def go_back(self, height: int, joint: bytes) -> None:
        """Become the record before that height, in which that joint entry stands. The journal
        forgets the rest. Raises Unattributable when it does not stand there: nothing is lost then.
        """
        earlier = await trio.to_thread.run_sync(self._before, height, joint)
        self._taken_back = self.height - earlier.height
        self.state, self._heads, self._recent = earlier.state, earlier._heads, earlier._recent
        self.settled, self.signed = earlier.settled, earlier.signed

    def _before(self, height: int, joint: bytes) -> "LiveRecord":
        """Blocks."""
        earlier = LiveRecord(self.journal, self.membership, self.key)
        for _ in earlier.replay(no_progress, height - 1):
            pass
        if earlier.height == height - 1:  # else the journal is damaged, and was cut before
            advance(earlier.state, joint)
            self.journal.forget_entries(self.table_id, height)
        return earlier

    # -- what contradicts it

    def judge(self, height: int, entry: bytes) -> Outcome:
        """Compare what somebody carries with what the record has in that place. Raises Exposed and
        Unattributable. Blocks.
        """
        place, charter = self.place_of(height)
        check_contradiction(charter, self.table_id, entry)
        other = Entry.decode(entry)
        if other.head == self._heads[height]:
            return Outcome.NONE
        (ours,) = self.journal.entries(self.table_id, height, 1)
        if not is_agreed_absence(charter, other, place):
            check_equivocation(charter, ours, entry)
            return Outcome.NONE
        if is_joint(ours):
            check_two_absences(charter, place, Entry.decode(ours), other)
        if is_joint(ours) or is_void(charter, place, other, self._steps(height)):
            return Outcome.NONE
        if charter.player_of(self.key) is None or self.key in signers_of(charter, other):
            return Outcome.OVERTAKEN
        return Outcome.DISMISSED

    def _steps(self, since: int) -> Iterator[Step]:
        """The record from that height on. Blocks."""
        for height, data in enumerate(self.journal.entries(self.table_id, since), since):
            yield step_of(self.state.charter_at(height), Entry.decode(data))

    def file_parts(self) -> Iterator[bytes]:
        """The record as far as it goes, as the bytes of a record file, piece by piece. If somebody
        has cheated it ends in what exposes them (`spec/audit.md`). Blocks.
        """
        entries = self.journal.entries(self.table_id)
        if self.exposed is not None:
            end, shown = self._end_of(self.exposed), self.exposed.evidence
            # Of two entries in the next place neither is in the record.
            entries = (*entries[:end], *(shown if end > self.height else shown[-1:]))
        return record_parts(self.membership.charter, entries)

    def _end_of(self, exposed: Exposed) -> int:
        """The last entry of the record after which the evidence exposes that player. Blocks."""
        shown = exposed.evidence[-1]
        height = self._height_of(shown)
        if is_contradiction(shown):
            return height - 1  # the members are those who sat there then
        if is_joint(shown):
            return self._gone_past(height, exposed.player)
        return height if len(exposed.evidence) > 1 else self.height

    def _gone_past(self, height: int, player: int) -> int:
        """The first entry that this player has written from that height on. Blocks."""
        key = self.state.charter_at(height).members[player].key
        return next(s.place.height for s in self._steps(height) if key in s.signers)

    def _height_of(self, shown: bytes) -> int:
        """The height that evidence is about; the next one, if that cannot be read."""
        return height_of(shown, self.height + 1)

    @property
    def cheat(self) -> Member | None:
        """Who is exposed, as they were named where they signed it."""
        return None if self.exposed is None else self._signer(self.exposed)

    def is_own(self, exposed: Exposed) -> bool:
        """Whether that is the holder of this node's key, who has signed what is shown: of what is
        malformed the height may be unreadable, and who sat there before is none of ours.
        """
        shown = exposed.evidence[-1]
        if self._signer(exposed).key != self.key:
            return False
        if is_contradiction(shown):
            return Contradiction.decode(shown).one.key == self.key
        return is_joint(shown) or is_entry_of(shown, self.key)

    def _signer(self, exposed: Exposed) -> Member:
        height = self._height_of(exposed.evidence[-1])
        return self.state.charter_at(height).members[exposed.player]

    @property
    def evidence(self) -> tuple[tuple[int, bytes], ...]:
        """The entries that expose somebody, with their heights."""
        if self.exposed is None:
            return ()
        return tuple((self._height_of(shown), shown) for shown in self.exposed.evidence)

    def keep_evidence(self, error: Exposed) -> None:
        """Somebody has cheated: keep what shows it, for good. Blocks."""
        for evidence in error.evidence:
            self.journal.keep_evidence(self.table_id, str(error), evidence)

    def recall_evidence(self) -> None:
        """Judge again what was kept when somebody was exposed. Blocks."""
        held = None
        for _, entry in self.journal.evidence(self.table_id):
            try:
                height = self._height_of(entry)
                if height <= self.height:
                    self.judge(height, entry)
                else:
                    advance(self.state, entry)
                    check_equivocation(self.state.charter, held or entry, entry)
                    held = entry
            except Exposed as error:
                self.exposed = error
            except Unattributable as error:
                _log.warning("evidence in the journal shows nothing: %s", error)
