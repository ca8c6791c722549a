"""The height to which the record of each member is known to go.

Members sign how far their own record goes, so that others can pass it on: what one says of another
counts with that other's signature only. What somebody says of themselves is a claim until the
entries come, and a node that came back does not wait for these for ever.
"""

from attrs import define, field

from protocol.errors import Mismatch
from protocol.signing import Signer
from protocol.table.chain import Chain
from protocol.table.messages import Acknowledgement, Status


@define(eq=False)
class Heights:
    """The heights of the members of the table of `chain`; this node is number `me` of them."""

    chain: Chain
    me: int
    sign: Signer
    _signed: dict[int, Acknowledgement] = field(factory=dict, init=False)
    _seen: dict[int, int] = field(factory=dict, init=False)
    _spoken: set[int] = field(factory=set, init=False)
    _own: Acknowledgement | None = field(default=None, init=False)
    _direct: set[int] = field(factory=set, init=False)
    """The members whose newest entry has come here from themselves first."""

    @property
    def all(self) -> tuple[int, ...]:
        """Return the height to which the record of each member is known to go."""
        known = {**self._seen, self.me: self.chain.height}
        return tuple(known.get(player, 0) for player in range(len(self.chain.charter.members)))

    def of(self, player: int) -> int | None:
        """Return the height of that member's record; None if nothing was heard of them."""
        return self._seen.get(player)

    def has_heard(self, player: int) -> bool:
        """Return True if anybody has told of that member in this run, themselves or another."""
        return player in self._seen

    def has_spoken(self, player: int) -> bool:
        """Return True if that member has said it themselves, in this run."""
        return player in self._spoken

    def is_apart(self, player: int) -> bool:
        """Return True if that member has told of another record than this node's.

        That is seen as far as this node's goes.
        """
        told = self._signed.get(player)
        return told is not None and not self._fits(told)

    def _fits(self, told: Acknowledgement) -> bool:
        """Return True if this node's record has that head there, or does not go so far."""
        height = told.height
        return height > self.chain.height or self.chain.heads[height] == told.head

    def status(self) -> Status:
        """Return this node's own height, and those of others that its record bears out."""
        height = self.chain.height
        head = self.chain.heads[height]
        if self._own is None or (self._own.height, self._own.head) != (height, head):
            self._own = Acknowledgement.make(self.chain.table_id, height, head, self.sign)
        known = sorted(self._signed.items())
        others = tuple((player, told) for player, told in known if told.height <= height)
        return Status(self._own, others, tuple(sorted(self._direct)))

    def came(self, writer: int | None, carrier: int) -> None:
        """Note that an entry of that writer was brought here by that carrier first."""
        if writer == carrier:
            self._direct.add(carrier)
        elif writer is not None:
            self._direct.discard(writer)

    def hear(self, player: int, key: bytes, status: Status) -> bool:
        """Note the status of a member with that key. Return True if it was news.

        Raises Mismatch if they have not signed what they say of themselves.
        """
        own = status.own
        if self._signed.get(player) != own:
            if not own.is_signed_by(self.chain.table_id, key):
                raise Mismatch("A member signs how far their record goes.")
            self._signed[player] = own
        self._spoken.add(player)
        news = self.see(player, own.height)
        self._seen[player] = own.height  # less than before, if they have taken entries back
        for other, told in status.others:
            if other != self.me and told.height <= own.height:
                news = self._hear_of(other, told) or news
        return news

    def _hear_of(self, player: int, told: Acknowledgement) -> bool:
        """Note what a member has signed and another passes on. Return True if it was news."""
        members = self.chain.charter.members
        if player >= len(members) or not self._is_further(player, told.height):
            return False
        if not self._fits(told):
            return False  # they have taken back what they had there
        if not told.is_signed_by(self.chain.table_id, members[player].key):
            return False
        self._signed[player] = told
        return self.see(player, told.height)

    def see(self, player: int, height: int) -> bool:
        """Note that a member has shown that their record goes that far. Return True for news."""
        if not self._is_further(player, height):
            return False
        self._seen[player] = height
        return True

    def _is_further(self, player: int, height: int) -> bool:
        """Return True if that is more than is known of that member."""
        known = self._seen.get(player)
        return known is None or height > known
