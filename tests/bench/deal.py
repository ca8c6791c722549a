"""`python -m tests.bench deal`: the time that the players of one deal wait for its shuffles.

Each player in turn locks and shuffles the deck and makes the proof. Then all others decode the deck
and the proof from bytes and verify them, each on their own machine. So for each player this phase
of a deal takes the time to lock and shuffle, the time to prove, and the time of the slowest
verifier. All is done on one thread.

The times of lock, prove and verify are compared with a floor: the same number of bare
multiplications and additions in the library. The floor is measured between the steps of the same
run.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import cycle, islice
from statistics import median
from typing import TypeVar

from attrs import define, evolve, field, frozen

from engine.game import LARGEST_DECK
from protocol.cards_as_points import card_points
from protocol.group import BASE, SIZE, Point, library, random_scalar
from protocol.lock_key import LockKey
from protocol.shuffle import draw_permutation, lock_and_shuffle
from protocol.shuffle_proof import ShuffleProof, ShuffleStatement, prove, verify
from tests.bench.figures import Figures, add_number

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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run`."""
    add_number(parser, "--players", 2, 6, 4, "number of players, who all shuffle")
    add_number(parser, "--cards", 1, LARGEST_DECK, 108, "cards of the deck")
    add_number(parser, "--repeat", 1, 1_000, 9, "deal N times, and take the medians")


def run(players: int, cards: int, repeat: int) -> list[Figures]:
    """Shuffle a deck of `cards` among `players`, `repeat` times.

    Times are medians, and each `floor_ratio` is a time divided by that of its floor.
    """
    steps = {
        "lock": _Step(floor(lock_work(cards))),
        "prove": _Step(floor(prove_work(cards))),
        "decode": _Step(floor(Work(0, 0, 0))),
        "verify": _Step(floor(verify_work(cards))),
    }
    deck = card_points(os.urandom(SIZE), 1, 1, range(cards))
    phases = []
    for _again in range(repeat):
        shuffled, phase = deck, 0.0
        for _player in range(players):
            shuffled, seconds = _shuffled(shuffled, players - 1, steps)
            phase += seconds
        phases.append(phase)
    return [
        {
            "players": players,
            "cards": cards,
            "repeat": repeat,
            **{f"{name}_ms": 1000 * median(step.times) for name, step in steps.items()},
            "phase_ms": 1000 * median(phases),
            **{
                f"{name}_floor_ratio": median(step.times) / median(step.floors)
                for name, step in steps.items()
                if name != "decode"
            },
        }
    ]


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


def _shuffled(
    inputs: tuple[Point, ...], verifiers: int, steps: Mapping[str, _Step]
) -> tuple[tuple[Point, ...], float]:
    """Return the deck after one player's shuffle, and the seconds until all have verified it."""
    key = LockKey.generate(os.urandom)
    order = draw_permutation(len(inputs), os.urandom)
    outputs = steps["lock"].measure(partial(lock_and_shuffle, inputs, key, order))
    statement = ShuffleStatement(b"bench", key.unlock_key, inputs, outputs)
    proof = steps["prove"].measure(partial(prove, statement, key, order))
    sent = b"".join(point.encode() for point in outputs), proof.encode()
    waits = []
    for _again in range(verifiers):
        received = steps["decode"].measure(partial(_decoded, statement, *sent))
        steps["verify"].measure(partial(verify, *received))
        waits.append(steps["decode"].times[-1] + steps["verify"].times[-1])
    return outputs, steps["lock"].times[-1] + steps["prove"].times[-1] + max(waits)


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
