"""Interruptions at a table: a player and their bots say goodbye before the program ends."""

import re
import signal
from functools import partial
from pathlib import Path

import pytest
import trio
from attrs import define, field

from client.session.display.lobby_interface import Lobby
from client.session.display.snapshot import AfterMatch
from client.session.ending_signals import Interrupted
from client.session.run import Begin
from client.session.run_until_signal import GOODBYE_SECONDS, at_a_signal, until_signalled
from p2p.discovery.beacons import CLOSE_SECONDS
from p2p.match.match_node import MatchNode
from p2p.refusals import Reason, sentence_of
from p2p.storage.memberships import Membership
from p2p.table.asides import AsideCode
from p2p.transport.endpoint import Declined
from tests.client.session.sessions import ScriptedDisplay, hosting, sit, until, visiting
from tests.patience import PATIENCE


@define
class Interrupting(ScriptedDisplay):
    """A player to whose program a signal is sent when `moment` is set."""

    moment: trio.Event = field(factory=trio.Event)

    async def table(self, *_: object) -> AfterMatch:
        await self.moment.wait()
        signal.raise_signal(signal.SIGTERM)
        await trio.sleep_forever()
        return AfterMatch.LEAVE


@define
class Listening(ScriptedDisplay):
    """A player who sets `moment` when all others are linked, and leaves after their goodbyes."""

    moment: trio.Event = field(factory=trio.Event)
    left: set[int] = field(factory=set)

    async def table(self, node: MatchNode, *_: object) -> AfterMatch:
        heard = node.asides.listen()
        others = node.node.peers.others
        while not all(map(node.node.peers.known.has_spoken, others)):
            await node.node.news()
        self.moment.set()
        while self.left != {*others}:
            spoken = await heard.receive()
            assert spoken.code is AsideCode.LEAVING
            self.left.add(spoken.player)
        assert node.asides.left == self.left
        return AfterMatch.LEAVE


async def interrupted(folder: Path, host: ScriptedDisplay, begin: Begin) -> None:
    """Run the session of a host whose program is interrupted."""
    with pytest.raises((Interrupted, BaseExceptionGroup)):
        await until_signalled(partial(sit, folder, host, begin))


async def test_an_interrupted_player_and_their_bots_say_goodbye(tmp_path: Path) -> None:
    bruno, port = Listening([]), list[int]()
    ana = Interrupting([], moment=bruno.moment)
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(interrupted, tmp_path / "a", ana, hosting(port, "kanastic", 3, 1))
            nursery.start_soon(sit, tmp_path / "b", bruno, visiting(port))
    assert len(bruno.left) == 2


@define
class InLobby(ScriptedDisplay):
    """A host whose program is interrupted when three players are seated.

    The signal `by` interrupts the program. If `by` is None, the terminal is lost instead.
    """

    by: signal.Signals | None = None

    async def lobby(self, lobby: Lobby) -> Membership | None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(super().lobby, lobby)
            await until(lobby, 3)
            if self.by is None:
                raise Interrupted("The terminal is gone.")
            signal.raise_signal(self.by)
            await trio.sleep_forever()


@pytest.mark.parametrize("by", [signal.SIGINT, None])
async def test_an_interrupted_host_closes_the_lobby_for_the_guests(
    tmp_path: Path, by: signal.Signals | None
) -> None:
    """The host's bot leaves the lobby, too; the host is not told about that."""
    ana, bruno, port = InLobby([], by=by), ScriptedDisplay([]), list[int]()
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(interrupted, tmp_path / "a", ana, hosting(port, "kanastic", 4, 1))
            with pytest.raises(BaseExceptionGroup) as group:
                await sit(tmp_path / "b", bruno, visiting(port))
    closed = Declined(Reason.LOBBY_CLOSED)
    assert group.group_contains(Declined, match=f"^{re.escape(str(closed))}$")
    assert f"{sentence_of(Reason.LOBBY_CLOSED)}" not in ana.told
    assert ana.told[-1].startswith(("3 of 4: ", "Waiting for 1 more")), (
        "players who leave a closing lobby must not be reported"
    )


async def test_saying_goodbye_has_a_time_limit(autojump_clock: trio.testing.MockClock) -> None:
    ended: list[str] = []

    async def long() -> None:
        try:
            await trio.sleep(60)
        finally:
            ended.append("goodbye")

    async def work() -> None:
        with at_a_signal(long):
            try:
                signal.raise_signal(signal.SIGINT)
                await trio.sleep(30)
            finally:
                ended.append("work")

    began = trio.current_time()
    with pytest.raises(Interrupted):
        await until_signalled(work)
    assert trio.current_time() - began < 1
    assert ended == ["goodbye", "work"]


def test_all_steps_of_ending_take_less_than_a_second() -> None:
    assert GOODBYE_SECONDS + CLOSE_SECONDS < 0.8


async def test_work_that_ends_during_the_goodbye_still_counts_as_interrupted() -> None:
    said = trio.Event()

    async def goodbye() -> None:
        said.set()
        await trio.sleep_forever()

    async def work() -> int:
        with at_a_signal(goodbye):
            signal.raise_signal(signal.SIGINT)
            await said.wait()
        return 0

    with trio.fail_after(PATIENCE), pytest.raises(Interrupted):
        await until_signalled(work)
