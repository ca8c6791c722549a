"""A table that this node watches: its record, checked entry by entry as a member checks it.

Who watches has no seat and no locks, and nothing is ever due from them. The record lies in a
journal of its own, as any node's does, beside that in which this node keeps what it has signed.
"""

import logging
import math
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import NoReturn

import trio
from attrs import define, field

from p2p.background_task import beside
from p2p.rate_limit import RateLimit
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.asides import AsideCode, Asides
from p2p.table.changes import Change
from p2p.table.judging import judged
from p2p.table.live_record import LiveRecord, Outcome
from p2p.transport.endpoint import hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Link
from p2p.transport.lobby_messages import Announced
from p2p.transport.messages import Agreed, Carry, pack
from p2p.transport.spectator_messages import Overheard, Spectator, Watch, Watching
from p2p.visitors.gallery import STILL_HERE_SECONDS
from protocol.charter import Charter, SignedCharter
from protocol.errors import Exposed, Mismatch, OutOfTurn, Refused, Unattributable
from protocol.state import State

_log = logging.getLogger(__name__)

_NOBODY = 0
"""The player whose part this node has: none, for it has not the key."""


@define(eq=False)
class FollowedTable:
    """The table that is watched under a `name`, by the holder of `key`. `journal` is an empty one;
    `spectators` are all who watch; `linked` tells whether there is a link to a node of the table.
    """

    journal: Journal
    key: bytes
    name: str
    spectators: tuple[Spectator, ...] = field(default=(), init=False)
    linked: bool = field(default=False, init=False)
    asides: Asides = field(init=False)
    """What the members say beside the game; a spectator says nothing."""
    progress: trio.Event = field(factory=trio.Event, init=False)
    """Is set, and replaced, whenever something changes."""
    past: list[Change] = field(factory=list, init=False)
    """The changes before somebody asked for `changes`."""
    _record: LiveRecord | None = field(default=None, init=False)
    _changes: list[trio.MemorySendChannel[Change]] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.asides = Asides(_NOBODY, _say_nothing, lambda: self.state.complete)

    @property
    def live_record(self) -> LiveRecord:
        """The record. Raises OutOfTurn as long as the charter was not shown."""
        if self._record is None:
            raise OutOfTurn("A record begins with its charter.")
        return self._record

    @property
    def begun(self) -> bool:
        """Whether the charter was shown."""
        return self._record is not None

    @property
    def state(self) -> State:
        return self.live_record.state

    @property
    def charter(self) -> Charter:
        return self.state.charter

    @property
    def exposed(self) -> Exposed | None:
        """Who has cheated."""
        return self.live_record.exposed

    @property
    def over(self) -> bool:
        """Whether the record does not grow any more."""
        return self._record is not None and self._record.over

    def changes(self) -> trio.MemoryReceiveChannel[Change]:
        """Every change from now on, until `close`."""
        sender, receiver = trio.open_memory_channel[Change](math.inf)  # our own client reads
        self._changes.append(sender)
        return receiver

    def record(self) -> Iterator[bytes]:
        """The record as the bytes of a record file. See `LiveRecord.file_parts`."""
        return self.live_record.file_parts()

    def close(self) -> None:
        """End what `changes` gives."""
        for channel in self._changes:
            channel.close()
        self._wake()

    # -- following

    async def follow(self, link: Link) -> None:
        """Watch at the node at the other end, until the record does not grow any more.

        Raises Declined with the node's reason, LinkError; Malformed, Mismatch or OutOfTurn for what
        no node of the table says: an entry that does not hold, or another record than was shown
        before.
        """
        rate_limit = RateLimit()
        await say(link, self._wish())
        try:
            async with beside(partial(self._beat, link)):
                while not self.over:
                    match message := await hear(link):
                        case Announced():
                            pass  # for whoever found the table by its beacon
                        case Agreed(data):
                            self._open(SignedCharter.decode(data))
                        case Carry(height, entry):
                            await self._carried(height, entry, rate_limit)
                        case Watching(spectators):
                            self.spectators = spectators
                        case Overheard():
                            self._overhear(message, rate_limit)
                        case _:
                            raise OutOfTurn("The node said something that a spectator is not told.")
                    self.linked = True
                    self._wake()
        finally:
            self.linked = False
            self._wake()

    def _wish(self) -> Watch:
        if self._record is None:
            return Watch(self.name)
        return Watch(self.name, self._record.table_id, self._record.height)

    async def _beat(self, link: Link) -> None:
        while True:
            await trio.sleep(STILL_HERE_SECONDS)
            with suppress(LinkError):  # whoever listens notices
                link.send_nowait(pack(self._wish()))

    def _open(self, signed: SignedCharter) -> None:
        if self._record is not None:
            if signed.charter.table_id != self._record.table_id:
                raise Mismatch("That is another table than the one that is watched.")
            return
        if not signed.charter.spectators:
            raise Mismatch("The players of that table have not agreed to spectators.")
        self.journal.create_table(signed.charter.table_id, signed.encode(), None)
        membership = Membership(signed, _NOBODY, ())
        self._record = LiveRecord(self.journal, membership, self.key)

    def _overhear(self, message: Overheard, rate_limit: RateLimit) -> None:
        if message.player >= len(self.charter.members):
            raise Mismatch("Nobody has that number at this table.")
        if not rate_limit.spend():
            raise LinkError("The node says too much that is no news.")
        self.asides.hear(message.player, message.code)

    async def _carried(self, height: int, entry: bytes, rate_limit: RateLimit) -> None:
        record = self.live_record
        if height > record.height + 1:
            raise OutOfTurn("A record is shown from its first entry, one after the other.")
        try:
            if height <= record.height:
                if not rate_limit.spend():
                    raise LinkError("The node says too much that is no news.")
                outcome = await trio.to_thread.run_sync(record.judge, height, entry)
                if outcome is not Outcome.OVERTAKEN:
                    return
                await record.go_back(height, entry)
            await self._advance(record, entry)
        except Exposed as error:
            record.exposed = error
            await trio.to_thread.run_sync(record.keep_evidence, error)
        except Unattributable as error:
            _log.info("the record of that table does not hold: %s", error)
            raise Mismatch(
                "The record of that table does not hold: somebody has cheated there, or changed it."
            ) from error

    async def _advance(self, record: LiveRecord, entry: bytes) -> None:
        before = record.state

        def judge() -> State:
            after = judged(before, entry)
            record.write(after, entry, None)
            return after

        change = record.take(await trio.to_thread.run_sync(judge), entry)
        if record.state.last is not None:
            self.asides.linked(record.state.last.writer, yes=True)  # who had left is there again
        if not self._changes:
            self.past.append(change)
        for channel in self._changes:
            channel.send_nowait(change)

    def _wake(self) -> None:
        self.progress.set()
        self.progress = trio.Event()


def _say_nothing(_code: AsideCode) -> NoReturn:
    raise Refused("A spectator only looks on.")
