"""Sitting down: the host gathers guests, and all sign the charter.

The host decides nothing that a guest does not see: each checks that the charter names him as he
is, and signs it; its digest, the table id, is the same for all or the game does not begin.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import trio
from attrs import define, field, frozen

from engine.games import Game
from engine.options import Options
from p2p.addresses import Address
from p2p.agreement import Agreement, Pledge
from p2p.endpoint import LOBBY, Caller, Declined, Endpoint, hear, say
from p2p.frames import LinkError
from p2p.journal import Journal
from p2p.link import Link
from p2p.messages import (
    Agreed,
    Goodbye,
    Message,
    Propose,
    Seated,
    Sign,
    Sit,
    Waiting,
    Whereabouts,
    pack,
)
from p2p.tasks import beside
from protocol.charter import (
    NONCE_BYTES,
    USUAL_GRACE,
    Charter,
    Member,
    SignedCharter,
    check_grace,
)
from protocol.errors import Malformed
from protocol.group import Entropy

SIGN_SECONDS = 10.0
"""For signing a charter, which takes a guest's machine no time."""

STILL_HERE_SECONDS = 5.0
"""Between two messages of those who wait, so that no link falls silent."""

CLAIM_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Between the attempts of a guest to learn whether the charter that he has signed came about."""

Present = tuple[str, ...]
"""The names of those who sit in a lobby, the host first."""

Objection = Callable[[bytes, str], str | None]
"""From a player's key and name to a sentence why he cannot sit here, or None if he can."""


@frozen
class Company:
    """What a player wants to know and to say about those who sit down with him."""

    on_seated: Callable[[Present], None] = lambda _names: None
    objection: Objection = lambda _key, _name: None


@define
class _Guest:
    """Somebody in the lobby; `scope` ends his link."""

    link: Link
    sit: Sit
    port: int
    scope: trio.CancelScope
    signature: bytes | None = None

    @property
    def member(self) -> Member:
        return Member(self.link.peer, self.sit.name, self.sit.nonce)


