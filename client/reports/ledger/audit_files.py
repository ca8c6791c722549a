"""Audits of many files, with a cache of the sound ones."""

from collections.abc import Callable, Sequence
from pathlib import Path

from client.record_files import RecordError
from client.reports.ledger.audit_cache import cache_matches, cached_matches
from client.reports.ledger.match import AuditedFile, audit_match, file_digest
from client.reports.many_records import each_record


def audit_files(
    files: Sequence[Path], folder: Path, on_progress: Callable[[str], None]
) -> list[AuditedFile]:
    """Return the result of each file; sound files with the very same bytes are not audited again.

    `on_progress` is called with the number of files audited. Raises FolderError, OSError and
    ProcessesDied.
    """
    known = cached_matches(folder)
    digests = [_digest(file) for file in files]
    fresh = [file for file, digest in zip(files, digests, strict=True) if digest not in known]
    audited = dict(zip(fresh, each_record(audit_match, fresh, on_progress), strict=True))
    found = {one.digest: one.match for one in audited.values() if one.match is not None}
    if found:
        cache_matches(folder, {**known, **found})
    return [
        audited[file] if file in audited else AuditedFile(digest, known[digest])
        for file, digest in zip(files, digests, strict=True)
    ]


def _digest(file: Path) -> str:
    """Return the digest of a file, "" if it cannot be read: the audit gives the reason."""
    try:
        return file_digest(file)
    except RecordError:
        return ""
