"""Sitting down: the host gathers guests, and all sign the charter.

The host decides nothing that a guest does not see: each checks that the charter names him as he
is, and signs it; its digest, the table id, is the same for all or the game does not begin.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import trio
from attrs import define, field, frozen

from engine.sentences import Sentence
from p2p.discovery.addresses import Address
from p2p.lobby.state import Gathering, Sitter, Terms
from p2p.replacement.applicant import Candidacy
from p2p.storage.journal import Journal
from p2p.storage.memberships import Agreement, Pledge
from p2p.transport.endpoint import LOBBY, Caller, Declined, Endpoint, hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Link
from p2p.transport.messages import (
    Agreed,
    Goodbye,
    Message,
    Noted,
    Propose,
    Ready,
    Sign,
    Sit,
    Whereabouts,
    pack,
)
from p2p.transport.rate_limit import Allowance
from p2p.transport.tasks import beside
from protocol.charter import NONCE_BYTES, Charter, Member, SignedCharter
from protocol.errors import Malformed
from protocol.group import Entropy
from protocol.state import State

SIGN_SECONDS = 10.0
"""For signing a charter, which takes a guest's machine no time."""

CLOSE_SECONDS = 1.0
"""For the last words to those who sat in a lobby that is closed."""

STILL_HERE_SECONDS = 5.0
"""Between two messages of those who wait, so that no link falls silent."""

CLAIM_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Between the attempts of a guest to learn whether the charter that he has signed came about."""

KEPT = Sentence("This table is kept for those who have just played at it.")
"""What somebody else hears who wants to sit down for a rematch."""

Objection = Callable[[bytes, str], Sentence | None]
"""From a player's key and name to a sentence why he cannot sit here, or None if he can."""


@frozen
class Company:
    """What a player wants to know and to say about those who sit down with him. `on_noted` and
    `on_shown` are called where a seat is to be taken over: see `p2p.replacement.applicant`.
    """

    on_seated: Callable[[Gathering], None] = lambda _gathering: None
    objection: Objection = lambda _key, _name: None
    on_noted: Callable[[], None] = lambda: None
    on_shown: Callable[[State], None] = lambda _state: None
    on_refused: Callable[[str, Sentence], None] = lambda _name, _sentence: None


@define
class _Guest:
    """Somebody in the lobby; `scope` ends his link."""

    link: Link
    sit: Sit
    port: int
    scope: trio.CancelScope
    ready: bool = False
    signature: bytes | None = None
    allowance: Allowance = field(factory=partial(Allowance, burst=20, rate=1.0))

    @property
    def member(self) -> Member:
        return Member(self.link.peer, self.sit.name, self.sit.nonce)

    @property
    def sitter(self) -> Sitter:
        return Sitter(self.link.peer, self.sit.name, self.ready)


