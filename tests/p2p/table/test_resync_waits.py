"""The members for whom a node that came back waits before it writes, and how long."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import define, field
from trio.testing import MockClock

from p2p.table.resync import (
    ANSWER_SECONDS,
    CLAIM_SECONDS,
    COMPARE_SECONDS,
    NOBODY_UNHEARD,
    STATUS_SECONDS,
    Resync,
    Unheard,
)

HEIGHT = 5
TABLE = bytes(32)


@define(eq=False)
class Waiting:
    """A node that has come back to a table with two others; its record has `HEIGHT` entries."""

    doubtful: bool = False
    others: tuple[int, ...] = (1, 2)
    linked: frozenset[int] = frozenset()
    heights: list[int] = field(factory=lambda: [HEIGHT, 0, 0])
    told: set[int] = field(factory=set)
    """The members who were heard of, by themselves or through another."""
    spoken: set[int] = field(factory=set)
    apart: set[int] = field(factory=set)
    cleared: list[bytes] = field(factory=list)
    calls: list[str] = field(factory=list)
    resync: Resync = field(init=False)
    _news: trio.Event = field(factory=trio.Event)

    def __attrs_post_init__(self) -> None:
        journal: Any = SimpleNamespace(
            is_doubtful=lambda table: self.doubtful and table == TABLE,
            clear_doubt=lambda table: self.calls.append(f"clear {table == TABLE}"),
        )
        mesh: Any = SimpleNamespace(
            others=self.others,
            heard=self.told.__contains__,
            heard_directly=self.spoken.__contains__,
            known=SimpleNamespace(is_apart=self.apart.__contains__),
            replica=SimpleNamespace(height=HEIGHT, table_id=TABLE),
            heights=self.heights,
            linked=self.linked,
            news=self.news,
        )
        self.mesh = mesh
        self.resync = Resync(journal, mesh)
        self.resync.recall()

    mesh: Any = field(init=False)

    async def news(self) -> None:
        await self._news.wait()

    def tell(self, player: int, height: int, *, directly: bool = True) -> None:
        self.told.add(player)
        if directly:
            self.spoken.add(player)
        self.heights[player] = height
        self.wake()

    def grow(self, height: int) -> None:
        self.mesh.replica.height = height
        self.wake()

    def wake(self) -> None:
        self._news.set()
        self._news = trio.Event()


@asynccontextmanager
async def running(node: Waiting) -> AsyncIterator[list[float]]:
    """After how many seconds the node may write, if it may."""
    began, done = trio.current_time(), list[float]()

    async def run() -> None:
        await node.resync.run()
        done.append(round(trio.current_time() - began, 3))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        yield done
        nursery.cancel_scope.cancel()


@pytest.fixture(autouse=True)
def _in_this_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run_sync(call: Any, *arguments: Any) -> Any:
        return call(*arguments)

    monkeypatch.setattr("trio.to_thread.run_sync", run_sync)


@pytest.mark.parametrize(("others", "enough"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
async def test_who_does_not_hear_all_waits_for_more_than_half(
    autojump_clock: MockClock, others: int, enough: int
) -> None:
    """As many as can agree on an absence, counted with the node itself; a minute for all."""
    players = range(1, others + 1)
    node = Waiting(others=tuple(players), heights=[HEIGHT, *[0] * others])
    async with running(node) as done:
        await trio.sleep(STATUS_SECONDS - 1)
        assert node.resync.awaited == Unheard(silent=frozenset(players))
        for player in players[: enough - 1]:
            node.tell(player, HEIGHT, directly=False)
        await trio.sleep(100 * STATUS_SECONDS)
        assert done == []
        silent = players[enough - 1 :]
        more = 1 if len(silent) > 1 else 0  # else it is all of them
        assert node.resync.awaited == Unheard(silent=frozenset(silent), enough=more)
        node.tell(enough, HEIGHT)
        await trio.sleep(1)
        assert done == [101 * STATUS_SECONDS - 1]
    assert node.resync.done
    assert node.resync.awaited == NOBODY_UNHEARD
    assert node.calls == []


async def test_all_are_waited_for_a_minute_where_some_are_enough(
    autojump_clock: MockClock,
) -> None:
    node = Waiting()
    async with running(node) as done:
        node.tell(1, HEIGHT)
        await trio.sleep(STATUS_SECONDS - 1)
        assert done == []
        assert node.resync.awaited == Unheard(silent=frozenset({2}))
        await trio.sleep(2)
        assert done == [STATUS_SECONDS]


async def test_who_has_heard_from_enough_waits_for_nobody_who_is_silent(
    autojump_clock: MockClock,
) -> None:
    """But for what one who has spoken claims to have."""
    node = Waiting()
    async with running(node) as done:
        await trio.sleep(STATUS_SECONDS + 1)
        assert node.resync.awaited == Unheard(silent=frozenset({1, 2}), enough=1)
        node.tell(1, HEIGHT + 1)
        await trio.sleep(CLAIM_SECONDS / 2)
        assert done == []
        assert node.resync.awaited == NOBODY_UNHEARD


async def test_who_comes_late_is_heard_out(autojump_clock: MockClock) -> None:
    """The first to come has what the node has lost without knowing it."""
    node = Waiting(others=(1,), heights=[HEIGHT, 0])
    async with running(node) as done:
        await trio.sleep(2 * STATUS_SECONDS)
        node.tell(1, HEIGHT + 1)
        await trio.sleep(CLAIM_SECONDS / 2)
        assert done == []
        node.grow(HEIGHT + 1)
        await trio.sleep(1)
        assert done == [2 * STATUS_SECONDS + CLAIM_SECONDS / 2]


@pytest.mark.parametrize("linked", [False, True])
async def test_when_all_are_heard_a_twin_has_a_moment_to_answer(
    autojump_clock: MockClock, linked: bool
) -> None:
    node = Waiting(linked=frozenset({1} if linked else ()))
    async with running(node) as done:
        await trio.sleep(1)
        for player in node.others:
            node.tell(player, HEIGHT)
        await trio.sleep(5)
        assert done == [1 + (ANSWER_SECONDS if linked else 0)]


async def test_a_journal_that_was_put_back_waits_for_all_to_speak_themselves(
    autojump_clock: MockClock,
) -> None:
    """However long it takes."""
    node = Waiting(doubtful=True)
    async with running(node) as done:
        for player in node.others:
            node.tell(player, HEIGHT, directly=False)
        await trio.sleep(100 * STATUS_SECONDS)
        assert node.resync.awaited == Unheard(silent=frozenset({1, 2}), doubtful=True)
        for player in node.others:
            node.tell(player, HEIGHT)
        await trio.sleep(1)
        assert done == [100 * STATUS_SECONDS]
    assert node.calls == ["clear True"]
    assert node.resync.done
    assert not node.resync.doubtful


@pytest.mark.parametrize("doubtful", [False, True])
async def test_what_others_have_is_waited_for_as_long_as_it_comes(
    autojump_clock: MockClock, doubtful: bool
) -> None:
    node = Waiting(doubtful=doubtful)
    async with running(node) as done:
        for player in node.others:
            node.tell(player, HEIGHT + 3)
        for height in range(HEIGHT + 1, HEIGHT + 4):
            await trio.sleep(CLAIM_SECONDS - 1)
            assert done == []
            assert node.resync.awaited.empty == frozenset()
            node.grow(height)
        await trio.sleep(1)
        assert done == [3 * (CLAIM_SECONDS - 1)]


async def test_who_claims_more_and_sends_nothing_is_not_waited_for(
    autojump_clock: MockClock,
) -> None:
    node = Waiting()
    async with running(node) as done:
        node.tell(1, HEIGHT + 3)
        await trio.sleep(CLAIM_SECONDS - 1)
        node.tell(2, HEIGHT + 1)
        await trio.sleep(2)
        node.tell(1, HEIGHT + 4)  # that is no entry either
        await trio.sleep(CLAIM_SECONDS)
        assert done == [2 * CLAIM_SECONDS - 1]


async def test_what_comes_about_without_news_is_seen_soon(autojump_clock: MockClock) -> None:
    """As when two records come together at the same height."""
    node = Waiting(doubtful=True)
    async with running(node) as done:
        node.tell(1, HEIGHT)
        node.tell(2, HEIGHT + 1)
        await trio.sleep(10 * CLAIM_SECONDS + 1)
        assert done == []
        node.heights[2] = HEIGHT
        await trio.sleep(2 * CLAIM_SECONDS)
        assert len(done) == 1


async def test_who_takes_a_claim_back_and_makes_it_again_has_no_more_time(
    autojump_clock: MockClock,
) -> None:
    """While somebody else is waited for."""
    node = Waiting()
    async with running(node) as done:
        for _ in range(5):
            node.tell(1, HEIGHT + 1)
            await trio.sleep(CLAIM_SECONDS - 1)
            node.tell(1, HEIGHT)
            await trio.sleep(1)
        node.tell(1, HEIGHT + 1)
        node.tell(2, HEIGHT)
        await trio.sleep(1)
        assert done == [5 * CLAIM_SECONDS]


async def test_a_journal_that_was_put_back_waits_for_what_is_claimed_or_is_claimed_no_more(
    autojump_clock: MockClock,
) -> None:
    node = Waiting(doubtful=True)
    async with running(node) as done:
        node.tell(1, HEIGHT)
        node.tell(2, HEIGHT + 3)
        await trio.sleep(100 * CLAIM_SECONDS)
        assert done == []
        assert node.resync.awaited == Unheard(empty=frozenset({2}), doubtful=True)
        node.tell(2, HEIGHT)
        await trio.sleep(1)
        assert done == [100 * CLAIM_SECONDS]


@pytest.mark.parametrize(("doubtful", "seconds"), [(True, COMPARE_SECONDS), (False, 0)])
async def test_another_record_is_waited_for_where_the_journal_was_put_back(
    autojump_clock: MockClock, doubtful: bool, seconds: float
) -> None:
    """For a while: it is compared, and what has come apart stays so."""
    node = Waiting(doubtful=doubtful)
    node.apart.add(1)
    async with running(node) as done:
        for player in node.others:
            node.tell(player, HEIGHT)
        await trio.sleep(3 * COMPARE_SECONDS)
        assert done == [seconds]


def test_nobody_is_unheard_when_all_have_spoken_and_sent_what_they_have() -> None:
    assert Unheard(silent=frozenset({1}))
    assert Unheard(empty=frozenset({1}))
    assert not Unheard(doubtful=True)
    assert not NOBODY_UNHEARD
