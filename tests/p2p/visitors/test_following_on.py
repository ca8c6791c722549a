"""Spectators follow a match from table to table.

They do so even where a node takes back what it has shown (nodes.md, 3.8).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio

from p2p.match.followed_match import FollowedMatch
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.transport.endpoint import LOBBY
from p2p.transport.frames import LinkError
from protocol.audit import Verdict
from tests.p2p.machines import PORT, Machine
from tests.p2p.match.evening import OPPONENT, Evening, evening, until
from tests.protocol.audited import audit

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


@asynccontextmanager
async def following(now: Evening, folder: Path, *numbers: int) -> AsyncIterator[FollowedMatch]:
    """Somebody watches at these machines in turn, at the next one when a link has ended."""
    eva = Machine(now.machines.network, 99, folder / "eva")
    async with eva.process() as (endpoint, _), trio.open_nursery() as nursery:
        with Journal.open(eva.home / "watched" / JOURNAL_FILE) as journal:
            match = FollowedMatch(journal, eva.key, "Eva")

            async def follow() -> None:
                for number in numbers:
                    host = now.machines.all[number].address
                    with suppress(LinkError):
                        async with endpoint.dial(host, PORT, LOBBY) as link:
                            await match.follow(link)

            nursery.start_soon(follow)
            yield match
            nursery.cancel_scope.cancel()


async def test_3_8_what_a_player_has_written_alone_is_taken_back(tmp_path: Path) -> None:
    """They are cut off and write an entry, which their own spectator sees.

    The others go on without them: the player is left out when the links are back, and the spectator
    hears of the continuation there, and watches on at another node.
    """
    async with evening(4, tmp_path, spectators=True) as now:
        node = now.node(0)
        await until(lambda: node.chooses)
        now.part(0)
        height = node.height
        async with following(now, tmp_path, 0, 1) as match:
            await until(lambda: match.begun and match.state.height > height)
            await until(lambda: all(now.node(n).missing == {0} for n in (1, 2, 3)))
            assert now.node(1).height == height
            now.wish(OPPONENT, 1, 2, 3)
            await now.seat_bots()
            await until(lambda: now.node(1).charter.attempt == 1)
            now.machines.network.heal()
            await until(lambda: node.left_out)
            other = now.node(1)
            await until(lambda: other.height >= 8 and match.state.head == other.state.head)
            assert sum(change.taken_back for change in match.past) == 1
            assert audit(b"".join(match.record())).verdict is Verdict.UNFINISHED
            assert match.exposed is None
