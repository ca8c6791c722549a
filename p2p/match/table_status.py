"""The facts about a table that a display shows."""

from collections.abc import Mapping

from attrs import field, frozen

from engine.position import Position
from engine.sentences import Sentence
from p2p.refusals import Refusal
from p2p.table.node_updates import Awaited
from p2p.transport.spectator_messages import Spectator
from protocol.charter import Member
from protocol.errors import Exposed
from protocol.match.messages import Wish
from protocol.match.negotiation import Offered
from protocol.state import State
from protocol.words_for_keys import words


@frozen
class Candidate:
    """Somebody who wants a seat. `objection` is this node's reason to refuse them, or None."""

    member: Member
    objection: Refusal | None = None

    @property
    def key(self) -> bytes:
        return self.member.key

    @property
    def name(self) -> str:
        return self.member.name

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the key, which people compare."""
        return words(self.member.key)


@frozen
class TableStatus:
    """The facts about a match that a display shows at one moment.

    The defaults are the values for a match in which nobody is missing.
    """

    state: State
    """The newest state of the match."""
    view: Position | None
    """The round as this player sees it; None during the seat draw, and when `trouble` is set."""
    chooses: bool = False
    """True if the table waits for a move of this player."""
    trouble: Sentence | None = None
    """The reason why this player can only watch until the round is over; None if they can play."""
    left_out: bool = False
    """True when the others have gone on without this player."""
    exposed: Exposed | None = None
    """The exposure of a player with a seat; None if nobody is exposed."""
    exposed_players: frozenset[int] = frozenset()
    """The players with a seat who are exposed."""
    awaited: Awaited | None = None
    """The entry for which the table waits; None when the match is over."""
    grace_left: float = 0.0
    """Seconds until the match may go on without the player for whom the table waits."""
    unreached: frozenset[int] = frozenset()
    """The members with whom this node has no link; others may have one with them."""
    absent: frozenset[int] = frozenset()
    """The players to whom no node has a link, as far as this node has heard."""
    missing: frozenset[int] = frozenset()
    """The players without whom the match can go on now."""
    stuck: bool = False
    """True if a member cannot write: the continuation that they signed was never completed."""
    wishes: Mapping[int, Wish] = field(factory=dict)
    """The latest wish of each member, by player number."""
    proposal: Offered | None = None
    """The leader's proposal; None if there is none."""
    accepted: frozenset[int] = frozenset()
    """The players who accept `proposal`."""
    candidates: tuple[Candidate, ...] = ()
    """The people who wait for a seat, those at this node first."""
    spectators: tuple[Spectator, ...] = ()
    """Everybody who watches, as far as this node knows from the members."""
