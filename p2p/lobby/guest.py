"""The guest's side of a lobby: sitting down, signing the charter, and fetching the signed one."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import trio
from attrs import define, field

from p2p.background_task import beside
from p2p.discovery.address_book import Address
from p2p.lobby.client_callbacks import STILL_HERE_SECONDS, LobbyCallbacks
from p2p.lobby.knock_price import pay
from p2p.match.take_vacant_seat import Candidacy
from p2p.rate_limit import RateLimit
from p2p.refusals import Reason
from p2p.shuffle_threads import prepare
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, PendingCharter
from p2p.transport.endpoint import LOBBY, Declined, Endpoint, hear, say
from p2p.transport.frames import LinkError
from p2p.transport.link import Link
from p2p.transport.lobby_messages import (
    Announced,
    CommittedSeat,
    LobbyState,
    Price,
    Propose,
    Ready,
    Reveal,
    Seats,
    Sign,
    Sit,
)
from p2p.transport.messages import Agreed, Noted, Whereabouts, pack
from protocol.charter import NONCE_BYTES, Charter, Member, SignedCharter, nonce_commitment
from protocol.errors import Malformed, Mismatch, OutOfTurn, Refused
from protocol.group import Entropy

_log = logging.getLogger(__name__)

CLAIM_PAUSES = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before each attempt of a guest to fetch the signed charter."""

MOST_ATTEMPTS = 20
"""The maximum number of nonces that a guest reveals at one lobby: one for each attempt to begin.

The count is not reset when the guest leaves and comes back. It is limited because each attempt
gives somebody who intercepts the link a chance of 2^-32 that both sides are shown the same words.
"""


async def join(
    endpoint: Endpoint,
    journal: Journal,
    host: str,
    port: int,
    name: str,
    entropy: Entropy,
    callbacks: LobbyCallbacks | None = None,
    *,
    expect: bytes | None = None,
) -> Membership:
    """Sit down as a guest who is always ready. Raises the same errors as `Guest.sit_down`."""
    guest = Guest(endpoint, journal, name, entropy, callbacks or LobbyCallbacks())
    return await guest.sit_down(host, port, expect=expect)


async def claim(endpoint: Endpoint, journal: Journal, pending: PendingCharter) -> Membership:
    """Return the membership at a table whose charter this node has signed.

    Call this when it is not known if all others have signed, too. Raises Declined if the host
    declines. If the reason is that the host has no such table, the table never began, and the
    pending charter is dropped. If the reason is, for example, that this call comes from another
    network, the charter is kept. Raises LinkError if the host cannot be reached.
    """
    at = pending.host
    for pause in CLAIM_PAUSES:
        await trio.sleep(pause)
        try:
            async with endpoint.dial(
                at.host, at.port, pending.charter.table_id, expect=at.key
            ) as link:
                with _understanding():
                    message = await hear(link)
                    if not isinstance(message, Agreed):
                        raise OutOfTurn("The host has not begun with the signed charter.")
                    return await _agree(endpoint, journal, pending, message.signed_charter, ())
        except Declined as error:
            if error.reason == Reason.NO_TABLE:
                await trio.to_thread.run_sync(PendingCharter.drop, journal)
            raise
        except LinkError:
            continue
    raise LinkError(
        "The host cannot be reached any more, so it is not known whether the table has begun."
    )


async def _agree(
    endpoint: Endpoint,
    journal: Journal,
    pending: PendingCharter,
    data: bytes,
    addresses: tuple[Address, ...],
) -> Membership:
    """Put the signed charter in `data` into the journal, and return the membership.

    Raises Malformed, and Mismatch if it is not the pending charter.
    """
    signed = SignedCharter.decode(data)
    if signed.charter != pending.charter:
        raise Mismatch("The table begins with another charter than the one that you have signed.")
    me = signed.charter.player_of(endpoint.identity.public)
    if me is None:
        raise Mismatch("The charter does not name this player.")
    membership = Membership(signed, me, (pending.host, *addresses))
    await trio.to_thread.run_sync(membership.keep, journal)
    return membership


class NotAnnounced(LinkError):
    """An error: the node that answers is not the one that has announced the table."""


class NotUnderstood(LinkError):
    """An error: a message of the host cannot be decoded. The details are only logged."""


@contextmanager
def _understanding() -> Iterator[None]:
    """Raise NotUnderstood in place of Malformed."""
    try:
        yield
    except Malformed as error:
        _log.info("what the host says cannot be decoded: %s", error)
        raise NotUnderstood(
            "The program that answers there sends messages that this program does not understand: "
            "one of the two may have to be updated."
        ) from error


