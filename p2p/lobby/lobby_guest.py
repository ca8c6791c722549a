"""The host's notes on one guest in a lobby: what the guest has said, and how late they were."""

from functools import partial

import trio
from attrs import define, field

from p2p.rate_limit import RateLimit
from p2p.refusals import Reason
from p2p.transport.link import Link
from p2p.transport.lobby_messages import CommittedSeat, LobbyPlayer, Reveal, Sit
from protocol.charter import Charter, nonce_commitment
from protocol.errors import Mismatch


@define
class LobbyGuest:
    """A guest in the lobby, or somebody who knocks."""

    link: Link
    sit: Sit
    port: int
    scope: trio.CancelScope
    """The scope that ends the guest's link when it is cancelled."""
    since: float = field(factory=trio.current_time)
    """The time at which the guest came."""
    ready: bool = False
    nonce: bytes | None = None
    """The nonce that the guest has revealed for the attempt under way."""
    signature: bytes | None = None
    """The guest's signature of the charter in the attempt under way."""
    reason: Reason | None = None
    """The reason why the guest is sent away; None if they are not sent away."""
    late: float = 0.0
    """The seconds counted so far for which the guest has held up a full table."""
    late_since: float | None = None
    """The time of the newest count. The seconds after it are not in `late` yet.

    None while the guest does not hold up the table.
    """
    changes: RateLimit = field(factory=partial(RateLimit, burst=20, rate=1.0))
    rate_limit: RateLimit = field(factory=RateLimit)
    commitment: bytes = field(init=False)
    """The commitment to the guest's next nonce, which is not revealed yet."""

    def __attrs_post_init__(self) -> None:
        self.commitment = self.sit.commitment

    @property
    def seat(self) -> CommittedSeat:
        return CommittedSeat(self.link.peer, self.sit.name, self.commitment)

    @property
    def player(self) -> LobbyPlayer:
        return LobbyPlayer(self.link.peer, self.sit.name, self.ready)

    @property
    def is_going(self) -> bool:
        """Return True if the guest was sent away, and is about to go."""
        return self.scope.cancel_called

    def send_away(self, reason: Reason) -> None:
        self.reason = reason
        self.scope.cancel()

    def reveal(self, reveal: Reveal, *, under_way: bool) -> None:
        """Take the nonce that the guest reveals, and their next commitment.

        The nonce counts only if it is for the attempt under way (`under_way`). Raises Mismatch if
        the guest had committed to another nonce.
        """
        if nonce_commitment(self.link.peer, reveal.nonce) != self.commitment:
            raise Mismatch("That nonce is not the one to which the guest had committed.")
        self.commitment = reveal.commitment
        if under_way:
            self.nonce = reveal.nonce

    def sign(self, charter: Charter, signature: bytes) -> None:
        """Take the guest's signature of the charter. Raises Mismatch if it is not valid."""
        player = charter.player_of(self.link.peer)
        if player is None or not charter.is_signed_by(player, signature):
            raise Mismatch("That is no signature of the charter.")
        self.signature = signature

    def count_lateness(self, now: float, *, waits: bool) -> None:
        """Count the seconds for which the guest has held up the table until `now`.

        If the table `waits` for players to be ready, a guest who is not ready holds it up from
        `now` on.
        """
        if self.late_since is not None:
            self.late += now - self.late_since
        self.late_since = now if waits and not self.ready else None
