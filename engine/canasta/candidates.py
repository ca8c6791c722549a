"""Moves of Canasta worth trying, from what the replica sees of the mover's hand.

What is tried, up to cards of equal face: every single meld and every addition to one meld, with
every choice of wild cards; for each number of wild cards the opening of fewest cards; the whole
hand laid at once, and all but one card. That is enough to open if one can, to lay whatever can be
laid (meld by meld) and to go out if one can. Everything tried is judged by `apply`.
"""

from collections.abc import Iterator
from itertools import chain

from engine.canasta.find_closings import canastas_in_reach, closing
from engine.canasta.find_openings import openings
from engine.canasta.melds import wild_count
from engine.canasta.sorted_hand import SortedHand
from engine.canasta.state import CanastaState
from engine.canasta.values import MOST_WILDS, is_natural, is_red_three, opening_minimum
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
            yield DrawStock()
            yield from map(TakePile, dict.fromkeys(_takings(position, SortedHand.of(hand))))
            yield Pass()
        case Step.PLAY:
            yield from map(LayMelds, dict.fromkeys(_layings(position, SortedHand.of(hand))))
            yield Ask()
            yield from map(Discard, {shown.card.code: shown for shown in hand[::-1]}.values())
            yield Pass()
        case Step.ANSWER:
            yield Answer(True)
            yield Answer(False)


def _layings(position: CanastaState, sorted_hand: SortedHand) -> Iterator[Plays]:
    melds = position.laid[position.side].melds
    if not melds:
        minimum = opening_minimum(position.totals[position.side])
        yield from openings(sorted_hand, minimum, len(position.hands[position.turn.seat]) - 2)
    laid = {meld.rank: number for number, meld in enumerate(melds) if meld.rank}
    choices = tuple(sorted_hand.wild_choices(MOST_WILDS))
    for rank in sorted({*sorted_hand.ranks, *laid}):
        held, onto = sorted_hand.ranks.get(rank, ()), laid.get(rank)
        room = MOST_WILDS if onto is None else MOST_WILDS - wild_count(melds[onto])
        for naturals in range(2 if onto is None else 0, len(held) + 1):
            fewest = 3 if onto is None else 1
            for wilds in choices:
                if len(wilds) <= room and naturals + len(wilds) >= fewest:
                    yield (Play(held[:naturals] + wilds, onto),)
    yield from _closings(position, sorted_hand)


def _takings(position: CanastaState, sorted_hand: SortedHand) -> Iterator[Plays]:
    if not position.pile or not is_natural(position.pile[-1].card):
        return
    top, below = position.pile[-1], position.pile[:-1]
    received = sum(not is_red_three(shown.card) for shown in below)
    whole = sorted_hand.plus(top)
    melds = position.laid[position.side].melds
    if not melds:
        minimum = opening_minimum(position.totals[position.side])
        most = len(position.hands[position.turn.seat]) + 1 + received - 2
        yield from openings(whole, minimum, most, top)
    laid = {meld.rank: number for number, meld in enumerate(melds)}
    for naturals in range(1, len(whole.ranks[top.card.rank]) + 1):
        for wilds in sorted_hand.wild_choices(MOST_WILDS):
            cards = whole.ranks[top.card.rank][:naturals] + wilds
            yield (Play(cards, laid.get(top.card.rank)),)
    if received < 2:
        yield from _closings(position, whole)


def _closings(position: CanastaState, sorted_hand: SortedHand) -> Iterator[Plays]:
    """The whole of `sorted_hand` laid at once, and all of it but one card."""
    melds = position.laid[position.side].melds
    ranks = {meld.rank for meld in melds}
    if sum(len(cards) == 1 and rank not in ranks for rank, cards in sorted_hand.ranks.items()) > 1:
        return  # two cards would have to be kept
    canastas = position.canastas_needed
    if canastas_in_reach(sorted_hand, melds) < canastas:
        return
    for laid in chain((sorted_hand,), sorted_hand.each_without_one()):
        if plays := closing(laid, melds, canastas):
            yield plays