@define
class Guest:
    """A guest, who sits down at the table of a host, and signs the charter when all are ready."""

    endpoint: Endpoint
    journal: Journal
    name: str
    entropy: Entropy
    callbacks: LobbyCallbacks = field(factory=LobbyCallbacks)
    ready: bool = True
    """True if the guest would sign a charter with the terms and players that the host shows."""
    pending: PendingCharter | None = field(default=None, init=False)
    """The charter that the guest has signed."""
    _nonce: bytes = field(default=b"", init=False)
    """The guest's next nonce, which is not revealed yet."""
    _commitment: bytes = field(default=b"", init=False)
    """The commitment to `_nonce`."""
    _attempts: int = field(default=0, init=False)
    """The number of nonces that the guest has revealed."""
    _seats: tuple[CommittedSeat, ...] = field(default=(), init=False)
    """The seats, with all commitments, for which the guest has revealed a nonce; empty again when
    the charter has come.
    """
    _lobby_state: LobbyState | None = field(default=None, init=False)
    """The terms and players that the host has shown last."""
    _agreed_to: LobbyState | None = field(default=None, init=False)
    """The terms and players that the guest saw when `set_ready` was called."""
    _addresses: tuple[Address, ...] = field(default=(), init=False)
    """The addresses of the other players, as the host has told them."""
    _link: Link | None = field(default=None, init=False)
    _paid: dict[bytes, bytes] = field(factory=dict, init=False)
    """The work that was done for each host, by the host's key."""

    async def sit_down(
        self,
        hosts: str | Sequence[str],
        port: int,
        *,
        expect: bytes | None = None,
        announced_by: bytes | None = None,
    ) -> Membership:
        """Sit down at the table of the host at one of these addresses, and sign.

        If `expect` is given, the host must hold that key. If `announced_by` is given, the beacon
        with that key must be the host's. At a table that waits for a silent player, take that
        player's seat when the others agree. On return the membership is in the journal.

        Raises Declined with the host's reason, Refused with this node's reason, and LinkError if
        the link fails. Two kinds of LinkError have other causes: NotAnnounced (the beacon is not
        the host's) and NotUnderstood (a message cannot be decoded). Raises Mismatch or OutOfTurn if
        the host does not keep to the protocol.
        """
        self._seats, self._agreed_to = (), None
        self._commit()
        try:
            async with self.endpoint.dial(hosts, port, LOBBY, expect=expect) as link:
                with _understanding():
                    if announced_by is not None:
                        await check_announced(link, announced_by)
                    return await self._sit(link, port)
        except (LinkError, Refused) as error:
            # With a signed charter the table may have begun without our hearing of it: ask the
            # host.
            if self.pending is None or isinstance(error, NotUnderstood):
                raise
        return await claim(self.endpoint, self.journal, self.pending)

    def set_ready(self, yes: bool) -> None:
        """Note whether this guest is ready to sign the charter, and tell the host."""
        self.ready = yes
        self._agreed_to = self._lobby_state if yes else None
        self._tell_ready()

    def _tell_ready(self) -> None:
        if self._link is not None:
            with suppress(LinkError):  # the task that listens to this link gets the error, too
                self._link.send_nowait(pack(Ready(self.ready)))

    async def _sit(self, link: Link, port: int) -> Membership:
        await self._ask_for_seat(link)
        self._link = link
        try:
            async with beside(self._beat):
                return await self._listen(link, port)
        finally:
            self._link = None

    async def _ask_for_seat(self, link: Link) -> None:
        """Ask for a seat, and send the work that this guest has done to knock at that host's door.

        It is sent with each request, so that it need not be done again after a link has broken.
        """
        work = self._paid.get(link.peer, b"")
        await say(link, Sit(self.name, self._commitment, work))

    async def _pay(self, link: Link, nonce: bytes) -> None:
        """Pay the price of a knock, and knock."""
        self._paid[link.peer] = await trio.to_thread.run_sync(pay, nonce, abandon_on_cancel=True)
        await self._ask_for_seat(link)
        self._tell_ready()  # the host ignores all that a guest sends before the knock

    async def _beat(self) -> None:
        while True:
            self._tell_ready()
            await trio.sleep(STILL_HERE_SECONDS)

    async def _listen(self, link: Link, port: int) -> Membership:
        rate_limit, has_paid = RateLimit(), False
        while True:
            message = await hear(link)
            if not rate_limit.spend():  # each message may change the screen
                raise OutOfTurn("The host sends too many messages.")
            match message:
                case LobbyState() as lobby_state:
                    if self._lobby_state is None:
                        cards = len(lobby_state.terms.deck)
                        await trio.to_thread.run_sync(prepare, cards)
                    self._show(lobby_state)
                case Noted():
                    return await self._stand(link, port)
                case Seats() as attempt:
                    await self._reveal(link, attempt)
                case Propose(data):
                    await self._sign(link, port, Charter.decode(data))
                case Whereabouts(addresses):
                    self._addresses = addresses
                # A second price is refused by the last case: a guest works only once for each link.
                case Price(nonce) if not has_paid:
                    has_paid = True
                    await self._pay(link, nonce)
                case Announced():
                    pass  # proof that a beacon is the host's: not needed here
                case Agreed(data):
                    if self.pending is None:
                        raise OutOfTurn("The table begins with a charter that you have not signed.")
                    return await _agree(
                        self.endpoint, self.journal, self.pending, data, self._addresses
                    )
                case _:
                    raise OutOfTurn("The host has sent a message that has no place in a lobby.")

    def _show(self, lobby_state: LobbyState) -> None:
        """Show the terms and players that the host has sent.

        If the guest got ready for other terms or players, the guest is not ready any more.
        Otherwise a host could show one order of the players, and have another order signed.
        """
        self._lobby_state = lobby_state
        if self._agreed_to is not None and not _goes_on(self._agreed_to, lobby_state):
            self.set_ready(False)
            self.callbacks.on_withdrawn()
        self.callbacks.on_lobby_state(lobby_state)

    async def _stand(self, link: Link, port: int) -> Membership:
        """Wait for a seat at a table that has begun, where a seat may become free."""
        me = Member(self.endpoint.identity.public, self.name, self._commitment)
        self.callbacks.on_noted()
        arguments = (self.endpoint, self.journal, me, link, port)
        return await Candidacy(*arguments, self.callbacks.objection, self.callbacks.on_shown).wait()

    def _commit(self) -> None:
        """Draw a fresh nonce, and commit to it."""
        self._nonce = self.entropy(NONCE_BYTES)
        self._commitment = nonce_commitment(self.endpoint.identity.public, self._nonce)

    async def _reveal(self, link: Link, attempt: Seats) -> None:
        """Reveal this player's nonce, now that all others have committed to their nonces."""
        me = self.endpoint.identity.public
        mine = [seat for seat in attempt.seats if (seat.key, seat.name) == (me, self.name)]
        if not mine:
            raise Mismatch("The charter does not name this player.")
        if not self.ready or mine[0].commitment != self._commitment:
            return  # this attempt has failed: the host knows it, or will soon know it
        self._attempts += 1
        if self._attempts > MOST_ATTEMPTS:
            raise OutOfTurn("Players have left this table too often before all had signed.")
        # A nonce serves only one attempt. So the message also commits to the next nonce.
        nonce, self._seats = self._nonce, attempt.seats
        self._commit()
        await say(link, Reveal(attempt.number, nonce, self._commitment))

    async def _sign(self, link: Link, port: int, charter: Charter) -> None:
        # Each reveal counts for one charter only.
        seats, self._seats = self._seats, ()
        mine = charter.player_of(self.endpoint.identity.public)
        if mine is None or charter.player_of(link.peer) is None:
            raise Mismatch("The charter does not name this player and the host.")
        if self._lobby_state is None or not _is_as_shown(charter, self._lobby_state):
            raise Mismatch("The charter is for another table than the one that the host has shown.")
        if not _is_as_committed(charter, seats):
            raise Mismatch(
                "The charter does not have the nonces to which the players had committed."
            )
        if not self.ready:
            return  # the host knows that this guest is not ready, or will soon know it
        for player, member in enumerate(charter.members):
            objection = self.callbacks.objection(member.key, member.name)
            if player != mine and objection is not None:
                raise Refused(objection.sentence)
        self.pending = PendingCharter(charter, Address(link.peer, link.address, port))
        await trio.to_thread.run_sync(self.pending.keep, self.journal)
        await say(link, Sign(charter.sign(self.endpoint.identity.sign)))


