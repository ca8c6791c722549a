"""Dying at any point while a charter is signed: nobody is left with something else than the others.

`test_node_deaths` has the points of a round, `tests/p2p/match` those of a continuation.
"""

from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
import trio

from p2p.lobby.guest import claim
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, PendingCharter
from p2p.transport.endpoint import Declined
from tests.p2p.machines import POINTS, Machine, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


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
