"""The moves that `legal_moves` offers are legal, and all legal moves that meld nothing are offered.

This file compares all moves that meld nothing; moves with equal cards count as one. Of moves that
meld it has only examples, mostly of Hand and Foot and of Samba: `notation/transcripts` and the
folders of the other games have more.
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
from engine.slots import Seat
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
def test_legal_moves_are_the_tried_moves_that_apply_accepts(game: Game, highest: bool) -> None:
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


DRAWING = "turn 1 draw\npile 9c {}\nhand 1 {} 5c 9d\n"
BOOK = "meld 1 7h 7d 7c 7s 7h 7d 7c\n"
KINGS = "meld 1 Kh Kd Kc\n"
MELDS = KINGS + "meld 1 4h 5h 6h\n"


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("9c 9d to 1", "9c to 1 + 9d to 1", True),
        ("9c 9d to 1", "9d to 1 + 9c to 1", True),
        ("2c to 1", "2c to 2", False),
        ("9c to 1", "9d to 1", False),
        ("Kh Kd Kc", "Kc Kh Kd", True),
        ("Kh Kd Kc + Qh Qd Qc", "Qh Qd Qc + Kh Kd Kc", True),
        ("Kh Kd Kc + Qh Qd Qc 2c", "Kh Kd Kc 2c + Qh Qd Qc", False),
        ("9c to 1", "9c 9d to 1", False),
    ],
)
def test_moves_that_lay_the_same_faces_in_the_same_melds_are_alike(
    one: str, other: str, alike: bool
) -> None:
    hand = "9c 9d 2c Kh Kd Kc Qh Qd Qc 5s"
    position = parse_position(f"canasta 4\nhand 1 {hand}\nmeld 1 9h 9s 9h\nmeld 1 8h 8s 8h\n")
    first, second = (parse_move(position, f"meld {text}") for text in (one, other))
    assert moves.is_alike(first, second) is alike


@pytest.mark.parametrize(
    ("game", "lines", "texts"),
    [
        ("canasta", "turn 1 draw\npile 4c 5c 6c 9s\nhand 1 9d 9h\n" + BOOK, ["^9s 9d 9h"]),
        ("hand_and_foot", DRAWING.format("Ks", "Kh Kd 2s") + BOOK, ["^Ks Kh Kd", "^Ks Kh Kd 2s"]),
        ("hand_and_foot", DRAWING.format("Ks", "Kh Kd") + KINGS, ["^Ks Kh Kd to 1"]),
        ("hand_and_foot", DRAWING.format("6s", "6h 6d Ah Ad Ac"), ["^6s 6h 6d + Ah Ad Ac"]),
        ("hand_and_foot", "hand 1 7s 7h 7d 5c\n" + BOOK, ["7s 7h 7d"]),
        ("hand_and_foot", "hand 1 8s 4c 5c\nmeld 1 8h 8d 8c\n" + BOOK, ["8s to 1"]),
        ("samba", DRAWING.format("Ks", "Kh Kd 2s") + BOOK, ["^Ks Kh Kd", "^Ks Kh Kd 2s"]),
        ("samba", DRAWING.format("Ks", "8h") + MELDS, ["^Ks to 1"]),
        ("samba", DRAWING.format("7h", "8h 9h") + MELDS, ["^7h to 2"]),
        ("samba", DRAWING.format("Jo Ks", "Kh Kd") + MELDS, ["^Ks Kh Kd to 1"]),
        ("samba", DRAWING.format("6s", "6h 6d Ah Ad Ac"), ["^6s 6h 6d + Ah Ad Ac"]),
        ("samba", "hand 1 7s 7h 7d 5c 9d\n" + BOOK, ["7s 7h 7d"]),
        ("samba", "hand 1 4h 5h 6h 9c Td\n" + MELDS, ["4h 5h 6h"]),
        (
            "samba",
            "hand 1 8s Qs Ks 5c 4c\nmeld 1 9s Ts Js\n",
            [f"{codes} to 1" for codes in ("8s", "Qs", "Qs Ks", "8s Qs", "8s Qs Ks")],
        ),
        (
            "samba",
            "option closed_sequences no\nhand 1 Jh Qh Kh Ah 5c 9d\nmeld 1 4h 5h 6h 7h 8h 9h Th\n",
            ["Jh to 1", "Jh Qh Kh Ah to 1"],
        ),
        ("samba", "hand 1 Th 5c 9d\nmeld 1 4h 5h 6h 7h 8h 9h\n", ["Th to 1"]),
        ("samba", "hand 1 Jh Qh Kh 9d 9c 9s 4c 5d\n", ["Jh Qh Kh + 9d 9c 9s"]),
        ("samba", "hand 1 Jh Qh Kh 8d 9d Td 4c 5d\n", ["Jh Qh Kh + 8d 9d Td"]),
    ],
)
def test_example_melds_are_offered(game: str, lines: str, texts: list[str]) -> None:
    position = parse_position(f"{game} 4\n{lines}")
    offered = position.legal_moves(Seat(0))
    for text in texts:
        move = parse_move(position, f"{'take' if '^' in text else 'meld'} {text}")
        assert any(moves.is_alike(move, each) for each in offered), text
    # `is_alike` gives the same answer whichever of the two moves comes first.
    discard = moves.Discard(position.hand(Seat(0))[0])
    alike = [each for each in offered if moves.is_alike(discard, each)]
    assert [each for each in offered if moves.is_alike(each, discard)] == alike


@pytest.mark.parametrize(
    ("game", "lines"),
    [
        ("hand_and_foot", DRAWING.format("Ks", "Kh Kd") + "meld 1 Kh Kd Kc Ks Kh\n"),
        ("hand_and_foot", DRAWING.format("6s", "6h 6d")),
        ("samba", "turn 1 draw\nhand 1 Kh Kd\n" + BOOK),
        ("samba", DRAWING.format("7s", "8h") + BOOK),
        ("samba", DRAWING.format("7h", "8h 9h") + KINGS),
        ("samba", DRAWING.format("2c Ks", "Kh") + MELDS),
        ("samba", DRAWING.format("2c Ks", "Kd Kc") + "meld 1 Kh Kd Kc Ks Kh\n"),
        ("samba", DRAWING.format("6s", "6h 6d")),
    ],
)
def test_drawing_is_the_only_move_if_the_pile_cannot_be_taken(game: str, lines: str) -> None:
    assert parse_position(f"{game} 4\n{lines}").legal_moves(Seat(0)) == (moves.DrawStock(),)
