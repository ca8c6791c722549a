"""`sobremesa bench opponents`: how often one level beats another, and how long its moves take.

Whole matches over the plain dealer, without cryptography. One side plays the first level, all
others the second; every deal is played by the first level on each of the sides in turn. A draw is
won by neither, and a share is of all matches: equal levels would win the fair share, one by the
number of sides. Of each level it is told, in all its matches, how many turns it ended stranded on
one card, how many of the wild cards that it threw lay on a pile that was frozen, and how many of
its answers of yes were hasty, with 95 % intervals. A level that searches plays so many moves in its
mind for each choice, by count: the same seed plays the same matches. Times are the processor's.
"""

import argparse
import json
import os
import random
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from math import sqrt
from statistics import mean
from typing import Any

from attrs import asdict, define, field, frozen

from client.bench.figures import rounded
from client.bots.blunders import agrees_hastily, is_stranded, wastes_wild
from client.bots.level import Budget
from client.bots.levels import MEASURED, opponent
from client.errors import BadRequest, check_number
from client.i18n.language import _, decimal, number
from engine.dealer import PlainDealer
from engine.game import Game
from engine.games import GAMES, game_named
from engine.match import Match
from engine.moves import Answer, Discard, Move
from engine.position import Position
from engine.sentences import Sentence

_Z = 1.96  # standard deviations on either side of a mean that hold 95 % of a normal distribution


@frozen
class PlannedMatch:
    """A match to be played: the first of `levels` on side `first`, the second on all others, each
    within the budget of `imagined` moves.
    """

    game: str
    players: int
    levels: tuple[str, str]
    first: int
    seed: str
    imagined: int = Budget().moves


@define
class Blunders:
    """Turns of a level and those that ended stranded (`client.bots.blunders`); wild cards thrown
    and those wasted on a frozen pile; answers of yes and those given hastily.
    """

    turns: int = 0
    stranded: int = 0
    wild: int = 0
    wasted: int = 0
    yes: int = 0
    hasty: int = 0

    def watch(self, view: Position, move: Move, after: Position) -> None:
        """Count a move of this level, from what its seat saw."""
        match move:
            case Discard(shown):
                self.turns += 1
                self.stranded += is_stranded(after, view)
                self.wild += view.is_wild(shown.card)
                self.wasted += wastes_wild(view, move)
            case Answer(True):
                self.yes += 1
                self.hasty += agrees_hastily(view, move)

    def add(self, other: "Blunders") -> None:
        for name, count in asdict(other).items():
            setattr(self, name, getattr(self, name) + count)


@frozen
class Played:
    """How a match ended for the first level: its points and those of the others' best side, and
    `won` (None: a draw).

    `seconds` are the times of all its moves, and of the other level's; `blunders` likewise.
    """

    won: bool | None
    points: tuple[float, float]
    rounds: int
    seconds: tuple[tuple[float, ...], tuple[float, ...]] = field(repr=False)
    blunders: tuple[Blunders, Blunders]


@frozen
class OpponentsBench:
    """Results of one pairing: the matches that the first level won, and the ends of the interval
    of that share, with the `imagined` moves for each choice of a level that searches. Times of a
    move are in milliseconds, for the first and the second level.
    """

    game: str
    players: int
    levels: tuple[str, str]
    imagined: int
    matches: int
    won: int
    drawn: int
    low: float
    high: float
    rounds_a_match: float
    points_a_round: tuple[float, float]
    mean_ms: tuple[float, float]
    worst_ms: tuple[float, float]
    blunders: tuple[Blunders, Blunders]

    @property
    def share(self) -> float:
        return self.won / self.matches

    @property
    def fair(self) -> float:
        """The share of matches that equal levels would win, but for draws."""
        return 1 / game_named(self.game).sides(self.players)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", choices=tuple(GAMES), help=_("only this game"))
    parser.add_argument("--players", type=int, metavar="N", help=_("how many sit down"))
    parser.add_argument("--matches", type=int, default=100, metavar="N", help=_("of each pairing"))
    parser.add_argument(
        "--levels",
        metavar="A,B",
        help=_("two of {levels}; otherwise each level against the one below it").format(
            levels=", ".join(MEASURED)
        ),
    )
    parser.add_argument(
        "--imagined",
        type=int,
        default=Budget().moves,
        metavar="N",
        help=_("moves in the mind of a level that searches, for each choice"),
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help=_("fixes deals and choices")
    )
    parser.add_argument(
        "--processes", type=int, metavar="N", help=_("otherwise as many as there are processors")
    )
    parser.add_argument("--json", action="store_true", help=_("one JSON object"))


