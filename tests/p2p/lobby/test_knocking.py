"""Knocking strangers: everybody at the table sees them, and the host may let them in."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from p2p.background_task import beside
from p2p.lobby.door import MOST_KNOCKS, SAFE_SECONDS, Door
from p2p.lobby.host import READY_SECONDS
from p2p.lobby.price import is_paid, pay
from p2p.refusals import Reason
from p2p.transport.endpoint import Declined, hear, say
from p2p.transport.frames import LinkClosed, LinkError
from p2p.transport.link import Link
from p2p.transport.lobby_messages import MOST_KNOCKING, WORK_BYTES, Price, Ready, Reveal, Sit
from protocol.charter import MOST_MEMBERS
from tests.p2p.lobby.lobbies import (
    COMMITMENT,
    at_the_door_of,
    beat,
    goodbye,
    knock,
    listen,
    refusal,
    sees,
    sit,
    sit_ready,
    visiting,
)
from tests.p2p.machines import Machine, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")


async def test_friends_sit_down_and_see_strangers_knock(tmp_path: Path) -> None:
    ana, bruno, eve = Machines.make(3, tmp_path).all
    async with (
        at_the_door_of(ana, bruno) as host,
        visiting(bruno, ana) as friend,
        visiting(eve, ana) as stranger,
    ):
        assert (await sit(friend, "Bruno")).names == ("Ana", "Bruno")
        await knock(stranger, "Eve")
        for link in (friend, stranger):
            told = await sees(link)
            assert told.names == ("Ana", "Bruno")
            assert [(p.name, p.key) for p in told.knocking] == [("Eve", eve.identity.public)]
        await say(stranger, Ready(True))
        host.admit(eve.identity.public)
        for link in (friend, stranger):
            told = await sees(link)
            assert told.names == ("Ana", "Bruno", "Eve")
            assert told.knocking == ()


async def test_who_is_turned_away_does_not_knock_again_nor_from_there(tmp_path: Path) -> None:
    ana, eve, mallory = Machines.make(3, tmp_path).all
    mallory.address = eve.address  # another key on the same machine
    async with at_the_door_of(ana) as host:
        async with visiting(eve, ana) as stranger:
            await sit(stranger, "Eve", knock)
            host.turn_away(eve.identity.public)
            assert await goodbye(stranger) == Reason.TURNED_AWAY
        for machine in (eve, mallory):
            async with visiting(machine, ana) as stranger:
                assert await refusal(stranger, "Another") == Reason.TURNED_AWAY
        assert host.lobby_state.knocking == ()


async def test_the_door_holds_more_than_there_are_seats_and_nobody_goes_while_none_waits(
    tmp_path: Path,
) -> None:
    machines = Machines.make(MOST_KNOCKING + 1, tmp_path)
    ana, *crowd = machines.all
    async with at_the_door_of(ana, seats=6) as host, knocking_at(ana, crowd) as reasons:
        assert len(host.lobby_state.knocking) == MOST_KNOCKING > MOST_MEMBERS
        await trio.sleep(600)
        assert len(host.lobby_state.knocking) == MOST_KNOCKING
        assert not reasons


async def test_one_machine_with_many_addresses_does_not_hold_the_door(tmp_path: Path) -> None:
    """Tell the host who could not knock; after a while a newcomer replaces one of the crowd."""
    machines = Machines.make(MOST_KNOCKING + 2, tmp_path)
    ana, carla, *crowd = machines.all
    refused: list[str] = []
    door = at_the_door_of(ana, refused=lambda name, _sentence: refused.append(name))
    async with door as host, knocking_at(ana, crowd) as reasons:
        async with visiting(carla, ana) as link:
            assert await refusal(link, "Carla", knock) == Reason.TOO_MANY_KNOCK
        assert refused == ["Carla"]
        await trio.sleep(SAFE_SECONDS)
        async with visiting(carla, ana) as link:
            await knock(link, "Carla")
            names = [player.name for player in (await sees(link)).knocking]
            assert names[-1] == "Carla"
            await trio.sleep(1)
            assert list(reasons.values()) == [Reason.TOO_MANY_KNOCK]
            host.admit(carla.key)
            assert host.lobby_state.names == ("Ana", "Carla")


async def test_a_crowd_from_one_network_keeps_nobody_else_from_knocking(tmp_path: Path) -> None:
    machines = Machines.make(MOST_KNOCKING + 2, tmp_path)
    ana, carla, *crowd = machines.all
    for machine in crowd[2:]:
        machine.address = f"2001:db8::{machine.number:x}"
    async with (
        at_the_door_of(ana) as host,
        knocking_at(ana, crowd, pause=2.0) as reasons,
        visiting(carla, ana) as link,
    ):
        await knock(link, "Carla")
        assert [player.name for player in (await sees(link)).knocking][-1] == "Carla"
        await trio.sleep(1)
        assert set(reasons.values()) == {Reason.TOO_MANY_KNOCK}
        assert reasons.keys() <= {f"Nobody {machine.number}" for machine in crowd[2:]}
        host.admit(carla.key)
        assert host.lobby_state.names == ("Ana", "Carla")


@asynccontextmanager
async def knocking_at(
    host: Machine, crowd: Sequence[Machine], pause: float = 0.0
) -> AsyncIterator[dict[str, int]]:
    """Let these machines knock one after the other; yield the host's reasons for refusing."""
    reasons: dict[str, int] = {}

    async def come(machine: Machine) -> None:
        async with visiting(machine, host) as link, beside(partial(beat, link)):
            await knock(link, f"Nobody {machine.number}")
            reasons[f"Nobody {machine.number}"] = await goodbye(link)

    async with trio.open_nursery() as nursery:
        for machine in crowd:
            nursery.start_soon(come, machine)
            await trio.sleep(pause)
        await trio.sleep(1)
        yield reasons
        nursery.cancel_scope.cancel()


