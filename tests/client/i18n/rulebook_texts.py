"""The texts of the rules, read from their files."""

from pathlib import Path

from client.i18n.rulebook import text as rulebook_text

RULEBOOK = Path(rulebook_text.__file__).parent


def translated_rules(language: str) -> list[str]:
    """Return the names of the rule texts that a language has."""
    return sorted(path.stem for path in (RULEBOOK / language).glob("*.md"))


def text_in(language: str, name: str) -> str:
    """Return a rule text as it is in its file."""
    return (RULEBOOK / language / f"{name}.md").read_text(encoding="utf-8")
