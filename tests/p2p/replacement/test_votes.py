"""Agreeing on absence among nodes: when, by whom, and what becomes of who comes back late."""

from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from engine.moves import DrawStock
from engine.sentences import Sentence
from p2p.discovery.address_book import Address
from p2p.replacement.votes import Votes
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.node import Node
from p2p.table.resync import STATUS_SECONDS
from p2p.transport.messages import Vote
from protocol.absence import absence
from protocol.ballot import Ballot
from protocol.charter import Member
from protocol.entries import AbsentContent, Entry, Place
from protocol.errors import Exposed, Refused
from tests.p2p.machines import PORT, Killed, Machine
from tests.p2p.replacement.deaths import GRACE, dies_at, three, until_dead
from tests.protocol.ring import Ring

pytestmark = pytest.mark.usefixtures("on_memory", "without_proofs")


async def ends_it(node: Node) -> None:
    """Somebody who agrees, as soon as they may, that whoever is waited for is absent."""
    while not node.over:
        await trio.sleep(1)
        awaited = node.awaited
        if awaited is not None and awaited.player != node.me and not node.grace_left:
            with suppress(Refused):
                await node.vote(AbsentContent((awaited.player,)))


def dies_when_due(machine: Machine) -> None:
    """Before it writes what the table waits for."""

    def owes(_point: str) -> bool:
        node = machine.node
        due = None if node is None else node.state.due
        return due is not None and due.player == machine.number

    machine.fate = owes


def dies_when_it_has_written_alone(machine: Machine) -> None:
    """It loses its network when the table waits for it, and then its power."""
    network = machine.network

    def has_written(_point: str) -> bool:
        node = machine.node
        due = None if node is None else node.state.due
        is_due = due is not None and due.player == machine.number
        if is_due:
            for address in network.listeners:
                network.part(machine.address, address)
        return bool(network.apart) and not is_due

    machine.fate = has_written


