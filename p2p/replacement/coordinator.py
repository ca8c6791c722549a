"""What the members of a table agree on when a player stays away: on the absence, and on who takes
the seat.

A candidate comes to the waiting room of one node, and all nodes learn of them. A member invites
them, which binds nobody; they are shown the record, and sign. Then the members vote.

While `vacant` names a player, a client announces the table, so that people who would take the seat
find it, and shows `candidates`: key, name, words of the key, and whether anything speaks against
them here. A person compares the words with what the candidate reads aloud, and chooses one:

    content = await node.invite({node.vacant: candidate.key})
    await node.vote(content)

The other members find that among their `proposals`, and vote for it as it stands:
`await node.vote(proposal)`. When all have, the joint entry comes as a change, the name in the seat
is another one, and the round begins again. Until then, or until somebody shows an entry of the
absent player's, the table rests.
"""

from collections.abc import Iterator, Mapping, Sequence

import trio
from attrs import define, field

from p2p.replacement.may_agree import check_heard, check_may_agree
from p2p.replacement.node_interface import NodeInterface
from p2p.replacement.own_acts import OwnActs
from p2p.replacement.votes import Votes, act_of, vote_of
from p2p.replacement.waiting_room import Candidate, WaitingRoom
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.known_players import KnownPlayers
from p2p.transport.link import Link
from p2p.transport.messages import (
    AbsenceTalk,
    Agreed,
    Candidates,
    Invite,
    Vote,
    Whereabouts,
)
from protocol.absence import absence
from protocol.ballot import Act, Ballot
from protocol.charter import Charter, Member
from protocol.entries import AbsentContent, Place
from protocol.errors import Refused
from protocol.reducer import check_equivocation
from protocol.state import State

_MOST_PASSED = 64
"""Ballots that are kept after the record has gone past their places."""


