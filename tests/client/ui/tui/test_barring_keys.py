"""A player bars a spectator, by a key or a typed line."""

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import evolve

from client.session.display.snapshot import BarSpectator, TableDecision
from client.ui.tui.table.screen import TableScreen
from p2p.transport.spectator_messages import Spectator
from tests.client.plain_seat import snapshot_at
from tests.client.terminals import Hands
from tests.client.ui.tui.golden import notice, table_on
from tests.client.ui.tui.situations import DRAWING

EVA, FAY = Spectator(bytes(32), "Eva"), Spectator(bytes([1]) * 32, "Fay")


@contextmanager
def watched(*spectators: Spectator) -> Iterator[tuple[Hands, TableScreen, list[TableDecision]]]:
    """Return a table with these spectators."""
    barred: list[TableDecision] = []
    snapshot = evolve(snapshot_at("canasta", DRAWING), spectators=spectators)
    with table_on(snapshot, 100) as (hands, screen):
        screen.window.controls.decide = barred.append
        yield hands, screen, barred


async def test_one_key_bars_who_watches() -> None:
    with watched(EVA) as (hands, screen, barred):
        assert " b bar" in hands.screen
        hands.press("b")
        assert barred == [BarSpectator(EVA.key)]
        assert notice(screen) == "Eva is barred from watching."


async def test_of_several_spectators_one_says_which() -> None:
    with watched(EVA, FAY) as (hands, screen, barred):
        hands.press("b")
        assert notice(screen) == "Several watch. Type who has to go: bar 1: Eva, bar 2: Fay."
        hands.press(":bar 3\r")
        assert notice(screen) == "There is no spectator 3."
        hands.press(":bar Fay\r")
        assert "Type it like this: bar 1" in notice(screen)
        assert not barred
        hands.press(":bar 2\r")
        assert barred == [BarSpectator(FAY.key)]


async def test_where_nobody_watches_nobody_is_barred() -> None:
    with watched() as (hands, screen, barred):
        assert " b bar" not in hands.screen
        hands.press("b")
        assert notice(screen) == "Nobody watches whom you could bar."
        assert not barred


async def test_who_only_watches_bars_nobody() -> None:
    with watched(EVA) as (hands, screen, barred):
        snapshot = screen.window.controls.snapshot
        assert snapshot is not None
        screen.window.show(evolve(snapshot, watching=True))
        hands.press("b")
        assert not barred
