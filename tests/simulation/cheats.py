"""What those who cheat do at a simulated table, alone or together: write two entries in one place,
do not write, vote and refuse, keep votes and complete them later, and pass nothing on.
"""

import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import trio
from attrs import define, field

from engine.sentences import Sentence
from p2p.replacement.votes import act_of, vote_of
from p2p.table.own_player import OwnPlayer
from p2p.transport.messages import Carry, Message, Vote
from protocol.absence import absence
from protocol.ballot import Act, Ballot
from protocol.entries import AbsentContent
from protocol.errors import Refused
from protocol.player import LOST_LOCK, Written
from protocol.state import State
from tests.simulation.machine import Machine

CHEATING = ("equivocates", "stalls", "contradicts", "completes", "withholds")


@define(eq=False)
class CheatingPlayer(OwnPlayer):
    """Does not write when they are due, or writes something else to somebody."""

    cheats: "Cheats" = field(kw_only=True)
    machine: Machine = field(kw_only=True)

    @property
    def trouble(self) -> Sentence | None:
        return (
            LOST_LOCK if self.cheats.stalls(self.machine, self.record.height) else super().trouble
        )

    def write(self, releases: tuple[bytes, ...]) -> Written:
        if "equivocates" in self.machine.roles and self.machine.rng.random() < 0.4:
            self.cheats.write_another(self)
        return super().write(releases)


@define
class Cheats:
    """All of them at one table: what one of them is told, the others know. `say` brings a message
    of one machine to another.
    """

    rng: random.Random
    say: Callable[[Machine, Machine, Message], None]
    figures: Counter[str]
    machines: list[Machine] = field(factory=list)
    _pool: dict[Vote, None] = field(factory=dict, init=False)
    _states: dict[bytes, State] = field(factory=dict, init=False)
    _stalls: dict[tuple[bytes, int], float] = field(factory=dict, init=False)

    def __contains__(self, machine: Machine) -> bool:
        return machine in self.machines

    def hear(self, message: Message) -> None:
        """One of them is told that."""
        if isinstance(message, Vote):
            self._pool[message] = None

    def note(self, state: State) -> None:
        """One of them has come to that state."""
        self._states.setdefault(state.head, state)

    def stalls(self, machine: Machine, height: int) -> bool:
        """Whether that one lets the others wait at that height: for a while, or for good."""
        place = machine.key, height
        if "stalls" in machine.roles and place not in self._stalls:
            for_long = self.rng.choice((0.0, 0.0, 5.0, 30.0, 1e6))
            self._stalls[place] = trio.current_time() + for_long
        return trio.current_time() < self._stalls.get(place, 0.0)

    def write_another(self, player: CheatingPlayer) -> None:
        """Another entry in the place, to one of the others."""
        state, move = player.record.state, None
        if state.match.mover == player.record.membership.me:
            view = player._player.view(state)
            assert view is not None
            assert view.to_move is not None
            move = self.rng.choice(view.legal_moves(view.to_move))
        with suppress(Refused):
            entry = player._player.write(state, player.entropy, move).entry
            other = self.rng.choice(self._others(player.machine))
            self.figures["second entries"] += 1
            self.say(player.machine, other, Carry(state.height + 1, entry))

    def misbehave(self, machine: Machine) -> None:
        """Votes and refusals in the place that is next, or in one that was."""
        node = machine.node
        if node is None or not self._states:
            return
        node.wake()  # who has stalled looks again
        state = self.rng.choice(list(self._states.values())[-5:])
        due, me = state.due, state.charter.player_of(machine.key)
        if due is None or me is None or due.player == me or len(state.charter.members) < 3:
            return
        body = absence(state, AbsentContent((due.player,))).encode()
        if "contradicts" in machine.roles and self.rng.random() < 0.3:
            vote = Act.vote(body, machine.key, machine.identity.sign)
            refusal = Act.refusal(state.next_place, me, machine.key, machine.identity.sign)
            for other in self._others(machine):
                self.figures["contradicting acts"] += 1
                self.say(machine, other, vote_of(self.rng.choice((vote, refusal))))
        if "completes" in machine.roles and self.rng.random() < 0.3:
            self._complete(machine, state, body)

    def _complete(self, machine: Machine, state: State, body: bytes) -> None:
        """The joint entry, of all votes that those who cheat have or can give."""
        ballot = Ballot(state.charter, state.next_place, b"")
        mine = {cheat.key: cheat for cheat in self.machines}
        assert state.due is not None
        for member in state.charter.members:
            absent = state.charter.player_of(member.key) == state.due.player
            if member.key in mine and not absent:
                ballot.add(Act.vote(body, member.key, mine[member.key].identity.sign))
        for act in map(act_of, self._pool):
            if act.body == body and act.key not in mine:
                ballot.add(act)
        joint = ballot.joint()
        if joint is not None:
            self.figures["absences completed by cheats"] += 1
            for other in self._others(machine):
                if self.rng.random() < 0.7:
                    self.say(machine, other, Carry(state.height + 1, joint))

    def _others(self, machine: Machine) -> list[Machine]:
        return [other for other in machine.world.machines if other is not machine]
