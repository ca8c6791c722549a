"""The ways in which a run can grow.

The search for moves asks about the same runs many times, so the answers are cached.
"""

from functools import lru_cache

from attrs import frozen

from engine.canastra.constants import is_two
from engine.canastra.deck import CANASTRA
from engine.canastra.runs import Run, arranged, run_of
from engine.cards import Rank, Suit
from engine.decks import PACK_RANKS
from engine.melds import Meld
from engine.sequence_melds.with_wild import CODES, Contents, first_position

_FACES = {card.code: card for card in reversed(CANASTRA)}  # one card of each face
_TWOS = frozenset(card.code for card in CANASTRA if is_two(card))
_NATURALS = tuple(rank for rank in PACK_RANKS if rank is not Rank.TWO)
_OF_RANK = {rank: frozenset(c for c in _FACES if _FACES[c].rank is rank) for rank in Rank}


@frozen(cache_hash=True)
class Growth:
    """The ways in which one run can grow."""

    joining: frozenset[str]
    """Codes of the cards that may join the run alone, without another card."""
    kin: frozenset[str]
    """Codes of the naturals that may join the run alone or together with others.

    For a run of one number these are the naturals of that number, for a sequence the aces and the
    missing ranks of the suit.
    """
    contents: Contents | None = None
    """The contents of a sequence; None for a run of one number."""
    suit: Suit | None = None
    """The suit of a sequence; None for a run of one number."""
    lacks: frozenset[str] = frozenset()
    """Codes of the cards that a sequence with an ace lacks. If enough of these cards join, the ace
    may move to the other end: A 2 3 4 with 5 to K becomes 2 to A."""

    def turned(self, more: int) -> tuple[str, ...]:
        """Return the codes of a sequence with `more` more cards and its ace at the other end.

        For A 2 3 ... T and two more cards these are the codes of 3 to A.
        """
        assert self.contents is not None
        assert self.suit is not None
        codes, size = CODES[self.suit], self.contents.size + more
        return codes[-size:] if first_position(self.contents) == 1 else codes[:size]


@lru_cache(maxsize=20_000)
def growth(meld: Meld) -> Growth:
    """Return the growth of a run on the table."""
    run = run_of(meld)
    first = next(card for card in run.cards if not is_two(card))
    if run.low is None:
        alike = _OF_RANK[first.rank]
        return Growth(alike if run.wild else alike | _TWOS, alike)
    contents = Contents.of(run.cards, first.suit)
    assert contents is not None
    assert first.suit is not None
    return _of_sequence(contents, first.suit)


@lru_cache(maxsize=20_000)
def _of_sequence(contents: Contents, suit: Suit) -> Growth:
    # An ace is never `fixed`, so aces are always among the kin: a second one can end the sequence
    # of 14.
    kin = {rank.code + suit: rank for rank in _NATURALS if rank not in contents.fixed}
    joining = {
        code for code, rank in kin.items() if first_position(contents.with_card(rank)) is not None
    }
    for two in _TWOS:
        longer = contents.with_card(Rank.TWO, own=two == Rank.TWO.code + suit)
        if first_position(longer) is not None:
            joining.add(two)
    lacks = {code for code, rank in kin.items() if rank is not Rank.ACE} if contents.aces else set()
    # `kin` has no twos, but the suit's own two can lie at position 2 as a natural card.
    if contents.aces and not contents.own_two:
        lacks.add(Rank.TWO.code + suit)
    return Growth(frozenset(joining), frozenset(kin), contents, suit, frozenset(lacks))


@lru_cache(maxsize=20_000)
def with_natural(grown: Growth, rank: Rank) -> Growth:
    """Return the growth of a run that a natural of this rank, one of `joining`, has joined."""
    if grown.contents is None or grown.suit is None:
        return grown
    return _of_sequence(grown.contents.with_card(rank), grown.suit)


def longer(run: Run, code: str) -> Run | None:
    """Return the run with one more card of this face; None if the result is no run."""
    return arranged((*run.cards, _FACES[code]))
