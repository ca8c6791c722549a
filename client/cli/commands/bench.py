"""`sobremesa bench WHAT`: measure the speed on this machine, and the strength of the opponents."""

import argparse
import json
from pathlib import Path

from attrs import frozen

from client.bench import audit as bench_audit
from client.bench import deal as bench_deal
from client.bench import engine as bench_engine
from client.bench import ledger as bench_ledger
from client.bench import opponents as bench_opponents
from client.bench import opponents_tables
from client.bench import start as bench_start
from client.bench import table as bench_table
from client.bench.history import append_history, check_history
from client.cli.table_arguments import add_game, add_players
from client.i18n.language import _
from client.ui.text.console import Console
from engine.games import game_named


def add_arguments(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="what", required=True, metavar=_("WHAT"))
    _add_deal(kinds.add_parser("deal", help=_("lock, shuffle, prove and verify a deck")))
    _add_audit(kinds.add_parser("audit", help=_("check a record that was just played")))
    _add_ledger(kinds.add_parser("ledger", help=_("add up many records, on all cores")))
    _add_engine(kinds.add_parser("engine", help=_("the rules alone, without cryptography")))
    _add_table(
        kinds.add_parser("table", help=_("how long people wait at a table of real processes"))
    )
    _add_start(kinds.add_parser("start", help=_("from the command to the first word or screen")))
    _add_opponents(kinds.add_parser("opponents", help=_("let the levels play matches")))
    for kind in kinds.choices.values():
        kind.set_defaults(parser=kind)  # it knows the flags that a misspelt one is near
        kind.add_argument(
            "--history",
            type=Path,
            metavar=_("OUT"),
            help=_("add the figures and ratios to this file, with the version"),
        )


def run(arguments: argparse.Namespace) -> int:
    """Run a bench.

    Raises BadRequest, for a history that is none before anything is measured.
    """
    if arguments.history:
        check_history(arguments.history)
    measured: Measured = arguments.bench(arguments)
    Console().exactly(measured.json if arguments.json else measured.text)
    if arguments.history:
        append_history(arguments.history, arguments.what, json.loads(measured.json))
    return 0


@frozen
class Measured:
    """The figures of a bench, for programs and for people."""

    json: str
    text: str


def _add_deal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=int, default=4, metavar="N")
    parser.add_argument("--cards", type=int, default=108, metavar="N")
    parser.add_argument(
        "--repeat", type=int, default=9, metavar="R", help=_("the medians are of R")
    )
    parser.add_argument(
        "--threads", type=int, default=1, metavar="T", help=_("threads a node uses")
    )
    _add_json(parser)
    parser.set_defaults(bench=_deal)


def _deal(arguments: argparse.Namespace) -> Measured:
    bench = bench_deal.run(arguments.players, arguments.cards, arguments.repeat, arguments.threads)
    return Measured(bench_deal.as_json(bench), bench_deal.render(bench))


def _add_audit(parser: argparse.ArgumentParser) -> None:
    add_game(parser, "canasta")
    add_players(parser)
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help=_("0: a whole match"))
    parser.add_argument(
        "--repeat", type=int, default=3, metavar="R", help=_("the medians are of R")
    )
    _add_seed(parser)
    _add_json(parser)
    parser.set_defaults(bench=_audit)


def _audit(arguments: argparse.Namespace) -> Measured:
    players = arguments.players or game_named(arguments.game).usual_players
    bench = bench_audit.run(
        arguments.game, players, arguments.rounds, arguments.repeat, arguments.seed
    )
    return Measured(bench_audit.as_json(bench), bench_audit.render(bench))


def _add_ledger(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--records", type=int, default=100, metavar="N")
    _add_seed(parser)
    _add_json(parser)
    parser.set_defaults(bench=_ledger)


def _ledger(arguments: argparse.Namespace) -> Measured:
    bench = bench_ledger.run(arguments.records, arguments.seed)
    return Measured(bench_ledger.as_json(bench), bench_ledger.render(bench))


def _add_engine(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rounds", type=int, default=20, metavar="N", help=_("rounds of each game")
    )
    parser.add_argument("--hands", type=int, default=5, metavar="N", help=_("hands of sixty cards"))
    parser.add_argument("--seed", type=int, default=1, help=_("fixes deals and choices"))
    _add_json(parser)
    parser.set_defaults(bench=_engine)


def _engine(arguments: argparse.Namespace) -> Measured:
    benches = bench_engine.run(arguments.rounds, arguments.hands, arguments.seed)
    return Measured(bench_engine.as_json(benches), bench_engine.render(benches))


def _add_table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=int, default=4, metavar="N")
    parser.add_argument(
        "--delay", type=int, default=0, metavar="MS", help=_("milliseconds of a link, one way")
    )
    parser.add_argument(
        "--screens", type=int, default=1, metavar="N", help=_("players with a screen that is drawn")
    )
    parser.add_argument(
        "--turns", type=int, default=24, metavar="N", help=_("turns that are timed")
    )
    parser.add_argument(
        "--rest",
        type=int,
        default=bench_table.REST_MS,
        metavar="MS",
        help=_("milliseconds of rest before each key"),
    )
    _add_seed(parser)
    _add_json(parser)
    parser.set_defaults(bench=_table)


def _table(arguments: argparse.Namespace) -> Measured:
    bench = bench_table.run(
        arguments.players,
        arguments.delay,
        arguments.turns,
        arguments.seed,
        arguments.screens,
        arguments.rest,
    )
    return Measured(bench_table.as_json(bench), bench_table.render(bench))


def _add_start(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repeat", type=int, default=7, metavar="R", help=_("the least is of R"))
    parser.add_argument(
        "--seconds",
        type=int,
        default=10,
        metavar="N",
        help=_("seconds that the screen waits without a key"),
    )
    _add_json(parser)
    parser.set_defaults(bench=_start)


def _start(arguments: argparse.Namespace) -> Measured:
    bench = bench_start.run(arguments.repeat, arguments.seconds)
    return Measured(bench_start.as_json(bench), bench_start.render(bench))


def _add_opponents(parser: argparse.ArgumentParser) -> None:
    bench_opponents.add_arguments(parser)
    parser.set_defaults(bench=_opponents)


def _opponents(arguments: argparse.Namespace) -> Measured:
    benches = bench_opponents.run(
        arguments.game,
        arguments.players,
        arguments.matches,
        arguments.levels,
        arguments.seed,
        arguments.processes,
        arguments.imagined,
    )
    return Measured(bench_opponents.as_json(benches), opponents_tables.render(benches))


def _add_seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=1, help=_("fixes the choices, not the shuffle"))


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("one JSON object"))
