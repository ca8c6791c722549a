"""Between a place at a table and what shows it: every change becomes a snapshot, and what the
person decides becomes moves.
"""

from pathlib import Path
from typing import Protocol

import trio
from attrs import define, evolve, field

from client.i18n import sentences
from client.i18n.language import _
from client.record_files import RecordError, save_record
from client.session.absence import Absence, House, Invitation, Welcome, absence_at
from client.session.seat import OwnSeat
from client.session.snapshot import Decision, Ended, Fairness, Saving, Snapshot
from client.ui.text.events import TurnLines
from client.ui.text.status import news
from engine.errors import IllegalMove
from p2p.replacement.applicants import Candidate
from p2p.storage.folders import FolderError
from p2p.table.node import Change
from protocol.audit import Tally
from protocol.entries import AbsentContent
from protocol.errors import Refused

_LOG_LINES = 500
_LOOK_SECONDS = 1.0  # between two looks at whom the table waits for


class Display(Protocol):
    """A screen, or lines: it shows snapshots and says what the person has decided."""

    def show(self, snapshot: Snapshot) -> None: ...

    def refuse(self, error: IllegalMove | Refused) -> None:
        """A decision that was sent could not be carried out."""

    def tell(self, sentence: str) -> None:
        """A decision was carried out, and this came of it."""

    async def decided(self) -> Decision:
        """The person's next decision."""


@define
class Attendant:
    """Follows `seat` for `display` until the seat's node stops. Without a `house` nobody is ever
    given up, and it is not told whom the table waits for.
    """

    seat: OwnSeat
    display: Display
    symbols: bool
    house: House | None = None
    _log: tuple[str, ...] = ()
    _said: int = 0
    _ended: Ended | None = None
    _tally: Tally = field(factory=Tally)
    _shown: Snapshot | None = None
    _agreed_at: int | None = None
    _invited: Candidate | None = None
    _inviting: trio.CancelScope = field(factory=trio.CancelScope)
    _saved: tuple[int, Path] | None = None

    async def run(self) -> None:
        lines = TurnLines(symbols=self.symbols)
        changes = self.seat.changes()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._decisions, nursery)
            nursery.start_soon(self._watch)
            self._show()
            async for change in changes:
                new = (*lines.feed(change.before, change.after), *news(change))
                self._log = (*self._log, *new)[-_LOG_LINES:]
                self._said += len(new)
                self._count(change)
                self._show()
            nursery.cancel_scope.cancel()
        self._show()  # how it ended for this seat

    def _show(self) -> None:
        seat = self.seat
        self._shown = Snapshot(
            state=seat.state,
            view=seat.view,
            me=seat.me,
            chooses=seat.chooses,
            log=self._log,
            said=self._said,
            ended=self._ended,
            exposed=seat.exposed,
            absence=self._absence,
            dismissed=seat.dismissed,
            trouble=seat.trouble,
        )
        self.display.show(self._shown)

    @property
    def _absence(self) -> Absence | None:
        if self.house is None or self.seat.dismissed:
            return None
        agreed = self._agreed_at == self.seat.state.height
        return absence_at(self.seat, agreed=agreed, invited=self._invited)

    async def _watch(self) -> None:
        """Tell, as time goes by, whom the table waits for."""
        while self.house is not None:
            await trio.sleep(_LOOK_SECONDS)
            absence = self._absence
            if self._shown is not None and absence != self._shown.absence:
                self._shown = evolve(self._shown, absence=absence)
                self.display.show(self._shown)

    def _count(self, change: Change) -> None:
        if change.after.last is None:
            return
        self._tally.count(change.before.charter, change.after.last.content)
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

    async def _decisions(self, nursery: trio.Nursery) -> None:
        while True:
            decision = await self.display.decided()
            try:
                if isinstance(decision, Saving):
                    await self._save()
                elif isinstance(decision, tuple):
                    for move in decision:
                        await self.seat.play(move)
                else:
                    self._inviting.cancel()  # another proposal takes the place of an invitation
                    if isinstance(decision, Welcome):
                        nursery.start_soon(self._welcome, decision)
                    else:
                        await self._agree(decision)
            except (IllegalMove, Refused) as error:
                self.display.refuse(error)

    async def _save(self) -> None:
        """Write the record as far as it goes, once for as far as it goes."""
        state = self.seat.state
        if self._saved is None or self._saved[0] != state.height:
            try:
                path = await trio.to_thread.run_sync(
                    save_record, self.seat.record(), state.match.game.name
                )
            except (RecordError, FolderError) as error:
                self.display.tell(sentences.said(error))
                return
            self._saved = state.height, path
        self.display.tell(
            _("The record so far is in {path}. To check it: sobremesa audit {path}").format(
                path=self._saved[1]
            )
        )

    async def _welcome(self, welcome: Welcome) -> None:
        """Ask somebody to take a seat, and vote for it once she has checked the record and signed:
        that takes as long as it takes her.
        """
        height = self.seat.state.height
        with trio.CancelScope() as scope:
            self._inviting = scope
            self._invited = welcome.candidate
            try:
                content = await self.seat.invite({welcome.player: welcome.candidate.key})
                await self.seat.vote(content)
                self._agreed_at = height
            except Refused as error:
                self.display.refuse(error)
            finally:
                if self._inviting is scope:
                    self._invited = None

    async def _agree(self, proposal: AbsentContent | Invitation) -> None:
        """Give one's vote. Raises Refused."""
        height = self.seat.state.height
        if isinstance(proposal, Invitation):
            assert self.house is not None
            await self.house.invite(proposal.players)
        else:
            await self.seat.vote(proposal)
        self._agreed_at = height


def _fairness(tally: Tally) -> Fairness:
    return Fairness(tally.shuffle_proofs, tally.unlock_proofs, tally.face_proofs, tally.signatures)