async def test_who_knocks_again_and_again_is_not_told_of_again(tmp_path: Path) -> None:
    ana, eve = Machines.make(2, tmp_path).all
    async with at_the_door_of(ana) as host:
        for _ in range(MOST_KNOCKS):
            async with visiting(eve, ana) as link:
                await sit(link, "Eve", knock)
            while host.lobby_state.knocking:
                await trio.sleep(0.1)
        async with visiting(eve, ana) as link:
            assert await refusal(link, "Eve", knock) == Reason.TOO_MANY_KNOCK


async def test_who_knocks_says_nothing_about_the_table(tmp_path: Path) -> None:
    """Ignore a nonce from a stranger, which could break off the others' attempt."""
    ana, eve = Machines.make(2, tmp_path).all
    async with at_the_door_of(ana) as host, visiting(eve, ana) as link:
        await knock(link, "Eve")
        await say(link, Reveal(1, bytes(32), COMMITMENT))
        with trio.fail_after(1):
            assert isinstance(await failure_of(listen(link)), LinkClosed)
        assert host.lobby_state.knocking == ()


@pytest.mark.parametrize("size", [0, WORK_BYTES - 1, WORK_BYTES])
async def test_who_does_not_pay_does_not_knock(tmp_path: Path, size: int) -> None:
    """Tell nobody about them."""
    ana, eve = Machines.make(2, tmp_path).all
    async with at_the_door_of(ana) as host, visiting(eve, ana) as link:
        await say(link, Sit("Eve", COMMITMENT))
        price = await hear(link)
        assert isinstance(price, Price)
        wrong = (bytes([number]) * size for number in range(256))
        work = next(work for work in wrong if not is_paid(price.nonce, work))
        await say(link, Sit("Eve", COMMITMENT, work))
        assert isinstance(await failure_of(listen(link)), LinkClosed)
        assert host.lobby_state.knocking == ()


async def test_a_price_is_for_one_key_and_counts_on_the_next_link_too(tmp_path: Path) -> None:
    """Accept it on a later link, as in a crowd the first may break before the price is paid."""
    ana, bruno, eve = Machines.make(3, tmp_path).all
    prices: list[Price] = []
    async with at_the_door_of(ana) as host:
        for machine in (bruno, eve):
            async with visiting(machine, ana) as link:
                await say(link, Sit("Bruno", COMMITMENT))
                price = await hear(link)
                assert isinstance(price, Price)
                prices.append(price)
        async with visiting(bruno, ana) as link:
            await say(link, Sit("Bruno", COMMITMENT, pay(prices[0].nonce)))
            assert [player.name for player in (await sees(link)).knocking] == ["Bruno"]
        assert prices[0] != prices[1]
        assert host.lobby_state.names == ("Ana",)


