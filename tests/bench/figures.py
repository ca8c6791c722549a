"""Figures for people and for programs, and the memory of a process."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any


def aligned(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    """Return a line for each row of name, figure and remark, in columns.

    Names are aligned left, figures right.
    """
    names = max(len(name) for name, _figure, _remark in rows)
    figures = max(len(figure) for _name, figure, _remark in rows)
    return [
        f"{name.ljust(names)}  {figure.rjust(figures)}  {remark}".rstrip()
        for name, figure, remark in rows
    ]


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun, singular or plural (the plural ends with an s by default)."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def whole(low: int, high: int) -> Callable[[str], int]:
    """Return a parser for an argument that must be a whole number within these bounds."""

    def read(word: str) -> int:
        if not low <= (value := int(word)) <= high:
            raise argparse.ArgumentTypeError(f"not a number from {low:,} to {high:,}")
        return value

    read.__name__ = "whole number"  # argparse puts it into "invalid whole number value"
    return read


def in_ms(value: float, places: int = 1) -> str:
    """Return a time in milliseconds, for people."""
    return f"{value:,.{places}f} ms"


def in_seconds(value: float) -> str:
    """Return a time in seconds, for people."""
    return f"{value:,.2f} s"


def rounded(figures: Any) -> Any:
    """Return figures for programs, with fractions rounded to four significant digits.

    `figures` is a number, or a dict or sequence of figures. A fixed number of decimals would turn a
    short time into zero.
    """
    match figures:
        case float():
            return float(f"{figures:.4g}")
        case dict():
            return {name: rounded(figure) for name, figure in figures.items()}
        case list() | tuple():
            return [rounded(figure) for figure in figures]
        case _:
            return figures
