"""Moves of Samba with sequences; moves with like cards are in `engine.like_melds.threes_in_turn`.

Every new sequence of each length is tried, and every addition at one end or both. A side without
melds may also open with the longest sequences of one suit or several, together with the cheapest
melds of like cards.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations

from engine.like_melds.cards import points_of
from engine.like_melds.find_openings import openings
from engine.like_melds.find_plays import Plays, meldable
from engine.like_melds.sorted_hand import SortedHand
from engine.moves import Play
from engine.samba.melds import SambaMelds
from engine.samba.state import SambaState
from engine.sequence_melds.pure import runs
from engine.slots import Shown, cards_of

Cards = tuple[Shown, ...]


def sequence_plays(position: SambaState, hand: Cards) -> Iterator[Play]:
    """Return new sequences, and additions to sequences of the mover's side.

    If the side has no melds, each new sequence has the points of an opening by itself.
    """
    sequences, need = position.limits.sequences, position.minimum
    for play in sequences.new_plays(hand):
        if points_of(cards_of(play.cards)) >= need:
            yield play
    for number, meld in enumerate(position.laid[position.side].melds):
        if meld.rank is None:
            yield from sequences.additions(number, meld, hand)


def mixed_openings(limits: SambaMelds, hand: Cards, need: int, most: int) -> Iterator[Plays]:
    """Return openings with some of the longest sequences, and melds of like cards beside them.

    An opening has at least `need` points, and at most `most` cards.
    """
    longest = [run[-limits.sequences.longest :] for run in runs(hand)]
    for chosen in chain(*(combinations(longest, count) for count in range(1, len(longest) + 1))):
        laid = tuple(chain(*chosen))
        lacking = need - points_of(cards_of(laid))
        plays = tuple(map(Play, chosen))
        if len(laid) > most:
            continue
        if lacking <= 0:
            yield plays
            continue
        rest = SortedHand.of(meldable(limits, [shown for shown in hand if shown not in laid]))
        for more in openings(limits, rest, lacking, most - len(laid)):
            yield (*plays, *more)


def takings_on_sequences(position: SambaState) -> Iterable[Plays]:
    """Return the plays that lay the top of the pile on a sequence of the mover's side (S22)."""
    if not position.pile or position.pile_bound:
        return
    top, sequences = position.pile[-1], position.limits.sequences
    for number, meld in enumerate(position.laid[position.side].melds):
        if meld.rank is None and sequences.takes(meld, top.card):
            yield (Play((top,), number),)
