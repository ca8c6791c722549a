"""The person's settings, in a TOML file in the data folder.

People may edit the file by hand. If it cannot be read, the defaults are used, and the file is
renamed before a new one is written.
"""

import getpass
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self

from client.i18n.language import LANGUAGES, _
from client.language_setting import AUTO, MOST_BYTES, SETTINGS_FILE
from client.settings_parser import values_of
from engine.marked_texts import N_
from p2p.error_reasons import reason_of
from p2p.storage.private_files import FolderError, read_own, replace_private
from protocol.errors import LocalError, Malformed
from protocol.names import MAX_WIDTH, clean_name

THEMES = ("auto", "light", "dark", "colour-blind", "contrast", "plain")
PACES = ("at once", "quick", "calm")
SYMBOLS = ("auto", "unicode", "ascii")
HINTS = ("never", "on request", "before a blunder")
COLOURS = ("auto", "all", "256", "16", "none")


class BadSetting(LocalError):
    """An error about a setting that does not exist, or a value that it cannot have."""


class Setting(NamedTuple):
    """The description of a setting: a text, yes or no, or one of several choices."""

    title: str
    doc: str
    default: str | bool | None
    """The value if the person has chosen none; None for the name of their account."""
    choices: Callable[[], tuple[str, ...]] = tuple
    """Function that returns all possible values; () for a text, and for yes or no.

    The function is called only when it is needed, because it may import slow modules.
    """


def _games() -> tuple[str, ...]:
    from engine.games import GAMES  # noqa: PLC0415 - slow, and not needed for the default game

    return tuple(GAMES)


def _levels() -> tuple[str, ...]:
    from client.bots.levels import LEVELS  # noqa: PLC0415 - slow: it imports the games

    return LEVELS


def _check(name: str, value: object) -> None:
    """Raise BadSetting for a setting that does not exist, or a value that it cannot have."""
    if name not in SETTINGS:
        raise BadSetting("there is no setting {name}.", name=name[:40])
    default, choices = SETTINGS[name].default, SETTINGS[name].choices
    if default is None:
        _check_name(value)
    elif isinstance(default, bool):
        if not isinstance(value, bool):
            raise BadSetting("{name} must be true or false.", name=name)
    elif value != default and value not in choices():
        raise BadSetting(
            "{name} must be one of {choices}.", name=name, choices=", ".join(choices())
        )


def _check_name(value: object) -> None:
    try:
        clean = isinstance(value, str) and clean_name(value) == value
    except Malformed as error:
        raise BadSetting(error.sentence) from error
    if not clean:
        raise BadSetting("name must be a name of at most {width} columns.", width=MAX_WIDTH)


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


SETTINGS = {
    "name": Setting(N_("Name"), N_("your name at the table"), None),
    "language": Setting(N_("Language"), N_("the language"), AUTO, lambda: (AUTO, *LANGUAGES)),
    "game": Setting(N_("Game"), N_("the game you play now"), "canasta", _games),
    "level": Setting(N_("Level"), N_("how well your opponents play"), "middle", _levels),
    "theme": Setting(N_("Theme"), N_("the colours of the table"), "auto", lambda: THEMES),
    "colours": Setting(N_("Colours"), N_("how many colours are used"), "auto", lambda: COLOURS),
    "symbols": Setting(
        N_("Characters"), N_("the characters that the table is drawn with"), "auto", lambda: SYMBOLS
    ),
    "letters": Setting(
        N_("Letters for suits"), N_("letters for the suits instead of shapes"), default=False
    ),
    "linear": Setting(N_("Lines, no screen"), N_("lines instead of a full screen"), default=False),
    "bell": Setting(N_("Bell"), N_("a bell when it is your turn"), default=True),
    "pace": Setting(N_("Pace"), N_("how fast your opponents play"), "calm", lambda: PACES),
    "hints": Setting(
        N_("Hints"), N_("when a better move is shown to you"), "on request", lambda: HINTS
    ),
}
"""Settings in the order of the file and of `_Values`."""


class Settings(_Values):
    """All settings, with checked values."""

    __slots__ = ()

    def __new__(cls, **values: object) -> Self:
        """Make settings with these values, and defaults for all others. Raises BadSetting."""
        for name, value in values.items():
            _check(name, value)
        usual = {name: setting.default for name, setting in SETTINGS.items()}
        if "name" not in values:
            values["name"] = _account_name()
        return cls._make((usual | values).values())

    def pairs(self) -> dict[str, Any]:
        """Return all settings with their values, in the order of their definition."""
        return self._asdict()

    def changed(self, name: str, value: str | bool) -> "Settings":
        """Return the settings with another value of the setting `name`. Raises BadSetting."""
        return Settings(**{**self.pairs(), name: value})


def for_this_time(settings: Settings, *, linear: bool, level: str | None = None) -> Settings:
    """Return the settings for one command, changed by its flags; they are not saved."""
    return settings._replace(linear=settings.linear or linear, level=level or settings.level)


class Loaded(NamedTuple):
    """The settings that were loaded; `trouble` tells what is wrong with the file, if anything."""

    settings: Settings
    trouble: str | None = None


def load_settings(folder: Path) -> Loaded:
    """Return the settings in `folder`; the defaults if there is no file, or no readable one."""
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
    """Write the settings atomically; rename an older file that is unreadable."""
    path = folder / SETTINGS_FILE
    if load_settings(folder).trouble is not None:
        aside = (path.with_suffix(f".bad-{number}") for number in range(1, 10_000))
        path.rename(next(name for name in aside if not name.exists()))
    import json  # noqa: PLC0415 - slow, and settings are rarely saved

    lines = []
    for name, value in settings.pairs().items():
        choices = SETTINGS[name].choices()
        values = f": {', '.join(choices)}" if choices else ""
        lines.append(f"# {_(SETTINGS[name].doc)}{values}")
        # Strings and truth values are written alike in JSON and TOML.
        lines.append(f"{name} = {json.dumps(value, ensure_ascii=False)}")
    replace_private(path, ("\n".join(lines) + "\n").encode())


def _parsed(data: bytes) -> Settings:
    """Return the settings in the content of a file. Raises BadSetting, ValueError."""
    if len(data) > MOST_BYTES:
        raise BadSetting("the file is far too long.")
    return Settings(**values_of(data))


def _said(error: BaseException) -> str:
    from client.i18n.sentences import said  # noqa: PLC0415 - slow: it imports the modules of cards

    return said(error)


def _trouble(path: Path, why: str) -> str:
    why = why if why.endswith(".") else f"{why}."
    return _("The settings in {path} cannot be used: {why} The defaults are used instead.").format(
        path=path, why=why
    )
