"""Frames on a stream: whole, in pieces, and oversize."""

from functools import partial

import pytest
import trio
from trio.testing import lockstep_stream_pair, memory_stream_pair

from p2p.background_task import beside
from p2p.transport.frames import (
    FRAME_LIMIT,
    Frames,
    FrameTooLarge,
    LinkClosed,
    LinkError,
    LinkStalled,
    Pace,
    SlowReader,
)

pytestmark = pytest.mark.usefixtures("autojump_clock")

PACE = Pace(frame_bytes=1000, patience=20, silence=60, queue=4)


def stream_to_frames() -> tuple[trio.abc.Stream, Frames]:
    """Return the sender's end of a stream, and the frames that are read at the other end."""
    near, far = memory_stream_pair()
    return near, Frames(far, PACE)


async def dribble(stream: trio.abc.SendStream, data: bytes, pause: float) -> None:
    for at in range(len(data)):
        await trio.sleep(pause)
        await stream.send_all(data[at : at + 1])


async def test_frames_arrive_whole_and_in_order(nursery: trio.Nursery) -> None:
    near, far = memory_stream_pair()
    sender, receiver = Frames(near, PACE), Frames(far, PACE)
    nursery.start_soon(sender.pump)
    sent = [b"", b"a", bytes(1000), b"\xff" * 999]
    for frame in sent:
        await sender.send(frame)
    assert [await receiver.receive() for _ in sent] == sent


async def test_a_link_is_closed_as_its_stream_wants_to_be_closed(nursery: trio.Nursery) -> None:
    """When TLS is closed, it tells the other side that nothing was cut off."""
    near, _ = memory_stream_pair()
    close, closed = near.aclose, 0

    async def aclose() -> None:
        nonlocal closed
        await trio.lowlevel.checkpoint()
        closed += 1
        await close()

    near.aclose = aclose  # type: ignore[method-assign]
    frames = Frames(near, PACE)
    nursery.start_soon(frames.pump)
    await frames.aclose()
    assert closed == 1  # a close by force would be cancelled at the checkpoint above


async def test_frames_are_put_together_from_single_bytes() -> None:
    near, frames = stream_to_frames()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(dribble, near, b"\0\0\0\5hello\0\0\0\0", 0.1)
        assert await frames.receive() == b"hello"
        assert await frames.receive() == b""


async def test_frames_that_come_together_are_given_out_one_by_one(nursery: trio.Nursery) -> None:
    near, frames = stream_to_frames()
    await near.send_all(b"\0\0\0\1a" * 5 + b"\0\0\0\5hel")
    turns = 0

    async def another() -> None:
        nonlocal turns
        while True:
            await trio.lowlevel.checkpoint()
            turns += 1

    nursery.start_soon(another)
    seen = []
    for _ in range(5):
        assert await frames.receive() == b"a"
        seen.append(turns)
    # The other task has a turn in each of the four pauses, but in the first or last one it may run
    # outside the two counts.
    assert seen[-1] - seen[0] >= 3, "other tasks do not run between two frames"
    await near.send_all(b"lo")
    assert await frames.receive() == b"hello"
    nursery.cancel_scope.cancel()


async def test_a_cancelled_receive_loses_nothing_of_a_frame() -> None:
    near, frames = stream_to_frames()
    await near.send_all(b"\0\0\0\5hel")
    with trio.move_on_after(1):
        await frames.receive()
    await near.send_all(b"lo")
    assert await frames.receive() == b"hello"


async def test_frames_are_not_returned_after_the_link_is_closed(nursery: trio.Nursery) -> None:
    near, frames = stream_to_frames()
    nursery.start_soon(frames.pump)
    await near.send_all(b"\0\0\0\1a" * 2)
    assert await frames.receive() == b"a"
    await frames.aclose()
    with pytest.raises(LinkClosed, match="This node"):
        await frames.receive()


@pytest.mark.parametrize("length", [1001, 2**31, 2**32 - 1])
async def test_an_oversize_frame_is_refused_before_its_bytes_arrive(length: int) -> None:
    """Everything later on the link raises the same error, even after the link is closed."""
    near, frames = stream_to_frames()
    await near.send_all(length.to_bytes(4, "big"))
    for _ in range(2):
        with pytest.raises(FrameTooLarge, match=str(length)):
            await frames.receive()
    with pytest.raises(trio.BrokenResourceError):
        await near.send_all(b"more")
    with pytest.raises(FrameTooLarge):
        await frames.send(b"the link has ended")
    await frames.pump()
    await frames.aclose()
    with pytest.raises(FrameTooLarge):
        frames.send_nowait(b"")
    with pytest.raises(FrameTooLarge):
        await frames.receive()


async def test_sending_an_oversize_frame_is_a_bug() -> None:
    frames = Frames(memory_stream_pair()[0], PACE)
    with pytest.raises(ValueError, match="1001"):
        await frames.send(bytes(1001))
    with pytest.raises(ValueError, match="1001"):
        frames.send_nowait(bytes(1001))


