"""Audits of record files, and the reports on them."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from attrs import asdict, evolve

from client.child_processes import on_all_cores
from client.i18n.control_characters import plain
from client.i18n.language import _, _n, number
from client.record_files import NoRecord, RecordError
from client.reports.gather import Gatherer, seated_players
from client.reports.model import AuditReport, Conclusion, DeckReport, TableReport
from client.reports.score_sheet import side_names
from p2p.error_reasons import reason_of
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import who_gave_up
from p2p.storage.private_files import FolderError, data_folder
from protocol.audit import Auditor, Begin, Finding, Verdict
from protocol.charter import Charter
from protocol.charter_extensions import KNOWN, opponents_of
from protocol.deal_of_the_day import day_of
from protocol.errors import Malformed
from protocol.state import State
from protocol.words_for_keys import words

T = TypeVar("T")

PORTION = 1 << 20
"""The number of bytes that one read takes from a record: a few rounds."""


_BAR = 30


OnEntry = Callable[[State | None, State, int], None]
"""Callback for each part of a record: the states before and after the part, and its number.

For the first charter, the state before it is None.
"""


def audit_file(
    path: Path,
    on_progress: Callable[[str], None] = lambda _line: None,
    on_entry: OnEntry = lambda *_: None,
    *,
    threads: int = 1,
) -> AuditReport:
    """Return the report on a record file, or raise RecordError.

    `on_progress` is called after each entry with a line of text that shows a progress bar. Proofs
    are verified on `threads` threads if `threads` is more than one.
    """
    if threads == 1:
        return _audited(path, Auditor(), on_progress, on_entry)
    with ThreadPoolExecutor(threads) as pool:
        return _audited(path, Auditor(begin=on_threads(pool)), on_progress, on_entry)


def progress_bar(done: int, total: int) -> str:
    """Return the progress of some work as a bar, which is full only at the end."""
    filled = _BAR * done // max(total, 1)
    return f"[{'#' * filled}{'.' * (_BAR - filled)}]"


def _progress(auditor: Auditor, size: int) -> str:
    percent = 100 * auditor.size // max(size, 1)
    hold = _n("{n} entry holds", "{n} entries hold", auditor.number)
    return f"{progress_bar(auditor.size, size)} {percent} %, {hold}"


def each_record(
    work: Callable[[Path], T], files: Sequence[Path], on_progress: Callable[[str], None]
) -> list[T]:
    """Return the result of `work` for each file, in their order, from processes on all cores.

    `work` must be defined at the top level of a module, so that it can be pickled. `on_progress` is
    called with a text about the progress. Raises the errors of `on_all_cores`.
    """

    def done(count: int) -> None:
        text = _("{done} of {all} records checked")
        on_progress(text.format(done=number(count), all=number(len(files))))

    return on_all_cores(work, files, on_done=done)


def on_threads(pool: ThreadPoolExecutor) -> Begin:
    """Return a function that starts checks of proofs in the pool, for an auditor."""
    return lambda check: pool.submit(check).result


def _audited(
    path: Path, auditor: Auditor, on_progress: Callable[[str], None], on_entry: OnEntry
) -> AuditReport:
    gatherer = Gatherer()
    names: dict[bytes, str] = {}
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            while data := file.read(PORTION):
                before = auditor.state
                for state in auditor.feed(data):
                    if before is not None:
                        gatherer.feed(before, state, auditor.number)
                    if before is None or state.charter is not before.charter:
                        names |= {member.key: member.name for member in state.charter.members}
                    on_entry(before, state, auditor.number)
                    before = state
                    on_progress(_progress(auditor, size))
        finding = auditor.finish()
    except OSError as error:
        raise RecordError(
            "{path} cannot be read: {reason}.", path=str(path), reason=reason_of(error)
        ) from error
    except Malformed as error:
        raise NoRecord("{file}: {error}", file=str(path), error=error) from error
    # The name in evidence may be made up. So the name is taken from the charters of the record.
    exposed = tuple(evolve(one, name=names.get(one.key, "")) for one in finding.exposed)
    return _report(path, size, auditor, gatherer, evolve(finding, exposed=exposed))


def _report(
    path: Path, size: int, auditor: Auditor, gatherer: Gatherer, finding: Finding
) -> AuditReport:
    state = auditor.state
    if state is not None:
        gatherer.finish(state)
    unfinished = finding.verdict is Verdict.UNFINISHED
    return AuditReport(
        file=plain(str(path)),
        size=size,
        table=None if state is None else _table(state),
        rounds=gatherer.rounds,
        checked=auditor.tally,
        totals=() if state is None else state.match.totals,
        winner=None if state is None else state.match.winner,
        over=state is not None and state.match.over,
        ended=state is not None and state.ended and not state.match.over,
        conclusion=Conclusion(
            **asdict(finding, recurse=False),
            evidence=None if finding.player is None else auditor.size,
            given_up="" if state is None or not unfinished else _given_up_by(state),
        ),
    )


def _table(state: State) -> TableReport:
    charter, match = state.charter, state.match
    players = seated_players(charter, match)
    return TableReport(
        match_id=charter.match_id,
        table_id=state.table_id,
        words=words(state.table_id),
        game=charter.game.name,
        title=charter.game.title,
        options=charter.options.pairs(),
        grace=charter.grace,
        spectators=charter.spectators,
        extensions=tuple(one.name for one in charter.extensions if one.name not in KNOWN),
        day=day_of(charter),
        opponents=opponents_of(charter),
        players=players,
        sides=side_names(match, [player.name for player in players]) if match.seating else (),
        deck=_deck(charter),
    )


def _deck(charter: Charter) -> DeckReport:
    deck, rules = charter.deck, charter.game.position
    return DeckReport(
        codes=tuple(card.code for card in deck),
        ranks=tuple(card.rank.code for card in deck),
        wild=frozenset(card.number for card in deck if rules.is_wild(card)),
        bonus=frozenset(card.number for card in deck if rules.is_bonus(card)),
    )


def _given_up_by(state: State) -> str:
    """Return the name of the player of this machine who has given up the match; "" for nobody.

    The record does not show that, but the journal of this machine does. Blocks.
    """
    with suppress(FolderError):
        key = who_gave_up(data_folder() / JOURNAL_FILE, state.charter.match_id)
        player = None if key is None else state.charter.player_of(key)
        return "" if player is None else state.charter.name_of(player)
    return ""
