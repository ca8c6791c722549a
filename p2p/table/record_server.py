"""Serves the records of tables that are not being played here to their members.

So a player who was away when the match ended gets its end from any node that runs. Each member has
one link to the server, and there are few in all.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial

import trio
from attrs import define, evolve, field, frozen

from p2p.rate_limit import RateLimits
from p2p.refusals import Reason
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.mesh import Mesh
from p2p.table.only_links import OnlyLinks
from p2p.transport.endpoint import Caller, Endpoint, say
from p2p.transport.messages import Agreed, Goodbye, Talk
from protocol.ballot import height_of
from protocol.charter import Charter
from protocol.entries import AbsentContent, Body, Entry
from protocol.errors import Malformed

MOST_LINKS = 16
"""Links of members of tables that are over."""

MOST_CALLS = 8
"""Of one member at once, and one a second in the long run; of all others at one address as many."""

_MOST_RATES = 256
"""Keys and addresses of which it is known how often they have called."""

_PART = 100
"""Entries that are read at once."""


@frozen
class ServedTable:
    """A record in the journal; nothing is appended to it. `charter` has the members at its end,
    substitutes among them. See `p2p.table.replica.Replica`.
    """

    journal: Journal
    membership: Membership
    charter: Charter
    departed: Mapping[bytes, int]
    heads: tuple[bytes, ...]
    evidence: tuple[tuple[int, bytes], ...]

    @classmethod
    def read(cls, journal: Journal, membership: Membership) -> "ServedTable":
        """The table from the journal. Blocks. Raises Malformed for a journal that another program
        has changed.
        """
        table_id = membership.table_id
        charter, departed, heads = _followed(journal, membership.charter.charter)
        evidence = tuple(
            (height_of(shown, len(heads) + 1), shown) for _, shown in journal.evidence(table_id)
        )
        return cls(journal, membership, charter, departed, heads, evidence)

    @property
    def table_id(self) -> bytes:
        return self.membership.table_id

    @property
    def height(self) -> int:
        return len(self.heads)

    @property
    def complete(self) -> bool:
        """Nobody is here to listen to what follows a match."""
        return False

    def greeting(self) -> Agreed:
        return Agreed(self.membership.charter.encode())

    def head_at(self, height: int) -> bytes:
        return self.heads[height - 1] if height else self.table_id

    async def entries(self, since: int, most: int) -> Sequence[bytes]:
        return await trio.to_thread.run_sync(self.journal.entries, self.table_id, since, most)

    @property
    def talk(self) -> tuple[Talk, ...]:
        """None: nobody votes until the table is opened again."""
        return ()

    async def told(self, _player: int, _talk: Talk, /) -> bool:
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
    """How often each of those who have called lately does."""

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
        """The mesh sends strangers away, and tells those who were members that they are none."""
        mesh = Mesh(self.endpoint, table, table.membership.me)
        if any(member.key == caller.link.peer for member in table.charter.members):
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
    """Whose calls are counted together: those of a key that was there from the beginning, or else,
    since keys cost nothing, of an address. Only the record tells who has sat down later.
    """
    members = membership.charter.charter.members if membership else ()
    is_member = any(member.key == caller.link.peer for member in members)
    return caller.link.peer if is_member else caller.link.address


def _followed(
    journal: Journal, charter: Charter
) -> tuple[Charter, Mapping[bytes, int], tuple[bytes, ...]]:
    """A record to its end, a part at a time: who sits there after its joint entries, whose seats
    they gave away at which height, and the heads. Blocks.
    """
    departed: dict[bytes, int] = {}
    heads: list[bytes] = []
    table_id, game = charter.table_id, charter.game
    while part := journal.entries(table_id, len(heads) + 1, _PART):
        for data in part:
            entry = Entry.decode(data)
            heads.append(entry.head)
            if not entry.is_joint:
                continue
            content = Body.decode(entry.body, game.deck, joint=True).content
            assert isinstance(content, AbsentContent)
            members = list(charter.members)
            for player, member in zip(content.players, content.substitutes, strict=False):
                departed[members[player].key] = len(heads)
                members[player] = member
            charter = evolve(charter, members=tuple(members))
    return charter, departed, tuple(heads)
