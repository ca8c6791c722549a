"""Moves of Canasta worth trying, from what the replica sees of the mover's hand.

What is tried, up to cards of equal face: every single meld and every addition to one meld, with
every choice of wild cards; for each number of wild cards the opening of fewest cards; the whole
hand laid at once, and all but one card. That is enough to open if one can, to lay whatever can be
laid (meld by meld) and to go out if one can. What cannot be legal for want of cards or points is
not tried; all else is judged as `apply` judges it.
"""

from collections.abc import Iterator
from itertools import chain

from engine.canasta.find_closings import canastas_in_reach, closing
from engine.canasta.find_openings import openings
from engine.canasta.melds import wild_count
from engine.canasta.sorted_hand import SortedHand
from engine.canasta.state import CanastaState
from engine.canasta.values import (
    MOST_WILDS,
    is_natural,
    is_red_three,
    opening_minimum,
    points_of,
)
from engine.cards import Rank
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
from engine.slots import Shown, cards_of
from engine.turn import Step

Plays = tuple[Play, ...]


def candidates(position: CanastaState) -> Iterator[Move]:
    """See the module."""
    hand = position.hand(position.turn.seat)
    if duty := position.duty:
        yield ShowBonus(duty.cards)
        return
    match position.turn.step:
        case Step.CUT:
            yield from map(Cut, range(len(position.stock)))
        case Step.DRAW:
            if position.stock:
                yield DrawStock()
            yield from map(TakePile, dict.fromkeys(_takings(position, hand)))
            if not position.stock:
                yield Pass()
        case Step.PLAY:
            yield from map(LayMelds, dict.fromkeys(_layings(position, SortedHand.of(hand))))
            if position.may_ask:
                yield Ask()
            thrown = {
                shown.card.code: shown for shown in hand[::-1] if not is_red_three(shown.card)
            }
            yield from map(Discard, thrown.values())
            if not position.stock:
                yield Pass()
        case Step.ANSWER:
            yield Answer(True)
            yield Answer(False)


def _layings(position: CanastaState, sorted_hand: SortedHand) -> Iterator[Plays]:
    melds = position.laid[position.side].melds
    size = len(position.hands[position.turn.seat])
    minimum = 0 if melds else opening_minimum(position.totals[position.side])
    if not melds:
        yield from openings(sorted_hand, minimum, size - 2)
    laid = {meld.rank: number for number, meld in enumerate(melds) if meld.rank}
    choices = tuple(sorted_hand.wild_choices(MOST_WILDS))
    for rank in sorted({*sorted_hand.ranks, *laid}):
        held, onto = sorted_hand.ranks.get(rank, ()), laid.get(rank)
        if onto is None and len(held) < 2:
            continue
        room = MOST_WILDS
        if onto is not None and sorted_hand.wild_count:
            room -= wild_count(melds[onto])
        fewest = 3 if onto is None else 1
        if rank is Rank.THREE:
            fewest = size - 1  # C69: only who goes out lays them
        for naturals in range(2 if onto is None else 0, len(held) + 1):
            for wilds in choices:
                if len(wilds) <= room and naturals + len(wilds) >= fewest:
                    cards = held[:naturals] + wilds
                    if not minimum or points_of(cards_of(cards)) >= minimum:
                        yield (Play(cards, onto),)
    yield from _closings(position, sorted_hand)


def _takings(position: CanastaState, hand: tuple[Shown, ...]) -> Iterator[Plays]:
    if not position.pile or not is_natural(position.pile[-1].card):
        return
    top, below = position.pile[-1], position.pile[:-1]
    melds = position.laid[position.side].melds
    onto = {meld.rank: number for number, meld in enumerate(melds)}.get(top.card.rank)
    bound = position.pile_frozen or not melds
    fewest = 3 if bound else (2 if onto is None else 1)  # C45, C46, C48
    if 1 + sum([shown.card.rank is top.card.rank for shown in hand]) < fewest:
        return
    received = sum([not is_red_three(shown.card) for shown in below])
    whole = SortedHand.of(hand).plus(top)
    minimum = 0 if melds else opening_minimum(position.totals[position.side])
    if not melds:
        most = len(position.hands[position.turn.seat]) + 1 + received - 2
        yield from openings(whole, minimum, most, top)
    alike = whole.ranks[top.card.rank]
    for naturals in range(fewest, len(alike) + 1):
        for wilds in whole.wild_choices(MOST_WILDS):
            cards = alike[:naturals] + wilds
            if onto is None and len(cards) < 3:
                continue
            if not minimum or points_of(cards_of(cards)) >= minimum:
                yield (Play(cards, onto),)
    if received < 2:
        yield from _closings(position, whole)


def _closings(position: CanastaState, sorted_hand: SortedHand) -> Iterator[Plays]:
    """The whole of `sorted_hand` laid at once, and all of it but one card."""
    melds = position.laid[position.side].melds
    laid = {meld.rank for meld in melds}
    single = [
        rank for rank, cards in sorted_hand.ranks.items() if len(cards) == 1 and rank not in laid
    ]
    if len(single) > 1:
        return  # two cards would have to be kept
    canastas = position.canastas_needed
    if canastas_in_reach(sorted_hand, melds) < canastas:
        return
    rest = sorted_hand.each_without_one()
    for kept in (sorted_hand.without(single[0]),) if single else chain((sorted_hand,), rest):
        if plays := closing(kept, melds, canastas):
            yield plays
