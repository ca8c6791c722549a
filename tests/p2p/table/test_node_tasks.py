"""The tasks of a node at a table: what it writes, tells and waits for, one step at a time."""

import math
from collections.abc import Awaitable, Callable
from itertools import product
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from attrs import evolve

from engine.sentences import Sentence
from p2p.background_task import beside
from p2p.match.match_node import MatchNode
from p2p.storage.journal import Journal
from p2p.table.machine_sleep import SleepWatch
from p2p.table.mesh import Mesh
from p2p.table.node import Node
from p2p.table.node_updates import Awaited, no_progress
from protocol.errors import Exposed
from protocol.table.events import Computed, Contradicted, Persisted, Restored, Ticked
from protocol.table.own_player import OwnPlayer
from protocol.table.resync import NOBODY_UNHEARD
from protocol.table.tasks import (
    Append,
    Begin,
    Change,
    CompareEntry,
    Evidence,
    JudgeEntry,
    Ready,
    TakeOther,
)
from tests.p2p.table.conftest import FILE, LENGTH
from tests.p2p.table.vector_records import entries, states

FALSE = Exposed(0, "R11", Sentence("They lied."), (b"false",))


def with_answers(table: Node, *answers: Ready[Any]) -> list[object]:
    """Give the node a fake machine, which returns these values one after the other.

    Return a list in which the machine notes the events that it handles.
    """
    handled, left = list[object](), iter(answers)

    def handle(event: object, _now: float) -> Ready[Any]:
        handled.append(event)
        return next(left)

    table.machine = cast(Any, SimpleNamespace(handle=handle))
    return handled


PERSISTED, TICKED = Persisted(Evidence(FALSE)), Ticked()


@pytest.mark.parametrize(
    ("changes", "event", "found", "wakes"),
    [
        (0, PERSISTED, False, True),
        (2, PERSISTED, False, False),  # the callback for changes wakes tasks
        (0, TICKED, False, False),
        (0, TICKED, True, True),
    ],
)
async def test_a_node_tells_its_match_of_changes_and_wakes_tasks_of_its_client(
    node: MatchNode, changes: int, event: Any, found: bool, wakes: bool
) -> None:
    table, told = node.node, list[object]()
    change = Change(states(FILE)[0], states(FILE)[1])
    table.match = evolve(table.match, on_change=told.append)
    ready = Ready[Any](changes=changes * [change])
    with_answers(table, ready)
    table.peers.probe.found = found
    progress = node.progress
    assert table._react(event) is ready
    assert told == changes * [change]
    assert progress.is_set() == wakes


async def test_a_node_tells_its_machine_of_a_restart_and_of_a_contradiction(
    node: MatchNode,
) -> None:
    handled = with_answers(node.node, Ready(), Ready())
    await node.node.forget_locks()
    await node.node.expose(FALSE)
    assert handled == [Restored(), Contradicted(FALSE)]


async def test_a_node_writes_and_chooses_if_its_machine_and_its_match_allow_it(
    node: MatchNode,
) -> None:
    table = node.node
    for machine, match in product((False, True), repeat=2):
        player = SimpleNamespace(chooses=machine)
        table.machine = cast(Any, SimpleNamespace(player=player, can_write=machine))
        table.match = evolve(table.match, may_write={node.table_id: match}.__getitem__)
        assert (table.chooses, table._can_write) == 2 * (machine and match,)


@pytest.mark.parametrize(
    ("due", "since", "linked"),
    [(None, 5.0, None), (0, math.inf, None), (0, 5.0, True), (1, 5.0, True), (2, 5.0, False)],
)
def test_a_player_is_awaited_while_a_running_table_waits_for_them(
    due: int | None, since: float, linked: bool | None
) -> None:
    what = None if due is None else SimpleNamespace(player=due, kind="move")
    fake = SimpleNamespace(
        state=SimpleNamespace(due=what),
        machine=SimpleNamespace(since=since),
        me=0,
        peers=SimpleNamespace(linked={1}),
        resync=SimpleNamespace(awaited=NOBODY_UNHEARD),
    )
    awaited = None if due is None or linked is None else Awaited(due, "move", since, linked)
    assert Node.awaited.fget(fake) == awaited  # type: ignore[attr-defined]


