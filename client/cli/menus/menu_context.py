"""The context of the first screen's menus."""

from client.settings import Settings
from client.ui.tui.toolkit.terminal_look import TerminalLook


class MenuContext:
    """The person's settings, which menus may change, and the look of their terminal.

    `said` is a sentence to show above the choices, or None. `linear` is True if the command was
    given `--linear`: then everything is printed in lines, whatever the settings say.
    """

    def __init__(
        self,
        settings: Settings,
        look: TerminalLook,
        said: str | None = None,
        *,
        linear: bool = False,
    ) -> None:
        self.settings = settings
        self.look = look
        self.said = said
        self.linear = linear
