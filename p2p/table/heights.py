"""The height to which the record of each member is known to go.

Members sign how far their own record goes, so that others can pass it on: what one says of another
counts with that other's signature only. What somebody says of themselves is a claim until the
entries come, and `p2p.table.resync` does not wait for these for ever.
"""

from attrs import define, field

from p2p.table.replica import Replica
from p2p.transport.messages import Acknowledgement, Status
from protocol.errors import Mismatch
from protocol.signing import Signer


@define(eq=False)
class Heights:
    """Those of the members of the table of `replica`; this node is number `me` of them."""

    replica: Replica
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
        known = {**self._seen, self.me: self.replica.height}
        return tuple(known.get(player, 0) for player in range(len(self.replica.charter.members)))

    def of(self, player: int) -> int | None:
        """Return the height of that member's record; None if nothing was heard of them."""
        return self._seen.get(player)

    def has_spoken(self, player: int) -> bool:
        """Return True if that member has said it themselves, in this run."""
        return player in self._spoken

    def is_apart(self, player: int) -> bool:
        """Return True if that member has told of another record than this node's, as far as it
        goes.
        """
        told = self._signed.get(player)
        return told is not None and not self._fits(told)

    def _fits(self, told: Acknowledgement) -> bool:
        """Return True if this node's record has that head there, or does not go so far."""
        height = told.height
        return height > self.replica.height or self.replica.head_at(height) == told.head

    def status(self) -> Status:
        """Return what this node says of itself, and passes on of others, as far as its own record
        bears them out.
        """
        height = self.replica.height
        head = self.replica.head_at(height)
        if self._own is None or (self._own.height, self._own.head) != (height, head):
            self._own = Acknowledgement.make(self.replica.table_id, height, head, self.sign)
        known = sorted(self._signed.items())
        others = tuple((player, told) for player, told in known if told.height <= height)
        return Status(self._own, others, tuple(sorted(self._direct)))

    def came(self, writer: int | None, carrier: int) -> None:
        """An entry of that member was brought here by that one before anybody else."""
        if writer == carrier:
            self._direct.add(carrier)
        elif writer is not None:
            self._direct.discard(writer)

    def hear(self, player: int, key: bytes, status: Status) -> bool:
        """Note what a member with that key says; whether it was news.

        Raises Mismatch if they have not signed what they say of themselves.
        """
        own = status.own
        if self._signed.get(player) != own:
            if not own.is_signed_by(self.replica.table_id, key):
                raise Mismatch("How far a record goes is signed by who has it.")
            self._signed[player] = own
        self._spoken.add(player)
        news = self.see(player, own.height)
        self._seen[player] = own.height  # less than before, if they have taken entries back
        for other, told in status.others:
            if other != self.me and told.height <= own.height:
                news = self._hear_of(other, told) or news
        return news

    def _hear_of(self, player: int, told: Acknowledgement) -> bool:
        """Note what a member has signed and another passes on; whether it was news."""
        members = self.replica.charter.members
        if player >= len(members) or not self._is_further(player, told.height):
            return False
        if not self._fits(told):
            return False  # they have taken back what they had there
        if not told.is_signed_by(self.replica.table_id, members[player].key):
            return False
        self._signed[player] = told
        return self.see(player, told.height)

    def see(self, player: int, height: int) -> bool:
        """A member has shown that their record goes that far; whether that is news."""
        if not self._is_further(player, height):
            return False
        self._seen[player] = height
        return True

    def _is_further(self, player: int, height: int) -> bool:
        """Return True if that is more than is known of that member."""
        known = self._seen.get(player)
        return known is None or height > known
