"""A node at a table: it folds what others write, writes what it owes, and passes everything on.

The order of every step is the same, whoever wrote the entry: fold it (all checks), put it into
the journal (with the secrets behind it, on disk), and only then let others know. So a node that
dies at any moment comes back to what it has said, and says it again in the same bytes.
"""

import logging
import math
import os
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping

import trio
from attrs import frozen

from engine.moves import Move
from engine.position import Position
from engine.sentences import Sentence
from p2p.discovery.addresses import Address, AddressBook
from p2p.replacement.applicants import Candidate
from p2p.replacement.coordinator import Council
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, keep_addresses
from p2p.table.mesh import WINDOW, Mesh
from p2p.table.resync import Resync
from p2p.transport.endpoint import LOBBY, Endpoint
from p2p.transport.frames import LinkError
from p2p.transport.messages import Agreed, Talk
from protocol.absence import is_agreed_absence
from protocol.ballot import check_two_absences, height_of, is_void, signers_of, step_of
from protocol.charter import Charter
from protocol.entries import AbsentContent, Entry, Place, is_joint
from protocol.errors import Exposed, Refused, Unattributable
from protocol.group import Entropy
from protocol.player import LOST_LOCK, Player
from protocol.record import record_parts
from protocol.reducer import advance, check_contradiction, check_equivocation
from protocol.state import State, Step

ANOTHER_RECORD = "R7"
"""The clause by which an entry continues another record than ours."""

_log = logging.getLogger(__name__)

ALL_SYNCED_SECONDS = 30.0
"""How long a node that has everything stays for those that have not said so."""


@frozen
class Change:
    """One entry was folded: the states before and after it."""

    before: State
    after: State


@frozen
class Awaited:
    """Whom the table waits for, since when (on Trio's clock), and whether this node is linked to
    that member directly. `unheard` are the members from whom a node that came back must hear
    before it writes.
    """

    player: int
    kind: str
    since: float
    linked: bool
    unheard: frozenset[int]


