"""Resynchronisation after a restart: the node writes nothing until it has what its peers have.

The node's journal may be an old copy that was put back. Then the node could write a second entry in
a place where it has written before, and that would expose its owner.

If the journal itself finds that it is an old copy, the node waits for the status of every peer,
however long that takes. If not, it waits ten seconds for every peer. After that the members whose
status has come are enough if, together with this node, they are more than half of all. The node
waits even if the journal finds nothing wrong: when a whole machine was put back from a copy, no
file shows it.
"""

import math
from typing import Any

from attrs import define, field, frozen

from protocol.table.peers import Peers

STATUS_SECONDS = 10.0
"""Seconds to wait for the status of all after a restart, when nothing says that our journal is old.
After that more than half of the members, this node among them, are enough. A member whose node runs
is heard of within two seconds, directly or through another. The shortest grace is ten seconds, too:
so after a power cut for all, nobody is asked to sign a continuation before this wait is over.
"""

CLAIM_SECONDS = 4.0
"""Seconds in which our record has to grow when a peer claims to have a longer one. After that this
node no longer waits for those entries, if nothing says that our journal is old.
"""

COMPARE_SECONDS = 10.0
"""Seconds in which our record has to grow, if our journal is old and a peer's record is longer than
ours or differs from it. After that the node no longer waits for a record that only differs. For a
longer one it still waits, and shows its player that a peer claims to have more and sends nothing.
"""

ANSWER_SECONDS = 1.0
"""Seconds that another node with this key has to answer (`protocol.table.own_key_probe`)."""


@frozen
class Unheard:
    """The members for whom a node waits after a restart before it writes."""

    silent: frozenset[int] = frozenset()
    """The members who have not told the height of their record."""
    empty: frozenset[int] = frozenset()
    """The members who claim to have a longer record than ours, and send nothing."""
    doubtful: bool = False
    """True if the journal is an old copy, so all members have to be heard."""
    enough: int = 0
    """The number of silent members who must still be heard of; 0 means all of them."""

    def __bool__(self) -> bool:
        return bool(self.silent or self.empty)


NOBODY_UNHEARD = Unheard()


@define(eq=False)
class Resync:
    """The resynchronisation of one node with its peers."""

    peers: Peers[Any]
    done: bool = field(default=False, init=False)
    """True if the node may write."""
    doubtful: bool = field(default=False, init=False)
    """True if the node's journal is an old copy that was put back, and the node is not done yet."""
    _needs_all: bool = field(default=True, init=False)
    """True as long as every peer has to be heard of; False once more than half are enough."""
    _until: float = field(default=math.inf, init=False)
    """The time after which more than half of the members are enough; infinite if all are needed."""
    _answer_at: float = field(default=math.inf, init=False)
    """The time until which another node with this key may answer; infinite before that wait."""
    _height: int = field(default=0, init=False)
    """The height of our record when claims were last noted."""
    _claimed_at: dict[int, float] = field(factory=dict, init=False)
    """The time since which each member claims to have entries that we lack."""
    _empty: frozenset[int] = field(default=frozenset(), init=False)
    """The members who have claimed so for too long, while our record has not grown."""

    def begin(self, now: float) -> None:
        """Begin to wait."""
        self._until = math.inf if self.doubtful else now + STATUS_SECONDS

    def look(self, now: float) -> float:
        """Check if this node is `done`. Return when to check again, if nothing happens before.

        A node that is done has all entries that its peers claim to have, if they have sent them.
        """
        self._note_claims(now)
        if self._answer_at == math.inf:
            self._needs_all = now < self._until
            heard_enough = not self._silent if self._needs_all else self._missing <= 0
            late = self.doubtful and self._late
            # A node waits for enough members, for the entries that they claim to have, and in doubt
            # even for those who claim a longer record and send nothing.
            if not heard_enough or self._claiming - self._empty or late:
                # Look again even if no event comes: none comes when two records agree again.
                until = self._until if self._needs_all else math.inf
                return min(now + CLAIM_SECONDS, self._next_late, until)
            # From here on, nothing but another node with this key keeps this node from writing.
            self._answer_at = now + (ANSWER_SECONDS if self.peers.linked else 0.0)
        if now < self._answer_at:
            return self._answer_at
        self.doubtful, self.done = False, True
        return math.inf

    @property
    def awaited(self) -> Unheard:
        """The members for whom this node still waits, and why."""
        if self.done:
            return NOBODY_UNHEARD
        silent, missing = self._silent, self._missing
        # Of two players the other one is needed in any case, so no number is told.
        if self._needs_all or missing == len(silent):
            return Unheard(silent, self._late, self.doubtful)
        return Unheard(silent if missing > 0 else frozenset(), self._late, enough=max(0, missing))

    @property
    def _missing(self) -> int:
        """The number of members who must still be heard of to make more than half with this node.

        For example: of four members two others are needed, so it is 1 when one was heard of. It is
        below 0 when more than enough were heard of.
        """
        others = len(self.peers.others)
        return (others + 1) // 2 - (others - len(self._silent))

    @property
    def _silent(self) -> frozenset[int]:
        known = self.peers.known
        heard = known.has_spoken if self.doubtful else known.has_heard
        return frozenset(player for player in self.peers.others if not heard(player))

    @property
    def _claiming(self) -> frozenset[int]:
        """The members who claim to have entries that we lack.

        Their record is longer than ours. If our journal is an old copy, a record that differs from
        ours counts, too: it may have entries that we have signed and do not know any more.
        """
        apart = self.peers.known.is_apart
        others = (p for p in self.peers.others if self.doubtful and apart(p))
        return self._further | frozenset(others)

    @property
    def _further(self) -> frozenset[int]:
        height, heights = self.peers.chain.height, self.peers.known.all
        return frozenset(p for p in self.peers.others if heights[p] > height)

    @property
    def _late(self) -> frozenset[int]:
        """The members who have claimed for too long to have a longer record, and sent nothing."""
        return self._empty & self._further

    def _note_claims(self, now: float) -> None:
        """Note since when each member claims to have more, and who has sent nothing for too long.

        A member who drops the claim and makes it again gets no more time: only a new entry resets
        the times.
        """
        if self.peers.chain.height != self._height:
            self._height = self.peers.chain.height
            self._claimed_at.clear()
        claiming = self._claiming
        # The right operand wins: who has claimed before keeps the earlier time.
        self._claimed_at = dict.fromkeys(claiming, now) | self._claimed_at
        late = (p for p, since in self._claimed_at.items() if now >= since + self._patience)
        self._empty = claiming & frozenset(late)

    @property
    def _patience(self) -> float:
        return COMPARE_SECONDS if self.doubtful else CLAIM_SECONDS

    @property
    def _next_late(self) -> float:
        """The time at which the next claim has been made for too long."""
        ends = (self._claimed_at[p] + self._patience for p in self._claiming - self._empty)
        return min(ends, default=math.inf)
