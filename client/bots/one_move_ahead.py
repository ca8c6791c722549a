"""The choice that looks one move ahead: the move that the game's evaluator values most.

Only legal moves are tried, so they are made with `Position.play`, which does not check them again.
"""

import random
from collections.abc import Callable

from client.bots.blunders import sensible
from client.bots.evaluator import Evaluator
from engine.moves import Answer, Ask, Cut, Discard, DrawStock, LayMelds, Move, Pass, shown_by
from engine.position import Position
from engine.slots import Seat
from engine.turn import Step


def choose(view: Position, evaluator: Evaluator, rng: random.Random) -> Move:
    """Return a legal move for the seat to move; `rng` cuts the deck."""
    seat = view.moving_seat
    moves = sensible(view, view.legal_moves(seat))
    if len(moves) == 1:
        return moves[0]
    match view.turn.step:
        case Step.CUT:
            return Cut(rng.randrange(len(view.stock)))
        case Step.DRAW:
            return max(moves, key=drawing(view, seat, evaluator))
        case Step.ANSWER:
            return Answer(evaluator.agrees(view, seat))
        case _:
            return _play(view, seat, evaluator, moves)


def drawing(view: Position, seat: Seat, evaluator: Evaluator) -> Callable[[Move], float]:
    """Return a function for the value of each way to draw."""

    def worth(move: Move) -> float:
        match move:
            case DrawStock():
                return evaluator.standing(view, seat) + evaluator.draw
            case Pass():
                return evaluator.standing(view, seat)
            case _:
                # The standing has the value of the new cards in hand, and of the melds; `pile` adds
                # that others do not get the pile.
                return evaluator.standing(view.play(move), seat) + evaluator.pile(view)

    return worth


def _play(view: Position, seat: Seat, evaluator: Evaluator, moves: tuple[Move, ...]) -> Move:
    # The value of a hand includes prospects, and a hand that is laid down has none. So if
    # that value decided, going out would never pay. The lead decides instead (`wants_out`).
    out = going_out(view, seat, evaluator, moves)
    if out is None or not evaluator.wants_out(view.play(out), seat):
        return staying(view, seat, evaluator, moves)
    return Ask() if Ask() in moves and evaluator.wants_advice(view, seat) else out


def going_out(
    view: Position, seat: Seat, evaluator: Evaluator, moves: tuple[Move, ...]
) -> Move | None:
    """Return the best of the moves that lead out (see `leads_out`); None if there are none."""
    outward = [move for move in moves if leads_out(view, seat, move)]
    return max(outward, key=lambda move: _out_with(view, seat, evaluator, move), default=None)


def staying(view: Position, seat: Seat, evaluator: Evaluator, moves: tuple[Move, ...]) -> Move:
    """Return the best of the moves after which the round goes on, if there are any."""
    quiet = [move for move in moves if not leads_out(view, seat, move)] or list(moves)
    return melding(view, seat, evaluator, quiet) or throwing(view, seat, evaluator, quiet)


def leads_out(view: Position, seat: Seat, move: Move) -> bool:
    """Return True if the move ends the round, or leaves a single card whose discard ends it."""
    if not isinstance(move, LayMelds | Discard):
        return False
    if len(view.hands[seat]) - len(shown_by(move)) > 1:
        return False
    after = view.play(move)
    if after.turn.step is Step.OVER:
        return True
    left = len(after.hands[seat])
    # A discard that leaves a card ends the turn, so only a laying can leave the last card to a
    # discard.
    return isinstance(move, LayMelds) and left == 1 and after.may_go_out(view.side_of(seat))


def _out_with(view: Position, seat: Seat, evaluator: Evaluator, move: Move) -> tuple[int, float]:
    """Return the value of a way out: fewest cards left first, then the value of the end."""
    after = view.play(move)
    return -len(after.hands[seat]), evaluator.ending(after, seat)


def melding(view: Position, seat: Seat, evaluator: Evaluator, moves: list[Move]) -> Move | None:
    """Return the meld that pays best to lay now; None if it pays to keep the cards."""
    lays = [move for move in moves if isinstance(move, LayMelds)]
    if not lays:
        return None
    worth = {move: evaluator.standing(view.play(move), seat) for move in lays}
    best = max(lays, key=worth.__getitem__)
    return best if worth[best] > evaluator.standing(view, seat) else None


def throwing(view: Position, seat: Seat, evaluator: Evaluator, moves: list[Move]) -> Move:
    """Return the best discard; if no move is a discard, the first move."""
    throws = [move for move in moves if isinstance(move, Discard)]
    return max(throws, key=throw_worth(view, seat, evaluator)) if throws else moves[0]


def throw_worth(view: Position, seat: Seat, evaluator: Evaluator) -> Callable[[Move], float]:
    """Return a function for the value of a discard: the value of the rest minus the danger."""
    hand = view.hand(seat)

    def worth(move: Move) -> float:
        assert isinstance(move, Discard)
        left = [shown.card for shown in hand if shown.slot != move.card.slot]
        return evaluator.standing_with(view, seat, left) - evaluator.danger(
            view, seat, move.card.card
        )

    return worth
