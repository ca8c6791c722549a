"""`sobremesa host`: open a table, and play at it."""

import argparse
import os
from contextlib import AsyncExitStack

import trio
from attrs import evolve

from client.house_rules import options_from
from client.seating.at_table import add_autoplay, play_as_asked
from client.seating.home import Home, at_home, own_name, run_trio
from client.seating.house import new_opponents, seat
from client.telling.console import Console
from engine.errors import InvalidOption
from engine.games import GAMES, Game, game_named
from engine.options import Options
from p2p.acquaintances import Acquaintances
from p2p.agreement import Agreement
from p2p.folders import data_folder
from p2p.gathering import Gathering, Terms
from p2p.identity import words
from p2p.lobby import Company, Host
from p2p.tasks import beside
from protocol.charter import LEAST_GRACE, MOST_GRACE, USUAL_GRACE, check_grace
from protocol.names import clean_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", choices=tuple(GAMES), default="canasta")
    parser.add_argument("--seats", type=int, metavar="N", help="how many play")
    parser.add_argument(
        "--opponents", type=int, default=0, metavar="K", help="so many are the program's"
    )
    parser.add_argument("--name", help="your name at the table")
    parser.add_argument("--table", help="the name of the table")
    parser.add_argument("--port", type=int, help="where to listen")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a rule of the house"
    )
    parser.add_argument(
        "--grace",
        type=int,
        default=USUAL_GRACE,
        metavar="SECONDS",
        help=f"how long a silent player is waited for, {LEAST_GRACE} to {MOST_GRACE}",
    )
    parser.add_argument(
        "--known-only", action="store_true", help="only for players who have sat here before"
    )
    add_autoplay(parser)


def run(arguments: argparse.Namespace) -> int:
    """Raises InvalidOption, FolderError, JournalError, Malformed for a bad name."""
    game = game_named(arguments.game)
    options = options_from(game, arguments.option)
    seats = arguments.seats or game.usual_players
    game.check_players(seats)
    check_grace(arguments.grace)
    if not 0 <= arguments.opponents < seats:
        raise InvalidOption(f"At a table of {seats}, 0 to {seats - 1} can be the program's.")
    return run_trio(_host, arguments, game, options, seats)


async def _host(arguments: argparse.Namespace, game: Game, options: Options, seats: int) -> int:
    folder = data_folder()
    name = own_name(folder, arguments.name)
    table = clean_name(arguments.table or f"{name}: {game.title}"[:20])
    console = Console()
    async with at_home(folder, arguments.port) as home:
        console.line(f"You are {name} ({' '.join(words(home.identity.public))}).")
        if home.trouble:
            console.line(home.trouble)
        console.line(f"The table “{table}” is open at port {home.endpoint.port}.")
        company = _Company(home, console, known_only=arguments.known_only)
        terms = Terms(table, game, options, seats, arguments.grace)
        hosting = Host(home.endpoint, home.journal, name, terms, os.urandom, company.values)
        async with AsyncExitStack() as stack:
            opponents = await new_opponents(stack, home, arguments.opponents)
            company.own = {opponent.identity.public for opponent in opponents}
            agreement = await _gather(home, hosting, opponents, company)
        return await play_as_asked(home, agreement, console, arguments)


class _Company:
    """Tells the host who comes, and lets nobody in under a friend's name."""

    def __init__(self, home: Home, console: Console, *, known_only: bool) -> None:
        self.own: set[bytes] = set()
        self.changed = trio.Event()
        self.values = Company(self._seated, self._objection)
        self._acquaintances = Acquaintances(home.journal, known_only)
        self._console = console

    def _seated(self, gathering: Gathering) -> None:
        names = gathering.names
        self._console.line(f"{len(names)} of {gathering.terms.seats}: {', '.join(names)}.")
        self.changed.set()
        self.changed = trio.Event()

    def _objection(self, key: bytes, name: str) -> str | None:
        sentence = None if key in self.own else self._acquaintances.objection(key, name)
        if sentence is not None:
            self._console.line(f"!! Refused: {sentence}")
        return sentence


async def _gather(home: Home, hosting: Host, opponents: list[Home], company: _Company) -> Agreement:
    """Wait until the table is full and signed, announced as long as it is not."""

    async def announce() -> None:
        terms = hosting.terms
        beacon = evolve(home.beacon(), table=terms.title, game=terms.game.name, seats=terms.seats)
        while True:
            await home.announce(evolve(beacon, free=hosting.gathering.free))
            await company.changed.wait()

    agreements: list[Agreement] = []

    async def lobby(*, task_status: trio.TaskStatus[None]) -> None:
        agreements.append(await hosting.run(task_status=task_status))

    async with beside(announce), trio.open_nursery() as nursery:
        await nursery.start(lobby)
        for opponent in opponents:
            nursery.start_soon(seat, opponent, home.endpoint.port)
    return agreements[0]
