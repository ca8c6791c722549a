"""Audits of many files, with a cache of matches whose records were found sound.

The key of the cache is the digest of a record's bytes. The cache is a file in the data folder,
which is closed to others: somebody who could write there could change the program's answers anyway.
If the file cannot be read, it is ignored, and all records are audited again.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from client.record_files import RecordError
from client.reports.auditing import each_record
from client.reports.ledger.match import AuditedFile, LedgerMatch, audit_match, file_digest
from client.version import VERSION
from p2p.storage.private_files import FolderError, read_own, replace_private

FILE = "ledger.json"
_MOST_BYTES = 64 * 1024 * 1024
"""Most bytes of the cache, enough for tens of thousands of matches; a larger one is ignored."""

_FORM = 2
"""Version of the cache's form; a file of another form or program version is ignored."""


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


def cached_matches(folder: Path) -> dict[str, LedgerMatch]:
    """Return the matches by digest; none if the file is missing, damaged, or of another version."""
    try:
        data = json.loads(read_own(folder / FILE, _MOST_BYTES))
        if data["form"] != _FORM or data["program"] != VERSION:
            return {}
        return {str(key): LedgerMatch.from_json(one) for key, one in data["matches"].items()}
    except (FolderError, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def cache_matches(folder: Path, matches: Mapping[str, LedgerMatch]) -> None:
    """Write these matches, and no others, to the file. Raises OSError and FolderError."""
    data = {
        "form": _FORM,
        "program": VERSION,
        "matches": {digest: match.to_json() for digest, match in matches.items()},
    }
    replace_private(folder / FILE, json.dumps(data).encode())
