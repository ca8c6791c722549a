"""The texts of the rules, as their files have them."""

from pathlib import Path

from client.i18n.rulebook import text as rulebook_text

RULEBOOK = Path(rulebook_text.__file__).parent


def text_in(language: str, name: str) -> str:
    """A text of rules as its file has it."""
    return (RULEBOOK / language / f"{name}.md").read_text(encoding="utf-8")
