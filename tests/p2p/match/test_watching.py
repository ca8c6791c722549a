"""Watching: spectators see open cards and check each entry; nobody waits for them (nodes.md, 3)."""

from pathlib import Path

import pytest
import trio
from attrs import evolve

from p2p.background_task import beside
from p2p.match.spectators import STILL_HERE_SECONDS, Gallery
from p2p.table.asides import AsideCode, Asides, Spoken
from p2p.transport.endpoint import hear, say
from p2p.transport.frames import LinkError
from p2p.transport.messages import Agreed, Message
from p2p.transport.spectator_messages import Overheard, Spectator, Watch, Watching
from protocol.audit import Verdict
from protocol.errors import Mismatch, OutOfTurn, Refused
from protocol.state import State
from protocol.table.messages import Carry
from tests.engine.simulation import eagerly
from tests.p2p.match.watchers import (
    at_rest,
    begin_to_watch,
    carried,
    ended,
    greeting,
    linked,
    node_at,
    shown,
    table_of,
    watching,
)
from tests.protocol.audited import audit
from tests.vectors.recorded import recorded_with_spectators

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")

MIDDLE = 20
"""The number of entries after which a spectator comes: hands are dealt, a player has moved."""


async def test_3_8_a_spectator_sees_every_state_from_mid_round_to_its_end(tmp_path: Path) -> None:
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
        async with watching(now.eva, now.ana) as watcher:
            await watcher.is_noted()
            assert not watcher.match.over
            eva = (Spectator(now.eva.key, now.eva.name),)
            assert node.spectators == watcher.match.spectators == eva
            while not watcher.match.over:
                await watcher.match.progress.wait()
            record = b"".join(watcher.match.record())
    last = watcher.match.state
    assert last.complete
    assert set(watcher.states) == set(range(1, last.height + 1)) >= set(states)
    assert len(states) > last.height // 2
    assert all(watcher.states[height] == state for height, state in states.items())
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
        assert len(told) - node.height in range(4, 8)
        assert other.spectators == node.spectators  # the other player sees it too
    assert isinstance(told[1], Agreed)


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
    """The spectator's node now links to the table as a member."""
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
        for watcher in (first, second):
            await watcher.has(1)
        channels = [watcher.match.asides.listen() for watcher in (first, second)]
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
            first.match.asides.say(AsideCode.THANK_YOU)


async def test_3_4_a_member_who_came_back_can_be_heard_leaving_again(tmp_path: Path) -> None:
    """A member who has written an entry counts as back."""
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
