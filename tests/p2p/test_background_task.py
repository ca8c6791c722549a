"""A task that runs while a block runs, and ends with it."""

import pytest
import trio

from p2p.background_task import beside

pytestmark = pytest.mark.usefixtures("autojump_clock")


async def test_the_task_runs_as_long_as_the_block() -> None:
    beats: list[float] = []

    async def beat() -> None:
        while True:
            beats.append(trio.current_time())
            await trio.sleep(1)

    with trio.fail_after(60):
        async with beside(beat):
            await trio.sleep(2.5)
    await trio.sleep(10)
    assert len(beats) == 3


async def test_an_error_of_the_block_is_raised_as_it_is() -> None:
    with pytest.raises(ValueError, match="of the block"):
        async with beside(trio.sleep_forever):
            raise ValueError("of the block")


async def test_an_error_of_the_task_cancels_the_block() -> None:
    async def fail() -> None:
        await trio.sleep(1)
        raise ValueError("of the task")

    with trio.fail_after(60), pytest.raises(ExceptionGroup) as caught:
        async with beside(fail):
            await trio.sleep_forever()
    assert caught.group_contains(ValueError, match="of the task")
