"""The person's settings, in a TOML file of the data folder, which people may edit by hand.

If the file cannot be read, the defaults are used. It is renamed before a new one is written.
"""

import getpass
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self

from client.i18n.language import LANGUAGES, _
from client.settings_text import values_of
from client.spoken_language import AUTO, MOST_BYTES, SETTINGS_FILE
from engine.marked_texts import N_
from p2p.storage.private_files import FolderError, read_own, replace_private
from p2p.system_errors import reason_of
from protocol.errors import LocalError, Malformed
from protocol.names import MAX_WIDTH, clean_name

THEMES = ("auto", "light", "dark", "colour-blind", "contrast", "plain")
PACES = ("at once", "quick", "calm")
SYMBOLS = ("auto", "unicode", "ascii")
HINTS = ("never", "on request", "before a blunder")
COLOURS = ("auto", "all", "256", "16", "none")


class BadSetting(LocalError):
    """An error about a setting that does not exist, or a value that it cannot have."""


class _Setting(NamedTuple):
    """The description of a setting."""

    doc: str
    default: Callable[[], str | bool]
    check: Callable[[str, Any], None]
    """Function that raises BadSetting for a value that the setting cannot have."""
    choices: Callable[[], tuple[str, ...]] | None = None
    """Function that returns all possible values; None for a free text, and for yes or no."""


def _choice(default: str, choices: Callable[[], tuple[str, ...]], doc: str) -> _Setting:
    """Return a setting whose value must be one of the choices; `default` is one of them.

    `choices` is called only when it is needed, because it may import slow modules.
    """

    def check(name: str, value: Any) -> None:
        if value != default and value not in choices():
            raise BadSetting("{name} is one of {choices}.", name=name, choices=", ".join(choices()))

    return _Setting(doc, lambda: default, check, choices)


def _games() -> tuple[str, ...]:
    from engine.games import GAMES  # noqa: PLC0415 - slow, and not needed for the default game

    return tuple(GAMES)


def _levels() -> tuple[str, ...]:
    from client.bots.levels import LEVELS  # noqa: PLC0415 - slow, as games are

    return LEVELS


def _flag(doc: str, *, default: bool) -> _Setting:
    def check(name: str, value: Any) -> None:
        if not isinstance(value, bool):
            raise BadSetting("{name} is true or false.", name=name)

    return _Setting(doc, lambda: default, check)


def _check_name(_name: str, value: Any) -> None:
    try:
        clean = isinstance(value, str) and clean_name(value) == value
    except Malformed as error:
        raise BadSetting(error.sentence) from error
    if not clean:
        raise BadSetting("name is a name of at most {width} columns.", width=MAX_WIDTH)


def _account_name() -> str:
    """Return the name of the person's account on this machine, or else "Ana"."""
    try:
        return clean_name(getpass.getuser())
    except (Malformed, OSError, KeyError, ImportError):
        return "Ana"


class _Values(NamedTuple):
    """The values of all settings."""

    name: str
    language: str
    game: str
    level: str
    theme: str
    colours: str
    symbols: str
    letters: bool
    linear: bool
    bell: bool
    pace: str
    hints: str


_SETTINGS = {
    "name": _Setting(N_("your name at the table"), _account_name, _check_name),
    "language": _choice(AUTO, lambda: (AUTO, *LANGUAGES), N_("the language")),
    "game": _choice("canasta", _games, N_("the game you play now")),
    "level": _choice("middle", _levels, N_("how well your opponents play")),
    "theme": _choice("auto", lambda: THEMES, N_("the colours of the table")),
    "colours": _choice("auto", lambda: COLOURS, N_("how many colours there are")),
    "symbols": _choice("auto", lambda: SYMBOLS, N_("the characters that the table is drawn with")),
    "letters": _flag(N_("letters for the suits instead of shapes"), default=False),
    "linear": _flag(N_("lines instead of a full screen"), default=False),
    "bell": _flag(N_("a bell when it is your turn"), default=True),
    "pace": _choice("calm", lambda: PACES, N_("how fast your opponents play")),
    "hints": _choice("on request", lambda: HINTS, N_("when a better move is shown to you")),
}
"""Settings in the order of the file and of `_Values`."""


