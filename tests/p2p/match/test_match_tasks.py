"""The tasks that the node of a match carries out for its machine: telling, writing, signing."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from attrs import evolve

from engine.sentences import Sentence
from p2p.background_task import beside
from p2p.match.match_node import MatchNode
from p2p.match.match_view import MatchView
from p2p.match.tables import Tables
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.asides import AsideCode
from p2p.table.node import Node
from p2p.table.record_server import later_tables
from p2p.transport.spectator_messages import Spectator, Watching
from protocol.errors import Exposed
from protocol.evidence import Statement
from protocol.match import events, tasks
from protocol.match.events import MatchEvent
from protocol.match.messages import Continued
from protocol.match.tasks import Ready
from protocol.table.tasks import Change
from tests.p2p.match.kept_match import BRUNO, ME, Match

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


FALSE = Exposed(BRUNO, "R8", Sentence("They lied."), (b"false", b"more"))
EXPOSE = tasks.Expose(FALSE, bytes(32), stops=False)


def with_machine(match: Match, handle: Callable[[MatchEvent], Ready | None]) -> MatchNode:
    """Return a restored node with a fake machine, which does what `handle` returns."""
    node = match.restored_node()
    node.machine = cast(Any, SimpleNamespace(handle=lambda event, _now: handle(event) or Ready()))
    return node


def fake_table(**attributes: Any) -> Any:
    return SimpleNamespace(advancing=trio.Lock(), **attributes)


@pytest.mark.parametrize(
    ("ready", "talks", "wakes"),
    [
        (Ready(), False, False),
        (Ready(is_due=True, is_news=True), False, False),
        (Ready(has_spoken=True), True, True),
        (Ready(persist=[EXPOSE]), False, True),
    ],
)
async def test_members_are_told_and_waiting_tasks_wake_up_only_if_needed(
    match: Match, ready: Ready, talks: bool, wakes: bool
) -> None:
    node, talked = with_machine(match, lambda _event: ready), list[str]()
    node.tables.running = {match.ids[0]: fake_table(show_talk=lambda: talked.append("talks"))}
    progress = node.progress
    assert node._handle(events.Ticked()) is ready
    assert node._tasks == ready.persist
    assert (talked, progress.is_set()) == (["talks"] * talks, wakes)


async def test_the_client_hears_that_the_match_goes_on_at_another_table(match: Match) -> None:
    ready = Ready(before=match.states[2][3])
    node = with_machine(match, lambda _event: ready)
    changes = node.changes()
    node._handle(events.Ticked())
    assert await anext(changes) == Change(match.states[2][3], match.states[3][0], 1)


async def test_each_task_is_carried_out_before_what_follows_from_it(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line of `done` ends with two numbers: statements and evidence in the journal by then."""
    second, start = match.charters[1], match.states[1][0]
    signed = Statement(second.charter, ME, second.charter.sign(match.sign))
    stops, keeps = (tasks.Expose(FALSE, match.ids[0], stops=yes) for yes in (True, False))
    done = list[object]()

    def noted(*what: object) -> None:
        kept = len(node.journal.evidence(match.ids[0]))
        done.append((*what, len(node.journal.statements(match.ids[0])), kept))

    async def started(_tables: Tables, table_id: bytes) -> None:
        noted("started", table_id)

    async def exposed(error: Exposed) -> None:
        noted("exposed", error)

    monkeypatch.setattr(Tables, "start", started)
    node = with_machine(match, noted)
    node.tables.nodes[match.ids[0]].expose = exposed  # type: ignore[method-assign]
    node._tasks = [tasks.Open(second, start), tasks.Sign(signed), stops, keeps]
    await node._carry_out()
    record = node.tables.nodes[match.ids[1]].live_record
    assert done == [
        (events.Opened(record, second), 0, 0),
        ("started", match.ids[1], 0, 0),
        (events.Persisted(tasks.Sign(signed)), 1, 0),
        ("exposed", FALSE, 1, 0),
        (events.Persisted(stops), 1, 0),
        (events.Persisted(keeps), 1, 1),
    ]
    assert node.journal.evidence(match.ids[0]) == ((str(FALSE), b"false"),)


async def test_a_node_ticks_each_second_and_at_each_change_and_signs_when_it_is_due(
    match: Match,
) -> None:
    """While the node signs, it holds the locks of both tables, so that neither can write.

    After that it stops the older table. Each line of `done` ends with the number of held locks.
    """
    second = match.charters[1].charter
    sign = tasks.Sign(Statement(second, ME, second.sign(match.sign)))
    done = list[tuple[float, str, int]]()

    def note(what: str) -> None:
        locked = sum(table.advancing.locked() for table in node.tables.running.values())
        done.append((trio.current_time(), what, locked))

    def handle(event: MatchEvent) -> Ready:
        note(type(event).__name__)
        if len(done) == 1:
            return Ready(is_due=True, persist=[tasks.Expose(FALSE, match.ids[0], stops=False)])
        return Ready(persist=[sign] if isinstance(event, events.Due) else [])

    node = with_machine(match, handle)
    old, newest = fake_table(stop=lambda: note("stopped")), fake_table()
    node.tables.running = {match.ids[3]: newest, match.ids[1]: old}
    node.tables.history.running[match.ids[1]] = old
    async with beside(node._look_after):
        await trio.sleep(0.5)
        node.news.tell()
        await trio.sleep(1.7)
    assert done == [
        (0, "Ticked", 0),
        (0, "Persisted", 0),
        (0, "Due", 2),
        (0, "Persisted", 2),
        (0, "stopped", 0),
        (0, "Ticked", 0),
        (0.5, "Ticked", 0),
        (1.5, "Ticked", 0),
    ]
    assert [*node.tables.running] == match.ids[3:]


