"""The heights of the members' records, as far as one node knows them.

Each member signs the height of their own record. Others can pass that height on, but only with the
signature. A height is a mere claim until the entries have come. So after a restart a node does not
wait for these entries for ever (`protocol.table.resync`).
"""

from math import inf

from attrs import define, field

from protocol.errors import Mismatch
from protocol.signatures import Signer
from protocol.table.digest_chain import Chain
from protocol.table.messages import Acknowledgement, Status


@define(eq=False)
class Heights:
    """The heights of the members at the table of `chain`, at the node of player `me`."""

    chain: Chain
    me: int
    sign: Signer
    _signed: dict[int, Acknowledgement] = field(factory=dict, init=False)
    """The newest acknowledgement of each member, from them or through another."""
    _seen: dict[int, int] = field(factory=dict, init=False)
    """The known height of each member: they have acknowledged it, or sent the entry."""
    _spoken: set[int] = field(factory=set, init=False)
    """The members who have sent this node their status themselves."""
    _own: Acknowledgement | None = field(default=None, init=False)
    """This node's newest acknowledgement, which is signed once and sent to everybody."""
    _direct: set[int] = field(factory=set, init=False)
    """The members whose newest entry came from their own node first, and not through another."""

    @property
    def all(self) -> tuple[int, ...]:
        """The known height of each member's record, 0 if none is known."""
        known = {**self._seen, self.me: self.chain.height}
        return tuple(known.get(player, 0) for player in range(len(self.chain.charter.members)))

    def of(self, player: int) -> int | None:
        """Return the known height of that member's record, None if none is known."""
        return self._seen.get(player)

    def has_heard(self, player: int) -> bool:
        """Return True if a height of that member has come in this run, from them or another."""
        return player in self._seen

    def has_spoken(self, player: int) -> bool:
        """Return True if that member has told their height themselves in this run."""
        return player in self._spoken

    def is_apart(self, player: int) -> bool:
        """Return True if that member's head differs from this node's head at the same height.

        It is False for a member whose record is longer than this node's.
        """
        told = self._signed.get(player)
        return told is not None and not self._fits(told)

    def _fits(self, told: Acknowledgement) -> bool:
        """Return True if this node's record has the same head at that height, or is shorter."""
        height = told.height
        return height > self.chain.height or self.chain.heads[height] == told.head

    def status(self) -> Status:
        """Return this node's own height, and the heights of others that are not above it."""
        height = self.chain.height
        head = self.chain.heads[height]
        if self._own is None or (self._own.height, self._own.head) != (height, head):
            self._own = Acknowledgement.make(self.chain.table_id, height, head, self.sign)
        known = sorted(self._signed.items())
        # Whoever hears of these heights can get all entries up to them from this node.
        others = tuple((player, told) for player, told in known if told.height <= height)
        return Status(self._own, others, tuple(sorted(self._direct)))

    def came(self, writer: int | None, carrier: int) -> None:
        """Note that `carrier` was the first who brought the newest entry of `writer` here."""
        self._direct -= {writer}
        if writer == carrier:
            self._direct.add(carrier)

    def hear(self, player: int, key: bytes, status: Status) -> bool:
        """Note the status of a member with that key. Return True if it was news.

        Raises Mismatch if they have not signed their own height.
        """
        own = status.own
        if self._signed.get(player) != own:
            if not own.is_signed_by(self.chain.table_id, key):
                raise Mismatch("A member has sent a height that they have not signed.")
            self._signed[player] = own
        self._spoken.add(player)
        news = self.see(player, own.height)
        # The height can be lower than before: a power cut erases entries that were not synced yet.
        self._seen[player] = own.height
        for other, told in status.others:
            if other != self.me and told.height <= own.height:
                news = self._hear_of(other, told) or news
        return news

    def _hear_of(self, player: int, told: Acknowledgement) -> bool:
        """Note a member's height that another member passes on. Return True if it was news."""
        members = self.chain.charter.members
        if player >= len(members) or not self._is_further(player, told.height):
            return False
        if not self._fits(told):
            return False  # it may be old: that member may have replaced those entries since
        # The signature is verified last, because that takes longest.
        if not told.is_signed_by(self.chain.table_id, members[player].key):
            return False
        self._signed[player] = told
        return self.see(player, told.height)

    def see(self, player: int, height: int) -> bool:
        """Note that a member's record has at least that height. Return True for news."""
        if not self._is_further(player, height):
            return False
        self._seen[player] = height
        return True

    def _is_further(self, player: int, height: int) -> bool:
        """Return True if that height is above the known one, or none is known."""
        return height > self._seen.get(player, -inf)
