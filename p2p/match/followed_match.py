"""A match that this node watches: its record, checked part by part as a member checks it.

A spectator has no seat and no locks, and never has to write an entry. The record is kept in a
separate journal, not in the one that has what this node has signed.
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
from p2p.match.history import KeptHistory
from p2p.match.visitor_places import STILL_HERE_SECONDS
from p2p.rate_limit import RateLimit
from p2p.storage.journal import Journal
from p2p.table.asides import AsideCode, Asides
from p2p.table.live_record import LiveRecord
from p2p.table.shared_judging import judged
from p2p.transport.endpoint import hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Link
from p2p.transport.lobby_messages import Announced
from p2p.transport.messages import Agreed, pack
from p2p.transport.spectator_messages import Overheard, Spectator, Watch, Watching
from protocol.charter import Charter, SignedCharter
from protocol.entries import Entry, place_of
from protocol.errors import Exposed, Malformed, Mismatch, OutOfTurn, Refused, Unattributable
from protocol.evidence import statements_of
from protocol.match.statements import Statements
from protocol.record_file import PartKind, kind_of
from protocol.state import State
from protocol.table.messages import Carry
from protocol.table.tasks import Change

_log = logging.getLogger(__name__)

_NOBODY = 0
"""The player number for `Asides`: they need one, although a spectator has none."""


@define(eq=False)
class FollowedMatch:
    """The match that a spectator watches."""

    journal: Journal
    """The spectator's journal, empty at first."""
    key: bytes
    """The spectator's key."""
    name: str
    """The spectator's name."""
    spectators: tuple[Spectator, ...] = field(default=(), init=False)
    """All people who watch."""
    linked: bool = field(default=False, init=False)
    """True while there is a link to a node of the table."""
    asides: Asides = field(init=False)
    """The asides that the members say beside the game; a spectator says nothing."""
    progress: trio.Event = field(factory=trio.Event, init=False)
    """An event that is set, and replaced, whenever something changes."""
    past: list[Change] = field(factory=list, init=False)
    """The changes that came before the first call of `changes`."""
    history: KeptHistory = field(factory=KeptHistory, init=False)
    _statements: Statements = field(init=False)
    _exposed: dict[bytes, Exposed] = field(factory=dict, init=False)
    """The exposures by two contradicting signatures, by the key that signed."""
    _changes: list[trio.MemorySendChannel[Change]] = field(factory=list, init=False)
    """The other ends of the channels that `changes` has returned."""

    def __attrs_post_init__(self) -> None:
        self.asides = Asides(_NOBODY, _say_nothing, lambda: self.state.complete)

    @property
    def begun(self) -> bool:
        """True once this node has been shown the first charter."""
        return bool(self.history.records)

    @property
    def record_now(self) -> LiveRecord:
        """The record of the newest table, at which the match is played.

        Raises OutOfTurn as long as no charter was shown.
        """
        if not self.begun:
            raise OutOfTurn("The record did not begin with its charter.")
        return self.history.newest

    @property
    def state(self) -> State:
        return self.record_now.state

    @property
    def charter(self) -> Charter:
        return self.state.charter

    @property
    def exposed(self) -> Exposed | None:
        """The exposure of a player with a seat; None if there is none."""
        if self.record_now.exposed is not None:
            return self.record_now.exposed
        seated = (self._exposed.get(member.key) for member in self.charter.members)
        return next((error for error in seated if error is not None), None)

    @property
    def over(self) -> bool:
        """True if the record does not grow any more."""
        if not self.begun:
            return False
        exposed = self.history.exposed | self._exposed.keys()
        can_go_on = self.exposed is None or self.history.can_go_on_without(exposed)
        return self.state.complete or not can_go_on

    def changes(self) -> trio.MemoryReceiveChannel[Change]:
        """Return a channel with every change from now on, until `close`."""
        sender, receiver = trio.open_memory_channel[Change](math.inf)  # our own client reads
        self._changes.append(sender)
        return receiver

    def record(self) -> Iterator[bytes]:
        """Return the match up to now, as the bytes of a record file. Blocks."""
        evidence = {key: error.evidence[0] for key, error in self._exposed.items()}
        return self.history.file_parts({**self.history.evidence_of_forks(), **evidence})

    def close(self) -> None:
        """Close all channels that `changes` has returned."""
        for channel in self._changes:
            channel.close()
        self._wake()

    # -- following

    async def follow(self, link: Link) -> None:
        """Watch the match through the node at the other end, until the record grows no more.

        Raises Declined with the node's reason, and LinkError. Raises Malformed, Mismatch or
        OutOfTurn for something that no honest node sends: an invalid entry, or another record than
        the one that was shown before.
        """
        rate_limit = RateLimit()
        await say(link, self._wish())
        try:
            async with beside(partial(self._beat, link)):
                while not self.over:
                    match message := await hear(link):
                        case Announced():
                            pass  # proof that a beacon is the node's: not needed here
                        case Agreed(data):
                            self._open(SignedCharter.decode(data))
                        case Carry(height, entry):
                            await self._carried(height, entry, rate_limit)
                        case Watching(spectators):
                            self.spectators = spectators
                        case Overheard():
                            self._overhear(message, rate_limit)
                        case _:
                            raise OutOfTurn(
                                "The node has sent a message that is not for spectators."
                            )
                    # The link counts only after a valid message: a node with another record sends
                    # none, and never gets here.
                    self.linked = True
                    self._wake()
        finally:
            self.linked = False
            self._wake()

    def _wish(self) -> Watch:
        if not self.begun:
            return Watch(self.name)
        return Watch(self.name, self.charter.match_id, self.history.number)

    async def _beat(self, link: Link) -> None:
        while True:
            await trio.sleep(STILL_HERE_SECONDS)
            with suppress(LinkError):  # the task that listens to this link notices
                link.send_nowait(pack(self._wish()))

    def _open(self, signed: SignedCharter) -> None:
        """Begin with the first charter."""
        if self.begun:
            if signed.charter.table_id not in self.history.records:
                raise Mismatch("The node has shown another table than the one that you watch.")
            return
        if not signed.charter.spectators:
            raise Mismatch("The players of that table have not agreed to spectators.")
        if signed.charter.continues is not None:
            raise OutOfTurn("The record did not begin with the first charter of its match.")
        self._statements = Statements(signed.charter.table_id, self.key, self.history)
        self._add(signed, State.start(signed.charter))

    def _add(self, signed: SignedCharter, start: State) -> None:
        self.journal.create_table(signed.charter.table_id, signed.encode(), None)
        self.history.look_on(self.journal, self.key, signed, start)

    def _overhear(self, message: Overheard, rate_limit: RateLimit) -> None:
        if message.player >= len(self.charter.members):
            raise Mismatch("Nobody has that number at this table.")
        _spend(rate_limit)
        self.asides.hear(message.player, message.code)

    async def _carried(self, number: int, part: bytes, rate_limit: RateLimit) -> None:
        try:
            if kind_of(part) is PartKind.CHARTER:
                await self._go_on(SignedCharter.decode(part), rate_limit)
            else:
                await self._take(number, part, rate_limit)
        except Unattributable as error:
            _log.info("the record of that table is invalid: %s", error)
            raise Mismatch(
                "The record of that table is invalid: somebody has cheated there, or changed it."
            ) from error

    async def _take(self, number: int, entry: bytes, rate_limit: RateLimit) -> None:
        """Take an entry of any table of the match.

        Entries of earlier tables come from a node that has not yet heard of the newest table.
        """
        record, height = self._place_of(entry)
        is_news = record is self.record_now and height > record.height
        if is_news and number != self.history.number + 1:
            raise OutOfTurn("The parts of the record were not shown in order.")
        if not is_news or record.exposed is not None:
            _spend(rate_limit)  # after a cheat an honest node sends hardly any entries
        try:
            if height <= record.height:
                await trio.to_thread.run_sync(record.judge, height, entry)
            elif is_news or height == record.height + 1:
                await self._advance(record, entry)
        except Exposed as error:
            record.expose(error)
            await trio.to_thread.run_sync(record.keep_evidence, error)

    def _place_of(self, entry: bytes) -> tuple[LiveRecord, int]:
        """Return the record to which an entry belongs, and the height of the entry.

        If the entry cannot be decoded, return the newest record and its next height, where the
        reducer then refuses the entry.
        """
        newest = self.record_now
        try:
            place = place_of(Entry.decode(entry).body)
        except Malformed:
            return newest, newest.height + 1
        record = self.history.records.get(place.table_id)
        if record is None:
            raise Mismatch("That is another record than was shown before.")
        return record, place.height

    async def _go_on(self, signed: SignedCharter, rate_limit: RateLimit) -> None:
        """Take a continuation.

        If the continuation goes on from height 40 of a table, the entries of that table after
        height 40 do not count any more.
        """
        charter = signed.charter
        if charter.table_id in self.history.records:
            return _spend(rate_limit)
        start = await trio.to_thread.run_sync(self.history.begins, signed)
        if start is None:
            raise Mismatch("That is another record than was shown before.")
        before = self.record_now
        attempts = {record.state.charter.attempt for record in self.history.records.values()}
        # Honest players never sign two continuations with the same attempt number (C3). So the
        # second one is not added, and has to expose somebody.
        if is_rival := charter.attempt in attempts:
            _spend(rate_limit)
        else:
            await trio.to_thread.run_sync(self._add, signed, start)
        exposed = await self._compare_signatures(signed)
        if is_rival and not exposed:
            raise Mismatch("That is another record than was shown before.")
        if self.record_now is not before:
            self._tell(self.history.begun(before.state))
        return None

    async def _compare_signatures(self, signed: SignedCharter) -> bool:
        """Compare the signatures of a continuation with all signatures that were shown before.

        Return True if that exposes somebody.
        """
        exposed = False
        for statement in statements_of(signed):
            try:
                await trio.to_thread.run_sync(self._statements.add, statement)
            except Exposed as error:
                exposed = True
                await self._expose(error)
        return exposed

    async def _expose(self, error: Exposed) -> None:
        """Note that two signatures of one key contradict each other. The record may still grow."""
        self._exposed.setdefault(error.key, error)
        keep, table_id = self.journal.keep_evidence, self.record_now.table_id
        await trio.to_thread.run_sync(keep, table_id, str(error), error.evidence[0])

    async def _advance(self, record: LiveRecord, entry: bytes) -> None:
        before = record.state

        def judge() -> State:
            after = judged(before, entry)
            self.journal.append(record.table_id, after.height, entry)
            return after

        record.take(await trio.to_thread.run_sync(judge), entry)
        change = Change(before, record.state)
        last = record.state.last
        assert last is not None
        if record is self.record_now:
            self.asides.linked(last.writer, yes=True)  # a player who writes an entry is back
            self._tell(change)
            return
        try:
            # The match has gone on from this table. A writer who has signed to go on from an
            # earlier place is exposed by this entry (C1).
            charter = record.state.charter
            self._statements.check_entry(charter.key_of(last.writer), entry, charter)
        except Exposed as error:
            await self._expose(error)

    def _tell(self, change: Change) -> None:
        if not self._changes:
            self.past.append(change)
        for channel in self._changes:
            channel.send_nowait(change)

    def _wake(self) -> None:
        self.progress.set()
        self.progress = trio.Event()


def _spend(rate_limit: RateLimit) -> None:
    """Count a message that brings nothing new. Raises LinkError when there are too many."""
    if not rate_limit.spend():
        raise LinkError("The node sends too many messages with nothing new.")


def _say_nothing(_code: AsideCode) -> NoReturn:
    raise Refused("A spectator only looks on.")
