"""The candidate's side of taking the seat of a player who stays away.

A candidate calls a node of a table where a player is missing. The node answers that it has noted
them, and they wait. When a proposal gives them the seat, they are shown the record and check it
from the first entry, before they sign the proposal. A candidate signs before all others, and signs
only one proposal in each attempt. The candidate has the seat as soon as the record shown to them
goes on with the signed continuation.
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
from p2p.storage.memberships import Membership, keep_history
from p2p.transport.endpoint import Endpoint, hear, say
from p2p.transport.link import Link
from p2p.transport.messages import Agreed, Noted, Whereabouts
from protocol.charter import Charter, Member, SignedCharter
from protocol.continuation import continued, open_table
from protocol.errors import Exposed, Mismatch, OutOfTurn, Refused, Unattributable
from protocol.evidence import Statement
from protocol.match.messages import Proposal, Signed
from protocol.match.statements import decode_statement, encode_statement
from protocol.record_file import PartKind, kind_of
from protocol.reducer import advance
from protocol.state import State
from protocol.table.messages import Carry

_log = logging.getLogger(__name__)


@define
class Candidacy:
    """A candidacy for a seat, over a link to a node of the table."""

    endpoint: Endpoint
    journal: Journal
    me: Member
    """The candidate."""
    link: Link
    port: int
    """The port at which the candidate's node listens."""
    objection: Callable[[bytes, str], Refusal | None]
    """Gets a key and a name, and returns the reason not to sit down with that player, or None."""
    on_shown: Callable[[State], None]
    """Called with the state after each part of the record that is shown."""
    _tables: list[tuple[SignedCharter, list[bytes]]] = field(factory=list, init=False)
    """The tables that were shown, each with its entries."""
    _old: frozenset[bytes] = field(default=frozenset(), init=False)
    """The tables in the journal. We may have had a seat there, and lost it by a continuation."""
    _state: State | None = field(default=None, init=False)
    """The newest state that was shown."""
    _addresses: tuple[Address, ...] = field(default=(), init=False)
    """The addresses of the members, as the node has told them."""

    async def wait(self) -> Membership:
        """Wait until the candidate has the seat. On return the membership is in the journal.

        Raises Declined with the node's reason, Refused with the candidate's reason, and LinkError.
        Raises Malformed, Mismatch or OutOfTurn if the other side does not keep to the protocol, or
        shows an invalid record.
        """
        tables = await trio.to_thread.run_sync(self.journal.tables)
        self._old = frozenset(table.table_id for table in tables)
        while (signed := self._seat) is None:
            match await hear(self.link):
                case Noted():
                    pass
                case Agreed(data):
                    await self._shown(0, data)
                case Carry(number, part):
                    await self._shown(number, part)
                case Proposal() as proposal:
                    await self._consider(proposal)
                case Whereabouts(addresses):
                    self._addresses = addresses
                case _:
                    raise OutOfTurn("The node has sent a message that is not for candidates.")
        return await self._sit_down(signed)

    @property
    def _seen(self) -> State:
        """The newest state that was shown. Raises OutOfTurn before the first part was shown."""
        if self._state is None:
            raise OutOfTurn("The record did not begin with its charter.")
        return self._state

    async def _shown(self, number: int, part: bytes) -> None:
        """Judge the next part of the record."""
        # Each charter is a part, too, and the first charter is part 0: so this is -1 at first.
        have = sum(1 + len(entries) for _, entries in self._tables) - 1
        if number <= have:
            return  # the part was shown before
        if number != have + 1:
            raise OutOfTurn("The parts of the record were not shown in order.")
        try:
            if kind_of(part) is PartKind.CHARTER:
                signed = SignedCharter.decode(part)
                self._state = open_table(self._state, signed)
                self._tables.append((signed, []))
            else:
                judge = partial(advance, self._seen, part, parallel_map=on_all_cores)
                self._state = await trio.to_thread.run_sync(judge)
                self._tables[-1][1].append(part)
        except (Unattributable, Exposed) as error:
            _log.info("the record of that table is invalid: %s", error)
            raise Mismatch(
                "The record of that table is invalid: somebody has cheated there, or changed it."
            ) from error
        self.on_shown(self._state)

    async def _consider(self, proposal: Proposal) -> None:
        """Sign a proposal that gives us a seat. Raises Refused if there is a reason against it."""
        charter, state = Charter.decode(proposal.charter), self._seen
        try:
            continued(state, charter)
        except Unattributable as error:
            raise Mismatch(
                "The proposal is no continuation of the record that was shown."
            ) from error
        me = charter.player_of(self.me.key)
        # Name and nonce have to be ours, too, not only the key.
        if me is None or charter.members[me] != self.me:
            raise Mismatch("The proposal gives the seat to somebody else.")
        await trio.to_thread.run_sync(self._check_company, charter)
        statement = Statement(charter, me, charter.sign(self.endpoint.identity.sign))
        await trio.to_thread.run_sync(self._keep, statement)
        await say(self.link, Signed(encode_statement(statement)))

    def _keep(self, statement: Statement) -> None:
        """Keep the signature, unless an earlier one forbids it. Blocks. Raises Refused.

        An earlier signature forbids this one in three cases:

        - The earlier signature is for a higher attempt.
        - The earlier signature is for the same attempt, but for another charter.
        - The player has played at the table for which they signed earlier, and that table is newer
          than the one that is continued now. The new signature would undo rounds that they have
          closed there (C2).
        """
        match_id, attempt = statement.charter.match_id, statement.continues.attempt
        tables = {table.table_id for table in self.journal.tables()}
        for kept in map(decode_statement, self.journal.statements(match_id)):
            signed = kept.continues.attempt
            has_played = kept.charter.table_id in tables
            if (
                signed > attempt
                or (signed == attempt and kept.charter != statement.charter)
                or (has_played and signed > statement.continues.parent_attempt)
            ):
                raise Refused("You have signed another continuation of that match before.")
        self.journal.keep_statement(match_id, attempt, encode_statement(statement))

    @property
    def _seat(self) -> SignedCharter | None:
        """The newest charter shown, if it is a continuation that gives us a seat; else None."""
        if not self._tables:
            return None
        signed, _ = self._tables[-1]
        me, continues = signed.charter.player_of(self.me.key), signed.charter.continues
        given = continues is not None and not continues.ends and me in continues.left
        return signed if given and signed.charter.table_id not in self._old else None

    def _check_company(self, charter: Charter) -> None:
        if not charter.has_clean_names:
            raise Refused(
                "A name at that table is not in its clean form, so you cannot take a seat there."
            )
        for member in charter.members:
            refusal = None if member == self.me else self.objection(member.key, member.name)
            if refusal is not None:
                raise Refused(refusal.sentence)

    async def _sit_down(self, signed: SignedCharter) -> Membership:
        """Keep the record that was shown, and the seat."""
        me = signed.charter.player_of(self.me.key)
        assert me is not None, "`_seat` has seen to it"
        here = Address(self.link.peer, self.link.address, self.port)
        membership = Membership(signed, me, (here, *self._addresses))
        # `membership` keeps the last table, which has no entries yet.
        tables = [(table, tuple(entries)) for table, entries in self._tables[:-1]]
        await trio.to_thread.run_sync(keep_history, self.journal, tables)
        await trio.to_thread.run_sync(membership.keep, self.journal)
        return membership
