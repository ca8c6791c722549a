"""The look of the table, from the settings and the terminal."""

import sys
from io import StringIO

import pytest
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import BaseStyle

from client.i18n.language import _, choose_language
from client.i18n.rulebook.text import rules
from client.settings import Settings
from client.ui.tui.toolkit.glyphs import ASCII
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.canasta.options import CanastaOptions
from engine.games import game_named

REVERSED = "class:header"


def look(monkeypatch: pytest.MonkeyPatch, settings: Settings, **environment: str) -> TerminalLook:
    for name in ("NO_COLOR", "PROMPT_TOOLKIT_COLOR_DEPTH"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm-256color", **environment}.items():
        monkeypatch.setenv(name, value)
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdin, "fileno", lambda: 0)
    return TerminalLook.of(settings)


def is_reversed(style: BaseStyle) -> bool:
    return bool(style.get_attrs_for_style_str(REVERSED).reverse)


def test_the_settings_choose_the_colours_and_without_colours_highlights_are_reversed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    none, grey = {"NO_COLOR": "1"}, ColorDepth.DEPTH_1_BIT
    for colours, environment, depth in (
        *(("auto", {}, None), ("16", {}, ColorDepth.DEPTH_4_BIT), ("none", {}, grey)),
        *(("auto", none, grey), ("256", none, grey)),
    ):
        shown = look(monkeypatch, Settings(colours=colours), **environment)
        assert shown.colours is depth
        assert is_reversed(shown.style) is (depth is grey)


def test_only_a_screen_in_colours_asks_for_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    for settings, term, asks in (
        *((Settings(), "xterm", True), (Settings(theme="dark"), "xterm", True)),
        *((Settings(theme="plain"), "xterm", False), (Settings(colours="none"), "xterm", False)),
        *((Settings(linear=True), "xterm", False), (Settings(), "dumb", False)),
    ):
        asked: list[str] = ["light"]
        monkeypatch.setattr("client.ui.tui.toolkit.terminal_look.background", asked.pop)
        shown = look(monkeypatch, settings, TERM=term)
        assert (not asked) is asks
        assert is_reversed(shown.style) is not asks


def test_a_dumb_terminal_gets_the_linear_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    assert look(monkeypatch, Settings()).lines is None
    assert look(monkeypatch, Settings(), TERM="dumb").lines is not None


def test_texts_are_plain_ascii_if_symbols_are_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    choose_language("es")
    look(monkeypatch, Settings(symbols="ascii"))
    assert _("Which game?") == "Que juego?"
    assert rules(game_named("canasta"), CanastaOptions()).isascii()
    look(monkeypatch, Settings(symbols="unicode"))
    assert _("Which game?") == "¿Qué juego?"


def test_a_printed_sentence_is_flushed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Output(StringIO):
        flushed = ""

        def flush(self) -> None:
            self.flushed = self.getvalue()

    output = Output()
    monkeypatch.setattr(sys, "stdout", output)
    TerminalLook(ASCII, style_of("plain")).say("Kö\x1b…")
    assert output.flushed == output.getvalue() == "Ko?...\n"
