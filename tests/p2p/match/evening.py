"""A match of real nodes on a network in memory, whose players come, go and disagree."""

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from functools import cache, lru_cache, partial
from pathlib import Path
from sqlite3 import ProgrammingError
from tempfile import mkdtemp
from typing import Any

import pytest
import trio
from attrs import define, field

from engine.position import Position
from p2p.discovery.address_book import Address
from p2p.match.match_node import MatchNode
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, keep_addresses, matches
from p2p.storage.rollback_guard import RollbackGuard
from p2p.table.node_updates import no_progress
from p2p.transport.endpoint import Endpoint
from protocol.audit import Finding
from protocol.charter import Member, SignedCharter
from protocol.errors import Exposed, Refused
from protocol.match.messages import Wish, WishKind
from protocol.table.own_key_probe import OwnKeyElsewhere
from tests.p2p.machines import PORT, Killed, Machine, Machines, When, at
from tests.protocol.audited import audit

END, OPPONENT, TOGETHER, WAIT = (
    Wish(kind) for kind in (WishKind.END, WishKind.OPPONENT, WishKind.TOGETHER, WishKind.WAIT)
)

GRACE = 10

MIDDLE = at(20)


@cache
def owes(kind: str) -> When:
    """Return the condition that an entry of that kind is due."""
    return lambda state: state.due is not None and state.due.kind == kind


async def until(condition: Callable[[], bool], seconds: float = 150) -> None:
    """Wait until the condition holds."""
    with trio.fail_after(seconds):
        while not condition():
            await trio.sleep(0.2)


