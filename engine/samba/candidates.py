"""Moves of Samba worth trying, from the cards of the mover's hand that the replica sees.

Melds of like cards are those of `engine.like_melds.find_plays`. Of sequences all are tried: every
new one of each length, and every addition at one end or both. A side without melds also opens with
the longest sequences of one suit or several, beside the cheapest melds of like cards. A side with
melds lays one meld a move: what could be laid together may be laid in several moves.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations

from engine.like_melds.cards import is_red_three, points_of
from engine.like_melds.find_openings import openings
from engine.like_melds.find_plays import Plays, distinct, layings, layings_with_top, meldable
from engine.like_melds.sorted_hand import SortedHand
from engine.moves import Answer, Ask, Discard, DrawStock, LayMelds, Move, Play, ShowBonus, TakePile
from engine.samba.melds import SambaMelds
from engine.samba.state import SambaState
from engine.sequences import runs
from engine.slots import Shown, cards_of, one_of_each
from engine.turn import Step

Cards = tuple[Shown, ...]


def candidates(position: SambaState) -> Iterable[Move]:
    """Return the moves worth trying at this step of the turn, in the bounds named above."""
    if duty := position.duty:
        return (ShowBonus(duty.cards),)
    match position.turn.step:  # the commonest first
        case Step.PLAY:
            return _in_turn(position)
        case Step.DRAW:
            return [DrawStock(), *map(TakePile, _takings(position))]
        case Step.ANSWER:
            return (Answer(True), Answer(False))
        case _:
            return ()


def _in_turn(position: SambaState) -> list[Move]:
    hand = position.hand(position.turn.seat)
    size = len(position.hands[position.turn.seat])
    moves: list[Move] = [*map(LayMelds, _layings(position, hand, size))]
    if position.may_ask and size > 1:
        moves.append(Ask())
    faces = one_of_each(hand).values()
    return moves + [Discard(shown) for shown in faces if not is_red_three(shown.card)]


def _layings(position: SambaState, hand: Cards, size: int) -> Iterable[Plays]:
    limits, melds, need = position.limits, position.laid[position.side].melds, position.minimum
    most = size - 2
    first, single = layings(limits, melds, meldable(limits, hand), size, need, most) or ((), [])
    if need:
        first += tuple(_mixed_openings(limits, hand, need, most))
    new = limits.sequences.new_plays(hand)
    sequences = [play for play in new if points_of(cards_of(play.cards)) >= need]
    for number, meld in enumerate(melds):
        if meld.rank is None:
            sequences += limits.sequences.additions(number, meld, hand)
    return distinct(first, [*single, *sequences])


def _mixed_openings(limits: SambaMelds, hand: Cards, need: int, most: int) -> Iterator[Plays]:
    """Return openings with some of the longest sequences, and melds of like cards beside them."""
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


# -- the pile


def _takings(position: SambaState) -> Iterable[Plays]:
    if not position.may_take_pile():
        return ()
    limits, top, hand = position.limits, position.pile[-1], position.hand(position.turn.seat)
    melds, rank = position.laid[position.side].melds, position.pile[-1].card.rank
    received = [shown for shown in position.pile if not is_red_three(shown.card)]
    size = len(position.hands[position.turn.seat]) + len(received)
    fitting = [(n, meld) for n, meld in enumerate(melds) if limits.takes(meld, top.card)]
    onto = next(((n, meld) for n, meld in fitting if meld.rank is rank), None)
    free = not position.pile_bound
    alone = [(Play((top,), n),) for n, meld in fitting if meld.rank is None] if free else []
    pair = sum([shown.card.rank is rank for shown in hand]) >= 2
    if not pair and not (free and onto):
        return alone
    bound = not (free and onto)
    found = layings_with_top(
        limits,
        onto,
        meldable(limits, (top, *hand)),
        top,
        bound=bound,
        minimum=position.minimum,
        most=size - 2,
    )
    return [*alone, *(distinct(*found) if found else ())]
