"""Limits of messages, or connections, of a peer: a few at once, and so many a second."""

import pytest
import trio

from p2p.rate_limit import RateLimit, RateLimits

pytestmark = pytest.mark.usefixtures("autojump_clock")


def spent(limit: RateLimit) -> int:
    """Spends all there is to spend: how many times that was."""
    count = 0
    while limit.spend():
        count += 1
    return count


async def test_a_burst_may_come_at_once_and_so_many_a_second_after_it() -> None:
    await trio.sleep(1000)  # not at the beginning of time, where much is zero
    limit = RateLimit(burst=3, rate=2)
    assert spent(limit) == 3
    await trio.sleep(0.25)
    assert spent(limit) == 0
    await trio.sleep(0.25)
    assert spent(limit) == 1
    await trio.sleep(1)
    assert spent(limit) == 2
    await trio.sleep(1000)
    assert spent(limit) == 3, "who was quiet for long has no more than a burst"


async def test_of_many_peers_who_was_quiet_longest_is_forgotten() -> None:
    await trio.sleep(1000)  # not at the beginning of time, where much is zero
    limits = RateLimits[str](2, burst=3, rate=2)
    assert spent(limits.of("Ana")) == 3
    assert spent(limits.of("Bruno")) == 3
    assert spent(limits.of("Ana")) == 0
    assert spent(limits.of("Carla")) == 3
    assert spent(limits.of("Ana")) == 0
    assert spent(limits.of("Bruno")) == 3, "of whom nothing was known any more"
    assert spent(limits.of("Carla")) == 3
