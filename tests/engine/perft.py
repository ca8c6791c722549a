"""The number of ways a round can go on, as chess programs count them.

In a position all legal moves are made, in the next ones again, to a depth; hidden cards lie as the
seeded deal laid them. A change of the rules shows in the counts.
"""

import random

from engine.dealer import PlainDealer
from engine.game import Game
from engine.match import Match
from engine.position import Position
from tests.engine.simulation import mixed


def dealt(game: Game, players: int, seed: int, moves: int = 0) -> tuple[Position, PlainDealer]:
    """Return the first round of a match after `moves` moves of mixed players, and its dealer."""
    rng = random.Random(f"perft {game.name} {players} {seed}")
    dealer = PlainDealer(rng.shuffle)
    match = dealer.fulfil(Match.start(game, game.options(), players))
    assert match.round is not None
    position = match.round
    for _ in range(moves):
        assert position.to_move is not None
        view = dealer.view(position, position.to_move)
        position = dealer.fulfil(position.apply(mixed(view, rng)))
    return position, dealer


def perft(position: Position, dealer: PlainDealer, depth: int) -> int:
    """Return the number of sequences of `depth` legal moves from here."""
    if depth == 0:
        return 1
    if position.to_move is None:
        return 0
    count = 0
    for move in dealer.view(position, position.to_move).legal_moves(position.to_move):
        below = PlainDealer(dealer.shuffle, dict(dealer.cards))
        count += perft(below.fulfil(position.apply(move)), below, depth - 1)
    return count
