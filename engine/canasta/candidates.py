"""Moves of Canasta worth trying, from what the replica sees of the mover's hand.

What is tried, up to cards of equal face: every single meld and every addition to one meld, with
every choice of wild cards; for each number of wild cards the opening of fewest cards; the whole
hand laid at once, and all but one card. That is enough to open if one can, to lay whatever can be
laid (meld by meld) and to go out if one can. What cannot be legal for want of cards or points is
not tried; all else is judged as `apply` judges it.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from engine.canasta.find_closings import canastas_in_reach, closing
from engine.canasta.find_openings import openings
from engine.canasta.melds import wild_count
from engine.canasta.sorted_hand import SortedHand
from engine.canasta.state import CanastaState
from engine.canasta.values import (
    CARD_POINTS,
    MELDED_RANKS,
    MOST_WILDS,
    is_natural,
    is_red_three,
    opening_minimum,
    points_of,
)
from engine.cards import Rank
from engine.melds import Meld
from engine.moves import (
    Answer,
    Ask,
    Cut,
    Discard,
    DrawStock,
    LayMelds,
    Move,
    Pass,
    Play,
    ShowBonus,
    TakePile,
)
from engine.slots import cards_of, one_of_each
from engine.turn import Step

Plays = tuple[Play, ...]
_THREE = Rank.THREE


def candidates(position: CanastaState) -> Iterator[Move]:
    """See the module."""
    if duty := position.duty:
        yield ShowBonus(duty.cards)
        return
    match position.turn.step:
        case Step.CUT:
            yield from map(Cut, range(len(position.stock)))
        case Step.DRAW:
            if position.stock:
                yield DrawStock()
            yield from map(TakePile, dict.fromkeys(_takings(position)))
            if not position.stock:
                yield Pass()
        case Step.PLAY:
            hand = position.hand(position.turn.seat)
            yield from map(LayMelds, _layings(position, SortedHand.of(hand)))
            if position.may_ask:
                yield Ask()
            thrown = [shown for shown in hand if not is_red_three(shown.card)]
            yield from map(Discard, one_of_each(thrown).values())
            if not position.stock:
                yield Pass()
        case Step.ANSWER:
            yield Answer(True)
            yield Answer(False)


def _layings(position: CanastaState, sorted_hand: SortedHand) -> Iterable[Plays]:
    melds = position.laid[position.side].melds
    size = len(position.hands[position.turn.seat])
    minimum = 0 if melds else opening_minimum(position.totals[position.side])
    first = () if melds else tuple(openings(sorted_hand, minimum, size - 2))
    single = [(play,) for play in _single_plays(melds, sorted_hand, size, minimum)]
    last = tuple(_closings(position, sorted_hand, size))
    # Single plays differ from each other; openings and closings may be single plays too.
    return dict.fromkeys((*first, *single, *last)) if first or last else single


def _single_plays(
    melds: tuple[Meld, ...], sorted_hand: SortedHand, size: int, minimum: int
) -> Iterator[Play]:
    """One new meld, or cards added to one, from a hand of `size` cards; what opens has `minimum`
    points.
    """
    ranks = sorted_hand.ranks
    laid = {meld.rank: number for number, meld in enumerate(melds)}
    choices = sorted_hand.wild_choices(MOST_WILDS)
    wild_points = max(points_of(cards_of(wilds)) for wilds in choices) if minimum else 0
    # Without wild cards nothing is added to melds of which no natural is held.
    for rank in MELDED_RANKS if laid and len(choices) > 1 else ranks:
        held, onto = ranks.get(rank, ()), laid.get(rank)
        if onto is None:
            if len(held) < 2 or len(held) * CARD_POINTS[rank] + wild_points < minimum:
                continue
            least, fewest, room = 2, 3, MOST_WILDS
        else:
            least, fewest = 0, 1
            room = MOST_WILDS - wild_count(melds[onto]) if len(choices) > 1 else 0
        if rank is _THREE:
            fewest = size - 1  # C69: only who goes out lays them
        for naturals in range(least, len(held) + 1):
            for wilds in choices:
                if len(wilds) <= room and naturals + len(wilds) >= fewest:
                    cards = held[:naturals] + wilds
                    if not minimum or points_of(cards_of(cards)) >= minimum:
                        yield Play(cards, onto)


def _takings(position: CanastaState) -> Iterator[Plays]:
    if not position.pile or not is_natural(position.pile[-1].card):
        return
    top, below = position.pile[-1], position.pile[:-1]
    melds = position.laid[position.side].melds
    onto = {meld.rank: number for number, meld in enumerate(melds)}.get(top.card.rank)
    bound = not melds or position.pile_frozen
    fewest = 3 if bound else (2 if onto is None else 1)  # C45, C46, C48
    seat, rank = position.turn.seat, top.card.rank
    if 1 + sum([card.rank is rank for card in position.hand_cards(seat)]) < fewest:
        return
    received = sum([not is_red_three(shown.card) for shown in below])
    whole = SortedHand.of(position.hand(seat)).plus(top)
    minimum = 0 if melds else opening_minimum(position.totals[position.side])
    if not melds:
        most = len(position.hands[seat]) + 1 + received - 2
        yield from openings(whole, minimum, most, top)
    alike, choices = whole.ranks[rank], whole.wild_choices(MOST_WILDS)
    for naturals in range(fewest, len(alike) + 1):
        for wilds in choices:
            cards = alike[:naturals] + wilds
            if onto is None and len(cards) < 3:
                continue
            if not minimum or points_of(cards_of(cards)) >= minimum:
                yield (Play(cards, onto),)
    if received < 2:
        yield from _closings(position, whole, len(position.hands[seat]) + 1 + received)


def _closings(position: CanastaState, sorted_hand: SortedHand, held: int) -> Iterator[Plays]:
    """The whole of `sorted_hand` laid at once, and all of it but one card, of `held` cards in all:
    the others are red threes, or not seen by this replica.
    """
    melds = position.laid[position.side].melds
    laid = {meld.rank for meld in melds}
    single: list[Rank] = []
    for rank, cards in sorted_hand.ranks.items():
        if len(cards) == 1 and rank not in laid:
            if single:
                return  # two cards would have to be kept
            single.append(rank)
    canastas = position.canastas_needed
    if canastas_in_reach(sorted_hand, melds) < canastas:
        return
    rest = sorted_hand.each_without_one()
    for kept in (sorted_hand.without(single[0]),) if single else chain((sorted_hand,), rest):
        if _THREE in kept.ranks and held - kept.size > 1:
            continue  # C69: only who goes out lays them
        if plays := closing(kept, melds, canastas):
            yield plays
