"""Moves of Canasta worth trying, from the cards of the mover's hand whose faces are known.

The following moves are tried; of several moves with the same faces only one is tried:

- every single meld, and every addition to one meld, with every choice of wild cards;
- for each number of wild cards the opening with the fewest cards;
- the whole hand laid at once, and the whole hand except one card.

A player who can open, meld or go out is always offered a way to do it. A move is not tried if
counting shows that it has too few cards or points. Some of the moves may still be illegal;
`Position.legal_moves` checks those.

`engine.like_melds.find_layings` finds openings, single melds and additions. At the end come the
layings of a whole hand (`engine.like_melds.find_closings`), if counting alone does not rule them
out. To find takings of the pile, the same is done with the pile's top as one of the cards.
"""

from collections.abc import Iterable, Mapping, Sequence

from engine.canasta.melds import MELDS
from engine.canasta.state import CanastaState
from engine.cards import Rank
from engine.like_melds import find_layings
from engine.like_melds.cards import WILD_RANKS, is_natural
from engine.like_melds.find_closings import closing
from engine.like_melds.find_layings import distinct, meldable
from engine.like_melds.sorted_hand import SortedHand
from engine.moves import Play, TakePile
from engine.slots import Shown

Plays = tuple[Play, ...]
_THREE = Rank.THREE


def layings(position: CanastaState) -> Iterable[Plays]:
    """Return the sets of plays worth laying after a draw."""
    hand = position.hand(position.turn.seat)
    melds, ranks = position.laid[position.side].melds, meldable(MELDS, hand)
    size = len(position.hands[position.turn.seat])
    # Two cards must stay: one to discard, one so that the side does not go out (C85).
    found = find_layings.layings(MELDS, melds, ranks, size, position.minimum, size - 2)
    return distinct(*found, _closings(position, ranks, size))


def takings(position: CanastaState) -> Iterable[Plays]:
    """Return the sets of plays with which it is worth trying to take the pile."""
    if not position.pile or not is_natural(position.pile[-1].card):
        return ()
    rank = position.pile[-1].card.rank
    melds = position.laid[position.side].melds
    onto = next((number for number, meld in enumerate(melds) if meld.rank is rank), None)
    hand = position.hand(position.turn.seat)
    alike = sum([shown.card.rank is rank for shown in hand])
    if not alike and onto is None:
        return ()  # C46
    bound = not melds or position.pile_frozen
    # The top has to be laid with two naturals, also if it could join a meld.
    if bound and alike < 2:
        return ()  # C45, C48
    return _plays_with_top(position, hand, onto, bound=bound)


def _plays_with_top(
    position: CanastaState, hand: tuple[Shown, ...], onto: int | None, *, bound: bool
) -> Iterable[Plays]:
    """Return the layings that take the pile, whose top may join the meld `onto`.

    If `bound`, each laying uses the top with two naturals of the hand.
    """
    top = position.pile[-1]
    melds = position.laid[position.side].melds
    received = len(position.received)
    size = len(position.hands[position.turn.seat]) + received
    ranks = meldable(MELDS, (top, *hand))
    lying = None if onto is None else (onto, melds[onto])
    found = find_layings.layings_with_top(
        MELDS, lying, ranks, top, bound=bound, minimum=position.minimum, most=size - 2
    )
    last: tuple[Plays, ...] = ()
    # Of the cards from the pile, these plays use only the top. If the pile brings three cards or
    # more, at least two of them stay in the hand, and a later move can end the round. If it brings
    # fewer, perhaps no other move than this one can end the round.
    if received <= 2:
        last = _closings(position, ranks, size, top)
        last = tuple([plays for plays in last if position.may(TakePile(plays))])  # C44
    return distinct(*found, last)


def _closings(
    position: CanastaState,
    ranks: Mapping[Rank, Sequence[Shown]],
    held: int,
    top: Shown | None = None,
) -> tuple[Plays, ...]:
    """Return layings of all cards at once, and of all but one, from a hand of `held` cards.

    If `top`, the top of the pile, is given, the hand includes it. When a card of the top's rank is
    left out, it is not the top itself, if the hand has another card of that rank.
    """
    melds = position.laid[position.side].melds
    laid = {meld.rank for meld in melds}
    alone = [rank for rank, cards in ranks.items() if len(cards) == 1 and rank not in laid]
    single = [rank for rank in alone if rank not in WILD_RANKS]
    if len(single) > 1:
        return ()  # two cards would have to be kept
    counts = {rank: len(cards) for rank, cards in ranks.items() if rank not in WILD_RANKS}
    wilds = sum(map(len, ranks.values())) - sum(counts.values())
    if sum([count == 2 and rank not in laid for rank, count in counts.items()]) > wilds:
        return ()  # each of these pairs needs a wild card: 5 5 and 9 9 cannot go with one joker
    canastas = position.canastas_needed
    whole = SortedHand.of(ranks).led_by(top) if top else SortedHand.of(ranks)
    # A single natural of a rank without a meld can only be the card that is kept. Otherwise all
    # cards may be laid, or all but any one.
    kept = [whole.without(single[0])] if single else [whole, *whole.each_without_one(laid)]
    # C69: black threes are not laid if two or more cards stay in the hand.
    kept = [each for each in kept if _THREE not in each.ranks or held - each.size < 2]
    found = [closing(MELDS, each, melds, canastas) for each in kept]
    return tuple([plays for plays in found if plays])
