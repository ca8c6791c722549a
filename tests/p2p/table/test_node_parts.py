"""What a node tells its client, and how it begins, piece by piece: no table is needed for that."""

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from engine.sentences import Sentence
from p2p.discovery.address_book import Address, AddressBook
from p2p.storage.memberships import Membership
from p2p.table.changes import no_progress
from p2p.table.node import LOOPBACK, Node
from p2p.table.resync import NOBODY_UNHEARD
from p2p.transport.messages import Candidates
from p2p.transport.spectator_messages import Watching
from protocol.errors import Exposed
from tests.p2p.table.mesh_peers import ANA, BRUNO, CARLA, MEMBERS
from tests.protocol.ring import Ring

CHARTER = Ring.sit(players=3).charter
GRACE = 30


class Part(Node):
    """A node that has nothing but what a test gives it."""

    state: Any = None
    charter: Any = None
    height: Any = 0
    over: Any = False
    table_id: Any = bytes(32)

    def __init__(self, **parts: Any) -> None:
        self.progress = trio.Event()
        self._restored = False
        vars(self).update(parts)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the test has not given the node {name}")


@pytest.mark.parametrize(("due", "linked"), [(0, True), (1, True), (2, False)])
def test_who_is_waited_for_is_told_and_whether_there_is_a_link_to_them(
    due: int, linked: bool
) -> None:
    node = Part(
        state=SimpleNamespace(due=SimpleNamespace(player=due, kind="move")),
        _membership=SimpleNamespace(me=0),
        mesh=SimpleNamespace(linked=frozenset({1})),
        _appender=SimpleNamespace(since=3.0),
        resync=SimpleNamespace(awaited=NOBODY_UNHEARD),
    )
    awaited = node.awaited
    assert awaited is not None
    assert (awaited.player, awaited.kind, awaited.since) == (due, "move", 3.0)
    assert awaited.linked == linked
    node.state.due = None
    assert node.awaited is None


async def test_of_the_grace_there_is_left_what_has_not_passed(autojump_clock: MockClock) -> None:
    began = trio.current_time()
    charter = SimpleNamespace(grace=GRACE)
    node = Part(_appender=SimpleNamespace(since=began), charter=charter)
    await trio.sleep(GRACE - 1)
    assert node.grace_left == pytest.approx(1)
    await trio.sleep(1)
    assert node.grace_left == 0
    await trio.sleep(100)
    assert node.grace_left == 0


def test_a_member_on_this_machine_is_called_here_first() -> None:
    book = AddressBook()
    book.learn(Address(BRUNO.public, "10.1.0.1", 9), seen=True)
    node = Part(
        mesh=SimpleNamespace(book=book),
        charter=SimpleNamespace(members=MEMBERS),
    )
    node.find_here(BRUNO.public, 7)
    assert node.places_of(1) == ((LOOPBACK, 7), ("10.1.0.1", 9))
    assert node.places_of(2) == ()


def test_where_somebody_says_that_members_are_is_noted() -> None:
    told: list[tuple[Address, ...]] = []
    node = Part(mesh=SimpleNamespace(learn=told.append))
    places = (Address(BRUNO.public, "10.1.0.1", 9),)
    node.learn(places)
    assert told == [places]


def test_a_substitute_on_this_machine_begins_where_this_node_is() -> None:
    """They take up a record: they wait for what the others have to tell."""
    book = AddressBook()
    book.learn(Address(CARLA.public, "10.1.0.2", 9), seen=True)
    node = Part(
        mesh=SimpleNamespace(book=book),
        live_record=SimpleNamespace(key=ANA.public),
        _membership=Membership(CHARTER, 0, ()),
    )
    here, there = Address(ANA.public, LOOPBACK, 7), Address(CARLA.public, "10.1.0.2", 9)
    assert node.membership_for(2, 7) == Membership(CHARTER, 2, (here, there), fresh=False)


@pytest.mark.parametrize(
    ("fresh", "height", "hears"),
    [(True, 0, False), (False, 0, True), (True, 1, True), (False, 5, True)],
)
async def test_only_who_has_written_nothing_yet_need_not_hear_the_others_first(
    fresh: bool, height: int, hears: bool
) -> None:
    """A membership may be new and its record not: when somebody leaves a table and returns. Locks
    of which nobody has heard are erased when all have been heard.
    """
    done: list[str] = []

    async def run() -> None:
        done.append("heard the others")

    async def heard_out() -> None:
        done.append("erased locks")

    resync = SimpleNamespace(done=False, run=run)
    node = Part(
        over=True,
        state=SimpleNamespace(height=height),
        _membership=SimpleNamespace(fresh=fresh),
        _appender=SimpleNamespace(heard_out=heard_out),
        resync=resync,
    )
    progress = node.progress
    await node._write_all()
    assert done == (["heard the others", "erased locks"] if hears else [])
    assert resync.done != hears
    assert progress.is_set()


