"""A host that shows one charter and proposes another gets no signature."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trio
from attrs import evolve
from trio.testing import MockClock

from engine.games import game_named
from p2p.lobby.guest import MOST_ATTEMPTS, NotUnderstood
from p2p.storage.identity import Identity
from p2p.transport.endpoint import LOBBY, Caller, hear, say
from p2p.transport.link import Link
from p2p.transport.lobby_messages import (
    Propose,
    Reveal,
    Seat,
    Seats,
    Sign,
    Sit,
)
from p2p.transport.messages import Agreed
from protocol.charter import Charter, Member, SignedCharter, nonce_commitment
from protocol.errors import Mismatch, OutOfTurn
from tests.p2p.lobby.lobbies import NONCE, seat_of, shown
from tests.p2p.machines import Machines, failure_of

pytestmark = pytest.mark.usefixtures("on_memory")


Trick = Callable[[Link, Member, Member], Awaitable[None]]


async def meets(machines: Machines, trick: Trick) -> Exception:
    """What comes of the second machine's joining at the first, which plays a trick."""
    host, guest = machines.all

    async def receive(caller: Caller) -> None:
        sit = await hear(caller.link)
        assert isinstance(sit, Sit)
        me = Member(host.identity.public, "Ana", NONCE)
        you = Seat(caller.link.peer, sit.name, sit.commitment)
        await say(caller.link, shown(seat_of(me), you))
        await say(caller.link, Seats(1, (seat_of(me), you)))
        while not isinstance(revealed := await hear(caller.link), Reveal):
            pass
        await trick(caller.link, me, Member(you.key, you.name, revealed.nonce))
        await trio.sleep(100)

    async with host.process() as (endpoint, _):
        with endpoint.route(LOBBY, receive):
            return await failure_of(guest.sit_down(host.address, "canasta", 2))


def charter(*members: Member, **options: int) -> Charter:
    game = game_named("canasta")
    return Charter(game, game.options(**options), members)


async def test_a_charter_that_names_the_guest_otherwise_is_not_signed(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async def without_guest(link: Link, me: Member, guest: Member) -> None:
        stranger = Member(Identity.generate().public, guest.name, guest.nonce)
        await say(link, Propose(charter(me, stranger).encode()))

    async def without_host(link: Link, me: Member, guest: Member) -> None:
        stranger = Member(Identity.generate().public, "Eva", NONCE)
        await say(link, Propose(charter(stranger, guest).encode()))

    for number, trick in enumerate((without_guest, without_host)):
        error = await meets(Machines.make(2, tmp_path / f"{number}"), trick)
        assert isinstance(error, Mismatch)
        assert "does not name" in str(error)


async def test_a_host_who_chooses_a_nonce_after_the_others_gets_no_signature(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """With one they could look for a table id whose words are those of another table."""

    async def ground(link: Link, me: Member, guest: Member) -> None:
        await say(link, Propose(charter(evolve(me, nonce=b"\x01" * 32), guest).encode()))

    async def ground_for_guest(link: Link, me: Member, guest: Member) -> None:
        await say(link, Propose(charter(me, evolve(guest, nonce=b"\x01" * 32)).encode()))

    async def twice(link: Link, me: Member, guest: Member) -> None:
        """A second charter, when all nonces are known."""
        await say(link, Propose(charter(me, guest).encode()))
        while not isinstance(await hear(link), Sign):
            pass
        await say(link, Propose(charter(me, guest).encode()))

    for number, trick in enumerate((ground, ground_for_guest, twice)):
        error = await meets(Machines.make(2, tmp_path / f"{number}"), trick)
        assert isinstance(error, Mismatch)
        assert "committed" in str(error)


async def test_each_attempt_has_a_fresh_nonce_and_there_are_not_many(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Each is a chance for somebody in between to show the same words on both sides."""
    host, guest = Machines.make(2, tmp_path).all
    nonces: list[bytes] = []

    async def receive(caller: Caller) -> None:
        link = caller.link
        sit = await hear(link)
        assert isinstance(sit, Sit)
        me = seat_of(Member(host.identity.public, "Ana", NONCE))
        you = first = Seat(link.peer, sit.name, sit.commitment)
        await say(link, shown(me, you))
        for number in range(1, 2 * MOST_ATTEMPTS):
            if nonces:
                await say(link, Seats(number, (me, first)))  # used up: not answered
            await say(link, Seats(number, (me, you)))
            while not isinstance(revealed := await hear(link), Reveal):
                pass
            assert nonce_commitment(link.peer, revealed.nonce) == you.commitment
            nonces.append(revealed.nonce)
            you = evolve(you, commitment=revealed.commitment)

    async with host.process() as (endpoint, _):
        with endpoint.route(LOBBY, receive):
            error = await failure_of(guest.sit_down(host.address, "canasta", 2))
    assert isinstance(error, OutOfTurn)
    assert "Too often" in str(error)
    assert len(set(nonces)) == len(nonces) == MOST_ATTEMPTS


async def test_the_table_begins_with_what_was_signed_or_not_at_all(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    machines = Machines.make(2, tmp_path)
    host, guest = machines.all

    async def other_charter(link: Link, me: Member, you: Member) -> None:
        await say(link, Propose(charter(me, you).encode()))
        await hear(link)
        fresh = Member(me.key, me.name, b"\x01" * 32)
        other = charter(fresh, you)
        signatures = tuple(other.sign(m.identity.sign) for m in (host, guest))
        await say(link, Agreed(SignedCharter(other, signatures).encode()))

    assert "another charter" in str(await meets(machines, other_charter))


async def test_a_charter_that_not_all_have_signed_is_none(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    machines = Machines.make(2, tmp_path)

    async def unsigned(link: Link, me: Member, you: Member) -> None:
        proposed = charter(me, you)
        await say(link, Propose(proposed.encode()))
        while not isinstance(sign := await hear(link), Sign):
            pass
        await say(link, Agreed(SignedCharter(proposed, (bytes(64), sign.signature)).encode()))

    assert isinstance(await meets(machines, unsigned), NotUnderstood)


async def test_terms_and_players_are_signed_as_they_were_shown_or_not_at_all(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async def other_rules(link: Link, me: Member, you: Member) -> None:
        await say(link, Propose(charter(me, you, target=500).encode()))

    async def another_player(link: Link, me: Member, you: Member) -> None:
        third = Member(Identity.generate().public, "Eva", NONCE)
        await say(link, Propose(charter(me, you, third).encode()))

    async def other_order(link: Link, me: Member, you: Member) -> None:
        await say(link, Propose(charter(you, me).encode()))

    async def longer_grace(link: Link, me: Member, you: Member) -> None:
        await say(link, Propose(evolve(charter(me, you), grace=86_400).encode()))

    async def spectators(link: Link, me: Member, you: Member) -> None:
        await say(link, Propose(evolve(charter(me, you), spectators=True).encode()))

    tricks = (other_rules, another_player, other_order, longer_grace, spectators)
    for number, trick in enumerate(tricks):
        error = await meets(Machines.make(2, tmp_path / f"{number}"), trick)
        assert isinstance(error, Mismatch)
        assert "another table" in str(error)
