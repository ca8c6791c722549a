"""Calls to members: when a node calls, at which addresses, and after a failure of the network."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import define, field

from client.bots.runner import before_draws
from p2p.background_task import beside
from p2p.discovery.address_book import Address, AddressBook
from p2p.table.calls import QUIET_SECONDS, Calls, MemberLink
from p2p.transport.frames import LinkClosed
from p2p.transport.link import Link
from tests.p2p.machines import Machines
from tests.p2p.match.watchers import at_rest, node_at
from tests.p2p.table.in_memory_mesh import BRUNO, Table

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


async def seated(folder: Path, count: int) -> Machines:
    """Seat machines at a table where each player takes a second for a turn."""
    machines = Machines.make(count, folder)
    for machine in machines.all:
        machine.pause = before_draws(1.0)
    await machines.sit_down("canasta")
    return machines


async def test_a_member_whose_link_has_become_silent_is_called_again(tmp_path: Path) -> None:
    """All that is sent on the old connections is lost. TCP would report this only much later."""
    machines = await seated(tmp_path, 3)
    async with beside(machines.play):
        for machine in machines.all:
            await node_at(machine, 24)
        machines.network.fill()
        lost = trio.current_time()
        for machine in machines.all:
            await node_at(machine, machine.height + 4)
        assert trio.current_time() - lost < QUIET_SECONDS + 5
    machines.check_consistent()


async def test_a_program_that_only_serves_the_record_is_called_once(tmp_path: Path) -> None:
    """Bruno's program runs without a node at the table."""
    machines = await seated(tmp_path, 2)
    ana, bruno = machines.all
    async with bruno.process(), beside(ana.play):
        node = await node_at(ana, 0)
        while node.unreached:
            await trio.sleep(0.1)
        connected = len(machines.network.wires)
        await trio.sleep(120)
        assert len(machines.network.wires) == connected


async def test_all_are_linked_again_seconds_after_the_cable_is_plugged_in(tmp_path: Path) -> None:
    machines = await seated(tmp_path, 3)
    addresses = [machine.address for machine in machines.all]
    async with at_rest(machines) as nodes:
        machines.network.part(*addresses)
        await trio.sleep(300)
        assert all(len(node.unreached) == 2 for node in nodes)
        awaited = [node.awaited for node in nodes]  # a node counts as linked to itself
        due = awaited[0].player if awaited[0] is not None else None
        assert [one and one.linked for one in awaited] == [node.me == due for node in nodes]
        machines.network.heal()
        healed = trio.current_time()
        while any(node.unreached for node in nodes):
            await trio.sleep(0.1)
        assert trio.current_time() - healed < 5
        assert all(node.awaited is not None and node.awaited.linked for node in nodes)


# -- When a member is called, and at which addresses

BRUNOS = 1
PORT = 7
HERE, THERE, ELSEWHERE = "10.1.0.1", "10.1.0.2", "10.1.0.3"


@define
class Called:
    """A node that calls Bruno, whom it knows at `hosts`.

    `rings` are the times and hosts of its calls. Bruno answers at the hosts in `answer`, and keeps
    the link for `seconds`. `on_ring` is called at each call.
    """

    me: int
    hosts: list[str] = field(factory=lambda: [HERE])
    answer: set[str] = field(factory=set)
    seconds: float = 0.0
    on_ring: Callable[[], object] = lambda: None
    rings: list[tuple[float, str]] = field(factory=list)
    attended: list[int] = field(factory=list)
    links: dict[int, MemberLink] = field(factory=dict)
    book: AddressBook = field(factory=AddressBook)
    calls: Calls = field(init=False)

    def __attrs_post_init__(self) -> None:
        for host in reversed(self.hosts):
            self.book.learn(Address(BRUNO.public, host, PORT), seen=True)
        endpoint: Any = SimpleNamespace(dial=self.dial)
        self.calls = Calls(endpoint, Table().mesh.chain, self.me, self.book, self.links)

    @asynccontextmanager
    async def dial(
        self, host: str, port: int, table_id: bytes, *, expect: bytes
    ) -> AsyncIterator[Link]:
        assert (port, table_id, expect) == (PORT, bytes(32), BRUNO.public)
        self.rings.append((trio.current_time(), host))
        self.on_ring()
        await trio.sleep(0)
        if host not in self.answer:
            raise LinkClosed("nobody is there")
        link: Any = SimpleNamespace(address=host)
        yield link

    async def attend(self, _link: Link, player: int) -> None:
        self.attended.append(player)
        await trio.sleep(self.seconds)

    def has_link(self) -> MemberLink:
        connection: Any = None
        link = self.links[BRUNOS] = MemberLink(connection, BRUNOS, 0)
        return link

    @property
    def times(self) -> list[float]:
        return [round(at, 3) for at, _ in self.rings]


