"""Shared judging: the nodes of one process judge each sound entry only once for all of them."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio

from client.session.loopback_table import loopback_table
from engine.games import game_named
from engine.sentences import Sentence
from p2p.shuffle_threads import on_all_cores, on_half_the_cores
from p2p.table import shared_judging
from p2p.table.shared_judging import JudgedOnce, judged
from protocol.errors import Exposed
from protocol.reducer import advance
from protocol.state import State
from tests.protocol.played import played, unlocking


@pytest.fixture
def judgements(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """Return the number of times that each height was judged."""
    count = Counter[int]()

    def counted(state: State, entry: bytes, **how: Any) -> State:
        count[state.height] += 1
        return advance(state, entry, is_own=True, **how)  # without verifying the proofs

    monkeypatch.setattr(shared_judging, "advance", counted)
    return count


@pytest.mark.parametrize("holds", [True, False], ids=["sound entry", "false entry"])
def test_a_second_caller_waits_and_gets_the_same_result(
    monkeypatch: pytest.MonkeyPatch, judgements: Counter[int], holds: bool
) -> None:
    moment, judge = unlocking(), JudgedOnce()
    begun, others_came = threading.Event(), threading.Event()

    def slowly(state: State, entry: bytes) -> State:
        begun.set()
        assert others_came.wait(60)
        if not holds:
            raise Exposed(moment.writer, "R11", Sentence("They have lied."), (entry,))
        return judged(state, entry)

    monkeypatch.setattr(shared_judging, "judged", slowly)
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(judge, moment.state, moment.entry)
        assert begun.wait(60)
        others = [pool.submit(judge, moment.state, moment.entry) for _ in range(2)]
        others_came.set()
        heard = [future.exception() or future.result() for future in (first, *others)]
    if holds:
        assert all(state is heard[0] for state in heard)
        assert judgements == {moment.state.height: 1}
    else:
        assert [type(error) for error in heard] == 3 * [Exposed]


def test_half_of_the_cores_verify_while_this_node_shuffles(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[object] = []

    def noted(state: State, _entry: bytes, *, parallel_map: object) -> State:
        used.append(parallel_map)
        return state

    monkeypatch.setattr(shared_judging, "advance", noted)
    # If one writer is left, this shuffle is the last: nobody shuffles while it is verified.
    for writers in ((0,), (0, 1), (0, 1, 2)):
        judged(SimpleNamespace(writers=writers), b"entry")  # type: ignore[arg-type]
    assert used == [on_all_cores, on_half_the_cores, on_half_the_cores]


def test_other_entries_and_entries_in_other_places_are_judged_separately(
    judgements: Counter[int],
) -> None:
    judge = JudgedOnce()
    one, two = played().moments[:2]
    for _ in range(2):
        assert judge(one.state, one.entry).head == two.state.head
        assert judge(two.state, two.entry).height == 2
    assert judgements == {0: 1, 1: 1}
    with pytest.raises(Exposed):
        judge(one.state, two.signed(two.body.content, place=one.state.next_place))


def test_a_failed_judgement_is_not_cached() -> None:
    moment, judge = unlocking(), JudgedOnce()
    false = moment.signed(played().at(1).body.content)  # of another kind than is due
    for _ in range(2):
        with pytest.raises(Exposed) as raised:
            judge(moment.state, false)
        assert (raised.value.player, raised.value.cause) == (moment.writer, "R11")
    assert judge(moment.state, moment.entry).height == moment.state.height + 1


def test_only_the_latest_judgements_are_cached(judgements: Counter[int]) -> None:
    judge = JudgedOnce()
    moments = played().moments[: shared_judging._REMEMBERED + 2]
    for moment in moments:
        judge(moment.state, moment.entry)
    assert len(judge._found) == shared_judging._REMEMBERED
    judge(moments[-1].state, moments[-1].entry)
    assert judgements[moments[-1].state.height] == 1
    judge(moments[0].state, moments[0].entry)
    assert judgements[0] == 2


@pytest.mark.usefixtures("without_proofs")
async def test_at_a_table_in_one_process_each_entry_is_judged_only_once(
    tmp_path: Path, judgements: Counter[int]
) -> None:
    game, names = game_named("canasta"), ["Ana", "Bruno", "Carla"]
    async with (
        loopback_table(game, game.options(), names, tmp_path) as nodes,
        trio.open_nursery() as nursery,
    ):
        for node in nodes:
            nursery.start_soon(node.run)
        with trio.fail_after(60):
            for node in nodes:
                while node.height < 4:
                    await node.progress.wait()
        nursery.cancel_scope.cancel()
    assert {judgements[height] for height in range(4)} == {1}
