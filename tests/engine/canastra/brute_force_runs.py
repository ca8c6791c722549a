"""List of every run of Canastra, built from the rules and not from the solver.

`ALL_RUNS` maps the sorted faces of a run to the number of its cards that must be wild: 0 or 1. The
list has each sequence and each set (cards of one rank) without wild cards. It also has
each sequence with any one card replaced by a two of any suit, and each set with such a two added.
Sets that need more copies of a card than the double pack has are left out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, product

Faces = tuple[str, ...]

_SUITS = "shdc"
_RANKS = "A23456789TJQKA"


def _sequences() -> Iterator[Faces]:
    for suit in _SUITS:
        for first in range(14):
            for end in range(first + 3, 15):
                yield tuple(rank + suit for rank in _RANKS[first:end])


def _sets() -> Iterator[Faces]:
    """Yield all sets without wild cards, and all pairs, which need a wild card to become a set."""
    for rank in "AK3":
        for size in range(2, 9):
            for suits in combinations_with_replacement(_SUITS, size):
                yield tuple(rank + suit for suit in suits)


def _runs() -> Iterator[tuple[Faces, int]]:
    twos = [f"2{suit}" for suit in _SUITS]
    for faces in _sequences():
        yield faces, 0
        for two, i in product(twos, range(len(faces))):
            yield (*faces[:i], two, *faces[i + 1 :]), 1
    for faces in _sets():
        if len(faces) >= 3:
            yield faces, 0
        yield from (((*faces, two), 1) for two in twos)


def _all_runs() -> dict[Faces, int]:
    found: dict[Faces, int] = {}
    for faces, wilds in _runs():
        if max(Counter(faces).values()) <= 2:
            key = tuple(sorted(faces))
            found[key] = min(wilds, found.get(key, wilds))
    return found


ALL_RUNS: Mapping[Faces, int] = _all_runs()
