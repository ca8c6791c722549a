"""Where those who sit down are found, as the host tells it."""

import os
from pathlib import Path

import pytest
import trio

from p2p.lobby.guest import join
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, kept_addresses
from tests.p2p.lobby.lobbies import hosting
from tests.p2p.machines import PORT, Machines

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")


async def test_a_guest_who_listens_nowhere_leaves_the_others_and_the_journals_whole(
    tmp_path: Path,
) -> None:
    """A message with such a place would be invalid to the other guests, who would leave.

    Nor could it be read in the host's journal.
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
