"""Repeatable randomness for tests."""

from __future__ import annotations

import hashlib
from itertools import count

from protocol.group import Entropy


def seeded(name: str) -> Entropy:
    """Return a source of random bytes whose sequence depends on `name` alone."""
    draws = count()
    return lambda size: hashlib.shake_256(f"{name}/{next(draws)}".encode()).digest(size)
