"""The moves that `legal_moves` offers are legal, and all legal moves that meld nothing are offered.

This file compares all moves that meld nothing; moves with equal cards count as one. Of moves that
meld, `notation/transcripts` has examples. The games with the most kinds of melds have searches of
their own, in their folders.
"""

from collections.abc import Iterator
from itertools import islice

import pytest

from engine import moves
from engine.errors import IllegalMove
from engine.game import Game
from engine.notation.moves import parse_move
from engine.notation.position_reader import parse_position
from engine.position import Position
from tests.engine.positions import table_of
from tests.engine.simulation import views
from tests.made_up_game import ALL_GAMES

STATES = 400


def every_move(view: Position) -> Iterator[moves.Move]:
    """Return all moves that meld nothing, with at most one bonus card."""
    hand = view.hand(view.moving_seat)
    yield from (
        moves.DrawStock(),
        moves.TakePile(),
        moves.Pass(),
        moves.Ask(),
        moves.Answer(True),
        moves.Answer(False),
    )
    yield from map(moves.Cut, range(-1, len(view.stock) + 1))
    yield from map(moves.Discard, hand)
    yield from map(moves.ShowBonus, ((), *((shown,) for shown in hand)))


def is_legal(view: Position, move: moves.Move) -> bool:
    try:
        view.apply(move)
    except IllegalMove:
        return False
    return True


def face(move: moves.Move) -> object:
    """Return the move in a form that is the same for each choice among equal cards."""
    match move:
        case moves.Discard(shown):
            return moves.Discard, shown.card.code
        case moves.ShowBonus(cards):
            return moves.ShowBonus, tuple(sorted(shown.card.code for shown in cards))
    return move


def test_lays_at_most_counts_the_cards_that_a_move_lays() -> None:
    table = table_of("canasta", hands=["Ks Kh Kd 4c"])
    meld = table.lay("Ks Kh Kd")
    assert [moves.lays_at_most(meld, most) for most in (2, 3, 4)] == [False, True, True]
    assert not moves.lays_at_most(table.discard("4c"), 3)


@pytest.mark.parametrize("highest", [False, True], ids=["usual options", "highest options"])
@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
def test_the_legal_moves_are_those_tried_moves_that_apply_accepts(
    game: Game, highest: bool
) -> None:
    """Some moves are offered without being checked (`sure_moves`).

    The usual options are played at the largest table, the highest options at the smallest.
    """
    most = {
        name: about.get("high", not about["default"])
        for name, about in game.options.describe().items()
    }
    options, players = game.options(**(most if highest else {})), game.players[0 if highest else -1]
    kinds = set[type]()
    unchecked = 0
    for number, (view, _, _) in enumerate(islice(views(game, options, players, 5), STATES)):
        offered = view.legal_moves(view.moving_seat)
        tried = tuple(view.candidates())
        sure, fewest = view.sure_moves
        unchecked += sum(type(move) in sure or moves.lays_at_most(move, fewest) for move in tried)
        if view.duty:  # keeping bonus cards back is legal, but is not offered
            assert offered == (moves.ShowBonus(view.duty.cards),)
            continue
        assert offered == tuple(move for move in tried if is_legal(view, move))
        blind = view.seen(())  # knows only those cards of the hand that came from the pile
        assert all(map(blind.allows, blind.legal_moves(view.moving_seat)))
        if number % 6 == 0 or len(view.stock) <= 2:
            bare = {face(move) for move in offered if not moves.plays_of(move)}
            assert bare == {face(move) for move in every_move(view) if is_legal(view, move)}
        kinds |= set(map(type, offered))
    assert {moves.DrawStock, moves.Discard} < kinds
    # On average more than one move of each position was offered without being checked.
    assert unchecked > number or not game.position.finds_legal


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("meld 9c 9d to 1", "meld 9c to 1 + 9d to 1", True),
        ("meld 9c 9d to 1", "meld 9d to 1 + 9c to 1", True),
        ("meld 2c to 1", "meld 2c to 2", False),
        ("meld 9c to 1", "meld 9d to 1", False),
        ("meld Kh Kd Kc", "meld Kc Kh Kd", True),
        ("meld Kh Kd Kc + Qh Qd Qc", "meld Qh Qd Qc + Kh Kd Kc", True),
        ("meld Kh Kd Kc + Qh Qd Qc 2c", "meld Kh Kd Kc 2c + Qh Qd Qc", False),
        ("meld 9c to 1", "meld 9c 9d to 1", False),
        ("meld 9c to 1", "discard 9c", False),
        ("discard 9c", "discard 9c", True),
        ("discard 9c", "discard 9d", False),
        ("discard 9c", "draw", False),
        ("draw", "draw", True),
        ("yes", "no", False),
    ],
)
def test_moves_that_lay_the_same_faces_in_the_same_melds_are_alike(
    one: str, other: str, alike: bool
) -> None:
    hand = "9c 9d 2c Kh Kd Kc Qh Qd Qc 5s"
    position = parse_position(f"canasta 4\nhand 1 {hand}\nmeld 1 9h 9s 9h\nmeld 1 8h 8s 8h\n")
    first, second = (parse_move(position, text) for text in (one, other))
    assert moves.is_alike(first, second) is moves.is_alike(second, first) is alike
