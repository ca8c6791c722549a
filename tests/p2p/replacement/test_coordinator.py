"""What members do when somebody stays away: which seat can be given, to whom, and by whom."""

from collections.abc import Callable
from typing import cast

import pytest
import trio
from attrs import evolve
from trio.testing import MockClock

from engine.sentences import Sentence
from p2p.refusals import Reason, Refusal
from p2p.replacement import coordinator as coordinator_module
from p2p.replacement import own_acts
from p2p.replacement.votes import MOST_INVITATIONS, vote_of
from p2p.storage.known_players import KnownPlayers
from p2p.transport.endpoint import LOBBY, Caller
from p2p.transport.link import Link
from p2p.transport.lobby_messages import Sit
from p2p.transport.messages import Candidates, Goodbye, Hello, Invite, Noted, Vote, unpack
from protocol.absence import absence
from protocol.ballot import Act
from protocol.charter import Member
from protocol.entries import AbsentContent, Entry
from protocol.errors import Refused
from tests.p2p.replacement.table_of_three import BRUNO, LATE, ME, Table
from tests.protocol.absent import NEWCOMER, SUBSTITUTE, replaced
from tests.simulation.simulated_mesh import SimulatedLink
from tests.simulation.tables import GRACE

OTHER = Member(bytes([1]) * 32, "Eva", bytes(32))
SEAT = AbsentContent((LATE,), (NEWCOMER,))


