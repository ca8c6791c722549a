"""Numbers of sequences of one, two, three ... legal moves from a position (perft, as in chess).

Hidden cards lie as the deal laid them. Every change of the rules or of `legal_moves` changes the
numbers.
"""

import random

import pytest

from engine.games import GAMES
from engine.match import Match
from engine.plain_dealer import PlainDealer
from engine.position import Position
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
        ("kanastic", 2, 1, 2, [1, 1, 14, 14, 238, 838, 4589]),
        ("kanastic", 2, 2, 40, [6, 9, 44, 110, 2127]),
        ("kanastic", 3, 2, 40, [2, 23, 29, 161, 225, 1046, 1305]),
        ("kanastic", 2, 3, 90, [3, 9, 396]),
        ("kanastic", 4, 2, 90, [6, 6, 66, 174, 1296, 4566]),
        ("kanastic", 4, 3, 140, [1, 6, 14, 50, 101, 641, 4072]),
        ("hand_and_foot", 3, 1, 90, [12, 30, 114, 240, 1152, 4656]),
        ("hand_and_foot", 4, 2, 90, [1, 13, 43, 132, 335, 1272]),
        ("hand_and_foot", 2, 2, 140, [7, 11, 65, 230, 888]),
        ("samba", 2, 1, 40, [9, 18, 99, 341, 1189]),
        ("samba", 3, 1, 40, [15, 68, 278, 1103]),
        ("samba", 4, 2, 140, [3, 4, 28, 60, 428, 1172]),
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
    depths = range(1, len(counts) + 1)
    assert [perft(position, dealer, depth) for depth in depths] == counts
