"""The tables of a match at one machine: restored, opened, started, stopped, and given to a bot."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from attrs import define, evolve, field

from engine.sentences import Sentence
from p2p.background_task import beside
from p2p.discovery.address_book import Address
from p2p.discovery.interfaces import LOOPBACK
from p2p.match.match_node import MatchNode
from p2p.match.match_view import MatchView
from p2p.match.tables import Tables
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, keep_addresses, kept_addresses
from p2p.table.asides import AsideCode
from p2p.table.node import Node
from p2p.table.node_updates import no_progress
from p2p.table.record_server import later_tables
from p2p.transport.endpoint import Endpoint
from p2p.transport.spectator_messages import Spectator, Watching
from protocol.charter import SignedCharter
from protocol.errors import Exposed
from protocol.evidence import Statement
from protocol.match import events, tasks
from protocol.match.events import MatchEvent
from protocol.match.messages import Continued
from protocol.match.statements import encode_statement
from protocol.match.tasks import Ready
from protocol.record_file import record_parts
from protocol.signatures import Signer
from protocol.state import State
from protocol.table.tasks import Change
from tests.protocol.continuing import OLGA, concluded, offered, seat_newcomers
from tests.protocol.seeded_table import SeededTable

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")

ME, BRUNO = 0, 1
HERE = "192.0.2.1"


@define
class Match:
    """A match in a journal: three tables of the same players, and a fourth without player 0.

    Of each table but the last, the journal has one entry more than the next table continues.
    """

    journal: Journal
    table: SeededTable = field(factory=SeededTable.sit)
    charters: list[SignedCharter] = field(factory=list)
    states: list[list[State]] = field(factory=list)
    """The states of each table, from its start on."""
    sign: Signer = field(init=False)
    """Player 0's signer."""

    def __attrs_post_init__(self) -> None:
        seeded, signed = self.table, self.table.charter
        self.sign = seeded.signers[ME]
        for me in (ME, ME, ME, None):
            self.charters.append(signed)
            self.journal.create_table(signed.charter.table_id, signed.encode(), me)
            table = [seeded.state]
            for height in (1, 2, 3):
                if height == 3:
                    seeded = evolve(seeded, players=list(seeded.players), entries=[])
                seeded.step()
                self.journal.append(signed.charter.table_id, height, seeded.entries[-1])
                table.append(seeded.state)
            self.states.append(table)
            if me is not None:
                seats = [OLGA] if len(self.states) == 3 else []
                charter = offered(table[2], [ME for _ in seats], seats=seats)
                signed = concluded(seeded, table[2], charter)
                seeded = evolve(self.table, state=table[2])
                seat_newcomers(seeded, signed.encode())
                self.table = seeded

    @property
    def ids(self) -> list[bytes]:
        return [signed.charter.table_id for signed in self.charters]

    def node(self, first: int = 0) -> MatchNode:
        """Return player 0's node, with that table as the first one that it knows of."""
        me: Any = SimpleNamespace(public=self.charters[0].charter.key_of(ME), sign=self.sign)
        membership = Membership(self.charters[first], ME, ())
        return MatchNode(Endpoint(me), self.journal, membership)


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    with Journal.open(tmp_path / "home" / "journal") as journal:
        yield Match(journal)


async def test_all_tables_of_a_match_are_restored(match: Match) -> None:
    key = match.charters[0].charter.key_of(BRUNO)
    own = match.charters[0].charter.key_of(ME)
    for number, table_id in enumerate(match.ids[:3]):
        host = f"192.0.2.{number}"
        keep_addresses(match.journal, table_id, (Address(own, host, 7), Address(key, host, 7)))
    second = match.charters[1].charter
    signed = Statement(second, ME, second.sign(match.sign))
    match.journal.keep_statement(match.ids[0], 1, encode_statement(signed))
    node = match.node()
    node._restore(no_progress)
    tables = node.tables
    assert [*tables.nodes] == [*tables.history.machines] == match.ids[:3]
    assert [*tables.history.records] == match.ids
    assert [record.height for record in tables.history.records.values()] == [3, 3, 3, 3]
    assert [table._before for table in tables.nodes.values()] == [
        (),
        (match.ids[0],),
        (match.ids[0], match.ids[1]),
    ]
    assert tables.node is None
    assert node.left_out
    assert {address.key for address in tables.match.book} == {key}
    assert len(tables.match.book.of(key)) == 3
    assert signed in node.machine.statements.all()
    steps = []
    for number, states in enumerate(match.states):
        end = 2 if number < 3 else 3
        steps += [Change(states[height], states[height + 1]) for height in range(end)]
        if number < 3:
            steps.append(Change(states[2], match.states[number + 1][0], 1))
    assert node.past == tuple(steps)


