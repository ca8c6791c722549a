"""What the audit says of many files, of which some were audited before."""

from collections.abc import Callable, Sequence
from pathlib import Path

from client.record_files import RecordError
from client.reports.ledger.match import Judged, file_digest, judge
from client.reports.ledger.remembered import remember, remembered
from client.reports.many_records import each_record


def judge_files(
    files: Sequence[Path], folder: Path, progress: Callable[[str], None]
) -> list[Judged]:
    """What the audit says of each file: those that were found sound before are not audited again,
    but only if they have the very same bytes. `progress` is told how many are audited.

    Raises FolderError, OSError and ProcessesDied.
    """
    known = remembered(folder)
    digests = [_digest(file) for file in files]
    fresh = [file for file, digest in zip(files, digests, strict=True) if digest not in known]
    audited = dict(zip(fresh, each_record(judge, fresh, progress), strict=True))
    found = {one.digest: one.match for one in audited.values() if one.match is not None}
    if found:
        remember(folder, {**known, **found})
    return [
        audited[file] if file in audited else Judged(digest, known[digest])
        for file, digest in zip(files, digests, strict=True)
    ]


def _digest(file: Path) -> str:
    """ "" for a file that cannot be read: the audit says why."""
    try:
        return file_digest(file)
    except RecordError:
        return ""
