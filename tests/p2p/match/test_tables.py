"""The tables of a match at one machine: restored, opened, started, stopped, and given to a bot."""

from itertools import pairwise, starmap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import evolve

from engine.sentences import Sentence
from p2p.discovery.address_book import Address
from p2p.discovery.interfaces import LOOPBACK
from p2p.match.tables import Tables
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, keep_addresses, kept_addresses
from protocol.errors import Exposed
from protocol.evidence import Statement
from protocol.match.statements import encode_statement
from protocol.record_file import record_parts
from protocol.table.tasks import Change
from tests.p2p.match.kept_match import BRUNO, HERE, ME, Match
from tests.protocol.continuing import OLGA

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


async def test_all_tables_of_a_match_are_restored(match: Match) -> None:
    key = match.charters[0].charter.key_of(BRUNO)
    own = match.charters[0].charter.key_of(ME)
    for number, table_id in enumerate(match.ids[:3]):
        host = f"192.0.2.{number}"
        keep_addresses(match.journal, table_id, (Address(own, host, 7), Address(key, host, 7)))
    second = match.charters[1].charter
    signed = Statement(second, ME, second.sign(match.sign))
    match.journal.keep_statement(match.ids[0], 1, encode_statement(signed))
    node = match.restored_node()
    tables = node.tables
    assert [*tables.nodes] == [*tables.history.machines] == match.ids[:3]
    assert [*tables.history.records] == match.ids
    assert [record.height for record in tables.history.records.values()] == [3, 3, 3, 3]
    before = [table._before for table in tables.nodes.values()]
    assert before == [(), (match.ids[0],), (match.ids[0], match.ids[1])]
    assert tables.node is None
    assert node.left_out
    assert {address.key for address in tables.match.book} == {key}
    assert len(tables.match.book.of(key)) == 3
    assert signed in node.machine.statements.all()
    steps = list[Change]()
    for states, (start, *_) in pairwise(match.states):
        steps += [*starmap(Change, pairwise(states[:3])), Change(states[2], start, 1)]
    assert node.past == (*steps, *starmap(Change, pairwise(match.states[3])))


async def test_a_seat_in_the_journal_counts_if_no_charter_names_the_key(match: Match) -> None:
    node = match.restored_node(bytes(31) + b"9")
    assert [*node.tables.nodes] == match.ids[:3]
    assert [*node.tables.history.records] == match.ids


async def test_the_record_file_of_a_match_exposes_each_key_once(match: Match) -> None:
    """Evidence follows the entries of its table.

    Evidence against a key that is exposed already is left out.
    """
    node = match.restored_node()
    history, entries = node.tables.history, [match.journal.entries(one) for one in match.ids]
    first, second, *_, last = history.records.values()
    for record, entry, key in (
        (first, entries[1][0], b"a"),
        (second, entries[2][0], b"a"),
        (last, entries[0][2], b"b"),
    ):
        record.expose(Exposed(BRUNO, "R11", Sentence("They lied."), (entry,), key))
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
    node = match.restored_node()
    assert [*node.tables.history.records] == match.ids[:2]
    assert node.tables.history.early == dict(zip(match.ids[2:], match.charters[2:], strict=True))


async def test_a_continuation_is_opened_with_or_without_a_seat(
    match: Match, tmp_path: Path
) -> None:
    """`Tables.open` keeps the known addresses.

    It also restores entries that came before the table was opened.
    """
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


async def test_a_bot_is_given_all_tables_up_to_the_one_where_it_has_a_seat(
    match: Match, tmp_path: Path
) -> None:
    node = match.restored_node()
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