async def test_the_record_file_of_a_match_exposes_each_key_once(match: Match) -> None:
    """Show evidence beside the tables after their entries, and nothing twice."""
    node = match.node()
    node._restore(no_progress)
    history, entries = node.tables.history, [match.journal.entries(one) for one in match.ids]
    first, second, *_, last = history.records.values()
    for record, entry, key in ((first, entries[1][0], b"a"), (second, entries[2][0], b"a")):
        record.expose(Exposed(BRUNO, "R11", Sentence("They lied."), (entry,), key))
    last.expose(Exposed(BRUNO, "R11", Sentence("They lied."), (entries[0][2],), b"b"))
    shown = [
        [*entries[0][:2], entries[1][0]],
        list(entries[1][:2]),
        list(entries[2][:2]),
        [*entries[3], entries[0][2]],
    ]
    tables = list(zip(match.charters, shown, strict=True))
    assert [*history.file_parts()] == [*record_parts(tables)]
    shown[3].append(b"more")
    extra = {b"a": b"known", b"b": b"known", b"c": b"more"}
    assert [*history.file_parts(extra)] == [*record_parts(tables)]


async def test_tables_whose_beginning_is_lost_wait_for_it(match: Match) -> None:
    match.journal.forget_entries(match.ids[1], 2)
    node = match.node()
    node._restore(no_progress)
    assert [*node.tables.history.records] == match.ids[:2]
    assert node.tables.history.early == dict(zip(match.ids[2:], match.charters[2:], strict=True))


async def test_a_continuation_is_opened_with_or_without_a_seat(
    match: Match, tmp_path: Path
) -> None:
    """Keep the addresses, and restore entries that have come before."""
    node = match.node()
    tables, first = node.tables, match.charters[0].charter
    tables.match.book.learn(Address(first.key_of(BRUNO), HERE, 7), seen=True)
    with Journal.open(tmp_path / "other" / "journal") as journal:
        for number in (0, 1):
            journal.create_table(match.ids[number], match.charters[number].encode(), ME)
        journal.append(match.ids[1], 1, match.journal.entries(match.ids[1])[0])
        tables.match = evolve(tables.match, journal=journal)
        for number in (1, 3):
            signed, start = match.charters[number], match.states[number][0]
            record = await tables.open(signed, start)
            assert (record.start, record.membership.charter) == (start, signed)
            seat, height = (ME, 1) if number == 1 else (-1, 0)
            assert (record.me, record.height) == (seat, height)
        assert [table.me for table in journal.tables()] == [ME, ME, None]
    opened = tables.nodes[match.ids[1]]
    assert [*tables.nodes] == match.ids[:2]
    assert opened.membership == Membership(
        match.charters[1], ME, (Address(first.key_of(BRUNO), HERE, 7),)
    )


async def test_only_the_newest_tables_node_keeps_running(match: Match) -> None:
    told = list[tuple[str, int]]()

    def fake(number: int) -> Any:
        async def run(*, task_status: trio.TaskStatus[None]) -> None:
            told.append(("runs", number))
            task_status.started()

        return SimpleNamespace(run=run, stop=lambda: told.append(("stops", number)), machine=number)

    history: Any = SimpleNamespace(running={}, newest=SimpleNamespace(table_id=match.ids[0]))
    nothing: Any = None
    tables = Tables(nothing, match.ids[0], history)
    tables.nodes = {table_id: fake(number) for number, table_id in enumerate(match.ids[:2])}
    await tables.start(match.ids[1])  # starts nothing yet
    async with trio.open_nursery() as nursery:
        await tables.run(nursery)
        tables.stop_old()
        assert told == [("runs", 0)]
        assert history.running == {match.ids[0]: 0}
        await tables.start(match.ids[1])
        await tables.start(match.ids[3])  # no seat there
        assert history.running == {match.ids[0]: 0, match.ids[1]: 1}
        history.newest.table_id = match.ids[1]
        tables.stop_old()
        assert told == [("runs", 0), ("runs", 1), ("stops", 0)]
        assert history.running == {match.ids[1]: 1}
        assert [*tables.running] == [match.ids[1]]
        tables.end()
        await tables.start(match.ids[0])
    assert told == [("runs", 0), ("runs", 1), ("stops", 0)]


async def test_a_bot_is_given_the_match_up_to_its_seat(match: Match, tmp_path: Path) -> None:
    node = match.node()
    node._restore(no_progress)
    node.endpoint.port = 9
    key = match.charters[0].charter.key_of(BRUNO)
    node.tables.match.book.learn(Address(key, HERE, 7), seen=True)
    with Journal.open(tmp_path / "bot" / "journal") as journal:
        membership = node.introduce(OLGA.member.key, journal, 5)
        bot = Address(OLGA.member.key, LOOPBACK, 5)
        places = (Address(node.key, LOOPBACK, 9), Address(key, HERE, 7), bot)
        assert membership == Membership(match.charters[3], ME, places)
        assert kept_addresses(journal, match.ids[3]) == places
        kept = [(table.charter, table.me) for table in journal.tables()]
        mine = [None, None, None, ME]
        assert kept == [(one.encode(), me) for one, me in zip(match.charters, mine, strict=True)]
        counted = [match.journal.entries(table_id, 1, 2) for table_id in match.ids[:3]]
        assert [journal.entries(table_id) for table_id in match.ids] == [*counted, ()]
    assert node.tables.match.book.of(OLGA.member.key) == ((LOOPBACK, 5),)


# -- What the node of the match does for its machine

