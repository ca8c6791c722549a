"""People who take the seat of a player who stays away: what they see, and who lets them in."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from p2p.refusals import Reason
from p2p.replacement.votes import MOST_INVITATIONS
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.storage.rollback_guard import GUARD_FILE
from p2p.table.node import Node
from p2p.table.resync import STATUS_SECONDS
from p2p.transport.endpoint import LOBBY, Declined, hear, say
from p2p.transport.link import Link
from p2p.transport.lobby_messages import Ready, Sit
from p2p.transport.messages import MOST_CANDIDATES, Invite, Message, Noted, Vote
from protocol.charter import USUAL_GRACE, Member
from protocol.entries import AbsentContent, Entry
from protocol.errors import Mismatch, Refused
from protocol.words import words
from tests.p2p.machines import PORT, Machine, Machines, failure_of
from tests.p2p.replacement.deaths import dies_at, three, until_dead

pytestmark = pytest.mark.usefixtures("on_memory", "without_proofs")

Steward = Callable[[Node], Awaitable[None]]


async def agrees(node: Node) -> None:
    """Votes for whatever another member proposes."""
    while not node.proposals:
        await trio.sleep(1)
    await node.vote(node.proposals[0])


async def invites(node: Node) -> None:
    """Gives the seat to the first who comes."""
    while not node.candidates:
        await trio.sleep(1)
    assert node.vacant is not None
    await node.vote(await node.invite({node.vacant: node.candidates[0].key}))


def stranger(machines: Machines, folder: Path, number: int = 3) -> Machine:
    return Machine(machines.network, number, folder / f"stranger{number}")


@asynccontextmanager
async def one_missing(
    tmp_path: Path, ana_does: Steward | None = None, bruno_does: Steward | None = None
) -> AsyncIterator[tuple[Machines, Machine]]:
    """Ana and Bruno wait for Carla, longer than the grace, as long as the block lasts; and
    somebody else is there.
    """
    machines, ana, bruno, carla = await three(tmp_path)
    dies_at(carla, 20)
    ana.steward, bruno.steward = ana_does, bruno_does
    with trio.fail_after(100 * USUAL_GRACE):
        async with trio.open_nursery() as nursery:
            for task in (partial(until_dead, carla), ana.play, bruno.play):
                nursery.start_soon(task)
            await trio.sleep(USUAL_GRACE + 30)
            yield machines, stranger(machines, tmp_path)
            nursery.cancel_scope.cancel()


async def until_over(*machines: Machine) -> None:
    while not all(machine.node and machine.node.over for machine in machines):
        await trio.sleep(1)


async def test_a_person_takes_the_seat_and_plays(tmp_path: Path, autojump_clock: MockClock) -> None:
    """They come to Ana, and Bruno invites them, who learns of them through Ana. The one whose seat
    was given away comes back, and learns of it.
    """
    async with one_missing(tmp_path, agrees, invites) as (machines, diego):
        ana, bruno, carla = machines.all
        membership = await diego.sit_down(ana.address, "canasta", 3)
        assert membership.me == 2
        async with trio.open_nursery() as nursery:
            nursery.start_soon(diego.play)
            nursery.start_soon(carla.play)
            with trio.fail_after(STATUS_SECONDS):  # nobody has to be waited for that long
                await until_over(ana, bruno, carla, diego)
    assert ana.entries() == bruno.entries() == diego.entries()
    assert ana.node is not None
    assert ana.node.state.complete
    assert [member.name for member in ana.node.charter.members] == ["Ana", "Bruno", "Diego"]
    assert carla.node is not None
    assert carla.node.dismissed
    await fetches_it_again(diego, membership, ana)


async def fetches_it_again(diego: Machine, membership: Membership, ana: Machine) -> None:
    """Whoever took a seat is a member also where the table is not being played any more."""
    whole = diego.entries()
    for name in (JOURNAL_FILE, GUARD_FILE):
        (diego.home / name).unlink()
    with Journal.open(diego.home / JOURNAL_FILE) as journal:
        membership.keep(journal)
    async with ana.process():
        await diego.play()
    assert diego.entries() == whole


async def test_a_candidate_learns_nothing_until_a_member_invites_them(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with one_missing(tmp_path) as (machines, diego):
        ana, bruno, _ = machines.all
        async with waiting(diego, ana) as link:
            heard = await heard_for(link, 60)
            assert heard
            assert set(heard) == {Noted()}
            assert bruno.node is not None
            (candidate,) = bruno.node.candidates
            assert (candidate.key, candidate.name) == (diego.identity.public, "Diego")
            assert candidate.words == words(diego.identity.public)
            assert candidate.objection is None
            with trio.move_on_after(10):
                await bruno.node.invite({2: candidate.key})
            kinds = [message.kind for message in await heard_for(link, 5)]
            shown = [kind for kind in kinds if kind != "noted"]
            assert shown == ["agreed", *bruno.node.height * ["carry"], "invite"]
        await trio.sleep(10)
        assert bruno.node.candidates == ()
        assert bruno.node.proposals == ()


@asynccontextmanager
async def waiting(machine: Machine, at: Machine, name: str | None = None) -> AsyncIterator[Link]:
    """A link on which somebody has asked for the seat."""
    async with (
        machine.process() as (endpoint, _),
        endpoint.dial(at.address, PORT, LOBBY) as link,
    ):
        await say(link, Sit(name or machine.name, bytes(32)))
        yield link


async def heard_for(link: Link, seconds: float) -> list[Message]:
    """What is said on a link, by one who stays."""
    messages: list[Message] = []
    with trio.move_on_after(seconds):
        while True:
            messages.append(await hear(link))
            await say(link, Ready(True))
    return messages


def meets(node: Node, key: bytes) -> None:
    """The node's player has sat with the holder of that key, who was called Diego."""
    node._coordinator.known_players.meet([Member(key, "Diego", bytes(32))], "2026-01-01")