async def test_entries_of_all_tables_are_noted_but_only_those_of_the_newest_table_are_shown(
    match: Match,
) -> None:
    handled = list[MatchEvent]()
    node = with_machine(match, handled.append)
    changes = node.changes()
    old, newest = (Change(one[2], one[3]) for one in (match.states[0], match.states[3]))
    progress = node.progress
    node._on_change(evolve(old, taken_back=1))
    assert not progress.is_set()
    for change, table_id in ((old, match.ids[0]), (newest, match.ids[3])):
        progress = node.progress
        node._on_change(change)
        assert progress.is_set()
        (entry,) = match.journal.entries(table_id, 3)
        assert handled.pop() == events.Grown(change.after, entry)
    assert await anext(changes) == newest


async def test_a_node_is_restored_once_and_then_begins(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old locks are erased when all tables are restored."""
    forgot, told = list[bytes](), list[tuple[int, int]]()

    async def forget(table: Node) -> None:
        forgot.append(table.table_id)

    monkeypatch.setattr(Node, "forget_locks", forget)
    monkeypatch.setattr("p2p.match.match_node.unless_cancelled", lambda progress: progress)
    node = match.node()
    for _ in range(2):
        await node.restore(lambda *done: told.append(done))
    assert forgot == match.ids[:3]
    assert told == 4 * [(1, 3), (2, 3), (3, 3)]
    assert node.negotiation.mine.number > 1_600_000_000_000  # first the time in milliseconds
    assert not any(map(node.has_accepted, range(4)))


def test_a_member_is_told_of_all_later_tables(match: Match, tmp_path: Path) -> None:
    membership = Membership(match.charters[0], ME, ())
    later = tuple(Continued(signed.encode()) for signed in match.charters[1:])
    assert later_tables(match.journal, membership) == later
    with Journal.open(tmp_path / "other" / "journal") as journal:
        assert later_tables(journal, membership) == ()


async def test_another_machine_with_this_key_is_noticed_at_any_table(match: Match) -> None:
    node = match.restored_node()
    probe = [*node.tables.nodes.values()][1].peers.probe
    assert (node.is_elsewhere, node.contradicted) == (False, False)
    probe.found = True
    assert (node.is_elsewhere, node.contradicted) == (True, False)
    probe.contradicted = True
    assert (node.is_elsewhere, node.contradicted) == (True, True)


@pytest.mark.parametrize(
    ("facts", "over"),
    [
        ("possible", False),
        ("complete possible", True),
        ("left_out possible", True),
        ("exposed possible", False),
        ("exposed", True),
        ("", False),
    ],
)
def test_a_match_is_over_when_it_is_complete_or_cannot_go_on(facts: str, over: bool) -> None:
    fake = SimpleNamespace(
        exposed=FALSE if "exposed" in facts else None,
        going_on=SimpleNamespace(is_possible="possible" in facts),
        state=SimpleNamespace(complete="complete" in facts),
        left_out="left_out" in facts,
    )
    assert MatchView.over.fget(fake) == over  # type: ignore[attr-defined]
    for chooses in (True, False):
        asked = SimpleNamespace(over=over, node=SimpleNamespace(chooses=chooses))
        assert MatchView.chooses.fget(asked) == (chooses and not over)  # type: ignore[attr-defined]


def test_the_seat_of_the_missing_player_with_the_lowest_number_is_given_away_first() -> None:
    for missing, vacant in ((), None), ((3,), 3), ((1, 3, 2), 1):
        fake = SimpleNamespace(missing=frozenset(missing))
        assert MatchView.vacant.fget(fake) == vacant  # type: ignore[attr-defined]


async def test_the_links_of_all_tables_are_closed_and_the_others_hear_who_leaves(
    match: Match,
) -> None:
    node, told = match.node(), list[object]()

    async def leave() -> None:
        told.append("link closed")

    fake = fake_table(leave=leave, say_aside=told.append)
    node.tables.running = dict.fromkeys(match.ids[:2], fake)
    await node.close_links()
    progress = node.progress
    node.leave()
    assert told == [*2 * ["link closed"], *2 * [AsideCode.LEAVING]]
    assert node._stopping
    assert progress.is_set()


async def test_a_list_of_spectators_from_a_stranger_is_ignored(match: Match) -> None:
    node = match.node()
    node.on_talk(bytes(32), Watching((Spectator(bytes(32), "Guest"),)))
    assert not node._gallery._told
