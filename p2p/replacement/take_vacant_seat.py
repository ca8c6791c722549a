"""Taking the seat of a player who stays away: what somebody does who comes to a table that waits.

They are noted as a candidate, and wait. When a member invites them they are shown the charter and
the record, and judge it from the first entry: they sign for nothing that they have not checked.
They have the seat when the record says so. Nothing of all that binds them, or is kept, before.
"""

import logging
from collections.abc import Callable
from functools import partial

import trio
from attrs import define, field

from p2p.discovery.address_book import Address
from p2p.refusals import Refusal
from p2p.shuffle_threads import on_all_cores
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.transport.endpoint import Endpoint, hear, say
from p2p.transport.link import Link
from p2p.transport.messages import Agreed, Carry, Invite, Noted, Vote, Whereabouts
from protocol.absence import absence
from protocol.charter import Member, SignedCharter
from protocol.entries import AbsentContent, Body, Entry
from protocol.errors import Exposed, Mismatch, OutOfTurn, Refused, Unattributable
from protocol.reducer import advance
from protocol.state import State

_log = logging.getLogger(__name__)


@define
class Candidacy:
    """`me` waits at the other end of `link`, whose node listens at `port`. `objection` says of a
    key and a name what speaks against sitting down with them; `on_shown` is called with each
    state of the record that is shown.
    """

    endpoint: Endpoint
    journal: Journal
    me: Member
    link: Link
    port: int
    objection: Callable[[bytes, str], Refusal | None]
    on_shown: Callable[[State], None]
    _charter: SignedCharter | None = field(default=None, init=False)
    _state: State | None = field(default=None, init=False)
    _addresses: tuple[Address, ...] = field(default=(), init=False)

    async def wait(self) -> Membership:
        """Until the seat is ours; the membership is in the journal then.

        Raises Declined with the node's reason, Refused with ours, LinkError; Malformed, Mismatch
        or OutOfTurn if the other side is up to something; for a record that does not hold, too.
        """
        while self._seat is None:
            match await hear(self.link):
                case Noted():
                    pass
                case Agreed(data):
                    self._open(SignedCharter.decode(data))
                case Carry(height, entry):
                    await self._advance(height, entry)
                case Invite(body):
                    await self._sign(body)
                case Whereabouts(addresses):
                    self._addresses = addresses
                case _:
                    raise OutOfTurn("The node said something that a candidate is not told.")
        return await self._sit_down(self._seat)

    @property
    def _seat(self) -> int | None:
        return None if self._state is None else self._state.charter.player_of(self.me.key)

    @property
    def _shown(self) -> State:
        """The newest state that was shown. Raises OutOfTurn before the first."""
        if self._state is None:
            raise OutOfTurn("A record begins with its charter.")
        return self._state

    def _open(self, charter: SignedCharter) -> None:
        if self._charter is not None:
            raise OutOfTurn("A table has one charter.")
        self._charter, self._state = charter, State.start(charter.charter)
        self.on_shown(self._state)

    async def _advance(self, height: int, entry: bytes) -> None:
        before = self._shown
        if height != before.height + 1:
            raise OutOfTurn("A record is shown from its first entry, one after the other.")
        try:
            judge = partial(advance, before, entry, parallel_map=on_all_cores)
            self._state = await trio.to_thread.run_sync(judge)
        except (Unattributable, Exposed) as error:
            _log.info("the record of that table does not hold: %s", error)
            raise Mismatch(
                "The record of that table does not hold: somebody has cheated there, or changed it."
            ) from error
        self.on_shown(self._state)

    async def _sign(self, data: bytes) -> None:
        """Sign for the seat. Raises Refused when something speaks against it here."""
        state = self._shown
        body = Body.decode(data, state.match.game.deck, joint=True)
        assert isinstance(body.content, AbsentContent), "no other entry is joint"
        if absence(state, body.content) != body:
            raise Mismatch("That is no invitation to this table.")
        if self.me not in body.content.substitutes:
            raise Mismatch("That invites somebody else.")
        await trio.to_thread.run_sync(self._check_company, state)
        signature = Entry.vote(data, self.endpoint.identity.sign)
        await say(self.link, Vote(data, self.me.key, signature))

    def _check_company(self, state: State) -> None:
        if any(record.table_id == state.table_id for record in self.journal.tables()):
            raise Refused("You have sat at this table before, and your seat was given away.")
        if not state.charter.has_clean_names:
            raise Refused("A name at that table is not in its clean form: nobody signs for a seat.")
        for member in state.charter.members:
            refusal = self.objection(member.key, member.name)
            if refusal is not None:
                raise Refused(refusal.sentence)

    async def _sit_down(self, seat: int) -> Membership:
        assert self._charter is not None
        here = Address(self.link.peer, self.link.address, self.port)
        # Not fresh: the record may have entries of this key that this journal knows nothing of.
        membership = Membership(self._charter, seat, (here, *self._addresses), fresh=False)
        await trio.to_thread.run_sync(membership.keep, self.journal)
        return membership
