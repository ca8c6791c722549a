"""Spectators who do more than watch, and are sent away; the table notices nothing (nodes.md, 3).

`test_gallery.py` has the rules by which a node admits spectators, one by one.
"""

from pathlib import Path

import pytest
import trio

from engine.moves import DrawStock
from p2p.background_task import beside
from p2p.match.match_node import MatchNode
from p2p.refusals import Reason
from p2p.storage.known_players import KnownPlayers
from p2p.transport.endpoint import LOBBY, Declined, hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Limits, Link
from p2p.transport.messages import Aside, Message
from p2p.transport.spectator_messages import Spectator, Watch, Watching
from protocol.charter import Member
from protocol.entries import Body, Entry, MoveContent
from protocol.match.messages import Candidates, Signed
from protocol.table.messages import Acknowledgement, Carry, Status
from tests.p2p.machines import PORT, Machine, Machines
from tests.p2p.match.watchers import at_rest, declined, ended, linked, somebody, table_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


def signed_entry(node: MatchNode, eva: Machine) -> Message:
    """Return the next entry in the name of the player who is due, signed by the spectator."""
    due = node.state.due
    assert due is not None
    body = Body(node.state.next_place, due.player, MoveContent(DrawStock(), ()))
    return Carry(node.height + 1, Entry.sign(body.encode(), eva.identity.sign).encode())


async def answer(link: Link) -> int | None:
    """Return None if the spectator may watch, or the reason for refusing."""
    try:
        await hear(link)
    except Declined as error:
        return error.reason
    return None


async def test_3_5_a_spectator_who_sends_table_messages_is_sent_away_unheard(
    tmp_path: Path,
) -> None:
    now = await table_of(tmp_path)
    eva = now.eva
    async with at_rest(now) as nodes:
        node = nodes[0]
        await trio.sleep(3)
        height, heights = node.height, node.node.peers.known.all
        messages = (
            signed_entry(node, eva),
            Status(Acknowledgement.make(node.table_id, 999, bytes(32), eva.identity.sign)),
            Signed(bytes(64)),
            Candidates((Member(eva.key, "E", bytes(32)),)),
            Watching((Spectator(eva.key, "Ana"),)),
            Aside(1),
        )
        for number, message in enumerate(messages):
            eva.address = f"10.9.{number}.1"  # so many arrivals from one address are too many
            async with linked(eva, now.ana) as link:
                await say(link, Watch(eva.name))
                await say(link, message)
                assert isinstance(await ended(link), LinkError), message.kind
        await trio.sleep(3)
        for one in nodes:
            seen = one.height, one.exposed, one.candidates, one.spectators
            assert seen == (height, None, (), ())
            assert one.node.peers.linked  # the players stay linked to each other
        assert node.node.peers.known.all == heights
    assert eva.identity.public not in b"".join(now.ana.entries() + now.bruno.entries())


async def test_3_2_no_node_takes_an_entry_that_a_spectator_has_signed(tmp_path: Path) -> None:
    """A member carries the entry. The member's link ends (R4), and no node takes the entry."""
    now = await table_of(tmp_path)
    async with at_rest(now) as (ana, bruno):
        height = ana.height
        (peer,) = bruno.node._newest.values()
        peer.send(signed_entry(bruno, now.eva))
        await peer.gone.wait()
        await trio.sleep(3)
        assert (ana.height, ana.exposed, ana.tables.history.evidence) == (height, None, ())


async def test_3_5_a_spectator_who_sends_too_much_is_sent_away(tmp_path: Path) -> None:
    now = await table_of(tmp_path)
    async with at_rest(now) as (node, _), linked(now.eva, now.ana) as link:
        for _ in range(21):
            await say(link, Watch(now.eva.name))
        await trio.sleep(0.1)
        assert node.spectators
        await say(link, Watch(now.eva.name))
        assert isinstance(await ended(link), LinkError)
        assert not node.spectators
        assert node.node.peers.linked


async def test_3_1_a_table_whose_charter_admits_no_spectators_refuses_them_and_says_why(
    tmp_path: Path,
) -> None:
    now = await table_of(tmp_path, spectators=False)
    async with at_rest(now):
        for machine in now.all:
            assert await declined(now.eva, machine) == Reason.NO_SPECTATORS


@pytest.mark.parametrize("admitted", [True, False])
async def test_3_3_nobody_watches_before_the_match(tmp_path: Path, admitted: bool) -> None:
    machines = Machines.make(2, tmp_path)
    ana = machines.all[0]
    eva = somebody(machines, tmp_path)
    async with beside(lambda: ana.sit_down(ana.address, "canastra", 2, spectators=admitted)):
        await trio.sleep(1)
        reason = Reason.NOT_BEGUN if admitted else Reason.NO_SPECTATORS
        assert await declined(eva, ana) == reason


async def test_3_3_a_node_refuses_spectators_for_these_reasons(tmp_path: Path) -> None:
    now = await table_of(tmp_path)
    async with at_rest(now) as (node, _):
        # Only members can ask about the table by its id.
        assert await declined(now.eva, now.ana, about=node.table_id) == Reason.NO_TABLE
        KnownPlayers(node.journal).meet([Member(now.fay.key, "Eva", bytes(32))], "2026-01-01")
        assert await declined(now.eva, now.ana, "Eva") == Reason.OTHER_KEY
        now.eva.identity = now.bruno.identity  # the key of a member: from a copy of their home
        assert await declined(now.eva, now.ana, "Somebody") == Reason.MATCH_NOT_OVER


async def test_3_3_the_older_link_of_a_spectator_who_comes_again_ends(tmp_path: Path) -> None:
    now = await table_of(tmp_path)
    now.ana.limits = Limits(per_address=1)  # spectators do not count as strangers
    async with (
        at_rest(now) as (node, _),
        now.eva.process() as (endpoint, _),
        endpoint.dial(now.ana.address, PORT, LOBBY) as older,
    ):
        await say(older, Watch("Eva"))
        assert await answer(older) is None
        async with endpoint.dial(now.ana.address, PORT, LOBBY) as newer:
            await say(newer, Watch("Eva"))
            assert await answer(newer) is None
            assert isinstance(await ended(older), LinkError)
            assert node.spectators == (Spectator(now.eva.key, "Eva"),)


async def test_3_3_a_spectator_who_comes_and_goes_is_announced_only_a_few_times(
    tmp_path: Path,
) -> None:
    """Players whom this node has met have a limit of their own."""
    now = await table_of(tmp_path)

    async def come() -> int | None:
        async with linked(now.eva, now.ana) as link:
            await say(link, Watch(now.eva.name))
            return await answer(link)

    async with at_rest(now) as (node, _):
        crowd = [await come() for _ in range(5)]
        assert crowd == [*4 * [None], Reason.TOO_MANY_CAME]
        known = Member(now.eva.key, now.eva.name, bytes(32))
        KnownPlayers(node.journal).meet([known], "2026-01-01")
        assert await come() is None
