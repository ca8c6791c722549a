"""Form in which vectors are written down."""

from pathlib import Path
from typing import Any

from protocol.group import Point, Scalar

FOLDER = Path(__file__).parents[2] / "spec" / "vectors"

Json = dict[str, Any]


def as_hex(values: Any) -> Any:
    """Return points, scalars and bytes as hexadecimal text, one or many."""
    if isinstance(values, bytes):
        return values.hex()
    if isinstance(values, Point | Scalar):
        return values.encode().hex()
    return [as_hex(value) for value in values]
