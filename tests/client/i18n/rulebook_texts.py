"""The texts of the rules, read from their files, and the texts of the catalogs."""

from collections.abc import Iterator
from pathlib import Path

from client.i18n.rulebook import text as rulebook_text
from tests.catalogs import catalog

RULEBOOK = Path(rulebook_text.__file__).parent


def translated_rules(language: str) -> list[str]:
    """Return the names of the rule texts that a language has."""
    return sorted(path.stem for path in (RULEBOOK / language).glob("*.md"))


def text_in(language: str, name: str) -> str:
    """Return a rule text as it is in its file."""
    return (RULEBOOK / language / f"{name}.md").read_text(encoding="utf-8")


def translated_texts(language: str) -> Iterator[tuple[str, str]]:
    """Return the texts of a catalog with their translations; of a plural, each form by itself.

    Texts without a translation are left out: another test finds them.
    """
    for message in catalog(language):
        english = message.id if isinstance(message.id, tuple) else (str(message.id),)
        strings = message.string if isinstance(message.string, tuple) else (str(message.string),)
        if message.id and all(strings):
            yield from zip(english, strings, strict=True)
