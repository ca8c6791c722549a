"""Moves of Hand and Foot worth trying, from the cards of the mover's hand that the replica sees.

Those of `engine.like_melds.find_plays` are tried, up to cards of equal face. A side with melds lays
one meld a move: what could be laid together may be laid in several moves, needed books first.
"""

from collections.abc import Iterable

from engine.hand_and_foot.state import HandAndFootState
from engine.hand_and_foot.values import MELDS
from engine.like_melds.cards import is_red_three
from engine.like_melds.find_plays import Plays, distinct, layings, layings_with_top, meldable
from engine.moves import Answer, Ask, Discard, DrawStock, LayMelds, Move, ShowBonus, TakePile
from engine.slots import Shown, one_of_each
from engine.turn import Step


def candidates(position: HandAndFootState) -> Iterable[Move]:
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


def _in_turn(position: HandAndFootState) -> list[Move]:
    hand = position.hand(position.turn.seat)
    moves: list[Move] = [*map(LayMelds, _layings(position, hand))]
    if position.may_ask and len(position.hands[position.turn.seat]) > 1:
        moves.append(Ask())
    faces = one_of_each(hand).values()
    return moves + [Discard(shown) for shown in faces if not is_red_three(shown.card)]


def _most(position: HandAndFootState, size: int) -> int:
    """Return how many of `size` cards may be laid by a player who does not go out (H51, H54)."""
    return size if position.has_aside(position.turn.seat) else size - 2


def _layings(position: HandAndFootState, hand: tuple[Shown, ...]) -> Iterable[Plays]:
    size = len(position.hands[position.turn.seat])
    melds, ranks = position.laid[position.side].melds, meldable(MELDS, hand)
    found = layings(MELDS, melds, ranks, size, position.minimum, _most(position, size))
    return distinct(*found) if found else ()


def _takings(position: HandAndFootState) -> Iterable[Plays]:
    if not position.may_take_pile():
        return ()
    top, hand = position.pile[-1], position.hand(position.turn.seat)
    if sum([shown.card.rank is top.card.rank for shown in hand]) < 2:
        return ()
    ranks, onto, need = meldable(MELDS, (top, *hand)), position.growing, position.minimum
    most = _most(position, len(position.hands[position.turn.seat]) + len(position.takes))
    found = layings_with_top(MELDS, onto, ranks, top, bound=True, minimum=need, most=most)
    return distinct(*found) if found else ()
