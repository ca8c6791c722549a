"""Machines on a network in memory: real nodes, TLS, frames and journals; no sockets, no waiting.

A machine can be killed at any moment and started again from its journal. After its death it sends
nothing, whatever its tasks still try.
"""

import random
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cache, partial
from itertools import count
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pytest
import trio
from attrs import define, field

from client.bots.runner import Pause, at_once, sit_in
from engine.games import game_named
from engine.moves import Move
from p2p.lobby.client_callbacks import LobbyCallbacks
from p2p.lobby.guest import claim, join
from p2p.lobby.host import Host
from p2p.match.match_node import MatchNode
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, PendingCharter
from p2p.table.record_server import RecordServer
from p2p.transport.endpoint import Endpoint
from p2p.transport.link import Limits, Link
from p2p.transport.lobby_messages import LobbyState, Sign, Terms
from p2p.transport.messages import Agreed, unpack
from protocol.charter import USUAL_GRACE
from protocol.entries import Body, Entry, place_of
from protocol.errors import Malformed
from protocol.match.messages import Signed
from protocol.state import State
from protocol.table.messages import Carry
from tests.conftest import without_threads
from tests.p2p.memory_network import Network, Wire, WireListener
from tests.protocol.seeded_table import NAMES, random_move

PORT = 7

BINDING = (Carry, Signed, Sign, Agreed)
"""The messages that bind their sender; a machine may die when it sends one of them."""

POINTS = ("before a write", "after a write", "before a send", "after a send")
"""The moments at which a machine may die."""


When = Callable[[State], bool]
"""A condition on a record's state."""


@cache
def at(height: int) -> When:
    """Return the condition that the record has at least `height` entries."""
    return lambda state: state.height >= height


class Killed(Exception):
    """The death of a machine, raised in its tasks."""


class _Journal(Journal):
    """A journal that tells its machine before and after each transaction."""

    machine: "Machine | None" = None

    @contextmanager
    def _transaction(self, *, signed: bool = False, synced: bool = True) -> Iterator[Connection]:
        self._point("before a write")
        with super()._transaction(signed=signed, synced=synced) as database:
            yield database
        if synced and self.machine is not None and not self.machine.dead:
            self.machine.has_synced()
        self._point("after a write")

    def close(self) -> None:
        if self.machine is not None and self.machine.dead:
            self._deferred.clear()  # writes that were only in memory are lost
        try:
            super().close()
        except Killed:  # died again while closing: close the files all the same
            self.close()
            raise

    def _point(self, name: str) -> None:
        if self.machine is not None:
            self.machine.point(name)


def network_in_memory(patch: pytest.MonkeyPatch) -> None:
    """Run machines in one thread over wires in memory, until the patch is undone.

    Wires have addresses, links tell their machine about each frame, and a knock costs next to
    nothing.
    """

    def address_of(stream: trio.abc.Stream) -> str:
        return stream.ends[1] if isinstance(stream, Wire) else "elsewhere"

    send, send_nowait = Link.send, Link.send_nowait

    def tell(link: Link, frame: bytes) -> None:
        stream = link._stream
        wire = stream.transport_stream if isinstance(stream, trio.SSLStream) else stream
        if isinstance(wire, Wire) and wire.machine is not None:
            wire.machine.says(frame)

    async def told_send(link: Link, frame: bytes) -> None:
        tell(link, frame)
        await send(link, frame)

    def told_send_nowait(link: Link, frame: bytes) -> None:
        tell(link, frame)
        send_nowait(link, frame)

    without_threads(patch)
    patch.setattr("p2p.lobby.knock_price.BITS", 1)
    patch.setattr("p2p.transport.link.address_of", address_of)
    patch.setattr(Link, "send", told_send)
    patch.setattr(Link, "send_nowait", told_send_nowait)


