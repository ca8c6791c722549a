"""`python -m tests.bench deal`: the time that the players of one deal wait for its shuffles.

Each player in turn locks and shuffles the deck and makes the proof. Then all others decode the deck
and the proof from bytes and verify them, each on their own machine. So for each player the phase
takes the time to lock and shuffle, the time to prove, and the time of the slowest verifier. All is
done on one thread.

The times of lock, prove and verify are compared with a floor: the same number of bare
multiplications and additions in the library. The floor is measured between the steps of the same
run.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from statistics import median
from typing import TypeVar

from attrs import asdict, define, evolve, field, frozen

from engine.game import LARGEST_DECK
from protocol.cards_as_points import card_points
from protocol.group import BASE, SIZE, Point, library, random_scalar
from protocol.lock_key import LockKey
from protocol.shuffle import draw_permutation, lock_and_shuffle
from protocol.shuffle_proof import ShuffleProof, ShuffleStatement, prove, verify
from tests.bench.figures import aligned, counted, in_ms, rounded, whole

_T = TypeVar("_T")


@frozen
class Work:
    """Operations of the library on points that cost more than ten microseconds."""

    multiplications: int
    base_multiplications: int
    additions: int


def lock_work(cards: int) -> Work:
    """Return the work of locking: one multiplication a card."""
    return Work(cards, 0, 0)


def prove_work(cards: int) -> Work:
    """Return the work of a shuffle proof.

    The names are those of `spec/protocol.md`; b is a multiplication of B, m another multiplication
    and a an addition. c: N b + N a; d: N (b + m + a); T_commit: N + 1 terms, one of them of B;
    T_map: N terms; T_chain: b + m + a; the other three T: one b each.
    """
    return Work(3 * cards + 1, 2 * cards + 5, 4 * cards)


def verify_work(cards: int) -> Work:
    """Return the work of verifying a shuffle proof.

    This is one sum with terms for H_0..H_N, c, d, x and y, the six T, U and B.
    """
    others = 5 * cards + 8
    return Work(others, 1, others)


@frozen
class DealBench:
    """Results of the bench: medians in milliseconds, and their ratios to the floor."""

    players: int
    cards: int
    repeat: int
    lock_ms: float
    prove_ms: float
    decode_ms: float
    verify_ms: float
    phase_ms: float
    proof_bytes: int
    deck_bytes: int
    lock_floor_ratio: float
    prove_floor_ratio: float
    verify_floor_ratio: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run`."""
    parser.add_argument("--players", type=whole(2, 6), default=4, metavar="N")
    parser.add_argument("--cards", type=whole(1, LARGEST_DECK), default=108, metavar="N")
    parser.add_argument(
        "--repeat", type=whole(1, 1_000), default=9, metavar="R", help="medians are of R deals"
    )


def run(players: int, cards: int, repeat: int) -> DealBench:
    """Shuffle a deck of `cards` among `players`, `repeat` times."""
    deck = card_points(os.urandom(SIZE), 1, 1, range(cards))
    steps = _Steps(cards)
    phases = []
    for _again in range(repeat):
        shuffled, phase = deck, 0.0
        for _player in range(players):
            shuffled, seconds = steps.shuffled(shuffled, players - 1)
            phase += seconds
        phases.append(phase)
    return DealBench(
        players=players,
        cards=cards,
        repeat=repeat,
        lock_ms=steps.locking.ms,
        prove_ms=steps.proving.ms,
        decode_ms=steps.decoding.ms,
        verify_ms=steps.verifying.ms,
        phase_ms=1000 * median(phases),
        proof_bytes=steps.proof_bytes,
        deck_bytes=len(_encoded(deck)),
        lock_floor_ratio=steps.locking.ratio,
        prove_floor_ratio=steps.proving.ratio,
        verify_floor_ratio=steps.verifying.ratio,
    )


def as_json(bench: DealBench) -> str:
    """Return all fields as one JSON object."""
    return json.dumps(rounded(asdict(bench)))


