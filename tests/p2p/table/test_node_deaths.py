"""Nodes at a table that die at every point, and come back with what they had, or with a copy."""

import shutil
import sqlite3
from contextlib import closing, suppress
from functools import partial
from itertools import count, product
from pathlib import Path

import pytest
import trio

from p2p.lobby.guest import claim
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, PendingCharter
from p2p.transport.endpoint import Declined
from protocol.state import State
from protocol.table.resync import STATUS_SECONDS, Unheard
from tests.p2p.machines import POINTS, Machine, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


async def test_nodes_that_die_at_each_point_of_each_phase_finish_the_round(tmp_path: Path) -> None:
    """They die in shuffle, deal, turn, opening and scoring, before and after each write and send.

    In the opening the one of them dies who has cards to open.
    """
    machines = Machines.make(2, tmp_path)
    await machines.sit_down("canasta", rounds=1)
    died: set[tuple[int, str, str]] = set()

    def fate(machine: Machine, point: str) -> bool:
        phase = None if machine.node is None else phase_of(machine.node.state, point)
        if phase is None or (machine.number, phase, point) in died:
            return False
        died.add((machine.number, phase, point))
        return True

    for machine in machines.all:
        machine.fate = partial(fate, machine)
    await machines.play()
    machines.check_consistent()
    (opener,) = (b.writer for b in machines.all[0].bodies() if b.content.kind == "open")
    assert died >= set(product((0, 1), ("shuffle", "unlock", "move", "close"), POINTS))
    assert died >= set(product((opener,), ("open",), POINTS))


def phase_of(state: State, point: str) -> str | None:
    """Return the kind of the entry that is about to be written, or is being sent."""
    if point.endswith("write"):
        return None if state.due is None else state.due.kind
    return None if state.last is None else state.last.content.kind


async def test_a_backup_waits_for_the_only_one_who_knows_better(tmp_path: Path) -> None:
    """Only Carla has Ana's last words, and is away for long: Ana writes nothing before."""
    machines = Machines.make(3, tmp_path)
    await machines.sit_down("canasta", rounds=1)
    ana, bruno, carla = machines.all
    backup = tmp_path / "backup"
    told = trio.Event()

    def fate(point: str) -> bool:
        """Just before Ana writes, Bruno can no longer be reached."""
        state = ana.node.state if ana.node else None
        if state is None or backup.exists() or state.height < 8 or point != "before a write":
            return False
        if state.due is not None and state.due.player == ana.number:
            shutil.copytree(ana.home, backup)
            for other in (ana, carla):
                machines.network.part(bruno.address, other.address)
            told.set()
        return False

    async def play_until_dead(machine: Machine) -> None:
        with trio.CancelScope() as scopes[machine.number]:
            await machine.play()

    ana.fate = fate
    scopes: dict[int, trio.CancelScope] = {}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play_until_dead, ana)
        nursery.start_soon(play_until_dead, carla)
        nursery.start_soon(bruno.play_through)
        await told.wait()
        await trio.sleep(3)
        for machine in (ana, carla):
            machine.dead = True
            scopes[machine.number].cancel()
        await trio.sleep(1)
        assert len(carla.entries()) > bruno.height == count_entries(backup)
        shutil.rmtree(ana.home)
        shutil.copytree(backup, ana.home)
        machines.network.heal()
        nursery.start_soon(ana.play_through)
        await trio.sleep(3 * STATUS_SECONDS)
        assert ana.height == bruno.height
        assert ana.node is not None
        assert ana.node.awaited is not None
        assert ana.node.awaited.unheard == Unheard(silent=frozenset({2}), doubtful=True)
        nursery.start_soon(carla.play_through)
    machines.check_consistent()


def count_entries(home: Path) -> int:
    """Return the number of entries in a journal that is only looked at."""
    with closing(sqlite3.connect(home / JOURNAL_FILE)) as database:
        (count,) = database.execute("SELECT count(*) FROM entries").fetchone()
    return int(count)


# -- Dying at any point while a charter is signed: nobody is left with something else


@pytest.mark.parametrize("who", ["host", "guest"])
async def test_a_charter_is_signed_by_all_or_by_nobody_wherever_one_dies(
    tmp_path: Path, who: str
) -> None:
    """Whoever has died starts again and asks; then both sit at the table, or neither."""
    met: list[str] = []
    for number in count():
        machines = Machines.make(2, tmp_path / f"{number}")
        host, guest = machines.all
        died = (host if who == "host" else guest).dies_once(number)
        await sit_down_and_come_back(host, guest)
        if not died:
            break
        met += died
        assert tables_of(host) == tables_of(guest)
    assert set(met) == set(POINTS), met


async def sit_down_and_come_back(host: Machine, guest: Machine) -> None:
    """Sit down in pairs; one who dies comes back, and the guest asks what has become of it."""

    async def sit_down(machine: Machine) -> None:
        # A guest whose host has died, and a host whose guest has, give up after a while.
        with trio.move_on_after(120), suppress(AssertionError):
            await failure_of(machine.sit_down(host.address, "canasta", 2))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(sit_down, host)
        await trio.sleep(1)
        nursery.start_soon(sit_down, guest)
    for machine in (host, guest):
        machine.fate = lambda _point: False
    async with host.process(), guest.process() as (endpoint, journal):
        pending = PendingCharter.recalled(journal)
        if pending is not None:
            with suppress(Declined):  # it never came about
                await claim(endpoint, journal, pending)
        assert PendingCharter.recalled(journal) is None


def tables_of(machine: Machine) -> list[bytes]:
    with Journal.open(machine.home / JOURNAL_FILE) as journal:
        return [Membership.recalled(journal, table).charter.encode() for table in journal.tables()]