async def test_the_match_ends_when_all_the_others_agree(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    _, ana, bruno, carla = await three(tmp_path)
    dies_at(carla, 8)
    for machine in (ana, bruno):
        machine.steward = ends_it
    async with trio.open_nursery() as nursery:
        nursery.start_soon(until_dead, carla)
        for machine in (ana, bruno):
            nursery.start_soon(machine.play)
    assert ana.entries() == bruno.entries()
    for machine in (ana, bruno):
        assert machine.node is not None
        assert machine.node.state.ended
        assert not machine.secrets()
    await the_late_one_learns(carla, ana)


async def the_late_one_learns(late: Machine, other: Machine) -> None:
    """Whoever comes back finds out from anybody, whether or not it has written on."""
    async with other.process():
        await late.play()
    assert late.node is not None
    assert late.node.dismissed or late.node.state.ended
    assert late.node.exposed is None


async def test_who_has_lost_their_lock_says_so_and_looks_on(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Nothing breaks at that node; the others agree on the absence, and it learns that."""
    _, ana, bruno, carla = await three(tmp_path)
    dies_at(carla, 10)
    troubles: list[Sentence] = []

    async def looks_on(node: Node) -> None:
        while not node.trouble:
            await trio.sleep(1)
        troubles.append(node.trouble)
        assert not node.chooses
        assert node.view is None
        with pytest.raises(Refused, match="not on this machine"):
            await node.play(DrawStock())

    async def comes_back() -> None:
        await until_dead(carla)
        with Journal.open(carla.home / JOURNAL_FILE) as journal:
            journal.forget_secrets(journal.tables()[0].table_id)
        carla.steward = looks_on
        await carla.play()

    for machine in (ana, bruno):
        machine.steward = ends_it
    async with trio.open_nursery() as nursery:
        for task in (comes_back, ana.play, bruno.play):
            nursery.start_soon(task)
    assert len(troubles) == 1
    assert ana.entries() == bruno.entries() == carla.entries()
    assert carla.node is not None
    assert carla.node.state.ended


async def test_one_alone_agrees_on_nothing(tmp_path: Path, autojump_clock: MockClock) -> None:
    _, ana, bruno, carla = await three(tmp_path)
    dies_at(carla, 8)
    ana.steward = ends_it
    with trio.move_on_after(2 * GRACE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(until_dead, carla)
            for machine in (ana, bruno):
                nursery.start_soon(machine.play)
    for machine in (ana, bruno):
        assert machine.node is not None
        assert not machine.node.over
        assert machine.node.proposals == (AbsentContent((2,)),)


async def test_who_has_voted_goes_on_when_another_has_the_late_entry(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Ana has voted, Bruno has not, and Carla comes back: the game goes on."""
    machines, ana, bruno, carla = await three(tmp_path)
    dies_at(carla, 8)
    ana.steward = ends_it

    async def comes_back() -> None:
        await until_dead(carla)
        await trio.sleep(GRACE + 30)
        assert ana.node is not None
        assert ana.node._coordinator.votes.mine is not None
        ana.steward = None
        await carla.play()

    with trio.fail_after(1000 * GRACE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(comes_back)
            for machine in (ana, bruno):
                nursery.start_soon(machine.play)
    machines.check_consistent()


async def test_who_refuses_and_votes_later_is_exposed_and_nobody_is_dismissed(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Ana has voted, Bruno has not and refuses, and Carla comes back. Then Bruno completes the
    absence with Ana's vote: that exposes them, at the node of the one who is named in it, too.
    """
    _, ana, bruno, carla = await three(tmp_path)
    dies_when_due(carla)
    votes: list[Vote] = []

    async def votes_once(node: Node) -> None:
        while not votes:
            await trio.sleep(1)
            with suppress(Refused):
                await node.vote(AbsentContent((2,)))
            votes.extend([node._coordinator.votes.mine] if node._coordinator.votes.mine else [])

    async def comes_back() -> None:
        await until_dead(carla)
        await trio.sleep(GRACE + 30)
        carla.steward = completes
        dies_at(bruno, Place.of(votes[0].body).height + 6)
        await carla.play()

    async def completes(node: Node) -> None:
        """Bruno shows it to Carla first."""
        height = Place.of(votes[0].body).height
        while node.height < height + 5:
            await trio.sleep(1)
        more = Entry.vote(votes[0].body, bruno.identity.sign)
        joint = Entry(votes[0].body, votes[0].signature + more)
        await node.carried(1, height, joint.encode())

    ana.steward = votes_once

    async def all_play() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(comes_back)
            nursery.start_soon(until_dead, bruno)
            nursery.start_soon(ana.play)

    with trio.fail_after(1000 * GRACE), pytest.raises(BaseExceptionGroup) as caught:
        await all_play()
    assert caught.group_contains(Exposed, match="gone on|refused or voted")
    for machine in (ana, carla):
        assert machine.node is not None
        assert not machine.node.dismissed
    assert carla.node is not None
    assert carla.node.exposed is not None
    assert (carla.node.exposed.player, carla.node.exposed.cause) == (1, "R20")


async def test_who_is_named_is_dismissed_and_stays_so(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Carla writes, but nobody hears it; the others have ended the match in that place."""
    machines, ana, bruno, carla = await three(tmp_path)
    dies_when_it_has_written_alone(carla)
    for machine in (ana, bruno):
        machine.steward = ends_it
    async with trio.open_nursery() as nursery:
        nursery.start_soon(until_dead, carla)
        for machine in (ana, bruno):
            nursery.start_soon(machine.play)
    machines.network.heal()
    assert len(carla.entries()) == len(ana.entries())
    for _ in range(2):
        with trio.fail_after(100 * GRACE):
            async with ana.process():
                await carla.play()
        assert carla.node is not None
        assert carla.node.dismissed
        assert carla.node.exposed is None
        assert carla.entries() != ana.entries()
        assert not carla.secrets()
    with trio.fail_after(STATUS_SECONDS):
        await carla.play()  # nobody is there to tell it again
    assert carla.node is not None
    assert carla.node.dismissed


async def test_a_vote_is_given_once_also_after_a_restart(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    _, ana, bruno, carla = await three(tmp_path)
    dies_at(carla, 8)
    refusals: list[str] = []

    async def steward(node: Node) -> None:
        with pytest.raises(Refused, match="grace"):
            await node.vote(AbsentContent((2,)))
        await trio.sleep(GRACE + 60)
        if ana.deaths == 0:
            await node.vote(AbsentContent((2,)))
            raise Killed("after the vote")
        newcomer = Member(bytes([3]) * 32, "Olga", bytes(32))
        with pytest.raises(Refused) as caught:
            await node.vote(AbsentContent((2,), (newcomer,)))
        refusals.append(str(caught.value))

    ana.steward = steward

    async def restart() -> None:
        await until_dead(ana)
        ana.deaths = 1
        await ana.play()

    with trio.move_on_after(20 * GRACE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(until_dead, carla)
            nursery.start_soon(bruno.play)
            nursery.start_soon(restart)
    assert len(refusals) == 1
    assert "something else" in refusals[0]


async def test_a_substitute_takes_the_seat_and_plays_the_round(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    machines, ana, bruno, carla = await three(tmp_path)
    dies_at(carla, 20)
    olga = Machine(machines.network, 3, tmp_path / "olga")
    seat = AbsentContent((2,), (Member(olga.identity.public, "Olga", bytes(32)),))
    agreed = trio.Event()

    async def invites(node: Node) -> None:
        while node.grace_left or node.awaited is None or node.awaited.player != 2:
            await trio.sleep(1)
        body = node.absence(seat)
        await node.vote(seat, {olga.identity.public: Entry.vote(body, olga.identity.sign)})

    async def agrees(node: Node) -> None:
        while node.grace_left or not node.proposals:
            await trio.sleep(1)
        await node.vote(node.proposals[0])
        agreed.set()

    async def plays() -> None:
        await agreed.wait()
        assert ana.node is not None
        charter = ana.node._membership.charter
        places = tuple(Address(m.identity.public, m.address, PORT) for m in (ana, bruno))
        with Journal.open(olga.home / JOURNAL_FILE) as journal:
            Membership(charter, 2, places).keep(journal)
        await olga.play()

    ana.steward, bruno.steward = invites, agrees
    with trio.fail_after(100 * GRACE):
        async with trio.open_nursery() as nursery:
            for task in (partial(until_dead, carla), ana.play, bruno.play, plays):
                nursery.start_soon(task)
    assert ana.entries() == bruno.entries() == olga.entries()
    assert ana.node is not None
    assert ana.node.state.complete
    assert not ana.node.state.ended
    assert [member.name for member in ana.node.charter.members] == ["Ana", "Bruno", "Olga"]


def test_a_proposal_is_what_a_person_proposes_also_when_the_round_is_counted() -> None:
    ring = Ring.sit(players=3, rounds=1)
    ring.play_until("close")
    (absent, other, _) = ring.state.writers
    content = AbsentContent((absent,))
    body = absence(ring.state, content).encode()
    key = ring.state.charter.members[other].key
    votes = Votes(ring.state, Ballot(ring.state.charter, ring.state.next_place, bytes(32)))
    assert votes.add(Vote(body, key, Entry.vote(body, ring.signers[other])))
    assert votes.proposals == (content,)
