"""The presenter: it shows a table on a display, and passes a person's decisions to the seat."""

from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
import trio
from attrs import evolve
from trio.testing import MockClock

from client.bots.eager import choose
from client.session.display.pile_events import NOTHING_SEEN, Thrown
from client.session.display.snapshot import Saving
from client.session.display.table_history import TableHistory
from engine.moves import Discard, DrawStock
from engine.turn import Step
from protocol.match.messages import Wish, WishKind
from protocol.table.tasks import Change
from tests.client.plain_seat import PlainSeat
from tests.client.recording_display import RecordingDisplay, presented
from tests.client.ui.tui.situations import next_round_begun


def seat_of(game: str, players: int, **options: bool | int) -> PlainSeat:
    others = partial(choose, rng=Random(2))
    return PlainSeat.sit(game, players, others, seed=5, **options)


async def test_the_presenter_follows_a_match_from_the_draw_to_the_last_sheet() -> None:
    """The events of a round follow its moves, and are cleared after the round."""
    seat, player = seat_of("canasta", 4, rounds=2), RecordingDisplay(partial(choose, rng=Random(3)))
    async with presented(seat, player):
        seat.run()
        while not seat.state.match.over:
            await trio.testing.wait_all_tasks_blocked()
        await trio.testing.wait_all_tasks_blocked()
    last, names = player.shown[-1], set[str]()
    assert last.state.match.over
    assert (last.said, player.refused) == (len(last.log), [])
    assert sum("is counted and signed by all" in line.text for line in last.log) == 2
    assert any(line.text.startswith("The draw has decided the seats") for line in last.log)
    assert [one.number for one in last.rounds] == [1, 2]
    assert last.last_counted is last.rounds[-1]
    assert last.rounds[-1].totals == last.state.match.totals
    for before, after in pairwise(player.shown):
        if before.state.match.round_number != after.state.match.round_number:
            assert after.events == NOTHING_SEEN
        events, round_ = after.events.events, after.state.match.round
        if round_ is not None and events and isinstance(events[-1], Thrown):
            assert round_.pile[-1].card == events[-1].card
            names.add(events[-1].name)
    assert names


