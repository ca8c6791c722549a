"""`python -m tests.bench table`: the time that people wait at a table of real processes.

Each player is a process with its own identity, journal and sockets on the loopback, and each link
has the delay `--delay`. The first `--screens` players have a screen, which draws and takes keys as
for a person. With a screen on each node, the screens compete for the cores of one machine.

Before each key all players wait for the time `--rest`, like people, who need time to answer a move.
Meanwhile all nodes finish and confirm the previous move. With a rest of 0, a player moves as soon
as their node (or their screen) has the previous move, while the other nodes still work on it.

The time from the last "ready" to the cut is compared with the time for the cryptography of the
shuffles alone, which is measured after the turns.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles

from client.child_processes import Child, started
from tests.bench import deal as bench_deal
from tests.bench.figures import Figures, add_number
from tests.bench.table_node import Assignment, Observed, play_in_process

REST_MS = 500
"""Default rest, long enough for nodes to tell each other their news (`protocol.table.peers`)."""

_TIMEOUT_SECONDS = 120

_SHUFFLES, _CARDS = 2, 108
"""Shuffles by each player before the cut (one for the seats, one for the deal); cards in a deck."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run`."""
    add_number(parser, "--players", 2, 6, 4, "number of players")
    add_number(parser, "--delay", 0, 1_000, 0, "delay of a link one way, in milliseconds")
    add_number(parser, "--turns", 4, 40, 24, "turns that are timed")
    add_number(parser, "--screens", 0, 6, 1, "players with a screen that is drawn")
    add_number(parser, "--rest", 0, 5_000, REST_MS, "milliseconds before each key")
    parser.add_argument("--seed", type=int, default=1, help="fixes the choices, not the shuffle")


def run(
    players: int, delay: int, turns: int, seed: int, screens: int = 1, rest: int = REST_MS
) -> list[Figures]:
    """Play `turns` turns, with a delay and a rest in milliseconds.

    Each move is timed from its key: `draw` until the node has the card, `drawn` until the player's
    own screen shows it, and `discard` until the last other node has the card. The cut and the deal
    are timed from the last "ready". Processor times are means for one draw or discard:
    `processor_ms` of all nodes together, `screen_ms` of one screen.
    """
    assignments = [
        Assignment(
            number, players, turns, delay / 1000, rest / 1000, seed + number, number < screens
        )
        for number in range(players)
    ]
    with tempfile.TemporaryDirectory(prefix="sobremesa-bench-") as folder:
        seen = _seen_by_all(assignments, Path(folder))
    (bench,) = bench_deal.run(players, _CARDS, repeat=3)
    bare_ms = _SHUFFLES * bench["phase_ms"]
    spans = {
        "draw": [end - begin for one in seen for begin, end in one.draws],
        "drawn": [end - begin for one in seen for begin, end in one.drawn],
        "discard": [
            max(other.seen[height] for other in seen if other is not one) - begin
            for one in seen
            for height, begin in one.discards.items()
            if all(height in other.seen for other in seen)
        ],
    }
    ready = seen[-1].ready  # the last guest is the last to be ready
    cut_ms = 1000 * (max(one.cut for one in seen) - ready)
    moves = len(spans["draw"]) + len(spans["discard"])
    figures: dict[str, float] = {
        "players": players,
        "delay_ms": delay,
        "rest_ms": rest,
        "turns": turns,
    }
    figures |= {"screens": screens}
    for name, seconds in spans.items():
        if seconds:
            figures[f"{name}_ms"] = 1000 * median(seconds)
            figures[f"{name}_p90_ms"] = 1000 * nine_of_ten(seconds)
    return [
        {
            **figures,
            "cut_ms": cut_ms,
            "dealt_ms": 1000 * (max(one.dealt for one in seen) - ready),
            "locks_and_proofs_alone_ms": bare_ms,
            "cut_ratio": cut_ms / bare_ms,
            "processor_ms": 1000 * sum(one.processor for one in seen) / moves,
            "screen_ms": 1000 * sum(one.screen for one in seen) / moves / max(1, screens),
            "most_memory_mb": max(one.memory for one in seen),
            "most_memory_share_mb": max(one.memory_share for one in seen),
        }
    ]


def nine_of_ten(values: Sequence[float]) -> float:
    """Return the 90th percentile, interpolated between two of the values."""
    return quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]


def _seen_by_all(assignments: Sequence[Assignment], folder: Path) -> tuple[Observed, ...]:
    with _processes(assignments, folder) as pipes:
        host, *guests = pipes
        port = _from(host)
        for guest in guests:
            _from(guest)
            guest.send(port)
        host.send(port)
        seen = tuple(map(_from, pipes))
        for pipe in pipes:
            pipe.send(0)  # the permission to end
    return seen


@contextmanager
def _processes(assignments: Sequence[Assignment], folder: Path) -> Iterator[list[Connection]]:
    """Start a process for each assignment; all end with the block."""
    children: list[Child] = []
    try:
        for assignment in assignments:
            home = folder / str(assignment.number)
            children.append(started(play_in_process, assignment, home))
        yield [child.pipe for child in children]
        for child in children:
            child.process.join(_TIMEOUT_SECONDS)
    finally:
        for child in children:
            child.end()


def _from(pipe: Connection):  # type: ignore[no-untyped-def]
    """Return the next message of a process. Raises RuntimeError if it has ended or is silent."""
    try:
        if pipe.poll(_TIMEOUT_SECONDS):
            return pipe.recv()
    except EOFError:
        pass
    raise RuntimeError("a node of the bench has stopped; try it again on a quiet machine")
