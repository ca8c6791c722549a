"""The talk before a continuation: who is missing, who wishes for what, and the one proposal.

Nothing here binds anybody. Each member's node tells its *stance*: the wish of its player, and the
proposal that it accepts. Of the founders who are present and wish for something, the one with the
lowest player number *leads*, and only the leader's proposal counts. When everybody who has to sign
that proposal has accepted it, they sign (`protocol.match.machine`).

For example: the machine of player 3 of four has died. Player 2 wishes for an opponent in the seat.
Nobody else has a wish yet, so player 2 leads, and players 0 and 1 see player 2's proposal. Player 0
would rather end the match. As soon as player 0 says so, player 0 leads, and the others see player
0's proposal. Players 1 and 2 can join it; or player 0 can wish for an opponent, too. All of them
can change their wishes as often as they like.
"""

from collections.abc import Collection
from functools import cached_property
from math import inf
from typing import Any

from attrs import define, evolve, field, frozen

from protocol.charter import Charter
from protocol.errors import Malformed
from protocol.match.messages import NO_WISH, Proposal, Stance, Wish, WishKind
from protocol.signatures import Signer

HEARTBEAT_SECONDS = 5.0
"""Seconds after which a node repeats a stance that has not changed."""

_PRESENT_SECONDS = 12.0
"""Seconds for which a member counts as present after their last stance has come."""

MOST_KEYS = 32
"""The maximum number of keys whose stances a node takes in one match, over all of its tables."""


@frozen(slots=False)
class Offered:
    """A proposal with its charter decoded, and the key of its proposer."""

    charter: Charter = field(repr=False)
    proposer: bytes = field(repr=bytes.hex)
    message: Proposal = field(repr=False)

    @cached_property
    def table_id(self) -> bytes:
        """The id of the table that the continuation would found."""
        return self.charter.table_id

    @cached_property
    def signers(self) -> frozenset[bytes]:
        """The keys that have to sign the continuation."""
        return frozenset(self.charter.members[player].key for player in self.charter.signers)


