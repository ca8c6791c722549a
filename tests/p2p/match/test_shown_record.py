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


ONE = [b"part %d" % number for number in range(1, LENGTH + 1)]
OTHER = ONE[: SINCE - 1] + [b"of another table %d" % n for n in range(SINCE, LENGTH + 1)]
"""The parts of a record that goes on at another table from number `SINCE` on."""

AGAIN = LENGTH - _AGAIN + 1
"""The number of the first part that is shown again to somebody who has the whole record."""


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param([(ONE[:20], 1), (ONE, 21), (ONE, None)], id="each part once"),
        pytest.param([(ONE[:1], 1), (ONE[:1], None)], id="the first part once"),
        pytest.param([(ONE[:2], 1), (ONE[:2], None)], id="the first two parts once"),
        pytest.param(
            [(ONE, 1), (OTHER, AGAIN), (OTHER, None)], id="replaced parts as they are now"
        ),
        pytest.param(
            [(ONE, 1), (OTHER[:30], 30 - _AGAIN + 1), (OTHER[:30], None)],
            id="replaced parts of a shorter record",
        ),
        pytest.param([(ONE[:10], 1), (ONE[:8], 1)], id="a short record from its first part"),
    ],
)
async def test_a_visitor_is_shown_what_they_have_not_seen(
    steps: list[tuple[list[bytes], int | None]],
) -> None:
    """Each step has the parts of the record, and the number from which on they are shown."""
    table = Table()
    shown = table.new()
    for _ in range(2):
        await show(shown)
    assert table.heard() == [CHARTER]
    for kept, first in steps:
        table.kept = kept
        await show(shown)
        assert table.heard() == ([] if first is None else table.carried(first))
        assert shown.number == len(kept)


async def test_the_table_can_use_the_disk_between_two_parts() -> None:
    table = Table(ONE)
    began = trio.current_time()
    await show(table.new())
    assert table.heard() == [CHARTER, *table.carried()]
    pauses = (LENGTH - 1) // _AT_ONCE  # in each of them the table can use the disk
    assert trio.current_time() - began == pytest.approx(pauses * _PAUSE_SECONDS)


@pytest.mark.parametrize(
    ("has", "first"), [(LENGTH, AGAIN), (30, 30 - _AGAIN + 1), (999, AGAIN), (10, 1)]
)
async def test_3_8_a_spectator_who_has_parts_is_sent_the_last_sixteen_again(
    has: int, first: int
) -> None:
    """A spectator who claims to have more parts than there are is sent the last sixteen, too."""
    table = Table(ONE)
    await show(table.resumed(has))
    assert table.heard() == table.carried(first)


async def test_3_8_parts_replaced_while_they_are_shown_are_shown_again() -> None:
    table = Table(ONE, then=OTHER)
    first = table.carried()[: SINCE + 2]
    await show(table.resumed(SINCE + 2))
    assert table.heard() == first[SINCE + 2 - _AGAIN :] + table.carried(SINCE + 2 - _AGAIN + 1)


async def test_3_8_a_record_that_has_become_shorter_is_shown_from_its_first_part() -> None:
    table = Table(ONE)
    shown = table.resumed(LENGTH)
    table.kept = ONE[:2]
    await show(shown)
    assert table.heard() == table.carried()
