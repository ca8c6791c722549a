"""At most one link for each key, so that nobody can use up the links that the system allows."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import trio
from attrs import define, field


@define(eq=False)
class OnlyLinks:
    """The open links: at most one for each key, and at most `most` in all.

    A new link replaces the one with the same key. If there is none and `most` links are open, it
    replaces the oldest.
    """

    most: float = math.inf
    _scopes: dict[bytes, trio.CancelScope] = field(factory=dict, init=False)
    """The scopes of the links, by key, in the order in which they came."""

    @contextmanager
    def only(self, key: bytes) -> Iterator[None]:
        """Count the link of that key during the block. If another replaces it, cancel the block."""
        if key in self._scopes:
            self._scopes.pop(key).cancel()
        elif len(self._scopes) >= self.most:
            self._scopes.pop(next(iter(self._scopes))).cancel()
        with trio.CancelScope() as scope:
            self._scopes[key] = scope
            try:
                yield
            finally:
                if self._scopes.get(key) is scope:
                    del self._scopes[key]
