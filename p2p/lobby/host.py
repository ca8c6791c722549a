"""The host's side of a lobby: guests sit down, and all sign the charter.

The host decides nothing that a guest does not see: each guest checks that the charter has the terms
and players that they were shown, and signs it. The charter's digest is the table id, so no match
begins unless all have signed the same charter. Nobody can choose a nonce after seeing another
player's: first all commit, then all reveal.
"""

from collections.abc import Callable, Sequence

import trio
from attrs import define, field

from p2p.background_task import beside
from p2p.discovery.address_book import Address
from p2p.lobby.client_callbacks import STILL_HERE_SECONDS, LobbyCallbacks
from p2p.lobby.door import Door, Trouble
from p2p.lobby.knock_price import is_paid
from p2p.lobby.lobby_guest import LobbyGuest
from p2p.refusals import Reason, Refusal, sentence_of
from p2p.shuffle_threads import prepare
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.transport.endpoint import LOBBY, Caller, Endpoint, hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Link
from p2p.transport.lobby_messages import (
    CommittedSeat,
    LobbyPlayer,
    LobbyState,
    Price,
    Propose,
    Ready,
    Reveal,
    Seats,
    Sign,
    Sit,
    Terms,
)
from p2p.transport.messages import Agreed, Goodbye, Message, Whereabouts, pack
from p2p.transport.spectator_messages import Watch
from protocol.charter import NONCE_BYTES, Charter, Member, SignedCharter, nonce_commitment
from protocol.errors import OutOfTurn
from protocol.group import Entropy
from protocol.names import look_alike

PRICE_SECONDS = 30.0
"""Seconds for paying the price of a knock: long enough even for a slow machine that is busy."""

_MOST_READY = 1 + int(PRICE_SECONDS / STILL_HERE_SECONDS)
"""The maximum number of messages from a guest who pays: the last one pays, and all before it say
only that the guest is still there.
"""

ANSWER_SECONDS = 10.0
"""Seconds that a guest's machine has to reveal the nonce, and the same again to sign. A guest who
is late is sent away.
"""

READY_SECONDS = 180.0
"""Seconds for which a guest may keep a full table with a ready host waiting, in total."""

CLOSE_SECONDS = 1.0
"""Seconds for the last message to each guest when a lobby is closed."""