@define(eq=False)
class Machine:
    """A machine on the network. It dies at a point if `fate(point)` is true.

    Its player chooses moves at random, with `number` as the seed.
    """

    network: Network
    number: int
    home: Path
    address: str = field(init=False)
    identity: Identity = field(init=False)
    dead: bool = False
    fate: Callable[[str], bool] = lambda _point: False
    make_node: Callable[..., MatchNode] = MatchNode
    node: MatchNode | None = None
    said: list[bytes] = field(factory=list)
    deaths: int = 0
    limits: Limits | None = None
    steward: Callable[[MatchNode], Awaitable[None]] | None = None
    pause: Pause = at_once
    disk: Path | None = None
    """The folder for a copy of its files as last synced, for tests that cut the power."""
    _to_send: int = 0

    def __attrs_post_init__(self) -> None:
        self.address = f"10.0.0.{self.number + 1}"
        self.identity = Identity.load_or_create(self.home)

    @property
    def name(self) -> str:
        return dict(enumerate(NAMES)).get(self.number, f"Robot {self.number}")

    @property
    def key(self) -> bytes:
        return self.identity.public

    @property
    def height(self) -> int:
        """The height of its node's record."""
        return 0 if self.node is None else self.node.height

    def point(self, name: str) -> None:
        """Die at this point if `fate` says so."""
        if not self.dead and self.fate(name):
            self.dead = True
            raise Killed(name)

    def dies_once(
        self, number: int, when: Callable[["Machine"], bool] = lambda _machine: True
    ) -> list[str]:
        """Let the machine die at point `number`, counting only points at which `when` holds.

        The name of the point is added to the returned list when the machine dies.
        """
        numbers = count()
        died: list[str] = []

        def fate(point: str) -> bool:
            if died or not when(self) or next(numbers) != number:
                return False
            died.append(point)
            return True

        self.fate = fate
        return died

    def says(self, frame: bytes) -> None:
        """Note a frame that is about to be queued, and maybe die if it binds the sender."""
        message = unpack(frame)
        if not isinstance(message, BINDING):
            return
        if isinstance(message, Carry):
            self.said.append(message.entry)
        self._to_send += 1
        self.point("before a send")

    def has_sent(self) -> None:
        if self._to_send:
            self._to_send = 0
            self.point("after a send")

    def has_synced(self) -> None:
        """Note that everything written so far has been synced: copy the files for `cut_power`."""
        if self.disk is not None:
            shutil.rmtree(self.disk, ignore_errors=True)
            shutil.copytree(self.home, self.disk)

    def cut_power(self) -> None:
        """Set the files of a machine that is switched off back to their state at the last sync."""
        assert self.disk is not None
        self.deaths += 1
        shutil.rmtree(self.home)
        shutil.copytree(self.disk, self.home)

    async def goes_on(self) -> None:
        """Wait until its node has another entry, but only for a tenth of a second.

        If the machine has died, no entry comes. The clock of the tests stands still while any
        machine is busy, so a slow machine is waited for.
        """
        with trio.move_on_after(0.1):
            await (trio.sleep_forever() if self.node is None else self.node.progress.wait())

    async def open_stream(self, host: str, _port: int) -> trio.abc.Stream:
        """Connect to another machine, as an endpoint does."""
        return await self.network.connect(self, host)

    # -- the machine's process

    @asynccontextmanager
    async def process(self) -> AsyncIterator[tuple[Endpoint, Journal]]:
        """Run the machine from start to exit."""
        self.dead = False
        with _Journal.open(self.home / JOURNAL_FILE) as journal:
            journal.machine = self
            journal._database.execute("PRAGMA synchronous = OFF")  # faster; no power cuts here
            endpoint = Endpoint(self.identity, limits=self.limits, open_stream=self.open_stream)
            endpoint.fallback = RecordServer(endpoint, journal).serve
            async with trio.open_nursery() as nursery:
                await nursery.start(endpoint.serve, [WireListener(self)], PORT)
                try:
                    yield endpoint, journal
                finally:
                    self.network.listeners.pop(self.address, None)
                nursery.cancel_scope.cancel()

    async def sit_down(
        self,
        host: str,
        game: str,
        seats: int,
        company: LobbyCallbacks | None = None,
        grace: int = USUAL_GRACE,
        spectators: bool = False,
        **options: Any,
    ) -> Membership:
        """Host the table, if this machine is the host; otherwise join it."""
        async with self.process() as (endpoint, journal):
            entropy = random.Random(self.number).randbytes
            if self.address == host:
                rules = game_named(game)
                played = rules.options(**options)
                terms = Terms("Kitchen", rules, played, seats, grace, spectators)
                company = company or LobbyCallbacks()
                hosting = Host(endpoint, journal, self.name, terms, entropy, company)
                membership = await hosting.run()
                await trio.sleep(3)  # until all guests have the signed charter
                return membership
            return await join(endpoint, journal, host, PORT, self.name, entropy, company)

    async def play(self, choose: Callable[..., Move] = random_move) -> State:
        """Start a node at the table in the journal; its player moves as `choose` says."""
        async with self.process() as (endpoint, journal):
            pending = PendingCharter.recalled(journal)
            if pending is not None:
                await claim(endpoint, journal, pending)
            membership = own_membership(journal)
            rng = random.Random(f"{self.number} {self.deaths}")
            self.node = node = self.make_node(endpoint, journal, membership, rng.randbytes)
            await node.restore()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(sit_in, node, partial(choose, rng=rng), self.pause)
                if self.steward is not None:
                    nursery.start_soon(self.steward, node)
                state = await node.run()
                nursery.cancel_scope.cancel()
            return state

    async def play_through(self, **arguments: Any) -> State:
        """Play, and start again whenever the machine has died."""
        while True:
            try:
                return await self.play(**arguments)
            except* Killed:
                self.deaths += 1
                await trio.sleep(0.3)

    def entries(self) -> tuple[bytes, ...]:
        """Return the record in the journal of a machine that is switched off."""
        with Journal.open(self.home / JOURNAL_FILE) as journal:
            (record,) = journal.tables()
            return journal.entries(record.table_id)

    def bodies(self) -> tuple[Body, ...]:
        """Return the bodies of the entries in its journal."""
        with Journal.open(self.home / JOURNAL_FILE) as journal:
            (record,) = journal.tables()
            deck = Membership.recalled(journal, record).charter.charter.deck
        entries = map(Entry.decode, self.entries())
        return tuple(Body.decode(entry.body, deck) for entry in entries)

    def secrets(self) -> dict[str, bytes]:
        """Return the table's secrets in the journal of a machine that is switched off."""
        with Journal.open(self.home / JOURNAL_FILE) as journal:
            (record,) = journal.tables()
            return journal.secrets(record.table_id)


