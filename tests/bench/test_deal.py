"""The bench of the deal counts the operations that are really done, and reports all figures."""

from __future__ import annotations

import itertools
import json
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from protocol import group
from protocol.deck import card_points
from protocol.lock_key import LockKey
from protocol.shuffle import draw_permutation, lock_and_shuffle
from protocol.shuffle_proof import ShuffleProof, ShuffleStatement, generators, prove, verify
from tests.bench import deal as bench_deal
from tests.bench.deal import Work, as_json, lock_work, prove_work, render, run, verify_work
from tests.bench.figures import in_ms
from tests.protocol.seeded import seeded

COUNTED = {
    "ristretto255": "multiplications",
    "ristretto255_base": "base_multiplications",
    "ristretto255_add": "additions",
    "ristretto255_sub": "additions",
}


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count every call of the library from now on."""
    count: Counter[str] = Counter()

    def counting(name: str, function: Callable[..., int]) -> Callable[..., int]:
        def call(*buffers: object) -> int:
            count[COUNTED[name]] += 1
            return function(*buffers)

        return call

    for name in COUNTED:
        monkeypatch.setattr(group._sodium, name, counting(name, getattr(group._sodium, name)))
    return count


@pytest.mark.parametrize("cards", [1, 2, 7, 31, 108])
def test_the_work_is_what_the_library_really_does(cards: int, done: Counter[str]) -> None:
    entropy = seeded("work")
    deck = card_points(b"table", 1, 1, range(cards))
    key, permutation = LockKey.generate(entropy), draw_permutation(cards, entropy)
    generators(cards)

    def taken() -> Work:
        work = Work(
            *(done[name] for name in ("multiplications", "base_multiplications", "additions"))
        )
        done.clear()
        return work

    taken()
    outputs = lock_and_shuffle(deck, key, permutation)
    assert taken() == lock_work(cards)
    statement = ShuffleStatement(b"", key.unlock_key, deck, outputs)
    proof = prove(statement, key, permutation)
    assert taken() == prove_work(cards)
    verify(statement, proof)
    assert taken() == verify_work(cards)


@pytest.mark.parametrize("work", [Work(3, 2, 1), Work(70, 0, 40), prove_work(4)])
def test_the_floor_does_as_much(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()

    class Library:
        def __getattr__(self, name: str) -> Callable[..., None]:
            return lambda *_: calls.update([name])

    monkeypatch.setattr(bench_deal, "library", Library)
    bench_deal.floor(work)()
    assert calls == {
        name: times
        for name, times in {
            "crypto_scalarmult_ristretto255": work.multiplications,
            "crypto_scalarmult_ristretto255_base": work.base_multiplications,
            "crypto_core_ristretto255_add": work.additions,
        }.items()
        if times
    }


@pytest.mark.parametrize("threads", [1, 2])
def test_a_small_run_reports_everything(threads: int) -> None:
    bench = run(players=3, cards=4, repeat=2, threads=threads)
    report = json.loads(as_json(bench))
    assert report["players"] == 3
    assert report["cards"] == 4
    assert report["repeat"] == 2
    assert report["threads"] == threads
    assert report["deck_bytes"] == 4 * 32
    assert report["proof_bytes"] == 32 * (3 * 4 + 11)
    assert report["decode_ms"] > 0
    for name in ("lock", "prove", "verify"):
        assert report[f"{name}_ms"] > 0
        assert report[f"{name}_floor_ratio"] > 0
    assert report["phase_ms"] > 0
    text = render(bench)
    assert "4 cards" in text
    assert ("3 players, one after another" in text) == (threads == 1)
    assert in_ms(bench.phase_ms) in text


def test_the_phase_is_the_sum_over_players_with_the_slowest_verifier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a clock on which every reading is one second later, each step takes one second."""
    seconds = iter(range(10_000))
    monkeypatch.setattr("time.perf_counter", lambda: next(seconds))
    bench = run(players=3, cards=2, repeat=2)
    assert bench.lock_ms == bench.prove_ms == bench.decode_ms == bench.verify_ms == 1000
    assert bench.phase_ms == 3 * 4000
    assert bench.verify_floor_ratio == 1


def test_on_two_threads_a_deck_is_shuffled_on_while_it_is_verified(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proven = {number: threading.Event() for number in range(1, 4)}
    count = itertools.count(1)

    def noted(*arguments: Any, **threads: Any) -> ShuffleProof:
        proven[next(count)].set()
        return prove(*arguments, **threads)

    verified = itertools.count(1)

    def waits(statement: ShuffleStatement, proof: ShuffleProof, **threads: Any) -> None:
        following = next(verified) + 1
        assert following not in proven or proven[following].wait(120)
        verify(statement, proof, **threads)

    monkeypatch.setattr(bench_deal, "prove", noted)
    monkeypatch.setattr(bench_deal, "verify", waits)
    bench_deal._overlapped(3, card_points(b"table", 1, 1, range(2)), map)
    assert all(event.is_set() for event in proven.values())
    assert next(verified) == 4
