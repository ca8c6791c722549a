"""Moves of Kanastic worth trying, from the cards of the mover's hand whose faces are known.

Every legal move within the following bounds is tried; of several moves with the same faces only one
is tried:

- of the naturals of one rank, different suits are laid first and the gold card last;
- an Artifact stands in a golden suit only for a card that the hand does not have;
- a side that has melded lays or extends one meld in a move, and others in further moves;
- without any one of its melds, a set of first melds would not be enough for the opening;
- first melds have at most three wild cards, not counting those in golden suits;
- at most `_MOST_OPENINGS` sets of first melds are found, and as many takings of the pile.

`engine.kanastic.find_openings` searches for first melds. A side with melds needs no search. Its new
melds are the formations of the sorted hand. A meld of like cards grows by cards of its rank and by
wild cards, a golden suit by gold cards and Artifacts at either end. For a move that takes the pile,
the formations are made from the hand and the pile's top together.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from engine.cards import Rank
from engine.kanastic import constants
from engine.kanastic.find_openings import openings
from engine.kanastic.golden_suit_runs import is_golden
from engine.kanastic.sorted_hand import SortedHand, like_sets
from engine.kanastic.state import KanasticState
from engine.melds import Meld
from engine.moves import Move, Play, TakePile, TakeTop
from engine.position_facts import PileState
from engine.slots import by_rank, cards_of

_MOST_OPENINGS = 200


def layings(position: KanasticState) -> Iterable[tuple[Play, ...]]:
    """Return the sets of plays worth laying after a draw."""
    sorted_hand = SortedHand.of(by_rank(position.hand(position.turn.seat)))
    melds = position.laid[position.side].melds
    if not melds:
        distinct = position.options.distinct_suits
        sets = openings(position.stage, sorted_hand, distinct_suits=distinct)
        return islice(sets, _MOST_OPENINGS)
    # First melds are found as sets, because only together do they meet the stage. Later melds are
    # laid one by one, in several moves of a turn, so their combinations need not be listed.
    plays = [*_new_melds(position, sorted_hand)]
    for number, meld in enumerate(melds):
        plays += (_run_growths if is_golden(meld) else _like_growths)(sorted_hand, meld, number)
    return [(play,) for play in plays]


def _new_melds(position: KanasticState, sorted_hand: SortedHand) -> Iterator[Play]:
    taken = {meld.rank for meld in position.laid[position.side].melds}
    for rank, cards in sorted_hand.ranks.items():
        if rank in taken:
            continue
        for naturals in like_sets(cards, distinct_suits=position.options.distinct_suits):
            room = constants.LARGEST_RANK_MELD - len(naturals)
            for wilds in sorted_hand.wilds(min(constants.MOST_WILDS, room)):
                yield Play(naturals + wilds)
    yield from map(Play, sorted_hand.runs())


def _like_growths(sorted_hand: SortedHand, meld: Meld, number: int) -> Iterator[Play]:
    assert meld.rank is not None
    room = constants.LARGEST_RANK_MELD - len(meld.cards)
    naturals = sorted_hand.ranks.get(meld.rank, ())[:room]
    # Without wild cards the plays are the first natural, the first two, and so on.
    if not (sorted_hand.swords or sorted_hand.artifacts):
        for count in range(1, len(naturals) + 1):
            yield Play(naturals[:count], onto=number)
        return
    wilds_left = constants.MOST_WILDS - sum(map(constants.is_wild, cards_of(meld.cards)))
    for count in range(len(naturals) + 1):
        for wilds in sorted_hand.wilds(min(wilds_left, room - count)):
            # Without this test the first pair, no natural and no wild card, would be an empty play.
            if count or wilds:
                yield Play(naturals[:count] + wilds, onto=number)


def _run_growths(sorted_hand: SortedHand, meld: Meld, number: int) -> Iterator[Play]:
    assert meld.low is not None
    room = constants.MOST_WILDS - sum(map(constants.is_wild, cards_of(meld.cards)))
    for cards in sorted_hand.growths(range(meld.low + len(meld.cards), Rank.ACE + 1), room):
        yield Play(cards, onto=number)
    # Downwards the nearest card comes first: onto 8 9 10 the sets are 7, and 7 6, laid as 6 7.
    for cards in sorted_hand.growths(range(meld.low - 1, Rank.FOUR - 1, -1), room):
        yield Play(cards[::-1], onto=number, low=True)


def takings(position: KanasticState) -> Iterable[Move]:
    """Return moves worth trying that take the pile or its top, at most `_MOST_OPENINGS`."""
    return islice(_takings(position), _MOST_OPENINGS)


def _takings(position: KanasticState) -> Iterator[Move]:
    if not position.pile or not constants.is_natural(position.pile[-1].card):
        return
    if position.opened and not position.may_take_whole:
        return
    seat, top = position.turn.seat, position.pile[-1]
    rank = top.card.rank
    alike = [card.rank for card in position.hand_cards(seat)].count(rank)
    # The top and two like cards of the hand make a meld. A gold top may lie in a run of gold cards
    # instead, and then no like card is needed.
    if not top.card.gold and alike < constants.FEWEST_NATURALS - 1:
        return
    if position.pile_status(position.side).state is PileState.BLOCKED:
        return
    hand = position.hand(seat)
    distinct = position.options.distinct_suits
    sorted_hand = SortedHand.of(by_rank((*hand, top)))
    # The top comes first, so that even the sets of three cards contain it.
    like = (top, *(shown for shown in sorted_hand.ranks[rank] if shown != top))
    uses = [cards for cards in like_sets(like, distinct_suits=distinct) if top in cards]
    if any(meld.rank is rank for meld in position.laid[position.side].melds):
        uses = []  # K33
    uses += [run for run in sorted_hand.runs() if top in run and all(s.card.gold for s in run)]
    for use in uses:
        if position.opened:
            yield TakePile((Play(use),))
            if position.options.leave_pile:
                yield TakeTop((Play(use),))
        else:
            # `hand` does not contain the top, so neither do the other melds.
            rest = SortedHand.of(by_rank(shown for shown in hand if shown not in use))
            sets = openings(position.stage, rest, fixed=use, distinct_suits=distinct)
            yield from map(TakeTop, sets)
