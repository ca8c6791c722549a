"""Figures of benches, for people and for programs."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

Figures = Mapping[str, Any]
"""The figures of one measurement by name: words, numbers, or pairs of these.

A name ends with its unit, if it has one: `draw_ms`.
"""


def add_number(
    parser: argparse.ArgumentParser, name: str, low: int, high: int, default: int | None, about: str
) -> None:
    """Add an argument that must be a whole number within these bounds."""

    def read(word: str) -> int:
        if not low <= (value := int(word)) <= high:
            raise argparse.ArgumentTypeError(f"not a number from {low:,} to {high:,}")
        return value

    read.__name__ = "whole number"  # argparse puts it into "invalid whole number value"
    parser.add_argument(name, type=read, default=default, metavar="N", help=about)


def rounded(figures: Any) -> Any:
    """Return the figures with fractions rounded to four significant digits.

    A fixed number of decimals would turn a short time into zero.
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


def tables(measured: Sequence[Figures]) -> Iterator[str]:
    """Return a table for each group of measurements that have the same names of figures.

    A single measurement has a line for each figure, several have a line for each measurement.
    """
    for names, group in groupby(measured, key=tuple):
        rows = [[_shown(one[name]) for name in names] for one in group]
        table = [list(names), *rows]
        if len(rows) == 1:
            table = [list(line) for line in zip(*table, strict=True)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        yield "\n".join(
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
            for line in table
        )


def _shown(figure: Any) -> str:
    match figure:
        case tuple():
            return " - ".join(map(_shown, figure))
        case int() | float():
            return f"{rounded(figure):,}"
        case _:
            return str(figure)