class Node:
    """This node's part in one table. `state` is always the newest; `exposed` who has cheated;
    `dismissed` tells that the others have gone on without this node, which was away too long.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        journal: Journal,
        membership: Membership,
        entropy: Entropy = os.urandom,
    ) -> None:
        self.state = State.start(membership.charter.charter)
        self.exposed: Exposed | None = None
        self._player = Player(membership.me, endpoint.identity.sign)
        self._signer = endpoint.identity.sign
        self._identity = endpoint.identity
        self._endpoint = endpoint
        self._journal = journal
        self._agreement = membership
        self._entropy = entropy
        self._heads = [self.state.head]
        self.votes_settled = 0
        self._recent: dict[int, bytes] = {}
        self.mesh = Mesh(endpoint, self, membership.me, _book_of(membership))
        self.resync = Resync(journal, self.mesh, self._keep_doubt)
        self.folding = trio.Lock()
        self._move: Move | None = None
        self._restored = False
        self._council = Council(self, endpoint.identity, journal)
        self.dismissed = False
        self._watchers: list[trio.MemorySendChannel[Change]] = []
        self.progress = trio.Event()
        self._since = 0.0

    # -- for the client

    @property
    def me(self) -> int:
        """This node's player number."""
        return self._agreement.me

    @property
    def view(self) -> Position | None:
        """The round as this node sees it; None while seats are drawn, without a seat, and in
        `trouble`.
        """
        return self._player.view(self.state) if self._is_seated and not self.trouble else None

    @property
    def chooses(self) -> bool:
        """Whether the table waits for a move of this node."""
        ready = not self.over and self._move is None and self._is_seated and not self.trouble
        return ready and self._player.chooses(self.state)

    @property
    def trouble(self) -> Sentence | None:
        """Why this node can only look on until the round is over, or void: a sentence for people;
        None if it can play. What others write it folds, keeps and passes on all the same.
        """
        lost = not self.over and self._is_seated and self._player.has_lost_a_lock(self.state)
        return LOST_LOCK if lost else None

    @property
    def _is_seated(self) -> bool:
        """Whether the seat is this node's by now: a substitute also folds what was before."""
        return self.charter.members[self.me].key == self._identity.public

    @property
    def over(self) -> bool:
        """Whether this node has nothing more to do here."""
        return self.state.complete or self.exposed is not None or self.dismissed

    @property
    def awaited(self) -> Awaited | None:
        """What the table waits for; None when the match is over."""
        due = self.state.due
        if due is None:
            return None
        linked = due.player == self.me or due.player in self.mesh.linked
        return Awaited(due.player, due.kind, self._since, linked, self.resync.awaited)

    @property
    def unreached(self) -> frozenset[int]:
        """The members with whom this node has no link; others may have one with them."""
        return frozenset(self.mesh.others) - self.mesh.linked

    async def play(self, move: Move) -> None:
        """Make a move; on return it is in the record, unless the table turns out to be further.

        Raises IllegalMove, or Refused when it is not this node's turn.
        """
        if not self.chooses:
            raise Refused(self.trouble or Sentence("It is not your turn."))
        self.state.match.apply(move)
        height = self.state.height
        self._move = move
        self.wake()
        while self.state.height == height and not self.over:
            await self.progress.wait()

    @property
    def grace_left(self) -> float:
        """Seconds until this node would agree that whoever is waited for is absent."""
        return max(0.0, self._since + self.charter.grace - trio.current_time())

    @property
    def vacant(self) -> int | None:
        """The player whose seat can be given to somebody else: the one who is waited for, as soon
        as the grace is over; None for nobody. A client announces the table then, so that people
        who would take the seat find it, and shows `candidates`.
        """
        return self._council.vacant

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Who waits at this table for a seat to be given to them: key, name, words of the key, and
        whether anything speaks against them here. A client shows them; a person compares the words
        with what the candidate reads aloud, and chooses one:

            content = await node.invite({node.vacant: candidate.key})
            await node.vote(content)

        The other members find that among their `proposals`, and vote for it as it stands:
        `await node.vote(proposal)`. When all have, the joint entry comes as a change, the name in
        the seat is another one, and the round begins again.
        """
        return self._council.candidates

    async def invite(self, seats: Mapping[int, bytes]) -> AbsentContent:
        """Ask candidates to take seats: by the number of the absent player, the key of a candidate.
        They are shown the record, check it and sign; on return they have, and what they have
        signed is there to be voted for. It binds nobody, and takes as long as it takes them: a
        client shows it and lets it be cancelled.

        Raises Refused while there is grace left, for keys that are not among `candidates` or that
        something speaks against, when they have gone again, and when the table has gone on.
        """
        return await self._council.invite(seats)

    @property
    def proposals(self) -> tuple[AbsentContent, ...]:
        """The absences that members have voted for in this place, and substitutes have signed."""
        return self._council.votes.proposals

    def absence(self, content: AbsentContent) -> bytes:
        """The encoded body of the joint entry, for substitutes to sign. Raises Refused."""
        return self._council.absence(content)

    async def vote(
        self, content: AbsentContent, substitutes: Mapping[bytes, bytes] | None = None
    ) -> None:
        """Agree that players are absent. `substitutes` are signatures of those who take their
        seats, by key, which `invite` and `proposals` have brought already. It cannot be taken
        back: until all have voted or somebody shows an entry of the absent player's, the table
        rests.

        Raises Refused before the grace is over, for an absence that cannot be agreed on, for
        substitutes who have not signed or that something speaks against, and after another vote
        in this place.
        """
        await self._council.vote(content, substitutes or {})

    def changes(self) -> AsyncIterator[Change]:
        """Every change from now on, until the node stops."""
        # No bound: it is our own client that reads, and a change shares most of its state.
        sender, receiver = trio.open_memory_channel[Change](math.inf)
        self._watchers.append(sender)
        return receiver

    def record(self) -> Iterator[bytes]:
        """The record as far as it goes, as the bytes of a record file, piece by piece."""
        return record_parts(self._agreement.charter, self._journal.entries(self.state.table_id))

    def agreement_for(self, player: int, port: int) -> Membership:
        """What a substitute on this machine needs to begin: the table, and where the members are;
        this node listens at `port`.
        """
        here = Address(self._identity.public, "127.0.0.1", port)
        addresses = (here, *self.mesh.book)
        return Membership(self._agreement.charter, player, addresses, fresh=False)

    def places_of(self, player: int) -> tuple[tuple[str, int], ...]:
        """Hosts and ports at which that member was found."""
        return self.mesh.book.of(self.charter.members[player].key)

    def learn(self, addresses: Iterable[Address]) -> None:
        """Hear, from anywhere, where members may be found."""
        self.mesh.learn(addresses)

    # -- running

    async def restore(self) -> None:
        """Open the table in the journal, and fold what is there of it. `run` does it too, but no
        change tells of it.
        """
        if not self._restored:
            await trio.to_thread.run_sync(self._restore)
            self._restored = True

    async def run(self) -> State:
        """Play until the match is over, signed by all, and all members have the whole record (or
        cannot be reached for a while).

        Raises Exposed when a member has cheated: the evidence is in the journal then.
        """
        try:
            await self.restore()
            self._since = trio.current_time()
            async with trio.open_nursery() as nursery:
                await nursery.start(self.mesh.run)
                nursery.start_soon(self._write_all)
                nursery.start_soon(self._remember_addresses)
                with self._endpoint.route(LOBBY, self._council.room.receive):
                    while not self.over:
                        await self.progress.wait()
                self._council.room.close()
                with trio.move_on_after(ALL_SYNCED_SECONDS):
                    if self.state.complete:
                        await self.mesh.everybody_has(self.state.height)
                        await trio.to_thread.run_sync(self._journal.note_all_synced, self.table_id)
                await self.mesh.leave()
                nursery.cancel_scope.cancel()
        finally:
            for watcher in self._watchers:
                watcher.close()
        if self.exposed is not None:
            raise self.exposed
        return self.state

    def _restore(self) -> None:
        table_id = self.state.table_id
        self._journal.create_table(table_id, self._agreement.charter.encode(), self.me)
        self.resync.recall()
        self._player = Player.restored(self.me, self._signer, self._journal.secrets(table_id))
        self._council.recall(self._refolded())
        self._recall_evidence()
        self._forget_locks()

    def _refolded(self) -> Iterator[State]:
        """The states that the journal leads to, one after the other."""
        for entry in self._journal.entries(self.table_id):
            was_seated = self._is_seated
            self.state = advance(self.state, entry)
            self._note_entry()
            self.dismissed = self.dismissed or (was_seated and not self._is_seated)
            yield self.state

    def _note_entry(self) -> None:
        """The state is that after one more entry."""
        self._heads.append(self.state.head)
        last = self.state.last
        assert last is not None
        if last.writer == self.me or isinstance(last.content, AbsentContent):
            self.votes_settled = self.state.height

    async def _write_all(self) -> None:
        """Write whatever this node owes, as soon as it owes it."""
        if self._agreement.fresh and self.state.height == 0:
            self.resync.done = True  # this node has never said anything here
        else:
            await self.resync.run()
        self.wake()
        while not self.over:
            owes = self._is_seated and self._player.owes(self.state)
            if (
                not owes
                or self.trouble
                or (self._player.chooses(self.state) and self._move is None)
            ):
                await self.progress.wait()
                continue
            async with self.folding:
                if not self.over and self._player.owes(self.state):
                    await self._write()

    def _keep_doubt(self) -> None:
        """Up to here, what this node has voted for may be known to others only."""
        self._council.own.keep_doubt(self.height)

    async def _write(self) -> None:
        """Write what is due from this node; `folding` is held."""
        written = await trio.to_thread.run_sync(
            self._player.write, self.state, self._entropy, self._move, self._council.releases
        )
        await self.fold(written.entry, written.secrets)

    async def fold(self, entry: bytes, secrets: Mapping[str, bytes] | None = None) -> None:
        """Fold the next entry, write it to the journal, and pass it on; `folding` is held.

        Raises Unattributable and Exposed: nothing has changed then.
        """
        before, was_seated = self.state, self._is_seated

        def folded() -> State:
            after = advance(before, entry)
            if not is_joint(entry):
                self._council.keep_release()
            self._journal.append(before.table_id, after.height, entry, secrets)
            return after

        self.state = await trio.to_thread.run_sync(folded)
        self._note_entry()
        self._move = None  # it was for the state before, whoever has moved
        self._council.advanced(before.charter)
        if was_seated and not self._is_seated:
            self.dismissed = True
        if self.state.last and isinstance(self.state.last.content, AbsentContent):
            for player in self.state.last.content.players:
                self.mesh.forget(player)
        self._recent[self.height] = entry
        self._recent.pop(self.height - 2 * WINDOW, None)
        self._since = trio.current_time()
        for watcher in self._watchers:
            watcher.send_nowait(Change(before, self.state))
        self.wake()
        assert self.state.last is not None
        await self.mesh.advanced(self.state.last.writer)
        await trio.to_thread.run_sync(self._forget_locks)

    def wake(self) -> None:
        self.progress.set()
        self.progress = trio.Event()

    async def _remember_addresses(self) -> None:
        """Keep what is known of where the members are found, for the next start."""
        kept: tuple[object, ...] = ()
        while True:
            addresses = tuple(self.mesh.book)
            if addresses != kept:
                await trio.to_thread.run_sync(
                    keep_addresses, self._journal, self.table_id, addresses
                )
                kept = addresses
            await self.mesh.news()

    # -- what the mesh asks for

    @property
    def charter(self) -> Charter:
        """The members as they are by now."""
        return self.state.charter

    @property
    def table_id(self) -> bytes:
        return self.state.table_id

    @property
    def height(self) -> int:
        return self.state.height

    def greeting(self) -> Agreed:
        return Agreed(self._agreement.charter.encode())

    def head_at(self, height: int) -> bytes:
        return self._heads[height]

    async def entries(self, since: int, most: int) -> tuple[bytes, ...]:
        heights = range(since, min(since + most, self.height + 1))
        if all(height in self._recent for height in heights):
            return tuple(self._recent[height] for height in heights)
        return await trio.to_thread.run_sync(self._journal.entries, self.table_id, since, most)

    @property
    def evidence(self) -> tuple[tuple[int, bytes], ...]:
        """The entries that expose somebody, with their heights."""
        if self.exposed is None:
            return ()
        return tuple((height_of(entry), entry) for entry in self.exposed.evidence)

    @property
    def departed(self) -> Mapping[bytes, int]:
        """Whose seats were given away: by key, the height of the entry that says so."""
        return self._council.departed

    @property
    def talk(self) -> tuple[Talk, ...]:
        """What there is to tell about an absence that may come next."""
        return self._council.talk

    def place_of(self, height: int) -> tuple[Place, Charter]:
        """The place of the entry with that height, of those that there are and the next, and the
        members before it.
        """
        place = Place(self.table_id, height, self._heads[height - 1])
        return place, self.state.charter_at(height)

    async def told(self, player: int, talk: Talk, /) -> bool:
        """What a member tells about an absence; whether it was news. Raises LinkError."""
        try:
            return await self._council.told(player, talk)
        except Exposed as error:
            await self._stop(error)
            return True

    async def carried(self, _player: int, height: int, entry: bytes, /) -> bool:
        """An entry that a member carried to us, their own or not; whether it was news.

        Raises LinkError for what no member should carry.
        """
        if self._recent.get(height) == entry:
            return False
        async with self.folding:
            if self.over or height > self.height + 1:
                return False
            try:
                if height <= self.height:
                    return await trio.to_thread.run_sync(self._judge, height, entry)
                if self._holds_back(entry):
                    # What does not hold, or exposes somebody, is no less so while we wait.
                    await trio.to_thread.run_sync(advance, self.state, entry)
                    return self._council.hold(entry)
                await self.fold(entry)
            except Exposed as error:
                await self._stop(error)
                return False
            except Unattributable as error:
                # The record of that member has come apart from ours, which is not their doing: the
                # two are being compared.
                if error.cause != ANOTHER_RECORD:
                    raise LinkError(
                        "Entry {height} does not hold: {error}", height=height, error=error
                    ) from error
                return False
            return True

    def _holds_back(self, entry: bytes) -> bool:
        """Whether this node, which has voted for an absence, may not take that entry yet."""
        return self._council.votes.ballot.holds_back and not is_joint(entry)

    def _judge(self, height: int, entry: bytes) -> bool:
        """Compare what somebody carries with what the record has in that place; whether this node
        is dismissed by it. Raises Exposed and Unattributable. Blocks.
        """
        place, charter = self.place_of(height)
        check_contradiction(charter, self.table_id, entry)
        if Entry.decode(entry).head == self._heads[height]:
            return False
        joint = Entry.decode(entry)
        (ours,) = self._journal.entries(self.table_id, height, 1)
        if not is_agreed_absence(charter, joint, place):
            check_equivocation(charter, ours, entry)
            return False
        if is_joint(ours):
            check_two_absences(charter, place, Entry.decode(ours), joint)
        if is_joint(ours) or is_void(charter, place, joint, self._steps(height + 1)):
            return False
        key = self._identity.public
        named = charter.player_of(key) is not None and key not in signers_of(charter, joint)
        if named:
            self._council.own.keep_dismissal(entry)
            self.dismissed = True
            self._forget_locks()
            self.wake()
        return named

    def _forget_locks(self) -> None:
        """Erase the locks that nothing is written with any more. Blocks."""
        for name in self._player.forget(self.state, for_good=self.dismissed):
            self._journal.forget_secrets(self.table_id, name)

    def _steps(self, since: int) -> Iterator[Step]:
        """The record from that height on. Blocks."""
        for height, data in enumerate(self._journal.entries(self.table_id, since), since):
            yield step_of(self.state.charter_at(height), Entry.decode(data))

    async def _stop(self, error: Exposed) -> None:
        """Somebody has cheated: keep the evidence, show it to all, and go no further."""
        self.exposed = error
        for evidence in error.evidence:
            await trio.to_thread.run_sync(
                self._journal.keep_evidence, self.table_id, str(error), evidence
            )
        self.mesh.show_evidence()
        self.wake()

    def _recall_evidence(self) -> None:
        """Judge again what was kept when somebody was exposed, or this node dismissed."""
        self.dismissed = self.dismissed or bool(self._council.own.dismissal)
        for _, entry in self._journal.evidence(self.table_id):
            try:
                if height_of(entry) <= self.height:
                    self._judge(height_of(entry), entry)
                else:
                    advance(self.state, entry)
            except Exposed as error:
                self.exposed = error
            except Unattributable as error:
                _log.warning("evidence in the journal shows nothing: %s", error)


def _book_of(membership: Membership) -> AddressBook:
    """Where the others were found."""
    me = membership.charter.charter.members[membership.me].key
    book = AddressBook()
    book.learn_all(address for address in membership.addresses if address.key != me)
    return book
