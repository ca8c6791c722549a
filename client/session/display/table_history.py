"""What has happened at a table so far: the log in words, the rounds counted, what was checked."""

from collections.abc import Iterable
from typing import Protocol

from attrs import define, field

from client.session.display.round_events import NOTHING_SEEN, RoundEvents
from client.session.display.snapshot import CountedRound, Fairness, LogLine
from p2p.table.asides import AsideCode
from p2p.table.changes import Change
from protocol.audit import Tally
from protocol.state import State

_LOG_LINES = 500


class Narrator(Protocol):
    """Turns changes of the table into lines of the log."""

    def feed(self, change: Change) -> Iterable[LogLine]:
        """The lines that are complete after this change."""

    def said(self, name: str, code: AsideCode, *, own: bool) -> LogLine:
        """The line about something that was said beside the game."""

    def back(self, name: str) -> LogLine:
        """The line about somebody who had left, and is there again."""

    def watches(self, name: str, words: str) -> LogLine:
        """The line about a spectator who has come, and the words of their key."""

    def watches_no_more(self, name: str, by: str | None) -> LogLine:
        """The line about a spectator who has gone, or was barred by a player."""


@define
class TableHistory:
    """Grows by one change after the other. `log` holds the newest of `said` lines, and `events` are
    those of the round that is played.
    """

    narrator: Narrator
    log: tuple[LogLine, ...] = ()
    said: int = 0
    rounds: tuple[CountedRound, ...] = ()
    events: RoundEvents = NOTHING_SEEN
    _tallies: dict[int, Tally] = field(factory=dict)
    """What was checked, by the number of rounds that were over before."""

    def follow(self, change: Change) -> None:
        """Take up what has changed."""
        self.add(*self.narrator.feed(change))
        if change.taken_back:
            over = _rounds_over(change.before)
            self.rounds = tuple(one for one in self.rounds if one.number <= over)
        self.events = self.events.after(change)
        if change.after.last is None:
            return
        tally = self._tallies.setdefault(_rounds_over(change.before), Tally())
        tally.count(change.before.charter, change.after.last.content)
        if change.after.match.round_over and not change.before.match.round_over:
            self._count(change)

    def add(self, *lines: LogLine) -> None:
        """Add lines to the log."""
        self.log = (*self.log, *lines)[-_LOG_LINES:]
        self.said += len(lines)

    def _count(self, change: Change) -> None:
        match = change.after.match
        round_ = match.round
        assert round_ is not None
        assert round_.sheet is not None
        totals = zip(match.totals, round_.sheet.totals, strict=True)
        counted = CountedRound(
            match.round_number,
            round_.sheet,
            tuple(old + new for old, new in totals),
            round_,
            _fairness(self._tallies[_rounds_over(change.before)]),
        )
        self.rounds = (*self.rounds, counted)


def _rounds_over(state: State) -> int:
    """The number of rounds that have been played to their end."""
    match = state.match
    return match.round_number - (not match.round_over)


def _fairness(tally: Tally) -> Fairness:
    return Fairness(tally.shuffle_proofs, tally.unlock_proofs, tally.face_proofs, tally.signatures)