async def test_a_journal_is_taken_up_once() -> None:
    done: list[str] = []

    async def forget() -> None:
        done.append("forget")

    node = Part(
        _appender=SimpleNamespace(forget=forget), _restore=lambda _progress: done.append("restore")
    )
    for _ in range(2):
        await node.restore(no_progress)
    assert done == ["restore", "forget"]


def test_what_is_voted_for_in_the_next_place_is_in_doubt_too() -> None:
    doubted: list[int] = []
    own = SimpleNamespace(keep_doubt=doubted.append)
    Part(height=5, _coordinator=SimpleNamespace(own=own))._keep_doubt()
    assert doubted == [6]


async def test_what_is_told_goes_to_whom_it_is_for() -> None:
    """And what exposes somebody stops the table."""
    heard: list[Any] = []
    exposed = Exposed(1, "R20", Sentence("They have said two things."), (b"both",))

    async def told(*talk: Any) -> bool:
        heard.append(talk)
        if len(heard) > 2:
            raise exposed
        return True

    async def stop(error: Exposed) -> None:
        heard.append(error)

    node = Part(
        _gallery=SimpleNamespace(told=lambda *talk: heard.append(talk)),
        _coordinator=SimpleNamespace(told=told),
        _appender=SimpleNamespace(stop=stop),
    )
    watching, candidates = Watching(()), Candidates(())
    assert not await node.told(1, watching)
    assert await node.told(1, candidates)
    assert await node.told(1, candidates)
    assert heard == [(1, watching), (1, candidates), (1, candidates), exposed]


def test_members_without_a_link_are_unreached() -> None:
    mesh = SimpleNamespace(others=(1, 2, 3), linked=frozenset({2}), lacking=lambda height: {height})
    node = Part(mesh=mesh, height=7)
    assert node.unreached == {1, 3}
    assert node.lacking == {7}


@pytest.mark.parametrize(("over", "complete"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("linger", [False, True])
async def test_a_node_that_stops_ends_one_thing_after_the_other(
    autojump_clock: MockClock, over: bool, complete: bool, linger: bool
) -> None:
    """Where the match is over, when all have its end; and where people stay, when they go. Where it
    was broken off nobody stays.
    """
    done: list[str] = []

    def noting(what: str) -> Any:
        return lambda *_: done.append(what)

    def waiting(what: str) -> Any:
        async def noted(*_: object) -> None:
            done.append(what)

        return noted

    async def runs(
        *_: object, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        task_status.started()
        await trio.sleep_forever()

    node = Part(
        over=over,
        state=SimpleNamespace(complete=complete, height=7),
        restore=waiting("restored"),
        mesh=SimpleNamespace(
            run=runs,
            book=SimpleNamespace(version=0),
            news=trio.sleep_forever,
            probe=SimpleNamespace(found=trio.Event()),
            everybody_has=waiting("all have it"),
            leave=waiting("links"),
        ),
        live_record=SimpleNamespace(exposed=None),
        _write_all=runs,
        _notice_sleep=runs,
        _appender=SimpleNamespace(since=0.0, keep_deferred=runs, close=noting("changes")),
        _coordinator=SimpleNamespace(room=SimpleNamespace(close=noting("candidates"))),
        _gallery=SimpleNamespace(close=waiting("shown the end"), end=noting("spectators")),
        _endpoint=SimpleNamespace(route=lambda *_: nullcontext()),
        _journal=SimpleNamespace(note_all_synced=noting("noted")),
        _stopping=False,
    )
    async with trio.open_nursery() as nursery:

        async def run() -> None:
            assert await node.run(linger=linger) is node.state
            done.append("over")

        nursery.start_soon(run)
        await trio.sleep(60)
        stays = not over or (complete and linger)
        assert ("over" in done) == (not stays)
        assert ("links" in done) == (not stays)
        node.stop()
    end = ["all have it", "noted"] * complete + ["shown the end"] * over
    first, *rest = done
    assert first == "restored"
    assert rest == ["candidates", *end, "links", "spectators", "changes", "over"]
