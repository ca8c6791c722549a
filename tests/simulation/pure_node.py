"""A node as a value, for explorations: the real reducer, player, ballots and contradictions, and
around them what `p2p.table.appender` and `p2p.replacement.coordinator` do, without network, clock
and disk. It begins at the end of a round, where entries take no lock.
"""

from attrs import define, evolve, field, frozen

from protocol.absence import absence, is_agreed_absence
from protocol.ballot import (
    Act,
    Ballot,
    check_two_absences,
    is_void,
    signers_of,
    step_of,
)
from protocol.entries import AbsentContent, Entry, Place, is_joint
from protocol.errors import Exposed, Malformed, Refused, Unattributable
from protocol.group import Entropy
from protocol.player import Player
from protocol.reducer import advance, check_contradiction, check_equivocation
from protocol.signing import Signer
from protocol.state import State


@frozen
class Said:
    """A message: an entry or an act, for the place with that height."""

    height: int
    entry: bytes = b""
    act: Act | None = None


@define
class PureNode:
    """Number `me` at a table that begins at `start`."""

    start: State
    me: int
    signer: Signer = field(repr=False)
    entropy: Entropy = field(repr=False)
    state: State = field(init=False)
    player: Player = field(init=False, repr=False)
    entries: list[bytes] = field(factory=list, init=False, repr=False)
    heads: list[bytes] = field(factory=list, init=False, repr=False)
    ballots: dict[int, Ballot] = field(factory=dict, init=False, repr=False)
    voted: dict[int, Act] = field(factory=dict, init=False, repr=False)
    released: dict[int, Act] = field(factory=dict, init=False, repr=False)
    settled: int = 0
    held: bytes | None = None
    exposed: Exposed | None = None
    dismissed: bool = False

    def __attrs_post_init__(self) -> None:
        self.state = self.start
        self.heads = [self.start.head]
        self.player = Player(self.me, self.signer)
        self.settled = self.start.height

    # -- what it has

    @property
    def key(self) -> bytes:
        return self.start.charter.members[self.me].key

    @property
    def over(self) -> bool:
        return self.state.complete or self.stopped

    @property
    def stopped(self) -> bool:
        return self.dismissed or self.exposed is not None

    @property
    def height(self) -> int:
        return self.state.height

    def entry_at(self, height: int) -> bytes:
        return self.entries[height - self.start.height - 1]

    def head_at(self, height: int) -> bytes:
        return self.heads[height - self.start.height]

    def place_of(self, height: int) -> Place:
        return Place(self.start.table_id, height, self.head_at(height - 1))

    def ballot(self, height: int) -> Ballot:
        """Of a place that the record has, or the next."""
        if height not in self.ballots:
            charter = self.state.charter_at(height)
            mine = self.voted.get(height)
            ballot = Ballot(charter, self.place_of(height), self.key, mine)
            if height in self.released:
                ballot.add(self.released[height])
            self.ballots[height] = ballot
        return self.ballots[height]

    @property
    def next_ballot(self) -> Ballot:
        return self.ballot(self.height + 1)

    # -- what it does; each returns what it says to all

    def write(self) -> list[Said]:
        """Whatever this node owes, if it may."""
        if self.over or not self.player.owes(self.state):
            return []
        releases = tuple(
            act.encode() for h, act in sorted(self.released.items()) if h > self.settled
        )
        written = self.player.write(self.state, self.entropy, None, releases)
        return self._take(written.entry)

    def vote(self, content: AbsentContent) -> list[Said]:
        """Raises Refused."""
        if self.over:
            raise Refused("Not now.")
        body = absence(self.state, content).encode()
        ballot = self.next_ballot
        mine = ballot.vote(body, self.signer)
        self.voted[self.height + 1] = mine
        ballot.add(mine)
        return [Said(self.height + 1, act=mine), *self._settle()]

    def hear(self, said: Said) -> list[Said]:
        """Take what somebody says; nothing for what shows nothing."""
        if self.stopped or (self.over and said.act is None):
            return []
        try:
            if said.act is not None:
                return self._hear_act(said.height, said.act)
            return self._hear_entry(said.height, said.entry)
        except Exposed as error:
            self.exposed = error
            return []
        except (Unattributable, Malformed):
            return []

    def _hear_act(self, height: int, act: Act) -> list[Said]:
        if not self.start.height < height <= self.height + 1:
            return []
        ballot = self.ballot(height)
        if Place.of(act.body) != ballot.place:
            return []
        if height == self.height + 1:
            if self.over:
                return []
            said = act.said(self.state.charter)
            if said.content is not None and absence(self.state, said.content).encode() != act.body:
                return []
        elif not ballot.is_member(act.key):
            return []
        news = ballot.add(act)
        if ballot.mine is not None and height not in self.voted:
            self.voted[height] = ballot.mine
        told = [Said(height, act=act)] if news else []
        if height <= self.height and ballot.owes_refusal and ballot.is_member(self.key):
            refusal = Act.refusal(ballot.place, self.me, self.key, self.signer)
            ballot.add(refusal)
            told.append(Said(height, act=refusal))
        return [*told, *self._settle()]

    def _settle(self) -> list[Said]:
        """Take the joint entry that is complete, or the one that was held back."""
        entry = self.next_ballot.joint()
        if entry is None and not self.next_ballot.holds_back:
            entry = self.held
        return [] if entry is None else self._take(entry)

    def _hear_entry(self, height: int, entry: bytes) -> list[Said]:
        if height > self.height + 1 or height <= self.start.height:
            return []
        if height <= self.height:
            self._judge(height, entry)
            return []
        if self.next_ballot.holds_back and not is_joint(entry):
            advance(self.state, entry)
            self.held = entry
            return []
        return self._take(entry)

    def _judge(self, height: int, entry: bytes) -> None:
        charter, place = self.state.charter_at(height), self.place_of(height)
        check_contradiction(charter, place.table_id, entry)
        theirs, ours = Entry.decode(entry), self.entry_at(height)
        if theirs.head == self.head_at(height):
            return
        if not is_agreed_absence(charter, theirs, place):
            check_equivocation(charter, ours, entry)
        elif is_joint(ours):
            check_two_absences(charter, place, Entry.decode(ours), theirs)
        else:
            later = enumerate(self.entries[height - self.start.height - 1 :], height)
            steps = (step_of(self.state.charter_at(h), Entry.decode(e)) for h, e in later)
            named = self.key not in signers_of(charter, theirs)
            if not is_void(charter, place, theirs, steps) and named:
                self.dismissed = True

    def _take(self, entry: bytes) -> list[Said]:
        height = self.height + 1
        advance(self.state, entry)
        release = self.ballot(height).release
        if not is_joint(entry) and release is not None and height not in self.released:
            self.released[height] = release
        self._took(entry)
        return [Said(height, entry)]

    def _took(self, entry: bytes) -> None:
        was = self.state.charter.members[self.me].key
        self.state = advance(self.state, entry)
        self.entries.append(entry)
        self.heads.append(self.state.head)
        self.held = None
        last = self.state.last
        assert last is not None
        if last.writer == self.me or isinstance(last.content, AbsentContent):
            self.settled = self.state.height
        if was == self.key != self.state.charter.members[self.me].key:
            self.dismissed = True
        self.player.forget(self.state)

    def clone(self) -> "PureNode":
        """A copy that goes its own way."""
        other = evolve(self)
        other.state, other.player = self.state, self.player
        other.entries, other.heads = list(self.entries), list(self.heads)
        other.voted, other.released = dict(self.voted), dict(self.released)
        other.ballots = {height: _copied(ballot) for height, ballot in self.ballots.items()}
        other.settled = self.settled
        return other


def _copied(ballot: Ballot) -> Ballot:
    other = Ballot(ballot.charter, ballot.place, ballot.me, ballot.mine)
    other._votes = {body: dict(given) for body, given in ballot._votes.items()}
    other._refusals = dict(ballot._refusals)
    return other
