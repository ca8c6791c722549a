"""Dying at any point while a charter is signed or an absence is voted for: nobody contradicts
themselves, and nobody is left with something else than the others.

`test_node_deaths` has the points of a round.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from p2p.lobby.guest import claim
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, PendingCharter
from p2p.table.node import Node
from p2p.transport.endpoint import Declined
from protocol.charter import USUAL_GRACE, Member
from protocol.entries import AbsentContent, Entry
from protocol.errors import Refused
from tests.p2p.machines import POINTS, Machine, Machines, failure_of
from tests.p2p.replacement.deaths import dies_at, three, until_dead

pytestmark = pytest.mark.usefixtures("on_memory", "without_proofs")


def dies_once(
    machine: Machine, number: int, when: Callable[[Machine], bool] = lambda _machine: True
) -> list[str]:
    """The machine dies at the point of that number, of those `when` it can, which is put into the
    list then.
    """
    numbers = count()
    died: list[str] = []

    def fate(point: str) -> bool:
        if not when(machine) or next(numbers) != number:
            return False
        died.append(point)
        return True

    machine.fate = fate
    return died


@pytest.mark.parametrize("who", ["host", "guest"])
async def test_a_charter_is_signed_by_all_or_by_nobody_wherever_one_dies(
    tmp_path: Path, autojump_clock: MockClock, who: str
) -> None:
    """Whoever has died starts again and asks; then both sit at the table, or neither."""
    met: list[str] = []
    for number in count():
        machines = Machines.make(2, tmp_path / f"{number}")
        host, guest = machines.all
        died = dies_once(host if who == "host" else guest, number)
        await sit_down_and_come_back(host, guest)
        if not died:
            break
        met += died
        assert tables_of(host) == tables_of(guest)
    assert set(met) == set(POINTS), met


async def sit_down_and_come_back(host: Machine, guest: Machine) -> None:
    """The two sit down; whoever dies comes back, and the guest asks what has become of it."""

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


async def test_nobody_votes_twice_wherever_they_die(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Ana decides otherwise in each life. What was told counts."""
    met: list[str] = []
    for number in count():
        _, ana, bruno, carla = await three(tmp_path / f"{number}")
        dies_at(carla, 1)  # before the first entry from there
        ana.steward, bruno.steward = partial(changes_their_mind, ana), agrees
        died = dies_once(ana, number, may_vote)
        with trio.move_on_after(4 * USUAL_GRACE):
            async with trio.open_nursery() as nursery:
                for task in (partial(until_dead, carla), ana.play_through, bruno.play_through):
                    nursery.start_soon(task)
        places = [vote.body for vote in ana.votes]
        assert len(places) == len(set(places)) <= 1
        assert ana.entries() == bruno.entries()
        assert ana.node is not None
        assert ana.node.state.ended or ana.node.charter.members[2].name == "Olga"
        if not died:
            break
        met += died
    assert set(met) == set(POINTS), met


def may_vote(machine: Machine) -> bool:
    return machine.node is not None and machine.node.vacant is not None


OLGA = Identity.generate()


async def changes_their_mind(ana: Machine, node: Node) -> None:
    """Votes for the end in one life, for Olga in the next; when that is too late, for what others
    have heard from Ana.
    """
    while not node.over:
        await trio.sleep(1)
        if node.vacant is None:
            continue
        olga = AbsentContent((2,), (Member(OLGA.public, "Olga", bytes(32)),))
        content = (AbsentContent((2,)), olga)[ana.deaths % 2]
        with suppress(Refused):
            signature = Entry.vote(node.absence(content), OLGA.sign)
            await node.vote(content, {OLGA.public: signature} if content is olga else {})


async def agrees(node: Node) -> None:
    while not node.over:
        await trio.sleep(1)
        for proposal in node.proposals:
            with suppress(Refused):
                await node.vote(proposal)
