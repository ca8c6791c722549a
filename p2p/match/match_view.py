"""A read-only view of a match for the client, as a member's node knows the match."""

from collections.abc import Mapping

import trio
from attrs import define, field

from engine.position import Position
from engine.sentences import Sentence
from p2p.match.table_status import Candidate
from p2p.match.tables import Tables
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.asides import Asides
from p2p.table.node import Node
from p2p.table.node_updates import Awaited, News
from p2p.transport.endpoint import Endpoint
from protocol.charter import Charter
from protocol.errors import Exposed
from protocol.match.going_on import GoingOn
from protocol.match.machine import MatchMachine
from protocol.match.messages import Wish
from protocol.match.negotiation import Negotiation, Offered
from protocol.state import State


@define(eq=False)
class MatchView:
    """Read-only facts about the match of `membership`, for the client."""

    endpoint: Endpoint
    journal: Journal
    membership: Membership
    tables: Tables = field(init=False)
    machine: MatchMachine = field(init=False)
    asides: Asides = field(init=False)
    news: News = field(factory=News, init=False)

    @property
    def progress(self) -> trio.Event:
        """An event that is set when something changes."""
        return self.news.next

    # -- the newest table, at which the match is played

    @property
    def key(self) -> bytes:
        """This node's public key."""
        return self.endpoint.identity.public

    @property
    def me(self) -> int:
        """This node's player number."""
        return self.membership.me

    @property
    def match_id(self) -> bytes:
        """The id of the first table of the match."""
        return self.membership.match_id

    @property
    def node(self) -> Node:
        """This node's `Node` at the newest table."""
        return self.tables.nodes[self.table_id]

    @property
    def state(self) -> State:
        """The newest state of the match."""
        return self.tables.history.state

    @property
    def charter(self) -> Charter:
        """The newest charter, with the members as they are now."""
        return self.tables.history.charter

    @property
    def table_id(self) -> bytes:
        """The id of the newest table."""
        return self.state.table_id

    @property
    def height(self) -> int:
        """The height of the newest table's record."""
        return self.state.height

    @property
    def left_out(self) -> bool:
        """True when the others have gone on without this node."""
        return self.table_id not in self.tables.nodes

    @property
    def view(self) -> Position | None:
        """The round as this node sees it; None in the seat draw, in `trouble` or if `left_out`."""
        return None if self.left_out else self.node.machine.player.view

    @property
    def chooses(self) -> bool:
        """True if the table waits for a move of this node."""
        return not self.over and self.node.chooses

    @property
    def trouble(self) -> Sentence | None:
        """The reason why this node can only watch until the round is over; None if it can play.

        A node that only watches still takes, keeps and passes on entries.
        """
        return None if self.left_out else self.node.machine.player.trouble

    @property
    def exposed(self) -> Exposed | None:
        """The exposure of a player with a seat; None if nobody is exposed."""
        return self.tables.history.newest.exposed

    @property
    def exposed_players(self) -> frozenset[int]:
        """The players with a seat who are exposed."""
        keys = self.tables.history.exposed
        return frozenset(p for p, m in enumerate(self.charter.members) if m.key in keys)

    @property
    def awaited(self) -> Awaited | None:
        """The entry for which the table waits; None when the match is over, or if `left_out`."""
        return None if self.left_out else self.node.awaited

    @property
    def linked(self) -> frozenset[int]:
        """The members with whom this node has a link."""
        return self.tables.linked

    @property
    def unreached(self) -> frozenset[int]:
        """The members with whom this node has no link; others may have one with them."""
        others = () if self.left_out else self.node.peers.others
        return frozenset(others) - self.linked

    @property
    def lacking(self) -> frozenset[int]:
        """The members who have not yet confirmed that they have this node's whole record."""
        return frozenset() if self.left_out else self.node.peers.lacking(self.height)

    @property
    def over(self) -> bool:
        """True if this node has nothing more to do in the match."""
        cheated = self.exposed is not None and not self.going_on.is_possible
        return self.state.complete or self.left_out or cheated

    @property
    def is_elsewhere(self) -> bool:
        """True if another machine plays with this node's key."""
        return any(node.peers.probe.found for node in self.tables.nodes.values())

    @property
    def contradicted(self) -> bool:
        """True if another machine has signed a contradicting entry with this node's key."""
        return any(node.peers.probe.contradicted for node in self.tables.nodes.values())

    def places_of(self, player: int) -> tuple[tuple[str, int], ...]:
        """Return the hosts and ports at which that member may be found, the likeliest first."""
        return self.tables.match.book.of(self.charter.members[player].key)

    # -- going on without somebody

    @property
    def going_on(self) -> GoingOn:
        """The ways to go on, worked out from what this node knows now."""
        # `GoingOn` reads this time. Without this line it would read the time of the last event.
        self.negotiation.now = trio.current_time()
        return self.machine.going_on

    @property
    def negotiation(self) -> Negotiation:
        """The stances and proposals of the members."""
        return self.machine.negotiation

    @property
    def missing(self) -> frozenset[int]:
        """The players without whom the match can go on now. See `protocol.match.going_on`."""
        return self.going_on.missing

    @property
    def stuck(self) -> bool:
        """True if a member cannot write: the continuation that they signed was never completed."""
        return self.going_on.stuck

    @property
    def vacant(self) -> int | None:
        """A player whose seat can be given to somebody else; None if there is none."""
        return min(self.missing, default=None)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The people who wait for a seat, each with this node's objection, if any."""
        objection = self.tables.known_players.objection  # reads the journal, and compares names
        return tuple(Candidate(one, objection(one.key, one.name)) for one in self.going_on.waiting)

    @property
    def wishes(self) -> Mapping[int, Wish]:
        """The latest wish of each member, by player number."""
        members = enumerate(self.charter.members)
        return {player: self.negotiation.wish_of(member.key) for player, member in members}

    @property
    def proposal(self) -> Offered | None:
        """The proposal of the member who leads; None if there is none."""
        return self.going_on.proposal

    def has_accepted(self, player: int) -> bool:
        """Return True if that player accepts the present proposal."""
        offered = self.proposal
        key = self.charter.members[player].key
        return offered is not None and self.negotiation.has_accepted(key, offered.table_id)

    @property
    def number(self) -> int:
        """The number of the last part of the record file; the first charter is part 0."""
        return self.tables.history.number
