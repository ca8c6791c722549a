"""A simulated table: real nodes, one heap of events, one seeded generator, and Trio's fake clock.

Messages are late, lost, repeated and reordered, and the network splits. Machines die at any
transaction and start again, some with an older copy of their journal. People have different wishes
when a player is missing, and change their minds. Cheats are in `tests.simulation.cheats`. After
each event the oracles check the state, and raise AssertionError for an error.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import Any, cast

import trio
from attrs import define, field
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from trio.testing import MockClock

from p2p.match.match_node import MatchNode
from p2p.storage.memberships import Membership
from p2p.transport.messages import Message
from protocol.charter import Member
from protocol.match.messages import WishKind
from tests.protocol.seeded_table import signer_of
from tests.simulation.cheats import CHEATING, Cheats
from tests.simulation.machine import Machine
from tests.simulation.memory_journal import MemoryJournal
from tests.simulation.oracles import Oracles
from tests.simulation.simulated_mesh import SimulatedIdentity
from tests.simulation.starts import Start

FAULTS_END, HASTE_BEGINS, TABLE_ENDS = 45.0, 150.0, 300.0
"""The seconds after which faults stop, players stop thinking for long, and moves end."""

STEP = 0.2
"""The seconds between two checks for events that are due."""

RESTS = 150.0
"""The seconds without a new entry or a restart after which nobody moves any more.

A longer wait counts as one without end, such as that of a person who is patient for 1000 s.
"""

QUIET = 15.0
"""The seconds without a new entry after which the simulation ends, if all nodes agree."""

ROUNDS_FOR = 400
"""The number of consecutive seeds that begin from the same played rounds: playing takes long."""

NEWCOMERS = ("Gil", "Hilda")

HOSTED = (0, 4, 8, 9)
"""The last digits of seeds with bots from the beginning, power cuts for all, and deaths at signing.

