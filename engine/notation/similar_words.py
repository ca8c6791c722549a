"""What a misspelt word was probably meant to be."""

from collections.abc import Iterable

from engine.errors import NotationError
from engine.sentences import Sentence


def unknown_word(why: Sentence, word: str, words: Iterable[str]) -> NotationError:
    """The error about a word that is none of `words`, with the nearest of them if one is near."""
    from difflib import get_close_matches  # noqa: PLC0415 - few mistype a word

    near = get_close_matches(word.lower()[:40], list(words), n=1, cutoff=0.7)
    if not near:
        return NotationError(why)
    return NotationError("{why} Did you mean “{word}”?", why=why, word=near[0])
