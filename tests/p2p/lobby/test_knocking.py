"""Knocking strangers: everybody at the table sees them, and the host may let them in."""

import hashlib
import random
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
from p2p.lobby.door import MOST_KNOCKS, Door, Knock, Trouble
from p2p.lobby.knock_price import is_paid, pay
from p2p.refusals import Reason
from p2p.transport.endpoint import say
from p2p.transport.frames import LinkClosed, LinkError
from p2p.transport.link import Link
from p2p.transport.lobby_messages import (
    MOST_KNOCKING,
    WORK_BYTES,
    Ready,
    Sit,
)
from protocol.charter import MOST_MEMBERS
from tests.p2p.lobby.lobbies import (
    COMMITMENT,
    asked_price,
    at_the_door_of,
    beat,
    goodbye,
    knock,
    listen,
    refusal,
    sees,
    sit,
    visiting,
)
from tests.p2p.machines import Machine, Machines, failure_of

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory")


async def test_a_crowd_can_block_the_door_only_for_a_while(tmp_path: Path) -> None:
    """The door is full at first, but later a newcomer replaces one of the crowd.

    The crowd stands for one machine with many addresses. More strangers can wait at the door than a
    table has seats. The host is told who could not knock.
    """
    machines = Machines.make(MOST_KNOCKING + 2, tmp_path)
    ana, carla, *crowd = machines.all
    refused: list[str] = []
    door = at_the_door_of(ana, seats=6, refused=lambda name, _sentence: refused.append(name))
    async with door as host, knocking_at(ana, crowd) as reasons:
        async with visiting(carla, ana) as link:
            assert await refusal(link, "Carla", knock) == Reason.TOO_MANY_KNOCK
        assert refused == ["Carla"]
        # Longer than the 180 seconds within which guests must be ready: strangers at the door have
        # no such limit.
        await trio.sleep(200)
        assert len(host.lobby_state.knocking) == MOST_KNOCKING > MOST_MEMBERS
        assert not reasons
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


def test_the_hash_of_a_proof_begins_with_zero_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.lobby.knock_price.BITS", 7)
    nonce = bytes([6])
    work = pay(nonce)
    first_byte = hashlib.scrypt(work, salt=nonce, n=512, r=8, p=1, dklen=4)[0]
    assert first_byte <= 1  # its first seven bits are zero


@pytest.mark.parametrize("size", [0, WORK_BYTES - 1, WORK_BYTES])
async def test_a_caller_without_a_valid_proof_of_work_does_not_knock(
    tmp_path: Path, size: int
) -> None:
    """Nobody at the table is told of the caller."""
    ana, eve = Machines.make(2, tmp_path).all
    async with at_the_door_of(ana) as host, visiting(eve, ana) as link:
        nonce = await asked_price(link, "Eve")
        wrong = (bytes([number]) * size for number in range(256))
        work = next(work for work in wrong if not is_paid(nonce, work))
        await say(link, Sit("Eve", COMMITMENT, work))
        assert isinstance(await failure_of(listen(link)), LinkClosed)
        assert host.lobby_state.knocking == ()


async def test_a_proof_of_work_is_for_one_key_and_also_counts_on_a_later_link_of_that_key(
    tmp_path: Path,
) -> None:
    """In a crowd the first link may end before the work is done.

    So the proof is accepted on a later link of the same key, too.
    """
    ana, bruno, eve = Machines.make(3, tmp_path).all
    prices: list[bytes] = []
    async with at_the_door_of(ana) as host:
        for machine in (bruno, eve):
            async with visiting(machine, ana) as link:
                prices.append(await asked_price(link, "Bruno"))
        async with visiting(bruno, ana) as link:
            await say(link, Sit("Bruno", COMMITMENT, pay(prices[0])))
            assert [player.name for player in (await sees(link)).knocking] == ["Bruno"]
        assert prices[0] != prices[1]
        assert host.lobby_state.names == ("Ana",)


async def test_two_guests_who_take_turns_at_not_being_ready_must_go_after_a_while(
    tmp_path: Path,
) -> None:
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


def test_the_price_is_the_same_for_each_knock_of_a_key() -> None:
    """Each key has its own price in each lobby."""
    entropy = random.Random(1).randbytes
    doors = closed_door(), closed_door()
    prices = [door.price_for(key, entropy) for door in doors for key in (b"a", b"b", b"a")]
    assert prices[::3] == prices[2::3]
    assert len(set(prices)) == 4