@define
class Host:
    """Opens a table of `seats` players and waits until it is full and signed. `grace` is that of
    the charter, in seconds.
    """

    endpoint: Endpoint
    journal: Journal
    name: str
    game: Game
    options: Options
    seats: int
    entropy: Entropy
    company: Company = field(factory=Company)
    grace: int = USUAL_GRACE
    _guests: dict[bytes, _Guest] = field(factory=dict, init=False)
    _proposed: Charter | None = field(default=None, init=False)
    _begun: bool = field(default=False, init=False)
    _changed: trio.Event = field(factory=trio.Event, init=False)

    async def run(
        self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> Agreement:
        """The agreement, once all have signed, and in the journal.

        Raises InvalidOption for a bad number of seats, or a bad grace.
        """
        self.game.check_players(self.seats)
        check_grace(self.grace)
        me = Member(self.endpoint.identity.public, self.name, self.entropy(NONCE_BYTES))
        with self.endpoint.route(LOBBY, self._receive):
            task_status.started()
            async with beside(self._beat):
                agreement = None
                while agreement is None:
                    if len(self._guests) == self.seats - 1:
                        agreement = await self._propose(me)
                    else:
                        await self._changed.wait()
        return agreement

    @property
    def present(self) -> Present:
        return (self.name, *(guest.sit.name for guest in self._guests.values()))

    # -- one guest

    async def _receive(self, caller: Caller) -> None:
        """One guest, from his wish to sit down until he leaves or the game begins."""
        link = caller.link
        sit = await hear(link)
        if not isinstance(sit, Sit):
            raise Malformed("In the lobby one asks for a seat first.")
        refusal = self._refusal(link.peer, sit.name)
        if refusal is not None:
            return await say(link, Goodbye(refusal))
        link.settle()
        with trio.CancelScope() as scope:
            guest = self._guests[link.peer] = _Guest(link, sit, caller.port, scope)
            try:
                self._tell_all()
                await self._listen(guest)
            finally:
                del self._guests[link.peer]
                if not self._begun:  # then they all leave for the table
                    self._proposed = None
                    self._tell_all()
        return None

    def _refusal(self, key: bytes, name: str) -> str | None:
        if key in self._guests:
            return "You sit at this table already."
        if len(self._guests) == self.seats - 1:
            return "The table is full."
        if name.casefold() in map(str.casefold, self.present):
            return "Somebody of that name sits here already; choose another name."
        return self.company.objection(key, name)

    async def _listen(self, guest: _Guest) -> None:
        while True:
            match await hear(guest.link):
                case Sign(signature):
                    self._check_signature(guest, signature)
                    guest.signature = signature
                    self._wake()
                case Waiting():
                    pass
                case _:
                    raise Malformed("A guest signs, or leaves.")

    def _check_signature(self, guest: _Guest, signature: bytes) -> None:
        charter = self._proposed
        # What was proposed may have been withdrawn while the signature was on its way.
        if charter is None:
            return
        player = charter.player_of(guest.link.peer)
        if player is None or not charter.is_signed_by(player, signature):
            raise Malformed("That is no signature of the charter.")

    # -- all of them

    def _tell_all(self) -> None:
        self.company.on_seated(self.present)
        self._wake()
        self._send_all(Seated(self.present, self.seats))

    async def _beat(self) -> None:
        while True:
            await trio.sleep(STILL_HERE_SECONDS)
            self._send_all(Seated(self.present, self.seats))

    def _send_all(self, message: Message) -> None:
        """Queue a message to each guest; one who does not read what was said before has to go."""
        for guest in self._guests.values():
            try:
                guest.link.send_nowait(pack(message))
            except LinkError:
                guest.scope.cancel()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def _propose(self, me: Member) -> Agreement | None:
        """Let all sign. None if somebody left before all had."""
        guests = tuple(self._guests.values())
        for guest in guests:
            guest.signature = None
        members = (me, *(guest.member for guest in guests))
        charter = Charter(self.game, self.options, members, self.grace)
        self._proposed = charter
        self._send_all(Propose(charter.encode()))
        with trio.move_on_after(SIGN_SECONDS):
            while any(guest.signature is None for guest in guests) and self._proposed is charter:
                await self._changed.wait()
        for guest in guests:
            if guest.signature is None:
                guest.scope.cancel()
        signatures = tuple(guest.signature for guest in guests if guest.signature is not None)
        if self._proposed is not charter or len(signatures) < len(guests):
            return None
        return await self._conclude(charter, guests, signatures)

    async def _conclude(
        self, charter: Charter, guests: tuple[_Guest, ...], signatures: tuple[bytes, ...]
    ) -> Agreement:
        """All have signed: into the journal with it, and only then let them know."""
        mine = charter.sign(self.endpoint.identity.sign)
        signed = SignedCharter(charter, (mine, *signatures))
        addresses = tuple(
            Address(guest.link.peer, guest.link.address, guest.port) for guest in guests
        )
        agreement = Agreement(signed, 0, addresses)
        self._begun = True
        await trio.to_thread.run_sync(agreement.keep, self.journal)
        self._send_all(Whereabouts(addresses))
        self._send_all(Agreed(signed.encode()))
        return agreement


async def join(
    endpoint: Endpoint,
    journal: Journal,
    host: str,
    port: int,
    name: str,
    entropy: Entropy,
    company: Company | None = None,
    *,
    expect: bytes | None = None,
) -> Agreement:
    """Sit down at the table of the host at that address (with `expect`, only if the host is the
    holder of that key), and sign; the agreement is in the journal then.

    Raises Declined with the host's sentence, LinkError, or Malformed if the host is up to
    something.
    """
    guest = _Joining(endpoint, journal, name, entropy(NONCE_BYTES), company or Company())
    try:
        async with endpoint.dial(host, port, LOBBY, expect=expect) as link:
            return await guest.sit(link, port)
    except LinkError:
        if guest.pledge is None:
            raise
    return await claim(endpoint, journal, guest.pledge)


async def claim(endpoint: Endpoint, journal: Journal, pledge: Pledge) -> Agreement:
    """The agreement over a charter that was signed here but never heard to be agreed.

    Raises Declined if it never came about (the pledge is dropped then), and LinkError if the host
    cannot be reached.
    """
    at = pledge.host
    for pause in CLAIM_PAUSES:
        try:
            async with endpoint.dial(
                at.host, at.port, pledge.charter.table_id, expect=at.key
            ) as link:
                while True:
                    match await hear(link):
                        case Agreed(data):
                            return await _agree(endpoint, journal, pledge, data, ())
                        case _:
                            raise Malformed("A member is greeted with the signed charter.")
        except Declined:
            await trio.to_thread.run_sync(Pledge.drop, journal)
            raise
        except LinkError:
            await trio.sleep(pause)
    raise LinkError("The host cannot be reached any more; nobody knows whether the table began.")


async def _agree(
    endpoint: Endpoint,
    journal: Journal,
    pledge: Pledge,
    data: bytes,
    addresses: tuple[Address, ...],
) -> Agreement:
    signed = SignedCharter.decode(data)
    if signed.charter != pledge.charter:
        raise Malformed("The table begins with another charter than was signed.")
    me = signed.charter.player_of(endpoint.identity.public)
    if me is None:
        raise Malformed("The charter does not name this player.")
    agreement = Agreement(signed, me, (pledge.host, *addresses))
    await trio.to_thread.run_sync(agreement.keep, journal)
    return agreement


@define
class _Joining:
    """A guest on his way into a table; `pledge` is what he has signed."""

    endpoint: Endpoint
    journal: Journal
    name: str
    nonce: bytes
    company: Company
    pledge: Pledge | None = None
    _addresses: tuple[Address, ...] = ()

    async def sit(self, link: Link, port: int) -> Agreement:
        async with beside(partial(self._beat, link)):
            await say(link, Sit(self.name, self.nonce))
            return await self._listen(link, port)

    async def _beat(self, link: Link) -> None:
        with suppress(LinkError):  # whoever listens notices
            while True:
                await trio.sleep(STILL_HERE_SECONDS)
                await say(link, Waiting())

    async def _listen(self, link: Link, port: int) -> Agreement:
        while True:
            match await hear(link):
                case Seated(names):
                    self.company.on_seated(names)
                case Propose(data):
                    await self._sign(link, port, Charter.decode(data))
                case Whereabouts(addresses):
                    self._addresses = addresses
                case Agreed(data):
                    if self.pledge is None:
                        raise Malformed("The table begins with a charter that nobody was shown.")
                    return await _agree(
                        self.endpoint, self.journal, self.pledge, data, self._addresses
                    )
                case _:
                    raise Malformed("The host said something that has no place in a lobby.")

    async def _sign(self, link: Link, port: int, charter: Charter) -> None:
        mine = Member(self.endpoint.identity.public, self.name, self.nonce)
        if mine not in charter.members or charter.player_of(link.peer) is None:
            raise Malformed("The charter does not name this player and the host.")
        for member in charter.members:
            sentence = None if member == mine else self.company.objection(member.key, member.name)
            if sentence is not None:
                raise Declined(sentence)
        self.pledge = Pledge(charter, Address(link.peer, link.address, port))
        await trio.to_thread.run_sync(self.pledge.keep, self.journal)
        await say(link, Sign(charter.sign(self.endpoint.identity.sign)))