def render(bench: DealBench) -> str:
    """Return the figures for people."""
    players = counted(bench.players, "player")
    head = (
        f"{counted(bench.cards, 'card')}, {players}, one thread, "
        f"medians of {counted(bench.repeat, 'deal')}"
    )
    rows = [
        ("lock", in_ms(bench.lock_ms), _beside_floor(bench.lock_floor_ratio)),
        ("prove", in_ms(bench.prove_ms), _beside_floor(bench.prove_floor_ratio)),
        ("decode", in_ms(bench.decode_ms), ""),
        ("verify", in_ms(bench.verify_ms), _beside_floor(bench.verify_floor_ratio)),
        ("phase", in_ms(bench.phase_ms), f"{players}, one after another"),
        ("proof", counted(bench.proof_bytes, "byte"), ""),
        ("deck", counted(bench.deck_bytes, "byte"), ""),
    ]
    return "\n".join([head, *aligned(rows)])


def _beside_floor(ratio: float) -> str:
    return f"{ratio:,.2f} × floor"


@define
class _Step:
    """The times of one kind of step, and of its floor, in seconds."""

    floor: Callable[[], None]
    times: list[float] = field(factory=list)
    floors: list[float] = field(factory=list)

    def measure(self, step: Callable[[], _T]) -> _T:
        """Time the floor, then the step, and return the step's result."""
        self.floors.append(timed(self.floor)[1])
        result, seconds = timed(step)
        self.times.append(seconds)
        return result

    @property
    def ms(self) -> float:
        return 1000 * median(self.times)

    @property
    def ratio(self) -> float:
        return median(self.times) / median(self.floors)


@define
class _Steps:
    """The steps of a shuffle of `cards` cards, with their times."""

    cards: int
    locking: _Step = field(init=False)
    proving: _Step = field(init=False)
    decoding: _Step = field(init=False)
    verifying: _Step = field(init=False)
    proof_bytes: int = 0

    def __attrs_post_init__(self) -> None:
        self.locking = _Step(floor(lock_work(self.cards)))
        self.proving = _Step(floor(prove_work(self.cards)))
        self.decoding = _Step(floor(Work(0, 0, 0)))
        self.verifying = _Step(floor(verify_work(self.cards)))

    def shuffled(
        self, inputs: tuple[Point, ...], verifiers: int
    ) -> tuple[tuple[Point, ...], float]:
        """Return the deck after one player's shuffle, and the seconds until all verified it."""
        key = LockKey.generate(os.urandom)
        order = draw_permutation(self.cards, os.urandom)
        outputs = self.locking.measure(partial(lock_and_shuffle, inputs, key, order))
        statement = ShuffleStatement(b"bench", key.unlock_key, inputs, outputs)
        proof = self.proving.measure(partial(prove, statement, key, order))
        sent = _encoded(outputs), proof.encode()
        self.proof_bytes = len(sent[1])
        waits = []
        for _again in range(verifiers):
            received = self.decoding.measure(partial(_decoded, statement, *sent))
            self.verifying.measure(partial(verify, *received))
            waits.append(self.decoding.times[-1] + self.verifying.times[-1])
        return outputs, self.locking.times[-1] + self.proving.times[-1] + max(waits)


def _encoded(deck: tuple[Point, ...]) -> bytes:
    return b"".join(point.encode() for point in deck)


def _decoded(
    statement: ShuffleStatement, deck: bytes, proof: bytes
) -> tuple[ShuffleStatement, ShuffleProof]:
    """Return the objects that a player decodes from another player's shuffle."""
    points = tuple(Point.decode(deck[i : i + SIZE]) for i in range(0, len(deck), SIZE))
    return evolve(statement, outputs=points), ShuffleProof.decode(proof, len(points))


def floor(work: Work) -> Callable[[], None]:
    """Return a function for the bare operations of `work`, on random operands in memory."""
    multiply = library().crypto_scalarmult_ristretto255
    multiply_base = library().crypto_scalarmult_ristretto255_base
    add = library().crypto_core_ristretto255_add
    scalars = [random_scalar(os.urandom).encode() for _again in range(32)]
    points = [(random_scalar(os.urandom) * BASE).encode() for _again in range(32)]
    pairs = list(zip(scalars, points, strict=True))
    result = (ctypes.c_char * SIZE)()

    def bare() -> None:
        for scalar, point in islice(cycle(pairs), work.multiplications):
            multiply(result, scalar, point)
        for scalar in islice(cycle(scalars), work.base_multiplications):
            multiply_base(result, scalar)
        for _factor, point in islice(cycle(pairs), work.additions):
            add(result, result, point)

    return bare


def timed(function: Callable[[], _T]) -> tuple[_T, float]:
    """Return the function's result, and the seconds that it took."""
    start = time.perf_counter()
    result = function()
    return result, time.perf_counter() - start
