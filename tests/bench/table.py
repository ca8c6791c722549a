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
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles

from attrs import asdict, frozen

from client.child_processes import Child, started
from tests.bench import deal as bench_deal
from tests.bench.figures import aligned, counted, in_ms, rounded, whole
from tests.bench.table_node import Assignment, Observed, play_in_process

REST_MS = 500
"""Default rest: nodes take less time to tell each other their news (`protocol.table.peers`)."""

_TIMEOUT_SECONDS = 120

_SHUFFLES, _CARDS = 2, 108
"""Shuffles by each player before the cut (one for the seats, one for the deal); cards in a deck."""


@frozen
class TableBench:
    """Results of the bench; times are in milliseconds."""

    players: int
    delay_ms: float
    rest_ms: float
    turns: int
    screens: int
    draw_ms: float
    """From the key to the card at the node."""
    draw_p90_ms: float
    drawn_ms: float
    """From the key to the card on the player's own screen; 0 without screens."""
    drawn_p90_ms: float
    discard_ms: float
    """From the key until the last other node has the card."""
    discard_p90_ms: float
    cut_ms: float
    """From the last "ready" to the first move."""
    dealt_ms: float
    """From the last "ready" to the first turn."""
    bare_ms: float
    """Time for the cryptography of the shuffles before the cut, on one thread."""
    cut_bare_ratio: float
    processor_ms: float
    """Processor time of all nodes together for a draw or discard."""
    screen_ms: float
    """Processor time of each screen for a draw or discard."""
    memory_mb: float
    """Memory of the largest node at the end; 0 if the system does not tell."""
    memory_share_mb: float
    """Memory of the largest node, with shared pages divided among the processes that have them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run`."""
    parser.add_argument("--players", type=whole(2, 6), default=4, metavar="N")
    parser.add_argument(
        "--delay", type=whole(0, 1_000), default=0, metavar="MS", help="delay of a link, one way"
    )
    parser.add_argument(
        "--turns", type=whole(4, 40), default=24, metavar="N", help="turns that are timed"
    )
    parser.add_argument(
        "--screens",
        type=whole(0, 6),
        default=1,
        metavar="N",
        help="players with a screen that is drawn",
    )
    parser.add_argument(
        "--rest", type=whole(0, 5_000), default=REST_MS, metavar="MS", help="before each key"
    )
    parser.add_argument("--seed", type=int, default=1, help="fixes the choices, not the shuffle")


def run(
    players: int, delay: int, turns: int, seed: int, screens: int = 1, rest: int = REST_MS
) -> TableBench:
    """Play `turns` turns, with a delay and a rest in milliseconds."""
    assignments = [
        Assignment(
            number, players, turns, delay / 1000, rest / 1000, seed + number, number < screens
        )
        for number in range(players)
    ]
    with tempfile.TemporaryDirectory(prefix="sobremesa-bench-") as folder:
        seen = _seen_by_all(assignments, Path(folder))
    bare = _SHUFFLES * bench_deal.run(players, _CARDS, repeat=3).phase_ms
    return _summary(players, delay, rest, turns, screens, seen, bare)


def as_json(bench: TableBench) -> str:
    """Return all fields as one JSON object."""
    return json.dumps(rounded(asdict(bench)))


def render(bench: TableBench) -> str:
    """Return the figures for people."""
    head = (
        f"{counted(bench.players, 'player')}, {bench.delay_ms:,.0f} ms a link, "
        f"{counted(bench.turns, 'turn')}, {bench.rest_ms:,.0f} ms of rest before each key"
    )
    rows = [
        ("draw, at the own node", in_ms(bench.draw_ms), _p90(bench.draw_p90_ms)),
        ("discard, at the last node", in_ms(bench.discard_ms), _p90(bench.discard_p90_ms)),
        ("from ready to the cut", in_ms(bench.cut_ms), ""),
        (
            "its locks and proofs",
            in_ms(bench.bare_ms),
            f"alone, on one thread; the cut took {bench.cut_bare_ratio:,.2f} times as long",
        ),
        ("from ready to the first turn", in_ms(bench.dealt_ms), ""),
    ]
    if bench.screens:
        drawn = ("draw, on the own screen", in_ms(bench.drawn_ms), _p90(bench.drawn_p90_ms))
        rows.insert(1, drawn)
    rows.append(("processor", in_ms(bench.processor_ms), "for each move, all nodes"))
    if bench.screens:
        rows.append(("screen", in_ms(bench.screen_ms), "of that for each screen"))
    if bench.memory_mb:
        rows.append(("memory", f"{bench.memory_mb:,.0f} MB", "the largest node"))
    if bench.memory_share_mb:
        share = f"{bench.memory_share_mb:,.0f} MB"
        rows.append(("its share of memory", share, "shared pages divided by their users"))
    return "\n".join([head, *aligned(rows)])


def _p90(milliseconds: float) -> str:
    return f"nine of ten within {in_ms(milliseconds)}"


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
            pipe.send(0)
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


def _summary(
    players: int,
    delay_ms: int,
    rest_ms: int,
    turns: int,
    screens: int,
    seen: Sequence[Observed],
    bare_ms: float,
) -> TableBench:
    draws = [1000 * (end - begin) for one in seen for begin, end in one.draws]
    drawn = [1000 * (end - begin) for one in seen for begin, end in one.drawn]
    discards = [
        1000 * (max(other.seen[height] for other in seen if other is not one) - begin)
        for one in seen
        for height, begin in one.discards.items()
        if all(height in other.seen for other in seen)
    ]
    ready = seen[-1].ready  # the last guest is the last to be ready
    cut_ms = 1000 * (max(one.cut for one in seen) - ready)
    moves = len(draws) + len(discards)
    return TableBench(
        players=players,
        delay_ms=delay_ms,
        rest_ms=rest_ms,
        turns=turns,
        screens=screens,
        draw_ms=median(draws),
        draw_p90_ms=_nine_of_ten(draws),
        drawn_ms=median(drawn) if drawn else 0.0,
        drawn_p90_ms=_nine_of_ten(drawn) if drawn else 0.0,
        discard_ms=median(discards),
        discard_p90_ms=_nine_of_ten(discards),
        cut_ms=cut_ms,
        dealt_ms=1000 * (max(one.dealt for one in seen) - ready),
        bare_ms=bare_ms,
        cut_bare_ratio=cut_ms / bare_ms,
        processor_ms=1000 * sum(one.processor for one in seen) / moves,
        screen_ms=1000 * sum(one.screen for one in seen) / moves / max(1, screens),
        memory_mb=max(one.memory for one in seen),
        memory_share_mb=max(one.memory_share for one in seen),
    )


def _nine_of_ten(values: Sequence[float]) -> float:
    """Return the 90th percentile, interpolated between two of the values."""
    return quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]
