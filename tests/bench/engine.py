"""`python -m tests.bench engine`: the speed of the rules, without cryptography.

Players who choose random legal moves play whole rounds of every game with the plain dealer. The
legal moves of hands of sixty cards are found, too; hardly anybody ever holds more cards. Times are
processor time.
"""

import argparse
import random
import time
from statistics import median

from attrs import evolve

from engine.game import Game
from engine.games import GAMES
from engine.match import Match
from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.slots import Seat, Slot
from engine.turn import Step
from tests.bench.figures import Figures, add_number

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
    rng = random.Random(f"{game.name} {seed}")
    # The first position imports the game's code, before the time is measured.
    game.position.start(game.options(), players, Seat(0), game.sides(players) * (0,))
    positions = 0
    start = time.process_time()
    for _again in range(rounds):
        positions += _play_round(game, players, rng)
    seconds = time.process_time() - start
    times, counts = [], []
    for _again in range(hands):
        position = _big_hand(game, rng)
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


def _dealt(game: Game, players: int, rng: random.Random) -> tuple[Position, PlainDealer]:
    """Return the first round of a match, about to begin."""
    dealer = PlainDealer(rng.shuffle)
    match = dealer.fulfil(Match.start(game, game.options(), players))
    assert match.round is not None
    return match.round, dealer


def _step(position: Position, dealer: PlainDealer, rng: random.Random) -> Position:
    """Return the position after a random legal move."""
    seat = position.moving_seat
    move = rng.choice(dealer.view(position, seat).legal_moves(seat))
    return dealer.fulfil(position.apply(move))


def _play_round(game: Game, players: int, rng: random.Random) -> int:
    """Play one round, and return the number of its positions."""
    position, dealer = _dealt(game, players, rng)
    count = 0
    while position.to_move is not None:
        position = _step(position, dealer, rng)
        count += 1
    return count


def _big_hand(game: Game, rng: random.Random) -> Position:
    """Return a position of two players in which the mover also holds many cards of the stock."""
    position, dealer = _dealt(game, 2, rng)

    def is_plain(slot: Slot) -> bool:
        # A bonus card in the hand, such as a red three, has to be shown before anything else.
        return not position.is_bonus(dealer.cards[slot].card)

    while position.turn.step is not Step.PLAY or not all(
        map(is_plain, position.hands[position.turn.seat])
    ):
        position = _step(position, dealer, rng)
    seat = position.turn.seat
    more = list(filter(is_plain, position.stock))[: BIG_HAND - len(position.hands[seat])]
    hands = list(position.hands)
    hands[seat] += tuple(more)
    stock = tuple(slot for slot in position.stock if slot not in more)
    bigger = evolve(position, hands=tuple(hands), stock=stock)
    return dealer.view(bigger, Seat(seat))
