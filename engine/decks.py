"""The fresh deck of each game, in its fixed order: a card's number is its index here.

Clauses C1, K1-K5 and B3.
"""

from itertools import product

from engine.cards import Card, Rank, Suit

_PACK = tuple(rank for rank in Rank if rank <= Rank.ACE)
_REALMS = tuple(rank for rank in _PACK if rank >= Rank.FOUR)

Deck = tuple[Card, ...]
Face = tuple[Rank, Suit | None, bool]


def _deck(faces: list[Face]) -> Deck:
    return tuple(Card(number, rank, suit, gold) for number, (rank, suit, gold) in enumerate(faces))


def _two_packs() -> list[Face]:
    return [(rank, suit, False) for _, suit, rank in product(range(2), Suit, _PACK)]


def _realms() -> list[Face]:
    # K3, K4: two cards of each suit in each rank; the first spade of each rank is the gold card.
    return [
        (rank, suit, suit is Suit.SPADES and copy == 0)
        for copy, suit, rank in product(range(2), Suit, _REALMS)
    ]


def _suitless(rank: Rank) -> list[Face]:
    return [(rank, None, False)]


CANASTA: Deck = _deck(_two_packs() + 4 * _suitless(Rank.JOKER))
CANASTRA: Deck = _deck(_two_packs())
KANASTIC: Deck = _deck(
    _realms()
    + 8 * _suitless(Rank.SWORD)
    + 4 * _suitless(Rank.SHIELD)
    + 4 * _suitless(Rank.ARTIFACT)
    + 4 * _suitless(Rank.POT)
)
