"""Who is at the first screen."""

from client.settings import Settings
from client.ui.tui.toolkit.terminal_look import TerminalLook


class Visitor:
    """Their settings, which they may change, and how their terminal looks. `said` is a sentence
    above the choices, if there is something to say; `linear` asks for lines this time, whatever the
    settings say.
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
