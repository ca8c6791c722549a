"""Absence of a player: snapshots for the display, and the decisions of the person there."""

import pytest
import trio
from attrs import evolve

from client.session.display.snapshot import Resolve
from protocol.match.messages import Wish, WishKind
from tests.client.recording_display import RecordingDisplay, presented
from tests.client.waiting_seat import seat_waiting

pytestmark = pytest.mark.usefixtures("autojump_clock")


async def test_the_display_is_updated_each_second_only_while_somebody_is_awaited() -> None:
    seat, display = seat_waiting(4, grace_left=99), RecordingDisplay()
    async with presented(seat, display, with_bots=True):
        await trio.sleep(29.5)
        assert len(display.shown) == 1
        await trio.sleep(3)
        told = [snapshot.absence for snapshot in display.shown[1:]]
        assert [one.silent for one in told if one] == [30, 31, 32]
        seat.awaited = None
        await trio.sleep(1)
        assert display.shown[-1].absence is None


async def test_a_lost_or_restored_link_is_reported_within_a_second() -> None:
    seat, display = seat_waiting(4, grace_left=99), RecordingDisplay()
    async with presented(seat, display, with_bots=True):
        await trio.sleep(3)
        seat.unreached = frozenset({2})
        await trio.sleep(0.9)
        assert [line.text for line in display.shown[-1].log] == [
            "The machine of Carla cannot be reached."
        ]
        seat.unreached = frozenset()
        await trio.sleep(0.9)
        assert display.shown[-1].log[-1].text == "The machine of Carla can be reached again."
        told = len(display.shown[-1].log)
        seat.unreached = frozenset({2})
        await trio.sleep(0.1)
        seat.unreached = frozenset()
        await trio.sleep(3)
        assert len(display.shown[-1].log) == told, (
            "a link that is replaced at once is not reported as lost"
        )


async def test_a_display_without_own_bots_shows_no_absence() -> None:
    seat, display = seat_waiting(4), RecordingDisplay()
    async with presented(seat, display):
        await trio.sleep(500)
    assert [snapshot.absence for snapshot in display.shown] == [None]


async def test_wishes_go_to_the_node_and_refusals_to_the_display() -> None:
    seat, display = seat_waiting(4), RecordingDisplay()
    async with presented(seat, display, with_bots=True):
        display.decide(Wish(WishKind.OPPONENT))
        display.decide(Resolve.JOIN)
        await trio.sleep(1)
        assert seat.wished == [Wish(WishKind.OPPONENT), None]
        absence = display.shown[-1].absence
        assert absence is not None
        assert absence.wish_of(0) == Wish(WishKind.OPPONENT)
        seat.missing = frozenset()
        display.decide(Wish(WishKind.END))
        await trio.sleep(1)
    assert ["Nobody is missing" in str(error) for error in display.refused] == [True]


async def test_a_match_that_was_given_up_shows_no_absence() -> None:
    seat, display = seat_waiting(2, linked=False), RecordingDisplay()
    async with presented(seat, display, with_bots=True):
        await trio.sleep(2)
        display.decide(Resolve.GIVE_UP)
        await trio.sleep(2)
        assert seat.given_up
        assert display.shown[-1] == evolve(display.shown[-1], given_up=True, absence=None)
