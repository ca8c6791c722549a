"""Members fetch the record of a table that is over, but cannot exhaust links, reads or files."""

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2p.match.match_node import MatchNode
from p2p.table import record_server
from p2p.table.record_server import RecordServer
from tests.p2p.machines import Machines


class _Somebody:
    """A caller, link and member in one, with only the fields that the record server reads."""

    def __init__(self, key: bytes, address: str = "10.0.0.9") -> None:
        self.peer = self.key = key
        self.address = address
        self.link = self


class _Served:
    """The mesh of a served table and its charter in one; the mesh keeps links until cancelled."""

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


async def call(nursery: trio.Nursery, server: RecordServer, table: _Served, key: bytes) -> None:
    nursery.start_soon(server._serve_member, table, _Somebody(key))  # type: ignore[arg-type]
    await wait_all_tasks_blocked()


async def test_a_member_who_calls_a_thousand_times_has_one_link() -> None:
    table = _Served(b"bruno", b"carla")
    server = RecordServer(None, None)  # type: ignore[arg-type]
    async with trio.open_nursery() as nursery:
        for _time in range(1000):
            await call(nursery, server, table, b"bruno")
        await call(nursery, server, table, b"carla")
        assert (table.here, table.most) == (2, 2)
        nursery.cancel_scope.cancel()


async def test_all_members_of_all_tables_have_few_links() -> None:
    keys = [b"%d" % number for number in range(100)]
    table = _Served(*keys)
    server = RecordServer(None, None)  # type: ignore[arg-type]
    async with trio.open_nursery() as nursery:
        for key in keys:
            await call(nursery, server, table, key)
        assert table.here == record_server.MOST_LINKS
        oldest, *_, newest = server._links._scopes
        await call(nursery, server, table, newest)
        assert table.here == record_server.MOST_LINKS
        assert next(iter(server._links._scopes)) == oldest
        nursery.cancel_scope.cancel()
    assert not server._links._scopes


async def test_who_is_no_member_takes_nobodys_link() -> None:
    keys = [b"%d" % number for number in range(record_server.MOST_LINKS)]
    table = _Served(*keys)
    server = RecordServer(None, None)  # type: ignore[arg-type]
    async with trio.open_nursery() as nursery:
        for key in (*keys, b"eve"):
            await call(nursery, server, table, key)
        assert table.here == record_server.MOST_LINKS
        assert table.sent_away == [b"eve"]
        nursery.cancel_scope.cancel()


@pytest.mark.usefixtures("on_memory")
async def test_who_calls_again_and_again_has_no_record_read_for_it(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """The caller gets no refusal either, because it would say to them that the table is gone.

    Calls are counted by key for members, and by address for everybody else.
    """
    table = _Served(b"bruno", b"carla")
    read: list[object] = []

    def noted(_server: object, membership: object) -> object:
        read.append(membership)
        return table

    monkeypatch.setattr(RecordServer, "_find", lambda _server, _caller: table)
    monkeypatch.setattr(RecordServer, "_mesh", noted)
    server = RecordServer(None, None)  # type: ignore[arg-type]
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
        assert await reads(b"carla") == 1, "at the address of the strangers"
        await trio.sleep(2)
        assert await reads(b"bruno", b"mallory") == 2
        nursery.cancel_scope.cancel()


@pytest.mark.usefixtures("on_memory", "without_proofs")
async def test_a_game_goes_on_when_others_have_used_up_the_files_of_the_system(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """No file can be opened once all journals are open; a deal and some turns do not need any."""
    resource = pytest.importorskip("resource", reason="POSIX's")
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
