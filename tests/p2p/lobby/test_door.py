"""The door does not hear those who come too often."""

from types import SimpleNamespace
from typing import Any

import pytest
from trio.testing import MockClock

from p2p.lobby.door import MOST_KNOCKS, Door
from p2p.refusals import Reason

pytestmark = pytest.mark.usefixtures("autojump_clock")


def link(number: int, network: int = 0) -> Any:
    address = f"2001:db8:0:{network:x}::{number:x}"
    return SimpleNamespace(peer=number.to_bytes(32, "big"), address=address)


async def test_all_addresses_of_a_network_may_knock_together_as_often_as_one() -> None:
    """An address costs a stranger nothing where there is IPv6; another network has its own."""
    door = Door(lambda _key, _suspect: False, attended=True)
    crowd = [link(number) for number in range(1000)]
    assert not any(map(door.seats_at_once, crowd))
    refused = [door.knock(one, ()).refusal for one in crowd]
    assert refused[:MOST_KNOCKS] == [None] * MOST_KNOCKS
    assert refused.count(Reason.TOO_MANY_KNOCK) > 900
    assert door.knock(link(1, network=1), ()).refusal is None


async def test_strangers_who_may_sit_down_are_counted_by_address(
    autojump_clock: MockClock,
) -> None:
    door = Door(lambda _key, suspect: not suspect, attended=False)
    came = [door.seats_at_once(link(1)) for _ in range(MOST_KNOCKS + 2)]
    assert came == [*MOST_KNOCKS * [True], False, False]
    autojump_clock.jump(10)
    assert door.seats_at_once(link(1))
