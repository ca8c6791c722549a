"""What a node keeps of its own votes and refusals, and comes back to."""

from typing import cast

import pytest
import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from trio.testing import MockClock

from engine.slots import Seat
from p2p.replacement.votes import vote_of
from p2p.storage.memberships import Membership
from p2p.transport.messages import Acknowledgement, Candidates, Status, Vote
from protocol.absence import absence
from protocol.audit import Auditor, Verdict
from protocol.ballot import Act
from protocol.charter import Member
from protocol.entries import AbsentContent, Entry, MoveContent
from protocol.errors import Refused
from protocol.player import Player
from protocol.reducer import advance
from tests.p2p.replacement.table_of_three import (
    BRUNO,
    LATE,
    ME,
    SEED_OF_UNLOCKING,
    Table,
)
from tests.protocol.absent import NEWCOMER, SUBSTITUTE, ended, replaced
from tests.protocol.ring import signer_of
from tests.protocol.seeded import seeded
from tests.simulation.simulation import Simulation
from tests.simulation.tables import GRACE, simulated_nodes, without_proofs

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))


async def test_what_substitutes_have_signed_is_kept_with_the_vote(
    autojump_clock: MockClock,
) -> None:
    """Nobody else may have it: without it the joint entry would never be complete, and who has
    voted would wait for good.
    """
    with without_proofs(), simulated_nodes():
        simulation = Simulation(28)
        due = simulation.start.played.moments[simulation.start.height].state.due
        assert due is not None
        me = (due.player + 1) % 3
        machine = simulation.machines[me]
        membership = cast(Membership, machine.membership)
        node = simulation.node_for(machine, membership)
        await node.restore()
        node.resync.done = True  # it has what the others have
        await trio.sleep(GRACE + 1)
        member = Member(KEY.public_key().public_bytes_raw(), "Gil", bytes(32))
        content = AbsentContent((due.player,), (member,))
        signature = Entry.vote(node.absence(content), signer_of(KEY))
        await node.vote(content, {member.key: signature})
        again = simulation.node_for(machine, membership)
        await again.restore()
        assert again.proposals == (content,)


# -- what a power failure, a copy and an absence that comes late leave of them


async def test_6_7_a_refusal_is_on_the_disk_before_it_is_told(
    table: Table, autojump_clock: MockClock
) -> None:
    """The late entry alone is not. With the power both would go, and whoever comes back might vote
    in that place, and be exposed.
    """
    await table.take_late_entry()
    assert await table.told(table.vote(BRUNO))
    refusals = [one for one in table.node.talk if one == vote_of(table.refusal(ME))]
    assert len(refusals) == 1
    await table.start_again(table.journal.after_power_failure())
    await trio.sleep(GRACE + 1)
    assert table.node.height == table.moment.state.height + 1
    assert table.node._coordinator.own.refusals == {
        table.moment.state.next_place: table.refusal(ME)
    }
    copy = table.journal.copy_of(0)  # from before the late entry
    assert copy.doubtful


async def test_6_7_a_refusal_behind_an_own_entry_takes_no_disk(
    table: Table, autojump_clock: MockClock
) -> None:
    """Who votes in every place of a long record would have the others write for each."""
    height = table.moment.state.height
    for moment in map(table.played.at, range(height + 1, height + 4)):
        assert await table.node.carried(BRUNO, moment.state.height + 1, moment.entry)
    assert table.node.live_record.settled == height + 3
    before = len(table.journal.log)
    assert await table.told(table.vote(BRUNO))
    assert table.node._coordinator.passed[height + 1].own_refusal == table.refusal(ME)
    assert len(table.journal.log) == before


async def test_6_7_whoever_has_refused_does_not_vote_there(
    table: Table, autojump_clock: MockClock
) -> None:
    """Also when the record that is kept ends before the place."""
    await trio.sleep(GRACE + 1)
    await table.told(table.refusal(ME))
    await table.start_again()
    await trio.sleep(GRACE + 1)
    with pytest.raises(Refused, match="have refused"):
        await table.node.vote(AbsentContent((LATE,)))


