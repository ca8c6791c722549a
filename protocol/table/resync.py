"""Resynchronisation after a restart: the node writes nothing until it has what its peers have.

Its journal may be an old copy that was put back; a second entry of this node in one place would
expose its owner. If the journal finds that it is one, the status of every peer is waited for,
however long it takes. Otherwise it is waited for ten seconds, and then until so many have told
theirs that they are, with this node, more than half of all: a copy of a whole machine is told by no
file, and who is alone has nobody to write for.
"""

import math
from typing import Any

from attrs import define, field, frozen

from protocol.table.peers import Peers

STATUS_SECONDS = 10.0
"""Seconds to wait for the status of all after a restart, when nothing says that our journal is old.
From then on more than half of the members, with this node, are enough. Whoever is there is heard of
within two seconds, directly or through another. So long is the least grace, too: after a power cut
for all, nobody's signature is asked for sooner.
"""

CLAIM_SECONDS = 4.0
"""Seconds in which the record has to grow when a peer says that theirs goes further. After that, it
is not waited for what they say they have, if nothing says that our journal is old.
"""

COMPARE_SECONDS = 10.0
"""Seconds in which another record than ours has to come together with it, if our journal is old.
From then on who says that theirs goes further, and sends nothing, is told of, and waited for like
who says nothing.
"""

ANSWER_SECONDS = 1.0
"""Seconds that another node with this key has to answer (`protocol.table.key_probe`), which is
asked as soon as there are links.
"""


@frozen
class Unheard:
    """The members for whom a node that came back waits before it writes.

    `silent` are those who have not said how far their record goes, `empty` those who have said that
    it goes further than ours and send nothing. `doubtful`: the journal is older than what was
    signed, so all are needed. So many of the silent are `enough`; 0: all are waited for.
    """

    silent: frozenset[int] = frozenset()
    empty: frozenset[int] = frozenset()
    doubtful: bool = False
    enough: int = 0

    def __bool__(self) -> bool:
        return bool(self.silent or self.empty)


NOBODY_UNHEARD = Unheard()


@define(eq=False)
class Resync:
    """The resynchronisation of one node with its `peers`.

    `done`: the node may write. `doubtful`: its journal was put back from a copy, and a peer's
    status is still missing.
    """

    peers: Peers[Any]
    done: bool = field(default=False, init=False)
    doubtful: bool = field(default=False, init=False)
    _needs_all: bool = field(default=True, init=False)
    _until: float = field(default=math.inf, init=False)
    """The time from which on some of the members are enough."""
    _answer_at: float = field(default=math.inf, init=False)
    """The time at which another node with this key has had its time to answer."""
    _height: int = field(default=0, init=False)
    _claimed_at: dict[int, float] = field(factory=dict, init=False)
    _empty: frozenset[int] = field(default=frozenset(), init=False)

    def begin(self, now: float) -> None:
        """Begin to wait."""
        self._until = math.inf if self.doubtful else now + STATUS_SECONDS

    def look(self, now: float) -> float:
        """Look if this node is `done`. Return when to look again, if nothing happens before.

        It has every entry then that its peers have told of, as far as they send them.
        """
        self._note_claims(now)
        if self._answer_at == math.inf:
            self._needs_all = now < self._until
            heard_enough = not self._silent if self._needs_all else self._missing <= 0
            late = self.doubtful and self._late
            if not heard_enough or self._claiming - self._empty or late:
                # That two records come together is no news.
                return min(now + CLAIM_SECONDS, self._next_late, *self._times_after(now))
            self._answer_at = now + (ANSWER_SECONDS if self.peers.linked else 0.0)
        if now < self._answer_at:
            return self._answer_at
        self.doubtful, self.done = False, True
        return math.inf

    def _times_after(self, now: float) -> tuple[float, ...]:
        return (self._until,) if now < self._until else ()

    @property
    def awaited(self) -> Unheard:
        """The members for whom this node waits, and why."""
        if self.done:
            return NOBODY_UNHEARD
        silent, missing = self._silent, self._missing
        if self._needs_all or missing == len(silent):
            return Unheard(silent, self._late, self.doubtful)
        return Unheard(silent if missing > 0 else frozenset(), self._late, enough=max(0, missing))

    @property
    def _missing(self) -> int:
        """The number of members who have to be heard of yet.

        With this node they are more than half then: so many can go on without the others.
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
        """The members whose record goes further than ours, as they say.

        If our journal was put back, another record counts as well: we may have signed what it has,
        and not know it.
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
        """The members who have claimed for long that their record goes further, and sent none."""
        return self._empty & self._further

    def _note_claims(self, now: float) -> None:
        """Note since when each claims so, and who has claimed it for long without an entry.

        Who takes a claim back and makes it again has no more time for it.
        """
        if self.peers.chain.height != self._height:
            self._height = self.peers.chain.height
            self._claimed_at.clear()
        claiming = self._claiming
        self._claimed_at = dict.fromkeys(claiming, now) | self._claimed_at
        late = (p for p, since in self._claimed_at.items() if now >= since + self._patience)
        self._empty = claiming & frozenset(late)

    @property
    def _patience(self) -> float:
        return COMPARE_SECONDS if self.doubtful else CLAIM_SECONDS

    @property
    def _next_late(self) -> float:
        """The time at which the next claim has been made for long."""
        ends = (self._claimed_at[p] + self._patience for p in self._claiming - self._empty)
        return min(ends, default=math.inf)