@define(eq=False)
class Evening:
    """Machines that play; a machine that is switched off stays off until `switch_on`.

    `cheats` are the names of the players whom the records may expose in the end.
    """

    machines: Machines
    nursery: trio.Nursery
    cheats: Iterable[str] = ()
    findings: dict[int, Finding] = field(factory=dict)
    """The findings of all records by machine, filled in when the evening is over."""
    ends: dict[int, str] = field(factory=dict)
    """The errors with which nodes have ended, by machine."""
    _scopes: dict[int, trio.CancelScope] = field(factory=dict)
    _off: dict[int, trio.Event] = field(factory=dict)

    def __str__(self) -> str:
        return "\n".join([f"ended: {self.ends}", *map(_told, self.alive)])

    @property
    def alive(self) -> list[Machine]:
        return [self.machines.all[number] for number in sorted(self._scopes)]

    @property
    def nodes(self) -> list[MatchNode]:
        return [machine.node for machine in self.alive if machine.node is not None]

    def node(self, number: int) -> MatchNode:
        node = self.machines.all[number].node
        assert node is not None
        return node

    def switch_on(self, *numbers: int) -> None:
        for number in numbers:
            self._off[number] = trio.Event()
            self.nursery.start_soon(self._play, self.machines.all[number])

    async def _play(self, machine: Machine) -> None:
        with trio.CancelScope() as scope:
            self._scopes[machine.number] = scope
            try:
                await machine.play()
            except* Killed:
                machine.deaths += 1
                del self._scopes[machine.number]
            except* (Exposed, OwnKeyElsewhere) as group:
                self.ends[machine.number] = repr(group)
        self._off[machine.number].set()

    async def kill(self, *numbers: int) -> None:
        """Switch these machines off, and wait until all their tasks have ended."""
        for number in numbers:
            machine = self.machines.all[number]
            machine.dead = True
            machine.deaths += 1  # it draws other locks after its restart
            self._scopes[number].cancel()
        for number in numbers:
            await self._off[number].wait()
            del self._scopes[number]

    async def died(self, number: int) -> None:
        """Wait until that machine has died because of its `fate`. It will not die of it again."""
        with trio.fail_after(300):
            await self._off[number].wait()
        self.machines.all[number].fate = lambda _point: False

    def part(self, number: int) -> None:
        """Cut that machine off from all others."""
        for other in self.machines.all:
            self.machines.network.part(self.machines.all[number].address, other.address)

    def wish(self, wish: Wish, *numbers: int) -> None:
        for number in numbers:
            self.node(number).wish(wish)

    async def host_bots(self) -> None:
        """Seat bots whenever a node wants them, until this task is cancelled."""
        while True:
            with trio.move_on_after(1):
                await self.seat_bots()

    async def seat_bots(self, *wishing: int) -> None:
        """Let these players wish for bots, let the leader propose some, and start these bots."""
        self.wish(OPPONENT, *wishing)
        await until(lambda: any(node.going_on.wants_bots for node in self.nodes))
        host = next(m for m in self.alive if m.node is not None and m.node.going_on.wants_bots)
        leader = host.node
        assert leader is not None
        network, folder, seats = host.network, host.home.parent, leader.going_on.wants_bots
        numbers = range(len(self.machines.all), len(self.machines.all) + len(seats))
        bots = [Machine(network, number, folder / f"{number}") for number in numbers]
        members = [Member(bot.key, f"Robot {bot.number}", bytes(32)) for bot in bots]
        self.machines.all = [*self.machines.all, *bots]
        signers = {bot.key: bot.identity.sign for bot in bots}
        leader.propose(dict(zip(seats, members, strict=True)), signers)
        for bot in bots:
            follow(bot, host)
            self.nursery.start_soon(self._sit_down, bot, host, leader)

    async def _sit_down(self, bot: Machine, host: Machine, leader: MatchNode) -> None:
        """Start the bot as soon as it has a seat, unless its host dies before."""
        while leader.charter.player_of(bot.key) is None and not host.dead:
            await trio.sleep(0.1)
        async with bot.process() as (_, journal):
            # The host may have died before the bot had a seat, and be back already.
            if host.dead or leader.charter.player_of(bot.key) is None:
                return
            try:
                membership = leader.introduce(bot.key, journal, PORT)
            except ProgrammingError:  # the host's journal is closed
                return
            here = [Address(m.key, m.address, PORT) for m in self.alive]
            keep_addresses(journal, membership.table_id, tuple(here))
        bot.pause = think
        self.switch_on(bot.number)

    async def miss(self, *players: int) -> None:
        """Wait until every node misses exactly these players."""
        await until(lambda: all(node.missing == set(players) for node in self.nodes))

    async def is_ended(self, *numbers: int) -> None:
        """Wait until these machines have the complete record; all machines, if none is named."""
        nodes = [self.node(number) for number in numbers] or self.nodes
        await until(lambda: all(node.state.complete for node in nodes))

    def due(self, number: int = 0) -> int:
        """Return the player who must write next, according to that machine."""
        due = self.node(number).state.due
        assert due is not None
        return due.player

    async def plays_on(self, attempt: int, entries: int = 8) -> None:
        """Wait until each seat has a node at the table of that attempt, with `entries` entries."""
        await until(lambda: len(self.nodes) == len(self.nodes[0].charter.members))
        where = {(attempt, True)}
        await until(lambda: {(n.charter.attempt, n.height >= entries) for n in self.nodes} == where)
        assert len({node.table_id for node in self.nodes}) == 1


def _told(machine: Machine) -> str:
    """Return a description of a machine's node, to print when a test fails."""
    node = machine.node
    if node is None:
        return f"{machine.name}: no node"
    due, offered = node.state.due, node.proposal
    return (
        f"{machine.name}: attempt {node.charter.attempt} height {node.height} "
        f"waits for {due and (due.player, due.kind)} missing {set(node.missing)} "
        f"{'stuck' * node.stuck} {'over' * node.over} {'left out' * node.left_out} "
        f"wishes {[wish.kind.name for wish in node.wishes.values()]} "
        f"offered {offered and offered.charter.continues}"
    )


