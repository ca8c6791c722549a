"""House rules as a person types them: `name=value`."""

from collections.abc import Iterable

from client.i18n.language import _
from engine.errors import InvalidOption
from engine.games import Game
from engine.options import Options

_YES = ("yes", "on", "true", "sí", "si", "sim")
_NO = ("no", "off", "false", "não", "nao")


def options_from(game: Game, words: Iterable[str]) -> Options:
    """The options of `game` with what `words` change. Raises InvalidOption."""
    return game.options.from_pairs(map(_pair, words))


def _pair(word: str) -> tuple[str, bool | int]:
    name, equals, value = word.partition("=")
    if not equals:
        raise InvalidOption(
            _("An option is written name=value, not {word}.").format(word=repr(word))
        )
    if value.lower() in _YES + _NO:
        return name, value.lower() in _YES
    try:
        return name, int(value)
    except ValueError:
        raise InvalidOption(
            _("Option {name} is yes, no or a number, not {value}.").format(
                name=name, value=repr(value)
            )
        ) from None
