"""The server of finished records: limits on links and reads, and the parts that callers get."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from p2p.match.match_node import MatchNode
from p2p.refusals import Reason
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table import record_server
from p2p.table.record_server import RecordServer, served_chain
from p2p.transport.endpoint import Caller, Declined, Endpoint, hear
from p2p.transport.messages import Hello
from protocol.entries import Entry
from protocol.record_file import PartKind, kind_of
from protocol.table.digest_chain import Chain
from tests.p2p.machines import Machines, failure_of
from tests.p2p.memory_network import memory_link_pair
from tests.p2p.table.conftest import FILE, LENGTH
from tests.p2p.table.vector_records import entries, signed_charter, states
from tests.spec.run_verifier import vectors

pytestmark = pytest.mark.usefixtures("autojump_clock")


class _Somebody:
    """A fake caller, who is also the link and the member, with the fields that the server reads."""

    def __init__(self, key: bytes, address: str = "10.0.0.9") -> None:
        self.peer = self.key = key
        self.address = address
        self.link = self


class _Served:
    """A fake mesh that stands for its own chain, membership and charter.

    `serve_alone` keeps the link until it is cancelled; `serve` notes a caller who is refused.
    """

    def __init__(self, *keys: bytes) -> None:
        self.chain = self.membership = self.charter = self
        self.members = [_Somebody(key) for key in keys]
        self.here = self.most = 0
        self.sent_away: list[bytes] = []

    def player_of(self, key: bytes) -> int | None:
        return next((n for n, member in enumerate(self.members) if member.key == key), None)

    async def serve(self, caller: _Somebody) -> None:
        self.sent_away.append(caller.key)

    async def serve_alone(self, _caller: object) -> None:
        self.here += 1
        self.most = max(self.most, self.here)
        try:
            await trio.sleep_forever()
        finally:
            self.here -= 1


def server_for_fakes() -> RecordServer:
    nothing: Any = None
    return RecordServer(nothing, nothing)


async def call(nursery: trio.Nursery, server: RecordServer, table: _Served, key: bytes) -> None:
    nursery.start_soon(server._serve_member, table, _Somebody(key))  # type: ignore[arg-type]
    await wait_all_tasks_blocked()


async def test_a_member_who_calls_a_thousand_times_has_one_link() -> None:
    table, server = _Served(b"bruno", b"carla"), server_for_fakes()
    async with trio.open_nursery() as nursery:
        for key in [*1000 * [b"bruno"], b"carla"]:
            await call(nursery, server, table, key)
        assert (table.here, table.most) == (2, 2)
        nursery.cancel_scope.cancel()


async def test_all_members_of_all_tables_share_a_limit_on_links() -> None:
    """The call of a stranger ends no link of a member."""
    keys = [b"%d" % number for number in range(100)]
    table, server = _Served(*keys), server_for_fakes()
    async with trio.open_nursery() as nursery:
        for key in keys:
            await call(nursery, server, table, key)
        oldest, *_, newest = server._links._scopes
        for key in (newest, b"eve"):
            assert table.here == record_server.MOST_LINKS
            await call(nursery, server, table, key)
        assert table.here == record_server.MOST_LINKS
        assert next(iter(server._links._scopes)) == oldest
        assert table.sent_away == [b"eve"]
        nursery.cancel_scope.cancel()
    assert not server._links._scopes


@pytest.mark.usefixtures("on_memory")
async def test_a_member_who_calls_without_end_causes_few_reads_of_the_journal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Calls over the limit are ignored: a refusal would tell the caller that the table is gone.

    Calls are counted by key for members, and by address for everybody else.
    """
    table, server, read = _Served(b"bruno", b"carla"), server_for_fakes(), list[object]()

    def noted(_server: object, membership: object) -> object:
        read.append(membership)
        return table

    monkeypatch.setattr(RecordServer, "_find", lambda _server, _caller: table)
    monkeypatch.setattr(RecordServer, "_mesh", noted)
    async with trio.open_nursery() as nursery:

        async def reads(*keys: bytes, address: str = "10.0.0.9") -> int:
            """Return how often the record is read for one call from each of these keys."""
            before = len(read)
            for key in keys:
                nursery.start_soon(server.serve, _Somebody(key, address))  # type: ignore[arg-type]
            await trio.sleep(0.01)
            return len(read) - before

        most = record_server.MOST_CALLS
        assert await reads(*[b"bruno"] * 100) == most
        assert await reads(*[b"%d" % number for number in range(100)]) == most
        assert await reads(b"eve", address="10.0.0.8") == 1
        assert await reads(b"carla") == 1, "the strangers at the address have used up Carla's calls"
        await trio.sleep(2)
        assert await reads(b"bruno", b"mallory") == 2
        nursery.cancel_scope.cancel()


