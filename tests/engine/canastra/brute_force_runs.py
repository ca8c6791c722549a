"""List of every run of Canastra, built from the rules and not from the solver.

`ALL_RUNS` maps the sorted faces of a run to the number of its cards that must be wild: 0 or 1. The
list has each sequence and each set (cards of one rank) without wild cards. It also has
each sequence with any one card replaced by a two of any suit, and each set with such a two added.
Sets that need more copies of a card than the double pack has are left out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement

Faces = tuple[str, ...]

_SUITS = "shdc"
_RANKS = "A23456789TJQKA"


def _bare() -> Iterator[tuple[Faces, int]]:
    """Return the sequences and sets without wild cards that runs are made of.

    Each sequence has three or more cards, and comes with the number 3. Each set has two or more
    cards, and comes with the number 2. A set of two becomes a run when a wild card is added.
    """
    for suit in _SUITS:
        for first in range(14):
            for end in range(first + 3, 15):
                yield tuple(rank + suit for rank in _RANKS[first:end]), 3
    for rank in "AK3":
        for size in range(2, 9):
            for suits in combinations_with_replacement(_SUITS, size):
                yield tuple(rank + suit for suit in suits), 2


def _runs() -> Iterator[tuple[Faces, int]]:
    for faces, least in _bare():
        if len(faces) >= 3:
            yield faces, 0
        for two in (f"2{suit}" for suit in _SUITS):
            if least == 3:  # a sequence: the two can replace any of its cards
                yield from (((*faces[:i], two, *faces[i + 1 :]), 1) for i in range(len(faces)))
            else:
                yield (*faces, two), 1


def _all_runs() -> dict[Faces, int]:
    found: dict[Faces, int] = {}
    for faces, wilds in _runs():
        if max(Counter(faces).values()) <= 2:
            key = tuple(sorted(faces))
            found[key] = min(wilds, found.get(key, wilds))
    return found


ALL_RUNS: Mapping[Faces, int] = _all_runs()
