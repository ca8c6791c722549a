"""Spectators who do more than watch, and are sent away; the table notices nothing (nodes.md, 3)."""

from collections.abc import Callable
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
from p2p.transport.messages import Aside, Message, Whereabouts
from p2p.transport.spectator_messages import MOST_SPECTATORS, Overheard, Spectator, Watch, Watching
from protocol.charter import Member
from protocol.entries import Body, Entry, MoveContent
from protocol.match.messages import Candidates, Signed
from protocol.table.messages import Acknowledgement, Carry, Probe, Status
from tests.p2p.machines import PORT, Machine, Machines, failure_of
from tests.p2p.match.watchers import (
    at_rest,
    declined,
    ended,
    linked,
    somebody,
    table_of,
    watching,
)

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


def signed_entry(node: MatchNode, eva: Machine) -> Message:
    """Return the next entry in the name of the player who is due, signed by the spectator."""
    due = node.state.due
    assert due is not None
    body = Body(node.state.next_place, due.player, MoveContent(DrawStock(), ()))
    return Carry(node.height + 1, Entry.sign(body.encode(), eva.identity.sign).encode())


def status(node: MatchNode, eva: Machine) -> Message:
    own = Acknowledgement.make(node.table_id, 999, bytes(32), eva.identity.sign)
    return Status(own)


SAYS: dict[str, Callable[[MatchNode, Machine], Message]] = {
    "an entry": signed_entry,
    "how far a record goes": status,
    "a signature for a continuation": lambda _n, _eva: Signed(bytes(64)),
    "that they would take a seat": lambda _n, eva: Candidates((Member(eva.key, "E", bytes(32)),)),
    "that others watch": lambda _n, eva: Watching((Spectator(eva.key, "Ana"),)),
    "a question about a key": lambda _n, _eva: Probe(1, bytes(32)),
    "a phrase": lambda _n, _eva: Aside(1),
    "what a member says": lambda _n, _eva: Overheard(0, 1),
    "where somebody is": lambda _n, _eva: Whereabouts(()),
}


@pytest.mark.parametrize("what", SAYS)
async def test_3_5_a_spectator_who_sends_table_messages_is_sent_away_unheard(
    tmp_path: Path, what: str
) -> None:
    now = await table_of(tmp_path)
    async with at_rest(now) as nodes, linked(now.eva, now.ana) as link:
        node = nodes[0]
        await say(link, Watch(now.eva.name))
        height, heights = node.height, node.node.peers.known.all
        await say(link, SAYS[what](node, now.eva))
        assert isinstance(await ended(link), LinkError)
        await trio.sleep(3)
        for one in nodes:
            assert (one.height, one.exposed, one.candidates) == (height, None, ())
            assert one.spectators == ()
            assert one.node.peers.linked  # the players among themselves
        assert node.node.peers.known.all == heights
    assert now.eva.identity.public not in b"".join(now.ana.entries() + now.bruno.entries())


async def test_3_2_no_node_takes_an_entry_that_a_spectator_has_signed(tmp_path: Path) -> None:
    """Let a member carry the entry: the member's link ends (R4), and no node takes the entry."""
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


async def test_3_1_a_table_without_spectators_shows_none_that_a_member_makes_up(
    tmp_path: Path,
) -> None:
    now = await table_of(tmp_path, spectators=False)
    async with at_rest(now) as (node, _):
        node.on_talk(node.charter.members[1].key, Watching((Spectator(bytes(32), "Guest"),)))
        assert node.spectators == ()


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
    eva, copy = somebody(now, tmp_path), somebody(now, tmp_path, 5)
    async with at_rest(now) as (node, _):
        own = copy.identity
        copy.identity = now.bruno.identity  # the key of a member: from a copy of their home
        assert await declined(copy, now.ana, "Somebody") == Reason.MATCH_NOT_OVER
        # Bruno's own node refuses the link, for it has the same key.
        assert not isinstance(await failure_of(declined(copy, now.bruno, "Somebody")), Declined)
        copy.identity = own
        assert await declined(eva, now.ana, "Аna") == Reason.NAME_TAKEN  # with a Cyrillic letter
        assert await declined(eva, now.ana, table_id=bytes(32)) == Reason.NO_TABLE
        # Only members can ask about the table by its id.
        assert await declined(eva, now.ana, about=node.table_id) == Reason.NO_TABLE
        KnownPlayers(node.journal).meet([Member(own.public, "Eva", bytes(32))], "2026-01-01")
        assert await declined(eva, now.ana, "Eva") == Reason.OTHER_KEY


async def test_3_3_two_spectators_have_two_names(tmp_path: Path) -> None:
    """End the older link of a spectator who comes again under the same name."""
    now = await table_of(tmp_path)
    now.ana.limits = Limits(per_address=1)  # spectators do not count as strangers
    now.fay.address = now.eva.address
    async with (
        at_rest(now) as (node, _),
        now.eva.process() as (endpoint, _),
        endpoint.dial(now.ana.address, PORT, LOBBY) as older,
    ):
        await say(older, Watch("Eva"))
        assert await failure_or_charter(older) is None
        assert await declined(now.fay, now.ana, "eva") == Reason.NAME_TAKEN
        async with watching(now.fay, now.ana, "Fay") as watcher:
            await watcher.is_noted()
            assert {one.name for one in node.spectators} == {"Eva", "Fay"}
        async with endpoint.dial(now.ana.address, PORT, LOBBY) as newer:
            await say(newer, Watch("Eva"))
            assert await failure_or_charter(newer) is None
            assert isinstance(await ended(older), LinkError)
            assert node.spectators == (Spectator(now.eva.key, "Eva"),)