@pytest.fixture
def spread(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """An item whenever the node shows the others what it has to say."""
    shown: list[int] = []
    mesh = type(table.node.mesh)
    monkeypatch.setattr(mesh, "show_talk", lambda _: shown.append(len(table.node.talk)))
    return shown


def signature(table: Table, content: AbsentContent = SEAT) -> Vote:
    """The newcomer's."""
    body = table.node.absence(content)
    return Vote(body, NEWCOMER.key, Entry.vote(body, SUBSTITUTE))


# -- the seat


async def test_a_seat_is_vacant_when_the_grace_of_who_is_waited_for_is_over(
    table: Table, autojump_clock: MockClock
) -> None:
    node = table.node
    assert node.vacant is None
    await trio.sleep(GRACE + 1)
    assert node.vacant == LATE
    node.live_record.dismissed = True
    assert node.vacant is None


async def test_no_seat_is_vacant_where_nobody_is_waited_for_or_nobody_else_could_agree(
    table: Table, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """Of two players none can agree on the absence of the other."""
    node = table.node
    await trio.sleep(GRACE + 1)
    three, state = node.charter, node.state
    node.live_record.state = evolve(state, charter=evolve(three, members=three.members[:2]))
    assert node.vacant is None
    node.live_record.state = state
    assert node.vacant == LATE
    monkeypatch.setattr(type(state), "due", None)
    assert node.vacant is None


async def test_no_seat_is_vacant_for_who_has_none_or_is_waited_for(
    table: Table, autojump_clock: MockClock
) -> None:
    for moment in map(table.played.at, (table.moment.state.height + n for n in (1, 2))):
        assert await table.node.carried(BRUNO, moment.state.height + 1, moment.entry)
    await trio.sleep(GRACE + 1)
    due = table.node.state.due
    assert due is not None
    assert due.player == ME
    assert table.node.vacant is None
    await table.start_again(type(table.journal)(table.journal.base, table.journal.base_secrets))
    await trio.sleep(GRACE + 1)
    assert table.node.vacant == LATE
    table.node.live_record.key = NEWCOMER.key
    assert table.node.vacant is None


# -- candidates


async def test_each_candidate_is_shown_once_as_the_first_member_tells(
    table: Table, autojump_clock: MockClock
) -> None:
    seated = table.node.charter.members[LATE]
    again = evolve(NEWCOMER, signed_name="Olgas")
    assert await table.node.told(LATE, Candidates((again,)))
    assert await table.node.told(BRUNO, Candidates((NEWCOMER, OTHER, seated)))
    assert not await table.node.told(BRUNO, Candidates((NEWCOMER, OTHER, seated)))
    assert [one.member for one in table.node.candidates] == [NEWCOMER, OTHER]
    assert await table.node.told(BRUNO, Candidates(()))
    assert [one.member for one in table.node.candidates] == [again]


async def test_candidates_are_forgotten_when_the_table_goes_on(
    table: Table, autojump_clock: MockClock
) -> None:
    await table.node.told(BRUNO, Candidates((NEWCOMER,)))
    await table.take_late_entry()
    assert table.node.candidates == ()


async def test_of_candidates_nobody_is_told_at_once_but_of_all_else(
    table: Table, spread: list[int], autojump_clock: MockClock
) -> None:
    """Strangers come as they like. Whoever looks on here sees them at once."""
    progress = table.node.progress
    await table.node.told(BRUNO, Candidates((NEWCOMER,)))
    assert progress.is_set()
    assert spread == []
    assert await table.node.told(BRUNO, Invite(table.node.absence(SEAT)))
    assert len(spread) == 1
    assert not await table.node.told(BRUNO, Invite(table.node.absence(SEAT)))
    assert len(spread) == 1
    assert await table.told(table.vote(BRUNO))
    assert len(spread) == 2


async def test_the_others_are_told_of_candidates_while_a_seat_is_vacant(
    table: Table, autojump_clock: MockClock
) -> None:
    assert not [one for one in table.node.talk if isinstance(one, Candidates)]
    await trio.sleep(GRACE + 1)
    assert [one for one in table.node.talk if isinstance(one, Candidates)] == [Candidates(())]


# -- invitations


@pytest.fixture
async def waiting(table: Table) -> Table:
    """The grace is over, and two people wait at Bruno's."""
    await table.node.told(BRUNO, Candidates((NEWCOMER, OTHER)))
    await trio.sleep(GRACE + 1)
    return table


async def test_nobody_is_invited_before_the_grace_is_over_or_without_a_seat(
    table: Table, autojump_clock: MockClock
) -> None:
    await table.node.told(BRUNO, Candidates((NEWCOMER,)))
    with trio.fail_after(60), pytest.raises(Refused, match="grace"):
        await table.node.invite({LATE: NEWCOMER.key})
    await trio.sleep(GRACE + 1)
    table.node.live_record.key = OTHER.key
    for refused in (table.node.invite({LATE: NEWCOMER.key}), table.node.vote(SEAT)):
        with trio.fail_after(60), pytest.raises(Refused, match="no seat yet"):
            await refused


async def test_whoever_invites_to_two_seats_names_them_in_any_order(
    waiting: Table, autojump_clock: MockClock
) -> None:
    """At a table of three it is one too many."""
    for seats in ({LATE: NEWCOMER.key, BRUNO: OTHER.key}, {BRUNO: OTHER.key, LATE: NEWCOMER.key}):
        with trio.fail_after(60), pytest.raises(Refused, match="More than half"):
            await waiting.node.invite(seats)


@pytest.mark.parametrize("seats", [{}, {LATE: bytes(32)}, {LATE: NEWCOMER.key, ME: bytes(32)}])
async def test_only_who_waits_at_the_table_is_invited(
    waiting: Table, seats: dict[int, bytes], autojump_clock: MockClock
) -> None:
    with trio.fail_after(60), pytest.raises(Refused, match="has to wait at the table"):
        await waiting.node.invite(seats)


async def test_whom_something_speaks_against_is_neither_invited_nor_agreed_to(
    waiting: Table, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    no = Refusal(Reason.OTHER_KEY, Sentence("Another Olga."))
    monkeypatch.setattr(
        KnownPlayers, "objection", lambda _, key, _name: no if key == NEWCOMER.key else None
    )
    with trio.fail_after(60), pytest.raises(Refused, match="Another Olga"):
        await waiting.node.invite({LATE: NEWCOMER.key})
    with pytest.raises(Refused, match="Another Olga"):
        await waiting.node.vote(SEAT, {NEWCOMER.key: signature(waiting).signature})
    assert waiting.node._coordinator.votes.mine is None


async def inviting(table: Table, then: Callable[[], object]) -> AbsentContent | str:
    """What an invitation of the newcomer comes to, or why to nothing, when that happens meanwhile.
    It waits until then.
    """
    found: list[AbsentContent | str] = []

    async def invites() -> None:
        try:
            found.append(await table.node.invite({LATE: NEWCOMER.key}))
        except Refused as error:
            found.append(str(error))

    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(invites)
            await trio.testing.wait_all_tasks_blocked()
            assert not found
            then()
            table.node.wake()
    return found[0]


async def test_an_invitation_is_answered_when_the_invited_have_signed(
    waiting: Table, spread: list[int], autojump_clock: MockClock
) -> None:
    body = waiting.node.absence(SEAT)

    def signs() -> None:
        assert spread
        waiting.node._coordinator.votes.add(signature(waiting))

    assert await inviting(waiting, signs) == SEAT
    assert waiting.node._coordinator.votes.invitations == (Invite(body),)
    # Once more: they have signed.
    with trio.fail_after(60):
        assert await waiting.node.invite({LATE: NEWCOMER.key}) == SEAT


async def test_an_invitation_ends_when_the_invited_or_the_table_go(
    waiting: Table, autojump_clock: MockClock
) -> None:
    coordinator = waiting.node._coordinator

    def goes() -> None:
        coordinator._told[BRUNO] = (OTHER,)

    def is_over() -> None:
        waiting.node.live_record.dismissed = True

    def goes_on() -> None:
        state = waiting.node.state
        waiting.node.live_record.state = evolve(state)

    for then, why in ((goes, "gone again"), (goes_on, "gone on"), (is_over, "gone on")):
        coordinator._told[BRUNO] = (NEWCOMER, OTHER)
        assert why in str(await inviting(waiting, then))


async def test_nobody_invites_more_than_are_remembered(
    waiting: Table, autojump_clock: MockClock
) -> None:
    names = [evolve(OTHER, signed_name=f"Eva {n}") for n in range(MOST_INVITATIONS)]
    for name in names:
        body = waiting.node.absence(evolve(SEAT, substitutes=(name,)))
        assert waiting.node._coordinator.votes.invite(ME, Invite(body))
    with trio.fail_after(60), pytest.raises(Refused, match="invited enough"):
        await waiting.node.invite({LATE: NEWCOMER.key})


# -- votes


async def test_a_vote_for_a_substitute_takes_their_signature(
    waiting: Table, spread: list[int], autojump_clock: MockClock
) -> None:
    node = waiting.node
    with pytest.raises(Refused, match="not signed yet"):
        await node.vote(SEAT)
    with pytest.raises(Refused, match="not signed yet"):
        await node.vote(SEAT, {OTHER.key: bytes(64)})
    assert spread == []
    progress = node.progress
    await node.vote(SEAT, {NEWCOMER.key: signature(waiting).signature})
    assert progress.is_set()
    assert len(spread) == 1
    assert node.proposals == (SEAT,)
    assert {one.key for one in node.talk if isinstance(one, Vote)} == {
        node.live_record.key,
        NEWCOMER.key,
    }


async def test_nobody_votes_who_could_not_answer_for_it(
    waiting: Table, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    monkeypatch.setattr(own_acts, "_MOST_VOTES", 0)
    with pytest.raises(Refused, match="too often"):
        await waiting.node.vote(AbsentContent((LATE,)))
    assert waiting.node._coordinator.votes.mine is None


async def test_when_all_have_voted_the_table_goes_on_with_the_substitute(
    waiting: Table, autojump_clock: MockClock
) -> None:
    node, ring = waiting.node, waiting.played.ring
    body = node.absence(SEAT)
    mine = node.charter.members[BRUNO].key
    assert await waiting.told(Act.vote(body, mine, ring.signers[BRUNO]))
    assert node.charter.members[LATE] != NEWCOMER
    await node.vote(SEAT, {NEWCOMER.key: signature(waiting).signature})
    assert node.charter.members[LATE] == NEWCOMER
    assert node.departed == {ring.state.charter.members[LATE].key: node.height}
    assert node._coordinator.knows_of_seat(node.live_record.key)
    assert not node._coordinator.knows_of_seat(NEWCOMER.key)
    assert not node._coordinator.knows_of_seat(bytes(32))
    node.mesh.known._spoken.add(LATE)
    assert node._coordinator.knows_of_seat(NEWCOMER.key)
    await waiting.start_again()
    assert waiting.node.departed == node.departed
    assert not waiting.node._coordinator.knows_of_seat(NEWCOMER.key)


# -- acts in places that the record has gone past


async def test_acts_of_the_newest_places_are_remembered(
    table: Table, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    monkeypatch.setattr(coordinator_module, "_MOST_PASSED", 2)
    passed = table.node._coordinator.passed
    first = table.moment.state.height + 1
    for height in range(first, first + 3):
        moment = table.played.at(height)
        by = next(p for p in (BRUNO, LATE) if p != moment.writer)
        key = moment.state.charter.members[by].key
        refusal = Act.refusal(moment.state.next_place, by, key, moment.ring.signers[by])
        assert await table.node.told(by, vote_of(refusal))
        assert await table.node.carried(by, height, moment.entry)
    assert sorted(passed) == [first + 1, first + 2]


async def test_an_act_of_another_record_or_of_nobody_here_is_no_news(
    table: Table, autojump_clock: MockClock
) -> None:
    await table.take_late_entry()
    place, ring = table.moment.state.next_place, table.played.ring
    key = ring.state.charter.members[BRUNO].key
    sign = ring.signers[BRUNO]
    coordinator = table.node._coordinator
    for elsewhere in (
        evolve(place, table_id=bytes(32)),
        evolve(place, previous=bytes(32)),
        evolve(place, height=place.height + 2),
    ):
        assert not await table.told(Act.refusal(elsewhere, BRUNO, key, sign))
    assert not await table.told(Act.refusal(place, BRUNO, NEWCOMER.key, SUBSTITUTE))
    assert coordinator.passed == {}
    assert await table.told(Act.refusal(place, BRUNO, key, sign))
    assert list(coordinator.passed) == [place.height]
    assert not await table.told(Act.refusal(place, BRUNO, key, sign))


async def test_what_is_told_is_kept_only_while_the_table_goes_on(
    table: Table, autojump_clock: MockClock
) -> None:
    table.node.live_record.dismissed = True
    assert not await table.told(table.vote(BRUNO))
    assert tuple(table.node._coordinator.votes) == ()


async def test_6_7_in_a_match_that_is_over_who_waits_gets_a_refusal(
    table: Table, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """They may lack the end yet. In the next place there is nothing to agree on any more; and who
    is dismissed has nothing to say to anybody.
    """
    await table.take_late_entry()
    state = table.node.state
    due = state.due
    assert due is not None
    (voter,) = {BRUNO, LATE} - {due.player}
    body = absence(state, AbsentContent((due.player,))).encode()
    signer = table.played.ring.signers[voter]
    monkeypatch.setattr(type(table.node), "over", True)
    assert not await table.told(Act.vote(body, state.charter.members[voter].key, signer))
    assert tuple(table.node._coordinator.votes) == ()
    table.node.live_record.dismissed = True
    assert not await table.told(table.vote(BRUNO))
    assert table.node._coordinator.passed == {}
    table.node.live_record.dismissed = False
    assert await table.told(table.vote(BRUNO))
    (ballot,) = table.node._coordinator.passed.values()
    assert ballot.own_refusal == table.refusal(ME)


async def test_6_7_with_an_old_copy_nobody_refuses(table: Table, autojump_clock: MockClock) -> None:
    """They may have voted there."""
    await table.take_late_entry()
    table.node.resync.doubtful = True
    assert await table.told(table.vote(BRUNO))
    (ballot,) = table.node._coordinator.passed.values()
    assert ballot.own_refusal is None


async def test_6_acts_in_places_that_were_left_are_left_with_them(
    table: Table, autojump_clock: MockClock
) -> None:
    """Those in the place before are still about the record."""
    coordinator, height = table.node._coordinator, table.moment.state.height
    before = table.played.at(height)
    by = next(player for player in (BRUNO, LATE) if player != before.writer)
    key = before.state.charter.members[by].key
    refusal = Act.refusal(before.state.next_place, by, key, before.ring.signers[by])
    assert await table.told(refusal)
    await table.take_late_entry()
    assert await table.told(table.vote(ME))
    assert sorted(coordinator.passed) == [height, height + 1]
    replacing = replaced(table.played.ring, table.moment.state, LATE)
    assert await table.node.carried(BRUNO, height + 1, replacing)
    assert sorted(coordinator.passed) == [height, height + 1]
    assert list(coordinator.passed[height]) == [refusal]


async def test_who_waits_for_a_seat_hears_that_it_is_not_vacant_any_more(
    table: Table, autojump_clock: MockClock
) -> None:
    await trio.sleep(GRACE + 1)
    here, there = SimulatedLink.pair(NEWCOMER.key, table.node.live_record.key)
    caller = Caller(cast(Link, there), Hello(LOBBY, 0))
    async with trio.open_nursery() as nursery:
        sit = Sit(NEWCOMER.name, NEWCOMER.nonce)
        nursery.start_soon(table.node._coordinator.room.receive, caller, sit)
        await trio.testing.wait_all_tasks_blocked()
        assert [one.member for one in table.node.candidates] == [NEWCOMER]
        await table.take_late_entry()
    assert table.node.candidates == ()
    assert unpack(await here.receive()) == Noted()
    assert unpack(await here.receive()) == Goodbye(Reason.SEAT_NOT_VACANT_ANY_MORE)
