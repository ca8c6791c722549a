"""Fair shares of scarce places, so that a newcomer always gets in, and rate limits for peers."""

import math
import random

import pytest
import trio

from p2p.fair_shares import Arrivals, Lottery, Stay, neighbour_of, who_makes_room
from p2p.rate_limit import RateLimit, RateLimits

pytestmark = pytest.mark.usefixtures("autojump_clock")

SAFE = 10.0
LONG, SHORT = SAFE, SAFE - 1


def test_addresses_of_one_network_count_as_one_neighbour() -> None:
    neighbours = {
        "192.0.2.1": "192.0.2.1",
        "::ffff:192.0.2.1": "192.0.2.1",
        "2001:db8::1": "2001:db8::/64",
        "2001:db8::ffff:1": "2001:db8::/64",
        "2001:db8:0:1::1": "2001:db8:0:1::/64",
        "fe80::1%eth0": "fe80::/64%eth0",
        "fe80::2%eth1": "fe80::/64%eth1",
        "elsewhere": "elsewhere",
    }
    assert {address: neighbour_of(address) for address in neighbours} == neighbours


def leaving(here: str, newcomer: str, seconds: float) -> set[int | None]:
    """Return the places in `here` that may be drawn to leave; None stands for nobody.

    Each letter of `here` stands for somebody, and tells their network.
    """
    stays = [Stay(address, seconds) for address in here]
    return {
        who_makes_room(stays, newcomer, safe_for=SAFE, chance=random.Random(seed))
        for seed in range(50)
    }


@pytest.mark.parametrize(
    ("here", "newcomer", "at_once", "later"),
    [
        ("", "a", {None}, {None}),
        ("a", "b", {None}, {0}),
        ("aa", "b", {0, 1}, {0, 1}),
        ("aaaa", "a", {None}, {0, 1, 2, 3}),
        ("aaab", "b", {0, 1, 2}, {0, 1, 2}),
        ("aabb", "b", {None}, {2, 3}),
        ("aabb", "c", {0, 1, 2, 3}, {0, 1, 2, 3}),
        ("abc", "d", {None}, {0, 1, 2}),
        ("aab", "b", {None}, {0, 1, 2}),
    ],
)
def test_chance_takes_a_place_from_the_network_with_the_most_places(
    here: str, newcomer: str, at_once: set[int | None], later: set[int | None]
) -> None:
    """Recent arrivals stay if the newcomer's network, with the newcomer, has the most places.

    They also stay if it has as many as another network with the most.
    `at_once` is the result while all are recent arrivals, and `later` the result after that.
    """
    assert leaving(here, newcomer, SHORT) == at_once
    assert leaving(here, newcomer, LONG) == later


def test_addresses_of_one_network_have_one_share() -> None:
    here = [Stay(f"2001:db8::{number}", 0.0) for number in range(1, 4)]
    chance = random.Random(1)
    assert who_makes_room(here, "2001:db8::9", safe_for=SAFE, chance=chance) is None
    assert who_makes_room(here, "192.0.2.1", safe_for=SAFE, chance=chance) is not None


def test_everybody_has_the_same_chance_in_a_crowd() -> None:
    """For ten seconds a thousand come each second, and one person tries twenty times a second."""
    now = 0.0
    lottery = Lottery(50, 1.0, random.Random(1), lambda: now)
    let_in, own = 0, []
    for number in range(10_000):
        now = number / 1000
        let_in += lottery.draw()
        if number % 50 == 0:
            own.append(lottery.draw())
    assert 450 < let_in < 1000
    assert any(own[4:])  # the first 50 who come are let in at once, so the first tries say nothing
    now += 10
    assert all(lottery.draw() for _ in range(50))


def test_many_arrivals_from_one_network_take_nothing_from_others() -> None:
    """One address has a limit, and all addresses of a network together have another."""
    arrivals = Arrivals(4, 1.0, 8, 16, chance=random.Random(1), clock=lambda: 0.0)
    assert [arrivals.may_come("192.0.2.1") for _ in range(100)] == [True] * 4 + [False] * 96
    crowd = [arrivals.may_come(f"2001:db8::{number:x}") for number in range(1000)]
    assert crowd[:8] == [True] * 8
    assert sum(crowd) == 8
    assert all(arrivals.may_come("192.0.2.2") for _ in range(4))


def test_the_neighbour_who_was_quiet_longest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.fair_shares._MOST_KNOWN", 2)
    arrivals = Arrivals(9, 1.0, 1, 99, chance=random.Random(1), clock=lambda: 0.0)
    # Each neighbour may come once. "c" takes the place of "b", who is then unknown again.
    came = [arrivals.may_come(neighbour) for neighbour in "aabacb"]
    assert came == [True, False, True, False, True, True]


def test_a_random_number_equal_to_the_chance_of_winning_does_not_win() -> None:
    now, chance = 0.0, random.Random()
    lottery = Lottery(1, 1.0, chance, lambda: now)
    assert lottery.draw()
    now, loses = 1.0, 1 / (math.exp(-1) + 1)
    chance.random = lambda: loses  # type: ignore[method-assign]
    assert not lottery.draw()
    now, chance.random = 2.0, lambda: 0.0  # type: ignore[method-assign]
    assert lottery.draw()


# -- Rate limits for a peer's messages or connections: a burst, and then a rate per second


def spent(limit: RateLimit) -> int:
    """Spend until nothing is left, and return the number of times."""
    count = 0
    while limit.spend():
        count += 1
    return count


async def test_a_burst_may_come_at_once_and_then_the_rate_holds() -> None:
    await trio.sleep(1000)  # at time 0 code that confuses a time with a duration would pass
    limit = RateLimit(burst=3, rate=2)
    assert spent(limit) == 3
    await trio.sleep(0.25)
    assert spent(limit) == 0
    await trio.sleep(0.25)
    assert spent(limit) == 1
    await trio.sleep(1)
    assert spent(limit) == 2
    await trio.sleep(1000)
    assert spent(limit) == 3, "a long silence has allowed more than one burst"


async def test_spendings_that_are_given_back_can_be_spent_again() -> None:
    limit = RateLimit(burst=5, rate=0.1)
    assert limit.spend(4)
    limit.give_back()
    limit.give_back()
    assert spent(limit) == 3
    for _ in range(9):
        limit.give_back()
    assert spent(limit) == 5, "giving back too much has allowed more than one burst"


async def test_the_peer_who_was_quiet_longest_is_forgotten() -> None:
    await trio.sleep(1000)  # at time 0 code that confuses a time with a duration would pass
    limits = RateLimits[str](2, burst=3, rate=2)
    assert spent(limits.of("Ana")) == 3
    assert spent(limits.of("Bruno")) == 3
    assert spent(limits.of("Ana")) == 0
    assert spent(limits.of("Carla")) == 3
    assert spent(limits.of("Ana")) == 0
    assert spent(limits.of("Bruno")) == 3, "Bruno is still remembered"
    assert spent(limits.of("Carla")) == 3
