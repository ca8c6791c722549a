"""The record of a running node, and how it is restored from the journal."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from attrs import evolve

from engine.sentences import Sentence
from p2p.background_task import beside
from p2p.match.match_node import MatchNode
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.live_record import LiveRecord
from p2p.table.mesh import Mesh
from p2p.table.node_updates import no_progress
from p2p.transport.endpoint import Endpoint
from protocol.entries import Body, Entry, UnlockContent
from protocol.errors import Exposed
from protocol.state import State
from protocol.table.events import Computed, Contradicted, Persisted, Restored, Ticked
from protocol.table.tasks import Append, Begin, Change, CompareEntry, Evidence, Ready, TakeOther
from tests.p2p.table.vector_records import copy_of, entries, keep_record, signed_charter, states

FILE = "canastra.json"
LENGTH = 90
RECENT = 64
FALSE = Exposed(0, "R11", Sentence("They lied."), (b"false",))
PERSISTED, TICKED = Persisted(Evidence(FALSE)), Ticked()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home whose journal has the first entries, shared by all tests."""
    return keep_record(tmp_path_factory.mktemp("kept") / "home", FILE, LENGTH)


@pytest.fixture
def journal(kept: Path, tmp_path: Path) -> Iterator[Journal]:
    with copy_of(kept, tmp_path / "home") as journal:
        yield journal


def record_at(journal: Journal, upto: int = 0) -> LiveRecord:
    """Return the record of the first player's node."""
    signed = signed_charter(FILE)
    start = State.start(signed.charter)
    record = LiveRecord.of(journal, Membership(signed, 0, ()), signed.charter.members[0].key, start)
    for height in range(1, upto + 1):
        record.take(states(FILE)[height], entries(FILE)[height - 1])
    return record


def test_the_state_at_every_height_is_known(journal: Journal) -> None:
    """A match may go on from any height: states not in memory are rebuilt from the journal."""
    record = record_at(journal, upto=LENGTH)
    for height in (0, 1, LENGTH - RECENT, LENGTH - RECENT + 1, LENGTH):
        assert (
            record.state_at(height).head == record.chain.heads[height] == states(FILE)[height].head
        )


def test_unlockings_do_not_replace_the_entry_that_may_expose_a_player(journal: Journal) -> None:
    """`telling` returns a player's last entry that is no unlocking: it may expose the player."""
    record, last = record_at(journal, upto=LENGTH), dict[int, bytes]()
    for entry in entries(FILE)[:LENGTH]:
        body = Body.decode(Entry.decode(entry).body, record.state.match.game.deck)
        if not isinstance(body.content, UnlockContent):
            last[body.writer] = entry
    assert [record.telling(player) for player in last] == [(entry,) for entry in last.values()]


