"""The bench of the audit counts the operations that are really done, and reports all figures."""

import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest

from engine.games import GAMES
from protocol import group
from protocol.audit import Auditor
from protocol.entries import OpenContent
from protocol.shuffle_proof import generators
from tests.bench import audit as bench_audit
from tests.bench.audit import AuditBench, as_json, entry_work, render
from tests.bench.deal import Work
from tests.protocol.computed_once import computed_anew
from tests.protocol.played import played

COUNTED = {
    "ristretto255": "multiplications",
    "ristretto255_base": "base_multiplications",
    "ristretto255_add": "additions",
    "ristretto255_sub": "additions",
}
BENCH = AuditBench("canasta", 4, 1, 300, 150, 9000, 3, 10.0, 2.0, 2, 1.5, 1.6, 700_000, 701_000)


@pytest.mark.parametrize("game", GAMES)
def test_the_floor_is_what_an_audit_really_does(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has every operation of the library on points, for a record with all kinds of entries."""
    moments = [*played(game, 2).moments]
    if game != "canasta":
        moments = moments[:60]
    expected = Counter[str]()
    for before, after in pairwise(moments):
        for work in entry_work(before.state, after.state):
            expected["multiplications"] += work.multiplications
            expected["base_multiplications"] += work.base_multiplications
            expected["additions"] += work.additions
    if game == "canasta":
        assert any(isinstance(moment.body.content, OpenContent) for moment in moments)
    generators(108)
    done = Counter[str]()

    def counting(name: str, called: Callable[..., int]) -> Callable[..., int]:
        def call(*buffers: object) -> int:
            done[COUNTED[name]] += 1
            return called(*buffers)

        return call

    for name in COUNTED:
        monkeypatch.setattr(group._sodium, name, counting(name, getattr(group._sodium, name)))
    auditor = Auditor()
    with computed_anew():
        for _ in auditor.feed(played(game, 2).record(upto=len(moments) - 1)):
            pass
    assert auditor.height == len(moments) - 1
    assert done == +expected


def test_a_small_run_reports_everything() -> None:
    bench = bench_audit.run("canasta", 2, 1, 1, seed=1)
    told = json.loads(as_json(bench))
    assert (told["game"], told["players"], told["rounds"], told["repeat"]) == ("canasta", 2, 1, 1)
    assert told["entries"] > 30
    assert told["proofs"] > 10
    assert told["floor_s"] > 0
    assert told["threads_s"] > 0
    assert told["first_half_peak"] > 0
    assert 0 < told["second_half_peak"] < 3_000_000
    assert told["share_of_play"] > 0
    seconds = told["entries"] / told["entries_per_s"]
    assert seconds == pytest.approx(told["audit_s"], rel=0.001), "which is rounded to that"


def test_figures_are_set_side_by_side() -> None:
    text = render(BENCH)
    assert "20% of that, 1.25 × floor" in text
    assert "701 kB  at most in the second half, 700 kB in the first" in text
    assert "1.50 s  0.94 × floor, proofs verified on 2 of them" in text
    assert "entries    150.0  a second" in text
    assert "rounds       0.5  a second" in text
    assert json.loads(as_json(BENCH))["floor_ratio"] == 1.25


def test_work_is_of_points_alone() -> None:
    assert bench_audit.unlock_work(11) == Work(25, 1, 22)
