"""HTML elements built by functions, which escape every text that is not `Html` already.

Names in a record are chosen by strangers. So all other modules of the page make their elements with
these functions.
"""

from collections.abc import Iterable
from html import escape
from typing import TypeAlias


class Html(str):
    """Finished markup: all text in it is escaped already."""

    __slots__ = ()


Child: TypeAlias = "str | int | Iterable[Child] | None"
Attribute = str | int | float | None

_EMPTY = frozenset({"meta", "link", "br", "input", "rect", "line", "circle", "path", "polyline"})


def tag(name: str, /, *children: Child, **attributes: Attribute) -> Html:
    """Return an element; attributes that are None are left out.

    `class_` is written as class, and "_" in names of attributes as "-".
    """
    begun = opening(name, **attributes)
    if name in _EMPTY and not children:
        return Html(f"{begun[:-1]}/>")
    return Html(f"{begun}{join(children)}{closing(name)}")


def opening(name: str, /, **attributes: Attribute) -> Html:
    """Return an opening tag alone, for an element whose children are written one by one."""
    text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{text}>")


def closing(name: str) -> Html:
    """Return the closing tag of an element."""
    return Html(f"</{name}>")


def join(children: Iterable[Child]) -> Html:
    """Return the children, one after the other."""
    return Html("".join(map(_markup, children)))


def _markup(child: Child) -> str:
    match child:
        case Html():
            return child
        case None:
            return ""
        case str() | int():
            return escape(str(child))
        case _:
            return join(child)


def _number(value: Attribute) -> str:
    """Return a value as text; coordinates need no more than two places."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
