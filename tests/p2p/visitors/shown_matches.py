"""Matches that a node shows somebody, message by message, and what they make of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from p2p.match.followed_match import FollowedMatch
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.transport.endpoint import hear, say
from p2p.transport.messages import Agreed, Goodbye, Message
from p2p.transport.spectator_messages import Watch
from protocol.table.messages import Carry
from tests.p2p.memory_links import memory_link_pair
from tests.protocol.played import Played

ANA, EVA = Identity.generate(), Identity.generate()


def greeting(one: Played) -> Message:
    return Agreed(one.ring.charter.encode())


def carried(entries: Sequence[bytes], first: int = 1) -> list[Message]:
    return [Carry(height, entry) for height, entry in enumerate(entries, first)]


@contextmanager
def match_in(folder: Path) -> Iterator[FollowedMatch]:
    """Open a match that somebody is to follow, with their journal in that folder."""
    with Journal.open(folder / "watched" / JOURNAL_FILE) as journal:
        yield FollowedMatch(journal, EVA.public, "Eva")


async def shown(folder: Path, *messages: Message) -> tuple[FollowedMatch, Exception | None, bytes]:
    """Return the match that somebody has followed by these messages, its end, and the record."""
    with match_in(folder) as match:
        error: Exception | None = None
        async with memory_link_pair(EVA, ANA) as (link, node):
            for message in (*messages, Goodbye(1)):
                await say(node, message)
            try:
                await match.follow(link)
            except Exception as raised:
                error = raised
            assert await hear(node) == Watch("Eva")
        return match, error, b"".join(match.record()) if match.begun else b""
