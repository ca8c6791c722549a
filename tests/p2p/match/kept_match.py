"""A match of several tables in a journal, without a network."""

from types import SimpleNamespace
from typing import Any

from attrs import define, evolve, field

from p2p.match.match_node import MatchNode
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.transport.endpoint import Endpoint
from protocol.charter import SignedCharter
from protocol.signatures import Signer
from protocol.state import State
from tests.protocol.continuing import OLGA, concluded, offered, seat_newcomers
from tests.protocol.seeded_table import SeededTable

ME, BRUNO = 0, 1
HERE = "192.0.2.1"


@define
class Match:
    """A match in a journal: three tables of the same players, and a fourth without player 0.

    Of each table but the last, the journal has one entry more than the next table continues.
    """

    journal: Journal
    table: SeededTable = field(factory=SeededTable.sit)
    charters: list[SignedCharter] = field(factory=list)
    states: list[list[State]] = field(factory=list)
    """The states of each table, from its start on."""
    sign: Signer = field(init=False)
    """Player 0's signer."""

    def __attrs_post_init__(self) -> None:
        seeded, signed = self.table, self.table.charter
        self.sign = seeded.signers[ME]
        for me in (ME, ME, ME, None):
            self.charters.append(signed)
            self.journal.create_table(signed.charter.table_id, signed.encode(), me)
            table = [seeded.state]
            for height in (1, 2, 3):
                if height == 3:
                    seeded = evolve(seeded, players=list(seeded.players), entries=[])
                seeded.step()
                self.journal.append(signed.charter.table_id, height, seeded.entries[-1])
                table.append(seeded.state)
            self.states.append(table)
            if me is not None:
                seats = [OLGA] if len(self.states) == 3 else []
                charter = offered(table[2], [ME for _ in seats], seats=seats)
                signed = concluded(seeded, table[2], charter)
                seeded = evolve(self.table, state=table[2])
                seat_newcomers(seeded, signed.encode())
                self.table = seeded

    @property
    def ids(self) -> list[bytes]:
        return [signed.charter.table_id for signed in self.charters]

    def node(self, key: bytes | None = None) -> MatchNode:
        """Return player 0's node, or a node with another key and with player 0's journal."""
        me: Any = SimpleNamespace(public=key or self.charters[0].charter.key_of(ME), sign=self.sign)
        membership = Membership(self.charters[0], ME, ())
        return MatchNode(Endpoint(me), self.journal, membership)