def run(
    game: str | None,
    players: int | None,
    matches: int,
    levels: str | None,
    seed: int,
    processes: int | None = None,
    imagined: int = Budget().moves,
) -> tuple[OpponentsBench, ...]:
    """Play `matches` of each pairing in so many processes, or as many as there are processors, with
    so many `imagined` moves for each choice of a level that searches.

    Raises BadRequest for levels that do not exist and for numbers out of their bounds, and
    InvalidOption for a number of players that a game is not for.
    """
    check_number("--matches", matches, 1, 1_000_000)
    check_number("--imagined", imagined, 1, 1_000_000)
    if processes is not None:
        check_number("--processes", processes, 1, 1_000)
    pairings = [_pairing(levels)] if levels else list(zip(MEASURED[1:], MEASURED, strict=False))
    tables = [
        (name, number, pairing) for name, number in _tables(game, players) for pairing in pairings
    ]
    with ProcessPoolExecutor(processes or os.cpu_count()) as pool:
        return tuple(_bench(pool, *table, matches, seed, imagined) for table in tables)


def _pairing(levels: str) -> tuple[str, str]:
    names = levels.split(",")
    for name in names:
        if name not in MEASURED:
            raise BadRequest(
                "There is no level {name}; there are {levels}.",
                name=repr(name),
                levels=", ".join(MEASURED),
            )
    if len(names) != 2:
        raise BadRequest("--levels are two, with a comma between them.")
    return names[0], names[1]


def _tables(game: str | None, players: int | None) -> list[tuple[str, int]]:
    """Games and numbers of players; by default those of two sides that are played most."""
    if game is None:
        tables = [
            (name, n)
            for name, rules in GAMES.items()
            for n in (_usual(rules) if players is None else (players,))
            if n in rules.players
        ]
        if not tables:
            raise BadRequest(
                Sentence.counted(
                    "No game is for {n} player.", "No game is for {n} players.", players or 0
                )
            )
        return tables
    rules = game_named(game)
    if players is None:
        return [(game, n) for n in _usual(rules)]
    rules.check_players(players)
    return [(game, players)]


def _usual(game: Game) -> list[int]:
    return [n for n in (4, 2) if n in game.players and (n == game.usual_players or game.couples)]


def _bench(
    pool: ProcessPoolExecutor,
    game: str,
    players: int,
    levels: tuple[str, str],
    matches: int,
    seed: int,
    imagined: int,
) -> OpponentsBench:
    sides = game_named(game).sides(players)
    deal = f"{seed} {game} {players}"
    planned = [
        PlannedMatch(game, players, levels, number % sides, f"{deal} {number // sides}", imagined)
        for number in range(matches)
    ]
    played = list(pool.map(play, planned))
    won = sum(match.won is True for match in played)
    rounds = sum(match.rounds for match in played)
    low, high = wilson(won, matches)
    times = [tuple(chain.from_iterable(m.seconds[level] for m in played)) for level in (0, 1)]
    blunders = (Blunders(), Blunders())
    for match in played:
        for total, more in zip(blunders, match.blunders, strict=True):
            total.add(more)
    points = [sum(match.points[level] for match in played) / rounds for level in (0, 1)]
    return OpponentsBench(
        game=game,
        players=players,
        levels=levels,
        imagined=imagined,
        matches=matches,
        won=won,
        drawn=sum(match.won is None for match in played),
        low=low,
        high=high,
        rounds_a_match=rounds / matches,
        points_a_round=(points[0], points[1]),
        mean_ms=(1000 * mean(times[0]), 1000 * mean(times[1])),
        worst_ms=(1000 * max(times[0]), 1000 * max(times[1])),
        blunders=blunders,
    )


def wilson(won: int, matches: int) -> tuple[float, float]:
    """The 95 % interval of a rate: E. B. Wilson, "Probable inference, the law of succession, and
    statistical inference", 1927.
    """
    rate, z2 = won / matches, _Z**2
    middle = (rate + z2 / (2 * matches)) / (1 + z2 / matches)
    spread = _Z * sqrt(rate * (1 - rate) / matches + z2 / (4 * matches**2)) / (1 + z2 / matches)
    return middle - spread, middle + spread