FALSE = Exposed(BRUNO, "R8", Sentence("They lied."), (b"false", b"more"))
EXPOSE = tasks.Expose(FALSE, bytes(32), stops=False)


def with_machine(
    match: Match, handle: Callable[[MatchEvent], Ready | None]
) -> tuple[MatchNode, list[str]]:
    """Return a node with a fake machine; its running table writes to the list when it talks."""
    node, talked = match.node(), list[str]()
    node.machine = cast(Any, SimpleNamespace(handle=lambda event, _now: handle(event) or Ready()))
    table: Any = SimpleNamespace(show_talk=lambda: talked.append("talks"), advancing=trio.Lock())
    node.tables.running = {match.ids[0]: table}
    return node, talked


@pytest.mark.parametrize(
    ("ready", "talks", "wakes"),
    [
        (Ready(), False, False),
        (Ready(is_due=True, is_news=True), False, False),
        (Ready(has_spoken=True), True, True),
        (Ready(persist=[EXPOSE]), False, True),
    ],
)
async def test_members_are_told_and_tasks_wake_up(
    match: Match, ready: Ready, talks: bool, wakes: bool
) -> None:
    node, talked = with_machine(match, lambda _event: ready)
    progress = node.progress
    assert node._handle(events.Ticked()) is ready
    assert node._tasks == ready.persist
    assert (talked, progress.is_set()) == (["talks"] * talks, wakes)


async def test_the_client_hears_that_the_match_goes_on_at_another_table(match: Match) -> None:
    node = match.node()
    node._restore(no_progress)
    ready = Ready(before=match.states[2][3])
    node.machine = cast(Any, SimpleNamespace(handle=lambda _event, _now: ready))
    changes = node.changes()
    node._handle(events.Ticked())
    heard = await anext(changes)
    assert heard == Change(match.states[2][3], match.states[3][0], 1)


async def test_each_task_is_carried_out_before_what_follows_from_it(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    node, _ = with_machine(match, noted)
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
    """Carry out tasks, sign while no running table can write, and then stop the older tables."""
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

    node, _ = with_machine(match, handle)
    old: Any = SimpleNamespace(advancing=trio.Lock(), stop=lambda: note("stopped"))
    node.tables.running[match.ids[1]] = node.tables.history.running[match.ids[1]] = old
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
    assert [*node.tables.running] == match.ids[:1]


async def test_an_entry_of_any_table_is_noted_and_one_of_the_newest_is_shown(match: Match) -> None:
    handled = list[MatchEvent]()
    node = match.node()
    node._restore(no_progress)

    def handle(event: MatchEvent, _now: float) -> Ready:
        handled.append(event)
        return Ready()

    node.machine = cast(Any, SimpleNamespace(handle=handle))
    changes = node.changes()
    old, newest = (Change(one[2], one[3]) for one in (match.states[0], match.states[3]))
    progress = node.progress
    node._on_change(evolve(old, taken_back=1))
    assert not progress.is_set()
    for change in (old, newest):
        progress = node.progress
        node._on_change(change)
        assert progress.is_set()
    entries = [match.journal.entries(match.ids[number], 3)[0] for number in (0, 3)]
    assert handled == [
        events.Grown(change.after, entry)
        for change, entry in zip((old, newest), entries, strict=True)
    ]
    assert await anext(changes) == newest


async def test_a_node_is_restored_once_and_then_begins(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Erase old locks when all tables are restored."""
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
    assert node.negotiation.mine.number > 1_600_000_000_000
    assert not any(map(node.has_accepted, range(4)))


def test_a_member_is_told_of_all_later_tables(match: Match, tmp_path: Path) -> None:
    membership = Membership(match.charters[0], ME, ())
    later = tuple(Continued(signed.encode()) for signed in match.charters[1:])
    assert later_tables(match.journal, membership) == later
    with Journal.open(tmp_path / "other" / "journal") as journal:
        assert later_tables(journal, membership) == ()


@pytest.mark.parametrize("number", range(3))
async def test_another_machine_with_this_key_is_noticed_at_any_table(
    match: Match, number: int
) -> None:
    node = match.node()
    node._restore(no_progress)
    probe = [*node.tables.nodes.values()][number].peers.probe
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


async def test_the_links_of_all_tables_are_closed_and_the_others_are_told_to_leave(
    match: Match,
) -> None:
    node, told = match.node(), list[object]()

    async def leave(number: int) -> None:
        await trio.lowlevel.checkpoint()
        told.append(number)

    fakes: Any = [
        SimpleNamespace(leave=partial(leave, number), say_aside=told.append) for number in (1, 2)
    ]
    node.tables.running = dict(zip(match.ids, fakes, strict=False))
    await node.close_links()
    assert told == [1, 2]
    progress = node.progress
    node.leave()
    assert told[2:] == 2 * [AsideCode.LEAVING]
    assert node._stopping
    assert progress.is_set()


async def test_only_members_tell_who_watches_at_their_nodes(match: Match) -> None:
    node = match.node()
    assert not node.on_talk(bytes(32), Watching((Spectator(bytes(32), "Guest"),)))
    assert not node._gallery._told
