"""The time at which the screen of a table is drawn after a move."""

import pytest
import trio
import trio.testing

from client.session.display.snapshot import AfterMatch
from client.ui.tui.table import screen as table_screen
from client.ui.tui.table.screen import TableScreen
from engine.moves import DrawStock
from engine.turn import Step
from p2p.background_task import beside
from protocol.errors import Refused
from tests.client.plain_seat import snapshot_at
from tests.client.terminals import emulated, plain_look
from tests.client.ui.tui.golden import table_on
from tests.client.ui.tui.situations import DRAWING
from tests.engine.positions import table_of
from tests.patience import PATIENCE

DRAWN = table_of("canasta", hands=["7h 7d Kc Ks 9c"], pile="5h", step=Step.PLAY)


@pytest.mark.parametrize("refused", [True, False])
async def test_the_screen_is_drawn_when_a_move_is_answered(
    refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The screen is not drawn before the answer: drawing twice would make it flicker."""
    monkeypatch.setattr(table_screen, "_ANSWER_SECONDS", 2 * PATIENCE)
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        done = trio.Event()
        before = hands.screen

        async def press() -> None:
            await trio.to_thread.run_sync(screen._send, DrawStock(), abandon_on_cancel=True)
            done.set()

        with trio.fail_after(PATIENCE):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(press)
                assert await screen.decided() == (DrawStock(),)
                await trio.testing.wait_all_tasks_blocked()
                assert not done.is_set()
                if refused:
                    screen.refuse(Refused("It is not your turn."))
                else:
                    screen.show(snapshot_at("canasta", DRAWN))
        screen._screen._work_off()
        assert hands.screen != before


async def test_the_screen_runs_from_the_first_snapshot_until_the_person_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[str] = []
    chosen: list[AfterMatch] = []

    async def run(_screen: object) -> None:
        begun.append("begun")

    monkeypatch.setattr("client.ui.tui.table.screen.Screen.run", run)
    with emulated(80, 24):
        screen = TableScreen(plain_look())

        async def show() -> None:
            chosen.append(await screen.run())

        async with beside(show):
            await trio.testing.wait_all_tasks_blocked()
            assert not begun
            screen._leave(AfterMatch.AGAIN)
            screen.show(snapshot_at("canasta", DRAWING))
            await trio.testing.wait_all_tasks_blocked()
    assert (begun, chosen) == (["begun"], [AfterMatch.AGAIN])


async def test_a_slow_move_does_not_block_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_screen, "_ANSWER_SECONDS", 0.0)
    with table_on(snapshot_at("canasta", DRAWING)) as (_, screen):
        await trio.to_thread.run_sync(screen._send, DrawStock())
        assert await screen.decided() == (DrawStock(),)
