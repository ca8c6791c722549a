"""Tables that are not being played here at the moment: their members may still fetch the record.

So a player who was away when the match ended gets its end from whoever runs Sobremesa next.
"""

from collections.abc import Mapping, Sequence

import trio
from attrs import evolve, frozen

from p2p.refusals import Reason
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.mesh import Mesh
from p2p.transport.endpoint import Caller, Endpoint, say
from p2p.transport.messages import Agreed, Goodbye, Talk
from protocol.ballot import height_of
from protocol.charter import Charter
from protocol.entries import AbsentContent, Body, Entry
from protocol.errors import Malformed


@frozen
class ArchivedTable:
    """A record as the journal has it; nothing is added to it. `charter` has the members as they
    are at its end, substitutes among them. See `p2p.table.mesh.Table`.
    """

    membership: Membership
    charter: Charter
    departed: Mapping[bytes, int]
    record: tuple[bytes, ...]
    evidence: tuple[tuple[int, bytes], ...]

    @classmethod
    def read(cls, journal: Journal, membership: Membership) -> "ArchivedTable":
        """Blocks. Raises Malformed for a journal that was changed by somebody else."""
        table_id = membership.table_id
        evidence = (entry for _, entry in journal.evidence(table_id))
        heights = tuple((height_of(entry), entry) for entry in evidence)
        record = journal.entries(table_id)
        charter, departed = _members(membership.charter.charter, record)
        return cls(membership, charter, departed, record, heights)

    @property
    def table_id(self) -> bytes:
        return self.membership.table_id

    @property
    def height(self) -> int:
        return len(self.record)

    def greeting(self) -> Agreed:
        return Agreed(self.membership.charter.encode())

    def head_at(self, height: int) -> bytes:
        return Entry.decode(self.record[height - 1]).head if height else self.table_id

    async def entries(self, since: int, most: int) -> Sequence[bytes]:
        return self.record[since - 1 : since - 1 + most]

    @property
    def talk(self) -> tuple[Talk, ...]:
        """None: to go on, the table is opened again."""
        return ()

    async def told(self, _player: int, _talk: Talk, /) -> bool:
        return False

    async def carried(self, _player: int, _height: int, _entry: bytes, /) -> bool:
        return False


@frozen
class Archive:
    """Serves the tables of `journal` to their members, as the fallback of `endpoint`."""

    endpoint: Endpoint
    journal: Journal

    async def serve(self, caller: Caller) -> None:
        """Attend to somebody who asks for a table that is not being played."""
        table = await trio.to_thread.run_sync(self._find, caller)
        if table is None:
            await say(caller.link, Goodbye(Reason.NO_TABLE))
        else:
            await Mesh(self.endpoint, table, table.membership.me).serve(caller)

    def _find(self, caller: Caller) -> ArchivedTable | None:
        """The table that is asked for, if there is a record of it."""
        for record in self.journal.tables():
            if record.table_id == caller.hello.table_id:
                try:
                    return ArchivedTable.read(
                        self.journal, Membership.recalled(self.journal, record)
                    )
                except Malformed:
                    return None
        return None


def _members(charter: Charter, record: Sequence[bytes]) -> tuple[Charter, Mapping[bytes, int]]:
    """Who sits there after the joint entries of a record, and whose seats they gave away, where."""
    departed: dict[bytes, int] = {}
    for height, data in enumerate(record, 1):
        entry = Entry.decode(data)
        if not entry.is_joint:
            continue
        content = Body.decode(entry.body, charter.game.deck, joint=True).content
        assert isinstance(content, AbsentContent)
        members = list(charter.members)
        for player, member in zip(content.players, content.substitutes, strict=False):
            departed[members[player].key] = height
            members[player] = member
        charter = evolve(charter, members=tuple(members))
    return charter, departed
