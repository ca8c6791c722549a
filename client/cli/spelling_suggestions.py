"""Suggestions for mistyped words on the command line: the nearest known word."""

import argparse
import re
from collections.abc import Callable, Iterable, Sequence

from client.i18n.language import _

_OTHER_NAMES = {"--seats": "--players", "--opponents": "--level", "--difficulty": "--level"}
"""Flags that a command may lack but people try, each with the flag to suggest instead."""


def add_choice(
    parser: argparse.ArgumentParser,
    name: str,
    words: Sequence[str],
    about: str | None = None,
    usual: str | None = None,
) -> None:
    """Add an argument that is one of `words`."""
    parser.add_argument(name, type=one_of(words), choices=words, default=usual, help=about)


def one_of(words: Sequence[str]) -> Callable[[str], str]:
    """Return the `type` of an argparse argument whose `choices` are `words`.

    If the typed word is similar to one of `words`, the error suggests that word alone. Otherwise
    argparse lists all of them.
    """

    def read(word: str) -> str:
        near = None if word in words else _nearest(word, words)
        if near is not None:
            raise argparse.ArgumentTypeError(_meant(word, near))
        return word

    return read


def refuse_unknown_command(
    parser: argparse.ArgumentParser, word: str, commands: Iterable[str]
) -> None:
    """Exit with a suggestion if a word is similar to the name of a command or a game.

    For other words argparse lists all commands.
    """
    near = _nearest(word, commands)
    if near is None:
        from engine.games import GAMES  # noqa: PLC0415 - slow, and few mistype a word

        game = _nearest(word, GAMES)
        near = game and f"solo --game {game}"
    if near is not None:
        parser.error(_meant(word, near))


def refuse_unknown_arguments(command: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Exit if there are unknown arguments, with the name of the flag that may be meant."""
    if not words:
        return
    flags = re.findall(r"--[a-z][a-z-]*", command.format_usage())
    for word in (one.partition("=")[0] for one in words if one.startswith("--")):
        near = _OTHER_NAMES.get(word)
        near = near if near in flags else _nearest(word, flags)
        if near is not None:
            command.error(_meant(word, near))
    command.error(_("unrecognized arguments: %s") % " ".join(words))


def _nearest(word: str, words: Iterable[str]) -> str | None:
    from engine.notation.similar_words import nearest  # noqa: PLC0415 - slow, and rarely needed

    return nearest(word, words)


def _meant(word: str, near: str) -> str:
    return _("there is no “{word}”. Did you mean “{near}”?").format(word=word, near=near)
