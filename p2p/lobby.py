"""Sitting down: the host gathers guests, and all sign the charter.

The host decides nothing that a guest does not see: each checks that the charter names him as he
is, and signs it; its digest, the table id, is the same for all or the game does not begin.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress

import trio
from attrs import define, field, frozen

from engine.games import Game
from engine.options import Options
from p2p.endpoint import LOBBY, Endpoint, hear, say
from p2p.frames import LinkError
from p2p.link import Link
from p2p.messages import Address, Agreed, Goodbye, Propose, Seated, Sign, Sit
from protocol.charter import NONCE_BYTES, Charter, Member, SignedCharter
from protocol.errors import Malformed
from protocol.group import Entropy


@frozen
class Agreement:
    """A table that everybody has signed. `me` is this node's player number; `addresses` tells
    where the others listen, by key.
    """

    charter: SignedCharter
    me: int
    addresses: Mapping[bytes, tuple[str, int]]


@define
class _Guest:
    link: Link
    sit: Sit
    signature: bytes | None = None

    @property
    def member(self) -> Member:
        return Member(self.link.peer, self.sit.name, self.sit.nonce)


@define
class Host:
    """Opens a table of `seats` players and waits until it is full and signed."""

    endpoint: Endpoint
    name: str
    game: Game
    options: Options
    seats: int
    entropy: Entropy
    on_seated: Callable[[tuple[str, ...]], None] = lambda _names: None
    _guests: dict[bytes, _Guest] = field(factory=dict, init=False)
    _proposed: Charter | None = field(default=None, init=False)
    _changed: trio.Event = field(factory=trio.Event, init=False)

    async def run(self) -> Agreement:
        """The agreement, once all have signed. Raises InvalidOption for a bad number of seats."""
        self.game.check_players(self.seats)
        nonce = self.entropy(NONCE_BYTES)
        me = Member(self.endpoint.identity.public, self.name, nonce)
        with self.endpoint.route(LOBBY, self._receive):
            while True:
                if len(self._guests) == self.seats - 1:
                    agreement = await self._propose(me)
                    if agreement is not None:
                        return agreement
                await self._next_change()

    async def _next_change(self) -> None:
        await self._changed.wait()
        self._changed = trio.Event()

    async def _receive(self, link: Link) -> None:
        """One guest, from his wish to sit down until he leaves or the game begins."""
        sit = await hear(link)
        if not isinstance(sit, Sit):
            raise Malformed("In the lobby one asks for a seat first.")
        if link.peer in self._guests:
            return await say(link, Goodbye("You sit at this table already."))
        if len(self._guests) == self.seats - 1:
            return await say(link, Goodbye("The table is full."))
        guest = self._guests[link.peer] = _Guest(link, sit)
        await self._tell_all()
        try:
            while True:
                match await hear(link):
                    case Sign(signature):
                        guest.signature = signature
                        self._changed.set()
                    case _:
                        raise Malformed("A guest signs, or leaves.")
        finally:
            del self._guests[link.peer]
            self._proposed = None
            self._changed.set()

    async def _tell_all(self) -> None:
        names = (self.name, *(guest.sit.name for guest in self._guests.values()))
        self.on_seated(names)
        await self._send_all(Seated(names, self.seats))
        self._changed.set()

    async def _send_all(self, message: Seated | Propose | Agreed) -> None:
        for guest in tuple(self._guests.values()):
            with suppress(LinkError):  # its own task notices
                await say(guest.link, message)

    async def _propose(self, me: Member) -> Agreement | None:
        """Let all sign. None if somebody left before all had."""
        guests = tuple(self._guests.values())
        for guest in guests:
            guest.signature = None
        charter = Charter(self.game, self.options, (me, *(guest.member for guest in guests)))
        self._proposed = charter
        await self._send_all(Propose(charter.encode()))
        while any(guest.signature is None for guest in guests):
            await self._next_change()
            if self._proposed is not charter:
                return None
        mine = charter.sign(self.endpoint.identity.sign)
        others = tuple(guest.signature or b"" for guest in guests)
        for player, signature in enumerate(others, start=1):
            if not charter.is_signed_by(player, signature):
                await say(guests[player - 1].link, Goodbye("That is no signature of the charter."))
                return None
        signed = SignedCharter(charter, (mine, *others))
        addresses = tuple(Address(g.link.peer, g.link.address, g.sit.port) for g in guests)
        await self._send_all(Agreed(signed.encode(), addresses))
        return Agreement(signed, 0, {a.key: (a.host, a.port) for a in addresses})


async def join(
    endpoint: Endpoint,
    host: str,
    port: int,
    name: str,
    entropy: Entropy,
    on_seated: Callable[[tuple[str, ...]], None] = lambda _names: None,
) -> Agreement:
    """Sit down at the table of the host at that address, and sign.

    Raises Declined with the host's sentence, LinkError, or Malformed if the host is up to
    something.
    """
    sit = Sit(name, entropy(NONCE_BYTES), endpoint.port)
    async with endpoint.dial(host, port, LOBBY) as link:
        await say(link, sit)
        mine = Member(endpoint.identity.public, name, sit.nonce)
        proposed: Charter | None = None
        while True:
            match await hear(link):
                case Seated(names):
                    on_seated(names)
                case Propose(data):
                    proposed = Charter.decode(data)
                    if mine not in proposed.members or proposed.player_of(link.peer) is None:
                        raise Malformed("The charter does not name this player and the host.")
                    await say(link, Sign(proposed.sign(endpoint.identity.sign)))
                case Agreed(data, addresses):
                    signed = SignedCharter.decode(data)
                    if proposed is None or signed.charter != proposed:
                        raise Malformed("The table begins with another charter than was signed.")
                    known = {a.key: (a.host, a.port) for a in addresses} | {link.peer: (host, port)}
                    return Agreement(signed, proposed.members.index(mine), known)
                case _:
                    raise Malformed("The host said something that has no place in a lobby.")
