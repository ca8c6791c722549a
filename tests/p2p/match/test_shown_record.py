"""The parts of a record that a visitor is sent, once or again (nodes.md, 3.8)."""

from collections.abc import Sequence
from typing import cast

import pytest
import trio
from attrs import define, field

from p2p.match.history import KeptHistory
from p2p.match.shown_record import _AGAIN, _AT_ONCE, _PAUSE_SECONDS, ShownRecord
from p2p.transport.link import Link
from p2p.transport.messages import Agreed, Message, unpack
from protocol.table.messages import Carry

pytestmark = pytest.mark.usefixtures("autojump_clock")

LENGTH = 40
SINCE = 28
"""The number of the first part that differs in the other record."""

CHARTER = Agreed(b"charter")


@define
class Table:
    """A fake source with the parts `kept`, which is also a fake link that keeps what is sent."""

    kept: list[bytes] = field(factory=list)
    then: list[bytes] = field(factory=list)
    """The parts that replace `kept` after the next request for several parts, unless empty."""
    said: list[Message] = field(factory=list)

    @property
    def number(self) -> int:
        return len(self.kept)

    def greeting(self) -> Agreed:
        return CHARTER

    async def parts(self, since: int, most: int) -> Sequence[bytes]:
        await trio.lowlevel.checkpoint()
        asked = self.kept[since - 1 : since - 1 + most]
        if most > 1:
            self.kept, self.then = self.then or self.kept, []
        return asked

    async def send(self, frame: bytes) -> None:
        await trio.lowlevel.checkpoint()
        self.said.append(unpack(frame))

    def heard(self) -> list[Message]:
        """Return the messages sent since the last call."""
        said, self.said = self.said, []
        return said

    def carried(self, first: int = 1) -> list[Message]:
        """Return the messages that carry the parts from number `first` on."""
        carried = (Carry(number, part) for number, part in enumerate(self.kept, 1))
        return list[Message](carried)[first - 1 :]

    def new(self) -> ShownRecord:
        return ShownRecord(cast(KeptHistory, self), cast(Link, self))

    def resumed(self, number: int) -> ShownRecord:
        return ShownRecord.resumed(cast(KeptHistory, self), cast(Link, self), number)


async def show(shown: ShownRecord) -> None:
    """Show all parts, which takes no time except for the pauses."""
    with trio.fail_after(10 * _PAUSE_SECONDS):
        await shown.show()


@pytest.fixture
def one() -> list[bytes]:
    return [b"part %d" % number for number in range(1, LENGTH + 1)]


@pytest.fixture
def other(one: list[bytes]) -> list[bytes]:
    """Return the parts of a record that goes on at another table from number `SINCE` on."""
    return one[: SINCE - 1] + [b"of another table %d" % n for n in range(SINCE, LENGTH + 1)]


async def test_the_charter_comes_first_and_each_part_once(one: list[bytes]) -> None:
    table = Table()
    shown = table.new()
    await show(shown)
    assert table.heard() == [CHARTER]
    await show(shown)
    assert table.heard() == []
    table.kept = one[:20]
    await show(shown)
    assert table.heard() == table.carried()
    table.kept = one
    await show(shown)
    assert table.heard() == table.carried(21)
    await show(shown)
    assert table.heard() == []
    assert shown.number == LENGTH


@pytest.mark.parametrize("length", [1, 2])
async def test_the_first_parts_are_shown_once(one: list[bytes], length: int) -> None:
    table = Table(one[:length])
    shown = table.new()
    await show(shown)
    assert table.heard() == [CHARTER, *table.carried()]
    await show(shown)
    assert table.heard() == []


async def test_the_table_can_use_the_disk_between_two_parts(one: list[bytes]) -> None:
    table = Table(one)
    began = trio.current_time()
    await show(table.new())
    assert table.heard() == [CHARTER, *table.carried()]
    pauses = (LENGTH - 1) // _AT_ONCE
    assert trio.current_time() - began == pytest.approx(pauses * _PAUSE_SECONDS)


@pytest.mark.parametrize(
    ("has", "first"),
    [(LENGTH, LENGTH - _AGAIN + 1), (30, 30 - _AGAIN + 1), (999, LENGTH - _AGAIN + 1), (10, 1)],
)
async def test_3_8_a_spectator_who_has_parts_is_sent_the_last_sixteen_again(
    one: list[bytes], has: int, first: int
) -> None:
    """Send them again even if the visitor claims to have more parts than there are."""
    table = Table(one)
    await show(table.resumed(has))
    assert table.heard() == table.carried(first)


@pytest.mark.parametrize("length", [30, LENGTH])
async def test_3_8_replaced_parts_are_shown_as_they_are_now(
    one: list[bytes], other: list[bytes], length: int
) -> None:
    """Notice that parts were replaced even if the new record is as long as the old one."""
    table = Table(one)
    shown = table.new()
    await show(shown)
    table.heard()
    table.kept = other[:length]
    await show(shown)
    assert table.heard() == table.carried(length - _AGAIN + 1)
    await show(shown)
    assert table.heard() == []


async def test_3_8_a_short_record_is_shown_from_its_first_part_again(one: list[bytes]) -> None:
    table = Table(one[:10])
    shown = table.new()
    await show(shown)
    table.heard()
    table.kept = one[:8]
    await show(shown)
    assert table.heard() == table.carried()


async def test_3_8_parts_replaced_while_they_are_shown_are_shown_again(
    one: list[bytes], other: list[bytes]
) -> None:
    """Replace parts while the first ones are being sent."""
    table = Table(one, then=other)
    first = table.carried()[: SINCE + 2]
    await show(table.resumed(SINCE + 2))
    assert table.heard() == first[SINCE + 2 - _AGAIN :] + table.carried(SINCE + 2 - _AGAIN + 1)


async def test_3_8_a_record_that_has_become_shorter_is_shown_from_its_first_part(
    one: list[bytes],
) -> None:
    table = Table(one)
    shown = table.resumed(LENGTH)
    table.kept = one[:2]
    await show(shown)
    assert table.heard() == table.carried()
