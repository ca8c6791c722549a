"""Numbers of sequences of one, two, three ... legal moves from a position (perft, as in chess).

Hidden cards lie as the deal laid them. Every change of the rules or of `legal_moves` changes the
numbers.
"""

import random
from typing import Any

import pytest

from engine.games import GAMES
from engine.match import Match
from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.turn import Step
from tests.engine.kanastic.tables import kanastic_table
from tests.engine.positions import Table, dealt
from tests.engine.simulation import mixed


def perft(position: Position, dealer: PlainDealer, depth: int) -> int:
    """Return the number of sequences of `depth` legal moves from here."""
    if position.to_move is None:
        return 0
    moves = dealer.view(position, position.to_move).legal_moves(position.to_move)
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        below = PlainDealer(dealer.shuffle, dict(dealer.cards))
        count += perft(below.fulfil(position.apply(move)), below, depth - 1)
    return count


def counted(position: Position, dealer: PlainDealer, depth: int) -> list[int]:
    """Return the counts of all depths up to `depth`."""
    return [perft(position, dealer, one) for one in range(1, depth + 1)]


def counted_from(table: Table, depth: int) -> list[int]:
    return counted(table.position, PlainDealer(lambda _: None, dict(table.cards)), depth)


@pytest.mark.parametrize(
    ("game", "players", "seed", "moves", "counts"),
    [
        ("canasta", 2, 1, 0, [108, 108, 108, 188]),
        ("canasta", 2, 1, 40, [14, 46, 70, 240, 1571]),
        ("canasta", 2, 2, 115, [3, 4, 10, 16, 57, 72]),
        ("canasta", 3, 3, 60, [7, 11, 77, 132]),
        ("canasta", 4, 1, 5, [1, 20, 108, 526]),
        ("canasta", 4, 2, 60, [5, 8, 42, 71, 241]),
        ("canasta", 4, 7, 90, [1, 3, 5, 30, 122]),
        ("canasta", 5, 4, 50, [2, 19]),
        ("canasta", 6, 5, 60, [1, 12, 14, 170]),
        ("canastra", 2, 1, 0, [1, 11, 22, 639, 5798]),
        ("canastra", 2, 2, 0, [1, 18, 81, 525, 3697]),
        ("canastra", 2, 1, 30, [2, 19, 38, 298]),
        ("canastra", 2, 3, 90, [2, 13, 26, 302]),
        ("canastra", 2, 4, 150, [3, 6, 45, 99]),
        ("canastra", 2, 7, 240, [2, 15, 30, 310, 687]),
    ],
)
def test_perft_counts_of_seeded_deals(
    game: str, players: int, seed: int, moves: int, counts: list[int]
) -> None:
    """The counting begins after `moves` moves that `mixed` chooses, from a seeded deal."""
    rng = random.Random(f"perft {game} {players} {seed}")
    dealer = PlainDealer(rng.shuffle)
    match = dealer.fulfil(Match.start(GAMES[game], GAMES[game].options(), players))
    assert match.round is not None
    position = match.round
    for _ in range(moves):
        view = dealer.view(position, position.moving_seat)
        position = dealer.fulfil(position.apply(mixed(view, rng)))
    assert counted(position, dealer, len(counts)) == counts


_MIXED_DEAL = "7h 7d 7c Ah Ad Ac Kh Kd Sw 9h 9d Th Qc Sh 4d 5d 6d 8d Jd Qd Ks As 4s 5s 6s 7s 8s 9s"


@pytest.mark.parametrize(
    ("seats", "counts"),
    [
        (2, [1, 1, 15, 15, 240, 405, 3555]),
        (3, [1, 1, 1, 15, 15, 225, 240, 3570]),
        (4, [1, 1, 1, 1, 15, 15, 240, 283]),
    ],
)
def test_perft_counts_of_a_kanastic_deal(seats: int, counts: list[int]) -> None:
    assert counted_from(dealt("kanastic", seats, _MIXED_DEAL), len(counts)) == counts


_TURN: dict[str, Any] = {
    "hands": [
        "7g 8g 9g Ar Ah Ad Kh Kd 4h",
        "Qh Qd Qc Ks Sw 5h",
        "Kc As 6h 6d 6c Sh",
        "Th Td Tc Ts Sw 5d",
    ],
    "melds": [["7h 7d 7c 7s"], []],
    "pile": "4c 4d Ac",
    "step": Step.DRAW,
}


@pytest.mark.parametrize(
    ("more", "counts"),
    [
        ({}, [2, 32, 128, 411, 1443]),
        ({"totals": [0, 3000]}, [2, 32, 128, 394, 1297]),
        ({"stock": "Po 9h"}, [1, 1, 17, 69, 225, 811]),
    ],
)
def test_perft_counts_in_the_middle_of_kanastic(more: dict[str, Any], counts: list[int]) -> None:
    assert counted_from(kanastic_table(**{**_TURN, **more}), len(counts)) == counts
