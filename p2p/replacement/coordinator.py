"""What the members of a table agree on when one of them stays away: on his absence, and on who
takes his seat.

A candidate comes to the waiting room of one node, and all nodes learn of him. A member invites
him, which nothing hangs on; he is shown the record, and signs. Then the members vote.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import trio
from attrs import define, field

from engine.sentences import Sentence
from p2p.replacement.applicants import Candidate, WaitingRoom
from p2p.replacement.votes import Votes
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.known_players import KnownPlayers
from p2p.table.mesh import Mesh
from p2p.table.resync import Resync
from p2p.transport.messages import Agreed, Candidates, Invite, Talk, Vote, Whereabouts
from protocol.absence import absence
from protocol.charter import Charter, Member
from protocol.entries import AbsentContent, Entry
from protocol.errors import Refused
from protocol.state import State


class Table(Protocol):
    """What the council needs of the node whose it is."""

    state: State
    folding: trio.Lock
    mesh: Mesh
    resync: Resync
    progress: trio.Event

    @property
    def charter(self) -> Charter: ...

    @property
    def me(self) -> int: ...

    @property
    def grace_left(self) -> float: ...

    @property
    def over(self) -> bool: ...

    def greeting(self) -> Agreed: ...

    async def entries(self, since: int, most: int, /) -> Sequence[bytes]: ...

    async def fold(self, entry: bytes) -> None:
        """Make it the next entry; `folding` is held."""

    def wake(self) -> None:
        """Set `progress`, and replace it."""


@define(eq=False)
class Council:
    """The part of one node in it. `departed` are those whose seats were given to others: by key,
    the height of the entry that says so.
    """

    table: Table
    identity: Identity
    journal: Journal
    votes: Votes
    room: WaitingRoom = field(init=False)
    departed: dict[bytes, int] = field(factory=dict, init=False)
    _substitutes: set[bytes] = field(factory=set, init=False)
    _told: dict[int, tuple[Member, ...]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.room = WaitingRoom(self)

    # -- for the client, by way of the node

    @property
    def vacant(self) -> int | None:
        """The player whose seat can be given to somebody else: who is waited for, when the grace
        is over; None for nobody.
        """
        due = self.table.state.due
        waits = due is not None and due.player != self.table.me and not self.table.over
        # Of two players none can agree on the absence of the other.
        if not waits or self.table.grace_left or len(self.charter.members) < 3:
            return None
        assert due is not None
        return due.player

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Those at this node first, then those at the nodes that it is linked to."""
        told = [self._told.get(player, ()) for player in sorted(self.table.mesh.linked)]
        members = (member for group in (self.room.members, *told) for member in group)
        first: dict[bytes, Member] = {}
        for member in members:
            first.setdefault(member.key, member)
        seated = {member.key for member in self.charter.members}
        return tuple(
            Candidate(member, self.known_players.objection(member.key, member.name))
            for member in first.values()
            if member.key not in seated
        )

    def absence(self, content: AbsentContent) -> bytes:
        """The encoded body of the joint entry. Raises Refused."""
        return absence(self.table.state, content).encode()

    async def invite(self, seats: Mapping[int, bytes]) -> AbsentContent:
        """See `p2p.table.node.Node.invite`."""
        self._check_grace()
        here = {candidate.key: candidate for candidate in self.candidates}
        players = tuple(sorted(seats))
        if not seats or not all(seats[player] in here for player in players):
            raise Refused("Whoever is to take a seat has to wait at the table.")
        chosen = [here[seats[player]] for player in players]
        for objection in (candidate.objection for candidate in chosen):
            if objection is not None:
                raise Refused(objection.sentence)
        content = AbsentContent(players, tuple(candidate.member for candidate in chosen))
        invitation = Invite(self.absence(content))
        height = self.table.state.height
        if not self._note(self.table.me, invitation) and invitation not in self.votes.invitations:
            raise Refused("You have invited enough people to that seat.")
        self._spread()
        while not self.votes.is_signed_by_substitutes(invitation.body):
            await self.table.progress.wait()
            if self.table.over or self.table.state.height != height:
                raise Refused("The table has gone on meanwhile.")
            present = {candidate.key for candidate in self.candidates}
            if not present.issuperset(seats.values()):
                raise Refused("Whoever was to take the seat has gone again.")
        return content

    async def vote(self, content: AbsentContent, substitutes: Mapping[bytes, bytes]) -> None:
        """See `p2p.table.node.Node.vote`."""
        async with self.table.folding:
            self._check_grace()
            self._check_heard(content)
            body = self.absence(content)
            mine = Vote(body, self.identity.public, Entry.vote(body, self.identity.sign))
            if self.votes.mine not in {None, mine}:
                raise Refused("You have voted for something else in this place.")
            for member in content.substitutes:
                self._check_substitute(member, body, substitutes)
            self.votes.mine = mine
            await trio.to_thread.run_sync(self.votes.keep, self.journal)
            self.votes.add(mine)
            for key, signature in substitutes.items():
                self.votes.add(Vote(body, key, signature))
            self._spread()
            await self._fold_votes()

    def _check_grace(self) -> None:
        if self.table.grace_left:
            raise Refused(
                Sentence.counted(
                    "There is {n} second of grace left.",
                    "There are {n} seconds of grace left.",
                    round(self.table.grace_left),
                )
            )

    def _check_heard(self, content: AbsentContent) -> None:
        """Whoever votes knows what this node has voted for. Raises Refused."""
        voters = (p for p in self.table.mesh.others if p not in content.players)
        unheard = [p for p in voters if not self.table.mesh.heard_directly(p)]
        if self.table.resync.doubtful and unheard:
            names = ", ".join(map(self.charter.name_of, unheard))
            raise Refused(
                "Your journal was put back from a copy: what you may have agreed to since "
                "has to be heard from {names} first.",
                names=names,
            )

    def _check_substitute(
        self, member: Member, body: bytes, signatures: Mapping[bytes, bytes]
    ) -> None:
        """Who has not signed may never do so, and the table would rest. Raises Refused."""
        objection = self.known_players.objection(member.key, member.name)
        if objection is not None:
            raise Refused(objection.sentence)
        if member.key not in signatures and not self.votes.is_signed_by_substitutes(body):
            raise Refused("{name} has not signed yet to take the seat.", name=member.name)

    # -- for the node

    def advanced(self, before: Charter) -> None:
        """The record has grown: what was said about the place before is over."""
        self.votes = Votes(self.table.state)
        self._told.clear()
        self._note_departures(before, self.table.state)

    def recall(self, states: Iterator[State]) -> None:
        """Go through the record that is in the journal, and recall the own vote after it."""
        before = self.table.state
        for state in states:
            self._note_departures(before.charter, state)
            before = state
        self.votes = Votes.recalled(self.journal, before)

    def _note_departures(self, before: Charter, state: State) -> None:
        for old, new in zip(before.members, state.charter.members, strict=True):
            if old.key != new.key:
                self.departed[old.key] = state.height
                self._substitutes.add(new.key)

    # -- among members

    @property
    def talk(self) -> tuple[Talk, ...]:
        """What members tell each other. Invitations are told before what is signed for them."""
        here = (Candidates(self.room.members),) if self.vacant is not None else ()
        return (*here, *self.votes.invitations, *self.votes)

    async def told(self, player: int, talk: Talk) -> bool:
        """Note what a member tells; whether it was news. Raises LinkError."""
        async with self.table.folding:
            if self.table.over or not self._note(player, talk):
                return False
            await self._recognise(talk)
            self.table.wake()
            if not isinstance(talk, Candidates):
                self.table.mesh.show_talk()
            await self._fold_votes()
            return True

    def _note(self, player: int, talk: Talk) -> bool:
        match talk:
            case Candidates(members):
                news = self._told.get(player, ()) != members
                self._told[player] = members
                return news
            case Invite():
                return self.votes.invite(player, talk)
            case Vote():
                return self.votes.add(talk)

    async def _recognise(self, talk: Talk) -> None:
        """The own vote, told by somebody: this journal is older than that."""
        if isinstance(talk, Vote) and talk.key == self.identity.public:
            self.votes.mine = talk
            await trio.to_thread.run_sync(self.votes.keep, self.journal)

    async def _fold_votes(self) -> None:
        """When all have voted, that is the next entry; `folding` is held."""
        entry = self.votes.entry()
        if entry is not None:
            await self.table.fold(entry)

    def _spread(self) -> None:
        self.table.mesh.show_talk()
        self.table.wake()

    # -- for the waiting room

    def knows_of_seat(self, key: bytes) -> bool:
        player = self.charter.player_of(key)
        if player is None:
            return False
        return key not in self._substitutes or self.table.mesh.heard_directly(player)

    @property
    def charter(self) -> Charter:
        return self.table.charter

    @property
    def height(self) -> int:
        return self.table.state.height

    @property
    def progress(self) -> trio.Event:
        return self.table.progress

    @property
    def known_players(self) -> KnownPlayers:
        return KnownPlayers(self.journal)

    @property
    def whereabouts(self) -> Whereabouts:
        return self.table.mesh.whereabouts

    def greeting(self) -> Agreed:
        return self.table.greeting()

    async def entries(self, since: int, most: int) -> Sequence[bytes]:
        return await self.table.entries(since, most)

    def invitations_for(self, member: Member) -> tuple[Invite, ...]:
        return self.votes.invitations_for(member)

    async def signed(self, vote: Vote) -> None:
        """A candidate has signed. Raises LinkError."""
        await self.told(self.table.me, vote)

    def candidates_changed(self) -> None:
        self.table.wake()  # the mesh tells of it in its own time: strangers come as they like
