"""The context of the first screen's menus."""

from attrs import define

from client.settings import Settings
from client.ui.tui.toolkit.terminal_look import TerminalLook


@define
class MenuContext:
    """The person's settings, which menus may change, and the look of their terminal."""

    settings: Settings
    look: TerminalLook
    said: str | None = None
    """A sentence to show above the choices."""
    linear: bool = False
    """True if the person asks for lines in this run, whatever the settings say."""