@pytest.mark.usefixtures("on_memory", "without_proofs")
async def test_a_game_goes_on_without_free_file_descriptors(tmp_path: Path) -> None:
    """A deal and some turns need no new files."""
    resource = pytest.importorskip("resource", reason="only POSIX has limits on open files")
    machines = Machines.make(2, tmp_path)
    await machines.sit_down("canasta", rounds=1)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    begun: list[int] = []

    async def use_up(node: MatchNode) -> None:
        begun.append(node.height)
        if len(begun) == len(machines.all):  # all journals are open
            resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))

    for machine in machines.all:
        machine.steward = use_up
    try:
        await machines.play(until=60, within=600)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert len(begun) == 2
    assert max(begun) < 20
    assert not any(machine.deaths for machine in machines.all)
    machines.check_consistent()


# -- The parts of a finished record that each kind of caller gets

TABLE_ID = signed_charter(FILE).charter.table_id


def served(journal: Journal) -> Chain:
    return served_chain(journal, Membership(signed_charter(FILE), 0, ()))


def test_a_record_is_served_to_its_end(journal: Journal) -> None:
    """The record is read in portions of 100 parts."""
    chain = served(journal)
    assert chain.height == LENGTH
    assert chain.heads == [state.head for state in states(FILE)[: LENGTH + 1]]


def test_pairs_of_signatures_are_not_served_and_unreadable_bytes_come_at_the_next_height(
    journal: Journal,
) -> None:
    """Signed bytes that are no entry expose their signer at any height.

    A member could judge a pair of signatures only as a false entry, and would end the link.
    """
    added = (part for one in vectors("continuations.json")["records"] for part in one["added"])
    pair = next(p for p in map(bytes.fromhex, added) if kind_of(p) is PartKind.EVIDENCE)
    nonsense = Entry.sign(b"nonsense", lambda _label, _message: bytes(64)).encode()
    for part in (pair, nonsense, entries(FILE)[2]):
        journal.keep_evidence(TABLE_ID, "They lied.", part)
    assert served(journal).evidence == ((LENGTH + 1, nonsense), (3, entries(FILE)[2]))


@pytest.mark.usefixtures("on_memory")
@pytest.mark.parametrize("what", ["another table", "a stranger", "a damaged charter"])
async def test_an_unknown_or_unreadable_table_is_refused(journal: Journal, what: str) -> None:
    if what == "a damaged charter":
        journal.replace_charter(TABLE_ID, bytes(100))
    table_id = bytes(32) if what == "another table" else TABLE_ID
    ana, eve = Identity.generate(), Identity.generate()
    async with memory_link_pair(eve, ana) as (theirs, ours):
        await RecordServer(Endpoint(ana), journal).serve(Caller(ours, Hello(table_id, 7)))
        error = await failure_of(hear(theirs))
    assert isinstance(error, Declined)
    assert error.reason == Reason.NO_TABLE


def test_a_table_is_found_among_others(journal: Journal) -> None:
    journal.create_table(bytes(32), b"another charter", 0)
    server = RecordServer(Endpoint(Identity.generate()), journal)
    caller: Any = SimpleNamespace(hello=Hello(TABLE_ID, 7))
    found = server._find(caller)
    assert found is not None
    assert found.table_id == TABLE_ID
