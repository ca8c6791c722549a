"""A choice among several: a list on the whole screen, or numbered lines in the linear mode."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import NamedTuple

from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from client.i18n.language import _
from client.ui.tui.terminal.run_alone import run_alone
from client.ui.tui.terminal.whole_screen import key_bindings
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.spans import Click, Line, Span, cut, folded
from client.ui.tui.toolkit.terminal_look import TerminalLook, write_out
from engine.marked_texts import N_


class Choice(NamedTuple):
    """One line of a menu."""

    value: str
    """Name of the choice in the program."""
    label: str
    detail: str = ""
    """Further text about the choice."""


OnChoices = Callable[[Sequence[Choice]], None]
"""Callback with new choices."""
Follow = Callable[[OnChoices], Awaitable[None]]
"""Function that runs beside a menu, and calls back when there are other choices."""


async def _nothing(_on_choices: OnChoices) -> None:
    """Do nothing, for a menu whose choices stay the same."""


_KEYS = N_(
    "Arrows or Tab: go along the choices. Enter, space, or the number of a choice: choose it. Esc "
    "or q: go back. Ctrl-Z: go to the shell; fg leads back. At a table ? lists its keys."
)
_WORDS = N_("Type the number of a choice, or nothing to go back. At a table, type help.")


class Menu:
    """A title, the choices, and the cursor's place; `text` stands above the choices.

    `asks_for_keys` is True while the keys are listed below, instead of details of the choice. This
    is no attrs class, because the first screen does not load attrs.
    """

    def __init__(
        self, title: str, choices: Sequence[Choice], text: Sequence[str] = (), place: int = 0
    ) -> None:
        self.title = title
        self.choices = choices
        self.text = text
        self.place = place
        self.asks_for_keys = False
        self._moved = False

    async def ask(self, look: TerminalLook, follow: Follow | None = None) -> str | None:
        """Return the person's choice; None when they go back.

        On a whole screen, new choices that `follow` reports replace the old ones. Raises
        Interrupted.
        """
        if look.lines is not None:
            return await self._ask_line(look)
        # Lazy imports: these import Trio, which `ask_alone` does not need.
        from client.ui.tui.terminal.run_beside_trio import Screen  # noqa: PLC0415
        from p2p.background_task import beside  # noqa: PLC0415

        screen = Screen(menu_application(self, look))
        async with beside(partial(follow or _nothing, partial(screen.call, self.update))):
            exited = await screen.run()
        return self._chosen(exited)

    def ask_alone(self, look: TerminalLook) -> str | None:
        """Return the person's choice on a whole screen, while nothing else runs.

        None when they go back. Raises Interrupted.
        """
        return self._chosen(run_alone(menu_application(self, look)))

    def _chosen(self, exited: bool | None) -> str | None:
        return self.choices[self.place].value if exited else None

    def update(self, choices: Sequence[Choice]) -> None:
        """Replace the choices.

        The cursor stays on the same choice, if the person has moved it and the choice is still
        there.
        """
        here = self.choices[self.place].value if self.choices and self._moved else None
        values = [choice.value for choice in choices]
        self.choices = choices
        last = max(0, len(choices) - 1)
        place = min(self.place, last) if self._moved else 0
        self.place = values.index(here) if here in values else place

    def move(self, by: int) -> None:
        """Move the cursor along the choices; after the last comes the first."""
        self._moved = True
        self.place = (self.place + by) % max(1, len(self.choices))

    def switch_help(self) -> None:
        """Switch between the list of keys and the details."""
        self.asks_for_keys = not self.asks_for_keys

    def lines(self, glyphs: Glyphs, width: int) -> list[Line]:
        """Return the menu as text."""
        lines: list[Line] = [(), (Span(f"  {glyphs.plain(self.title)}", "class:mine"),), ()]
        for text in self.text:
            lines += [(Span("  "), *line) for line in folded(glyphs.plain(text), width - 4)]
        lines += [()] if self.text else []
        for number, choice in enumerate(self.choices):
            here = number == self.place
            mark = glyphs.turn if here else " "
            click = Click("choice", number)
            label = Span(f" {mark} {glyphs.plain(choice.label)} ", "reverse" if here else "", click)
            lines.append(cut((Span(" "), label), width))
        detail = self.choices[self.place].detail if self.choices else ""
        detail = _(_KEYS) if self.asks_for_keys else detail
        lines.append(())
        lines += [
            (Span("  "), *line) for line in folded(glyphs.plain(detail), width - 4, "class:dim")
        ]
        return lines

    async def _ask_line(self, look: TerminalLook) -> str | None:
        assert look.lines is not None
        for text in (self.title, *self.text):
            look.say(text)
        for place, choice in enumerate(self.choices, start=1):
            detail = f": {choice.detail}" if choice.detail else ""
            look.say(f"{place}. {choice.label}{detail}")
        prompt = look.glyphs.plain(_("a number, or nothing to go back")) + "> "
        write_out(prompt)
        async for line in look.lines:
            if not line:
                return None
            number = int(line[:4]) if line.isdecimal() else 0
            if 0 < number <= len(self.choices):
                self.place = number - 1
                return self.choices[self.place].value
            request = _("Type a number from 1 to {last}.").format(last=len(self.choices))
            look.say(_(_WORDS) if line in ("?", _("help")) else request)
            write_out(prompt)
        return None


def menu_application(menu: Menu, look: TerminalLook) -> Application[bool]:
    """Return an application that shows the menu, and exits with True if something was chosen."""

    def write(width: int, rows: int) -> list[Line]:
        """Return the lines of the menu from the first visible one on, with the cursor in sight."""
        lines = menu.lines(look.glyphs, width)
        here = Click("choice", menu.place)
        marked = (any(span.click == here for span in line) for line in lines)
        cursor = next((number for number, is_marked in enumerate(marked) if is_marked), 0)
        first = max(0, min(len(lines) - rows, cursor - rows // 2))
        return lines[first:]

    def clicked(click: Click) -> None:
        menu.place = click.number
        app.exit(result=True)

    hint = _("Arrows and Enter choose, Esc goes back, ? tells more.")
    app: Application[bool] = look.text_application(write, hint, _keys(menu), clicked)
    return app


def _keys(menu: Menu) -> KeyBindings:
    def choose(event: KeyPressEvent) -> None:
        if menu.choices:
            event.app.exit(result=True)

    def choose_number(event: KeyPressEvent) -> None:
        if (number := int(event.data)) <= len(menu.choices):
            menu.place = number - 1
            event.app.exit(result=True)

    return key_bindings(
        {
            "up left": lambda _event: menu.move(-1),
            "down right tab": lambda _event: menu.move(1),
            "enter space": choose,
            "1 2 3 4 5 6 7 8 9": choose_number,
            "?": lambda _event: menu.switch_help(),
            "escape q c-c": lambda event: event.app.exit(result=False),
        }
    )
