"""Lines about a table that is played with `--autoplay`, and about a match that is over."""

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from client.session.table import opening_lines, telling_who_lacks_the_end
from client.ui.session_displays import ProgramDisplay
from client.ui.text.console import Console
from engine.sentences import Sentence
from p2p.background_task import beside
from p2p.table.asides import AsideCode, Asides
from protocol.errors import Exposed
from protocol.player import LOST_LOCK
from protocol.words_for_keys import words

pytestmark = pytest.mark.usefixtures("autojump_clock")

NAMES = ("Ana", "Bruno", "Carla")
ANA, BRUNO, _CARLA = range(3)

Table = tuple[Any, io.StringIO]


def node_at(*, complete: bool, **more: Any) -> Any:
    charter = SimpleNamespace(
        name_of=NAMES.__getitem__,
        game=SimpleNamespace(title="Canasta", name="canasta"),
        members=[SimpleNamespace(name=name) for name in NAMES],
        grace=60,
    )
    state = SimpleNamespace(complete=complete)
    return SimpleNamespace(charter=charter, state=state, table_id=bytes(32), **more)


@pytest.mark.parametrize(
    ("left", "end"),
    [
        ({1}, "Bruno may still lack the end of the record. To try again: sobremesa resume"),
        (set(), "All players have the whole record."),
    ],
)
def test_after_a_match_the_program_names_players_who_lack_its_end(left: set[int], end: str) -> None:
    node, told = node_at(complete=True, lacking=[2, 1]), list[str]()
    with telling_who_lacks_the_end(node, told.append):
        assert told == [
            "The match is over. Waiting for Bruno and Carla, who may lack the end of the record."
        ]
        node.lacking = left
    assert told[1:] == [end]


@pytest.mark.parametrize("players", [2, 3])
def test_a_table_opens_with_its_words_and_the_grace(players: int) -> None:
    """At a table of two nobody can go on alone, so the line about the grace is missing."""
    node = node_at(complete=False)
    node.charter.members = node.charter.members[:players]
    names = "Ana and Bruno" if players == 2 else "Ana, Bruno and Carla"
    grace = ["After 60 s of silence the others may go on without a player."]
    assert [*opening_lines(node)] == [
        f"Canasta. At the table: {names}.",
        f"The table's words: {' '.join(words(bytes(32)))}.",
        "Everybody must see the same words; read them aloud once.",
        *grace[: players - 2],
    ]


def test_a_player_alone_with_bots_sees_no_words_to_compare() -> None:
    first, *others = opening_lines(node_at(complete=False))
    assert first.endswith("At the table: Ana, Bruno and Carla.")
    assert [one for one in others if "read them aloud" in one]
    assert opening_lines(node_at(complete=False), alone=True) == (first,)


def test_nobody_is_named_as_lacking_the_end_of_an_unfinished_match() -> None:
    told: list[str] = []
    with telling_who_lacks_the_end(node_at(complete=False, lacking={1}), told.append):
        pass
    assert not told


def at_rest(trouble: object) -> dict[str, Any]:
    """Return the attributes of a node at a table where nothing happens."""
    asides = Asides(ANA, lambda _code: None, lambda: False)
    shown = {"trouble": trouble, "chooses": False, "changes": none, "asides": asides, "me": ANA}
    return {**shown, "progress": trio.Event(), "exposed": None, "exposed_players": frozenset()}


async def none() -> Any:
    """Wait for ever, as if nothing changed at the table."""
    await trio.sleep_forever()
    yield


@asynccontextmanager
async def told_alone(*, trouble: object = None, is_sure: bool = True) -> AsyncIterator[Table]:
    """Let the program play at a table where nothing happens; yield the node, and all lines."""
    output = io.StringIO()
    node = node_at(complete=False, going_on=SimpleNamespace(is_sure=is_sure), **at_rest(trouble))
    display = ProgramDisplay(Console(output), "easy", 1)
    async with beside(partial(display.table, node, tuple, ())):
        await wait_all_tasks_blocked()
        yield node, output


async def go_on(node: Any) -> None:
    """Let the display hear that something has changed."""
    node.progress.set()
    node.progress = trio.Event()
    await wait_all_tasks_blocked()


async def test_autoplay_reports_a_lost_lock_once() -> None:
    """The line comes after the resync, even if nothing else happens at the table."""
    async with told_alone(trouble=LOST_LOCK, is_sure=False) as (node, output):
        assert str(LOST_LOCK) not in output.getvalue()
        node.going_on.is_sure = True
        for _ in range(2):
            await go_on(node)
            assert output.getvalue().count(str(LOST_LOCK)) == 1


async def test_autoplay_reports_a_cheat_once() -> None:
    """After the line the table goes on, or waits for wishes. The line must not come again."""
    async with told_alone() as (node, output):
        node.exposed = Exposed(BRUNO, "R8", Sentence("They signed two."), ())
        node.exposed_players = frozenset({BRUNO})
        for _ in range(2):
            await go_on(node)
    assert output.getvalue().count("Bruno has signed what exposes them: They signed two.") == 1


async def test_autoplay_shows_what_the_others_say() -> None:
    async with told_alone() as (node, output):
        node.asides.say(AsideCode.THANK_YOU)
        node.asides.hear(BRUNO, AsideCode.ONE_MOMENT)
        node.asides.hear(BRUNO, AsideCode.LEAVING)
        await wait_all_tasks_blocked()
    *_, phrase, left = output.getvalue().splitlines()
    assert (phrase, left) == ('Bruno says "One moment, please."', "Bruno has left the table")
    assert output.getvalue().count("says") == 1