async def refusal(link: Link) -> str:
    error = await failure_of(heard_for(link, 10))
    assert isinstance(error, Declined)
    return str(error)


async def test_nobody_is_noted_where_nobody_is_missed(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    machines, ana, bruno, carla = await three(tmp_path)
    diego = stranger(machines, tmp_path)
    dies_at(carla, 20)
    async with trio.open_nursery() as nursery:
        for task in (partial(until_dead, carla), ana.play, bruno.play):
            nursery.start_soon(task)
        await trio.sleep(30)
        async with waiting(diego, ana) as link:
            assert "No seat is free" in await refusal(link)
        nursery.cancel_scope.cancel()


async def test_a_member_who_asks_for_a_rematch_too_early_is_not_shown_the_old_table(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Bruno has the last signature before Ana has it, and goes back to that lobby at once."""
    _machines, ana, bruno, _ = await three(tmp_path)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ana.play)
        await trio.sleep(1)
        error = await failure_of(bruno.sit_down(ana.address, "canasta", 3))
        assert isinstance(error, Declined)
        assert error.reason == Reason.MATCH_NOT_OVER
        nursery.cancel_scope.cancel()


async def test_a_substitute_who_missed_the_last_vote_learns_of_the_seat_at_the_next_visit(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with one_missing(tmp_path, agrees, invites) as (machines, diego):
        ana, _, _ = machines.all
        async with waiting(diego, ana) as link:
            while not isinstance(message := await hear(link), Invite):
                pass
            signature = Entry.vote(message.body, diego.identity.sign)
            await say(link, Vote(message.body, diego.identity.public, signature))
        assert ana.node is not None
        while "Diego" not in (member.name for member in ana.node.charter.members):
            await trio.sleep(1)
        membership = await diego.sit_down(ana.address, "canasta", 3)
        assert membership.me == 2


async def test_a_friends_name_with_another_key_is_refused_and_not_voted_for(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Ana knows another Diego, and sends this one away; where they get in, Ana does not agree."""
    async with one_missing(tmp_path) as (machines, diego):
        ana, bruno, _ = machines.all
        assert ana.node is not None
        assert bruno.node is not None
        ana.node._coordinator.known_players.meet(
            [Member(bytes([7]) * 32, "Diego", bytes(32))], "2026-01-01"
        )
        async with waiting(diego, ana) as link:
            assert "another key" in await refusal(link)
        async with waiting(diego, bruno) as link:
            await heard_for(link, 10)
            (candidate,) = ana.node.candidates
            assert candidate.objection is not None
            with pytest.raises(Refused, match="another key"):
                await ana.node.invite({2: candidate.key})
            seat = AbsentContent((2,), (candidate.member,))
            signature = Entry.vote(ana.node.absence(seat), diego.identity.sign)
            with pytest.raises(Refused, match="another key"):
                await ana.node.vote(seat, {candidate.key: signature})
        async with waiting(diego, bruno, "Carla") as link:
            assert "choose another name" in await refusal(link)


async def test_a_vote_for_somebody_who_has_not_signed_is_refused(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """They might never do so, and votes cannot be taken back."""
    async with one_missing(tmp_path) as (machines, diego):
        ana, _, _ = machines.all
        assert ana.node is not None
        seat = AbsentContent((2,), (Member(diego.identity.public, "Diego", bytes(32)),))
        with pytest.raises(Refused, match="not signed"):
            await ana.node.vote(seat)
        with pytest.raises(Refused, match="wait at the table"):
            await ana.node.invite({2: diego.identity.public})


async def test_strangers_fill_the_waiting_room_but_keep_no_friend_out(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with one_missing(tmp_path) as (machines, diego), AsyncExitStack() as stack:
        ana, bruno, _ = machines.all
        assert ana.node is not None
        ana.node._coordinator.known_players.meet(
            [Member(diego.identity.public, "Diego", bytes(32))], "2026-01-01"
        )
        for number in range(MOST_CANDIDATES):
            other = stranger(machines, tmp_path, 10 + number)
            link = await stack.enter_async_context(waiting(other, ana, f"Eve {number}"))
            assert await hear(link) == Noted()
        one_more = stranger(machines, tmp_path, 20)
        async with waiting(one_more, ana, "Eve more") as link:
            assert "Enough" in await refusal(link)
        async with waiting(diego, ana) as link:
            assert await hear(link) == Noted()
            assert bruno.node is not None
            await trio.sleep(10)
            assert len(bruno.node.candidates) == MOST_CANDIDATES
            assert diego.identity.public in {c.key for c in bruno.node.candidates}


async def test_a_candidate_signs_for_no_record_that_does_not_hold(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with one_missing(tmp_path, bruno_does=invites) as (machines, diego):
        ana, _, _ = machines.all
        assert ana.node is not None
        entries = ana.node.entries

        async def forged(since: int, most: int) -> tuple[bytes, ...]:
            return tuple(entry[:-1] + b"\0" for entry in await entries(since, most))

        ana.node.entries = forged  # type: ignore[method-assign]
        error = await failure_of(diego.sit_down(ana.address, "canasta", 3))
        assert isinstance(error, Mismatch)
        assert "does not hold" in str(error)
        assert ana.node.proposals == ()


async def test_made_up_substitutes_are_not_remembered(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """A member could sign for as many keys as they can make."""
    async with one_missing(tmp_path) as (machines, _):
        ana, _, _ = machines.all
        assert ana.node is not None
        coordinator = ana.node._coordinator
        for number in range(2 * MOST_INVITATIONS):
            eve = Identity.generate()
            member = Member(eve.public, f"Eve {number}", bytes(32))
            body = ana.node.absence(AbsentContent((2,), (member,)))
            vote = Vote(body, eve.public, Entry.vote(body, eve.sign))
            assert not await ana.node.told(1, vote)
            assert await ana.node.told(1, Invite(body)) == (number < MOST_INVITATIONS)
            assert await ana.node.told(1, vote) == (number < MOST_INVITATIONS)
        assert (
            len(coordinator.votes.invitations) == len(tuple(coordinator.votes)) == MOST_INVITATIONS
        )
        assert ana.node.proposals == ()
