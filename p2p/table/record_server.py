"""Serves the records of tables that are not being played here to their members.

So a player who was away when the match ended gets its end from any node that runs. Each member has
one link to the server, and there are few in all.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

import trio
from attrs import define, field, frozen

from p2p.discovery.address_book import AddressBook
from p2p.rate_limit import RateLimits
from p2p.refusals import Reason
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, match_of
from p2p.table.asides import Asides
from p2p.table.mesh import Mesh
from p2p.table.only_links import OnlyLinks
from p2p.transport.endpoint import Caller, Endpoint, say
from p2p.transport.match_messages import Continued
from p2p.transport.messages import Agreed, Goodbye, Talk
from protocol.charter import Charter
from protocol.entries import Entry, place_of
from protocol.errors import Malformed

MOST_LINKS = 16
"""Links of members of tables that are over."""

MOST_CALLS = 8
"""Calls of one member at once, and one a second in the long run; of all others at one address as
many.
"""

_MOST_RATES = 256
"""Keys and addresses of which it is known how often they have called."""

_PART = 100
"""Entries that are read at once."""


@frozen
class ServedTable:
    """A record in the journal; nothing is appended to it. `continued` are the continuations by
    which the match has gone on. See `p2p.table.replica.Replica`.
    """

    journal: Journal
    membership: Membership
    continued: tuple[bytes, ...]
    heads: tuple[bytes, ...]
    evidence: tuple[tuple[int, bytes], ...]

    @classmethod
    def read(cls, journal: Journal, membership: Membership) -> "ServedTable":
        """Return the table from the journal. Blocks. Raises Malformed for a journal that another
        program has changed.
        """
        heads = tuple(_heads(journal, membership.table_id))
        shown = (entry for _, entry in journal.evidence(membership.table_id))
        evidence = tuple((_height(entry, len(heads) + 1), entry) for entry in shown)
        match = match_of(journal, membership.match_id)
        later = () if match is None else match.later
        return cls(journal, membership, tuple(one.charter for one in later), heads, evidence)

    @property
    def charter(self) -> Charter:
        return self.membership.charter.charter

    @property
    def table_id(self) -> bytes:
        return self.membership.table_id

    @property
    def height(self) -> int:
        return len(self.heads)

    def greeting(self) -> Agreed:
        return Agreed(self.membership.charter.encode())

    def head_at(self, height: int) -> bytes:
        return self.heads[height - 1] if height else self.table_id

    async def entries(self, since: int, most: int) -> Sequence[bytes]:
        return await trio.to_thread.run_sync(self.journal.entries, self.table_id, since, most)

    @property
    def talk(self) -> tuple[Talk, ...]:
        """The continuations: a member who was away goes on by them, or learns that it is out."""
        return tuple(map(Continued, self.continued))

    async def on_talk(self, _player: int, _talk: Talk, /) -> bool:
        return False

    async def carried(self, _player: int, _height: int, _entry: bytes, /) -> bool:
        return False


@define(eq=False)
class RecordServer:
    """Serves the tables of `journal` to their members, as the fallback of `endpoint`."""

    endpoint: Endpoint
    journal: Journal
    _links: OnlyLinks = field(factory=partial(OnlyLinks, MOST_LINKS), init=False)
    """Those of members."""

    _rates: RateLimits[bytes | str] = field(
        factory=partial(RateLimits, _MOST_RATES, MOST_CALLS, 1.0), init=False
    )
    """The rates of those who have called lately."""

    async def serve(self, caller: Caller) -> None:
        """Attend to somebody who asks for a table that is not being played."""
        membership = await trio.to_thread.run_sync(self._find, caller)
        if not self._rates.of(_who(caller, membership)).spend():  # each call reads a record
            return  # without a goodbye: they may call again
        table = None
        if membership is not None:
            with suppress(Malformed):
                table = await trio.to_thread.run_sync(ServedTable.read, self.journal, membership)
        if table is None:
            await say(caller.link, Goodbye(Reason.NO_TABLE))
        else:
            await self._serve_member(table, caller)

    async def _serve_member(self, table: ServedTable, caller: Caller) -> None:
        """Serve a member by a mesh, which sends strangers away."""
        asides = Asides(table.membership.me, lambda _: None, lambda: False)
        mesh = Mesh(self.endpoint, table, table.membership.me, AddressBook(), asides)
        if table.charter.player_of(caller.link.peer) is not None:
            with self._links.only(caller.link.peer):
                await mesh.serve_alone(caller)
        else:
            await mesh.serve(caller)

    def _find(self, caller: Caller) -> Membership | None:
        """The table that is asked for, if there is a record of it. Blocks; reads no record."""
        for record in self.journal.tables():
            if record.table_id == caller.hello.table_id:
                with suppress(Malformed):
                    return Membership.recalled(self.journal, record)
        return None


def _who(caller: Caller, membership: Membership | None) -> bytes | str:
    """Return the key or address whose calls are counted together: the key, if it was there from the
    beginning, or else, since keys cost nothing, the address. Only the record tells who has sat down
    later.
    """
    members = membership.charter.charter.members if membership else ()
    is_member = any(member.key == caller.link.peer for member in members)
    return caller.link.peer if is_member else caller.link.address


def _heads(journal: Journal, table_id: bytes) -> Iterator[bytes]:
    """The heads of a record, after each of its entries; it is read a part at a time. Blocks."""
    height = 0
    while part := journal.entries(table_id, height + 1, _PART):
        height += len(part)
        yield from (Entry.decode(data).head for data in part)


def _height(entry: bytes, next_height: int) -> int:
    """The height of an entry that exposes somebody; the next one, where it cannot be read."""
    try:
        return place_of(Entry.decode(entry).body).height
    except Malformed:
        return next_height