@define(eq=False)
class Coordinator:
    """The part of one node in it. `departed` are those whose seats were given to others: by key,
    the height of the entry that says so.

    `passed` are the ballots in places that the record has gone past and somebody may still wait
    in; `held` is the late entry for the next place that this node, which has voted, may not take
    yet.
    """

    node: NodeInterface
    identity: Identity
    journal: Journal
    votes: Votes = field(init=False)
    own: OwnActs = field(init=False)
    passed: dict[int, Ballot] = field(factory=dict, init=False)
    held: bytes | None = field(default=None, init=False)
    room: WaitingRoom = field(init=False)
    departed: dict[bytes, int] = field(factory=dict, init=False)
    _substitutes: set[bytes] = field(factory=set, init=False)
    _told: dict[int, tuple[Member, ...]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.room = WaitingRoom(self)
        self.own = OwnActs(self.journal, self.node.state.table_id)
        self.votes = self._votes_next()

    # -- for the client, by way of the node

    @property
    def vacant(self) -> int | None:
        """The player whose seat can be given to somebody else: who is waited for, when the grace
        is over; None for nobody, and for who has no seat yet.
        """
        due, seated = self.node.state.due, self.node.live_record.is_seated
        waits = due is not None and due.player != self.node.me and seated and not self.node.over
        # Of two players none can agree on the absence of the other.
        if not waits or self.node.grace_left or len(self.charter.members) < 3:
            return None
        assert due is not None
        return due.player

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates at this node first, then those at the nodes that it is linked to."""
        told = [self._told.get(player, ()) for player in sorted(self.node.mesh.linked)]
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
        return absence(self.node.state, content).encode()

    async def invite(self, seats: Mapping[int, bytes]) -> AbsentContent:
        """Ask candidates to take seats: by the number of the absent player, the key of a candidate.
        They are shown the record, check it and sign; on return they have. It binds nobody, and
        takes as long as it takes them: a client shows it and lets it be cancelled.

        Raises Refused while there is grace left, for keys that are not among `candidates` or that
        something speaks against, when they have gone again, and when the table has gone on.
        """
        check_may_agree(self.node)
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
        state = self.node.state
        if not self._note(self.node.me, invitation) and invitation not in self.votes.invitations:
            raise Refused("You have invited enough people to that seat.")
        self._spread()
        while not self.votes.is_signed_by_substitutes(invitation.body):
            await self.node.progress.wait()
            if self.node.over or self.node.state is not state:
                raise Refused("The table has gone on meanwhile.")
            present = {candidate.key for candidate in self.candidates}
            if not present.issuperset(seats.values()):
                raise Refused("Whoever was to take the seat has gone again.")
        return content

    async def vote(self, content: AbsentContent, substitutes: Mapping[bytes, bytes]) -> None:
        """Agree that players are absent. `substitutes` are signatures of those who take their
        seats, by key, which `invite` and `proposals` have brought already. It cannot be taken back.

        Raises Refused before the grace is over, for an absence that cannot be agreed on, for
        substitutes who have not signed or that something speaks against, and after another vote
        in this place.
        """
        async with self.node.advancing:
            check_may_agree(self.node)
            check_heard(self.node, content)
            self.own.check_room(self.node.live_record)
            body, ballot = self.absence(content), self.votes.ballot
            mine = ballot.vote(body, self.identity.sign)
            for member in content.substitutes:
                self._check_substitute(member, body, substitutes)
            signed = {**ballot.signatures(body, content.substitutes), **substitutes}
            await trio.to_thread.run_sync(self.own.keep, mine, signed)
            ballot.add(mine)
            for key, signature in substitutes.items():
                self.votes.add(Vote(body, key, signature))
            self._spread()
            await self._advance_if_agreed()

    def _check_substitute(
        self, member: Member, body: bytes, signatures: Mapping[bytes, bytes]
    ) -> None:
        """Check that a substitute has signed: the vote for one who never signs would stop the
        table. Raises Refused.
        """
        objection = self.known_players.objection(member.key, member.name)
        if objection is not None:
            raise Refused(objection.sentence)
        if member.key not in signatures and not self.votes.is_signed_by_substitutes(body):
            raise Refused("{name} has not signed yet to take the seat.", name=member.name)

    # -- for the node

    def keep_release(self) -> None:
        """Keep the release from this node's vote, before the record goes on without the absence
        that it was for. Blocks.
        """
        ballot = self.votes.ballot
        self.own.keep_release(ballot.place, ballot.release)

    def was_released(self, height: int) -> bool:
        """Whether something is known that has released this node from its vote there."""
        return self._passed_at(height).release is not None

    @property
    def releases(self) -> tuple[bytes, ...]:
        """The releases from this node's votes since its last entry, which the next one carries."""
        return self.own.releases(self.node.live_record)

    @property
    def is_bound(self) -> bool:
        """Whether this node waits for a release before it writes. See `OwnActs.binds`."""
        return self.own.binds(self.node.live_record, self.identity.public)

    def advanced(self, before: Charter) -> None:
        """The record has grown: what was said about the place before is over, but for those who
        have not come so far.
        """
        ballot = self.votes.ballot
        if tuple(ballot):
            self._keep_passed(ballot)
        self.votes, self.held = self._votes_next(), None
        self._told.clear()
        self._note_departures(before, self.node.state)

    def went_back(self) -> None:
        """The record is shorter than before, and goes on from there in other places."""
        height = self.node.state.height
        self.passed = {past: ballot for past, ballot in self.passed.items() if past <= height}
        self.votes, self.held = self._votes_next(), None

    def recall(self, states: Iterator[State]) -> None:
        """Go through the record that is in the journal, and recall the own votes. Blocks."""
        before = self.node.state
        for state in states:
            self._note_departures(before.charter, state)
            before = state
        self.own = OwnActs.recalled(self.journal, before.table_id)
        self.votes = self._votes_next()

    def _votes_next(self) -> Votes:
        state = self.node.state
        return Votes(state, self._ballot(state.next_place, state.charter))

    def _ballot(self, place: Place, charter: Charter) -> Ballot:
        """What this node knows of a place for itself: what it has voted, and why that is over."""
        vote = self.own.votes.get(place)
        ballot = Ballot(charter, place, self.identity.public, None if vote is None else vote.act)
        for act in self.own.acts_in(place):
            ballot.add(act)
        return ballot

    def _passed_at(self, height: int) -> Ballot:
        """What is known of a place that the record has gone past."""
        return self.passed.get(height) or self._ballot(*self.node.live_record.place_of(height))

    def _keep_passed(self, ballot: Ballot) -> None:
        self.passed[ballot.place.height] = ballot
        while len(self.passed) > _MOST_PASSED:
            del self.passed[min(self.passed)]

    def _note_departures(self, before: Charter, state: State) -> None:
        for old, new in zip(before.members, state.charter.members, strict=True):
            if old.key != new.key:
                self.departed[old.key] = state.height
                self._substitutes.add(new.key)

    # -- among members

    @property
    def talk(self) -> tuple[AbsenceTalk, ...]:
        """The messages about absences for all peers; invitations before the signatures for them."""
        here = (Candidates(self.room.members),) if self.vacant is not None else ()
        return (*here, *self._talk_of_passed, *self.votes.invitations, *self.votes)

    @property
    def _talk_of_passed(self) -> Iterator[Vote]:
        """The votes in earlier places, for peers whose records still stand there: as far as they
        have told, or as far as can be seen. A record that had an entry may have lost it since, with
        the power of its machine, but not one of its own player.
        """
        behind, signed = min(self.node.mesh.heights), self.node.live_record.signed
        for height, ballot in self.passed.items():
            waiting = (key for key in ballot.voters if self.charter.player_of(key) is not None)
            if height > behind or any(signed.get(key, 0) < height for key in waiting):
                yield from map(vote_of, ballot)

    async def told(self, player: int, talk: AbsenceTalk) -> bool:
        """Note what a member tells; whether it was news. Raises Malformed and Exposed."""
        async with self.node.advancing:
            if self.node.stopped or not await self._note_act(player, talk):
                return False
            self.node.wake()
            if not isinstance(talk, Candidates):
                self.node.mesh.show_talk()
            await self._advance_if_agreed()
            return True

    async def _note_act(self, player: int, talk: AbsenceTalk) -> bool:
        if not isinstance(talk, Vote):
            return self._note(player, talk)
        ballot = self._ballot_of(talk)
        if ballot is None or (self.node.over and ballot is self.votes.ballot):
            return False
        news = self.votes.add(talk) if ballot is self.votes.ballot else ballot.add(act_of(talk))
        await trio.to_thread.run_sync(self._keep_own, ballot)
        return await self._refused(ballot) or news

    def _keep_own(self, ballot: Ballot) -> None:
        """Keep this node's own acts also when others have told them, and what has released it in a
        place that it has gone past: its journal is older than that. Blocks.
        """
        if ballot.mine is not None:
            self.own.keep(ballot.mine)
            if ballot is not self.votes.ballot:
                self.own.keep_release(ballot.place, ballot.release)
        if ballot.own_refusal is not None:
            self.own.keep_refusal(ballot.own_refusal, self.node.live_record)

    def _ballot_of(self, vote: Vote) -> Ballot | None:
        """The ballot that an act belongs to; None if it is for another record.

        Raises Malformed.
        """
        place = Place.of(vote.body)
        if place == self.votes.ballot.place:
            return self.votes.ballot
        if place.height > self.node.state.height:
            return None
        there, charter = self.node.live_record.place_of(place.height)
        if there != place or charter.player_of(vote.key) is None:
            return None
        ballot = self._passed_at(place.height)
        self._keep_passed(ballot)
        return ballot

    async def _refused(self, ballot: Ballot) -> bool:
        """Sign a refusal in a place where another voter waits for it; whether that is new."""
        height, doubtful = ballot.place.height, self.node.resync.doubtful
        if doubtful or not self.own.refuses_after < height <= self.node.state.height:
            return False
        place, key = ballot.place, self.identity.public
        player = ballot.charter.player_of(key)
        if player is None or not ballot.owes_refusal:  # a substitute had no seat there yet
            return False
        refusal = Act.refusal(place, player, key, self.identity.sign)
        await trio.to_thread.run_sync(self.own.keep_refusal, refusal, self.node.live_record)
        return ballot.add(refusal)

    def _note(self, player: int, talk: Candidates | Invite) -> bool:
        match talk:
            case Candidates(members):
                news = self._told.get(player, ()) != members
                self._told[player] = members
                return news
            case Invite():
                return self.votes.invite(player, talk)

    async def _advance_if_agreed(self) -> None:
        """When all have voted, that is the next entry; and so is one that was held back, when this
        node is released. `advancing` is held.
        """
        entry = self.votes.ballot.joint()
        if entry is None and not self.votes.ballot.holds_back:
            entry = self.held
        if entry is not None:
            await self.node.advance(entry)

    def hold(self, entry: bytes) -> bool:
        """Keep the late entry, which holds, until this node may take it; whether it is new. Raises
        Exposed for a second one.
        """
        news, self.held = self.held is None, self.held or entry
        check_equivocation(self.charter, self.held, entry)
        return news

    def _spread(self) -> None:
        self.node.mesh.show_talk()
        self.node.wake()

    # -- for the waiting room

    def knows_of_seat(self, key: bytes) -> bool:
        player = self.charter.player_of(key)
        if player is None:
            return False
        return key not in self._substitutes or self.node.mesh.heard_directly(player)

    @property
    def charter(self) -> Charter:
        return self.node.charter

    @property
    def height(self) -> int:
        return self.node.state.height

    @property
    def progress(self) -> trio.Event:
        return self.node.progress

    @property
    def known_players(self) -> KnownPlayers:
        return KnownPlayers(self.journal)

    def whereabouts_for(self, link: Link) -> Whereabouts:
        return self.node.mesh.whereabouts_for(link)

    def greeting(self) -> Agreed:
        return self.node.greeting()

    def head_at(self, height: int) -> bytes:
        return self.node.live_record.head_at(height)

    async def entries(self, since: int, most: int) -> Sequence[bytes]:
        return await self.node.entries(since, most)

    def invitations_for(self, member: Member) -> tuple[Invite, ...]:
        return self.votes.invitations_for(member)

    async def signed(self, vote: Vote) -> None:
        """A candidate has signed. Raises Malformed."""
        await self.told(self.node.me, vote)

    def candidates_changed(self) -> None:
        self.node.wake()  # the mesh tells of it in its own time: strangers come as they like
