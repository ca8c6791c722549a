"""Figures under each other, for people."""

from collections.abc import Sequence


def aligned(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    """A line for each row of name, figure and remark: names on the left, figures on the right."""
    names = max(len(name) for name, _figure, _remark in rows)
    figures = max(len(figure) for _name, figure, _remark in rows)
    return [
        f"{name.ljust(names)}  {figure.rjust(figures)}  {remark}".rstrip()
        for name, figure, remark in rows
    ]