async def test_a_wish_is_handled_while_a_move_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A move would wait for ever at a table that has stopped because of a cheat."""
    seat, wish = seat_of("canasta", 3), Wish(WishKind.END, b"")
    seat.missing = frozenset({2})
    monkeypatch.setattr(PlainSeat, "play", lambda *_: trio.sleep_forever())
    player = RecordingDisplay()
    async with presented(seat, player):
        for decision in ((DrawStock(),), wish):
            player.decide(decision)
            await trio.testing.wait_all_tasks_blocked()
        assert seat.wished == [wish]


@pytest.mark.parametrize(
    ("sheets", "closed", "kept"),
    [
        ((0, 1), True, [(1, False), (2, False)]),
        # The second round is over here, but not all have signed its count.
        ((0,), False, [(1, False), (2, False)]),
        ((0,), True, [(1, False)]),
        ((0, 1, 0), True, [(1, False), (2, False), (3, True)]),
        ((0, 0), True, [(1, False), (2, True)]),
        ((1,), True, [(1, True)]),
        ((), True, []),
    ],
)
def test_a_continuation_keeps_the_rounds_that_it_counts(
    sheets: tuple[int, ...], closed: bool, kept: list[tuple[int, bool]]
) -> None:
    """A continuation may begin at an earlier place than the newest that this node knows.

    For example, it may begin before all have signed the count of the second round. `closed` is
    False if the continuation begins within a round.
    This node has counted two rounds, and is in the third. `sheets` are the sheets of the
    continuation, by this node's numbers: 0 for the first round, 1 for the second. A sheet in the
    wrong place, such as the second 0 of (0, 0), stands for a count that this node does not know:
    that round is shown as interrupted.
    """
    now = next_round_begun("canasta", 4)
    played, match = now.rounds, now.state.match
    counted = tuple(match.sheets[number] for number in sheets)
    goes_on = evolve(match, sheets=counted, round=None if closed else played[1].position)
    after = evolve(now.state, table_id=bytes(32), match=goes_on, last=None)
    history = TableHistory(lambda _change: (), rounds=played)
    history.follow(Change(now.state, after))
    assert [(one.number, one.interrupted) for one in history.rounds] == kept
    assert all(one.sheet is match.sheets[n] for one, n in zip(history.rounds, sheets, strict=False))
    for one in history.rounds:
        if one.interrupted:
            assert (one.position, one.totals) == (match.round, match.totals)


async def test_the_display_is_told_when_too_many_decisions_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(PlainSeat, "play", lambda *_: trio.sleep_forever())
    player = RecordingDisplay()
    async with presented(seat_of("canasta", 2), player):
        for _number in range(103):
            player.decide((DrawStock(),))
            await trio.testing.wait_all_tasks_blocked()
    # One decision is under way, and a hundred wait.
    assert len(player.told) == 2, "two decisions should have been dropped"
    assert "left out" in player.told[0]


async def test_dealing_is_shown_at_intervals_but_its_end_immediately(
    mock_clock: MockClock,
) -> None:
    """Drawing a screen takes as long as an unlocking, and would delay the unlockings."""
    seat = seat_of("canasta", 2)
    player = RecordingDisplay()

    async def shown(seconds: float = 0.0) -> list[int]:
        mock_clock.jump(seconds)
        await trio.testing.wait_all_tasks_blocked()
        return [snapshot.state.height for snapshot in player.shown]

    async with presented(seat, player):
        assert await shown() == [0]
        seat._advance(seat.state, None)
        assert seat.state.match.orders
        assert await shown() == [0]
        assert await shown(0.05) == [0]  # while cards are dealt, the display waits 0.1 s
        seat._advance(seat.state, None)
        assert await shown(0.06) == [0, 2]
        seat._advance(seat.state, None)
        assert await shown() == [0, 2]
        seat.step(seat.others)
        assert not seat.state.match.orders
        assert await shown() == [0, 2, 4]
        assert await shown(0.2) == [0, 2, 4]


async def test_moves_of_one_decision_are_made_in_order_until_one_is_refused() -> None:
    seat, player = seat_of("canasta", 2), RecordingDisplay()
    seat.run()
    async with presented(seat, player):
        while seat.view is None or seat.view.turn.step is not Step.DRAW:
            assert seat.view is not None
            await seat.play(choose(seat.view, Random(3)))
        height, view = seat.state.height, seat.view
        after = seat.dealer.fulfil(view.apply(DrawStock()))
        card = seat.dealer.view(after, view.turn.seat).hand(view.turn.seat)[0]
        player.decide((DrawStock(), Discard(card)))
        await trio.testing.wait_all_tasks_blocked()
        assert player.refused == []
        assert seat.state.height >= height + 2
        player.decide((Discard(card), DrawStock()))
        await trio.testing.wait_all_tasks_blocked()
    assert len(player.refused) == 1


async def test_a_record_is_saved_again_only_when_it_has_grown(home: Path) -> None:
    seat, player = seat_of("canasta", 2), RecordingDisplay()
    seat.kept = (b"one", b"two")
    async with presented(seat, player):
        for number in range(4):
            if number == 2:
                seat.step(seat.others)
            player.decide(Saving.RECORD)
            while len(player.told) == number:
                await trio.lowlevel.checkpoint()
    first, second = sorted((home / "records").iterdir())
    assert [path.read_bytes() for path in (first, second)] == [b"onetwo"] * 2
    assert "canasta-1" in first.name
    told = "The record so far is in {path}. To check it: sobremesa audit {path}"
    assert player.told == [told.format(path=path) for path in (first, first, second, second)]


async def test_a_failure_to_save_the_record_is_shown(home: Path) -> None:
    home.rmdir()
    home.write_text("no folder")
    seat, player = seat_of("canasta", 2), RecordingDisplay()
    async with presented(seat, player):
        player.decide(Saving.RECORD)
        while not player.told:
            await trio.lowlevel.checkpoint()
    assert str(home) in player.told[0]


async def test_a_resumed_table_has_its_earlier_log_and_sheets() -> None:
    """Both show what was played before the restart, taken from the record."""
    seat = seat_of("canastra", 2, rounds=2)
    changes = seat.changes()
    while not seat.state.match.sheets:
        seat.step(partial(choose, rng=Random(4)))
    past = []
    while seat.watchers[0].statistics().current_buffer_used:
        past.append(await anext(changes))
    seat.past = tuple(past)
    player = RecordingDisplay()
    async with presented(seat, player):
        pass
    first = player.shown[0]
    assert first.last_counted is not None
    assert first.last_counted.totals == seat.state.match.totals
    assert "Round 1 is counted and signed by all." in [line.text for line in first.log]