async def test_two_of_one_name_are_not_both_let_in(tmp_path: Path) -> None:
    ana, bruno, eve = Machines.make(3, tmp_path).all
    async with (
        at_the_door_of(ana) as host,
        visiting(bruno, ana) as one,
        visiting(eve, ana) as other,
    ):
        for link in (one, other):
            await sit(link, "Bruno", knock)
        host.admit(bruno.identity.public)
        host.admit(eve.identity.public)
        assert await goodbye(other) == Reason.NAME_TAKEN
        assert host.lobby_state.names == ("Ana", "Bruno")


async def test_only_who_knocks_is_let_in_and_only_where_a_seat_is_free(tmp_path: Path) -> None:
    """Let in nobody who has left; at a full table strangers wait, as somebody may leave."""
    ana, bruno, eve = Machines.make(3, tmp_path).all
    async with at_the_door_of(ana, bruno, seats=2) as host, visiting(eve, ana) as stranger:
        await sit(stranger, "Eve", knock)
        async with visiting(bruno, ana) as friend:
            await say(friend, Sit("Bruno", COMMITMENT))
            full = await sees(stranger)
            host.admit(eve.key)
            await trio.sleep(1)
            assert host.lobby_state == full
        await sees(stranger)
        host.admit(bruno.key)
        assert len(host.lobby_state.present) == 1
        host.admit(eve.key)
        with trio.fail_after(1):
            assert (await sees(stranger)).names == ("Ana", "Eve")


async def test_who_alone_is_never_ready_goes_after_a_while(tmp_path: Path) -> None:
    """Keep the guests who are ready and wait for the late one."""
    ana, bruno, carla = Machines.make(3, tmp_path).all

    async with (
        at_the_door_of(ana, bruno, carla, ready=True) as host,
        visiting(carla, ana) as other,
        visiting(bruno, ana) as link,
        beside(partial(beat, other, ready=True)),
        beside(partial(listen, other)),
        beside(partial(beat, link)),
    ):
        await sit_ready(other, "Carla")
        await say(link, Sit("Bruno", COMMITMENT))
        began = trio.current_time()
        assert await goodbye(link) == Reason.NEVER_READY
        assert trio.current_time() - began == READY_SECONDS
        await trio.sleep(10)
        assert host.lobby_state.names == ("Ana", "Carla")


@pytest.mark.parametrize(("seats", "ready"), [(2, False), (3, True)])
async def test_nobody_is_late_if_it_cannot_begin(tmp_path: Path, seats: int, ready: bool) -> None:
    """Count no guest as late while the host is not ready or a seat is free."""
    ana, bruno = Machines.make(2, tmp_path).all
    async with (
        at_the_door_of(ana, bruno, seats=seats, ready=ready) as host,
        visiting(bruno, ana) as link,
        beside(partial(beat, link)),
        beside(partial(listen, link)),
    ):
        await say(link, Sit("Bruno", COMMITMENT))
        await trio.sleep(READY_SECONDS + 15)
        assert host.lobby_state.names == ("Ana", "Bruno")


