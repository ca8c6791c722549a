"""A person at a table, up to the choice after the match, and a terminal that is lost."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import define, field

from client.session import table
from client.session.display.snapshot import AfterMatch
from client.session.ending_signals import Interrupted
from client.session.run_until_signal import GOODBYE_SECONDS
from client.session.table import TablePolicy, TableSession

pytestmark = pytest.mark.usefixtures("autojump_clock")


@define(slots=False)
class Person:
    """A display of a person who leaves after a second; `done` has what happens, in order."""

    ends: Callable[[], AfterMatch] = lambda: AfterMatch.AGAIN
    done: list[Any] = field(factory=list)

    async def table(self, *given: object) -> AfterMatch:
        self.done.append(given)
        await trio.sleep(1)
        return self.ends()

    def tell(self, line: str) -> None:
        self.done.append(line)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> TableSession:
    """Return a session whose parts, except `_play`, only note that they are called.

    The node runs two seconds longer than the person stays.
    """
    person, none = Person(), None
    done = person.done

    async def run(**how: object) -> None:
        done.append(how)
        await trio.sleep(3)

    async def conclude(_session: TableSession) -> None:
        done.append("concludes")
        await trio.sleep(0.1)

    async def leave_now(_session: TableSession) -> None:
        done.append("leaves")
        await trio.sleep(60)

    @contextmanager
    def telling(*given: object) -> Iterator[None]:
        assert given == (node, person.tell)
        done.append("begins")
        try:
            yield
        finally:
            done.append("ends")

    node, bots = SimpleNamespace(run=run), SimpleNamespace(own="own bots")
    monkeypatch.setattr(table, "MatchNode", lambda *_, **_more: node)
    monkeypatch.setattr(table, "TableBots", lambda *_: bots)
    monkeypatch.setattr(table, "telling_who_lacks_the_end", telling)
    monkeypatch.setattr(TableSession, "_conclude", conclude)
    monkeypatch.setattr(TableSession, "_leave_now", leave_now)
    monkeypatch.setattr(
        TableSession, "_say_goodbye", lambda _session, choice: done.append(("goodbye", choice))
    )
    local = SimpleNamespace(endpoint=None, journal=None)
    return TableSession(local, none, none, person, TablePolicy(none))  # type: ignore[arg-type]


CHOICES = (AfterMatch.AGAIN, AfterMatch.OTHER_SEATS)


async def test_the_node_runs_on_after_the_person_has_left(session: TableSession) -> None:
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        choice: AfterMatch = await nursery.start(session._play)
        assert choice is AfterMatch.AGAIN
        assert trio.current_time() - began == pytest.approx(1.1)
    assert trio.current_time() - began == 3
    done: list[Any] = session.display.done  # type: ignore[attr-defined]
    at_once = [{"linger": True}, (session.node, "own bots", CHOICES)]
    assert done[0] == "begins"
    assert done[1:3] in (at_once, at_once[::-1])
    assert done[3:] == ["concludes", ("goodbye", AfterMatch.AGAIN), "ends"]
    assert session._left


async def test_if_the_terminal_is_lost_the_goodbye_has_a_time_limit(session: TableSession) -> None:
    def lost() -> AfterMatch:
        raise Interrupted("The terminal is gone.")

    session.display.ends = lost  # type: ignore[attr-defined]
    began = trio.current_time()
    with pytest.raises(BaseExceptionGroup) as group:
        await session._play(trio.TASK_STATUS_IGNORED)
    assert group.group_contains(Interrupted)
    assert trio.current_time() - began == pytest.approx(1 + GOODBYE_SECONDS)
    done: list[Any] = session.display.done  # type: ignore[attr-defined]
    assert done[3:] == ["leaves", "ends"]
    assert not session._left