@define(eq=False)
class Negotiation:
    """The stances and proposals in one match, as far as the node with that `key` knows them."""

    match_id: bytes = field(repr=bytes.hex)
    key: bytes = field(repr=bytes.hex)
    sign: Signer = field(repr=False)
    now: float = 0.0
    """The time in seconds. Any clock serves, as long as it is always the same one."""
    mine: Stance = field(init=False)
    stances: dict[bytes, Stance] = field(factory=dict, init=False)
    offered: dict[bytes, Offered] = field(factory=dict, init=False)
    """The newest proposal of each proposer."""
    _numbers: dict[bytes, int] = field(factory=dict, init=False)
    """The number of each key's newest stance. It stays when `settle` drops the stances."""
    _proposed: dict[bytes, int] = field(factory=dict, init=False)
    """The number of each proposer's newest proposal. It stays when `settle` drops the proposals."""
    _heard_at: dict[bytes, float] = field(factory=dict, init=False)
    """The time at which the newest stance of each key came."""
    _told_at: float = field(default=0.0, init=False)
    """The time at which this node last told its stance."""

    def __attrs_post_init__(self) -> None:
        self.mine = Stance(self.key, 0, NO_WISH, b"")

    # -- this node's stance

    def begin(self, number: int) -> None:
        """Tell the first stance of this run, with a number above `number`.

        The stances of earlier runs of this node have lower numbers.
        """
        self._say(evolve(self.mine, number=number))

    def wish(self, wish: Wish) -> None:
        """Set the wish of this node's player."""
        self._change(wish=wish)

    def accept(self, table_id: bytes) -> None:
        """Accept the proposal with that table id, or none for b""."""
        self._change(accepts=table_id)

    def beat(self) -> None:
        """Repeat the stance, if it was last told five seconds ago or earlier."""
        if self.now >= self._told_at + HEARTBEAT_SECONDS:
            self._say(self.mine)

    def _change(self, **changes: Any) -> None:
        changed = evolve(self.mine, **changes)
        if changed != self.mine:
            self._say(changed)

    def _say(self, stance: Stance) -> None:
        stance = evolve(stance, number=stance.number + 1)
        self.mine = stance.signed(self.match_id, self.sign)
        self.stances[self.key] = self.mine
        self._told_at = self.now

    # -- the stances and proposals of others

    def hear(self, stance: Stance, expected: Collection[bytes]) -> bool:
        """Note a stance of one of the `expected` keys. Return True if it is news.

        Raises Malformed if the stance is not signed with that key.
        """
        if stance.key == self.key or stance.key not in expected:
            return False
        # While somebody is missing, each stance also comes through every other member. The number
        # is compared first, so that the signature is verified only once.
        if stance.number <= self._numbers.get(stance.key, -inf):
            return False
        if not stance.is_signed(self.match_id):
            raise Malformed("The stance is not signed with the key that it names.")
        # The number of a key is never forgotten, so new keys are limited.
        if stance.key not in self._numbers and len(self._numbers) >= MOST_KEYS:
            return False
        self.stances[stance.key], self._numbers[stance.key] = stance, stance.number
        self._heard_at[stance.key] = self.now
        return True

    def hear_proposal(self, proposal: Proposal, expected: Collection[bytes]) -> bool:
        """Note a proposal of one of the `expected` keys. Return True if it is news.

        Raises Malformed for a proposal that is not signed, or that is about another match.
        """
        if proposal.key == self.key or proposal.key not in expected:
            return False
        if proposal.number <= self._proposed.get(proposal.key, -inf):
            return False
        if not proposal.is_signed:
            raise Malformed("The proposal is not signed with the key that it names.")
        charter = Charter.decode(proposal.charter)
        if charter.continues is None or charter.match_id != self.match_id:
            raise Malformed("The proposal is no continuation of this match.")
        self._proposed[proposal.key] = proposal.number
        self.offered[proposal.key] = Offered(charter, proposal.key, proposal)
        return True

    def propose(self, charter: Charter) -> None:
        """Propose that continuation."""
        # Stance numbers begin with the time of the start (`Begun`), so proposals of earlier runs
        # have lower numbers. The + 1 is for two proposals between two stances.
        number = max(self.mine.number, self._proposed.get(self.key, 0) + 1)
        message = Proposal(self.key, number, charter.encode()).signed(self.sign)
        self._proposed[self.key] = number
        self.offered[self.key] = Offered(charter, self.key, message)

    def is_present(self, key: bytes) -> bool:
        """Return True if a stance of the holder of the key has come in the last twelve seconds."""
        return self.now < self._heard_at.get(key, -inf) + _PRESENT_SECONDS

    def forget(self, key: bytes) -> None:
        """Count the holder of the key as absent: the link to them has ended."""
        self._heard_at.pop(key, None)

    @property
    def wishing(self) -> frozenset[bytes]:
        """The keys of those who wish for something."""
        stances = self.stances.items()
        return frozenset(key for key, one in stances if one.wish.kind is not WishKind.WAIT)

    def wish_of(self, key: bytes) -> Wish:
        """Return the wish of the holder of the key, NO_WISH if they have told none."""
        stance = self.stances.get(key)
        return NO_WISH if stance is None else stance.wish

    def has_accepted(self, key: bytes, table_id: bytes) -> bool:
        """Return True if the holder of the key accepts the proposal with that table id."""
        stance = self.stances.get(key)
        return stance is not None and stance.accepts == table_id

    def settle(self) -> None:
        """Drop all wishes and proposals: the match has gone on."""
        self.offered.clear()
        self.stances.clear()
        # Others would take the old wish, repeated at the next heartbeat, for one at the new table.
        self._say(evolve(self.mine, wish=NO_WISH, accepts=b""))
