"""Suggestions for misspelt words."""

from collections.abc import Iterable

from engine.errors import NotationError
from engine.sentences import Sentence


def nearest(word: str, words: Iterable[str]) -> str | None:
    """Return the word of `words` that is most similar to `word`; None if none is similar."""
    from difflib import get_close_matches  # noqa: PLC0415 - slow to import, and seldom needed

    folded = {other.casefold(): other for other in words}
    # The search takes time for each pair of letters, so only the beginning of a long word is
    # compared.
    near = get_close_matches(word.casefold()[:40], list(folded), n=1, cutoff=0.7)
    return folded[near[0]] if near else None


def unknown_word(why: Sentence, word: str, words: Iterable[str]) -> NotationError:
    """Return the error `why` for an unknown word, with a similar one of `words` if there is one."""
    near = nearest(word, words)
    if near is None:
        return NotationError(why)
    return NotationError("{why} Did you mean “{word}”?", why=why, word=near)
