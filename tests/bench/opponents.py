"""`python -m tests.bench opponents`: how often one level beats another, and the time of its moves.

Whole matches are played with the plain dealer, without cryptography. One side plays at the first
level, all others at the second. Each deal is played as many times as there are sides, with the
first level on each side once. In a draw nobody wins. If both levels were equal, the first would win
its fair share of the matches: one divided by the number of sides.

For each level three rates of blunders are given, with 95 % intervals: turns that ended stranded on
one card, wild cards discarded on a frozen pile, and hasty answers of Yes to a partner who asks
"May I go out?". The search of a level is limited by a number of moves and not by time, so the same
seed plays the same matches. Times are processor time.
"""

import argparse
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from math import sqrt
from statistics import mean
from typing import Any

from attrs import field, frozen

from client.bots.blunders import agrees_hastily, wastes_wild
from client.bots.chooser import Budget, Chooser
from client.bots.levels import LEVELS, opponent
from client.child_processes import on_all_cores
from engine.games import GAMES, game_named
from engine.match import Match
from engine.moves import Answer, Discard, Move
from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.turn import Step
from tests.bench.figures import Figures, add_number
from tests.engine.simulation import at_random

AT_RANDOM = "random"
"""Name of the player of random legal moves."""
MEASURED = (AT_RANDOM, *LEVELS)
"""The random player, and after it the levels, the weakest first."""

_Z = 1.96  # 95 % of a normal distribution is within so many standard deviations of its mean


@frozen
class PlannedMatch:
    """A match to be played."""

    game: str
    players: int
    levels: tuple[str, str]
    """The first level plays on side `first`, the second on all other sides."""
    first: int
    seed: str
    imagined: int = Budget().moves
    """Number of moves that a level may play in one search."""


def blunders_in(view: Position, move: Move, after: Position) -> Counter[str]:
    """Return the blunders in a move (`client.bots.blunders`), and the occasions for each.

    Blunders are turns that ended stranded (of `turns`), wild cards wasted on a frozen pile (of
    `wild`), and hasty answers of Yes (of `yes`). `view` is what the seat that moves saw.
    """
    found = Counter[str]()
    match move:
        case Discard(shown):
            found["turns"] += 1
            found["stranded"] += is_stranded(after, view)
            found["wild"] += view.is_wild(shown.card)
            found["wasted"] += wastes_wild(view, move)
        case Answer(True):
            found["yes"] += 1
            found["hasty"] += agrees_hastily(view, move)
    return found


def is_stranded(after: Position, discard: Position) -> bool:
    """Return True if a discard has left its seat with one card and no way to go out.

    `discard` is the position before the discard, `after` the position that followed it.
    """
    seat = discard.turn.seat
    if after.turn.step is Step.OVER or len(after.hands[seat]) != 1:
        return False
    return not (discard.may_go_out(discard.side) or discard.gets_more(seat))


@frozen
class Played:
    """The result of a match for the first level."""

    won: bool | None
    """True if the first level won; None for a draw."""
    points: tuple[float, float]
    """Points of the first level's side, and of the best other side."""
    rounds: int
    seconds: tuple[tuple[float, ...], tuple[float, ...]] = field(repr=False)
    """Seconds for each move of the first level, and of the second."""
    blunders: tuple[Counter[str], Counter[str]]
    """Blunders of the first level, and of the second."""