@define
class Host:
    """Opens a table and waits until it is full, all are ready, and all have signed. Guests whose
    keys are in `order` sit in that order, the others after them as they came.
    """

    endpoint: Endpoint
    journal: Journal
    name: str
    terms: Terms
    entropy: Entropy
    company: Company = field(factory=Company)
    ready: bool = True
    order: Sequence[bytes] = ()
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
        self.terms.check()
        me = Member(self.endpoint.identity.public, self.name, self.entropy(NONCE_BYTES))
        with self.endpoint.route(LOBBY, self._receive):
            self.company.on_seated(self.gathering)
            task_status.started()
            try:
                async with beside(self._beat):
                    agreement = None
                    while agreement is None:
                        if self.gathering.is_ready:
                            agreement = await self._propose(me)
                        else:
                            await self._changed.wait()
            finally:
                if not self._begun:
                    await self._close()
        return agreement

    @property
    def gathering(self) -> Gathering:
        """Who is there by now."""
        me = Sitter(self.endpoint.identity.public, self.name, self.ready)
        return Gathering(self.terms, (me, *(guest.sitter for guest in self._seated)))

    def set_ready(self, yes: bool) -> None:
        """Whether the charter may be signed as far as the host is concerned."""
        self.ready = yes
        self._withdraw()
        self._tell_all()

    @property
    def _seated(self) -> tuple[_Guest, ...]:
        def place(guest: _Guest) -> int:
            key = guest.link.peer
            return self.order.index(key) if key in self.order else len(self.order)

        return tuple(sorted(self._guests.values(), key=place))

    # -- one guest

    async def _receive(self, caller: Caller) -> None:
        """One guest, from his wish to sit down until he leaves or the game begins."""
        link = caller.link
        sit = await hear(link)
        if not isinstance(sit, Sit):
            raise Malformed("In the lobby one asks for a seat first.")
        refusal = self._refusal(link.peer, sit.name)
        if refusal is not None:
            self.company.on_refused(sit.name, refusal)
            return await say(link, Goodbye(str(refusal)))
        link.settle()
        with trio.CancelScope() as scope:
            guest = self._guests[link.peer] = _Guest(link, sit, caller.port, scope)
            try:
                self._tell_all()
                await self._listen(guest)
            finally:
                del self._guests[link.peer]
                if not self._begun:  # then they all leave for the table
                    self._withdraw()
                    self._tell_all()
        return None

    def _refusal(self, key: bytes, name: str) -> Sentence | None:
        if key in self._guests:
            return Sentence("You sit at this table already.")
        if not self.gathering.free:
            return Sentence("The table is full.")
        if name.casefold() in map(str.casefold, self.gathering.names):
            return Sentence("Somebody of that name sits here already; choose another name.")
        return self.company.objection(key, name)

    async def _listen(self, guest: _Guest) -> None:
        while True:
            match await hear(guest.link):
                case Sign(signature):
                    self._check_signature(guest, signature)
                    guest.signature = signature
                    self._wake()
                case Ready(yes) if yes != guest.ready:
                    if not guest.allowance.spend():  # all others are told each time
                        raise Malformed("A guest changes his mind too often.")
                    guest.ready = yes
                    self._withdraw()
                    self._tell_all()
                case Ready():
                    pass
                case _:
                    raise Malformed("A guest is ready or not, signs, or leaves.")

    def _check_signature(self, guest: _Guest, signature: bytes) -> None:
        charter = self._proposed
        # What was proposed may have been withdrawn while the signature was on its way.
        if charter is None:
            return
        player = charter.player_of(guest.link.peer)
        if player is None or not charter.is_signed_by(player, signature):
            raise Malformed("That is no signature of the charter.")

    # -- all of them

    def _withdraw(self) -> None:
        """What was proposed is no more what all want."""
        self._proposed = None

    def _tell_all(self) -> None:
        self.company.on_seated(self.gathering)
        self._wake()
        self._send_all(self.gathering)

    async def _close(self) -> None:
        """Let everybody know that there will be no table."""
        with trio.move_on_after(CLOSE_SECONDS, shield=True):
            self._send_all(Goodbye("The host has closed the table."))
            async with trio.open_nursery() as nursery:
                for guest in self._guests.values():
                    nursery.start_soon(guest.link.aclose)

    async def _beat(self) -> None:
        while True:
            await trio.sleep(STILL_HERE_SECONDS)
            self._send_all(self.gathering)

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
        guests = self._seated
        for guest in guests:
            guest.signature = None
        members = (me, *(guest.member for guest in guests))
        charter = Charter(self.terms.game, self.terms.options, members, self.terms.grace)
        self._proposed = charter
        self._send_all(Propose(charter.encode()))
        with trio.move_on_after(SIGN_SECONDS):
            while any(guest.signature is None for guest in guests) and self._proposed is charter:
                await self._changed.wait()
        if self._proposed is not charter:
            return None
        for guest in guests:
            if guest.signature is None:
                guest.scope.cancel()
        signatures = tuple(guest.signature for guest in guests if guest.signature is not None)
        if len(signatures) < len(guests):
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
    """Sit down as a guest who is ready whenever the others are. Raises as `Guest.sit_down`."""
    guest = Guest(endpoint, journal, name, entropy, company or Company())
    return await guest.sit_down(host, port, expect=expect)


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
class Guest:
    """Sits down at the table of a host, and signs the charter when all are ready. `pledge` is what
    he has signed.
    """

    endpoint: Endpoint
    journal: Journal
    name: str
    entropy: Entropy
    company: Company = field(factory=Company)
    ready: bool = True
    pledge: Pledge | None = field(default=None, init=False)
    _nonce: bytes = field(default=b"", init=False)
    _gathering: Gathering | None = field(default=None, init=False)
    _addresses: tuple[Address, ...] = field(default=(), init=False)
    _link: Link | None = field(default=None, init=False)

    async def sit_down(self, host: str, port: int, *, expect: bytes | None = None) -> Agreement:
        """Sit down at the table of the host at that address (with `expect`, only if the host is
        the holder of that key), and sign; or, at a table that waits for a player who is silent,
        take his seat when the others agree. The agreement is in the journal then.

        Raises Declined with the host's sentence, LinkError, or Malformed if the host is up to
        something.
        """
        self._nonce = self.entropy(NONCE_BYTES)
        try:
            async with self.endpoint.dial(host, port, LOBBY, expect=expect) as link:
                return await self._sit(link, port)
        except LinkError:
            if self.pledge is None:
                raise
        return await claim(self.endpoint, self.journal, self.pledge)

    def set_ready(self, yes: bool) -> None:
        """Whether the charter may be signed as far as this guest is concerned."""
        self.ready = yes
        if self._link is not None:
            with suppress(LinkError):  # whoever listens notices
                self._link.send_nowait(pack(Ready(yes)))

    async def _sit(self, link: Link, port: int) -> Agreement:
        await say(link, Sit(self.name, self._nonce))
        self._link = link
        try:
            async with beside(self._beat):
                return await self._listen(link, port)
        finally:
            self._link = None

    async def _beat(self) -> None:
        while True:
            self.set_ready(self.ready)
            await trio.sleep(STILL_HERE_SECONDS)

    async def _listen(self, link: Link, port: int) -> Agreement:
        while True:
            match await hear(link):
                case Gathering() as gathering:
                    self._gathering = gathering
                    self.company.on_seated(gathering)
                case Noted():
                    return await self._stand(link, port)
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

    async def _stand(self, link: Link, port: int) -> Agreement:
        """The table has begun, and a seat may become free."""
        me = Member(self.endpoint.identity.public, self.name, self._nonce)
        self.company.on_noted()
        arguments = (self.endpoint, self.journal, me, link, port)
        return await Candidacy(*arguments, self.company.objection, self.company.on_shown).wait()

    async def _sign(self, link: Link, port: int, charter: Charter) -> None:
        mine = Member(self.endpoint.identity.public, self.name, self._nonce)
        if mine not in charter.members or charter.player_of(link.peer) is None:
            raise Malformed("The charter does not name this player and the host.")
        if self._gathering is None or not _is_as_shown(charter, self._gathering):
            raise Malformed("The charter is about another table than the host has shown.")
        if not self.ready:
            return  # the host hears of it, if he has not yet
        for member in charter.members:
            sentence = None if member == mine else self.company.objection(member.key, member.name)
            if sentence is not None:
                raise Declined(sentence)
        self.pledge = Pledge(charter, Address(link.peer, link.address, port))
        await trio.to_thread.run_sync(self.pledge.keep, self.journal)
        await say(link, Sign(charter.sign(self.endpoint.identity.sign)))


def _is_as_shown(charter: Charter, gathering: Gathering) -> bool:
    """The charter has the terms and the players that people saw when they got ready."""
    terms = gathering.terms
    players = {(member.key, member.name) for member in charter.members}
    return (
        (charter.game, charter.options, charter.grace) == (terms.game, terms.options, terms.grace)
        and len(charter.members) == terms.seats
        and players == {(sitter.key, sitter.name) for sitter in gathering.present}
    )