async def test_3_3_eight_can_watch_and_a_friend_takes_a_strangers_place(tmp_path: Path) -> None:
    now = await table_of(tmp_path)
    many = [somebody(now, tmp_path, 10 + number) for number in range(MOST_SPECTATORS + 2)]
    async with at_rest(now) as (node, other), trio.open_nursery() as nursery:
        for number, machine in enumerate(many[:MOST_SPECTATORS]):
            nursery.start_soon(watch_on, machine, now.ana, f"Guest {number}")
            while len(node.spectators) <= number:
                await node.progress.wait()
        *_, late, friend = many
        assert await declined(late, now.ana, "Late") == Reason.ENOUGH_SPECTATORS
        KnownPlayers(node.journal).meet([Member(friend.key, "Fay", bytes(32))], "2026-01-01")
        async with watching(friend, now.ana, "Fay") as watcher:
            await watcher.is_noted()
            names = {one.name for one in node.spectators}
            assert "Fay" in names
            assert len(names) == MOST_SPECTATORS
            await trio.sleep(3)
            assert {one.name for one in other.spectators} == names
        nursery.cancel_scope.cancel()


async def watch_on(machine: Machine, at: Machine, name: str) -> None:
    """Watch until the node or the test ends it."""
    try:
        async with linked(machine, at) as link:
            while True:
                await say(link, Watch(name))
                with trio.move_on_after(5):
                    while True:
                        await hear(link)
    except* LinkError:
        pass


async def test_3_3_a_spectator_who_comes_and_goes_is_announced_only_a_few_times(
    tmp_path: Path,
) -> None:
    """Refuse this spectator after a few times, but no known player or stranger from elsewhere."""
    now = await table_of(tmp_path)
    eva, friend, other = (somebody(now, tmp_path, number) for number in (4, 5, 3))
    async with at_rest(now) as (node, _):

        async def come(who: Machine = eva) -> int | None:
            async with linked(who, now.ana) as link:
                await say(link, Watch(who.name))
                return await failure_or_charter(link)

        crowd = [await come() for _ in range(5)]
        assert crowd == [*[None] * 4, Reason.TOO_MANY_CAME]
        assert await come(other) is None
        await trio.sleep(59)
        assert await come() == Reason.TOO_MANY_CAME
        await trio.sleep(1.5)
        assert [await come(), await come()] == [None, Reason.TOO_MANY_CAME]
        known = (Member(one.key, one.name, bytes(32)) for one in (eva, friend))
        KnownPlayers(node.journal).meet(known, "2026-01-01")
        async with watching(friend, now.ana, friend.name) as watcher:
            await watcher.is_noted()
        # A known player has a limit of their own.
        crowd = [await come() for _ in range(17)]
        assert crowd == [*[None] * 16, Reason.TOO_MANY_CAME]
        await trio.sleep(14)
        assert await come() == Reason.TOO_MANY_CAME
        await trio.sleep(1.5)
        assert [await come(), await come()] == [None, Reason.TOO_MANY_CAME]


@pytest.mark.parametrize(("where", "most"), [("10.1.0.{}", 16), ("2001:db8::{}", 8)])
async def test_3_3_a_crowd_from_many_addresses_is_announced_only_a_few_times(
    tmp_path: Path, where: str, most: int
) -> None:
    """Admit half as many if all addresses are in one network."""
    now = await table_of(tmp_path)
    ana, eva = now.ana, somebody(now, tmp_path)
    came: list[int | None] = []
    async with at_rest(now):
        for number in range(24):
            eva.address = where.format(number)
            async with linked(eva, ana) as link:
                await say(link, Watch(eva.name))
                came.append(await failure_or_charter(link))
    assert came[:most] == [None] * most
    assert most <= came.count(None) <= most + 2


async def failure_or_charter(link: Link) -> int | None:
    """Return None if the spectator may watch, or the reason for refusing."""
    try:
        await hear(link)
    except Declined as error:
        return error.reason
    return None


async def test_3_7_a_member_can_make_up_only_so_many_spectators_and_no_player(
    tmp_path: Path,
) -> None:
    """Show no player as a spectator, and no more spectators than a table can have."""
    now = await table_of(tmp_path)
    async with at_rest(now) as (node, _):
        crowd = [Spectator(bytes([number]) * 32, f"Guest {number}") for number in range(40)]
        player = Spectator(now.ana.key, "Guest 99")
        progress = node.progress
        assert not node.on_talk(node.charter.members[1].key, Watching((player, *crowd)))
        assert progress.is_set()
        assert node.spectators == tuple(crowd[: MOST_SPECTATORS - 1])
        nobody = now.bruno.key
        assert all(one.key != nobody for one in node.spectators)
