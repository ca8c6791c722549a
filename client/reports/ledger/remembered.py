"""Matches of records that were found sound before, by the digest of the record's bytes.

They are kept in the data folder, which is closed to others: whoever could write there could change
the program's answer as well. What cannot be read is forgotten, and audited again.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from client.reports.ledger.match import LedgerMatch
from client.version import VERSION
from p2p.storage.folders import FolderError, read_own, replace_private

FILE = "ledger.json"
_MOST_BYTES = 64 * 1024 * 1024
"""Of that file: of tens of thousands of matches. A longer one is none, and begun anew."""

_FORM = 1
"""Of what is kept; another one, or another version of the program, is audited anew."""


def remembered(folder: Path) -> dict[str, LedgerMatch]:
    """Matches by digest; none if there is no file, or it is of another version or damaged."""
    try:
        data = json.loads(read_own(folder / FILE, _MOST_BYTES))
        if data["form"] != _FORM or data["program"] != VERSION:
            return {}
        return {str(key): LedgerMatch.from_json(one) for key, one in data["matches"].items()}
    except (FolderError, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def remember(folder: Path, matches: Mapping[str, LedgerMatch]) -> None:
    """Keep these, and no others. Raises OSError and FolderError."""
    data = {
        "form": _FORM,
        "program": VERSION,
        "matches": {digest: match.to_json() for digest, match in matches.items()},
    }
    replace_private(folder / FILE, json.dumps(data).encode())