async def test_who_knocks_hears_nothing_of_what_those_who_sit_agree_on(tmp_path: Path) -> None:
    """Tell a stranger only that the table is full."""
    ana, bruno, eve = Machines.make(3, tmp_path).all
    ends: list[Exception] = []

    async def knock() -> None:
        ends.append(await failure_of(eve.sit_down(ana.address, "canasta", 2)))

    async with (
        at_the_door_of(ana, bruno, seats=2, ready=True) as host,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(knock)
        while not host.lobby_state.knocking:
            await trio.sleep(0.1)
        await bruno.sit_down(ana.address, "canasta", 2)
    (end,) = ends
    assert isinstance(end, Declined)
    assert end.reason == Reason.TABLE_FULL


async def test_the_host_sends_away_who_sits_and_strangers_from_there(tmp_path: Path) -> None:
    """Keep away that player, even if met before, and strangers at the address, but no friend."""
    ana, bruno, carla, eve = Machines.make(4, tmp_path).all
    carla.address = eve.address = bruno.address  # one machine, three keys
    async with at_the_door_of(ana, bruno, carla, everybody=True, seats=2) as host:
        for _attempt in range(2):
            async with visiting(bruno, ana) as link:
                await say(link, Sit("Bruno", COMMITMENT))
                if _attempt == 0:
                    await sees(link)
                    host.turn_away(bruno.identity.public)
                    assert await goodbye(link) == Reason.SENT_AWAY
                else:
                    assert await goodbye(link) == Reason.TURNED_AWAY
        assert host.lobby_state.names == ("Ana",)
        async with visiting(eve, ana) as link:
            assert await refusal(link, "Eve") == Reason.TURNED_AWAY
        async with visiting(carla, ana) as link:
            assert (await sit(link, "Carla")).names == ("Ana", "Carla")


async def test_two_who_take_turns_at_not_being_ready_go_after_a_while(tmp_path: Path) -> None:
    ana, eve, mallory = Machines.make(3, tmp_path).all
    async with (
        at_the_door_of(ana, eve, mallory, ready=True) as host,
        visiting(eve, ana) as one,
        visiting(mallory, ana) as other,
        trio.open_nursery() as nursery,
    ):
        for link, name in ((one, "Eve"), (other, "Mallory")):
            await sit(link, name)

        async def take_turns(link: Link, *, waits: bool) -> None:
            with suppress(LinkError):
                while True:
                    await trio.sleep(0.0 if waits else 0.5)
                    await say(link, Ready(not waits))
                    await trio.sleep(4.0 if waits else 3.5)
                    waits = not waits

        nursery.start_soon(partial(take_turns, one, waits=True))
        nursery.start_soon(partial(take_turns, other, waits=False))
        assert await goodbye(one) == Reason.NEVER_READY
        assert await goodbye(other) == Reason.NEVER_READY
        assert host.lobby_state.names == ("Ana",)
        nursery.cancel_scope.cancel()


async def test_strangers_who_come_and_go_have_to_knock_after_a_while(tmp_path: Path) -> None:
    """Limit them also at an open table: all hear of each one, and a new key costs nothing."""
    ana, bruno, eve = Machines.make(3, tmp_path).all
    eve.address = bruno.address
    async with at_the_door_of(ana, everybody=True) as host:
        for _ in range(MOST_KNOCKS):
            async with visiting(eve, ana) as link:
                assert (await sit(link, "Eve")).names == ("Ana", "Eve")
            while len(host.lobby_state.present) > 1:
                await trio.sleep(0.1)
        async with visiting(bruno, ana) as link:
            assert await refusal(link, "Bruno", knock) == Reason.TOO_MANY_KNOCK


# -- Limits on strangers who come too often


def link(number: int, network: int = 0) -> Any:
    address = f"2001:db8:0:{network:x}::{number:x}"
    return SimpleNamespace(peer=number.to_bytes(32, "big"), address=address)


async def test_all_addresses_of_a_network_may_knock_together_as_often_as_one() -> None:
    """Share one limit per network, as IPv6 addresses cost nothing; another network has its own."""
    door = Door(lambda _key, _suspect: False, attended=True)
    crowd = [link(number) for number in range(1000)]
    assert not any(map(door.seats_at_once, crowd))
    refused = [door.knock(one, ()).refusal for one in crowd]
    assert refused[:MOST_KNOCKS] == [None] * MOST_KNOCKS
    assert refused.count(Reason.TOO_MANY_KNOCK) > 900
    assert door.knock(link(1, network=1), ()).refusal is None


async def test_strangers_who_may_sit_down_are_counted_by_address(autojump_clock: MockClock) -> None:
    door = Door(lambda _key, suspect: not suspect, attended=False)
    came = [door.seats_at_once(link(1)) for _ in range(MOST_KNOCKS + 2)]
    assert came == [*MOST_KNOCKS * [True], False, False]
    autojump_clock.jump(10)
    assert door.seats_at_once(link(1))