@asynccontextmanager
async def evening(
    count: int,
    folder: Path,
    *,
    moment: When = MIDDLE,
    cheats: Iterable[str] = (),
    wishes: Wish | None = None,
    bots: Iterable[int] = (),
    **options: Any,
) -> AsyncIterator[Evening]:
    """Play Canasta with `count` players, starting from that moment of a match.

    All players have the same `wishes`; the players in `bots` follow player 0. In the end all
    records are audited, and only the `cheats` may be exposed.
    """
    with pytest.MonkeyPatch.context() as patch:
        # Only the guard's bytes are compared: its times would show that the files are copies.
        patch.setattr(RollbackGuard, "seen", lambda guard: guard.path.read_bytes())
        await _play_once(count, folder, moment, options)
        machines = Machines.make(count, folder)
        async with trio.open_nursery() as nursery:
            now = Evening(machines, nursery, cheats)
            for machine in machines.all:
                machine.pause, machine.deaths = think, 1
                if machine.number in bots:
                    follow(machine, machines.all[0])
                elif wishes is not None:
                    machine.steward = willing(wishes)
            now.switch_on(*range(count))
            await until(lambda: len(now.nodes) == count)
            try:
                yield now
            except BaseException:
                print(now)
                raise
            nursery.cancel_scope.cancel()
        for machine in now.machines.all:
            if (finding := audited(machine)) is not None:
                now.findings[machine.number] = finding
                assert finding.verdict.value in ("sound", "unfinished", "ended"), finding
                assert {one.name for one in finding.exposed} <= set(now.cheats), finding
    assert not now.ends or now.cheats, now.ends


@asynccontextmanager
async def one_missing(count: int, folder: Path, **options: Any) -> AsyncIterator[Evening]:
    """Play as `evening` does, but begin the block when the last player is off and missed by all."""
    async with evening(count, folder, **options) as now:
        await now.kill(count - 1)
        await now.miss(count - 1)
        yield now


_PLAYED: dict[object, Path] = {}


async def _play_once(count: int, folder: Path, moment: When, options: dict[str, Any]) -> None:
    """Copy the machines' homes at that moment into `folder`; play to each moment only once."""
    key = (count, moment, *sorted(options.items()))
    if key not in _PLAYED:
        kept = _PLAYED[key] = Path(mkdtemp(prefix="evening"))
        machines = Machines.make(count, kept)
        await machines.sit_down(grace=GRACE, **options)
        await machines.play_until_one_dies(moment)
    shutil.copytree(_PLAYED[key], folder, dirs_exist_ok=True)


async def think(_view: Position) -> None:
    await trio.sleep(1)


def follow(bot: Machine, host: Machine) -> None:
    """Let the bot accept the proposals that the host accepts."""
    bot.make_node = partial(MatchNode, follows=host.key)


def willing(wish: Wish) -> Callable[[MatchNode], Awaitable[None]]:
    """Return a steward who wishes for `wish` when a player is missing.

    When the match is stuck, the steward wishes to go on together.
    """

    async def steward(node: MatchNode) -> None:
        while not node.over:
            wanted = wish if node.missing else TOGETHER if node.stuck else WAIT
            if node.wishes[node.me] != wanted:
                with suppress(Refused):
                    node.wish(wanted)
            await trio.sleep(0.5)

    return steward


def audited(machine: Machine) -> Finding | None:
    """Return the finding of the record of a machine that is switched off.

    It is None if the machine has never played.
    """
    with Journal.open(machine.home / JOURNAL_FILE) as journal:
        if not matches(journal):
            return None
        first = SignedCharter.decode(matches(journal)[-1].first.charter)
        me = first.charter.player_of(machine.key)
        endpoint = Endpoint(machine.identity)
        node = MatchNode(endpoint, journal, Membership(first, 0 if me is None else me, ()))
        node._restore(no_progress)
        return _audited(b"".join(node.record()))


_audited = lru_cache(8)(audit)
"""The audit of a record, cached as several machines have the same bytes."""
