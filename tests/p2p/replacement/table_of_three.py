"""A simulated table of three in the middle of a round, as one of its nodes sees it."""

from typing import Any, cast

from attrs import define

from p2p.replacement.votes import vote_of
from p2p.storage.memberships import Membership
from p2p.table.node import Node
from protocol.absence import absence
from protocol.ballot import Act
from protocol.entries import AbsentContent
from tests.protocol.played import Moment, Played
from tests.simulation.memory_journal import MemoryJournal
from tests.simulation.simulation import Simulation

SEED = 55
"""A table of three, where player 2 moves next, then 1, then 0, of whom the node is."""

SEED_OF_UNLOCKING = 24
"""Another one, where player 2 takes their lock off one card next."""

LATE, BRUNO, ME = 2, 1, 0


@define
class Table:
    """The node's machine at that table; `node` is its newest one."""

    simulation: Simulation
    node: Node

    @classmethod
    async def at(cls, seed: int = SEED) -> "Table":
        table = cls(Simulation(seed), cast(Any, None))
        await table.start_again()
        return table

    @property
    def journal(self) -> MemoryJournal:
        return self.simulation.machines[ME].journal

    @property
    def played(self) -> Played:
        return self.simulation.start.played

    @property
    def moment(self) -> Moment:
        """That at which the node's record ended when it was started first."""
        return self.played.at(self.simulation.start.height + 1)

    async def start_again(self, journal: MemoryJournal | None = None) -> None:
        """With what the journal has, or with that journal; what the others have was heard."""
        machine = self.simulation.machines[ME]
        machine.journal = journal or machine.journal
        self.node = self.simulation.node_for(machine, cast(Membership, machine.membership))
        await self.node.restore()
        self.node.resync.done = True

    async def take_late_entry(self) -> None:
        moment = self.moment
        assert await self.node.carried(BRUNO, moment.state.height + 1, moment.entry)

    def vote(self, by: int) -> Act:
        """That the player who moves first is absent."""
        state = self.moment.state
        body = absence(state, AbsentContent((LATE,))).encode()
        return Act.vote(body, state.charter.members[by].key, self.played.ring.signers[by])

    def refusal(self, by: int) -> Act:
        state, sign = self.moment.state, self.played.ring.signers[by]
        return Act.refusal(state.next_place, by, state.charter.members[by].key, sign)

    async def told(self, act: Act) -> bool:
        return await self.node.told(BRUNO, vote_of(act))

    @property
    def releases(self) -> tuple[bytes, ...]:
        return self.node._coordinator.releases