@pytest.mark.usefixtures("autojump_clock")
async def test_a_player_has_their_whole_grace_again_after_the_machine_has_slept(
    node: MatchNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept = iter((False, True, False, False))
    monkeypatch.setattr(SleepWatch, "has_slept", lambda _watch: next(slept))
    progress, before = node.progress, node.node.machine.since
    async with beside(node.node._notice_sleep):
        await trio.sleep(1.5)
        assert (node.node.machine.since, progress.is_set()) == (before, False)
        await trio.sleep(2)
        assert (node.node.machine.since, progress.is_set()) == (2, True)


@pytest.mark.usefixtures("autojump_clock", "on_memory")
async def test_deferred_entries_are_written_together_after_a_moment(
    node: MatchNode, journal: Journal
) -> None:
    async with beside(node.node._keep_deferred):
        await trio.sleep(0.1)
        for more in (1, 2):
            journal.defer(node.table_id, LENGTH + more, entries(FILE)[LENGTH + more - 1])
            node.node._deferred.set()
            assert len(journal._deferred) == more
            await trio.sleep(0.15)
        assert not journal._deferred
        assert not node.node._deferred.is_set()


@pytest.mark.parametrize("news", [(), (0,), (1,), (2,), (3,), (4,)])
async def test_an_entry_is_news_if_a_step_of_judging_or_keeping_it_is_news(
    node: MatchNode, news: tuple[int, ...]
) -> None:
    """The machine takes five steps: it hears, and is told of a write, a result, a write, a result.

    `news` has the number of the step that is news, if any is.
    """
    table = node.node
    tasks: list[Any] = [CompareEntry(1, entries(FILE)[0]), CompareEntry(2, entries(FILE)[1])]
    kept, computed = Evidence(FALSE), [Computed(task, None) for task in tasks]
    steps = [
        Ready[Any](compute=tasks[0], persist=[kept]),
        Ready[Any](),
        Ready[Any](persist=[kept], erase=("lock",)),
        Ready[Any](compute=tasks[1]),
        Ready[Any](),
    ]
    for number in news:
        steps[number].is_news = True
    handled = with_answers(table, *steps)
    table.live_record.replay(no_progress)
    table.journal.append(node.table_id, LENGTH + 1, b"own", {"lock": b"secret", "key": b"secret"})
    heard = Ticked()
    assert await table._grow(heard) == bool(news)
    assert handled == [heard, Persisted(kept), computed[0], Persisted(kept), computed[1]]
    assert table.journal.secrets(node.table_id) == {"key": b"secret"}


@pytest.mark.usefixtures("autojump_clock", "on_memory")
@pytest.mark.parametrize("all_have_it", [False, True])
async def test_a_node_waits_for_a_while_until_all_have_the_end(
    node: MatchNode, monkeypatch: pytest.MonkeyPatch, all_have_it: bool
) -> None:
    asked, began = list[int](), trio.current_time()

    async def everybody_has(_mesh: Mesh, height: int) -> None:
        asked.append(height)
        await trio.sleep(29 if all_have_it else 31)

    monkeypatch.setattr(Mesh, "everybody_has", everybody_has)
    node.node.live_record.replay(no_progress)
    await node.node.see_others_off()
    assert asked == [LENGTH]
    assert trio.current_time() - began == (29 if all_have_it else 30)
    assert node.journal.have_all_synced(node.table_id) == all_have_it


async def test_a_node_is_restored_with_the_secrets_of_all_tables(
    node: MatchNode, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    got = list[dict[str, bytes]]()
    monkeypatch.setattr(OwnPlayer, "recall", lambda _player, secrets: got.append(secrets))
    for table_id, height, entry, secrets in (
        (bytes(32), 1, b"entry", {"first lock": b"1", "lock": b"old"}),
        (node.table_id, LENGTH + 1, entries(FILE)[LENGTH], {"lock": b"new"}),
    ):
        journal.create_table(table_id, journal.tables()[0].charter, 0)
        journal.append(table_id, height, entry, secrets)
    journal._query("UPDATE tables SET doubtful = 1")
    node.node._before = (bytes(32),)
    node.node.restore(no_progress)
    assert got == [{"first lock": b"1", "lock": b"new"}]
    assert node.height == LENGTH + 1
    assert node.node.resync.doubtful


@pytest.mark.usefixtures("autojump_clock")
async def test_a_node_runs_its_tasks_until_it_is_stopped(
    node: MatchNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = list[str]()

    def noted(name: str) -> Callable[..., Awaitable[None]]:
        async def task(*_: object, task_status: Any = trio.TASK_STATUS_IGNORED) -> None:
            done.append(name)
            task_status.started()
            await trio.sleep_forever()

        return task

    async def leave(_mesh: Mesh) -> None:
        done.append("leave")

    tasks = ["keep_links", "_write_all", "_notice_sleep", "_keep_deferred"]
    for name in tasks:
        monkeypatch.setattr(Node, name, noted(name))
    monkeypatch.setattr("p2p.table.node.keep_known_addresses", noted("addresses"))
    monkeypatch.setattr(Node, "leave", leave)
    with trio.fail_after(9):
        async with trio.open_nursery() as nursery:
            await nursery.start(node.node.run)
            await trio.sleep(1)
            assert done[0] == "keep_links"
            assert sorted(done) == sorted([*tasks, "addresses"])
            node.node.stop()
    assert done[5:] == ["leave"]


async def test_only_long_computations_are_made_in_a_thread(
    node: MatchNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = list[object]()

    async def noted(function: Callable[..., object], *arguments: object) -> object:
        threads.append(arguments[0])
        return function(*arguments)

    monkeypatch.setattr("trio.to_thread.run_sync", noted)
    node.node.match = evolve(node.node.match, judge=lambda state, _entry: state)
    start, entry = states(FILE)[0], entries(FILE)[0]
    node.node.live_record.take(states(FILE)[1], entry)
    brief, long = (JudgeEntry(start, entry, is_brief=yes) for yes in (True, False))
    compare = CompareEntry(1, entry)
    computed = [await node.node._computed(task) for task in (brief, long, compare)]
    assert computed == [Computed(brief, start), Computed(long, start), Computed(compare, None)]
    assert threads == [long, compare]


async def test_a_node_writes_what_its_machine_asks_for(node: MatchNode, journal: Journal) -> None:
    """The node replaces the last entry, appends others, keeps evidence, and ends the doubt."""
    table_id, persist = node.table_id, node.node._persist
    fork, *others = states(FILE)[LENGTH - 1 : LENGTH + 4]
    journal._query("UPDATE tables SET doubtful = 1")
    await persist(TakeOther(fork, ((others[0], b"one"), (others[1], b"other"))))
    await persist(Append(others[2], b"own", {"lock": b"secret"}))
    await persist(Append(others[3], b"deferred", is_deferred=True))
    assert [place[1:] for place in journal._deferred] == [(LENGTH + 3, b"deferred")]
    assert node.node._deferred.is_set()
    more = (b"one", b"other", b"own", b"deferred")
    assert journal.entries(table_id) == (*entries(FILE)[: fork.height], *more)
    assert journal.secrets(table_id) == {"lock": b"secret"}
    await persist(Evidence(FALSE))
    assert journal.evidence(table_id) == ((str(FALSE), b"false"),)
    await persist(Begin(doubt=False))
    assert journal.is_doubtful(table_id)
    await persist(Begin(doubt=True))
    assert not journal.is_doubtful(table_id)
