"""A session from table to table, with stand-ins for the network, the lobbies and the tables."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import define, field

from client.session import run
from client.session.display.snapshot import AfterMatch
from client.session.run import ListenAt, run_session
from p2p.storage.memberships import Membership
from tests.p2p.table.vector_records import signed_charter

pytestmark = pytest.mark.usefixtures("autojump_clock")

LEAVE, AGAIN = AfterMatch.LEAVE, AfterMatch.AGAIN
FOLDER = Path("/home/ana")
MEMBERSHIP = Membership(signed_charter("records.json"), 0, ())
NODE = SimpleNamespace(
    lacking={1, 0}, charter=SimpleNamespace(name_of=("Ana", "Bruno").__getitem__)
)


@define
class Evening:
    """An evening at one table after the other.

    `ends` has the choice at each table, the exit code, and the seconds until the table ends.
    """

    ends: list[tuple[AfterMatch, int, float]]
    mended: str | None = None
    leaves: bool = False
    """True if the person leaves each lobby."""
    done: list[object] = field(factory=list)
    told: list[str] = field(factory=list)

    async def spent(self, begins_with: object, monkeypatch: pytest.MonkeyPatch) -> int:
        """Return the exit code of the session."""
        local, bots = SimpleNamespace(mended=self.mended), SimpleNamespace()
        display: Any = SimpleNamespace(
            tell=self.told.append, lobby=self._sit, hold_screen=nullcontext
        )
        policy: Any = SimpleNamespace()

        @asynccontextmanager
        async def node(*given: object, **more: object) -> AsyncIterator[Any]:
            self.done.append((*given, more))
            yield local

        @asynccontextmanager
        async def seated(of: object) -> AsyncIterator[Any]:
            assert of is local
            yield bots

        def table(*given: object) -> Any:
            assert given == (local, bots, MEMBERSHIP, display, policy)
            choice, code, seconds = self.ends.pop(0)
            finished = trio.Event()

            async def sit(*, task_status: trio.TaskStatus[AfterMatch]) -> None:
                self.done.append("sits")
                task_status.started(choice)
                await trio.sleep(seconds)
                finished.set()

            return SimpleNamespace(run=sit, code=code, done=finished, node=NODE)

        def again(_table: object, choice: AfterMatch, title: str) -> Any:
            self.done.append((choice, title))
            return SimpleNamespace(title=title)

        async def begin(*given: object) -> Any:
            await trio.lowlevel.checkpoint()
            assert given == (local, bots)
            return begins_with

        monkeypatch.setattr(run, "open_network_node", node)
        monkeypatch.setattr(run, "open_seated_bots", seated)
        monkeypatch.setattr(run, "TableSession", table)
        monkeypatch.setattr(run, "_lobby_again", again)
        return await run_session(FOLDER, ListenAt(7, anywhere=True), display, policy, begin)

    async def _sit(self, lobby: Any) -> Membership | None:
        await trio.lowlevel.checkpoint()
        self.done.append(f"lobby {lobby.title}")
        return None if self.leaves else MEMBERSHIP


OPENED = (FOLDER, 7, {"anywhere": True})


async def test_a_session_goes_from_lobby_to_table_until_the_person_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The worst exit code of all tables is that of the session."""
    evening = Evening([(AGAIN, 0, 0), (AGAIN, 2, 0), (LEAVE, 1, 0)])
    assert await evening.spent(SimpleNamespace(title="Attic"), monkeypatch) == 2
    lobby = ["lobby Attic", "sits"]
    assert evening.done == [OPENED, *lobby, (AGAIN, "Attic"), *lobby, (AGAIN, "Attic"), *lobby]
    assert evening.told == []


async def test_a_resumed_table_has_no_title(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening([(AGAIN, 0, 0), (LEAVE, 0, 0)], mended="The journal was damaged.")
    assert await evening.spent(MEMBERSHIP, monkeypatch) == 0
    assert evening.done == [OPENED, "sits", (AGAIN, ""), "lobby ", "sits"]
    assert evening.told == ["The journal was damaged."]


async def test_a_person_who_leaves_the_lobby_sits_at_no_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = Evening([], leaves=True)
    assert await evening.spent(SimpleNamespace(title="Attic"), monkeypatch) == 0
    assert (evening.done, evening.told) == ([OPENED, "lobby Attic"], ["You have left the lobby."])


@pytest.mark.parametrize(("seconds", "waits"), [(0.9, False), (1.1, True)])
async def test_a_person_reads_for_whom_the_program_still_runs(
    seconds: float, waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line comes if a table still runs one second after the person has left the last one."""
    evening = Evening([(AGAIN, 0, 0.5), (LEAVE, 0, seconds)])
    await evening.spent(MEMBERSHIP, monkeypatch)
    line = "One moment: Ana and Bruno may still lack the end of the record."
    assert evening.told == [line] * waits
