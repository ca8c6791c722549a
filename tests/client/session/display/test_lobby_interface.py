"""The snapshots, the news and the decisions between a lobby and its display."""

from typing import Any

import pytest
import trio
from attrs import define, evolve, field

from client.session.display.lobby_interface import (
    Action,
    Lobby,
    LobbyDecision,
    LobbySnapshot,
    News,
    sit_in_lobby,
)
from p2p.storage.memberships import Membership
from tests.client.lobby_snapshots import key_of, lobby_at
from tests.p2p.table.vector_records import signed_charter

pytestmark = pytest.mark.usefixtures("autojump_clock")

MEMBERSHIP = Membership(signed_charter("records.json"), 0, ())


def test_a_player_is_ready_as_soon_as_the_lobby_says_so() -> None:
    assert not LobbySnapshot(key_of(0), hosting=True).ready
    for ready in ((True, False), (False, True)):
        both = [lobby_at(*ready, me=me).ready for me in range(2)]
        assert both == list(ready)
    assert not evolve(lobby_at(True, True), me=key_of(5)).ready


def test_fifty_lines_of_news_are_kept() -> None:
    news = News()
    for number in range(60):
        news = news.and_then(f"{number}")
    assert news == News(tuple(f"{number}" for number in range(10, 60)), 60)
    assert [news.after(said) for said in (60, 59, 57)] == [(), ("59",), ("57", "58", "59")]
    assert news.after(10) == news.after(0) == news.lines
    assert news.after(11) == news.lines[1:]


@define(eq=False)
class Counting(Lobby):
    """A lobby that shows how many decisions it has heard; after two, the charter is signed."""

    heard: list[LobbyDecision] = field(factory=list)
    signed: trio.Event = field(factory=trio.Event)
    cancelled: bool = False

    @property
    def title(self) -> str:
        return "Attic"

    @property
    def snapshot(self) -> Any:
        return len(self.heard), self._news.lines

    async def run(self) -> Membership:
        try:
            await self.signed.wait()
        except trio.Cancelled:
            self.cancelled = True
            raise
        return MEMBERSHIP

    def decide(self, decision: LobbyDecision) -> None:
        self.heard.append(decision)
        self._tell(f"line {len(self.heard)}", None)
        if len(self.heard) == 2:
            self.signed.set()


@define
class Display:
    """A display of a person who makes one of `decisions` each second.

    The person leaves after `leaves` seconds.
    """

    decisions: list[Action]
    leaves: float
    shown: list[tuple[float, Any]] = field(factory=list)

    def show(self, snapshot: Any) -> None:
        self.shown.append((trio.current_time(), snapshot))

    async def decided(self) -> LobbyDecision:
        await trio.sleep(1 if self.decisions else float("inf"))
        return self.decisions.pop(0)

    async def run(self) -> None:
        await trio.sleep(self.leaves)


@pytest.mark.parametrize(("decisions", "leaves", "end"), [(2, 9, 2), (1, 5, 5), (0, 0.5, 0.5)])
async def test_a_person_sits_in_the_lobby_until_they_leave_or_all_have_signed(
    decisions: int, leaves: float, end: float
) -> None:
    lobby, display = Counting(), Display([Action.READY, Action.WAIT][:decisions], leaves)
    began = trio.current_time()
    membership = await sit_in_lobby(lobby, display)
    assert membership is (MEMBERSHIP if decisions == 2 else None)
    assert lobby.cancelled is (decisions < 2)
    assert trio.current_time() - began == end
    assert lobby.heard == [Action.READY, Action.WAIT][:decisions]
    shown = [(time - began, snapshot) for time, snapshot in display.shown]
    assert shown[:2] == [(0, (0, ())), (1, (1, ("line 1",)))][: decisions + 1]
