"""`sobremesa bench table`: the time that people wait at a table of real processes on this machine.

Each player is a process with its own identity, journal and sockets on the loopback, and each link
has the delay `--delay`. As many players as `--screens` says have a screen, which is drawn and typed
to as a person's is: with one on each node, the screens compete for the cores of one machine. Before
each key nobody does anything for the time `--rest`, as no person answers what they have not seen
yet: meanwhile all nodes finish the move before, and confirm it. With a rest of 0 a player moves as
soon as their node, or their screen if they have one, has the move before, while the other nodes
still work on it. The cryptography of the shuffles alone, the yardstick of the time from "ready" to
the cut, is measured when the turns are over.
"""

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles

from attrs import asdict, frozen

from client.bench import deal as bench_deal
from client.bench.figures import aligned, in_ms, rounded
from client.bench.table_node import Assignment, Observed, play_in_process
from client.bench.time_by_part import NAMES
from client.child_processes import Child, started
from client.errors import BadRequest, check_number
from client.i18n.language import _, _n, decimal

REST_MS = 500
"""Default rest: longer than nodes need to tell each other their news (`protocol.table.peers`)."""

_TIMEOUT_SECONDS = 120

_SHUFFLES, _CARDS = 2, 108
"""Shuffles by each player before the cut, for the seats and for the deal, and cards in a deck."""


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
    """From the key to the card on the own screen; 0 without screens."""
    drawn_p90_ms: float
    discard_ms: float
    """From the key until the last other node has the card."""
    discard_p90_ms: float
    cut_ms: float
    """From the last "ready" to the first move."""
    dealt_ms: float
    """From the last "ready" to the first turn."""
    bare_ms: float
    """The cryptography until the cut, alone on one thread."""
    cut_bare_ratio: float
    waits_ms: tuple[float, ...]
    """Waits for the unlocking of the first, second .. other player of a draw."""
    processor_ms: float
    """Processor time of all nodes together for a draw or discard."""
    parts_ms: dict[str, float]
    """Time of the clock of all nodes together for the same, as in `client.bench.time_by_part`."""
    screen_ms: float
    """Processor time of each screen for the same."""
    characters: float
    """Characters that each screen sends to its terminal."""
    memory_mb: float
    """Memory of the largest node at the end; 0 if the system does not tell."""
    memory_share_mb: float
    """The same, with shared pages divided among the processes that have them."""


def run(
    players: int, delay_ms: int, turns: int, seed: int, screens: int = 1, rest_ms: int = REST_MS
) -> TableBench:
    """Play so many turns. Raises BadRequest for a number out of its bounds."""
    check_number("--players", players, 2, 6)
    check_number("--delay", delay_ms, 0, 1_000)
    check_number("--turns", turns, 4, 40)
    check_number("--screens", screens, 0, players)
    check_number("--rest", rest_ms, 0, 5_000)
    assignments = [
        Assignment(
            number, players, turns, delay_ms / 1000, rest_ms / 1000, seed + number, number < screens
        )
        for number in range(players)
    ]
    with tempfile.TemporaryDirectory(prefix="sobremesa-bench-") as folder:
        seen = _seen_by_all(assignments, Path(folder))
    bare = _SHUFFLES * bench_deal.run(players, _CARDS, repeat=3).phase_ms
    return _summary(players, delay_ms, rest_ms, turns, screens, seen, bare)


def as_json(bench: TableBench) -> str:
    """Return all fields as one JSON object."""
    return json.dumps(rounded(asdict(bench)))


def render(bench: TableBench) -> str:
    """Return the figures for people."""
    head = _("{players}, {delay} ms a link, {turns}, {rest} ms of rest before each key").format(
        players=_n("{n} player", "{n} players", bench.players),
        delay=decimal(bench.delay_ms, 0),
        turns=_n("{n} turn", "{n} turns", bench.turns),
        rest=decimal(bench.rest_ms, 0),
    )
    rows = [
        (_("draw, at the own node"), in_ms(bench.draw_ms), _p90(bench.draw_p90_ms)),
        (
            _("discard, at the last node"),
            in_ms(bench.discard_ms),
            _p90(bench.discard_p90_ms),
        ),
        (_("from ready to the cut"), in_ms(bench.cut_ms), ""),
        (
            _("its locks and proofs"),
            in_ms(bench.bare_ms),
            _("alone, on one thread; the cut took {ratio} times as long").format(
                ratio=decimal(bench.cut_bare_ratio, 2)
            ),
        ),
        (_("from ready to the first turn"), in_ms(bench.dealt_ms), ""),
    ]
    if bench.screens:
        drawn = (_("draw, on the own screen"), in_ms(bench.drawn_ms), _p90(bench.drawn_p90_ms))
        rows.insert(1, drawn)
    for number, wait in enumerate(bench.waits_ms, 1):
        rows.append((_("unlocking {n} of a draw").format(n=number), in_ms(wait), ""))
    rows.append((_("processor"), in_ms(bench.processor_ms), _("for each move, all nodes")))
    if bench.screens:
        sent = _("of that for each screen, {n} characters").format(n=decimal(bench.characters, 0))
        rows.append((_("screen"), in_ms(bench.screen_ms), sent))
    rows += [
        (_(name), in_ms(time), _("of the clock, for each move, all nodes"))
        for name, time in bench.parts_ms.items()
    ]
    if bench.memory_mb:
        rows.append((_("memory"), f"{decimal(bench.memory_mb, 0)} MB", _("the largest node")))
    if bench.memory_share_mb:
        share = f"{decimal(bench.memory_share_mb, 0)} MB"
        rows.append((_("its share of memory"), share, _("shared pages divided by their users")))
    rest = _("No part counts the scheduling of tasks, sockets, frames and the bench itself.")
    return "\n".join([head, *aligned(rows), rest])


def _p90(milliseconds: float) -> str:
    return _("nine of ten within {time}").format(time=in_ms(milliseconds))


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
    """Start a process for each assignment, and end it with the block."""
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
    """Return what a process sends next. Raises BadRequest if it has ended, or sends nothing."""
    try:
        if pipe.poll(_TIMEOUT_SECONDS):
            return pipe.recv()
    except EOFError:
        pass
    raise BadRequest("A node of the bench has stopped; try it again on a quiet machine.")


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
    ready = seen[-1].ready
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
        waits_ms=_waits(seen),
        processor_ms=1000 * sum(one.processor for one in seen) / moves,
        parts_ms={name: 1000 * sum(one.parts[name] for one in seen) / moves for name in NAMES},
        screen_ms=1000 * sum(one.screen for one in seen) / moves / max(1, screens),
        characters=sum(one.characters for one in seen) / moves / max(1, screens),
        memory_mb=max(one.memory for one in seen),
        memory_share_mb=max(one.memory_share for one in seen),
    )


def _waits(seen: Sequence[Observed]) -> tuple[float, ...]:
    """Return the median wait for each other player's unlocking, from the drawer's left."""
    players = len(seen)
    waits: list[list[float]] = [[] for _other in range(players - 1)]
    for one in seen:
        for writer, times in one.shares.items():
            if writer != one.number:
                waits[(writer - one.number) % players - 1] += times
    return tuple(1000 * median(times) if times else 0.0 for times in waits)


def _nine_of_ten(values: Sequence[float]) -> float:
    """Return the value that nine of ten do not exceed, interpolated between two values."""
    return quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]
