"""Settings in their file."""

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


def test_a_file_may_contain_only_some_settings(tmp_path: Path) -> None:
    (tmp_path / SETTINGS_FILE).write_text('theme = "light"\n')
    assert load_settings(tmp_path).settings == Settings(theme="light")


BAD = (
    b"theme = ",
    b'theme = "loud"',
    b'tehme = "dark"',
    b"bell = 1",
    b'bell = "yes"',
    b"theme = 3",
    b'name = ""',
    b'name = "\\u001b[31mred"',
    b"name = 5",
    b"name = ['a']",
    b"\xff\xfe",
    b"\x00",
    b"# " + 70_000 * b"x",
    b"[theme]\nevening = true",
    b"theme = " + 20_000 * b"[",
)


@pytest.mark.parametrize("data", BAD)
def test_a_bad_settings_file_is_reported_and_kept(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / SETTINGS_FILE
    path.write_bytes(data)
    loaded = load_settings(tmp_path)
    assert loaded.settings == Settings()
    assert loaded.trouble is not None
    assert str(path) in loaded.trouble
    assert "\x1b" not in loaded.trouble
    assert path.read_bytes() == data
    save_settings(tmp_path, CHOSEN)
    assert load_settings(tmp_path).settings == CHOSEN
    assert (tmp_path / "settings.bad-1").read_bytes() == data


def test_bad_files_set_aside_do_not_replace_each_other(tmp_path: Path) -> None:
    for data in (b"one", b"two"):
        (tmp_path / SETTINGS_FILE).write_bytes(data)
        save_settings(tmp_path, Settings())
    aside = {path.read_bytes() for path in tmp_path.glob("settings.bad-*")}
    assert aside == {b"one", b"two"}


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


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'theme = "loud"', f"theme must be one of {', '.join(THEMES)}."),
        (b"bell = 1", "bell must be true or false."),
        (b"name = 5", "name must be a name of at most 20 columns."),
        (b'name = " Ana"', "name must be a name of at most 20 columns."),
        (b"x" * 50 + b" = 1", f"there is no setting {'x' * 40}."),
        (b"#" * (MOST_BYTES + 1), "the file is far too long."),
        (b"bell = ", "Invalid value (at end of document)."),
    ],
)
def test_the_trouble_with_a_file_is_one_sentence(data: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / SETTINGS_FILE
    path.write_bytes(data)
    assert load_settings(tmp_path).trouble == (
        f"The settings in {path} cannot be used: {why} The defaults are used instead."
    )


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
    for _ in range(3):
        (tmp_path / SETTINGS_FILE).write_bytes(b"bad")
        save_settings(tmp_path, Settings())
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("settings.bad-1", "settings.bad-2", "settings.bad-3", SETTINGS_FILE)
    ]


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


def test_a_usual_value_is_not_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """To look up all games or levels takes long, and the first screen does not need them."""
    choices = Mock(return_value=("samba",))
    monkeypatch.setitem(SETTINGS, "game", SETTINGS["game"]._replace(choices=choices))
    assert Settings(game="canasta").game == "canasta"
    assert not choices.called
    assert Settings(game="samba").game == "samba"
    assert choices.called
