"""Watching: spectators see open cards and check each entry; nobody waits for them (nodes.md, 3).

Spectators who do more than watch are sent away, and the table notices nothing. `test_gallery.py`
tests each of the rules by which a node admits spectators.
"""

from pathlib import Path

import pytest
import trio
from attrs import evolve

from engine.moves import DrawStock
from p2p.background_task import beside
from p2p.match.match_node import MatchNode
from p2p.match.spectators import Gallery
from p2p.match.visitor_places import STILL_HERE_SECONDS
from p2p.refusals import Reason
from p2p.storage.known_players import KnownPlayers
from p2p.table.asides import AsideCode, Asides, Spoken
from p2p.transport.endpoint import LOBBY, Declined, hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Limits, Link
from p2p.transport.messages import Agreed, Aside, Message
from p2p.transport.spectator_messages import Overheard, Spectator, Watch, Watching
from protocol.audit import Verdict
from protocol.charter import Member
from protocol.entries import Body, Entry, MoveContent
from protocol.errors import Mismatch, OutOfTurn, Refused
from protocol.match.messages import Candidates, Signed
from protocol.state import State
from protocol.table.messages import Acknowledgement, Carry, Status
from tests.engine.simulation import eagerly
from tests.p2p.machines import PORT, Machine, Machines
from tests.p2p.match.watchers import (
    at_rest,
    begin_to_watch,
    carried,
    declined,
    ended,
    greeting,
    linked,
    node_at,
    shown,
    somebody,
    table_of,
    watching,
)
from tests.protocol.audited import audit
from tests.vectors.recorded import recorded_with_spectators

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")

MIDDLE = 20
"""The number of entries after which a spectator comes: hands are dealt, a player has moved."""


async def test_3_8_a_spectator_who_comes_in_mid_round_sees_every_state_to_the_end(
    tmp_path: Path,
) -> None:
    now = await table_of(tmp_path)
    states: dict[int, State] = {}

    async def keep() -> None:
        node = await node_at(now.ana, 0)
        async for change in node.changes():
            states[change.after.height] = change.after

    async with trio.open_nursery() as nursery:
        nursery.start_soon(keep)
        for machine in now.all:
            nursery.start_soon(machine.play, eagerly)
        node = await node_at(now.ana, MIDDLE)
        async with watching(now.eva, now.ana) as match:
            assert not match.over
            eva = (Spectator(now.eva.key, now.eva.name),)
            assert node.spectators == match.spectators == eva
            while not match.over:
                await match.progress.wait()
            record = b"".join(match.record())
    seen = {change.after.height: change.after for change in match.past}
    assert match.state.complete
    assert [*seen] == [*range(1, match.state.height + 1)]
    assert len(states) > len(seen) // 2
    assert all(seen[height] == state for height, state in states.items())
    assert audit(record).verdict is Verdict.SOUND
    assert now.ana.entries() == now.bruno.entries()


async def test_3_4_a_spectator_gets_only_the_record_and_the_list_of_spectators(
    tmp_path: Path,
) -> None:
    now = await table_of(tmp_path)
    async with at_rest(now) as (node, other), linked(now.eva, now.ana) as link:
        await say(link, Watch(now.eva.name))
        told = [await hear(link) for _ in range(node.height + 2)]
        assert told[0] == Watching((Spectator(now.eva.key, now.eva.name),))
        assert told[1] == node.tables.history.greeting()
        entries = await node.tables.history.parts(1, node.number)
        assert told[2:] == [Carry(height, entry) for height, entry in enumerate(entries, 1)]
        with trio.move_on_after(20):
            while True:
                await say(link, Watch(now.eva.name, node.table_id, node.height))
                told.append(await hear(link))
        assert {type(message) for message in told[2:]} == {Carry, Watching}
        # besides the entries: the charter, and the list of spectators now and then
        assert len(told) - node.height in range(4, 8)
        assert other.spectators == node.spectators  # the other player sees it too
    assert isinstance(told[1], Agreed)


async def test_3_7_everybody_sees_soon_that_a_spectator_comes_or_goes(tmp_path: Path) -> None:
    """At the node where the spectator watches, the others see it at once."""
    now = await table_of(tmp_path)
    first, second = Spectator(now.eva.key, now.eva.name), Spectator(now.fay.key, "Fay")
    async with at_rest(now) as (node, other), watching(now.eva, now.ana) as match:

        async def see(*there: Spectator) -> None:
            await trio.testing.wait_all_tasks_blocked()
            assert node.spectators == match.spectators == there
            await trio.sleep(STILL_HERE_SECONDS)
            assert other.spectators == there

        await trio.sleep(1)
        async with watching(now.fay, now.ana, "Fay"):
            await see(first, second)
        await see(first)


