"""The menu of one record: its score sheets, replay, review and audit, and its deletion."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import trio
from attrs import define

from client.cli.commands.replay import plain_lines
from client.cli.commands.review import review_reader
from client.cli.record_command_helpers import player_named
from client.errors import BadRequest
from client.i18n.language import _
from client.i18n.sentences import said
from client.record_files import RecordError
from client.record_summary import record_line
from client.reports.model import AuditReport
from client.reports.score_sheet import sheet_lines
from client.reports.text import report_lines
from client.reports.words import result, round_title, verdict
from client.settings import load_settings
from client.ui.model.game_review import review_game
from client.ui.model.replay import Replay
from client.ui.tui.replay.cursor import ReplayCursor
from client.ui.tui.replay.screen import ReplayScreen
from client.ui.tui.terminal.run_beside_trio import Screen
from client.ui.tui.toolkit.dialogs import Reader, read, while_working
from client.ui.tui.toolkit.menu import Choice, Menu
from client.ui.tui.toolkit.terminal_look import TerminalLook
from p2p.storage.private_files import data_folder

_SHEETS, _REPLAY, _REVIEW, _AUDIT, _DELETE = "sheets", "replay", "review", "audit", "delete"


def record_choice(path: Path) -> Choice:
    """Return a record as a choice of a menu; an unreadable record has the reason as its label."""
    try:
        line = record_line(path)
    except RecordError as error:
        line = said(error).removesuffix(".")
    return Choice(path.name, line, f"{path}")


async def surely(question: str, detail: str, look: TerminalLook) -> bool:
    """Return True if the person answers yes; the cursor begins at no. Raises Interrupted."""
    choices = [Choice("no", _("No, keep it")), Choice("yes", _("Yes, delete it"))]
    return await Menu(question, choices, (detail,)).ask(look) == "yes"


@define
class RecordMenu:
    """The menu of the record in the file `path`, which is audited once, when that is needed."""

    path: Path
    look: TerminalLook
    _replay: Replay | None = None

    async def run(self) -> None:
        """Run until the person goes back, or the record is deleted.

        Raises RecordError for a file that is no record, and Interrupted.
        """
        menu = Menu(record_choice(self.path).label, _choices(), (f"{self.path}",))
        while (chosen := await menu.ask(self.look)) is not None:
            if chosen == _DELETE:
                if await self._deleted():
                    return
                continue
            replay = self._replay = self._replay or await self._audited()
            if replay is not None:
                await self._show(chosen, replay)

    async def _audited(self) -> Replay | None:
        """Return the record with its audit; None if the person cancels the audit."""
        load = partial(Replay.load, self.path)
        return await while_working(_("Checking each step of the record"), load, self.look)

    async def _show(self, chosen: str, replay: Replay) -> None:
        if chosen == _REVIEW:
            await self._show_review(replay)
            return
        report = replay.report
        text: dict[str, Callable[[], list[str]]] = {
            _SHEETS: lambda: list(_sheets(report)),
            _AUDIT: lambda: list(report_lines(report)),
            _REPLAY: lambda: list(plain_lines(replay, None, symbols=self.look.glyphs.symbols)),
        }
        if chosen == _REPLAY and self.look.lines is None and replay.moments:
            screen = ReplayScreen(ReplayCursor(replay, replay.first_with_cards), self.look)
            await Screen(screen.application()).run()
            return
        await read(Reader(self.path.name, text[chosen]()), self.look)

    async def _show_review(self, replay: Replay) -> None:
        player = await self._whose(replay)
        if player is None:
            return
        judge = partial(review_game, replay, player, None)
        review = await while_working(_("Judging each decision"), judge, self.look)
        if review is not None:
            await read(review_reader(review, self.look), self.look)

    async def _whose(self, replay: Replay) -> int | None:
        """Return the player to review: the one with the person's name, or else one they choose."""
        own = load_settings(data_folder()).settings.name
        with suppress(BadRequest):
            return player_named(own, replay.sitters)
        names = [" / ".join(names) for names in replay.sitters]
        choices = [Choice(f"{player}", name) for player, name in enumerate(names)]
        chosen = await Menu(_("Whose game?"), choices).ask(self.look)
        return None if chosen is None else int(chosen)

    async def _deleted(self) -> bool:
        text = _("It cannot be restored here; the others at the table have their own copies.")
        if not await surely(_("Delete this record?"), text, self.look):
            return False
        await trio.to_thread.run_sync(partial(self.path.unlink, missing_ok=True))
        return True


def _choices() -> list[Choice]:
    return [
        Choice(_SHEETS, _("Open"), _("The score sheets of all rounds, and who has signed.")),
        Choice(_REPLAY, _("Replay"), _("Step by step, forwards and back, with all cards.")),
        Choice(_REVIEW, _("Review"), _("Your own mistakes, judged by what you knew then.")),
        Choice(_AUDIT, _("Audit"), _("Who shuffled, and each proof, move and signature.")),
        Choice(_DELETE, _("Delete"), _("You will be asked once more.")),
    ]


def _sheets(report: AuditReport) -> Iterator[str]:
    """Return the score sheet of each round, the winner, and the verdict, as lines."""
    table = report.table
    for one in report.rounds:
        if table is not None and one.sheet is not None:
            sheet, totals = one.sheet.sheet, one.sheet.totals
            yield from (*sheet_lines(sheet, totals, table.sides, round_title(one)), "")
    if text := result(report):
        yield from (text, "")
    yield verdict(report)
