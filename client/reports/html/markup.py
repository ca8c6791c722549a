"""Markup that cannot be broken out of: whatever is not `Html` is escaped when it is put in.

Names in a record are chosen by strangers, so no other module of the page writes `<` itself.
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
    """An element. `class_` is class, and "_" in names of attributes is "-"; None is left out."""
    begun = opening(name, **attributes)
    if name in _EMPTY and not children:
        return Html(f"{begun[:-1]}/>")
    return Html(f"{begun}{join(children)}{closing(name)}")


def opening(name: str, /, **attributes: Attribute) -> Html:
    """The begin of an element whose children come one by one."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{told}>")


def closing(name: str) -> Html:
    """The end of an element."""
    return Html(f"</{name}>")


def join(children: Iterable[Child]) -> Html:
    """One after the other."""
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
    """Coordinates of a picture need no more than two places."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
