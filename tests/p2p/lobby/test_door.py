"""What a door remembers of a crowd."""

from types import SimpleNamespace
from typing import Any

from p2p.lobby.door import MOST_KNOCKS, Door
from p2p.refusals import Reason


def link(number: int) -> Any:
    return SimpleNamespace(peer=number.to_bytes(32, "big"), address=f"2001:db8::{number:x}")


def test_a_crowd_of_addresses_that_may_not_even_knock_leaves_nothing_behind() -> None:
    """An address costs a stranger nothing where there is IPv6."""
    door = Door(lambda _key, _suspect: False, attended=True)
    waiting = [link(number) for number in range(4)]
    for one in waiting:
        assert not door.seats_at_once(one)
        assert door.knock(one, ()).refusal is None
    for number in range(4, 1000):
        assert not door.seats_at_once(link(number))
        assert door.knock(link(number), waiting).refusal is Reason.TOO_MANY_KNOCK
    assert len(door._knocks) == len(waiting)


def test_strangers_who_may_sit_down_are_counted_by_address() -> None:
    door = Door(lambda _key, suspect: not suspect, attended=False)
    came = [door.seats_at_once(link(1)) for _ in range(MOST_KNOCKS + 2)]
    assert came == [*MOST_KNOCKS * [True], False, False]