class Settings(_Values):
    """All settings, with checked values."""

    __slots__ = ()

    def __new__(cls, **values: object) -> Self:
        """Make settings with these values, and defaults for all others. Raises BadSetting."""
        for name, value in values.items():
            if name not in _SETTINGS:
                raise BadSetting("there is no setting {name}.", name=name[:40])
            _SETTINGS[name].check(name, value)
        return cls._make(
            values[name] if name in values else setting.default()
            for name, setting in _SETTINGS.items()
        )

    def pairs(self) -> dict[str, Any]:
        """Return all settings with their values, in the order of their definition."""
        return self._asdict()

    def changed(self, name: str, value: str | bool) -> "Settings":
        """Return the settings with another value of the setting `name`. Raises BadSetting."""
        return Settings(**{**self.pairs(), name: value})

    @classmethod
    def described(cls, name: str) -> str:
        """Return the untranslated description of a setting."""
        return _SETTINGS[name].doc

    @classmethod
    def choices(cls, name: str) -> tuple[str, ...] | None:
        """Return all possible values of a setting; None for a free text, and for yes or no."""
        choices = _SETTINGS[name].choices
        return choices and choices()


def for_this_time(settings: Settings, *, linear: bool) -> Settings:
    """Return the settings with the flags of one command, which are not saved."""
    return settings._replace(linear=settings.linear or linear)


class Loaded(NamedTuple):
    """The settings that were loaded; `trouble` is a sentence on a fault of the file, if any."""

    settings: Settings
    trouble: str | None = None


def load_settings(folder: Path) -> Loaded:
    """Return the settings in `folder`; the defaults if there are none, or no readable ones."""
    path = folder / SETTINGS_FILE
    try:
        data = read_own(path, MOST_BYTES)
    except FileNotFoundError:
        return Loaded(Settings())
    except FolderError as error:
        return Loaded(Settings(), _said(error))
    except OSError as error:
        return Loaded(Settings(), _trouble(path, reason_of(error)))
    try:
        return Loaded(_parsed(data))
    except (BadSetting, ValueError, RecursionError) as error:
        return Loaded(Settings(), _trouble(path, _said(error)))


def save_settings(folder: Path, settings: Settings) -> None:
    """Write the settings, whole or not at all; rename an older file that is unreadable."""
    path = folder / SETTINGS_FILE
    if load_settings(folder).trouble is not None:
        aside = (path.with_suffix(f".bad-{number}") for number in range(1, 10_000))
        path.rename(next(name for name in aside if not name.exists()))
    import json  # noqa: PLC0415 - slow, and few runs save settings

    lines = []
    for name, value in settings.pairs().items():
        choices = Settings.choices(name)
        values = f": {', '.join(choices)}" if choices else ""
        lines.append(f"# {_(Settings.described(name))}{values}")
        # Strings and truth values are written alike in JSON and TOML.
        lines.append(f"{name} = {json.dumps(value, ensure_ascii=False)}")
    replace_private(path, ("\n".join(lines) + "\n").encode())


def _parsed(data: bytes) -> Settings:
    """Return the settings in the content of a file. Raises BadSetting, ValueError."""
    if len(data) > MOST_BYTES:
        raise BadSetting("it is far too long.")
    return Settings(**values_of(data))


def _said(error: BaseException) -> str:
    from client.i18n.sentences import said  # noqa: PLC0415 - slow: it imports the modules of cards

    return said(error)


def _trouble(path: Path, why: str) -> str:
    why = why if why.endswith(".") else f"{why}."
    return _("The settings in {path} cannot be used: {why} The defaults serve meanwhile.").format(
        path=path, why=why
    )
