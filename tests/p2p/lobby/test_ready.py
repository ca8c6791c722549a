"""Being ready: guests who keep the others waiting, and guests who withdraw."""

import random
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest
import trio

from p2p.background_task import beside
from p2p.lobby.client_callbacks import STILL_HERE_SECONDS, LobbyCallbacks
from p2p.lobby.guest import Guest
from p2p.lobby.host import Host
from p2p.lobby.knock_price import pay
from p2p.lobby.lobby_guest import LobbyGuest
from p2p.storage.identity import Identity
from p2p.transport.endpoint import Caller, hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Link
from p2p.transport.lobby_messages import (
    PRICE_BYTES,
    CommittedSeat,
    LobbyState,
    Price,
    Ready,
    Seats,
    Sit,
)
from p2p.transport.messages import Message
from protocol.charter import Member, SignedCharter
from tests.p2p.lobby.lobbies import (
    COMMITMENT,
    NONCE,
    at_the_door_of,
    deceived,
    guest_of,
    hosting,
    journal_of,
    listen,
    seat_of,
    shown,
    terms,
    visiting,
)
from tests.p2p.machines import PORT, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")


async def test_the_host_sees_the_empty_table_at_once(tmp_path: Path) -> None:
    (ana,) = Machines.make(1, tmp_path).all
    seen: list[LobbyState] = []
    async with at_the_door_of(ana, seen=seen.append) as host:
        assert seen == [host.lobby_state]


async def test_a_guest_who_gets_ready_says_so_at_once(tmp_path: Path) -> None:
    """Otherwise a guest says only every five seconds that they are ready, or that they are not."""
    host, bruno = Machines.make(2, tmp_path).all
    told: list[float] = []

    async def receive(caller: Caller) -> None:
        while True:
            if await hear(caller.link) == Ready(True):
                told.append(trio.current_time())

    async with (
        guest_of(host, bruno, receive) as (guest, _),
        beside(partial(guest.sit_down, host.address, PORT)),
    ):
        await trio.sleep(STILL_HERE_SECONDS / 2)
        got_ready = trio.current_time()
        guest.set_ready(True)
        await trio.sleep(STILL_HERE_SECONDS / 4)
    assert told == [got_ready]