async def test_6_8_a_vote_that_others_tell_too_late_binds_until_something_releases_it(
    table: Table, autojump_clock: MockClock
) -> None:
    """The journal was put back to before it. Whoever writes without the release is exposed by who
    has refused, and completes the absence later.
    """
    await table.take_late_entry()
    assert not table.node._coordinator.is_bound
    await table.told(table.vote(ME))
    assert table.node._coordinator.is_bound
    assert not table.node._appender.can_write
    assert table.releases == ()
    await table.told(table.refusal(BRUNO))
    assert not table.node._coordinator.is_bound
    assert table.releases == (table.refusal(BRUNO).encode(),)
    await table.start_again()
    assert table.releases == (table.refusal(BRUNO).encode(),)


async def test_6_8_what_releases_a_vote_is_kept_before_an_unlocking_in_that_place_is_taken(
    autojump_clock: MockClock,
) -> None:
    """Others' unlockings of a card are kept later than they are taken."""
    with without_proofs(), simulated_nodes():
        table = await Table.at(SEED_OF_UNLOCKING)
        await trio.sleep(GRACE + 1)
        await table.node.vote(AbsentContent((LATE,)))
        await table.told(table.refusal(BRUNO))
        await table.take_late_entry()
        assert table.node.height == table.moment.state.height + 1
        for _ in range(2):
            assert table.releases == (table.refusal(BRUNO).encode(),)
            assert not table.node._coordinator.is_bound
            await table.start_again()


async def test_6_8_a_late_entry_is_taken_when_another_member_has_refused(
    table: Table, autojump_clock: MockClock
) -> None:
    """It waited here, for this node had voted."""
    await trio.sleep(GRACE + 1)
    await table.node.vote(AbsentContent((LATE,)))
    await table.take_late_entry()
    height = table.moment.state.height
    await table.node.told(BRUNO, Candidates((NEWCOMER,)))  # which is no reason to go on
    assert table.node.height == height
    assert await table.told(table.refusal(BRUNO))
    assert table.node.height == height + 1
    assert table.node.state.head == advance(table.moment.state, table.moment.entry).head


async def test_6_who_is_named_hears_from_the_votes_that_the_match_ends(
    table: Table, autojump_clock: MockClock
) -> None:
    """They have no vote themselves, and nobody has to carry the absence to them."""
    for moment in map(table.played.at, (table.moment.state.height + n for n in (1, 2))):
        assert await table.node.carried(BRUNO, moment.state.height + 1, moment.entry)
    state, ring = table.node.state, table.played.ring
    body = absence(state, AbsentContent((ME,))).encode()
    for by in (BRUNO, LATE):
        assert not table.node.state.ended
        await table.told(Act.vote(body, state.charter.members[by].key, ring.signers[by]))
    assert table.node.state.ended


async def test_6_8_nobody_is_bound_by_a_vote_when_another_signer_has_gone_on(
    table: Table, autojump_clock: MockClock
) -> None:
    """It is that one whom the absence would expose."""
    await table.take_late_entry()
    await table.told(table.vote(ME))
    state = table.node.state
    assert state.due is not None
    assert state.due.player == BRUNO
    following = table.played.at(state.height + 1)
    assert await table.node.carried(BRUNO, state.height + 1, following.entry)
    assert not table.node._coordinator.is_bound
    cut = ended(table.played.ring, table.moment.state, LATE)
    assert not await table.node.carried(LATE, table.moment.state.height + 1, cut)
    assert table.node.exposed is not None
    assert table.node.exposed.player == BRUNO


