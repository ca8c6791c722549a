"""A hint: the move that the strongest opponent would make in the person's place, and a reason."""

import random

from client.bots.judge import Judge
from client.bots.judges import judge_of
from client.bots.levels import HINTING, opponent
from client.bots.weights import Tuning
from client.i18n.language import _, _n
from client.session.display.round_events import NOTHING_SEEN, RoundEvents
from client.ui.model.command_words import line_of
from client.ui.model.hint import Hint
from client.ui.model.regrettable_moves import is_gift
from client.ui.text.ranks import RANK_COUNTS, counted_rank
from engine.moves import (
    Answer,
    Ask,
    Cut,
    Discard,
    DrawStock,
    LayMelds,
    Move,
    Pass,
    ShowBonus,
    TakePile,
    TakeTop,
)
from engine.notation.positions import game_of
from engine.position import Position
from engine.slots import Seat
from engine.table_status import PileState, Taking
from engine.turn import Step

_SAFE = 1.0
"""Points that a discard may give away and still counts as safe."""


def hint(view: Position, events: RoundEvents = NOTHING_SEEN) -> Hint:
    """Return a hint for the seat to move, from its view and the round's public events.

    The same view and events get the same hint. Raises ValueError when nobody is to move.
    """
    seat = view.to_move
    if seat is None:
        raise ValueError("nobody is to move")
    game = game_of(view)
    move = opponent(HINTING, game.name, random.Random(0))(view)
    reason = _reason(view, seat, move, judge_of(game, Tuning.LEARNT), events)
    return Hint(move, line_of(view, move), reason)


def _reason(view: Position, seat: Seat, move: Move, judge: Judge, events: RoundEvents) -> str:
    match move:
        case Cut():
            return _("One cut is as good as another.")
        case ShowBonus():
            return _("Bonus cards are laid on the table at once.")
        case DrawStock():
            return _why_draw(view, seat)
        case TakePile():
            return _n(
                "The pile has {n} card for you, and then nobody else has it.",
                "The pile has {n} cards for you, and then nobody else has them.",
                len(view.pile),
            )
        case TakeTop():
            return _("With the top card your side can open.")
        case LayMelds():
            return _why_meld(view, seat, move)
        case Discard():
            return _why_discard(view, seat, move, judge, events)
        case Ask():
            return _("Going out seems to pay, but your partner still holds many cards.")
        case Answer(yes):
            return _why_answer(view, seat, judge, yes=yes)
        case Pass():
            return _("Nothing is gained by going on.")


def _why_draw(view: Position, seat: Seat) -> str:
    taking = any(isinstance(move, TakePile | TakeTop) for move in view.legal_moves(seat))
    if taking:
        return _("The pile is not worth what taking it would cost you.")
    if not view.pile:
        return _("There is no pile to take.")
    if view.pile_status(view.side_of(seat)).state is PileState.BLOCKED:
        return _("The pile is blocked.")
    if not view.seen(()).may_take_pile():
        return _("Whatever you hold, the pile cannot be taken now.")
    return _("The pile cannot be taken with the cards you hold.")


def _why_meld(view: Position, seat: Seat, move: LayMelds) -> str:
    after = view.apply(move)
    side = view.side_of(seat)
    if after.turn.step is Step.OVER:
        return _("Going out now leaves your side better off than going on.")
    if view.opening(side) is not None:
        return _("It opens your side and leaves you the best hand for it.")
    if after.may_go_out(side) and not view.may_go_out(side):
        return _("It gives your side what going out takes.")
    return _("On the table these cards count for you, and hold more promise than in the hand.")


def _why_discard(
    view: Position, seat: Seat, move: Discard, judge: Judge, events: RoundEvents
) -> str:
    if not [slot for slot in view.hands[seat] if slot != move.card.slot]:
        return _("Going out now leaves your side better off than going on.")
    seen = _seen(view, seat, move, events)
    return " ".join(filter(None, (_safety(view, seat, move, judge), seen)))


def _seen(view: Position, seat: Seat, move: Discard, events: RoundEvents) -> str:
    """Return the others' actions that speak for this discard, with name and count; "" for none."""
    taker, rank = view.left_of(seat), move.card.card.rank
    name = events.name(taker)
    held = {shown.card.rank for shown in view.hand(seat)} - {rank}
    kept = [other for other in held & RANK_COUNTS.keys() if events.taken(taker, other)]
    if rank not in RANK_COUNTS:
        return ""
    if kept:
        most = max(sorted(kept), key=lambda other: events.taken(taker, other))
        return _("{name} has taken {cards} with the pile: keep yours.").format(
            name=name, cards=counted_rank(most, events.taken(taker, most))
        )
    if left := events.left(taker, rank):
        return _("{name} has left {cards} lying.").format(name=name, cards=counted_rank(rank, left))
    others = [other for other in view.clockwise(taker) if other != seat]
    thrower = max(others, key=lambda other: events.thrown(other, rank))
    if not (thrown := events.thrown(thrower, rank)):
        return ""
    return _("{name} has thrown {cards}.").format(
        name=events.name(thrower), cards=counted_rank(rank, thrown)
    )


def _safety(view: Position, seat: Seat, move: Discard, judge: Judge) -> str:
    offer = view.pile_offer(move.card)
    if is_gift(view, move.card):
        return _("The next player can take the pile with it, but you can spare nothing better.")
    if offer is None or offer.taking is Taking.NOTHING:
        return _("You need it little, and the pile cannot be taken with it.")
    if judge.danger(view, seat, move.card.card) <= _SAFE:
        return _(
            "You need it little, and the next player hardly has the cards to take the pile with it."
        )
    throws = [other for other in view.legal_moves(seat) if isinstance(other, Discard)]
    least = min(judge.danger(view, seat, other.card.card) for other in throws)
    if judge.danger(view, seat, move.card.card) <= least:
        return _("Of what you can throw, it gives the next player least.")
    return _("Of what was tried in the mind, it came off best.")


def _why_answer(view: Position, seat: Seat, judge: Judge, *, yes: bool) -> str:
    cost = round(judge.cost(view, view.hand_cards(seat)))
    if yes:
        return _n(
            "Your hand would cost {n} point: going on is riskier than that.",
            "Your hand would cost {n} points: going on is riskier than that.",
            cost,
        )
    return _n(
        "Your hand would cost {n} point, and your side may still gain more by going on.",
        "Your hand would cost {n} points, and your side may still gain more by going on.",
        cost,
    )