async def test_a_guest_who_has_knocked_says_again_that_they_are_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guest says it at once: the host ignores all that a guest sends before the knock.

    A guest who leaves does not wait until the work is done.
    """
    host, bruno = Machines.make(2, tmp_path).all
    said: list[Message] = []
    run_sync = AsyncMock(side_effect=trio.to_thread.run_sync)
    monkeypatch.setattr("trio.to_thread.run_sync", run_sync)

    async def receive(caller: Caller) -> None:
        await hear(caller.link)
        await trio.sleep(1)
        await say(caller.link, Price(bytes(PRICE_BYTES)))
        while True:
            said.append(await hear(caller.link))

    async with (
        guest_of(host, bruno, receive, ready=True) as (guest, _),
        beside(partial(guest.sit_down, host.address, PORT)),
    ):
        await trio.sleep(STILL_HERE_SECONDS / 2)
    assert [message.kind for message in said] == ["ready", "sit", "ready"]
    paid = [call for call in run_sync.mock_calls if call.args[0] is pay]
    assert [call.kwargs["abandon_on_cancel"] for call in paid] == [True]


async def test_only_the_seconds_count_in_which_a_guest_holds_up_the_table() -> None:
    nothing: Any = SimpleNamespace(commitment=COMMITMENT)
    guest = LobbyGuest(nothing, nothing, 7, trio.CancelScope())
    late = []
    for now, waits, ready in (
        (10, True, False),
        (15, True, True),
        (20, True, False),
        (30, True, False),
        (45, False, False),
        (60, True, True),
    ):
        guest.ready = ready
        guest.count_lateness(now, waits=waits)
        late.append(guest.late)
    assert late == [0, 5, 5, 15, 30, 30]


async def test_a_guest_who_is_not_ready_signs_nothing(tmp_path: Path) -> None:
    """The host asks for a signature without waiting until the guest is ready."""
    said: list[Message] = []

    async def ask_at_once(link: Link, me: Member, you: CommittedSeat) -> None:
        await say(link, shown(me, you))
        await say(link, Seats(1, (seat_of(me), you)))

    await deceived(Machines.make(2, tmp_path), ask_at_once, said, ready=False)
    assert set(said) == {Ready(False)}


async def test_a_guest_signs_only_the_order_of_players_for_which_they_got_ready(
    tmp_path: Path,
) -> None:
    """A hasty host changes the order of players, which changes the couples, and begins at once."""
    carla, diego = (
        seat_of(Member(Identity.generate().public, name, NONCE)) for name in ("Carla", "Diego")
    )
    said: list[Message] = []
    withdrawn = list[LobbyState]()
    seen = list[LobbyState]()

    async def change(link: Link, me: Member, you: CommittedSeat) -> None:
        await say(link, shown(me, you, carla, diego))
        while (heard := await hear(link)) != Ready(True):
            said.append(heard)
        await say(link, shown(me, carla, you, diego))
        await say(link, Seats(1, (seat_of(me), carla, you, diego)))

    callbacks = LobbyCallbacks(
        on_lobby_state=seen.append, on_withdrawn=lambda: withdrawn.extend(seen[-1:])
    )
    machines = Machines.make(2, tmp_path)
    await deceived(machines, change, said, callbacks, ready=False, gets_ready=True)
    assert set(said) == {Ready(False)}
    assert [player.name for player in withdrawn[0].present] == ["Ana", "Bruno", "Carla", "Diego"]


async def test_a_ready_guest_stays_ready_when_somebody_sits_down(tmp_path: Path) -> None:
    """The players whom the guest saw are still in the same places."""
    host, bruno, carla = Machines.make(3, tmp_path).all
    withdrawn: list[bool] = []
    async with hosting(host, 3) as memberships, bruno.process() as (visitor, notes):
        callbacks = LobbyCallbacks(on_withdrawn=lambda: withdrawn.append(True))
        entropy = random.Random(2).randbytes
        guest = Guest(visitor, notes, "Bruno", entropy, callbacks, ready=False)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(guest.sit_down, host.address, PORT)
            await trio.sleep(1)
            guest.set_ready(True)
            await trio.sleep(1)
            await carla.sit_down(host.address, "canasta", 2)
        while not memberships:
            await trio.sleep(1)
    assert withdrawn == []


async def test_a_guest_who_changes_their_mind_all_the_time_must_go(tmp_path: Path) -> None:
    """All hear of each change. If the guest stayed, slow readers would have to go instead."""
    host, bruno, carla = Machines.make(3, tmp_path).all

    async def dither(link: Link) -> None:
        for number in range(30):
            await say(link, Ready(number % 2 == 0))
        await listen(link)

    async with hosting(host, 3), visiting(bruno, host) as one, visiting(carla, host) as two:
        for link, name in ((one, "Bruno"), (two, "Carla")):
            await say(link, Sit(name, COMMITMENT))
            await trio.sleep(0.1)
        with trio.fail_after(2):
            assert isinstance(await failure_of(dither(two)), LinkError)
        last = None
        while last is None or last.names != ("Ana", "Bruno"):
            message = await hear(one)
            if isinstance(message, LobbyState) and len(message.present) == 2:
                last = message
        await trio.sleep(60)
        await say(one, Ready(True))


async def test_a_rematch_has_the_players_in_the_order_of_the_host(tmp_path: Path) -> None:
    host, bruno, carla = Machines.make(3, tmp_path).all
    order = (carla.identity.public, bruno.identity.public)
    async with host.process() as (endpoint, journal):
        hosting = Host(endpoint, journal, "Ana", terms(3), random.Random(1).randbytes, order=order)
        async with trio.open_nursery() as nursery:
            await nursery.start(hosting.run)
            nursery.start_soon(bruno.sit_down, host.address, "canasta", 3)
            await trio.sleep(1)
            await carla.sit_down(host.address, "canasta", 3)
    (record,) = journal_of(host)
    members = SignedCharter.decode(record.charter).charter.members
    assert [member.name for member in members] == ["Ana", "Carla", "Bruno"]
