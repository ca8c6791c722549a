"""The person's settings, in a file of the data folder: TOML, to be edited by hand as well.

A file that cannot be read is never overwritten: it is set aside, and the defaults serve.
"""

import getpass
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import Attribute, evolve, field, fields, frozen

from client.i18n.language import LANGUAGES, _
from client.i18n.sentences import said
from client.spoken_language import AUTO, MOST_BYTES, SETTINGS_FILE
from engine.sentences import N_
from p2p.storage.folders import FolderError, read_own, replace_private
from p2p.system_errors import reason_of
from protocol.errors import LocalError, Malformed
from protocol.names import MAX_WIDTH, clean_name

THEMES = ("auto", "light", "dark", "colour-blind", "contrast", "plain")
PACES = ("at once", "quick", "calm")
SYMBOLS = ("auto", "unicode", "ascii")
COLOURS = ("auto", "all", "256", "16", "none")


class BadSetting(LocalError):
    """A setting that does not exist, or a value that it cannot have."""


def _choice(default: str, choices: Callable[[], tuple[str, ...]], doc: str) -> Any:
    """A setting with the default, which is one of the choices: nobody looks for these meanwhile."""
    return field(default=default, validator=_one_of, metadata={"choices": choices, "doc": doc})


def _games() -> tuple[str, ...]:
    from engine.games import GAMES  # noqa: PLC0415 - whoever plays the usual one waits for none

    return tuple(GAMES)


def _levels() -> tuple[str, ...]:
    from client.bots.levels import LEVELS  # noqa: PLC0415 - as with games

    return LEVELS


def _flag(doc: str, *, default: bool) -> Any:
    return field(default=default, validator=_yes_or_no, metadata={"doc": doc})


def _one_of(_settings: object, attribute: "Attribute[str]", value: str) -> None:
    if value == attribute.default:
        return
    choices = attribute.metadata["choices"]()
    if value not in choices:
        raise BadSetting(
            "{name} is one of {choices}.", name=attribute.name, choices=", ".join(choices)
        )


def _yes_or_no(_settings: object, attribute: "Attribute[bool]", value: bool) -> None:
    if not isinstance(value, bool):
        raise BadSetting("{name} is true or false.", name=attribute.name)


def _is_name(_settings: object, _attribute: "Attribute[str]", value: object) -> None:
    try:
        clean = isinstance(value, str) and clean_name(value) == value
    except Malformed as error:
        raise BadSetting(error.sentence) from error
    if not clean:
        raise BadSetting("name is a name of at most {width} columns.", width=MAX_WIDTH)


def _account_name() -> str:
    """The name of the person's account on this machine, where it can be shown."""
    try:
        return clean_name(getpass.getuser())
    except (Malformed, OSError, KeyError, ImportError):
        return "Ana"


@frozen(kw_only=True)
class Settings:
    """All settings with their defaults; no other values can be in it. Raises BadSetting."""

    name: str = field(
        factory=_account_name, validator=_is_name, metadata={"doc": N_("your name at the table")}
    )
    language: str = _choice(AUTO, lambda: (AUTO, *LANGUAGES), N_("the language"))
    game: str = _choice("canasta", _games, N_("the game you play now"))
    level: str = _choice("middle", _levels, N_("how well your opponents play"))
    theme: str = _choice("auto", lambda: THEMES, N_("the colours of the table"))
    colours: str = _choice("auto", lambda: COLOURS, N_("how many colours there are"))
    symbols: str = _choice(
        "auto", lambda: SYMBOLS, N_("the characters that the table is drawn with")
    )
    letters: bool = _flag(N_("letters for the suits instead of shapes"), default=False)
    linear: bool = _flag(N_("lines instead of a full screen"), default=False)
    bell: bool = _flag(N_("a bell when it is your turn"), default=True)
    pace: str = _choice("calm", lambda: PACES, N_("how fast your opponents play"))

    def pairs(self) -> dict[str, Any]:
        """All settings with their values, in the order of their definition."""
        return {attribute.name: getattr(self, attribute.name) for attribute in fields(Settings)}

    def changed(self, name: str, value: str | bool) -> "Settings":
        """With another value of one setting. Raises BadSetting."""
        return Settings(**{**self.pairs(), name: value})

    @classmethod
    def described(cls, name: str) -> str:
        """What the setting is about, untranslated."""
        doc: str = getattr(fields(cls), name).metadata["doc"]
        return doc

    @classmethod
    def choices(cls, name: str) -> tuple[str, ...] | None:
        """The values that it can have; None for any name, or yes and no."""
        choices: Callable[[], tuple[str, ...]] | None
        choices = getattr(fields(cls), name).metadata.get("choices")
        return choices and choices()


def for_this_time(settings: Settings, *, linear: bool) -> Settings:
    """With what a command's flags ask for, which is not saved."""
    return evolve(settings, linear=settings.linear or linear)


@frozen
class Loaded:
    """The settings that hold now; `trouble` says what was wrong with the file."""

    settings: Settings
    trouble: str | None = None


def load_settings(folder: Path) -> Loaded:
    """The settings in `folder`; the defaults where there are none."""
    path = folder / SETTINGS_FILE
    try:
        data = read_own(path, MOST_BYTES)
    except FileNotFoundError:
        return Loaded(Settings())
    except FolderError as error:
        return Loaded(Settings(), said(error))
    except OSError as error:
        return Loaded(Settings(), _trouble(path, reason_of(error)))
    try:
        return Loaded(_parsed(data))
    except (BadSetting, ValueError, RecursionError) as error:
        return Loaded(Settings(), _trouble(path, said(error)))


def save_settings(folder: Path, settings: Settings) -> None:
    """Write the settings, whole or not at all. What could not be read before is set aside."""
    path = folder / SETTINGS_FILE
    if load_settings(folder).trouble is not None:
        aside = (path.with_suffix(f".bad-{number}") for number in range(1, 10_000))
        path.rename(next(name for name in aside if not name.exists()))
    import json  # noqa: PLC0415 - few starts of the program save them

    lines = []
    for name, value in settings.pairs().items():
        choices = Settings.choices(name)
        values = f": {', '.join(choices)}" if choices else ""
        lines.append(f"# {_(Settings.described(name))}{values}")
        # What JSON calls a string or a truth value, TOML calls so too.
        lines.append(f"{name} = {json.dumps(value, ensure_ascii=False)}")
    replace_private(path, ("\n".join(lines) + "\n").encode())


def _parsed(data: bytes) -> Settings:
    """Raises BadSetting, ValueError."""
    if len(data) > MOST_BYTES:
        raise BadSetting("it is far too long.")
    values = tomllib.loads(data.decode())
    for name in values:
        if name not in Settings().pairs():
            raise BadSetting("there is no setting {name}.", name=name[:40])
    return Settings(**values)


def _trouble(path: Path, why: str) -> str:
    why = why if why.endswith(".") else f"{why}."
    return _("The settings in {path} cannot be used: {why} The defaults serve meanwhile.").format(
        path=path, why=why
    )
