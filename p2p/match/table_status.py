"""The table as a display is told of it."""

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
from protocol.words import words


@frozen
class Candidate:
    """Somebody who would take a seat. `objection` says why this node would not agree, or None."""

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
    """The facts about a match that a display shows at one moment: by default nobody is missing."""

    state: State
    """The newest state of the match."""
    view: Position | None
    """The round as this player sees it; None while seats are drawn, and in `trouble`."""
    chooses: bool = False
    """True if the table waits for a move of this player."""
    trouble: Sentence | None = None
    """The reason for which this player can only look on until the round is over."""
    left_out: bool = False
    """True when the others have gone on without this player."""
    exposed: Exposed | None = None
    """The exposure of a player with a seat."""
    exposed_players: frozenset[int] = frozenset()
    """The players with a seat who are exposed."""
    awaited: Awaited | None = None
    """The entry that the table waits for; None when the match is over."""
    grace_left: float = 0.0
    """Seconds until the player for whom the table waits can be left behind."""
    unreached: frozenset[int] = frozenset()
    """The members with whom this node has no link; others may have one with them."""
    absent: frozenset[int] = frozenset()
    """The players who were not heard of through others, either."""
    missing: frozenset[int] = frozenset()
    """The players without whom the match can go on now."""
    stuck: bool = False
    """True if a member has signed a continuation that never came about, and writes no more."""
    wishes: Mapping[int, Wish] = field(factory=dict)
    """The wish of each member, as far as they have told."""
    proposal: Offered | None = None
    """The proposal of the member who leads."""
    accepted: frozenset[int] = frozenset()
    """The players who accept it."""
    candidates: tuple[Candidate, ...] = ()
    """Everybody who waits for a seat, those at this node first."""
    spectators: tuple[Spectator, ...] = ()
    """Everybody who watches, as far as the members tell."""
