"""A fixture that counts the library's operations on points."""

from collections import Counter
from collections.abc import Callable

import pytest

from protocol import group

COUNTED = {
    "ristretto255": "multiplications",
    "ristretto255_base": "base_multiplications",
    "ristretto255_add": "additions",
    "ristretto255_sub": "additions",
}


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count every call of the library from now on, by the names of the fields of `Work`."""
    count: Counter[str] = Counter()

    def counting(name: str, function: Callable[..., int]) -> Callable[..., int]:
        def call(*buffers: object) -> int:
            count[COUNTED[name]] += 1
            return function(*buffers)

        return call

    for name in COUNTED:
        monkeypatch.setattr(group._sodium, name, counting(name, getattr(group._sodium, name)))
    return count
