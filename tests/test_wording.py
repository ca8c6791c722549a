"""Words that the sources, the specification and the texts do not use."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("client", "engine", "p2p", "protocol", "spec", "tests")
SUFFIXES = {".md", ".py", ".js", ".css", ".po"}
OTHERS = {"es", "pt", "node_modules"}
"""Folders with other languages, and with what others wrote."""
_NAMES = re.compile(r"`[^`\n]*`")  # of tests and vectors
_PRONOUN = re.compile(r"\b(?:he|him|his|himself|she|her|hers|herself)\b", re.IGNORECASE)


def pronouns(text: str) -> list[str]:
    """Lines that call somebody he or she."""
    return [line for line in text.splitlines() if _PRONOUN.search(_NAMES.sub("", line))]


def test_a_player_is_they() -> None:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            foreign = OTHERS & set(path.relative_to(ROOT).parts)
            if path.suffix in SUFFIXES and not foreign and path != Path(__file__):
                assert pronouns(path.read_text(encoding="utf-8")) == [], path.relative_to(ROOT)


def test_a_pronoun_is_seen() -> None:
    assert pronouns("What he said.\nWhat they said.\n`R19-himself`\nHers.") == [
        "What he said.",
        "Hers.",
    ]
