"""Lobbies for tests: a host on one machine, and links on which a test can send anything."""

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import pytest
import trio

from engine.games import game_named
from engine.sentences import Sentence
from p2p.background_task import beside
from p2p.lobby.client_callbacks import LobbyCallbacks
from p2p.lobby.guest import Guest
from p2p.lobby.host import Host
from p2p.lobby.knock_price import pay
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal, TableRecord
from p2p.storage.memberships import Membership
from p2p.transport.endpoint import LOBBY, Caller, Declined, Handler, hear, say
from p2p.transport.frames import LinkClosed
from p2p.transport.link import Link
from p2p.transport.lobby_messages import (
    CommittedSeat,
    LobbyPlayer,
    LobbyState,
    Price,
    Propose,
    Ready,
    Reveal,
    Seats,
    Sit,
    Terms,
)
from p2p.transport.messages import Message
from protocol.charter import Charter, Member, nonce_commitment
from tests.p2p.machines import PORT, Machine, Machines, failure_of

Refused = Callable[[str, Sentence], None]

NONCE = bytes(32)
COMMITMENT = bytes(32)
CANASTA = game_named("canasta")


def terms(seats: int) -> Terms:
    """Return the terms of a table of Canasta with the default options."""
    return Terms("Kitchen", CANASTA, CANASTA.options(), seats)


def charter(*members: Member, **options: int) -> Charter:
    """Return a charter of Canasta with these options."""
    return Charter(CANASTA, CANASTA.options.from_pairs(options.items()), members)


def shown(*members: Member | CommittedSeat) -> LobbyState:
    """Return the state of a lobby in which these members are all ready."""
    sitters = tuple(LobbyPlayer(member.key, member.name, ready=True) for member in members)
    return LobbyState(terms(len(members)), sitters)


@asynccontextmanager
async def hosting(
    host: Machine, seats: int, company: LobbyCallbacks | None = None
) -> AsyncIterator[list[Membership]]:
    """Let the machine host a table during the block; yield a list that gets the membership."""
    memberships: list[Membership] = []

    async def host_table() -> None:
        memberships.append(await host.sit_down(host.address, "canasta", seats, company))

    async with beside(host_table):
        await trio.testing.wait_all_tasks_blocked()
        yield memberships


@asynccontextmanager
async def visiting(machine: Machine, host: Machine) -> AsyncIterator[Link]:
    """Open a link to the host's lobby, on which the test can send anything."""
    async with machine.process() as (endpoint, _), endpoint.dial(host.address, PORT, LOBBY) as link:
        yield link


@asynccontextmanager
async def at_the_door_of(
    host: Machine,
    *friends: Machine,
    seats: int = 3,
    ready: bool = False,
    everybody: bool = False,
    attended: bool = True,
    refused: Refused = lambda _name, _sentence: None,
    seen: Callable[[LobbyState], None] = lambda _state: None,
    begun: Callable[[Membership], None] = lambda _membership: None,
) -> AsyncIterator[Host]:
    """Host a table where these friends, or `everybody`, can sit down without knocking.

    `refused` is called for each guest who is refused, `seen` with each state of the lobby, and
    `begun` when all have signed.
    """
    known = {friend.identity.public for friend in friends}
    async with host.process() as (endpoint, journal), trio.open_nursery() as nursery:

        def sits_at_once(key: bytes, suspect: bool) -> bool:
            return key in known or (everybody and not suspect)

        callbacks = LobbyCallbacks(seen, sits_at_once=sits_at_once, on_refused=refused)
        entropy = random.Random(1).randbytes
        hosting = Host(
            endpoint, journal, "Ana", terms(seats), entropy, callbacks, ready, attended=attended
        )

        async def run(*, task_status: trio.TaskStatus[None]) -> None:
            begun(await hosting.run(task_status=task_status))

        await nursery.start(run)
        yield hosting
        nursery.cancel_scope.cancel()


async def sit_idly(
    guest: Machine, host: Machine, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
) -> None:
    """Sit down at that host, and then neither read nor send anything."""
    async with visiting(guest, host) as link:
        await say(link, Sit(guest.name, COMMITMENT))
        await sees(link)
        task_status.started()
        await trio.sleep_forever()


async def sit_ready(link: Link, name: str, commitment: bytes = COMMITMENT) -> None:
    """Ask for a seat, and say at once that the guest is ready."""
    await say(link, Sit(name, commitment))
    await say(link, Ready(True))


async def asked_price(link: Link, name: str) -> bytes:
    """Ask for a seat, and return the nonce for the work that a knock costs."""
    await ask(link, name)
    price = await hear(link)
    assert isinstance(price, Price)
    return price.nonce


async def knock(link: Link, name: str) -> None:
    """Ask for a seat, and pay the price of a knock."""
    await say(link, Sit(name, COMMITMENT, pay(await asked_price(link, name))))


async def ask(link: Link, name: str) -> None:
    """Ask for a seat, and pay nothing."""
    await say(link, Sit(name, COMMITMENT))


async def sit(
    link: Link, name: str, way: Callable[[Link, str], Awaitable[None]] = ask
) -> LobbyState:
    """Ask for a seat, or knock; return the state of the lobby after that."""
    await way(link, name)
    return await sees(link)


