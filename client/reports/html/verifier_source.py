"""The verifier in JavaScript, from its files: what a page runs in a worker of its own."""

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "verifier"

FILES = (
    "bytes.js",
    "field.js",
    "edwards.js",
    "ristretto.js",
    "sha2.js",
    "hashes.js",
    "signatures.js",
    "shuffle_proof.js",
    "unlock_proof.js",
    "values.js",
    "unicode_3_2.js",
    "names.js",
    "charter.js",
    "entries.js",
    "table.js",
    "contents.js",
    "record.js",
    "audit.js",
)
"""Each uses only those before it, but inside functions."""


@cache
def verifier_source() -> str:
    """All files, one after the other, as one script."""
    texts = [(FOLDER / name).read_text(encoding="utf-8") for name in FILES]
    return "\n".join(['"use strict";', *texts])
