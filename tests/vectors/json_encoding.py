"""The form in which vectors are written down."""

from pathlib import Path
from typing import Any

from protocol.group import Point, Scalar

FOLDER = Path(__file__).parents[2] / "spec" / "vectors"

Json = dict[str, Any]


def as_hex(values: Any) -> Any:
    """Return one or many points, scalars or bytes as hexadecimal text."""
    if isinstance(values, bytes):
        return values.hex()
    if isinstance(values, Point | Scalar):
        return values.encode().hex()
    return [as_hex(value) for value in values]
