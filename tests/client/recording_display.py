"""A display of a table that keeps everything it is given, for tests of the presenter."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import trio
from attrs import define, field
from trio.testing import wait_all_tasks_blocked

from client.session.display.presenter import Presenter
from client.session.display.snapshot import Snapshot, TableDecision
from client.ui.text.events import log_lines
from engine.errors import IllegalMove
from engine.moves import Move
from engine.position import Position
from p2p.background_task import beside
from p2p.table.asides import Asides
from protocol.errors import Refused
from tests.client.plain_seat import PlainSeat


@define
class RecordingDisplay:
    """A display that keeps everything it is given; `choose`, if given, makes the person's moves."""

    choose: Callable[[Position], Move] | None = None
    shown: list[Snapshot] = field(factory=list)
    refused: list[IllegalMove | Refused] = field(factory=list)
    told: list[str] = field(factory=list)
    decide: Callable[[TableDecision], None] = field(init=False)
    decisions: trio.MemoryReceiveChannel[TableDecision] = field(init=False)

    def __attrs_post_init__(self) -> None:
        sender, self.decisions = trio.open_memory_channel[TableDecision](200)
        self.decide = sender.send_nowait

    def show(self, snapshot: Snapshot) -> None:
        is_new = not self.shown or self.shown[-1].state.height != snapshot.state.height
        self.shown.append(snapshot)
        if is_new and self.choose and snapshot.chooses and snapshot.view is not None:
            self.decide((self.choose(snapshot.view),))

    def refuse(self, error: IllegalMove | Refused) -> None:
        self.refused.append(error)

    def tell(self, sentence: str) -> None:
        self.told.append(sentence)

    async def decided(self) -> TableDecision:
        return await self.decisions.receive()

    @property
    def log(self) -> list[str]:
        """The sentences of the log that was shown last."""
        return [line.sentence for line in self.shown[-1].log]


@asynccontextmanager
async def presented(
    seat: PlainSeat,
    display: RecordingDisplay,
    *,
    with_bots: bool = False,
    asides: Asides | None = None,
    watching: bool = False,
) -> AsyncIterator[None]:
    """Run a presenter between seat and display; if `with_bots` is true, bots may take seats."""
    own_bots = tuple if with_bots else None
    narrate = partial(log_lines, symbols=False)
    presenter = Presenter(seat, display, narrate, own_bots, asides, watching)
    async with beside(presenter.run):
        await wait_all_tasks_blocked()
        yield