async def calling(called: Called, seconds: float, *tasks: Callable[[], Awaitable[object]]) -> None:
    """Call Bruno again and again for so many seconds, while these tasks run."""
    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(called.calls.reach, BRUNOS, called.attend)
            for task in tasks:
                nursery.start_soon(task)


async def test_a_member_who_does_not_answer_is_called_less_and_less_often() -> None:
    """The member with the higher number calls before the other."""
    for me, times in (2, [0.1, 0.6, 1.6, 3.6, 5.6, 7.6, 9.6, 11.6]), (0, [2.1, 4.6, 7.6, 11.6]):
        called, began = Called(me), trio.current_time()
        await calling(called, 12)
        assert [round(time - began, 3) for time, _ in called.rings] == times


async def test_a_linked_member_is_called_only_after_they_have_gone() -> None:
    called = Called(me=2)
    link = called.has_link()

    async def go() -> None:
        await trio.sleep(60)
        assert called.rings == []
        del called.links[BRUNOS]
        link.gone.set()

    await calling(called, 60.5, go)
    assert called.times == [60.1]


async def test_a_member_who_answered_is_called_again_at_once_when_the_link_ends() -> None:
    called = Called(me=2, seconds=5)

    async def answer() -> None:
        await trio.sleep(3)
        called.answer.add(HERE)

    await calling(called, 9.3, answer)
    assert called.times == [0.1, 0.6, 1.6, 3.6, 8.7]


async def test_a_member_is_called_at_one_address_after_the_other() -> None:
    """The first one is the address at which the member answered last time."""
    called = Called(me=2, answer={THERE}, hosts=[HERE, THERE])
    assert await called.calls._call(BRUNOS, called.attend)
    assert called.attended == [BRUNOS]
    assert called.book.of(BRUNO.public) == ((THERE, PORT), (HERE, PORT))
    called.answer.clear()
    assert not await called.calls._call(BRUNOS, called.attend)
    assert [host for _, host in called.rings] == [HERE, THERE, THERE, HERE]


async def test_a_member_who_has_linked_meanwhile_is_called_at_no_other_address() -> None:
    called = Called(me=2, hosts=[HERE, THERE, ELSEWHERE])
    called.on_ring = called.has_link
    assert not await called.calls._call(BRUNOS, called.attend)
    assert [host for _, host in called.rings] == [HERE]
    await trio.sleep(QUIET_SECONDS)
    called.on_ring = lambda: None
    await called.calls._call(BRUNOS, called.attend)  # a silent link counts as none
    assert [host for _, host in called.rings[1:]] == [HERE, THERE, ELSEWHERE]


async def test_nobody_is_called_any_more_when_the_node_has_left() -> None:
    called = Called(me=2)
    called.calls.over = True
    assert not await called.calls._call(BRUNOS, called.attend)
    assert called.rings == []


async def test_a_quiet_member_is_called_once_a_second_until_they_are_heard() -> None:
    later, earlier = Called(me=2), Called(me=0)
    links = [called.has_link() for called in (later, earlier)]
    with trio.move_on_after(30):
        async with trio.open_nursery() as nursery:
            for called in (later, earlier):
                nursery.start_soon(called.calls.renew, called.attend)
            await trio.sleep(10.5)
            for link in links:
                link.heard_at = trio.current_time()
            await trio.sleep(10)  # and they are quiet again
            for called in (later, earlier):
                called.has_link()  # a second link, which is not silent
                called.rings.append((trio.current_time(), "a new link"))
    assert later.times == [7, 8, 9, 10, 18, 19, 20, 20.5, 28, 29]
    assert earlier.times == [9, 20, 20.5]