@define
class Host:
    """The host of a table, who waits until it is full, all are ready, and all have signed."""

    endpoint: Endpoint
    journal: Journal
    name: str
    terms: Terms
    entropy: Entropy
    callbacks: LobbyCallbacks = field(factory=LobbyCallbacks)
    ready: bool = True
    order: Sequence[bytes] = ()
    """The keys of guests who sit in this order. After them sit the others, in the order in which
    they sat down.
    """
    attended: bool = False
    """True if a person is there to let in players who knock."""
    closed: bool = field(default=False, init=False)
    """True if the table will not begin any more."""
    _door: Door = field(init=False)
    _guests: dict[bytes, LobbyGuest] = field(factory=dict, init=False)
    _knocking: dict[bytes, LobbyGuest] = field(factory=dict, init=False)
    _attempts: int = field(default=0, init=False)
    _attempt: Seats | None = field(default=None, init=False)
    """The attempt to conclude the charter that is under way."""
    _proposed: Charter | None = field(default=None, init=False)
    """The charter that the guests are to sign in this attempt, once all nonces are known."""
    _begun: bool = field(default=False, init=False)
    _changed: trio.Event = field(factory=trio.Event, init=False)
    """An event that is set, and replaced, when something changes."""

    def __attrs_post_init__(self) -> None:
        self._door = Door(self.callbacks.sits_at_once, self.attended)

    async def run(
        self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> Membership:
        """Return the membership, once all have signed the charter and it is in the journal.

        Raises InvalidOption for a wrong number of seats or a wrong grace, and Refused if this
        machine cannot shuffle.
        """
        self.terms.check()
        with self.endpoint.route(LOBBY, self._receive):
            try:
                await trio.to_thread.run_sync(prepare, len(self.terms.deck))
                self.callbacks.on_lobby_state(self.lobby_state)
                task_status.started()
                async with beside(self._beat):
                    membership = None
                    while membership is None:
                        if self._can_begin:
                            membership = await self._conclude()
                        else:
                            await self._changed.wait()
            finally:
                # With the shield, guests are told even if this task is cancelled.
                with trio.move_on_after(CLOSE_SECONDS, shield=True):
                    await self.close()
        return membership

    @property
    def lobby_state(self) -> LobbyState:
        """Return the message that tells the guests the terms, and who sits here or knocks."""
        me = LobbyPlayer(self.endpoint.identity.public, self.name, self.ready)
        knocking = tuple(guest.player for guest in self._at_the_door)
        present = (me, *(guest.player for guest in self._seated))
        return LobbyState(self.terms, present, knocking)

    @property
    def _at_the_door(self) -> tuple[LobbyGuest, ...]:
        """Return the players who knock and are not about to go."""
        return tuple(one for one in self._knocking.values() if not one.is_going)

    @property
    def _can_begin(self) -> bool:
        """Return True if the table is full, all are ready, and nobody is about to go."""
        going = any(guest.is_going for guest in self._guests.values())
        return self.lobby_state.is_ready and not going

    def set_ready(self, yes: bool) -> None:
        """Note whether the host is ready to sign the charter, and tell the guests."""
        self.ready = yes
        self.break_off()
        self._tell_all()

    def admit(self, key: bytes) -> None:
        """Let a player who knocks sit down, if a seat is free."""
        if key in self._knocking and self.lobby_state.free:
            if (refusal := self._refusal_at_table(self._knocking[key].sit.name)) is not None:
                return self._knocking[key].send_away(refusal.reason)
            self._guests[key] = self._knocking.pop(key)
            self._tell_all()
        return None

    def turn_away(self, key: bytes) -> None:
        """Send away a player who knocks or sits here, and later any stranger from their address."""
        reasons = ((self._knocking, Reason.TURNED_AWAY), (self._guests, Reason.SENT_AWAY))
        for there, reason in reasons:
            if key in there:
                self._door.close_to(there[key].link)
                there[key].send_away(reason)

    @property
    def _seated(self) -> tuple[LobbyGuest, ...]:
        def place(guest: LobbyGuest) -> int:
            key = guest.link.peer
            return self.order.index(key) if key in self.order else len(self.order)

        return tuple(sorted(self._guests.values(), key=place))

    # -- one guest

    async def _receive(self, caller: Caller) -> None:
        """Serve one guest, from their wish to sit down until they leave or the match begins."""
        link = caller.link
        sit = await hear(link)
        if isinstance(sit, Watch):
            no = Reason.NOT_BEGUN if self.terms.spectators else Reason.NO_SPECTATORS
            return await say(link, Goodbye(no))
        if not isinstance(sit, Sit):
            raise OutOfTurn("The first message of a guest did not ask for a seat.")
        if (refusal := self._refusal(link.peer, sit.name)) is not None:
            self.callbacks.on_refused(sit.name, refusal.sentence)
            return await say(link, Goodbye(refusal.reason))
        at_once = self._door.seats_at_once(link)
        if not at_once and (reason := await self._knock(link, sit)) is not None:
            if reason is not Reason.TURNED_AWAY:
                self.callbacks.on_refused(sit.name, sentence_of(reason))
            return await say(link, Goodbye(reason))
        link.settle()
        with trio.CancelScope() as scope:
            guest = LobbyGuest(link, sit, caller.port, scope)
            if at_once:
                self._guests[link.peer] = guest
            else:
                self._knocking[link.peer] = guest
            try:
                self._tell_all()
                await self._listen(guest)
            finally:
                self._left(guest)
        if guest.reason is not None:
            await say(link, Goodbye(guest.reason))
        return None

    async def _knock(self, link: Link, sit: Sit) -> Reason | None:
        """Take the price of a knock. Return the reason why a guest may not knock; None if they may.

        If another player has to make room at the door for the guest, send that player away.
        """
        if (reason := self._door.refusal(link)) is not None:
            return reason
        await self._take_price(link, sit)
        if (refusal := self._refusal(link.peer, sit.name)) is not None:
            return refusal.reason  # the table has changed while the guest paid
        knock = self._door.knock(link, self._at_the_door)
        if knock.goes is not None:
            knock.goes.send_away(Reason.TOO_MANY_KNOCK)
        return knock.refusal

    async def _take_price(self, link: Link, sit: Sit) -> None:
        """Wait until a guest has paid for their knock. Raises OutOfTurn if they do not."""
        nonce = self._door.price_for(link.peer, self.entropy)
        if is_paid(nonce, sit.work):
            return
        await say(link, Price(nonce))
        with trio.move_on_after(PRICE_SECONDS):
            for _ in range(_MOST_READY):
                message = await hear(link)
                if isinstance(message, Sit) and is_paid(nonce, message.work):
                    return
                if not isinstance(message, Ready):  # `Ready`: the guest is still there
                    break
        raise OutOfTurn("A guest has not paid the price of a knock.")

    def _left(self, guest: LobbyGuest) -> None:
        """Note that a guest, or a player who knocks, has gone."""
        key = guest.link.peer
        if self._knocking.pop(key, None) is None:
            del self._guests[key]
            if self._begun:  # all guests leave the lobby for the table
                return
            if self._attempt is not None and not guest.is_going:
                self._door.note(guest.link, Trouble.BROKEN_OFF)
            self.break_off()
        if not self.closed:  # after closing there is nobody to tell
            self._tell_all()

    def _refusal(self, key: bytes, name: str) -> Refusal | None:
        if key in self._guests or key in self._knocking:
            return Refusal.of(Reason.SEATED_ALREADY)
        return self._refusal_at_table(name) or self.callbacks.objection(key, name)

    def _refusal_at_table(self, name: str) -> Refusal | None:
        if self.closed:
            return Refusal.of(Reason.LOBBY_CLOSED)
        if self._begun or not self.lobby_state.free:
            return Refusal.of(Reason.TABLE_FULL)
        if any(look_alike(name, other) for other in self.lobby_state.names):
            return Refusal.of(Reason.NAME_TAKEN)
        return None

    async def _listen(self, guest: LobbyGuest) -> None:
        while True:
            message = await hear(guest.link)
            if not guest.rate_limit.spend():
                raise OutOfTurn("A guest sends too many messages.")
            match message:
                case Ready(yes) if guest.link.peer in self._knocking:
                    guest.ready = yes
                case _ if guest.link.peer in self._knocking:
                    raise OutOfTurn(
                        "A guest who knocks has sent a message before they were let in."
                    )
                case Reveal() as reveal:
                    self._revealed(guest, reveal)
                    self._wake()
                case Sign(signature):
                    # The proposal may have been withdrawn while the signature was on its way.
                    if self._proposed is not None:
                        guest.sign(self._proposed, signature)
                        self._wake()
                case Ready(yes) if yes != guest.ready:
                    if not guest.changes.spend():  # all others are told each time
                        raise OutOfTurn("A guest changes their mind too often.")
                    guest.ready = yes
                    if self._attempt is not None:
                        self._trouble(guest, Trouble.WITHDRAWN)
                    self.break_off()
                    self._tell_all()
                case Ready():
                    pass
                case _:
                    raise OutOfTurn("A guest has sent a message that has no place in a lobby.")

    def _revealed(self, guest: LobbyGuest, reveal: Reveal) -> None:
        under_way = self._attempt is not None and reveal.number == self._attempt.number
        guest.reveal(reveal, under_way=under_way)
        if not under_way:
            # The guest may be committed to this very nonce in the attempt under way. Then the nonce
            # is no secret any more, although other guests have not revealed theirs yet.
            self._trouble(guest, Trouble.LATE)
            self.break_off()

    def _trouble(self, guest: LobbyGuest, trouble: Trouble) -> None:
        """Note trouble that a guest has made, and send them away if it is too much."""
        if self._door.note(guest.link, trouble):
            guest.send_away(Reason.BROKE_OFF_TOO_OFTEN)

    # -- all guests

    def break_off(self) -> None:
        """Break off the attempt that is under way."""
        self._attempt = self._proposed = None

    def _tell_all(self) -> None:
        self._count_lateness()
        self.callbacks.on_lobby_state(self.lobby_state)
        self._wake()
        self._send_all(self.lobby_state)

    async def close(self) -> None:
        """Tell all guests that the table is closed, unless it has begun, and end their links."""
        if self._begun or self.closed:
            return
        self.closed = True
        self.break_off()
        self._send_all(Goodbye(Reason.LOBBY_CLOSED))
        async with trio.open_nursery() as nursery:
            for guest in (*self._guests.values(), *self._knocking.values()):
                nursery.start_soon(guest.link.aclose)

    async def _beat(self) -> None:
        while True:
            await trio.sleep(STILL_HERE_SECONDS)
            self._send_all(self.lobby_state)
            self._count_lateness()
            for guest in tuple(self._guests.values()):
                if guest.late >= READY_SECONDS:
                    self._door.note(guest.link, Trouble.BROKEN_OFF)
                    guest.send_away(Reason.NEVER_READY)

    def _count_lateness(self) -> None:
        """Count the seconds for which guests keep a full table from beginning.

        The seconds of a guest add up over all waits. If each wait began at 0, guests could take
        turns in keeping the table waiting for ever.
        """
        now, waits = trio.current_time(), self.ready and not self.lobby_state.free
        for guest in self._guests.values():
            guest.count_lateness(now, waits=waits)

    def _send_all(self, message: Message) -> None:
        """Queue a message to each guest, and to each player who knocks."""
        self._send((*self._guests.values(), *self._knocking.values()), message)

    def _send(self, guests: Sequence[LobbyGuest], message: Message) -> None:
        """Queue a message; end the link of a guest who does not read."""
        for guest in guests:
            try:
                guest.link.send_nowait(pack(message))
            except LinkError:
                guest.scope.cancel()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def _conclude(self) -> Membership | None:
        """Try to conclude the charter: all players reveal, and all sign.

        Return None if somebody left, withdrew or did not answer in time.
        """
        guests, me = self._seated, self.endpoint.identity.public
        nonce = self.entropy(NONCE_BYTES)
        mine = CommittedSeat(me, self.name, nonce_commitment(me, nonce))
        self._attempts += 1
        attempt = Seats(self._attempts, (mine, *(guest.seat for guest in guests)))
        for guest in guests:
            guest.nonce = guest.signature = None
        self._attempt = attempt
        # All have committed to their nonces, so now all reveal them.
        self._send(guests, attempt)
        nonces = await self._answers(attempt, guests, lambda guest: guest.nonce)
        if nonces is None:
            return None
        members = tuple(
            Member(seat.key, seat.name, revealed)
            for seat, revealed in zip(attempt.seats, (nonce, *nonces), strict=True)
        )
        terms = self.terms
        charter = self._proposed = Charter(
            terms.game, terms.options, members, terms.grace, terms.spectators
        )
        # With the nonces the charter is complete, so now all sign.
        self._send(guests, Propose(charter.encode()))
        signatures = await self._answers(attempt, guests, lambda guest: guest.signature)
        if signatures is None:
            return None
        return await self._begin(charter, guests, signatures)

    async def _answers(
        self,
        attempt: Seats,
        guests: Sequence[LobbyGuest],
        answer: Callable[[LobbyGuest], bytes | None],
    ) -> tuple[bytes, ...] | None:
        """Return the answers of all guests, or None if a guest does not answer in time.

        Guests who do not answer in time are sent away. The result is None, too, if the attempt was
        broken off meanwhile.
        """
        with trio.move_on_after(ANSWER_SECONDS):
            while self._attempt is attempt and any(answer(guest) is None for guest in guests):
                await self._changed.wait()
        if self._attempt is not attempt:
            return None
        for guest in guests:
            if answer(guest) is None:
                self._door.note(guest.link, Trouble.BROKEN_OFF)
                guest.scope.cancel()
        answers = tuple(given for guest in guests if (given := answer(guest)) is not None)
        return answers if len(answers) == len(guests) else None

    async def _begin(
        self, charter: Charter, guests: tuple[LobbyGuest, ...], signatures: tuple[bytes, ...]
    ) -> Membership:
        """Put the charter that all have signed into the journal, and then send it to the guests."""
        mine = charter.sign(self.endpoint.identity.sign)
        signed = SignedCharter(charter, (mine, *signatures))
        addresses = tuple(
            Address(guest.link.peer, guest.link.address, guest.port) for guest in guests
        )
        membership = Membership(signed, 0, addresses)
        # This comes before the wait below: a guest who leaves meanwhile has signed, and breaks
        # nothing off.
        self._begun = True
        for guest in self._knocking.values():
            guest.send_away(Reason.TABLE_FULL)
        await trio.to_thread.run_sync(membership.keep, self.journal)
        self._send(guests, Whereabouts(addresses))
        self._send(guests, Agreed(signed.encode()))
        return membership