async def test_3_6_a_spectator_who_does_not_read_delays_nothing_and_is_dropped(
    tmp_path: Path,
) -> None:
    now = await table_of(tmp_path)
    async with beside(now.play):
        node = await node_at(now.ana, MIDDLE)
        async with linked(now.eva, now.ana) as link:
            now.network.fill(now.eva.address, now.ana.address)
            await begin_to_watch(now.eva, link, node)
            begun = trio.current_time()
            for machine in now.all:
                await node_at(machine, MIDDLE + 60)
            # Players take a second for each turn, and wait for nobody else.
            assert trio.current_time() - begun < 30
            assert not node.spectators


async def test_a_spectator_who_gets_a_seat_stops_watching(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From then on they are linked to the table as a member."""
    now = await table_of(tmp_path)
    async with at_rest(now) as (node, _), linked(now.eva, now.ana) as link:
        await begin_to_watch(now.eva, link, node)
        ana, bruno = node.charter.members
        charter = evolve(node.charter, members=(ana, evolve(bruno, key=now.eva.key)))
        monkeypatch.setattr(Gallery, "_charter", charter)
        node.news.tell()
        with trio.fail_after(STILL_HERE_SECONDS):
            assert isinstance(await ended(link), LinkError)
        assert node._gallery.own == ()


# -- Spectators hear what the members say beside the game, and say nothing (nodes.md, 3.4, 3.5)

ANA, BRUNO = 0, 1


def so_far(heard: trio.MemoryReceiveChannel[Spoken]) -> list[Spoken]:
    return [heard.receive_nowait() for _ in range(heard.statistics().current_buffer_used)]


async def test_3_4_spectators_of_each_node_hear_the_members(tmp_path: Path) -> None:
    now = await table_of(tmp_path)
    async with (
        at_rest(now) as (ana, bruno),
        watching(now.eva, now.all[ANA]) as first,
        watching(now.fay, now.all[BRUNO], "Fay") as second,
    ):
        channels = [match.asides.listen() for match in (first, second)]
        ana.asides.say(AsideCode.WELL_PLAYED)
        await trio.sleep(1)
        bruno.asides.say(AsideCode.THANK_YOU)
        await trio.sleep(1)
        for heard in channels:
            assert so_far(heard) == [
                Spoken(ANA, AsideCode.WELL_PLAYED),
                Spoken(BRUNO, AsideCode.THANK_YOU),
            ]
        with pytest.raises(Refused, match="only looks on"):
            first.asides.say(AsideCode.THANK_YOU)


async def test_3_4_a_member_who_writes_an_entry_after_leaving_counts_as_back(
    tmp_path: Path,
) -> None:
    """The member counts as back some seconds after the entry."""
    one = recorded_with_spectators()
    leaving = Overheard(one.moments[0].writer, AsideCode.LEAVING)
    match, _, _ = await shown(tmp_path, greeting(one), leaving, *carried(one.entries))
    assert match.asides.left == {leaving.player}
    await trio.sleep(3)
    assert not match.asides.left


async def test_3_8_a_node_that_sends_invalid_or_too_many_messages_is_not_followed(
    tmp_path: Path,
) -> None:
    one, phrase = recorded_with_spectators(), Overheard(ANA, AsideCode.THANK_YOU)
    cases: list[tuple[list[Message], type[Exception]]] = [
        ([phrase], OutOfTurn),  # it comes before the charter
        ([greeting(one), evolve(phrase, player=2)], Mismatch),  # two players are members
        ([greeting(one), *500 * carried(one.entries[:1])], LinkError),
        ([greeting(one), *500 * [phrase]], LinkError),
    ]
    for number, (messages, kind) in enumerate(cases):
        _, error, _ = await shown(tmp_path / f"{number}", *messages)
        assert type(error) is kind, number


async def test_asides_without_a_listener_are_not_kept() -> None:
    asides = Asides(ANA, lambda _code: None, lambda: False)
    with asides.listen():
        assert len(asides._listeners) == 1
    asides.say(AsideCode.THANK_YOU)
    assert not asides._listeners


# -- Spectators who do more than watch, or are refused


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
            eva.address = f"10.9.{number}.1"  # the arrivals from one address are limited
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
        now.eva.identity = now.bruno.identity  # as on a copy of Bruno's home
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


async def test_3_3_a_stranger_who_comes_and_goes_may_come_only_a_few_times(
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