async def test_two_late_entries_expose_who_has_written_them_to_who_holds_one_back(
    table: Table, autojump_clock: MockClock
) -> None:
    """Neither is in the record. The file of it has both, and the node knows it after a restart."""
    await trio.sleep(GRACE + 1)
    await table.node.vote(AbsentContent((LATE,)))
    await table.take_late_entry()
    height = table.moment.state.height
    assert table.node.height == height
    view = table.moment.ring.players[LATE].view(table.moment.state)
    assert view is not None
    moves = view.legal_moves(Seat(table.moment.state.match.seat_of(LATE)))
    late = cast(MoveContent, table.moment.body.content).move
    move = next(move for move in moves if move != late)
    player = table.moment.ring.players[LATE]
    other = player.write(table.moment.state, seeded("another late entry"), move).entry
    assert not await table.node.carried(BRUNO, height + 1, other)
    for node in (table.node, None):
        if node is None:
            await table.start_again()
        exposed = table.node.exposed
        assert exposed is not None
        assert (exposed.player, exposed.cause) == (LATE, "R8")
        auditor = Auditor()
        list(auditor.feed(b"".join(table.node.record())))
        finding = auditor.finish()
        assert (finding.verdict, finding.player) == (Verdict.EXPOSED, LATE)
        assert [one for one, _ in table.node.evidence] == [height + 1, height + 1]


async def test_5_who_was_put_back_hears_of_an_absence_in_the_place_of_other_entries_before_writing(
    table: Table, autojump_clock: MockClock
) -> None:
    """They do not know that they have agreed to it, and all have told the same height. What they
    wrote now would expose them.
    """
    await table.take_late_entry()
    height = table.moment.state.height + 1
    replacing = replaced(table.played.ring, table.moment.state, LATE)
    head = advance(table.moment.state, replacing).head
    node, ring = table.node, table.played.ring
    node.resync.done, node.resync.doubtful = False, True
    for player, told in ((LATE, node.state.head), (BRUNO, head)):
        own = Acknowledgement.make(node.table_id, height, told, ring.signers[player])
        node.mesh.known.hear(player, node.charter.members[player].key, Status(own))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(node.resync.run)
        await trio.sleep(5)
        assert not node.resync.done
        await node.carried(BRUNO, height, replacing)
        assert node.state.head == head
        node.mesh.known.forget(LATE)
        own = Acknowledgement.make(node.table_id, height, head, SUBSTITUTE)
        node.mesh.known.hear(LATE, NEWCOMER.key, Status(own))
        node.mesh._notify()
    assert node.resync.done


async def goes_back(table: Table) -> None:
    """The node has gone past an absence that it does not know any more to have agreed to, and votes
    in the place after it. Then it is shown the absence.
    """
    await table.take_late_entry()
    await trio.sleep(GRACE + 1)
    await table.node.vote(AbsentContent((BRUNO,)))
    replacing = replaced(table.played.ring, table.moment.state, LATE)
    assert await table.node.carried(BRUNO, table.moment.state.height + 1, replacing)
    assert table.node.height == table.moment.state.height + 1
    assert table.node.charter.members[LATE] == NEWCOMER


async def test_6_a_vote_in_a_place_of_the_record_that_was_left_is_another_one(
    table: Table, autojump_clock: MockClock
) -> None:
    """It has the height of one that this node gives after the absence; both are kept."""
    await goes_back(table)
    place, due = table.node.state.next_place, table.node.state.due
    assert due is not None
    assert due.player != ME
    await trio.sleep(GRACE + 1)
    await table.node.vote(AbsentContent((due.player,)))
    await table.start_again()
    assert table.node._coordinator.votes.mine is not None
    assert {kept.height for kept in table.node._coordinator.own.votes} == {place.height}
    assert len(table.node._coordinator.own.votes) == 2


async def test_6_what_was_said_in_the_record_that_was_left_stands_in_no_other(
    table: Table, autojump_clock: MockClock
) -> None:
    """Acts in the place of the same height are heard, and refused where that is due."""
    await goes_back(table)
    state = table.node.state
    assert state.due is not None
    ring, due = table.played.ring, state.due.player
    voter = next(player for player in range(3) if player not in {ME, due})
    sign = {BRUNO: ring.signers[BRUNO], LATE: SUBSTITUTE}
    body = absence(state, AbsentContent((due,))).encode()
    vote = Act.vote(body, state.charter.members[voter].key, sign[voter])
    player = Player(due, sign[due])
    entry = player.write(state, seeded("after the absence")).entry
    assert await table.node.carried(due, state.height + 1, entry)
    assert await table.told(vote)
    told = {one.key for one in table.node.talk if isinstance(one, Vote)}
    assert told == {state.charter.members[voter].key, state.charter.members[ME].key}
