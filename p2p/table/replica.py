"""The record that a mesh serves: a node's, or one of the record server's."""

from collections.abc import Iterable, Sequence
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
    def talk(self) -> Iterable[Talk]:
        """The messages beside the record for all peers."""

    async def on_talk(self, player: int, talk: Talk, /) -> bool:
        """Note what a member says beside the record; true for news. Raises Malformed."""