@define
class Machines:
    """A network of machines that play at one table; the first one is the host."""

    network: Network
    all: Sequence[Machine]

    @classmethod
    def make(cls, number: int, folder: Path) -> "Machines":
        network = Network()
        return cls(network, [Machine(network, i, folder / f"{i}") for i in range(number)])

    async def sit_down(self, game: str = "canasta", **options: Any) -> None:
        """Let all machines sit down, one after the other, and sign the charter."""
        host = self.all[0]
        came = trio.Event()

        def on_lobby_state(_: LobbyState) -> None:
            nonlocal came
            came.set()
            came = trio.Event()

        async with trio.open_nursery() as nursery:
            seats = len(self.all)
            start = partial(
                host.sit_down, host.address, game, seats, LobbyCallbacks(on_lobby_state)
            )
            nursery.start_soon(partial(start, **options))
            await trio.testing.wait_all_tasks_blocked()
            for guest in self.all[1:]:
                nursery.start_soon(guest.sit_down, host.address, game, seats)
                await came.wait()

    async def play(self, *, until: int | None = None, within: float = 3600) -> None:
        """Let all machines play until the match is over, or each has `until` entries."""
        with trio.fail_after(within):
            async with trio.open_nursery() as nursery:
                for machine in self.all:
                    nursery.start_soon(machine.play_through)
                while until and any(machine.height < until for machine in self.all):
                    await min(self.all, key=lambda machine: machine.height).goes_on()
                if until:
                    nursery.cancel_scope.cancel()

    async def play_until_one_dies(self, when: When) -> None:
        """Play until `when` holds at one machine, which dies; then switch the others off."""
        async with trio.open_nursery() as nursery:

            async def play(machine: Machine) -> None:
                machine.fate = lambda _: machine.node is not None and when(machine.node.state)
                error = await failure_of(machine.play())
                assert isinstance(error, Killed), error
                nursery.cancel_scope.cancel()

            for machine in self.all:
                nursery.start_soon(play, machine)
        for machine in self.all:
            machine.fate, machine.node = lambda _point: False, None

    def check_consistent(self) -> None:
        """Check that each record is the beginning of the longest one.

        Also check that nobody ever sent two entries in one place, and that all have the whole
        record if the match is over for one of them.
        """
        records = sorted((machine.entries() for machine in self.all), key=len)
        longest = records[-1]
        assert all(record == longest[: len(record)] for record in records)
        complete = [m.node.state.complete for m in self.all if m.node]
        assert not any(complete) or (all(complete) and records[0] == longest)
        heads = {place_of(Entry.decode(e).body).height: Entry.decode(e).head for e in longest}
        for machine in self.all:
            for entry in machine.said:
                height = place_of(Entry.decode(entry).body).height
                assert Entry.decode(entry).head == heads[height]


def own_membership(journal: Journal) -> Membership:
    """Return the newest membership in the journal.

    Later tables, from which the owner of the journal was left out, are no memberships.
    """
    for record in reversed(journal.tables()):
        with suppress(Malformed):
            return Membership.recalled(journal, record)
    raise AssertionError("the journal has no membership")


async def failure_of(task: Awaitable[object]) -> Exception:
    """Return the error with which the task ends, taken out of its exception groups."""
    try:
        await task
    except Exception as error:
        while isinstance(error, ExceptionGroup):
            (error,) = error.exceptions
        return error
    raise AssertionError("the task has not failed")
