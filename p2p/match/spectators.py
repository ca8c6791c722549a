"""The spectators at a node: who watches there, and what they are sent.

The charter has to admit spectators (`spec/nodes.md`, 3). They are shown the record as it grows, the
other spectators, and what the members say beside the game. The only message that they may send is
that they are still there. Each spectator has tasks of their own: if a spectator reads slowly, only
these tasks wait, never the table. Each player can bar a spectator.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import trio
from attrs import define, evolve, field

from p2p.fair_shares import Arrivals
from p2p.match.shown_record import ShownRecord
from p2p.match.tables import Tables
from p2p.match.visitor_places import STILL_HERE_SECONDS, Places, Visitor
from p2p.rate_limit import RateLimit, RateLimits
from p2p.refusals import Reason, Refusal
from p2p.transport.endpoint import Caller, hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Link
from p2p.transport.messages import Goodbye, pack
from p2p.transport.spectator_messages import (
    MOST_BARRED,
    MOST_SPECTATORS,
    Overheard,
    Spectator,
    Watch,
    Watching,
)
from protocol.charter import Charter
from protocol.errors import OutOfTurn, Refused
from protocol.names import look_alike
from protocol.table.messages import Carry

_ARRIVALS = 16
"""The number of arrivals allowed at once; later one more is allowed every fifteen seconds. This is
the limit for all strangers together, and for each spectator whom this node has met before. Arrivals
are limited because all players see each of them.
"""

_ARRIVALS_SECONDS = 15.0 * _ARRIVALS
_OF_ADDRESS = 4
"""The number of arrivals of strangers allowed at once from one address. From one neighbour twice as
many are allowed (`p2p.fair_shares`).
"""

_MOST_RATES = 64
"""The maximum number of known players whose arrivals are counted."""

_LAST_SECONDS = 1.0
"""Seconds in which spectators are sent the end of the record when this node is about to stop."""


@define(eq=False)
class _Visitor(Visitor):
    """A spectator at this node."""

    spectator: Spectator = field(kw_only=True)
    barred: bool = field(default=False, init=False)
    """True if the link was ended because a player has barred them."""


@define(eq=False)
class Gallery:
    """The spectators of a match: those at this node, and those at other members' nodes."""

    tables: Tables
    over: Callable[[], bool]
    """Returns True if this node has nothing more to do at the tables."""
    _here: Places[_Visitor] = field(factory=lambda: Places(MOST_SPECTATORS), init=False)
    _told: dict[int, Watching] = field(factory=dict, init=False)
    """The spectators at each other member's node, and those whom that member has barred."""
    _barred: dict[bytes, None] = field(factory=dict, init=False)
    """The keys of the spectators whom this node's player has barred, the oldest first."""
    _arrivals: tuple[RateLimits[bytes], Arrivals] | None = field(default=None, init=False)
    """The limits on the arrivals of known players, and on those of strangers."""

    @property
    def _charter(self) -> Charter:
        return self.tables.history.charter

    @property
    def own(self) -> tuple[Spectator, ...]:
        """The spectators at this node."""
        return tuple(visitor.spectator for visitor in self._here)

    @property
    def spectators(self) -> tuple[Spectator, ...]:
        """All spectators: first those at this node, then those at the nodes linked to it."""
        linked = sorted(self.tables.linked)
        told = (self._told[player].spectators for player in linked if player in self._told)
        first: dict[bytes, Spectator] = {}
        for group in (self.own, *told):
            for spectator in group:
                first.setdefault(spectator.key, spectator)
        members = {member.key for member in self._charter.members}
        return tuple(one for key, one in first.items() if key not in members)

    @property
    def talk(self) -> tuple[Watching, ...]:
        """The message on who watches here, for the other members; empty if nobody may watch."""
        return (Watching(self.own, tuple(self._barred)),) if self._charter.spectators else ()

    def told(self, player: int, watching: Watching) -> None:
        """Note who watches at a member's node, and whom that member has barred."""
        # The message has room for the 48 spectators of all nodes, but at one node only eight can
        # watch.
        told = evolve(watching, spectators=watching.spectators[:MOST_SPECTATORS])
        if self._charter.spectators and self._told.get(player) != told:
            self._told[player] = told
            self._show_out()
            self.tables.match.news.tell()

    def bar(self, key: bytes) -> None:
        """Bar the spectator with that key from all nodes, for as long as this node runs.

        Raises Refused if nobody with that key watches.
        """
        if key not in {one.key for one in self.spectators}:
            raise Refused("Nobody with that key is watching here.")
        while len(self._barred) >= MOST_BARRED:
            del self._barred[next(iter(self._barred))]
        self._barred[key] = None
        self._show_out()
        self.tables.match.news.tell()

    def barred_by(self, key: bytes) -> int | None:
        """Return the player who has barred the spectator with that key; None if nobody has."""
        if key in self._barred:
            return self.tables.match.asides.me
        return next((by for by, told in self._told.items() if key in told.barred), None)

    def _show_out(self) -> None:
        """End the links of the spectators at this node who are barred."""
        for visitor in self._here:
            if self.barred_by(visitor.link.peer) is not None:
                visitor.barred = True
                visitor.scope.cancel()

    async def receive(self, caller: Caller, wish: Watch) -> None:
        """Serve somebody who wants to watch, until they go or this node stops."""
        link = caller.link
        visitor = await self._visitor(link, wish)
        refusal = self._refusal(visitor, wish) or await self._objection(visitor)
        if refusal is not None:
            return await say(link, Goodbye(refusal.reason))
        link.settle()
        on_change = self.tables.match.news.tell
        await self._here.serve(visitor, on_change, self._show, self._listen, self._pass_on_asides)
        if visitor.barred:
            with suppress(LinkError):  # a spectator who does not read is not told
                link.send_nowait(pack(Goodbye(Reason.SPECTATOR_BARRED)))
        return None

    async def close(self) -> None:
        """End all links when the spectators have the end of the record, or after a second."""
        with trio.move_on_after(_LAST_SECONDS):
            while len(self._here):
                await self.tables.match.news.next.wait()
        self.end()

    def end(self) -> None:
        """End all links at once."""
        self._here.close()

    async def _visitor(self, link: Link, wish: Watch) -> _Visitor:
        spectator = Spectator(link.peer, wish.name)
        known = await trio.to_thread.run_sync(self.tables.known_players.knows, link.peer)
        begun = partial(ShownRecord.resumed, number=wish.height) if wish.table_id else ShownRecord
        record = begun(self.tables.history, link)
        return _Visitor(link, known, record, RateLimit(burst=20, rate=1.0), spectator=spectator)

    def _refusal(self, visitor: _Visitor, wish: Watch) -> Refusal | None:
        charter, spectator = self._charter, visitor.spectator
        if self.barred_by(spectator.key) is not None:
            return Refusal.of(Reason.SPECTATOR_BARRED)
        if wish.table_id not in (b"", self.tables.match_id):
            return Refusal.of(Reason.NO_TABLE)
        if charter.player_of(spectator.key) is not None:
            return Refusal.of(Reason.MATCH_NOT_OVER)
        if not charter.spectators:
            return Refusal.of(Reason.NO_SPECTATORS)
        others = (other.name for other in self.spectators if other.key != spectator.key)
        names = (*(member.name for member in charter.members), *others)
        if any(look_alike(spectator.name, name) for name in names):
            return Refusal.of(Reason.NAME_TAKEN)
        if not self._here.has_room(visitor):
            return Refusal.of(Reason.ENOUGH_SPECTATORS)
        # The arrival is counted last: somebody who is refused above uses up nothing.
        return None if self._may_arrive(visitor) else Refusal.of(Reason.TOO_MANY_CAME)

    def _may_arrive(self, visitor: _Visitor) -> bool:
        """Count an arrival; return True if it is within the limits."""
        # The limits are made at the first arrival, because they need Trio's clock.
        if self._arrivals is None:
            limits = (_OF_ADDRESS, _OF_ADDRESS / _ARRIVALS_SECONDS, 2 * _OF_ADDRESS, _ARRIVALS)
            strangers = Arrivals(*limits, _ARRIVALS_SECONDS)
            known = RateLimits[bytes](_MOST_RATES, _ARRIVALS, _ARRIVALS / _ARRIVALS_SECONDS)
            self._arrivals = known, strangers
        known, strangers = self._arrivals
        if visitor.known:
            return known.of(visitor.link.peer).spend()
        return strangers.may_come(visitor.link.address)

    async def _objection(self, visitor: _Visitor) -> Refusal | None:
        """Return the objection to a visitor from this node's list of known players, or None."""
        objection = self.tables.known_players.objection
        one = visitor.spectator
        return await trio.to_thread.run_sync(objection, one.key, one.name)

    async def _listen(self, visitor: _Visitor) -> None:
        while True:
            if not isinstance(await hear(visitor.link), Watch) or not visitor.rate_limit.spend():
                raise OutOfTurn(
                    "A spectator has sent too many messages, or one that is not for spectators."
                )

    async def _pass_on_asides(self, visitor: _Visitor) -> None:
        """Send a visitor what the members say, as soon as the visitor has the first charter."""
        with self.tables.match.asides.listen() as heard:
            async for spoken in heard:
                if visitor.record.number >= 0:
                    await say(visitor.link, Overheard(spoken.player, spoken.code))

    async def _show(self, visitor: _Visitor) -> None:
        """Send a visitor the record as it grows, and the list of spectators.

        Return when the visitor has a seat, or when the record does not grow any more.
        """
        link, news, says_again = visitor.link, self.tables.match.news, trio.current_time()
        watching: Watching | None = None
        while self._charter.player_of(link.peer) is None:
            progress = news.next
            now, before, watching = trio.current_time(), watching, Watching(self.spectators)
            if watching != before or now >= says_again:
                says_again = now + STILL_HERE_SECONDS
                await say(link, watching)
            # `over` is asked before the record is shown. If the last entry comes meanwhile, the
            # loop turns once more and shows it.
            over = self.over()
            await visitor.record.show()
            if over:
                for height, entry in self.tables.history.evidence:
                    await say(link, Carry(height, entry))
                return
            with trio.move_on_at(says_again):
                await progress.wait()
