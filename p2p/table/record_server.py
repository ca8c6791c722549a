"""A server of records: it gives members the records of tables that are not being played here.

So a player who was away when the match ended gets the end of the record from any node that runs.
Each member has at most one link to the server, and there are at most `MOST_LINKS` links.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

import trio
from attrs import define, field

from p2p.discovery.address_book import AddressBook
from p2p.rate_limit import RateLimits
from p2p.refusals import Reason
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, match_of
from p2p.table.asides import Asides
from p2p.table.mesh import Mesh
from p2p.transport.endpoint import Caller, Endpoint, say
from p2p.transport.messages import Goodbye
from protocol.entries import Entry
from protocol.errors import Malformed
from protocol.match.messages import Continued
from protocol.table.digest_chain import Chain
from protocol.table.record import is_entry

MOST_LINKS = 16
"""Maximum number of links of members to the server."""

MOST_CALLS = 8
"""The number of calls that one member may make at once; later they may make one more each second.
For callers who are no members, the same limit holds for each address.
"""

_MOST_RATES = 256
"""Maximum number of keys and addresses whose calls are counted."""

_PART = 100
"""The number of entries that are read from the journal at once."""


def served_chain(journal: Journal, membership: Membership) -> Chain:
    """Return the chain of the table's record in the journal.

    Blocks. Raises Malformed if an entry in the journal is damaged.
    """
    table_id = membership.table_id
    chain = Chain(membership.charter.charter, [table_id, *_heads(journal, table_id)])
    # Members judge everything they are shown as if it were an entry. A pair of signatures is none,
    # and would end the link, so pairs are left out.
    shown = (part for _, part in journal.evidence(table_id) if is_entry(part))
    chain.evidence = tuple((chain.height_of(entry), entry) for entry in shown)
    return chain


def later_tables(journal: Journal, membership: Membership) -> tuple[Continued, ...]:
    """Return the continuations by which the match has gone on. Blocks.

    From the continuations a member who was away learns where the match goes on, or that their seat
    is lost.
    """
    match = match_of(journal, membership.match_id)
    return () if match is None else tuple(Continued(one.charter) for one in match.later)


@define(eq=False)
class OnlyLinks:
    """The open links: at most one for each key, and at most `most` in all.

    So nobody can use up the links that the system allows. A new link replaces the open link with
    the same key. If there is no such link, and `most` links are open, it replaces the oldest link.
    """

    most: int
    _scopes: dict[bytes, trio.CancelScope] = field(factory=dict, init=False)
    """The scopes of the links, by key, the oldest link first."""

    @contextmanager
    def only(self, key: bytes) -> Iterator[None]:
        """Count a link of `key` during the block. If a new link replaces it, cancel the block."""
        if key in self._scopes:
            self._scopes.pop(key).cancel()
        elif len(self._scopes) >= self.most:
            self._scopes.pop(next(iter(self._scopes))).cancel()
        with trio.CancelScope() as scope:
            self._scopes[key] = scope
            try:
                yield
            finally:
                # A newer link of the same key may have put its own scope here.
                if self._scopes.get(key) is scope:
                    del self._scopes[key]


@define(eq=False)
class RecordServer:
    """Serves the tables of `journal` to their members, as the fallback of `endpoint`."""

    endpoint: Endpoint
    journal: Journal
    _links: OnlyLinks = field(factory=partial(OnlyLinks, MOST_LINKS), init=False)
    """The links of members."""

    _rates: RateLimits[bytes | str] = field(
        factory=partial(RateLimits, _MOST_RATES, MOST_CALLS, 1.0), init=False
    )
    """The limits of the keys and addresses that have called lately."""

    async def serve(self, caller: Caller) -> None:
        """Serve a caller who asks for a table that is not being played."""
        membership = await trio.to_thread.run_sync(self._find, caller)
        if not self._rates.of(_who(caller, membership)).spend():  # each call reads a record
            # No goodbye is sent. A guest in `claim` would take it as final, but calls again if the
            # link merely closes.
            return
        mesh = None
        if membership is not None:
            with suppress(Malformed):
                mesh = await trio.to_thread.run_sync(self._mesh, membership)
        if mesh is None:
            await say(caller.link, Goodbye(Reason.NO_TABLE))
        else:
            await self._serve_member(mesh, caller)

    async def _serve_member(self, mesh: Mesh, caller: Caller) -> None:
        """Serve a member on their only link. Let the mesh refuse a stranger."""
        if mesh.chain.charter.player_of(caller.link.peer) is None:
            await mesh.serve(caller)
        else:
            with self._links.only(caller.link.peer):
                await mesh.serve_alone(caller)

    def _mesh(self, membership: Membership) -> Mesh:
        """Return a mesh that serves the record of `membership`. Blocks. Raises Malformed."""
        later = later_tables(self.journal, membership)
        return Mesh(
            self.endpoint,
            self.journal,
            membership.charter,
            served_chain(self.journal, membership),
            membership.me,
            AddressBook(),
            Asides(membership.me, lambda _: None, lambda: False),
            lambda: later,
        )

    def _find(self, caller: Caller) -> Membership | None:
        """Return our membership at the table that the caller asks for, or None. Blocks."""
        for record in self.journal.tables():
            if record.table_id == caller.hello.table_id:
                with suppress(Malformed):
                    return Membership.recalled(self.journal, record)
        return None


def _who(caller: Caller, membership: Membership | None) -> bytes | str:
    """Return the key or address by which a caller's calls are counted.

    It is the key for a caller whom the table's charter names as a member. For everybody else it is
    the address, because new keys cost nothing.
    """
    members = membership.charter.charter.members if membership else ()
    is_member = any(member.key == caller.link.peer for member in members)
    return caller.link.peer if is_member else caller.link.address


def _heads(journal: Journal, table_id: bytes) -> Iterator[bytes]:
    """Yield the heads of a record, one after each entry. Reads the entries in parts. Blocks."""
    height = 0
    while part := journal.entries(table_id, height + 1, _PART):
        height += len(part)
        yield from (Entry.decode(data).head for data in part)