async def test_the_newest_entries_are_in_memory_and_the_others_in_the_journal(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, read = record_at(journal, upto=LENGTH), list[int]()
    find = Journal.entries

    def noted(journal: Journal, table_id: bytes, since: int, most: int) -> tuple[bytes, ...]:
        read.append(since)
        return find(journal, table_id, since, most)

    monkeypatch.setattr(Journal, "entries", noted)
    oldest = LENGTH - RECENT + 1
    for since, most in ((oldest, 4), (LENGTH, 1), (LENGTH - 1, 100), (LENGTH + 1, 1)):
        assert await record.entries(since, most) == entries(FILE)[:LENGTH][since - 1 :][:most]
    assert read == []
    for since, most in ((oldest - 1, 1), (1, 3), (oldest - 2, 4), (1, 100)):
        assert await record.entries(since, most) == entries(FILE)[:LENGTH][since - 1 :][:most]
    assert read == [oldest - 1, 1, oldest - 2, 1]
    assert record.chain.has(oldest, entries(FILE)[oldest - 1])
    assert not record.chain.has(oldest - 1, entries(FILE)[oldest - 2])
    assert not record.chain.has(oldest, entries(FILE)[oldest])


def test_replaying_the_journal_reports_its_progress(journal: Journal) -> None:
    record, told = record_at(journal), list[tuple[int, int]]()
    record.replay(lambda *done: told.append(done))
    assert told == [(height, LENGTH) for height in range(1, LENGTH + 1)]
    assert [change.after.height for change in record.past] == [*range(1, LENGTH + 1)]
    assert record.state.head == states(FILE)[LENGTH].head


def test_a_journal_is_cut_at_a_damaged_entry_and_doubted(journal: Journal) -> None:
    journal._query("UPDATE entries SET entry = zeroblob(200) WHERE height = 5")
    record = record_at(journal)
    record.replay(no_progress)
    assert record.height == 4
    assert journal.entries(record.table_id) == entries(FILE)[:4]
    assert journal.is_doubtful(record.table_id)


# -- Restoring the record of a node


@pytest.fixture
def node(journal: Journal) -> MatchNode:
    me = SimpleNamespace(public=signed_charter(FILE).charter.key_of(0), sign=None)
    membership = Membership(signed_charter(FILE), 0, ())
    return MatchNode(Endpoint(cast(Identity, me)), journal, membership)


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
    table.machine = cast(Any, SimpleNamespace(handle=lambda _event, _now: ready))
    table.peers.probe.found = found
    progress = node.progress
    assert table._react(event) is ready
    assert told == changes * [change]
    assert progress.is_set() == wakes


async def test_a_node_tells_its_machine_of_a_restart_and_of_a_contradiction(
    node: MatchNode,
) -> None:
    handled = list[object]()

    def handle(event: object, _now: float) -> Ready[Any]:
        handled.append(event)
        return Ready()

    node.node.machine = cast(Any, SimpleNamespace(handle=handle))
    await node.node.forget_locks()
    await node.node.expose(FALSE)
    assert handled == [Restored(), Contradicted(FALSE)]


@pytest.mark.parametrize("machine", [False, True])
@pytest.mark.parametrize("match", [False, True])
async def test_a_node_writes_and_chooses_if_its_machine_and_its_match_allow_it(
    node: MatchNode, machine: bool, match: bool
) -> None:
    player: Any = SimpleNamespace(chooses=machine)
    node.node.machine = cast(Any, SimpleNamespace(player=player, can_write=machine))
    node.node.match = evolve(node.node.match, may_write=lambda table_id: match and bool(table_id))
    assert (node.node.chooses, node.node._can_write) == 2 * (machine and match,)


@pytest.mark.usefixtures("autojump_clock", "on_memory")
async def test_deferred_entries_are_written_together_after_a_moment(
    node: MatchNode, journal: Journal
) -> None:
    async with beside(node.node._keep_deferred):
        for more in (1, 2):
            journal.defer(node.table_id, LENGTH + more, entries(FILE)[LENGTH + more - 1])
            node.node._deferred.set()
            await trio.sleep(0.15)
        assert not journal._deferred
        assert not node.node._deferred.is_set()


@pytest.mark.parametrize("news", [(), (0,), (1,), (2,), (3,), (4,)])
async def test_an_entry_is_news_if_a_step_of_its_judging_or_keeping_is(
    node: MatchNode, news: tuple[int, ...]
) -> None:
    """Do the steps in order: hear, compute, keep the result, and compute what follows from that."""
    table, handled = node.node, list[object]()
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

    def handle(event: object, _now: float) -> Ready[Any]:
        handled.append(event)
        return steps[len(handled) - 1]

    table.machine = cast(Any, SimpleNamespace(handle=handle))
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


async def test_a_node_writes_what_its_machine_asks_for(node: MatchNode, journal: Journal) -> None:
    """Replace the last entry, append others, keep evidence, and end the doubt."""
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


async def test_leaving_does_not_wait_for_the_rest_of_the_record(node: MatchNode) -> None:
    """The thread that restores the record ends at the next entry."""
    told: list[int] = []

    def progress(done: int, _total: int) -> None:
        told.append(done)
        if done == 3:
            trio.from_thread.run_sync(scope.cancel)
            # The waiting task notices the cancellation only when it runs. This call lets it run
            # before the thread goes on.
            trio.from_thread.run_sync(bool)

    with trio.CancelScope() as scope:
        await node.restore(progress)
    assert scope.cancelled_caught
    assert told == [1, 2, 3]
