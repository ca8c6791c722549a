"""The menu of settings; each change is saved at once."""

from pathlib import Path

from client.bots.levels import about_level
from client.i18n.language import _, choose_language
from client.i18n.sentences import said
from client.i18n.setting_values import value_text
from client.settings import SETTINGS, BadSetting, Settings, for_this_time, save_settings
from client.ui.tui.toolkit.dialogs import ask_text
from client.ui.tui.toolkit.menu import Choice, Menu
from client.ui.tui.toolkit.terminal_look import TerminalLook


async def change_settings(
    settings: Settings, look: TerminalLook, folder: Path, *, linear: bool
) -> Settings:
    """Let the person change the settings, and return them. Raises Interrupted, OSError.

    With `linear` the menu is printed in lines, whatever the settings say.
    """
    menu = Menu("", ())
    while True:
        menu.title = _("Settings")
        menu.choices = [
            Choice(name, _line(name, value), _(SETTINGS[name].doc).capitalize())
            for name, value in settings.pairs().items()
        ]
        name = await menu.ask(look)
        if name is None:
            return settings
        menu.text = ()
        try:
            settings = await _changed(settings, name, look)
        except BadSetting as error:
            menu.text = (said(error),)
            continue
        save_settings(folder, settings)
        choose_language(settings.language)
        look = TerminalLook.of(for_this_time(settings, linear=linear), look.lines)


async def _changed(settings: Settings, name: str, look: TerminalLook) -> Settings:
    """Ask for a value of the setting `name`, or toggle it if it is yes or no.

    Return all settings. Raises BadSetting.
    """
    value = settings.pairs()[name]
    if isinstance(value, bool):
        return settings.changed(name, not value)
    setting = SETTINGS[name]
    choices = setting.choices()
    if not choices:
        text = await ask_text(_(setting.doc).capitalize(), value, look)
        return settings if text is None else settings.changed(name, text.strip())
    titled = [Choice(one, value_text(one), _about(name, one)) for one in choices]
    menu = Menu(_(setting.title), titled, place=choices.index(value))
    chosen = await menu.ask(look)
    return settings if chosen is None else settings.changed(name, chosen)


def _about(name: str, value: str) -> str:
    """Return a sentence about a level; "" for the values of other settings."""
    about = about_level(value) if name == "level" else ""
    return _(about) if about else ""


def _line(name: str, value: str | bool) -> str:
    shown = value if name == "name" else value_text(value)
    return f"{_(SETTINGS[name].title)}: {shown}"
