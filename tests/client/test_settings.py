"""Settings: their values, the file that keeps them, and flags that change them for one run."""

from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.bots.levels import LEVELS
from client.i18n.setting_values import VALUES
from client.language_setting import MOST_BYTES, SETTINGS_FILE
from client.settings import (
    SETTINGS,
    BadSetting,
    Settings,
    for_this_time,
    load_settings,
    save_settings,
)
from client.ui.tui.toolkit.style import THEMES, style_of
from engine.games import GAMES

CHOSEN = Settings(name="María José", theme="contrast", letters=True, bell=False, language="pt")


def test_without_a_file_settings_have_their_defaults(tmp_path: Path) -> None:
    loaded = load_settings(tmp_path)
    assert (loaded.settings, loaded.trouble) == (Settings(), None)


def test_saved_settings_are_loaded(tmp_path: Path) -> None:
    save_settings(tmp_path, Settings())
    save_settings(tmp_path, CHOSEN)
    assert load_settings(tmp_path).settings == CHOSEN


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"theme = ", "Invalid value (at end of document)."),
        (b'theme = "loud"', f"theme must be one of {', '.join(THEMES)}."),
        (b"theme = 3", f"theme must be one of {', '.join(THEMES)}."),
        (b'tehme = "dark"', "there is no setting tehme."),
        (b"x" * 50 + b" = 1", f"there is no setting {'x' * 40}."),
        (b"bell = 1", "bell must be true or false."),
        (b'bell = "yes"', "bell must be true or false."),
        *[
            (b"name = " + name, "name must be a name of at most 20 columns.")
            for name in (b'" Ana"', b'"\\u001b[31mred"', b"5", b"['a']")
        ],
        (b'name = ""', "A name needs at least one letter or digit."),
        (b"#" * (MOST_BYTES + 1), "the file is far too long."),
        *[(data, "") for data in (b"\xff\xfe", b"\x00", b"[theme]\nevening = true")],
        (b"theme = " + 20_000 * b"[", ""),
    ],
)
def test_a_bad_settings_file_is_reported_and_kept(tmp_path: Path, data: bytes, why: str) -> None:
    """`why` is the beginning of the reason; "" stands for any reason."""
    path = tmp_path / SETTINGS_FILE
    path.write_bytes(data)
    loaded = load_settings(tmp_path)
    assert loaded.settings == Settings()
    assert loaded.trouble is not None
    assert loaded.trouble.startswith(f"The settings in {path} cannot be used: {why}")
    assert loaded.trouble.endswith(". The defaults are used instead.")
    assert path.read_bytes() == data
    save_settings(tmp_path, CHOSEN)
    assert load_settings(tmp_path).settings == CHOSEN
    assert (tmp_path / "settings.bad-1").read_bytes() == data


@given(st.binary(max_size=200))
def test_any_settings_file_is_loaded_or_reported(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    folder = tmp_path_factory.mktemp("settings")
    (folder / SETTINGS_FILE).write_bytes(data)
    loaded = load_settings(folder)
    assert loaded.trouble is None or loaded.settings == Settings()


@pytest.mark.parametrize("name", list(Settings().pairs()))
def test_settings_refuse_invalid_values(name: str) -> None:
    for value in ("\x1b[2J", "", 7, None, 5.0):
        with pytest.raises(BadSetting):
            Settings(**{name: value})


def test_unknown_settings_are_refused() -> None:
    with pytest.raises(BadSetting, match="there is no setting colour"):
        Settings(colour="all")


@pytest.mark.parametrize("theme", list(THEMES))
def test_every_theme_but_plain_gives_the_suits_different_colours(theme: str) -> None:
    style = style_of(theme, "dark")
    suits = ("spades", "hearts", "diamonds", "clubs")
    looks = [style.get_attrs_for_style_str(f"class:card.{suit}") for suit in suits]
    assert len(set(looks)) == (1 if theme == "plain" else 4)


def test_every_setting_and_value_has_a_text() -> None:
    assert list(SETTINGS) == list(Settings().pairs())
    values = {value for setting in SETTINGS.values() for value in setting.choices()}
    assert {value for value in values if not value.isdecimal()} <= {*VALUES, *LEVELS, *GAMES}


def test_a_file_of_the_greatest_length_is_read(tmp_path: Path) -> None:
    line = b'theme = "light"'
    (tmp_path / SETTINGS_FILE).write_bytes(line + b"#" * (MOST_BYTES - len(line)))
    assert load_settings(tmp_path).settings == Settings(theme="light")


def test_the_file_explains_each_setting(tmp_path: Path) -> None:
    save_settings(tmp_path, CHOSEN)
    lines = (tmp_path / SETTINGS_FILE).read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["# your name at the table", 'name = "María José"']
    assert f"# the colours of the table: {', '.join(THEMES)}" in lines
    assert lines[-6:-4] == ["# a bell when it is your turn", "bell = false"]
    assert len(lines) == 2 * len(SETTINGS)


def test_files_set_aside_are_numbered_from_one(tmp_path: Path) -> None:
    for data in (b"one", b"two"):
        (tmp_path / SETTINGS_FILE).write_bytes(data)
        save_settings(tmp_path, Settings())
    aside = {path.name: path.read_bytes() for path in tmp_path.glob("settings.bad-*")}
    assert aside == {"settings.bad-1": b"one", "settings.bad-2": b"two"}


@pytest.mark.parametrize(
    ("account", "name"), [("eva", "eva"), ("\x1b", "Ana"), (KeyError("uid"), "Ana")]
)
def test_the_usual_name_is_that_of_the_account(
    account: object, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getuser", Mock(side_effect=[account]))
    assert Settings().name == name


@pytest.mark.parametrize(
    ("linear", "flag", "lines"),
    [(False, False, False), (True, False, True), (False, True, True), (True, True, True)],
)
def test_flags_change_the_settings_for_this_time(linear: bool, flag: bool, lines: bool) -> None:
    settings = CHOSEN.changed("linear", linear).changed("level", "easy")
    now = for_this_time(settings, linear=flag, level="strong")
    assert now == settings.changed("linear", lines).changed("level", "strong")
    assert for_this_time(settings, linear=flag).level == "easy"


def test_a_usual_value_is_not_looked_up_among_the_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    """To look up all games or levels takes long, and the first screen does not need them."""
    choices = Mock(return_value=("samba",))
    monkeypatch.setitem(SETTINGS, "game", SETTINGS["game"]._replace(choices=choices))
    assert Settings(game="canasta").game == "canasta"
    assert not choices.called
    assert Settings(game="samba").game == "samba"
    assert choices.called
