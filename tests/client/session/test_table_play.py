"""A person at a table: from the first look to the choice after it, and signals in between."""

from collections.abc import Callable
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

    ends: Callable[[], AfterMatch]
    done: list[Any] = field(factory=list)

    async def table(self, *given: object) -> AfterMatch:
        self.done.append(given)
        await trio.sleep(1)
        return self.ends()

    def tell(self, line: str) -> None:
        self.done.append(line)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> TableSession:
    """Return a session whose parts beside `_play` only note that they are called."""
    person = Person(lambda: AfterMatch.AGAIN)
    done = person.done

    class Node:
        """A stand-in for the node, which runs two seconds longer than the person stays."""

        async def run(self, **how: object) -> None:
            done.append(how)
            await trio.sleep(3)

    none: Any = None
    local: Any = type("Local", (), {"endpoint": None, "journal": None})
    bots = type("Bots", (), {"own": "own bots"})
    monkeypatch.setattr(table, "MatchNode", lambda *_, **_more: Node())
    monkeypatch.setattr(table, "TableBots", lambda *_: bots)
    for name in ("_conclude", "_leave_now"):
        monkeypatch.setattr(TableSession, name, _method(name, done))
    monkeypatch.setattr(
        TableSession, "_say_goodbye", lambda _session, choice: done.append(("goodbye", choice))
    )

    def telling(node: object, tell: object) -> Any:
        assert (node, tell) == (made.node, person.tell)
        return _Around(done)

    monkeypatch.setattr(table, "telling_who_lacks_the_end", telling)
    made = TableSession(local, none, none, person, TablePolicy(none))  # type: ignore[arg-type]
    return made


def _method(name: str, done: list[Any]) -> Any:
    async def called(_session: TableSession) -> None:
        done.append(name)
        await trio.sleep(0.1 if name == "_conclude" else 60)
        done.append(f"{name} ends")

    return called


@define
class _Around:
    """A context that notes its beginning and its end."""

    done: list[Any]

    def __enter__(self) -> None:
        self.done.append("begins")

    def __exit__(self, *_: object) -> None:
        self.done.append("ends")


CHOICES = (AfterMatch.AGAIN, AfterMatch.OTHER_SEATS)


async def test_the_node_runs_on_after_the_person_has_left(session: TableSession) -> None:
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        choice: AfterMatch = await nursery.start(session._play)
        assert choice is AfterMatch.AGAIN
        assert trio.current_time() - began == pytest.approx(1.1)
    assert trio.current_time() - began == 3
    done: list[Any] = session.display.done  # type: ignore[attr-defined]
    assert done[:3] == ["begins", {"linger": True}, (session.node, "own bots", CHOICES)] or (
        done[:3] == ["begins", (session.node, "own bots", CHOICES), {"linger": True}]
    )
    assert done[3:] == [
        *("_conclude", "_conclude ends", ("goodbye", AfterMatch.AGAIN), "ends"),
    ]
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
    assert done[3:] == ["_leave_now", "ends"]
    assert not session._left