async def test_the_default_limit_of_a_frame_has_room_for_the_largest_entry() -> None:
    assert Pace().frame_bytes == FRAME_LIMIT > 64 * 1024


@pytest.mark.parametrize(
    ("data", "pause", "seconds", "says"),
    [
        (b"", 1.0, 60, "said nothing"),
        (b"\0\0\3\0", 9.0, 9 + 20, "unfinished"),
        (b"\0\0\0\x09" + bytes(9), 4.5, 4.5 + 20, "unfinished"),
    ],
    ids=["nothing comes", "the header comes slowly", "header and body share one timeout"],
)
async def test_a_peer_who_sends_a_frame_too_slowly_is_cut_off(
    data: bytes, pause: float, seconds: float, says: str
) -> None:
    near, frames = stream_to_frames()
    async with beside(partial(dribble, near, data, pause)):
        with pytest.raises(LinkStalled, match=says):
            await frames.receive()
    assert trio.current_time() == pytest.approx(seconds)


@pytest.mark.parametrize("start", [b"", b"\0\0", b"\0\0\0\5hell"])
async def test_an_ended_connection_raises_linkclosed_at_any_point(start: bytes) -> None:
    near, frames = stream_to_frames()
    await near.send_all(start)
    await near.aclose()
    for _ in range(2):
        with pytest.raises(LinkClosed):
            await frames.receive()
    with pytest.raises(LinkClosed):
        frames.send_nowait(b"hello")


async def test_the_queue_for_a_slow_reader_is_bounded() -> None:
    near, _far = lockstep_stream_pair()  # sending blocks until the other end reads
    frames = Frames(near, PACE)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(frames.pump)
        frames.send_nowait(b"goes to the pump")
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(PACE.queue):
            frames.send_nowait(b"waits")
        with pytest.raises(SlowReader, match="4 messages"):
            frames.send_nowait(b"one too many")

        # A sender who waits for room in the queue gets an error in the end.
        with pytest.raises(LinkStalled, match="did not read"):
            await frames.send(b"x")
        with pytest.raises(LinkStalled):
            frames.send_nowait(b"x")
        with pytest.raises(LinkError):
            await frames.receive()
    assert trio.current_time() == pytest.approx(20)


async def test_queued_frames_are_sent_before_the_link_is_closed(nursery: trio.Nursery) -> None:
    near, far = memory_stream_pair()
    sender, receiver = Frames(near, PACE), Frames(far, PACE)
    nursery.start_soon(sender.pump)
    for frame in (b"last", b"words"):
        sender.send_nowait(frame)
    await sender.aclose()
    await sender.aclose()
    assert trio.current_time() == 0
    assert await receiver.receive() == b"last"
    assert await receiver.receive() == b"words"
    with pytest.raises(LinkClosed, match="closed"):
        await receiver.receive()
    with pytest.raises(LinkClosed, match="This node has closed"):
        await sender.send(b"")
    with pytest.raises(LinkClosed, match="This node has closed"):
        await sender.receive()


async def test_closing_does_not_wait_long_for_a_peer_who_does_not_read() -> None:
    near, _far = lockstep_stream_pair()
    frames = Frames(near, PACE)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(frames.pump)
        frames.send_nowait(b"x")
        await trio.testing.wait_all_tasks_blocked()
        await frames.aclose()
        assert trio.current_time() == pytest.approx(2)
        with pytest.raises(trio.ClosedResourceError):
            await near.send_all(b"the stream is closed all the same")


async def test_a_link_is_closed_when_its_task_ends() -> None:
    """Senders hear only that the link is closed, because nobody is at fault."""
    frames = Frames(memory_stream_pair()[0], PACE)
    with trio.move_on_after(0):
        await frames.pump()
    with pytest.raises(LinkClosed, match="The link is closed"):
        frames.send_nowait(b"")
    with pytest.raises(LinkClosed, match="The link is closed"):
        await frames.send(b"")


async def test_a_link_that_breaks_during_a_send_reports_it() -> None:
    near, far = memory_stream_pair()
    frames = Frames(near, PACE)
    await far.aclose()
    await frames.send(b"x")
    await frames.pump()
    with pytest.raises(LinkClosed, match="broke"):
        await frames.send(b"x")


async def test_closing_wakes_the_task_that_receives(nursery: trio.Nursery) -> None:
    near, _far = memory_stream_pair()
    frames = Frames(near, PACE)
    nursery.start_soon(frames.pump)

    async def receive() -> None:
        with pytest.raises(LinkClosed, match="This node has closed"):
            await frames.receive()

    async with trio.open_nursery() as receiving:
        receiving.start_soon(receive)
        await trio.testing.wait_all_tasks_blocked()
        await frames.aclose()
