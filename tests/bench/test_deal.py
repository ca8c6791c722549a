"""The bench of the deal, which counts exactly the operations that a deal does."""

from collections import Counter
from collections.abc import Callable

import pytest

from protocol.cards_as_points import card_points
from protocol.lock_key import LockKey
from protocol.shuffle import draw_permutation, lock_and_shuffle
from protocol.shuffle_proof import ShuffleStatement, generators, prove, verify
from tests.bench import deal as bench_deal
from tests.bench.deal import Work, lock_work, prove_work, run, verify_work
from tests.protocol.seeded import seeded


@pytest.mark.parametrize("cards", [1, 7, 108])
def test_work_counts_the_operations_of_the_library(cards: int, done: Counter[str]) -> None:
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


@pytest.mark.parametrize("work", [Work(3, 2, 1), Work(70, 0, 40)])
def test_floor_calls_the_library_once_for_each_counted_operation(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: Counter[str] = Counter()

    class Library:
        def __getattr__(self, name: str) -> Callable[..., None]:
            return lambda *_: calls.update([name])

    monkeypatch.setattr(bench_deal, "library", Library)
    bench_deal.floor(work)()
    assert calls == +Counter(
        crypto_scalarmult_ristretto255=work.multiplications,
        crypto_scalarmult_ristretto255_base=work.base_multiplications,
        crypto_core_ristretto255_add=work.additions,
    )


def test_deal_phase_adds_up_each_player_and_their_slowest_verifier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each reading of the clock is one second later, so each of the four steps takes a second."""
    seconds = iter(range(10_000))
    monkeypatch.setattr("time.perf_counter", lambda: next(seconds))
    (bench,) = run(players=3, cards=2, repeat=2)
    times = {name: bench[f"{name}_ms"] for name in ("lock", "prove", "decode", "verify", "phase")}
    assert times == {**dict.fromkeys(times, 1000), "phase": 3 * 4000}
    assert bench["verify_floor_ratio"] == 1