def play(planned: PlannedMatch) -> Played:
    """Play one match; the same plan gives the same match."""
    game = game_named(planned.game)
    rng = random.Random(planned.seed)
    dealer = PlainDealer(rng.shuffle)
    budget = Budget(planned.imagined)
    choosers: list[Chooser] = [
        partial(at_random, rng=rng)
        if level == AT_RANDOM
        else opponent(level, planned.game, rng, budget)
        for level in planned.levels
    ]
    seconds: tuple[list[float], list[float]] = ([], [])
    blunders = Counter[str](), Counter[str]()
    match = Match.start(game, game.options(), planned.players)
    while True:
        match = dealer.fulfil(match)
        if match.over:
            break
        if match.round_over:
            match = match.close_round()
            continue
        assert match.round is not None
        seat = match.round.moving_seat
        level = int(match.round.side_of(seat) != planned.first)
        view = dealer.view(match.round, seat)
        start = time.thread_time()
        move = choosers[level](view)
        seconds[level].append(time.thread_time() - start)
        match = match.apply(move)
        assert match.round is not None
        blunders[level].update(blunders_in(view, move, match.round))
    others = [total for side, total in enumerate(match.totals) if side != planned.first]
    return Played(
        won=None if match.winner is None else match.winner == planned.first,
        points=(match.totals[planned.first], max(others)),
        rounds=len(match.sheets),
        seconds=(tuple(seconds[0]), tuple(seconds[1])),
        blunders=blunders,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run`."""
    parser.add_argument("--game", choices=tuple(GAMES), help="only this game")
    add_number(parser, "--players", 2, 6, None, "number of players")
    add_number(parser, "--matches", 1, 1_000_000, 100, "matches of each pairing")
    about = f"two of {', '.join(MEASURED)}; otherwise each level against the one below it"
    parser.add_argument("--levels", type=_pair, metavar="A,B", help=about)
    about = "how many moves a level may play in its search for one move"
    add_number(parser, "--imagined", 1, 1_000_000, Budget().moves, about)
    parser.add_argument("--seed", type=int, default=1, help="fixes deals and choices")
    add_number(parser, "--processes", 1, 1_000, None, "by default one for each processor")


def _pair(levels: str) -> tuple[str, str]:
    names = levels.split(",")
    if len(names) != 2 or not {*names} <= {*MEASURED}:
        raise argparse.ArgumentTypeError(f"not two of {', '.join(MEASURED)}, with a comma between")
    return names[0], names[1]


def run(
    game: str | None,
    players: int | None,
    matches: int,
    levels: tuple[str, str] | None,
    seed: int,
    processes: int | None = None,
    imagined: int = Budget().moves,
) -> list[Figures]:
    """Play `matches` of each pairing in `processes`; by default there is one for each processor.

    Raises InvalidOption for a number of players with which a game cannot be played.
    """
    planned = [
        match
        for name, number in _tables(game, players)
        for pair in ([levels] if levels else zip(MEASURED[1:], MEASURED, strict=False))
        for match in _planned(name, number, pair, imagined, matches, seed)
    ]
    played = on_all_cores(play, planned, processes=processes)
    together = list(zip(planned, played, strict=True))
    pairings = (together[at : at + matches] for at in range(0, len(together), matches))
    return [*map(pairing, pairings), *levels_with_blunders(together)]


def _tables(game: str | None, players: int | None) -> list[tuple[str, int]]:
    """Return games with numbers of players.

    By default a game with couples is played by four and by two, any other by its usual number.
    """
    if game is not None and players is not None:
        game_named(game).check_players(players)
    return [
        (rules.name, number)
        for rules in ([game_named(game)] if game else GAMES.values())
        for number in ((4, 2) if players is None else (players,))
        if number in rules.players and (players or rules.couples or number == rules.usual_players)
    ]


def _planned(
    game: str, players: int, levels: tuple[str, str], imagined: int, matches: int, seed: int
) -> Iterator[PlannedMatch]:
    """Return the matches of a pairing; the first level plays each deal once on every side."""
    sides = game_named(game).sides(players)
    for number in range(matches):
        deal = f"{seed} {game} {players} {number // sides}"
        yield PlannedMatch(game, players, levels, number % sides, deal, imagined)


def pairing(matches: Sequence[tuple[PlannedMatch, Played]]) -> Figures:
    """Return the figures of the first level in its matches against the second.

    `low` and `high` are the ends of the 95 % interval of its share of the matches. `fair` is the
    share that it would win if the levels were equal and there were no draws.
    """
    plan = matches[0][0]
    played = [one for _plan, one in matches]
    won, rounds = sum(one.won is True for one in played), sum(one.rounds for one in played)
    low, high = wilson(won, len(played))
    seconds = [second for one in played for second in one.seconds[0]]
    return {
        "game": plan.game,
        "levels": plan.levels,
        "players": plan.players,
        "imagined": plan.imagined,
        "matches": len(played),
        "won": won,
        "drawn": sum(one.won is None for one in played),
        "share": won / len(played),
        "low": low,
        "high": high,
        "fair": 1 / game_named(plan.game).sides(plan.players),
        "points_a_round": tuple(
            sum(one.points[level] for one in played) / rounds for level in (0, 1)
        ),
        "mean_ms": 1000 * mean(seconds),
        "worst_ms": 1000 * max(seconds),
    }


def levels_with_blunders(matches: Sequence[tuple[PlannedMatch, Played]]) -> Iterator[Figures]:
    """Return the blunders of each level in all its matches, by game and number of players.

    For each kind of blunder the figures are, in this order: the number of occasions, the number of
    blunders, and the 95 % interval of the rate. If there was no occasion, the rate is "-".
    """
    counted = defaultdict[tuple[str, str, int], Counter[str]](Counter)
    for plan, played in matches:
        for level, blunders in zip(plan.levels, played.blunders, strict=True):
            counted[plan.game, level, plan.players].update(blunders)
    for (game, level, players), found in counted.items():
        figures: dict[str, Any] = {"game": game, "level": level, "players": players}
        for what, of in (("stranded", "turns"), ("wasted", "wild"), ("hasty", "yes")):
            interval = wilson(found[what], found[of]) if found[of] else ("-",)
            figures |= {of: found[of], what: found[what], f"{what}_rate": interval}
        yield figures


def wilson(won: int, matches: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate.

    See E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
    """
    rate, z2 = won / matches, _Z**2
    middle = (rate + z2 / (2 * matches)) / (1 + z2 / matches)
    spread = _Z * sqrt(rate * (1 - rate) / matches + z2 / (4 * matches**2)) / (1 + z2 / matches)
    return middle - spread, middle + spread
