"""What is told at a table where nobody looks at a screen, and at one whose match is over."""

import io
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from client.session.table import telling_who_lacks_the_end
from client.ui.person_or_program import ProgramDisplay
from client.ui.text.console import Console
from protocol.player import LOST_LOCK

NAMES = ("Ana", "Bruno", "Carla")


def node_at(*, complete: bool, **more: Any) -> Any:
    charter = SimpleNamespace(
        name_of=NAMES.__getitem__, game=SimpleNamespace(title="Canasta", name="canasta"),
        members=[SimpleNamespace(name=name) for name in NAMES], grace=60,
    )  # fmt: skip
    state = SimpleNamespace(complete=complete)
    return SimpleNamespace(charter=charter, state=state, table_id=bytes(32), **more)


@pytest.mark.parametrize(
    ("left", "end"),
    [
        ({1}, "Bruno may still lack its end. To try again: sobremesa resume"),
        (set(), "All have it."),
    ],
)
def test_a_match_that_is_over_says_whom_it_waits_for(left: set[int], end: str) -> None:
    node, told = node_at(complete=True, lacking={2, 1}), list[str]()
    with telling_who_lacks_the_end(node, told.append):
        assert told == ["The match is over. Waiting for Bruno, Carla, who may lack its end."]
        node.lacking = left
    assert told[1:] == [end]


def test_a_match_that_goes_on_says_nothing_of_its_end() -> None:
    told: list[str] = []
    with telling_who_lacks_the_end(node_at(complete=False, lacking={1}), told.append):
        pass
    assert not told


async def test_a_lost_lock_is_told_without_a_person(autojump_clock: object) -> None:
    """Once, also where nothing happens at the table any more; not while the others are heard."""
    output = io.StringIO()

    async def changes() -> Any:
        await trio.sleep_forever()
        yield

    resync = SimpleNamespace(done=False)
    more = {"trouble": LOST_LOCK, "progress": trio.Event(), "chooses": False, "changes": changes}
    node = node_at(complete=False, resync=resync, **more)
    async with trio.open_nursery() as nursery:
        display = ProgramDisplay(Console(output), "easy", 1)
        nursery.start_soon(display.table, node, SimpleNamespace(), ())
        for _ in range(3):
            await wait_all_tasks_blocked()
            assert (str(LOST_LOCK) in output.getvalue()) == resync.done
            resync.done = True
            node.progress.set()
            node.progress = trio.Event()
        nursery.cancel_scope.cancel()
    assert output.getvalue().count(str(LOST_LOCK)) == 1