async def check_announced(link: Link, beacon_key: bytes) -> None:
    """Check that the beacon with this key belongs to the node at the other end of the link.

    Raises NotAnnounced if it does not, and LinkError if the link ends.
    """
    message = await hear(link)
    if not isinstance(message, Announced) or not message.is_by(beacon_key, link.peer):
        raise NotAnnounced(
            "The node that answers there is not the one that has announced the table."
        )


def _is_as_committed(charter: Charter, seats: Sequence[CommittedSeat]) -> bool:
    """Return True if each member's nonce in the charter is the one to which they had committed.

    `seats` has the commitments that were known when this player revealed their own nonce.
    """
    return len(seats) == len(charter.members) and all(
        seat.is_taken_by(member) for seat, member in zip(seats, charter.members, strict=True)
    )


def _goes_on(before: LobbyState, now: LobbyState) -> bool:
    """Return True if the terms are the same, and all players of `before` are still in their places.

    More players may have sat down after them.
    """
    seen = [(player.key, player.name) for player in before.present]
    there = [(player.key, player.name) for player in now.present]
    return before.terms == now.terms and there[: len(seen)] == seen


def _is_as_shown(charter: Charter, lobby_state: LobbyState) -> bool:
    """Return True if the charter has the terms and the players that the lobby showed, and no more.

    The order of the players counts, since it says who plays with whom. The names in a lobby are in
    clean form. So names in the charter that are equal to them are in clean form, too.
    """
    terms = lobby_state.terms
    players = [(member.key, member.signed_name) for member in charter.members]
    agreed = (charter.game, charter.options, charter.grace, charter.spectators)
    return (
        agreed == (terms.game, terms.options, terms.grace, terms.spectators)
        and not charter.extensions
        and len(charter.members) == terms.seats
        and players == [(player.key, player.name) for player in lobby_state.present]
    )
