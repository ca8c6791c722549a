"""Repeatable randomness for tests."""

from __future__ import annotations

import hashlib
from itertools import count

from protocol.group import Entropy


def seeded(name: str) -> Entropy:
    """Return a source that gives the same bytes for the same name, and never the same twice."""
    draws = count()
    return lambda size: hashlib.shake_256(f"{name}/{next(draws)}".encode()).digest(size)
