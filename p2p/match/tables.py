"""The tables of a match at one node: a record of each, and a node for each where it has a seat.

Usually one of them runs. After a continuation the one before stays in touch with its members until
all have written at the new one: until then the match may have to go on from it again.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

import trio
from attrs import define, field

from p2p.discovery.address_book import Address, AddressBook
from p2p.match.history import History, continued_place
from p2p.storage.journal import Journal, TableRecord
from p2p.storage.memberships import Membership, keep_history, match_of
from p2p.table.asides import Asides
from p2p.table.judging import Judge
from p2p.table.node import Node, TableCallbacks
from p2p.table.node_updates import Change, Progress, no_progress
from p2p.transport.endpoint import Endpoint
from protocol.charter import Charter, Member, SignedCharter
from protocol.errors import Malformed, Unattributable
from protocol.group import Entropy
from protocol.state import State


@define(eq=False)
class Tables:
    """The tables of the match `match_id`.

    `nodes` are those of tables with a seat of this node's, by table id, and `running` those that
    are in touch with their members. `on_elsewhere` is called when another node with the same key
    was met.
    """

    endpoint: Endpoint
    journal: Journal
    match_id: bytes
    callbacks: TableCallbacks
    asides: Asides
    book: AddressBook
    entropy: Entropy
    judge: Judge
    on_elsewhere: Callable[[], None]
    history: History = field(factory=History, init=False)
    nodes: dict[bytes, Node] = field(factory=dict, init=False)
    running: dict[bytes, Node] = field(factory=dict, init=False)
    _nursery: trio.Nursery | None = field(default=None, init=False)
    _waiting: dict[bytes, SignedCharter] = field(factory=dict, init=False)
    """Continuations of places that the record here has not reached yet."""
    _taking: trio.Lock = field(factory=trio.Lock, init=False)

    @property
    def key(self) -> bytes:
        """This node's public key."""
        return self.endpoint.identity.public

    @property
    def members(self) -> Iterator[Member]:
        """The members of all tables, some of them several times."""
        for record in self.history.records.values():
            yield from record.state.charter.members

    @property
    def exposed(self) -> frozenset[bytes]:
        """The keys that are exposed."""
        return self.history.exposed

    def is_linked(self, key: bytes) -> bool:
        """Return true if there is a link to the holder of that key, about any table."""
        for node in self.running.values():
            player = node.charter.player_of(key)
            if player is not None and player in node.peers.linked:
                return True
        return False

    def knows(self, table_id: bytes) -> bool:
        """Return true if that table, or the continuation that founds it, is here."""
        return table_id in self.history or table_id in self._waiting

    # -- new tables

    def add(self, membership: Membership, start: State) -> Node:
        """Add a table at which this node has a seat, and whose record begins at `start`."""
        node = Node(
            self.endpoint,
            self.journal,
            membership,
            start,
            self.callbacks,
            before=self._before(membership.charter.charter),
            book=self.book,
            asides=self.asides,
            entropy=self.entropy,
            judge=self.judge,
        )
        self.nodes[node.table_id] = node
        self.history.add(node.live_record)
        return node

    def _before(self, charter: Charter) -> tuple[bytes, ...]:
        """Return the tables from which the match comes to this one, the nearest last."""
        tables: list[bytes] = []
        while charter.continues is not None:
            table_id = charter.continues.place.table_id
            tables.append(table_id)
            charter = self.history.records[table_id].state.charter
        return tuple(reversed(tables))

    async def go_on(self, signed: SignedCharter) -> Change | None:
        """Take a continuation that all its signers have signed: into the journal, and play there.

        Return the change of the match; None if it is not the newest table, or if the record here
        does not reach so far yet. Raises Malformed for one that does not continue the match.
        """
        async with self._taking:  # several members may tell of it at once
            if signed.charter.table_id in self.history:
                return None
            return await self._take(signed)

    async def _take(self, signed: SignedCharter) -> Change | None:
        charter = signed.charter
        try:
            start = await trio.to_thread.run_sync(self.history.begins, signed)
        except Unattributable as error:
            raise Malformed(error.sentence) from error
        if start is None:
            self._waiting[charter.table_id] = signed
            return None
        self._waiting.pop(charter.table_id, None)
        before, me = self.history.newest, charter.player_of(self.key)
        create = self.journal.create_table
        if me not in charter.signers:
            await trio.to_thread.run_sync(create, charter.table_id, signed.encode(), None)
            self.history.look_on(self.journal, self.key, signed, start)
        else:
            assert me is not None
            await trio.to_thread.run_sync(create, charter.table_id, signed.encode(), me)
            node = self.add(Membership(signed, me, tuple(self.book)), start)
            await trio.to_thread.run_sync(node.restore, no_progress)
            await self._start(node)
        if self.history.newest is before:
            return None
        place = continued_place(charter)
        taken_back = before.height - place.height if before.table_id == place.table_id else 0
        return Change(before.state, start, taken_back)

    def due(self) -> Iterable[SignedCharter]:
        """Return the continuations of places that the record has reached by now."""
        for signed in tuple(self._waiting.values()):
            place = continued_place(signed.charter)
            record = self.history.records.get(place.table_id)
            if record is not None and record.height >= place.height:
                yield signed

    # -- running

    async def run(self, nursery: trio.Nursery) -> None:
        """Get in touch with the members, as long as the nursery lives."""
        self._nursery = nursery
        for node in tuple(self.nodes.values()):
            if node.live_record is self.history.newest:
                await self._start(node)

    async def _start(self, node: Node) -> None:
        if self._nursery is not None:
            self.running[node.table_id] = node
            await self._nursery.start(node.run)
            self._nursery.start_soon(self._notice_elsewhere, node)

    async def _notice_elsewhere(self, node: Node) -> None:
        await node.own_key_met.wait()
        self.on_elsewhere()

    def stop_old(self) -> None:
        """Leave the tables before, once the match cannot go on from one of them any more."""
        newest = self.history.newest
        for table_id, node in tuple(self.running.items()):
            if table_id != newest.table_id:
                node.stop()
                del self.running[table_id]

    # -- restoring

    def restore(self, progress: Progress) -> None:
        """Advance by what the journal has of the match. Blocks."""
        match = match_of(self.journal, self.match_id)
        for table in () if match is None else (match.first, *match.later):
            self._restore(table, progress)

    def _restore(self, table: TableRecord, progress: Progress) -> None:
        signed = SignedCharter.decode(table.charter)
        start: State | None
        if signed.charter.continues is None:
            start = State.start(signed.charter)
        else:
            start = self.history.begins(signed)
        if start is None:  # entries before it are lost: the others are asked for them
            self._waiting[table.table_id] = signed
            return
        has_seat = signed.charter.player_of(self.key) in signed.charter.signers
        if has_seat or (table.me is not None and table.table_id in self.nodes):
            membership = Membership.recalled(self.journal, table)
            self.book.learn_all(a for a in membership.addresses if a.key != self.key)
            node = self.nodes.get(table.table_id) or self.add(membership, start)
            node.restore(progress)
        else:
            self.history.look_on(self.journal, self.key, signed, start).replay(progress)

    def introduce(self, key: bytes, journal: Journal, host: str) -> Membership:
        """Put the match into the `journal` of a bot that has a seat at the newest table. Blocks.

        Return its membership, by which it finds this node at `host`.
        """
        line = self.history.line()
        tables = []
        for record, later in pairwise(line):
            height = continued_place(later.start.charter).height
            entries = self.journal.entries(record.table_id, 1, height)
            tables.append((record.membership.charter, entries))
        keep_history(journal, tables)
        signed = line[-1].membership.charter
        me = signed.charter.player_of(key)
        assert me is not None, "it has a seat"
        here = Address(self.key, host, self.endpoint.port)
        membership = Membership(signed, me, (here, *self.book))
        membership.keep(journal)
        return membership
