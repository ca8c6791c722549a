"""Bots of this machine take the seats of absent players."""

from pathlib import Path
from typing import Any, cast

import pytest
import trio
from attrs import define

from client.session.local_node import open_local_node
from client.session.seated_bots import BotSettings, open_seated_bots
from client.session.substitutes import Substitutes
from p2p.table.node import Node
from protocol.absence import absence, signers
from protocol.charter import Charter
from protocol.entries import AbsentContent, Entry
from protocol.errors import Refused
from tests.client.plain_seat import PlainSeat
from tests.client.waiting_seat import seat_waiting


@define
class VotingNode:
    """As much of a node as Substitutes need: its vote is refused, or seats the substitute."""

    seat: PlainSeat
    refuses: bool
    over: bool = False

    @property
    def charter(self) -> Charter:
        return self.seat.state.charter

    def absence(self, content: AbsentContent) -> bytes:
        return absence(self.seat.state, content).encode()

    async def vote(self, content: AbsentContent, substitutes: dict[bytes, bytes]) -> None:
        await trio.lowlevel.checkpoint()
        if self.refuses:
            raise Refused("You have voted for something else in this place.")
        keys = {member.key for member in content.substitutes}
        assert len(keys) == len(content.players)
        for key in keys:
            assert Entry.is_vote(self.absence(content), key, substitutes[key])
            assert key in signers(self.charter, content)
        self.over = True  # the others have agreed on something else


@pytest.mark.parametrize("absent", [(1,), (1, 4)])
@pytest.mark.parametrize("refuses", [True, False])
async def test_bots_sign_for_the_seats(
    tmp_path: Path, refuses: bool, absent: tuple[int, ...]
) -> None:
    tmp_path.chmod(0o700)
    node = VotingNode(seat_waiting(6), refuses)
    async with (
        open_local_node(tmp_path) as local,
        open_seated_bots(local) as seated_bots,
        trio.open_nursery() as nursery,
    ):
        substitutes = Substitutes(
            seated_bots, BotSettings("easy"), cast(Node, cast(Any, node)), nursery
        )
        if refuses:
            with pytest.raises(Refused):
                await substitutes.invite(absent)
        else:
            await substitutes.invite(absent)
            assert node.over
