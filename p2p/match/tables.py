"""The tables of a match at one machine: a record of each, and a `Node` where we have a seat.

Only the newest table's `Node` keeps running. After a continuation the old table's `Node` stops as
soon as the `Node` of the new table has started.
"""

from itertools import pairwise

import trio
from attrs import define, field

from p2p.discovery.address_book import Address
from p2p.match.history import KeptHistory
from p2p.storage.journal import Journal, TableRecord
from p2p.storage.known_players import KnownPlayers
from p2p.storage.memberships import Membership, keep_history, match_of
from p2p.table.live_record import LiveRecord
from p2p.table.node import MatchContext, Node
from p2p.table.node_updates import Progress, no_progress
from protocol.charter import Charter, SignedCharter
from protocol.match.history import continued_place
from protocol.state import State


@define(eq=False)
class Tables:
    """The tables of one match."""

    match: MatchContext
    match_id: bytes
    history: KeptHistory
    """The records of the tables."""
    nodes: dict[bytes, Node] = field(factory=dict, init=False)
    """A node for each table at which we have a seat, by table id."""
    running: dict[bytes, Node] = field(factory=dict, init=False)
    """The nodes that keep links to the members of their tables."""
    _nursery: trio.Nursery | None = field(default=None, init=False)
    """The nursery in which nodes run; None before `run` and after `end`."""

    @property
    def key(self) -> bytes:
        """This node's public key."""
        return self.match.endpoint.identity.public

    @property
    def node(self) -> Node | None:
        """This node's `Node` at the newest table; None if the others have gone on without us."""
        return self.nodes.get(self.history.newest.table_id)

    @property
    def linked(self) -> frozenset[int]:
        """The members with whom this node has a link."""
        return frozenset() if self.node is None else self.node.peers.linked

    @property
    def known_players(self) -> KnownPlayers:
        """The players whom this node has met."""
        return KnownPlayers(self.match.journal)

    # -- new tables

    def add(self, membership: Membership, start: State) -> Node:
        """Add a table at which this node has a seat, and whose record begins at `start`."""
        node = Node(self.match, membership, start, self._before(membership.charter.charter))
        self.nodes[node.table_id] = node
        self.history.machines[node.table_id] = node.machine
        return node

    def _before(self, charter: Charter) -> tuple[bytes, ...]:
        """Return the ids of the match's tables before that of `charter`, the latest one last."""
        tables: list[bytes] = []
        while charter.continues is not None:
            table_id = charter.continues.place.table_id
            tables.append(table_id)
            charter = self.history.records[table_id].state.charter
        return tuple(reversed(tables))

    async def open(self, signed: SignedCharter, start: State) -> LiveRecord:
        """Put a continuation into the journal. Return the record of its table, begun at `start`."""
        me = signed.charter.player_of(self.key)
        # A continuation may end the match without some players. They keep their numbers in the
        # charter, but do not sign it and have no seat.
        seat = me if me in signed.charter.signers else None
        create, data = self.match.journal.create_table, signed.encode()
        await trio.to_thread.run_sync(create, signed.charter.table_id, data, seat)
        if seat is None:
            return LiveRecord.watched(self.match.journal, signed, self.key, start)
        node = self.add(Membership(signed, seat, tuple(self.match.book)), start)
        await trio.to_thread.run_sync(node.restore, no_progress)
        return node.live_record

    # -- running

    async def run(self, nursery: trio.Nursery) -> None:
        """Start the newest table's node in `nursery`, where later tables' nodes will run, too."""
        self._nursery = nursery
        await self.start(self.history.newest.table_id)

    async def start(self, table_id: bytes) -> None:
        """Start the node of that table, if we have a seat there. It then calls the members."""
        node = self.nodes.get(table_id)
        if node is not None and self._nursery is not None:
            self.running[table_id] = node
            self.history.running[table_id] = node.machine
            await self._nursery.start(node.run)

    def end(self) -> None:
        """Start no more nodes from now on."""
        self._nursery = None

    def stop_old(self) -> None:
        """Stop the nodes of all tables but the newest."""
        newest = self.history.newest
        for table_id, node in tuple(self.running.items()):
            if table_id != newest.table_id:
                node.stop()
                del self.running[table_id], self.history.running[table_id]

    # -- restoring

    def restore(self, progress: Progress) -> None:
        """Replay the entries of the match in the journal. Blocks."""
        match = match_of(self.match.journal, self.match_id)
        for table in () if match is None else (match.first, *match.later):
            self._restore(table, progress)

    def _restore(self, table: TableRecord, progress: Progress) -> None:
        signed = SignedCharter.decode(table.charter)
        start: State | None
        if signed.charter.continues is None:
            start = State.start(signed.charter)
        else:
            start = self.history.begins(signed)
        if start is None:  # earlier entries are lost: the node asks the others for them
            self.history.early[table.table_id] = signed
            return
        has_seat = signed.charter.player_of(self.key) in signed.charter.signers
        if has_seat or table.me is not None:
            membership = Membership.recalled(self.match.journal, table)
            self.match.book.learn_all(a for a in membership.addresses if a.key != self.key)
            node = self.nodes.get(table.table_id) or self.add(membership, start)
            self.history.add(node.live_record, signed)
            node.restore(progress)
        else:
            self.history.look_on(self.match.journal, self.key, signed, start).replay(progress)

    def introduce(self, key: bytes, journal: Journal, host: str) -> Membership:
        """Put the match into the `journal` of a bot that has a seat at the newest table. Blocks.

        `key` is the bot's key. Return the bot's membership, in which `host` is the address of this
        node.
        """
        line = self.history.line()
        tables = []
        for record, later in pairwise(line):
            height = continued_place(later.start.charter).height
            entries = self.match.journal.entries(record.table_id, 1, height)
            tables.append((record.membership.charter, entries))
        keep_history(journal, tables)
        signed = line[-1].membership.charter
        me = signed.charter.player_of(key)
        assert me is not None, "it has a seat"
        here = Address(self.key, host, self.match.endpoint.port)
        membership = Membership(signed, me, (here, *self.match.book))
        membership.keep(journal)
        return membership
