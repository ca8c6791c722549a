"""Spectators hear what the members say beside the game, and say nothing (nodes.md, 3.4, 3.5)."""

from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from p2p.match.match_node import MatchNode
from p2p.storage.memberships import Membership
from p2p.table.asides import AsideCode, Asides, Spoken
from p2p.transport.frames import LinkError
from p2p.transport.messages import Message
from p2p.transport.spectator_messages import Overheard
from protocol.errors import Mismatch, OutOfTurn, Refused
from tests.p2p.visitors.shown_matches import carried, greeting, shown
from tests.p2p.visitors.watchers import at_rest, somebody, table_of, watching
from tests.vectors.recorded import recorded_with_spectators

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")

ANA, BRUNO = 0, 1


def so_far(heard: trio.MemoryReceiveChannel[Spoken]) -> list[Spoken]:
    told = []
    while heard.statistics().current_buffer_used:
        told.append(heard.receive_nowait())
    return told


async def test_3_4_what_the_members_say_is_heard_at_each_node(tmp_path: Path) -> None:
    machines = await table_of(tmp_path)
    eva, fay = somebody(machines, tmp_path), somebody(machines, tmp_path, 5)
    async with (
        at_rest(machines) as (ana, bruno),
        watching(eva, machines.all[ANA]) as first,
        watching(fay, machines.all[BRUNO], "Fay") as second,
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


async def test_3_4_also_before_there_is_an_entry(tmp_path: Path) -> None:
    """They know who the members are by then, and so who speaks."""
    machines = await table_of(tmp_path)
    bruno = machines.all[BRUNO]
    eva = somebody(machines, tmp_path)
    async with bruno.process() as (endpoint, journal), trio.open_nursery() as nursery:
        (record,) = journal.tables()
        node = MatchNode(endpoint, journal, Membership.recalled(journal, record))
        nursery.start_soon(node.run)
        await trio.testing.wait_all_tasks_blocked()
        async with watching(eva, bruno) as watcher:
            await watcher.is_noted()
            heard = watcher.match.asides.listen()
            node.asides.say(AsideCode.THANK_YOU)
            await trio.sleep(1)
            assert so_far(heard) == [Spoken(BRUNO, AsideCode.THANK_YOU)]
            assert node.height == 0  # Ana, who writes first, is not there
        nursery.cancel_scope.cancel()


async def test_3_4_who_has_left_is_heard_to_leave_again_when_they_have_come_back(
    tmp_path: Path,
) -> None:
    """They are back when they have written an entry."""
    one = recorded_with_spectators()
    leaving = Overheard(one.moments[0].writer, AsideCode.LEAVING)
    entries = carried(one.entries)
    match, _, _ = await shown(tmp_path, greeting(one), leaving, *entries)
    assert match.asides.left == {leaving.player}
    await trio.sleep(3)
    assert not match.asides.left


CASES: dict[str, tuple[type[Exception], Callable[[], list[Message]]]] = {
    "before the charter": (OutOfTurn, lambda: [Overheard(ANA, AsideCode.THANK_YOU)]),
    "of nobody": (
        Mismatch,
        lambda: [
            greeting(one := recorded_with_spectators()),
            Overheard(len(one.ring.players), AsideCode.THANK_YOU),
        ],
    ),
    "old entries without end": (
        LinkError,
        lambda: [
            greeting(one := recorded_with_spectators()),
            *500 * carried(one.entries[:1]),
        ],
    ),
    "without end": (
        LinkError,
        lambda: [greeting(recorded_with_spectators()), *500 * [Overheard(ANA, 1)]],
    ),
}


@pytest.mark.parametrize("what", CASES)
async def test_3_8_a_node_that_makes_things_up_is_followed_no_further(
    tmp_path: Path, what: str
) -> None:
    kind, messages = CASES[what]
    _, error, _ = await shown(tmp_path, *messages())
    assert type(error) is kind


async def test_what_nobody_listens_to_any_more_is_not_kept() -> None:
    asides = Asides(ANA, lambda _code: None, lambda: False)
    with asides.listen():
        assert len(asides._listeners) == 1
    asides.say(AsideCode.THANK_YOU)
    assert not asides._listeners
