"""A match of several tables in a journal, without a network."""

from functools import cache
from types import SimpleNamespace
from typing import Any

from attrs import define, evolve, field

from p2p.match.match_node import MatchNode
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.table.node_updates import no_progress
from p2p.transport.endpoint import Endpoint
from protocol.charter import SignedCharter
from protocol.signatures import Signer
from protocol.state import State
from tests.protocol.continuing import OLGA, concluded, offered, seat_newcomers
from tests.protocol.seeded_table import SeededTable

ME, BRUNO = 0, 1
HERE = "192.0.2.1"


@cache
def _played() -> tuple[list[SignedCharter], list[list[State]], list[list[bytes]], Signer]:
    """Return the charters, states and entries of the tables, and player 0's signer."""
    seeded = first = SeededTable.sit()
    charters, states, entries, sign = [seeded.charter], list[list[State]](), [], seeded.signers[ME]
    # Nobody leaves before tables 2 and 3. Player 0 leaves before table 4, the last one.
    for left in ([], [], [ME], None):
        table, written = [seeded.state], list[bytes]()
        for height in (1, 2, 3):
            if height == 3:  # the next table continues this one from height 2
                seeded = evolve(seeded, players=list(seeded.players), entries=[])
            seeded.step()
            written.append(seeded.entries[-1])
            table.append(seeded.state)
        states.append(table)
        entries.append(written)
        if left is not None:
            charter = offered(table[2], left, seats=[OLGA])
            charters.append(concluded(seeded, table[2], charter))
            seeded = evolve(first, state=table[2])
            seat_newcomers(seeded, charters[-1].encode())
    return charters, states, entries, sign


@define
class Match:
    """A match in a journal: three tables of the same players, and a fourth without player 0.

    The journal has three entries of each table. Each later table continues the table before it from
    that table's second entry.
    """

    journal: Journal
    charters: list[SignedCharter] = field(init=False)
    states: list[list[State]] = field(init=False)
    """The states of each table, from its start on."""
    sign: Signer = field(init=False)
    """Player 0's signer."""

    def __attrs_post_init__(self) -> None:
        self.charters, self.states, entries, self.sign = _played()
        self.journal._database.execute("PRAGMA synchronous = OFF")  # faster; no power cuts here
        for signed, written, me in zip(self.charters, entries, (ME, ME, ME, None), strict=True):
            self.journal.create_table(signed.charter.table_id, signed.encode(), me)
            for height, entry in enumerate(written, 1):
                self.journal.append(signed.charter.table_id, height, entry)

    @property
    def ids(self) -> list[bytes]:
        return [signed.charter.table_id for signed in self.charters]

    def node(self, key: bytes | None = None) -> MatchNode:
        """Return player 0's node, or a node with another key and with player 0's journal."""
        me: Any = SimpleNamespace(public=key or self.charters[0].charter.key_of(ME), sign=self.sign)
        membership = Membership(self.charters[0], ME, ())
        return MatchNode(Endpoint(me), self.journal, membership)

    def restored_node(self, key: bytes | None = None) -> MatchNode:
        """Return such a node after it has read the journal."""
        node = self.node(key)
        node._restore(no_progress)
        return node
