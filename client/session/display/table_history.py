"""The past of a table: the log in words, the counted rounds, and the numbers of checks."""

from collections.abc import Callable, Iterable, Sequence

from attrs import define, field

from client.session.display.pile_events import NOTHING_SEEN, PileEvents
from client.session.display.snapshot import CountedRound, Fairness, LogLine
from engine.score_sheet import ScoreSheet
from protocol.audit import Tally
from protocol.state import State
from protocol.table.tasks import Change

_LOG_LINES = 500


Narrate = Callable[[Change], Iterable[LogLine]]
"""Function that returns the lines of the log about a change."""


@define
class TableHistory:
    """The past of a table; `follow` adds a change."""

    narrate: Narrate
    log: tuple[LogLine, ...] = ()
    """The newest lines of the log."""
    said: int = 0
    """The number of all lines so far."""
    rounds: tuple[CountedRound, ...] = ()
    events: PileEvents = NOTHING_SEEN
    """The public events of the current round."""
    _tallies: dict[int, Tally] = field(factory=dict)
    """The checks in each round, by the number of rounds that were over before that round."""

    def follow(self, change: Change) -> None:
        """Add a change to the log, the events, the counted rounds and the checks."""
        self.add(*self.narrate(change))
        self.events = self.events.after(change)
        if change.continues:
            # A continuation may begin at an earlier place, where a round is over but not closed.
            # `_count` must not count that round a second time.
            self._go_on(change)
            return
        if change.after.last is not None:
            tally = self._tallies.setdefault(_rounds_over(change.before), Tally())
            tally.count(change.after.last.content)
        if change.after.match.round_over and not change.before.match.round_over:
            self._count(change)

    def _go_on(self, change: Change) -> None:
        """Adapt the counted rounds to a continuation.

        A continuation can begin at an earlier place than the newest one that this node knows. So
        rounds that the continuation does not count are dropped. If it counts the interrupted round,
        that round is added, with its position when it was interrupted.
        """
        before, sheets = change.before.match, change.after.match.sheets
        # A round that is over, but not closed yet, has no sheet in the match; this node has counted
        # it already.
        count = len(sheets) + change.after.match.round_over
        kept = self.rounds[:count]
        while kept and kept[-1].number <= len(sheets) and not _is_on(kept[-1], sheets):
            kept = kept[:-1]
        self.rounds = kept
        if len(kept) < len(sheets) and before.round is not None:
            sheet = sheets[-1]
            totals = change.after.match.totals
            tally = self._tallies.get(_rounds_over(change.before), Tally())
            last = CountedRound(
                len(sheets), sheet, totals, before.round, _fairness(tally), interrupted=True
            )
            self.rounds = (*kept, last)
        # Unless hands were being opened for the count, the interrupted round is dealt again. Then
        # its checks are counted anew.
        if not before.opening:
            self._tallies.pop(_rounds_over(change.after), None)

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


def _is_on(counted: CountedRound, sheets: Sequence[ScoreSheet]) -> bool:
    return counted.sheet.totals == sheets[counted.number - 1].totals


def _rounds_over(state: State) -> int:
    """Return the number of rounds that have been played to their end."""
    match = state.match
    # While round 3 is played the result is 2, and once it is counted 3. While seats are drawn it is
    # -1, so the checks of the draw are not counted for round 1.
    return match.round_number - (not match.round_over)


def _fairness(tally: Tally) -> Fairness:
    return Fairness(tally.shuffle_proofs, tally.unlock_proofs, tally.face_proofs, tally.signatures)
