"""The record that a mesh serves: a node's, or one of the record server's."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from p2p.transport.messages import Agreed, Talk
from protocol.charter import Charter


class Replica(Protocol):
    """A copy of a table's record, with its present members."""

    @property
    def charter(self) -> Charter: ...

    @property
    def table_id(self) -> bytes: ...

    @property
    def height(self) -> int: ...

    @property
    def complete(self) -> bool:
        """Whether the match is over, and signed by all."""

    @property
    def evidence(self) -> tuple[tuple[int, bytes], ...]:
        """The entries that expose somebody, with their heights."""

    def greeting(self) -> Agreed:
        """The signed charter, for members who may have missed it."""

    def head_at(self, height: int) -> bytes:
        """The digest of the entry at that height, the table id for 0."""

    async def entries(self, since: int, most: int) -> Sequence[bytes]:
        """Entries from height `since` on."""

    async def carried(self, player: int, height: int, entry: bytes, /) -> bool:
        """Take what a member carried here; whether it was news.

        Raises Unattributable for what nobody should carry.
        """

    @property
    def departed(self) -> Mapping[bytes, int]:
        """Whose seats were given away: by key, the height of the entry that says so."""

    @property
    def talk(self) -> Iterable[Talk]:
        """The messages about an absence that may be the next entry, and who watches."""

    async def told(self, player: int, talk: Talk, /) -> bool:
        """Note what a member tells of an absence or of spectators; whether it was news. Raises
        Malformed.
        """
