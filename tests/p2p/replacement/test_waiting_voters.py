"""Who has voted waits for a release: who is told of it, who may not vote yet, what is no vote."""

from collections.abc import Iterator
from typing import cast

import pytest
from attrs import evolve

from p2p.replacement.votes import vote_of
from p2p.storage.identity import Identity
from p2p.storage.memberships import Membership
from p2p.table.node import Node
from p2p.transport.messages import Vote
from protocol.absence import absence
from protocol.ballot import Act
from protocol.charter import Member
from protocol.entries import AbsentContent, Entry
from protocol.errors import Malformed, Refused
from tests.protocol.absent import ended
from tests.protocol.played import Moment
from tests.simulation.machine import Machine
from tests.simulation.memory_journal import MemoryJournal
from tests.simulation.simulation import Simulation
from tests.simulation.tables import simulated_nodes, without_proofs

SEED = 46
"""A table of more than two, whose record has gone on for a while."""


@pytest.fixture(scope="module", autouse=True)
def simulated() -> Iterator[None]:
    with without_proofs(), simulated_nodes():
        yield


@pytest.fixture
async def node() -> Node:
    """A node that has come back with the whole record so far."""
    simulation = Simulation(SEED)
    machine: Machine = simulation.machines[0]
    node = simulation.node_for(machine, cast(Membership, machine.membership))
    await node.restore()
    return node


def votes_behind(node: Node) -> tuple[Moment, int, Act]:
    """The newest moment at which somebody else could vote who has written nothing since, their
    number, and their vote that the writer is absent.
    """
    played, later = Simulation(SEED).start.played, {node.me}
    for height in range(node.height, 0, -1):
        moment = played.at(height)
        later.add(moment.writer)
        silent = set(node.mesh.others) - later
        if silent and moment.writer != node.me:
            voter = min(silent)
            body = absence(moment.state, AbsentContent((moment.writer,))).encode()
            key = node.charter.members[voter].key
            return moment, voter, Act.vote(body, key, moment.ring.signers[voter])
    raise AssertionError("all have written")


def acts_told(node: Node) -> list[bytes]:
    """The keys of those whose acts this node tells."""
    return [one.key for one in node.talk if isinstance(one, Vote)]


@pytest.fixture
async def told(node: Node) -> tuple[Node, Moment, int]:
    """All have told that they have the whole record. Then one votes who does not have it: their
    power failed, and the newest entries of others were gone.
    """
    moment, voter, vote = votes_behind(node)
    for player in node.mesh.others:
        node.mesh.known.see(player, node.height)
    assert await node.told(voter, vote_of(vote))
    return node, moment, voter


async def test_who_waits_for_a_refusal_is_told_until_their_next_entry_is_in_the_record(
    told: tuple[Node, Moment, int],
) -> None:
    node, moment, voter = told
    key = node.charter.members[voter].key
    assert set(acts_told(node)) == {key, node.live_record.key}
    node.live_record.signed[key] = moment.state.height + 1
    assert acts_told(node) == []


async def test_nobody_waits_for_a_voter_whose_seat_was_given_away(
    told: tuple[Node, Moment, int],
) -> None:
    node, _, voter = told
    members = list(node.charter.members)
    members[voter] = Member(bytes(32), "Olga", bytes(32))
    replaced = evolve(node.charter, members=tuple(members))
    node.live_record.state = evolve(node.state, charter=replaced)
    assert acts_told(node) == []


async def test_who_has_just_come_back_votes_when_they_have_what_the_others_have(
    node: Node,
) -> None:
    """Else they vote in a place that the others have gone past."""
    due = node.state.due
    assert due is not None
    absent = AbsentContent((due.player,))
    with pytest.raises(Refused, match="just come back"):
        await node.vote(absent)
    node.resync.done = True
    await node.vote(absent)
    assert node._coordinator.votes.mine is not None


@pytest.mark.parametrize(
    ("spoken", "ahead", "heard"), [(True, 0, True), (True, 1, False), (False, 0, False)]
)
async def test_with_an_old_copy_nobody_votes_behind_the_others(
    node: Node, spoken: bool, ahead: int, heard: bool
) -> None:
    """All who would vote have to have told how far they are, and none of them is further. How far
    the absent one is does not matter.
    """
    due = node.state.due
    assert due is not None
    voter = next(p for p in node.mesh.others if p != due.player)
    absent = AbsentContent((due.player,))
    node.resync.doubtful = True
    node.mesh.known.see(due.player, node.height + 1)
    for player in set(node.mesh.others) - {due.player}:
        if spoken or player != voter:
            node.mesh.known._spoken.add(player)
        node.mesh.known.see(player, node.height + (ahead if player == voter else 0))
    if heard:
        await node.vote(absent)
        assert node._coordinator.votes.mine is not None
        return
    with pytest.raises(Refused, match=f"heard from {node.charter.name_of(voter)} first"):
        await node.vote(absent)


