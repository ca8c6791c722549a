"""One node's part when a match goes on without somebody: from its wish to its own signature.

The match can go on without the players who are *missing*. A player is missing who is exposed, or
who is due and has kept the table waiting for the whole grace. If there is such a player, then
everybody who cannot be reached is missing, too, and so is everybody who is *late*. Late players
have not accepted or signed in time what more than half of the founders have accepted. All that is
computed anew from what this node knows, so there is no state to get stuck in. Only a signature
stays (`protocol.agreement`).
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from math import inf
from typing import Any

from attrs import define, field

from engine.sentences import Sentence
from protocol.agreement import Offer, check_may_sign, highest_attempt
from protocol.charter import Charter, Member
from protocol.continuation import are_most_founders, continuation_of, continued
from protocol.errors import Refused, Unattributable
from protocol.evidence import Statement
from protocol.match.history import History, continued_place
from protocol.match.messages import NO_WISH, Wish, WishKind
from protocol.match.negotiation import Negotiation, Offered
from protocol.match.statements import Statements
from protocol.place import Place
from protocol.signatures import Signer
from protocol.table.record import TableRecord

_SIGNING_SECONDS = 10.0
"""Seconds that members have to sign a continuation that all have accepted."""

_RETRY_SECONDS = 12.0
"""Seconds from the leader's signature to its next proposal. By then it knows who is late."""

_TOLERANCE = 0.6
"""The share of a late member's time after which a node agrees to go on without them. The leader
proposes to go on without them only when their whole time is over. Other nodes may have begun to
count later than the leader, so by their count less of the time is over.
"""

_LATE_SECONDS = 30.0
"""Seconds for which a late member counts as away. Then they get their time once more: perhaps too
few members are left without them, or other nodes have not counted them as late.
"""


