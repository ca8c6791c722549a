"""A screen as an SVG document."""

from itertools import groupby
from xml.sax.saxutils import escape

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Screen, WritePosition
from prompt_toolkit.styles import Attrs, BaseStyle

_CELL_WIDTH, _CELL_HEIGHT, _FONT = 8.4, 18, 14
_INK, _PAPER = "#d7d7d7", "#1c1c1c"


def svg_of(app: Application[None], style: BaseStyle, size: Size) -> str:
    """Return the screen of an application as an SVG document."""
    screen = Screen()
    with set_app(app):
        whole = WritePosition(0, 0, size.columns, size.rows)
        app.layout.container.write_to_screen(screen, MouseHandlers(), whole, "", False, None)
        screen.draw_all_floats()
    width, height = size.columns * _CELL_WIDTH + 20, size.rows * _CELL_HEIGHT + 20
    fonts = f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="{_FONT}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" {fonts}>',
        f'<rect width="100%" height="100%" rx="8" fill="{_PAPER}"/>',
    ]
    for row in range(size.rows):
        cells = [screen.data_buffer[row][column] for column in range(size.columns)]
        column = 0
        for look, run in groupby(cells, key=lambda cell: cell.style):
            text = "".join(cell.char for cell in run)
            lines += _run(text, style.get_attrs_for_style_str(look), row, column)
            column += len(text)
    return "\n".join([*lines, "</svg>", ""])


def _run(text: str, attrs: Attrs, row: int, column: int) -> list[str]:
    """Return the elements for text of one style; `textLength` keeps the columns in any font."""
    x, y = 10 + column * _CELL_WIDTH, 10 + row * _CELL_HEIGHT
    width = len(text) * _CELL_WIDTH
    ink, paper = _colour(attrs.color, _INK), _colour(attrs.bgcolor, "")
    if attrs.reverse:
        ink, paper = paper or _PAPER, ink
    parts = []
    if paper:
        parts.append(
            f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_CELL_HEIGHT}" '
            f'fill="{paper}"/>'
        )
    if text.strip():
        weight = ' font-weight="bold"' if attrs.bold else ""
        line = ' text-decoration="underline"' if attrs.underline else ""
        parts.append(
            f'<text x="{x:.1f}" y="{y + _FONT}" fill="{ink}" textLength="{width:.1f}" '
            f'xml:space="preserve"{weight}{line}>{escape(text)}</text>'
        )
    return parts


def _colour(name: str | None, otherwise: str) -> str:
    return f"#{name}" if name and not name.startswith("ansi") and name != "default" else otherwise
