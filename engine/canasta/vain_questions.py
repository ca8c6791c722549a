"""Vain questions: the partner said Yes, but the player did not go out and could not have (C97a)."""

from collections.abc import Iterable
from itertools import chain

from engine.canasta.melds import MELDS
from engine.canasta.state import CanastaState
from engine.like_melds.cards import is_red_three, points_of
from engine.like_melds.find_closings import closing
from engine.like_melds.sorted_hand import SortedHand
from engine.melds import Meld
from engine.slots import Seat, Shown, Side, by_rank, cards_of
from engine.turn import AskedHand


def vain_questions(position: CanastaState, side: Side) -> int:
    """Return how many questions of a side were in vain in a round that is over.

    The hands have been opened. If a card that the seat held when it asked has stayed closed, the
    question counts as vain (clause X24).
    """
    shown = {shown.slot: shown for shown in position.face_up()}
    for seat in range(position.seats):
        shown |= {held.slot: held for held in position.hand(Seat(seat))}
    asked = [each for each in position.questions if position.side_of(each.seat) == side]
    vain = sum(
        not (shown.keys() >= set(each.held))
        or not _could_go_out(position, each, [shown[slot] for slot in each.held])
        for each in asked
    )
    return position.vain_questions[side] + vain


def _could_go_out(position: CanastaState, asked: AskedHand, held: list[Shown]) -> bool:
    """Return True if all the cards, or all but one, could be laid to go out (C70-C72)."""
    # A red three is neither melded nor discarded (C62), so it stays in the hand.
    if any(is_red_three(shown.card) for shown in held):
        return False
    side = position.side_of(asked.seat)
    melds = tuple(
        # Melds only grow at the end, so the first `count` cards are those that lay there then.
        # Melds laid later stand at the end of the list, and have no count: `zip` drops them.
        Meld(meld.cards[:count], meld.rank)
        for meld, count in zip(position.laid[side].melds, asked.laid, strict=False)
    )
    whole = SortedHand.of(by_rank(held))
    minimum = 0 if melds else position.opening_need(side)
    return any(
        _goes_out(laid, melds, position.going_out.canastas, minimum)
        for laid in chain((whole,), whole.each_without_one({meld.rank for meld in melds}))
    )


def _goes_out(laid: SortedHand, melds: tuple[Meld, ...], canastas: int, minimum: int) -> bool:
    plays = closing(MELDS, laid, melds, canastas)
    return plays is not None and _points(play.cards for play in plays) >= minimum


def _points(melds: Iterable[tuple[Shown, ...]]) -> int:
    return sum(points_of(cards_of(cards)) for cards in melds)
