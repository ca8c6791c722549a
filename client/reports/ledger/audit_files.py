"""Audits of many files, with a cache of matches whose records were found sound.

The key of the cache is the digest of a record's bytes. The cache is an unsigned file in the data
folder. A signature would not help: whoever else can write there can deceive the program in other
ways. If the cache cannot be read, it is ignored, and all records are audited again.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from client.i18n.language import _
from client.i18n.sentences import said
from client.record_files import RecordError
from client.reports.auditing import audit_file, each_record
from client.reports.ledger.match import LedgerMatch, match_of
from client.reports.words import verdict
from client.version import VERSION
from p2p.error_reasons import reason_of
from p2p.storage.private_files import FolderError, read_own, replace_private

FILE = "ledger.json"
_MOST_BYTES = 64 * 1024 * 1024
"""The maximum size of the cache, in bytes: tens of thousands of matches.

A larger file is ignored.
"""

_FORM = 2
"""Version of the cache's format; a file of another format or program version is ignored."""

_DIGEST_PORTION = 1 << 20


@frozen
class AuditedFile:
    """The result of auditing a file."""

    digest: str
    """Digest of the file's bytes; "" if the file was unreadable, or changed meanwhile."""
    match: LedgerMatch | None
    """The match in the file; None if the file does not count."""
    reason: str = ""
    """A sentence that tells why the file does not count; "" if it counts."""


def audit_match(path: Path) -> AuditedFile:
    """Return the result of auditing a record file.

    If the file cannot be read or is no record, no error is raised: the result has the reason.
    """
    try:
        digest = file_digest(path)
        report = audit_file(path)
        is_same = file_digest(path) == digest
    except RecordError as error:
        return AuditedFile("", None, said(error))
    if not is_same:
        return AuditedFile("", None, _("{path} was changed while it was read.").format(path=path))
    if not report.sound:
        return AuditedFile(digest, None, verdict(report))
    return AuditedFile(digest, match_of(report))


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal, or raise RecordError."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while data := file.read(_DIGEST_PORTION):
                digest.update(data)
    except OSError as error:
        raise RecordError(
            "{path} cannot be read: {reason}.", path=str(path), reason=reason_of(error)
        ) from error
    return digest.hexdigest()


def audit_files(
    files: Sequence[Path], folder: Path, on_progress: Callable[[str], None]
) -> list[AuditedFile]:
    """Return the result of each file; files whose digests are in the cache are not audited again.

    `on_progress` is called with a text about the progress. Raises FolderError, OSError and
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
    """Return the digest of a file; "" if it cannot be read (the audit gives the reason)."""
    try:
        return file_digest(file)
    except RecordError:
        return ""


def cached_matches(folder: Path) -> dict[str, LedgerMatch]:
    """Return the cached matches by digest; none if the cache is missing, damaged, or outdated."""
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