async def test_an_act_is_told_to_who_stands_in_its_place_yet(
    told: tuple[Node, Moment, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though its voter has written since: the record of one member is shorter than all others."""
    node, moment, voter = told
    node.live_record.signed[node.charter.members[voter].key] = moment.state.height + 1
    for behind, tells in ((moment.state.height, True), (moment.state.height + 1, False)):
        heights = (node.height, behind, node.height)
        monkeypatch.setattr(type(node.mesh), "heights", heights)
        assert bool(acts_told(node)) == tells


async def test_of_the_first_place_too(told: tuple[Node, Moment, int]) -> None:
    """A voter who has not written anything waits there."""
    node, _, voter = told
    first = Simulation(SEED).start.played.at(1)
    key = node.charter.members[voter].key
    assert first.writer != voter
    place = first.state.next_place
    content = absence(first.state, AbsentContent((first.writer,))).encode()
    node._coordinator.passed.clear()
    node.live_record.signed[key] = 0
    assert await node.told(voter, vote_of(Act.vote(content, key, first.ring.signers[voter])))
    assert list(node._coordinator.passed) == [place.height]
    assert key in acts_told(node)
    others = {p for p in range(len(node.charter.members)) if p not in {voter, first.writer}}
    for other in others:  # who have written since, and wait no more
        other_key = node.charter.members[other].key
        act = Act.vote(content, other_key, first.ring.signers[other])
        assert await node.told(voter, vote_of(act)) == (other != node.me)
        node.live_record.signed[other_key] = place.height
    assert key in acts_told(node)
    del node.live_record.signed[key]
    assert key in acts_told(node)


async def test_a_second_act_in_a_place_stops_the_table_and_names_who_has_signed_it(
    node: Node,
) -> None:
    """It comes from somebody else: acts are carried by all."""
    moment, voter, vote = votes_behind(node)
    carrier = next(player for player in node.mesh.others if player != voter)
    assert await node.told(carrier, vote_of(vote))
    place, signer = moment.state.next_place, moment.ring.signers[voter]
    refusal = Act.refusal(place, voter, node.charter.members[voter].key, signer)
    assert await node.told(carrier, vote_of(refusal))
    assert node.exposed is not None
    assert (node.exposed.player, node.exposed.cause) == (voter, "R20")
    assert node.stopped
    assert not await node.told(carrier, vote_of(vote))


async def test_a_vote_of_a_stranger_is_not_passed_on(node: Node) -> None:
    """With it the absence would never have the signatures that it takes, and no others."""
    due = node.state.due
    assert due is not None
    body = absence(node.state, AbsentContent((due.player,))).encode()
    stranger = Identity.generate()
    vote = Vote(body, stranger.public, Entry.vote(body, stranger.sign))
    with pytest.raises(Malformed, match="not asked for"):
        await node.told(node.mesh.others[0], vote)
    assert acts_told(node) == []


async def test_who_was_put_back_from_a_copy_refuses_in_the_next_place_neither(node: Node) -> None:
    """They may have voted there, and whoever knew of it may have lost it with their power."""
    played = Simulation(SEED).start.played
    moment = played.at(node.height + 1)
    voter = next(p for p in node.mesh.others if p != moment.writer)
    body = absence(node.state, AbsentContent((moment.writer,))).encode()
    key = node.charter.members[voter].key
    vote = vote_of(Act.vote(body, key, moment.ring.signers[voter]))
    node._keep_doubt()
    assert await node.carried(voter, node.height + 1, moment.entry)
    await node.told(voter, vote)
    assert acts_told(node) == [key]


async def test_an_absence_that_all_have_signed_is_synced(node: Node) -> None:
    due = node.state.due
    assert due is not None
    joint = ended(Simulation(SEED).start.played.ring, node.state, due.player)
    async with node.advancing:
        await node.advance(joint)
    kept = [one for one in cast(MemoryJournal, node._journal).log if one.kind == "entry"]
    assert [one.synced for one in kept] == [True]
