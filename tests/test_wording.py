"""Words that the sources, the specification and the texts do not use."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("client", "engine", "p2p", "protocol", "spec", "tests")
SUFFIXES = {".md", ".py", ".js", ".css", ".po"}
OTHERS = {"es", "pt", "node_modules"}
"""Folders with other languages, and with what others wrote."""
_PRONOUN = re.compile(
    r"(?<![a-z])(?:he|him|his|himself|she|her|hers|herself)(?![a-z])", re.IGNORECASE
)
"""In prose and in names, where a line below stands between words."""


def pronouns(text: str) -> list[str]:
    """Lines that call somebody he or she."""
    return [line for line in text.splitlines() if _PRONOUN.search(line)]


def test_a_player_is_they() -> None:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            foreign = OTHERS & set(path.relative_to(ROOT).parts)
            if path.suffix in SUFFIXES and not foreign and path != Path(__file__):
                assert pronouns(path.read_text(encoding="utf-8")) == [], path.relative_to(ROOT)


def test_a_pronoun_is_seen() -> None:
    text = "What he said.\nWhat they said.\ndef test_his_turn()\nThere is another.\nHers."
    assert pronouns(text) == ["What he said.", "def test_his_turn()", "Hers."]
