"""`python -m tests.bench engine`: the speed of the rules, without cryptography.

Players who choose random legal moves play whole rounds of every game with the plain dealer. The
legal moves of hands of sixty cards are found, too; hardly anybody ever holds more cards. Times are
processor time.
"""

import argparse
import time
from statistics import median

from attrs import evolve

from engine.game import Game
from engine.games import GAMES
from engine.position import Position
from engine.slots import Seat
from engine.turn import Step
from tests.bench.figures import Figures, add_number
from tests.engine.simulation import at_random, states

BIG_HAND = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run`."""
    add_number(parser, "--rounds", 1, 10_000, 20, "rounds of each game")
    add_number(parser, "--hands", 1, 10_000, 5, "hands of sixty cards")
    parser.add_argument("--seed", type=int, default=1, help="fixes deals and choices")


def run(rounds: int, hands: int, seed: int = 1) -> list[Figures]:
    """Play `rounds` rounds of each game, and find the moves of `hands` big hands.

    Each game is played by four players, if four can play, and by the most players that it allows.
    """
    return [
        _measure(game, players, rounds, hands, seed)
        for game in GAMES.values()
        for players in sorted({game.usual_players, game.players[-1]})
    ]


def _measure(game: Game, players: int, rounds: int, hands: int, seed: int) -> Figures:
    """Find the moves of each position of some rounds, and those of some hands of sixty cards."""
    options = game.options.from_pairs([("rounds", 1)])
    # The first position imports the game's code, before the time is measured.
    game.position.start(options, players, Seat(0), game.sides(players) * (0,))
    positions = 0
    start = time.process_time()
    for number in range(rounds):
        played = states(game, options, players, seed + number, at_random)
        positions += sum(move is not None for _match, move, _dealer in played)
    seconds = time.process_time() - start
    times, counts = [], []
    for number in range(hands):
        position = _big_hand(game, seed + number)
        start = time.process_time()
        moves = position.legal_moves(position.turn.seat)
        times.append(1000 * (time.process_time() - start))
        counts.append(len(moves))
    return {
        "game": game.name,
        "players": players,
        "rounds": rounds,
        "positions": positions,
        "positions_per_second": positions / seconds,
        "rounds_per_second": rounds / seconds,
        "big_hand_ms": median(times),
        "big_hand_worst_ms": max(times),
        "big_hand_most_moves": max(counts),
    }


def _big_hand(game: Game, seed: int) -> Position:
    """Return a position of two players in which the mover also holds many cards of the stock."""
    for match, _move, dealer in states(game, game.options(), 2, seed, at_random):
        position = match.round
        if position is None or position.turn.step is not Step.PLAY:
            continue
        # A bonus card, such as a red three, has to be shown before anything else.
        bonus = {slot for slot, shown in dealer.cards.items() if position.is_bonus(shown.card)}
        seat = position.turn.seat
        hands = list(position.hands)
        if bonus.isdisjoint(hands[seat]):
            stock = [slot for slot in position.stock if slot not in bonus]
            more = stock[: BIG_HAND - len(hands[seat])]
            hands[seat] += tuple(more)
            left = tuple(slot for slot in position.stock if slot not in more)
            return dealer.view(evolve(position, hands=tuple(hands), stock=left), seat)
    raise AssertionError("nobody had a hand without a bonus card")
