"""The deal of the day: a charter's extension that gives everybody the same cards.

Each player still locks and permutes the deck and proves it, but the permutation follows from the
date. So anybody can compute the whole deal. An audit finds the date in the charter, and compares
the cards (`spec/format.md`, 2).
"""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from protocol.charter import Charter, Extension
from protocol.charter_extensions import DEAL_OF_THE_DAY, extension_value
from protocol.hashing import labelled_stream, number
from protocol.shuffle import Permutation, draw_permutation

_DATE = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
_DRAW = 8  # bytes that a permutation takes for each draw


def day_extension(day: str) -> Extension:
    """Return the extension of a charter with the deal of that day."""
    return Extension(DEAL_OF_THE_DAY, critical=False, value=day.encode())


def day_of(charter: Charter) -> str:
    """Return the day whose deal the charter promises; "" if it names no day, or no valid date."""
    value = extension_value(charter, DEAL_OF_THE_DAY)
    return value if _DATE.fullmatch(value) else ""


@frozen
class DayTable:
    """The day, the game and the number of players, from which the deals of a table follow."""

    day: str
    game: str
    players: int

    @classmethod
    def of(cls, charter: Charter) -> "DayTable | None":
        """Return the day table of a charter with a deal of the day; None for any other charter."""
        day = day_of(charter)
        return cls(day, charter.game.name, len(charter.members)) if day else None

    def permutation(self, deal: int, player: int, size: int) -> Permutation:
        """Return the permutation with which a player shuffles `size` cards in that deal."""
        parts = (
            self.day.encode(),
            self.game.encode(),
            *map(number, (self.players, deal, player)),
        )
        # With a chance of 2^-57 `draw_permutation` rejects a draw and draws again. Without
        # rejections half of these bytes would be enough.
        stream = _pieces(labelled_stream("deal of the day", 2 * _DRAW * size, *parts))
        return draw_permutation(size, lambda _count: next(stream))

    def dealt(self, cards: Sequence[int], deal: int, players: Sequence[int]) -> tuple[int, ...]:
        """Return the cards of a deal in the order of their slots.

        `players` are those who have shuffled the deck, in the order of their shuffles.
        """
        order = list(cards)
        for player in players:
            order = [order[place] for place in self.permutation(deal, player, len(order))]
        return tuple(order)


def _pieces(data: bytes) -> Iterator[bytes]:
    return (data[at : at + _DRAW] for at in range(0, len(data), _DRAW))
