"""Tables of values read between their entries."""

from collections.abc import Sequence


def between(values: Sequence[float], size: float) -> float:
    """The value for a size that need not be whole; the last one for sizes beyond the table."""
    low = int(size)
    if low + 1 >= len(values):
        return values[-1]
    return values[low] + (size - low) * (values[low + 1] - values[low])