def play(planned: PlannedMatch) -> Played:
    """One match. What is planned alike is played alike."""
    game = game_named(planned.game)
    rng = random.Random(planned.seed)
    dealer = PlainDealer(rng.shuffle)
    budget = Budget(planned.imagined)
    choosers = [opponent(level, planned.game, rng, budget) for level in planned.levels]
    seconds: tuple[list[float], list[float]] = ([], [])
    blunders = (Blunders(), Blunders())
    match = Match.start(game, game.options(), planned.players)
    while True:
        match = dealer.fulfil(match)
        if match.over:
            break
        if match.round_over:
            match = match.close_round()
            continue
        assert match.round is not None
        seat = match.round.to_move
        assert seat is not None
        level = int(match.round.side_of(seat) != planned.first)
        view = dealer.view(match.round, seat)
        start = time.thread_time()
        move = choosers[level](view)
        seconds[level].append(time.thread_time() - start)
        match = match.apply(move)
        assert match.round is not None
        blunders[level].watch(view, move, match.round)
    others = [total for side, total in enumerate(match.totals) if side != planned.first]
    return Played(
        won=None if match.winner is None else match.winner == planned.first,
        points=(match.totals[planned.first], max(others)),
        rounds=len(match.sheets),
        seconds=(tuple(seconds[0]), tuple(seconds[1])),
        blunders=blunders,
    )


def blunders_of(benches: Sequence[OpponentsBench]) -> dict[tuple[str, int, str], Blunders]:
    """What each level did in all its matches, by game and number of players."""
    found: dict[tuple[str, int, str], Blunders] = {}
    for bench in benches:
        for level, blunders in zip(bench.levels, bench.blunders, strict=True):
            found.setdefault((bench.game, bench.players, level), Blunders()).add(blunders)
    return found


def render(benches: Sequence[OpponentsBench]) -> str:
    """The results as two tables for people: of pairings, and of what each level does."""
    return f"{_pairings(benches)}\n\n{_levels(benches)}"


def _levels(benches: Sequence[OpponentsBench]) -> str:
    head = (
        _("game"),
        _("level"),
        _("players"),
        _("turns"),
        _("stranded"),
        "95 %",
        _("wild cards thrown"),
        _("wild wasted"),
        "95 %",
        _("said yes"),
        _("hasty yes"),
        "95 %",
    )
    rows = [
        (
            game,
            level,
            number(players),
            *chain.from_iterable(
                (number(of), *_share_of(some, of))
                for some, of in ((b.stranded, b.turns), (b.wasted, b.wild), (b.hasty, b.yes))
            ),
        )
        for (game, players, level), b in blunders_of(benches).items()
    ]
    return _table([head, *rows])


def _share_of(some: int, of: int) -> tuple[str, str]:
    """A share and its interval; dashes where there was nothing to count."""
    if not of:
        return "–", "–"
    low, high = wilson(some, of)
    return _percent(some / of), f"{_percent(max(0.0, low))} - {_percent(min(1.0, high))}"


def _pairings(benches: Sequence[OpponentsBench]) -> str:
    head = (
        _("game"),
        _("levels"),
        _("players"),
        _("imagined"),
        _("matches"),
        _("won"),
        _("drawn"),
        _("share"),
        "95 %",
        _("fair share"),
        _("points a round"),
        _("mean ms"),
        _("worst ms"),
    )
    return _table([head, *map(_cells, benches)])


def _cells(bench: OpponentsBench) -> tuple[str, ...]:
    return (
        bench.game,
        " - ".join(bench.levels),
        number(bench.players),
        number(bench.imagined),
        number(bench.matches),
        number(bench.won),
        number(bench.drawn),
        _percent(bench.share),
        f"{_percent(bench.low)} - {_percent(bench.high)}",
        _percent(bench.fair),
        " - ".join(decimal(points, 0) for points in bench.points_a_round),
        decimal(bench.mean_ms[0], 1),
        decimal(bench.worst_ms[0], 0),
    )


def _percent(share: float) -> str:
    return f"{decimal(100 * share, 1)}%"


def _table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_row(cells, widths) for cells in rows)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Words on the left, figures on the right."""
    padded = [cell.ljust(width) for cell, width in zip(cells[:2], widths, strict=False)]
    padded += [cell.rjust(width) for cell, width in zip(cells[2:], widths[2:], strict=True)]
    return "  ".join(padded)


def as_json(benches: Sequence[OpponentsBench]) -> str:
    """The results as one JSON object."""
    pairings: list[Mapping[str, Any]] = [
        {**asdict(b), "share": b.share, "fair": b.fair} for b in benches
    ]
    return json.dumps(rounded({"pairings": pairings}))
