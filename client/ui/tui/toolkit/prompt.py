"""A question for a line of text: on the whole screen, or as a line in the linear mode."""

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding import KeyPressEvent
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import BufferControl

from client.ui.tui.terminal.run_beside_trio import Screen
from client.ui.tui.terminal.whole_screen import key_bindings
from client.ui.tui.toolkit.lines import LinesWindow
from client.ui.tui.toolkit.spans import Line, Span, folded
from client.ui.tui.toolkit.terminal_look import TerminalLook, write_out

_LONGEST = 200


async def ask_text(question: str, before: str, look: TerminalLook) -> str | None:
    """Return the text that the person types; None when they go back. Raises Interrupted."""
    if look.lines is not None:
        write_out(look.glyphs.plain(f"{question} ({before})" if before else question) + " > ")
        async for line in look.lines:
            return line[:_LONGEST] or None
        return None
    return await Screen(prompt_application(question, before, look)).run()


def prompt_application(question: str, before: str, look: TerminalLook) -> Application[str | None]:
    """Return the question on the whole screen; it exits with the typed text, or None.

    The old text, `before`, is selected: typing replaces it, and moving the cursor keeps it.
    """
    buffer = Buffer(document=Document(before, 0), multiline=False)
    buffer.start_selection()
    assert buffer.selection_state is not None
    buffer.selection_state.enter_shift_mode()
    buffer.cursor_position = len(before)
    typing = Window(BufferControl(buffer), height=1)
    text = look.glyphs.plain(question)

    def head(width: int, _rows: int) -> list[Line]:
        lines = folded(text, width - 4, "class:mine")
        return [(), *((Span("  "), *line) for line in lines), ()]

    def paste(event: KeyPressEvent) -> None:
        buffer.cut_selection()
        buffer.insert_text(" ".join(event.data.split()))

    keys = key_bindings(
        {
            "enter": lambda event: event.app.exit(result=buffer.text[:_LONGEST]),
            "escape c-c": lambda event: event.app.exit(result=None),
            "<bracketed-paste>": paste,
        }
    )
    asked = LinesWindow(head, dont_extend_height=True)
    layout = Layout(HSplit([asked, typing, Window()]), focused_element=typing)
    return look.application(layout, keys)
