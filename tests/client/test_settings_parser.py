"""A file of settings is read by the rules of TOML, with the library or without it."""

import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from client.language_setting import SETTINGS_FILE
from client.settings import Settings, save_settings
from client.settings_parser import values_of

_WORDS = (
    *("name", "bell", "a-1", '"name"', "'name'", "á", "[name]", "=", " = ", '"', '""', '"""', "'"),
    *("true", "false", "True", "1", "#", " ", "\t", "\n", "\r\n", "\r", "\\n", "\\u00e1", "Zoë"),
    *(",", ".", "\x00", "\x0b", "\x1f", "\x7f", "\x85", "\u2028", "\ufeff"),
)

texts = st.lists(st.sampled_from(_WORDS)).map("".join)
names = st.sampled_from(("name", "bell", '"bell"', "á", "a.b", ""))
values = st.one_of(st.sampled_from(("true", "false", "1", "'x'")), texts.map('"{}"'.format))
comments = st.sampled_from(("", "# old", "#\x0b", "#\x85"))
lines = st.tuples(names, values, comments, st.sampled_from(("", "\r", " ", "\x0c"))).map(
    lambda parts: f"{parts[0]} = {parts[1]} {parts[2]}{parts[3]}"
)
files = st.lists(st.one_of(lines, texts)).map("\n".join)


@given(files)
@example("")
@example('name = "Ana" # me\nbell = true\r\n\r\n# more')
@example('name = "Ana"\nname = "Bo"')
@example('name = """\nbell = true\n"""')
def test_our_toml_reader_agrees_with_tomllib(text: str) -> None:
    try:
        wanted = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(ValueError):  # noqa: PT011 - any kind
            values_of(text.encode())
    else:
        told = values_of(text.encode())
        assert told == wanted
        assert list(map(type, told.values())) == list(map(type, wanted.values()))


def test_settings_that_the_program_wrote_are_read_without_tomllib(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = Settings(name="Zoë", language="pt", bell=False)
    save_settings(tmp_path, chosen)
    monkeypatch.setitem(sys.modules, "tomllib", None)
    assert values_of((tmp_path / SETTINGS_FILE).read_bytes()) == chosen.pairs()
    with pytest.raises(ImportError):
        values_of(b"[settings]")
