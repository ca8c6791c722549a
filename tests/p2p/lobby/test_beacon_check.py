"""An announced table: calling it, and sitting down at this table and no other."""

import os
from pathlib import Path

import pytest
import trio

from p2p.discovery.beacon import Beacon, BeaconAnswer
from p2p.lobby.beacon_check import beacon_checker
from p2p.lobby.guest import Guest, NotAnnounced, join
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, kept_addresses
from p2p.transport.endpoint import LOBBY, Caller, hear, say
from p2p.transport.lobby_messages import Announced, Ready
from tests.p2p.lobby.lobbies import hosting
from tests.p2p.machines import PORT, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")

ANNOUNCER, OTHER = Identity.generate(), Identity.generate()


async def waits(caller: Caller) -> None:
    await hear(caller.link)


async def says_something_else(caller: Caller) -> None:
    await say(caller.link, Ready(True))
    await hear(caller.link)


async def test_a_call_finds_whose_table_it_is(tmp_path: Path) -> None:
    """The owner is found even if nobody, or another node, answers at the first addresses."""
    ana, bruno, eve = Machines.make(3, tmp_path).all

    async def open_stream(host: str, port: int) -> trio.abc.Stream:
        if host == slow:
            await trio.sleep(5)  # Eve, who is next in line, answers first
        return await bruno.open_stream(host, port)

    slow = ""
    call = beacon_checker(open_stream, near=lambda _host: True)
    ports: set[int] = set()

    async def asked(caller: Caller) -> None:
        ports.add(caller.port)
        await waits(caller)

    async with ana.process() as (endpoint, _), eve.process() as (another, _):
        endpoint.announced = Announced.make(ana.identity.public, ANNOUNCER.sign)
        # Eve can repeat Ana's announcement, but it is about Ana's key and does not help.
        another.announced = endpoint.announced
        with endpoint.route(LOBBY, asked), another.route(LOBBY, asked):
            for hosts in ((ana.address,), ("10.9.9.9", ana.address), (eve.address, ana.address)):
                beacon = Beacon(ANNOUNCER.public, hosts, PORT, "Kitchen")
                assert await call(beacon) == BeaconAnswer(ana.identity.public, ana.address)
            slow = ana.address
            beacon = Beacon(ANNOUNCER.public, (ana.address, eve.address), PORT, "Kitchen")
            assert await call(beacon) == BeaconAnswer(ana.identity.public, ana.address)
            for key, host in ((OTHER.public, ana.address), (ANNOUNCER.public, eve.address)):
                assert await call(Beacon(key, (host,), PORT, "Kitchen")) is None
        endpoint.announced = None
        with endpoint.route(LOBBY, says_something_else):
            assert await call(Beacon(ANNOUNCER.public, (ana.address,), PORT, "Kitchen")) is None
        assert await call(Beacon(ANNOUNCER.public, ("10.9.9.9",), PORT, "Kitchen")) is None
    assert ports == {0}  # the caller has no port at which it listens


async def test_a_beacon_makes_nobody_call_an_address_outside_their_networks() -> None:
    """Otherwise anybody could make all nodes call any address."""
    called: list[str] = []

    async def open_stream(host: str, _port: int) -> trio.abc.Stream:
        await trio.lowlevel.checkpoint()
        called.append(host)
        raise OSError("no route to host")

    call = beacon_checker(open_stream, near=lambda host: host.startswith("10."))
    for hosts in (("203.0.113.1",), ("203.0.113.1", "10.0.0.7", "2001:db8::1")):
        assert await call(Beacon(ANNOUNCER.public, hosts, PORT, "Kitchen")) is None
    assert set(called) == {"10.0.0.7"}
    call = beacon_checker(open_stream)  # by default, the networks of this machine are near
    assert await call(Beacon(ANNOUNCER.public, ("203.0.113.1",), PORT, "Kitchen")) is None
    assert set(called) == {"10.0.0.7"}


async def test_a_guest_sits_down_only_at_the_table_that_they_looked_for(tmp_path: Path) -> None:
    ana, bruno = Machines.make(2, tmp_path).all
    async with ana.process() as (endpoint, _), bruno.process() as (visitor, journal):
        endpoint.announced = Announced.make(ana.identity.public, ANNOUNCER.sign)
        guest = Guest(visitor, journal, "Bruno", bytes)
        with endpoint.route(LOBBY, waits):
            sit = guest.sit_down(ana.address, PORT, announced_by=OTHER.public)
            assert isinstance(await failure_of(sit), NotAnnounced)

        endpoint.announced = None
        with endpoint.route(LOBBY, says_something_else):
            sit = guest.sit_down(ana.address, PORT, announced_by=ANNOUNCER.public)
            assert isinstance(await failure_of(sit), NotAnnounced)


# -- The addresses of guests, as the host tells them


async def test_the_address_of_a_guest_who_listens_nowhere_is_left_out(tmp_path: Path) -> None:
    """An address without a port would make the host's message invalid.

    The other guests would leave because of the message, and the host could not read its journal.
    """
    host, guest, nowhere = Machines.make(3, tmp_path).all
    sat: list[Membership] = []

    async def sit_nowhere() -> None:
        async with nowhere.process() as (endpoint, journal):
            endpoint.port = 0
            sat.append(await join(endpoint, journal, host.address, PORT, "Zoe", os.urandom))

    async with hosting(host, 3) as memberships, trio.open_nursery() as nursery:
        nursery.start_soon(sit_nowhere)
        sat.append(await guest.sit_down(host.address, "canasta", 3))
        while len(sat) + len(memberships) < 3:
            await trio.sleep(1)
    assert {one.table_id for one in (*sat, *memberships)} == {sat[0].table_id}
    for machine in (host, guest):
        with Journal.open(machine.home / JOURNAL_FILE) as journal:
            (record,) = journal.tables()
            found = {address.key for address in kept_addresses(journal, record.table_id)}
            assert nowhere.key not in found
            assert found
