"""The verifier in JavaScript, put together from its files: for the page, and for its worker."""

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "verifier"

VERIFIER = (
    "bytes.js",
    "witness.js",
    "field.js",
    "edwards.js",
    "ristretto.js",
    "sha2.js",
    "hashes.js",
    "signatures.js",
    "shuffle_proof.js",
    "unlock_proof.js",
    "values.js",
    "names.js",
    "games.js",
    "continues.js",
    "charter.js",
    "entries.js",
    "table.js",
    "contents.js",
    "continuation.js",
    "record.js",
    "evidence.js",
    "audit.js",
    "explain.js",
)
"""Files of the verifier; each uses only those before it, except inside functions."""

WORKER = (*VERIFIER, "worker.js")
PAGE = ("entry_view.js", "page.js")


@cache
def script(names: tuple[str, ...]) -> str:
    """Return the files, one after the other, as one script."""
    texts = [(FOLDER / name).read_text(encoding="utf-8") for name in names]
    return "\n".join(['"use strict";', *texts])
