"""Nodes at a table: judged proofs, lost connections, and machines that die and come back."""

from collections import Counter
from contextlib import suppress
from functools import partial
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest
import trio

from p2p.background_task import beside
from p2p.lobby.guest import claim
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, PendingCharter
from p2p.transport.endpoint import Declined
from protocol.state import State
from tests.p2p.machines import POINTS, Killed, Machine, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


async def test_an_unlock_proof_is_verified_once_by_its_own_node_and_once_by_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified: list[bytes] = []

    def noted(context: bytes, *_statement: Any) -> None:
        verified.append(context)

    for module in ("player", "reducer"):
        monkeypatch.setattr(f"protocol.{module}.verify_unlock", noted)
    machines = Machines.make(2, tmp_path)
    await machines.sit_down()
    await machines.play(until=30)
    assert len(verified) > 10
    assert Counter(verified).most_common(1)[0][1] == 2


async def test_a_pair_that_cannot_connect_plays_through_the_third(tmp_path: Path) -> None:
    machines = Machines.make(3, tmp_path)
    await machines.sit_down("canasta", rounds=1)
    _, bruno, carla = machines.all
    machines.network.part(bruno.address, carla.address)
    began = trio.current_time()
    await machines.play(until=120)
    machines.check_consistent()
    assert trio.current_time() - began < 20  # no wait timed out


async def test_a_game_stops_during_a_partition_and_goes_on_after_it(tmp_path: Path) -> None:
    machines = Machines.make(3, tmp_path)
    await machines.sit_down("canasta", rounds=1)
    async with beside(partial(machines.play, until=60)):
        while min(machine.height for machine in machines.all) <= 8:
            await machines.all[0].goes_on()
        machines.network.part(*(machine.address for machine in machines.all))
        await trio.sleep(20)
        heights = [machine.height for machine in machines.all]
        assert min(heights) > 8
        assert max(heights) < 20  # players soon need entries of others
        machines.network.heal()
        while min(machine.height for machine in machines.all) < 40:
            await machines.all[0].goes_on()
    machines.check_consistent()


async def test_a_player_who_missed_the_end_gets_it_from_the_next_node_that_runs(
    tmp_path: Path,
) -> None:
    machines = Machines.make(2, tmp_path)
    await machines.sit_down(rounds=1)

    def fate(machine: Machine, _point: str) -> bool:
        """Let this machine die when only the other's signature is missing."""
        other = machines.all[1 - machine.number]
        if machine.node is None or other.node is None:
            return False
        state = machine.node.state
        last = state.match.round_over and state.writers == (other.number,)
        return last and other.node.height >= state.height

    async def play(machine: Machine) -> None:
        try:
            await machine.play()
        except* Killed:
            machine.deaths += 1

    async with trio.open_nursery() as nursery:
        for machine in machines.all:
            machine.fate = partial(fate, machine)
            nursery.start_soon(play, machine)
    early, late = sorted(machines.all, key=lambda machine: machine.deaths)
    assert (early.deaths, late.deaths) == (0, 1)
    assert len(late.entries()) < len(early.entries())
    late.fate = lambda _point: False
    async with early.process():
        await late.play()
    machines.check_consistent()


# -- Nodes that die, and come back


async def test_nodes_that_die_at_each_point_of_each_phase_finish_the_round(tmp_path: Path) -> None:
    """Nodes die around each write and send of entries of five kinds.

    These are: shuffle, unlock, move, open and close.

    In the opening, the node that dies is the one that has cards to open.
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


# -- Deaths while a charter is signed: both have the charter in the end, or neither


@pytest.mark.parametrize("who", ["host", "guest"])
async def test_a_charter_is_signed_by_all_or_none_wherever_a_machine_dies(
    tmp_path: Path, who: str
) -> None:
    """The dead machine starts again, and the guest asks for the charter."""
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
    """Seat two machines; restart one that dies, and let the guest ask for the charter."""

    async def sit_down(machine: Machine) -> None:
        # The machine that has not died gives up after a while.
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
            with suppress(Declined):  # not all had signed
                await claim(endpoint, journal, pending)
        assert PendingCharter.recalled(journal) is None


def tables_of(machine: Machine) -> list[bytes]:
    with Journal.open(machine.home / JOURNAL_FILE) as journal:
        return [Membership.recalled(journal, table).charter.encode() for table in journal.tables()]
