"""Between a place at a table and what shows it: every change becomes a snapshot, and what the
person decides becomes moves.

A snapshot is a value: it may be handed to another thread.
"""

from typing import Protocol

import trio
from attrs import define, field, frozen

from client.seating.seat import OwnSeat
from client.telling.describe import TurnLines
from client.telling.tell import news
from engine.errors import IllegalMove
from engine.moves import Move
from engine.position import Position
from engine.scoring import ScoreSheet
from p2p.node import Change
from protocol.audit import Tally
from protocol.errors import Exposed, Refused
from protocol.state import State

_LOG_LINES = 500


@frozen
class Fairness:
    """What was checked and held in a round."""

    shuffles: int
    unlockings: int
    faces: int
    signatures: int


@frozen
class Ended:
    """A counted round: its sheet, the match points with it, and how all hands were opened."""

    number: int
    sheet: ScoreSheet
    totals: tuple[int, ...]
    position: Position
    fairness: Fairness


@frozen
class Snapshot:
    """What one's own place knew at one moment. `log` ends with the newest of `said` lines."""

    state: State
    view: Position | None
    me: int
    chooses: bool
    log: tuple[str, ...] = ()
    said: int = 0
    ended: Ended | None = None
    exposed: Exposed | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """By player."""
        return tuple(member.name for member in self.state.charter.members)


class Display(Protocol):
    """A screen, or lines: it shows snapshots and says what the person has decided."""

    def show(self, snapshot: Snapshot) -> None: ...

    def refuse(self, error: IllegalMove | Refused) -> None:
        """A decision that was sent could not be carried out."""

    async def decided(self) -> tuple[Move, ...]:
        """The person's next decision: moves to be made one after the other."""


@define
class Attendant:
    """Follows `seat` for `display` until the seat's node stops."""

    seat: OwnSeat
    display: Display
    symbols: bool
    _log: tuple[str, ...] = ()
    _said: int = 0
    _ended: Ended | None = None
    _tally: Tally = field(factory=Tally)

    async def run(self) -> None:
        lines = TurnLines(symbols=self.symbols)
        changes = self.seat.changes()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._decisions)
            self._show()
            async for change in changes:
                new = (*lines.feed(change.before, change.after), *news(change))
                self._log = (*self._log, *new)[-_LOG_LINES:]
                self._said += len(new)
                self._count(change)
                self._show()
            nursery.cancel_scope.cancel()

    def _show(self) -> None:
        seat = self.seat
        self.display.show(
            Snapshot(
                state=seat.state,
                view=seat.view,
                me=seat.me,
                chooses=seat.chooses,
                log=self._log,
                said=self._said,
                ended=self._ended,
                exposed=seat.exposed,
            )
        )

    def _count(self, change: Change) -> None:
        if change.after.last is None:
            return
        self._tally.count(change.after.last.content)
        before, after = change.before.match, change.after.match
        if after.round_over and not before.round_over:
            round_ = after.round
            assert round_ is not None
            assert round_.sheet is not None
            totals = zip(after.totals, round_.sheet.totals, strict=True)
            self._ended = Ended(
                after.round_number,
                round_.sheet,
                tuple(old + new for old, new in totals),
                round_,
                _fairness(self._tally),
            )
            self._tally = Tally()

    async def _decisions(self) -> None:
        while True:
            for move in await self.display.decided():
                try:
                    await self.seat.play(move)
                except (IllegalMove, Refused) as error:
                    self.display.refuse(error)
                    break


def _fairness(tally: Tally) -> Fairness:
    return Fairness(tally.shuffle_proofs, tally.unlock_proofs, tally.face_proofs, tally.signatures)