# -- Limits on strangers who come too often


def link(number: int, network: int = 0) -> Any:
    address = f"2001:db8:0:{network:x}::{number:x}"
    return SimpleNamespace(peer=number.to_bytes(32, "big"), address=address)


def closed_door() -> Door:
    """Return a door at which everybody has to knock."""
    return Door(lambda _key, _suspect: False, attended=True)


async def test_the_addresses_of_a_network_share_the_limit_on_knocks() -> None:
    """IPv6 addresses cost nothing, so a network has one limit; another network has its own."""
    door = closed_door()
    crowd = [link(number) for number in range(1000)]
    assert not any(map(door.seats_at_once, crowd))
    refused = [door.knock(one, ()).refusal for one in crowd]
    assert refused[:MOST_KNOCKS] == [None] * MOST_KNOCKS
    assert refused.count(Reason.TOO_MANY_KNOCK) > 900
    assert door.knock(link(1, network=1), ()).refusal is None


async def test_a_crowd_from_many_networks_shares_a_limit_on_knocks() -> None:
    door = closed_door()
    refused = [door.knock(link(1, network=number), ()).refusal for number in range(40)]
    assert refused == [None] * 3 * MOST_KNOCKS + [Reason.TOO_MANY_KNOCK] * (40 - 3 * MOST_KNOCKS)


@pytest.mark.parametrize(("seconds", "makes_room"), [(9.5, False), (10, True)])
async def test_a_stranger_who_has_knocked_for_long_makes_room(
    seconds: float, makes_room: bool
) -> None:
    door = closed_door()
    # If the clock began at 0, wrong code that confuses a time with a duration would pass.
    await trio.sleep(1000)
    since = trio.current_time() - seconds
    crowd: list[Any] = [
        SimpleNamespace(link=link(1, network=number), since=since) for number in range(12)
    ]
    assert door.knock(link(2, network=99), crowd[:-1]) == Knock()
    knock = door.knock(link(2, network=99), crowd)
    refusal = None if makes_room else Reason.TOO_MANY_KNOCK
    assert (knock.goes in crowd, knock.refusal) == (makes_room, refusal)


FRIEND, STRANGER = link(1), link(2)


@pytest.mark.parametrize(
    ("trouble", "is_open", "seated"),
    [
        ("none", True, [True, True, True]),
        ("none", False, [True, False, True]),
        ("a stranger's", True, [True, False, True]),
        ("a friend's", True, [False, True, False]),
        ("a little", True, [True, True, True]),
        ("closed to a stranger", True, [True, False, True]),
        ("closed to a friend", True, [False, True, False]),
    ],
)
async def test_somebody_who_has_made_trouble_has_to_knock(
    trouble: str, is_open: bool, seated: list[bool]
) -> None:
    """A stranger's trouble counts against other strangers at the address, not against friends."""
    door = Door(lambda key, suspect: key == FRIEND.peer or (is_open and not suspect), False)
    who = FRIEND if trouble.endswith(("friend", "friend's")) else STRANGER
    if trouble.startswith("closed"):
        door.close_to(who)
        assert door.refusal(who) is Reason.TURNED_AWAY
    elif trouble != "none":
        assert not door.note(who, Trouble.BROKEN_OFF)
        assert not door.note(who, Trouble.WITHDRAWN)
        assert not door.note(who, Trouble.LATE)
        assert trouble == "a little" or door.note(who, Trouble.LATE)
    friend_elsewhere = SimpleNamespace(peer=FRIEND.peer, address="192.0.2.1")
    other_stranger = SimpleNamespace(peer=bytes(32), address=STRANGER.address)
    callers: list[Any] = [FRIEND, other_stranger, friend_elsewhere]
    assert list(map(door.seats_at_once, callers)) == seated


async def test_admitted_strangers_are_counted_by_address(autojump_clock: MockClock) -> None:
    door = Door(lambda _key, suspect: not suspect, attended=False)
    came = [door.seats_at_once(link(1)) for _ in range(MOST_KNOCKS + 2)]
    assert came == [*MOST_KNOCKS * [True], False, False]
    for seconds, comes in ((9, [False]), (1, [True, False])):
        autojump_clock.jump(seconds)
        assert [door.seats_at_once(link(1)) for _ in comes] == comes
