"""The styles of the terminal as style sheets: each style in use becomes a class."""

from collections.abc import Sequence

from prompt_toolkit.styles import Attrs, BaseStyle

from client.ui.tui.toolkit.style import style_of

INK, PAPER = "var(--ink)", "var(--sheet)"


def style_class(number: int) -> str:
    """Return the class of the style with that number."""
    return f"s{number}"


def terminal_css(styles: Sequence[str]) -> str:
    """Return a CSS rule for each style of prompt_toolkit, for light and for dark screens."""
    light, dark = (_rules(styles, style_of("auto", side)) for side in ("light", "dark"))
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}\n"


def _rules(styles: Sequence[str], palette: BaseStyle) -> str:
    return "\n".join(
        f".{style_class(number)} {{ {_declarations(palette.get_attrs_for_style_str(style))} }}"
        for number, style in enumerate(styles)
    )


def _declarations(attrs: Attrs) -> str:
    """Return all declarations, even defaults: the dark rules must override all the light ones."""
    ink = f"#{attrs.color}" if attrs.color else INK
    paper = f"#{attrs.bgcolor}" if attrs.bgcolor else ""
    if attrs.reverse:
        ink, paper = paper or PAPER, ink
    declarations = {
        "color": ink,
        "background": paper or "none",
        "font-weight": "bold" if attrs.bold else "normal",
        "font-style": "italic" if attrs.italic else "normal",
        "text-decoration": "underline" if attrs.underline else "none",
    }
    return " ".join(f"{name}: {value};" for name, value in declarations.items())