@define(eq=False)
class GoingOn:
    """The part of one player in going on without somebody."""

    me: int
    """The player at this node."""
    history: History[Any]
    negotiation: Negotiation
    statements: Statements
    objection: Callable[[bytes, str], Sentence | None]
    """Returns the reason not to play with the holder of a key and a name, or None."""
    follows: bytes = b""
    """The key of a bot's owner, because a bot accepts what its owner accepts; empty at the node of
    a person.
    """
    candidates: dict[bytes, tuple[Member, ...]] = field(factory=dict, init=False)
    """The candidates who wait for a seat, by the key of the member at whose node they wait."""
    bots: dict[bytes, Signer] = field(factory=dict, init=False)
    """The signers of bots that this node has proposed, by key."""
    _proposed: Wish = field(default=NO_WISH, init=False)
    """The wish that this node's last proposal was made from."""
    _signed_at: dict[bytes, float] = field(factory=dict, init=False)
    """The times of this node's signatures, by the id of the table that each would found."""
    _late: dict[bytes, tuple[float, float]] = field(factory=dict, init=False)
    """For a member for whom a proposal waits, by key: the start and the length of their time."""

    # -- who is missing

    @property
    def charter(self) -> Charter:
        """The charter of the newest table."""
        charter: Charter = self.history.newest.state.charter
        return charter

    @property
    def grace_left(self) -> float:
        """Seconds until the player who is due can be left behind; infinite if we have no seat."""
        machine = self.history.machines.get(self.charter.table_id)
        return inf if machine is None else machine.grace_left(self.negotiation.now)

    @property
    def _due(self) -> int | None:
        """The player for whom the table waits; None if nothing is due."""
        due = self.history.newest.state.due
        return None if due is None else due.player

    @property
    def founders(self) -> frozenset[bytes]:
        """The keys of the founders who have a seat at the newest table."""
        state = self.history.newest.state
        return frozenset(m.key for m in state.charter.members) & frozenset(state.founders)

    @property
    def is_possible(self) -> bool:
        """True if more than half of the founders could sign a continuation."""
        return self.history.can_go_on_without(self.history.exposed, self._founders_waiting)

    @property
    def waiting(self) -> tuple[Member, ...]:
        """Everybody who waits for a seat, those at this node first."""
        first: dict[bytes, Member] = {}
        mine = self.candidates.get(self.negotiation.key, ())
        for group in (mine, *self.candidates.values()):
            for member in group:
                first.setdefault(member.key, member)
        seated = {member.key for member in self.charter.members}
        return tuple(member for member in first.values() if member.key not in seated)

    @property
    def _founders_waiting(self) -> frozenset[bytes]:
        """The keys of the founders who have lost their seat, and wait for another one."""
        founders = frozenset(self.history.newest.state.founders)
        return founders.intersection(candidate.key for candidate in self.waiting)

    def is_present(self, player: int) -> bool:
        """Return True if this node has a link to that player, or has heard from them lately."""
        key = self.charter.members[player].key
        is_here = self.history.is_linked(key) or self.negotiation.is_present(key)
        return player == self.me or is_here

    @property
    def missing(self) -> frozenset[int]:
        """The players without whom the match can go on now; none while too few others are here."""
        newest = self.history.newest
        members, due, exposed = self.charter.members, self._due, self.history.exposed
        missing = {player for player, member in enumerate(members) if member.key in exposed}
        absent = {player for player in range(len(members)) if not self.is_present(player)}
        # After an exposure nobody writes any more, so nobody waits for the player who is due.
        if not missing and due is not None and not self.grace_left:
            # If the player who is due has signed a continuation, they must not write here any more.
            # So they are not missing. Those are missing who cannot be reached to sign it, too.
            missing = absent if members[due].key in self._signed_later else {due} - {self.me}
        late = self._late_after(1.0)
        if not missing and self.stuck:  # late members have not agreed to go on together
            missing = {p for p, m in enumerate(members) if m.key in late}
        if not missing or not self.is_possible or newest.state.complete:
            return frozenset()
        away = absent | {player for player, member in enumerate(members) if member.key in late}
        # Keep the late players if too few founders stay without them: two of four are too few.
        for gone in (missing | away, missing | absent):
            staying = self.founders - {members[player].key for player in gone - {self.me}}
            if are_most_founders(newest.state, staying | self._founders_waiting):
                # No node goes on without its own player.
                return frozenset(gone - {self.me})
        return frozenset()

    @property
    def stuck(self) -> bool:
        """True if a member has signed a continuation that others have not.

        Such a member may not write at this table any more.
        """
        return not self._signed_later.isdisjoint(member.key for member in self.charter.members)

    @property
    def _signed_later(self) -> frozenset[bytes]:
        """The keys that have left the newest table, by signing a higher attempt than its own."""
        attempt = self.charter.attempt
        later = (s for s in self.statements.all() if s.continues.attempt > attempt)
        return frozenset(statement.key for statement in later)

    def _late_after(self, share: float) -> frozenset[bytes]:
        """Return the keys of the late members: `share` of their time to accept or sign is over."""
        now = self.negotiation.now
        late = self._late.items()
        return frozenset(key for key, (since, patience) in late if now >= since + share * patience)

    def note_late(self) -> None:
        """Note for whom the leader's proposal waits, once most founders have accepted it.

        It waits for the members who have not accepted it or, if all have accepted it, for those who
        have not signed it. Newcomers are not noted: they are no members yet.
        """
        now, offered = self.negotiation.now, self.proposal
        ends = {key: since + patience for key, (since, patience) in self._late.items()}
        for key in [key for key, end in ends.items() if now >= end + _LATE_SECONDS]:
            del self._late[key]
        if offered is None:
            return
        agree = {key for key in offered.signers if self._agrees(offered, key)}
        if not are_most_founders(self.history.newest.state, agree):
            return
        lacking, patience = offered.signers - agree, float(self.charter.grace)
        # All have accepted, so now they owe signatures. Before the first one nobody is late:
        # `unsigned` is empty as long as no signature is known.
        if not lacking:
            lacking, patience = self.statements.unsigned(offered.table_id), _SIGNING_SECONDS
        for key in offered.signers - lacking:
            self._late.pop(key, None)
        for member in self.charter.members:
            if member.key in lacking and member.key != self.negotiation.key:
                self._late.setdefault(member.key, (now, patience))

    @property
    def is_sure(self) -> bool:
        """True if this node, after a restart, has all that the others have."""
        waits = (machine.resync for machine in self.history.running.values())
        return all(resync.done and not resync.doubtful for resync in waits)

    @property
    def _left(self) -> frozenset[int]:
        """The seats of the newest table that are to change hands."""
        if self.negotiation.mine.wish.kind is WishKind.TOGETHER:
            return frozenset()
        return self.missing

    # -- who leads, and proposes what

    @property
    def leader(self) -> bytes | None:
        """The key of the leader: the present founder with a wish who has the lowest number."""
        if wishing := self.negotiation.wishing & self.founders - self.history.exposed:
            missing = self.missing
            for player, member in enumerate(self.charter.members):
                if member.key in wishing and player not in missing and self.is_present(player):
                    return member.key
        return None

    @property
    def proposal(self) -> Offered | None:
        """The leader's proposal, if it starts at a place where this node can go on."""
        leader = self.leader
        offered = None if leader is None else self.negotiation.offered.get(leader)
        return offered if offered is not None and self._is_current(offered.charter) else None

    @property
    def wants_bots(self) -> tuple[int, ...]:
        """The players for whose seats this node is to propose bots; none unless it leads."""
        wish = self.negotiation.mine.wish
        leads = self.leader == self.negotiation.key and wish.kind is WishKind.OPPONENT
        return tuple(sorted(self._left)) if leads and not self._has_proposed() else ()

    def checked(self, wish: Wish | None) -> Wish:
        """Return `wish`, or for None the leader's. Raises Refused if it cannot be fulfilled."""
        if wish is None:
            proposal = self.proposal
            if proposal is None:
                raise Refused("Nobody has proposed anything.")
            self.check_offer(proposal.charter)
            return self.negotiation.wish_of(proposal.proposer)
        if wish.kind is WishKind.TOGETHER:
            self._check_stuck()
        elif wish.kind is not WishKind.WAIT and not self.missing:
            raise Refused("Nobody is missing, so there is nobody to go on without.")
        if wish.kind is WishKind.PERSON:
            chosen = [one for one in self.waiting if one.key == wish.person]
            if not chosen:
                raise Refused("That player does not wait at the table for a seat.")
            self._check_newcomer(chosen[0])
        return wish

    def propose(self, successors: Mapping[int, Member]) -> None:
        """Propose that `successors` take the seats of the missing players, or to end the match.

        The match ends unless each seat gets a successor. Raises Refused.
        """
        newest, fork = self.history.newest, self.history.fork
        state = newest.state if fork is None else newest.state_at(fork.height)
        number = self._highest_attempt() + 1
        self.negotiation.propose(continuation_of(state, self._left, successors, attempt=number))
        self._proposed = self.negotiation.mine.wish

    def lead(self) -> None:
        """Propose what this node's player wishes for, if this node leads and has not done so yet.

        A wish for an opponent is left to the client, which makes the bots (`wants_bots`).
        """
        wish = self.negotiation.mine.wish
        if self.leader != self.negotiation.key or self._has_proposed():
            return
        together = wish.kind is WishKind.TOGETHER
        if wish.kind is WishKind.OPPONENT or not (self.stuck if together else self.missing):
            return
        successors: dict[int, Member] = {}
        if wish.kind is WishKind.PERSON:
            chosen = [one for one in self.waiting if one.key == wish.person]
            if not chosen:
                return
            successors = dict.fromkeys(self._left, chosen[0])
        with suppress(Refused):  # for example, one person cannot have two seats
            self.propose(successors)

    def _has_proposed(self) -> bool:
        """Return True if this node's last proposal still stands: it would propose the same now."""
        offered = self.negotiation.offered.get(self.negotiation.key)
        if offered is None or not self._is_current(offered.charter):
            return False
        continues = offered.charter.continues
        assert continues is not None, "only continuations are proposed"
        if (frozenset(continues.left), self._proposed) != (self._left, self.negotiation.mine.wish):
            return False
        if self.history.fork not in {None, continues.place}:
            return False  # it was proposed before the fork was known
        # `_highest_attempt` counts this node's own signature. So an attempt that this node has
        # signed stands for 12 seconds; after that, this node proposes the next one.
        signed_at = self._signed_at.get(offered.table_id, -inf)
        is_being_signed = self.negotiation.now < signed_at + _RETRY_SECONDS
        return is_being_signed or continues.attempt > self._highest_attempt(offered.table_id)

    def _highest_attempt(self, besides: bytes = b"") -> int:
        """Return the highest attempt that is played or signed, leaving out the one of `besides`.

        Attempts that skip many numbers do not count (`protocol.agreement.highest_attempt`).
        """
        base = max(self.charter.attempt, self.statements.highest)
        return highest_attempt(base, self.statements.attempts(besides))

    def _is_current(self, charter: Charter) -> bool:
        """Return True if the match can go on here from where the continuation starts."""
        newest: TableRecord = self.history.newest
        place = continued_place(charter)
        return place == newest.state.place or newest.may_go_on_from(place)

    # -- what this node accepts, and signs

    def accept(self) -> None:
        """Accept the leader's proposal if this node is for it; if not, accept none."""
        offered, accepts = self.proposal, b""
        if offered is not None and self._is_for(offered):
            accepts = offered.table_id
        self.negotiation.accept(accepts)

    def _is_for(self, offered: Offered) -> bool:
        """Return True if this node has signed the proposal, or may and would accept it now."""
        if self.statements.is_signed_by(self.me, offered.table_id):
            return True
        mine = self.negotiation.mine.wish
        same = mine == self.negotiation.wish_of(offered.proposer)
        if not same and not self.negotiation.has_accepted(self.follows, offered.table_id):
            return False
        try:
            self.check_offer(offered.charter)
        except Refused:
            return False
        return True

    def check_offer(self, charter: Charter) -> None:
        """Check that this node may accept that continuation now. Raises Refused."""
        self.check_rules(charter)
        continues = charter.continues
        assert continues is not None, "`check_rules` has seen to it"
        if self.grace_left == inf:
            raise Refused("The others have gone on without you.")
        if self.me in continues.left:
            raise Refused("That proposal goes on without you.")
        if not continues.left:
            self._check_stuck()
            return
        exposed, late = self.history.exposed, self._late_after(_TOLERANCE)
        gone = {player for player in continues.left if self.charter.key_of(player) not in exposed}
        # The player who is due may be here: for them the grace counts, which is checked below.
        for player in gone - {self._due}:
            if self.charter.key_of(player) not in late and self.is_present(player):
                raise Refused("{name} is here.", name=self.charter.name_of(player))
        if gone and self.grace_left:
            raise Refused(
                Sentence.counted(
                    "There is {n} second of grace left.",
                    "There are {n} seconds of grace left.",
                    round(self.grace_left),
                )
            )
        for player in () if continues.ends else continues.left:
            self._check_newcomer(charter.members[player])

    def check_rules(self, charter: Charter) -> tuple[Place, ...]:
        """Return the places that this node would abandon. Raises Refused if it may not sign."""
        if not self.is_sure:
            raise Refused(
                "You have just come back: this machine first has to hear what the others "
                "have written meanwhile."
            )
        continues, history = charter.continues, self.history
        assert continues is not None, "only continuations are proposed"
        offer = Offer(continues.place, continues.attempt)
        branches, signed = history.branches(offer.place), self.statements.highest
        abandons = check_may_sign(branches, signed, offer, self.statements.attempts())
        try:
            continued(history.newest.state_at(offer.place.height), charter)
        except Unattributable as error:
            raise Refused(error.sentence) from error
        return abandons

    def _check_stuck(self) -> None:
        if not self.stuck:
            raise Refused("Nobody has signed a continuation, so a new table for all is not needed.")

    def _check_newcomer(self, member: Member) -> None:
        objection = self.objection(member.key, member.name)
        if objection is not None:
            raise Refused(objection)

    def agreed(self) -> Charter | None:
        """Return the continuation that this node is to sign now; None if there is none.

        Everybody who has to sign it has accepted it.
        """
        offered = self.proposal
        if offered is None or self.negotiation.key not in offered.signers:
            return None
        if self.statements.is_signed_by(self.me, offered.table_id):
            return None
        agree = all(self._agrees(offered, key) for key in offered.signers)
        return offered.charter if agree else None

    def _agrees(self, offered: Offered, key: bytes) -> bool:
        """Return True if the key's holder accepts or has signed the proposal, or is our own bot."""
        player = offered.charter.player_of(key)
        assert player is not None, "a signer is a member"
        signed = self.statements.is_signed_by(player, offered.table_id)
        return signed or key in self.bots or self.negotiation.has_accepted(key, offered.table_id)

    def signed(self, charter: Charter, signer: Signer) -> Statement:
        """Return this node's signature for a continuation. Raises Refused."""
        abandons = self.check_rules(charter)
        return _statement(charter, self.me, signer, abandons)

    def note_signed(self, statement: Statement) -> tuple[Statement, ...]:
        """Note that this node's signature is on disk; return the signatures of its own bots."""
        charter = statement.charter
        self._signed_at[charter.table_id] = self.negotiation.now
        signers = {player: self.bots.get(charter.members[player].key) for player in charter.signers}
        return tuple(
            # These bots have no seat yet, so they have written nothing that they would abandon.
            _statement(charter, player, signer, ())
            for player, signer in signers.items()
            if signer is not None
        )

    def settle(self) -> None:
        """Note that the match has gone on: wishes and proposals are over."""
        self.negotiation.settle()
        self._late.clear()
        self.bots.clear()


def _statement(
    charter: Charter, player: int, signer: Signer, abandons: tuple[Place, ...]
) -> Statement:
    return Statement(charter, player, charter.sign(signer, abandons), abandons)
