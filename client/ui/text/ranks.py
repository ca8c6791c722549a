"""Ranks as words that agree with their number."""

from collections.abc import Callable, Mapping

from client.i18n.language import _n
from engine.cards import Rank

RANK_COUNTS: Mapping[Rank, Callable[[int], str]] = {
    Rank.TWO: lambda n: _n("{n} two", "{n} twos", n),
    Rank.THREE: lambda n: _n("{n} three", "{n} threes", n),
    Rank.FOUR: lambda n: _n("{n} four", "{n} fours", n),
    Rank.FIVE: lambda n: _n("{n} five", "{n} fives", n),
    Rank.SIX: lambda n: _n("{n} six", "{n} sixes", n),
    Rank.SEVEN: lambda n: _n("{n} seven", "{n} sevens", n),
    Rank.EIGHT: lambda n: _n("{n} eight", "{n} eights", n),
    Rank.NINE: lambda n: _n("{n} nine", "{n} nines", n),
    Rank.TEN: lambda n: _n("{n} ten", "{n} tens", n),
    Rank.JACK: lambda n: _n("{n} jack", "{n} jacks", n),
    Rank.QUEEN: lambda n: _n("{n} queen", "{n} queens", n),
    Rank.KING: lambda n: _n("{n} king", "{n} kings", n),
    Rank.ACE: lambda n: _n("{n} ace", "{n} aces", n),
}
"""So many cards of each rank that has suits."""


def counted_rank(rank: Rank, count: int) -> str:
    """So many cards of the rank: "1 king", "2 kings"."""
    return RANK_COUNTS[rank](count)