The tables of older kept seeds must not change, so none of those seeds ends in one of these digits.
"""

WISHES = (
    (WishKind.OPPONENT,),
    (WishKind.OPPONENT, WishKind.END),
    (WishKind.PERSON, WishKind.OPPONENT),
    tuple(WishKind)[1:4],
)
"""Lists of kinds of continuation, the best first. Each person gets one list."""


@define
class Simulation:
    """The table of a seed; `run` raises AssertionError if an oracle finds an error."""

    seed: int
    figures: Counter[str] = field(factory=Counter, init=False)
    rng: random.Random = field(init=False)
    start: Start = field(init=False)
    machines: list[Machine] = field(factory=list, init=False)
    cheats: Cheats = field(init=False)
    oracles: Oracles = field(init=False)
    last: int = field(default=0, init=False)
    """The number of entries after which nobody moves any more."""
    goal: int = field(default=0, init=False)
    hasty: bool = field(default=False, init=False)
    """True if players no longer think for long."""
    faulty: bool = field(default=True, init=False)
    _by_key: dict[bytes, Machine] = field(factory=dict, init=False)
    _apart: set[frozenset[bytes]] = field(factory=set, init=False)
    _events: list[tuple[float, int, Callable[[], Any]]] = field(factory=list, init=False)
    _numbers: "count[int]" = field(factory=count, init=False)
    _highest: int = field(default=0, init=False)
    _grown: float = field(default=0.0, init=False)
    _nursery: trio.Nursery | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.rng = rng = random.Random(self.seed)
        self.start = Start.draw(rng, self.seed // ROUNDS_FOR)
        table = self.start.played.table
        self.last = self.goal = self.start.height + rng.randrange(4, 16)
        self.cheats = Cheats(rng, self.say, self.figures)
        self.oracles = Oracles(
            table.charter, self.start.height, self.machines, self.cheats, self.figures
        )
        players = range(len(table.players))
        cheating = rng.sample(players, rng.choice((0, *players)))
        patience = rng.choice(((10.0, 15.0), (10.0, 25.0, 60.0), (25.0, 1000.0)))
        for player in players:
            number = rng.randrange(1, 4) if player in cheating else 0
            membership = Membership(table.charter, player, (), fresh=False)
            member = membership.charter.charter.members[player]
            journal = MemoryJournal(
                membership.table_id,
                tuple(self.start.played.entries[: self.start.height]),
                self.start.locks(player),
            )
            machine = self._machine(member, table.signers[player], journal, membership)
            machine.roles = frozenset(rng.sample(CHEATING, number))
            machine.patience = rng.choice(patience)
            machine.wishes = rng.choice(WISHES)
        if self.seed % 10 in HOSTED:
            self._seat_bots()
        for machine in self.machines:
            machine.endpoint.withholds = "withholds" in machine.roles
        self.cheats.machines += [machine for machine in self.machines if machine.roles]
        newcomers = rng.choice((0, 1, 2))
        for name in NEWCOMERS[:newcomers]:
            key = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32))
            member = Member(key.public_key().public_bytes_raw(), name, rng.randbytes(32))
            self._machine(member, signer_of(key), MemoryJournal())

    def _seat_bots(self) -> None:
        """Make at most two players bots of another player; at least two people are left."""
        rng = random.Random(f"{self.seed} bots")
        owner, _, *others = rng.sample(self.machines, len(self.machines))
        for bot in others[: rng.randrange(3)]:
            bot.owner, bot.roles, bot.comes = owner, owner.roles, False
            self.figures["bots from the beginning"] += 1

    def _machine(
        self, member: Member, signer: Any, journal: MemoryJournal, membership: Any = None
    ) -> Machine:
        rng = random.Random(f"{self.seed} {len(self.machines)}")
        identity = SimulatedIdentity(member.key, signer)
        journal.owner = member.key
        machine = Machine(self, member, identity, rng, journal, membership)
        self.machines.append(machine)
        self._by_key[member.key] = machine
        return machine

    @property
    def kind(self) -> str:
        """The name of the game and the number of players."""
        charter = self.start.played.table.state.charter
        return f"{charter.game.name}, {len(charter.members)} players"

    # -- time

    def run(self) -> None:
        """Play the table. Raises AssertionError with what an oracle has found."""
        trio._core._run._r.seed(self.seed)  # fixes the order in which Trio runs tasks
        trio.run(self._run, clock=MockClock(autojump_threshold=0))

    async def _run(self) -> None:
        self._plan_faults()
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                for machine in self.machines:
                    nursery.start_soon(machine.live)
                await self._bring_about()
                nursery.cancel_scope.cancel()
        except BaseExceptionGroup as group:
            raise _first(group) from None
        self.oracles.check_end(self.goal)

    async def _bring_about(self) -> None:
        """Run the events that are due, until nothing new happens any more."""
        begun = trio.current_time()
        while (now := trio.current_time()) < begun + 2 * TABLE_ENDS:
            self.faulty, self.hasty = now < begun + FAULTS_END, now > begun + HASTE_BEGINS
            if now > min(begun + TABLE_ENDS, max(begun, self._grown) + RESTS):
                self.last = 0  # so that nobody moves any more, and messages on their way can arrive
            if now > max(self._grown, begun + FAULTS_END) + QUIET and self._is_quiet():
                return
            while self._events and self._events[0][0] <= now:
                _, _, event = heappop(self._events)
                done = event()
                if done is not None:
                    await done
            await trio.sleep(STEP)

    def _is_quiet(self) -> bool:
        nodes = [m.node for m in self.machines if m.is_honest and m.node is not None]
        heads = {node.state.head for node in nodes if not node.over}
        together = len(heads) <= 1 or bool(self.cheats.machines)
        return together and all(node.over or node.number >= self.last for node in nodes)

    def _at(self, delay: float, event: Callable[[], Any]) -> None:
        heappush(self._events, (trio.current_time() + delay, next(self._numbers), event))

    # -- faults

    def _plan_faults(self) -> None:
        keys = [machine.key for machine in self.machines]
        for _ in range(self.rng.randrange(3)):
            part = self.rng.sample(keys, self.rng.randrange(1, len(keys)))
            pairs = {frozenset({a, b}) for a in part for b in keys if b not in part}
            begin = self.rng.uniform(0, FAULTS_END * 0.8)
            self._at(begin, partial(self._part, pairs))
            self._at(self.rng.uniform(begin, FAULTS_END), self._apart.clear)
        self._at(FAULTS_END, self._apart.clear)
        for _ in range(self.rng.randrange(4)):
            who = self.rng.choice(self.machines)
            self._at(self.rng.uniform(0, FAULTS_END), partial(self._plan_death, who))
        if self.seed % 10 in HOSTED:
            self._plan_more_deaths(random.Random(f"{self.seed} deaths"))
        self._at(FAULTS_END, self._let_live)

    def _plan_more_deaths(self, rng: random.Random) -> None:
        """Plan a death of the player who is due, deaths while signing, and maybe a power cut."""
        self._at(rng.uniform(0, FAULTS_END / 3), self._kill_who_is_due)
        for who in self.machines:
            if rng.random() < 0.5:
                who.journal.dies_after, who.journal.dies_on = 0, "statement"
                who.journal.on_guard, who.journal.on_disk = rng.random() < 0.3, rng.random() < 0.6
        if rng.random() < 0.4:
            self._at(rng.uniform(0, FAULTS_END), self._cut_power)

    def _kill_who_is_due(self) -> None:
        states = (machine.node.state for machine in self.machines if machine.node is not None)
        state = max(states, key=lambda state: state.height, default=None)
        if state is not None and state.due is not None:
            machine = self._by_key[state.charter.key_of(state.due.player)]
            machine.stays_away = machine.rng.choice((15.0, 60.0, 200.0))
            machine.die()

    def _cut_power(self) -> None:
        self.figures["power cuts for all"] += 1
        for machine in tuple(self.machines):
            machine.die()

    def _part(self, pairs: set[frozenset[bytes]]) -> None:
        self._apart.update(pairs)
        for machine in self.machines:
            machine.cut_links()

    def _plan_death(self, who: Machine) -> None:
        who.journal.dies_after, who.journal.dies_on = self.rng.randrange(3), ""
        who.journal.on_guard = self.rng.random() < 0.5

    def _let_live(self) -> None:
        for machine in self.machines:
            machine.journal.dies_after = None

    def are_apart(self, one: bytes, other: bytes) -> bool:
        return frozenset({one, other}) in self._apart

    def may_put_back(self, machine: Machine) -> bool:
        """Return True if the machine's owner may put back an older copy of its journal.

        At a table with cheats nobody may: a cheat could hide entries that the player signed after
        that copy was made (`spec/threats.md`).
        """
        return not self.cheats.machines

    # -- messages

    def say(
        self, sender: bytes, receiver: bytes, table_id: bytes, messages: Sequence[Message]
    ) -> None:
        self.oracles.said(self._by_key[sender], messages)
        if receiver not in self._by_key:
            return
        if self.are_apart(sender, receiver) or (self.faulty and self.rng.random() < 0.1):
            self.figures["lost"] += len(messages)
            return
        for _ in range(2 if self.faulty and self.rng.random() < 0.05 else 1):
            event = partial(self._bring, sender, self._by_key[receiver], table_id, messages)
            self._at(self.rng.expovariate(2.0 if self.faulty else 20.0), event)

    async def _bring(
        self, sender: bytes, machine: Machine, table_id: bytes, messages: Sequence[Message]
    ) -> None:
        for message in messages:
            self.figures["messages"] += 1
            self.oracles.arrived(self._by_key[sender], message)
            if machine in self.cheats:
                self.cheats.hear(message)
            await machine.hears(sender, table_id, message)

    # -- methods for machines

    def a_bot(self, owner: Machine) -> Machine:
        """Return a new bot owned by that machine."""
        key = Ed25519PrivateKey.from_private_bytes(owner.rng.randbytes(32))
        name = f"Robot {len(self.machines)}"
        member = Member(key.public_key().public_bytes_raw(), name, owner.rng.randbytes(32))
        bot = self._machine(member, signer_of(key), MemoryJournal())
        bot.owner, bot.comes = owner, False
        if owner.roles:
            bot.roles = owner.roles
            self.cheats.machines.append(bot)
        assert self._nursery is not None
        self._nursery.start_soon(bot.live)
        return bot

    def node_for(self, machine: Machine, membership: Membership) -> MatchNode:
        """Return the node of a player with a seat; honest players have a real node."""
        endpoint, journal = cast(Any, machine.endpoint), cast(Any, machine.journal)
        entropy, self._grown = machine.rng.randbytes, trio.current_time()
        if not journal.tables():
            journal.create_table(membership.table_id, membership.charter.encode(), membership.me)
        if machine in self.cheats:
            machine.endpoint.take_over = partial(self.cheats.take_over, machine=machine)
        follows = b"" if machine.owner is None else machine.owner.key
        return MatchNode(endpoint, journal, membership, entropy, follows=follows)

    def check(self, machine: Machine) -> None:
        """Let the oracles check a machine. Raises AssertionError."""
        if machine.node is None:
            return
        machine.seat_bots()
        if machine.node.number > self._highest:
            self._highest, self._grown = machine.node.number, trio.current_time()
        if machine in self.cheats:
            self.cheats.note(machine.node.state)
        self.oracles.check(machine)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