async def refusal(link: Link, name: str, way: Callable[[Link, str], Awaitable[None]] = ask) -> int:
    """Ask for a seat, or knock; return the host's reason for refusing."""
    await way(link, name)
    return await goodbye(link)


Kind = TypeVar("Kind", bound=Message)


async def hear_next(link: Link, kind: type[Kind]) -> Kind:
    """Skip messages until one of that kind comes, and return it."""
    while not isinstance(message := await hear(link), kind):
        pass
    return message


async def proposal(link: Link) -> Charter:
    """Reveal the nonce as soon as an attempt begins, and return the charter that follows."""
    attempt = await hear_next(link, Seats)
    await say(link, Reveal(attempt.number, NONCE, COMMITMENT))
    return Charter.decode((await hear_next(link, Propose)).charter)


async def listen(link: Link) -> None:
    """Read messages until the link ends."""
    while True:
        await hear(link)


async def sees(link: Link) -> LobbyState:
    """Return the next message, which must be a state of the lobby."""
    message = await hear(link)
    assert isinstance(message, LobbyState)
    return message


async def beat(link: Link, ready: bool = False) -> None:
    """Say every five seconds that the guest is ready, or that they are not, until the link ends."""
    with suppress(LinkClosed):
        while True:
            await trio.sleep(5)
            await say(link, Ready(ready))


async def goodbye(link: Link) -> int:
    """Read until the host ends the link, within minutes, and return its reason."""
    with trio.fail_after(1000):
        error = await failure_of(listen(link))
    assert isinstance(error, Declined)
    return error.reason


async def hear_sit(caller: Caller, host: Machine) -> tuple[Member, CommittedSeat]:
    """Wait until a guest asks for a seat; return the fake host (Ana) and this guest."""
    sit = await hear(caller.link)
    assert isinstance(sit, Sit)
    me = Member(host.identity.public, "Ana", NONCE)
    return me, CommittedSeat(caller.link.peer, sit.name, sit.commitment)


async def hear_nonce(link: Link, me: Member, you: CommittedSeat) -> Member:
    """Show the guest a lobby, begin an attempt, and return the guest with the revealed nonce."""
    await say(link, shown(me, you))
    await say(link, Seats(1, (seat_of(me), you)))
    return Member(you.key, you.name, (await hear_next(link, Reveal)).nonce)


@asynccontextmanager
async def guest_of(
    host: Machine,
    guest: Machine,
    receive: Handler,
    callbacks: LobbyCallbacks | None = None,
    *,
    ready: bool = False,
) -> AsyncIterator[tuple[Guest, Journal]]:
    """Open the program of a guest (Bruno) and a fake lobby where `receive` handles callers."""
    entropy = random.Random(2).randbytes
    async with host.process() as (endpoint, _), guest.process() as (visitor, journal):
        with endpoint.route(LOBBY, receive):
            callbacks = callbacks or LobbyCallbacks()
            yield Guest(visitor, journal, "Bruno", entropy, callbacks, ready), journal


Trick = Callable[[Link, Member, CommittedSeat], Awaitable[None]]
"""Function that plays a fake host on the link of a guest who has asked for a seat."""


async def deceived(
    machines: Machines,
    trick: Trick,
    heard: list[Message] | None = None,
    callbacks: LobbyCallbacks | None = None,
    *,
    ready: bool = True,
    gets_ready: bool = False,
) -> None:
    """Let a guest sit down at a fake host, who plays a trick and after that only listens.

    Raises the guest's error; without an error the guest leaves after half a minute. What the guest
    says after the trick is added to `heard`. A guest who `gets_ready` does so after a second.
    """
    host, bruno = machines.all
    said = [] if heard is None else heard
    errors: list[Exception] = []

    async def receive(caller: Caller) -> None:
        await trick(caller.link, *await hear_sit(caller, host))
        while True:
            said.append(await hear(caller.link))

    async def get_ready() -> None:
        await trio.sleep(1)
        if gets_ready:
            guest.set_ready(True)

    async with guest_of(host, bruno, receive, callbacks, ready=ready) as (guest, _):
        with trio.move_on_after(30):
            async with beside(get_ready):
                errors.append(await failure_of(guest.sit_down(host.address, PORT)))
    for error in errors:
        raise error


def hold_up(patch: pytest.MonkeyPatch, is_held: Callable[[object], bool]) -> trio.Event:
    """Return an event.

    Functions for which `is_held` is true wait for it before they run in a thread.
    """
    go_on, inline = trio.Event(), trio.to_thread.run_sync

    async def slow(function: Callable[..., object], *arguments: object, **more: Any) -> object:
        if is_held(function):
            await go_on.wait()
        return await inline(function, *arguments, **more)

    patch.setattr("trio.to_thread.run_sync", slow)
    return go_on


def seat_of(member: Member) -> CommittedSeat:
    """Return the seat of a member in an attempt, committed to their nonce."""
    return CommittedSeat(member.key, member.name, nonce_commitment(member.key, member.nonce))


def journal_of(machine: Machine) -> tuple[TableRecord, ...]:
    """Return the tables in the machine's journal."""
    with Journal.open(machine.home / JOURNAL_FILE) as journal:
        return journal.tables()
