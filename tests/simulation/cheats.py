"""Cheats at a simulated table, alone or together.

Cheats write two entries in one place, write nothing, sign wrong continuations, play on at a table
after signing a continuation of it, or pass on no messages of others.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress

import trio
from attrs import define, evolve, field

from engine.sentences import Sentence
from p2p.table.node import Node
from p2p.transport.messages import Message
from protocol.charter import Charter
from protocol.continuation import continuation_of
from protocol.entries import Body, Entry, OpenContent, UnlockContent
from protocol.errors import Malformed, Refused
from protocol.evidence import Statement
from protocol.group import Entropy, Scalar
from protocol.match.messages import Signed
from protocol.match.statements import decode_statement, encode_statement
from protocol.parallel import ParallelMap
from protocol.player import LOST_LOCK, Written
from protocol.state import State
from protocol.table.messages import Carry
from protocol.table.own_player import OwnPlayer
from protocol.unlock import UnlockProof
from tests.simulation.machine import Machine

CHEATING = ("equivocates", "stalls", "signs", "stays", "withholds")


@define(eq=False)
class CheatingPlayer(OwnPlayer):
    """A player who sometimes writes nothing when due, or sends another entry to one player."""

    cheats: "Cheats" = field(kw_only=True)
    machine: Machine = field(kw_only=True)

    @property
    def trouble(self) -> Sentence | None:
        stalls = self.cheats.stalls(self.machine, self.record.table_id, self.record.height)
        return LOST_LOCK if stalls else super().trouble

    def write(self, entropy: Entropy, parallel_map: ParallelMap) -> Written:
        if "equivocates" in self.machine.roles and self.machine.rng.random() < 0.4:
            self.cheats.write_another(self, entropy)
        return super().write(entropy, parallel_map)


@define
class Cheats:
    """All cheats of one simulation, who share everything that they hear.

    `say` sends messages about a table from the holder of one key to that of another.
    """

    rng: random.Random
    say: Callable[[bytes, bytes, bytes, Sequence[Message]], None]
    figures: Counter[str]
    machines: list[Machine] = field(factory=list)
    _charters: dict[bytes, Charter] = field(factory=dict, init=False)
    """The continuations for which the cheats have received a signature, by table id."""
    _heard: set[Signed] = field(factory=set, init=False)
    _states: dict[bytes, State] = field(factory=dict, init=False)
    _stalls: dict[tuple[bytes, bytes, int], float] = field(factory=dict, init=False)

    def __contains__(self, machine: Machine) -> bool:
        return machine in self.machines

    def take_over(self, node: Node, machine: Machine) -> None:
        """Let a cheat play at the node's table."""
        honest = node.machine.player
        node.machine.player = CheatingPlayer(
            honest.record, honest.signer, cheats=self, machine=machine
        )
        if "stays" in machine.roles:  # writes on even after signing a continuation
            node.match = evolve(node.match, may_write=lambda _: True)

    def hear(self, message: Message) -> None:
        """Note a message that one of the cheats has received."""
        if isinstance(message, Signed) and message not in self._heard:
            self._heard.add(message)
            with suppress(Malformed):
                charter = decode_statement(message.statement).charter
                self._charters[charter.table_id] = charter

    def note(self, state: State) -> None:
        """Note a state that one of the cheats has reached."""
        self._states.setdefault(state.head, state)

    def stalls(self, machine: Machine, table_id: bytes, height: int) -> bool:
        """Return True if the cheat stalls at this height, for a while or for ever."""
        place = machine.key, table_id, height
        if "stalls" in machine.roles and place not in self._stalls:
            for_long = self.rng.choice((0.0, 0.0, 5.0, 30.0, 1e6))
            self._stalls[place] = trio.current_time() + for_long
        return trio.current_time() < self._stalls.get(place, 0.0)

    def write_another(self, player: CheatingPlayer, entropy: Entropy) -> None:
        """Send one of the other players a different entry for the next place."""
        state, move = player.record.state, None
        if state.match.mover == player.record.me:
            view = player._player.view(state)
            assert view is not None
            assert view.to_move is not None
            move = self.rng.choice(view.legal_moves(view.to_move))
        with suppress(Refused):
            entry = self._proved_anew(player, player._player.write(state, entropy, move).entry)
            other = self.rng.choice(self._others(player.machine))
            self.figures["second entries"] += 1
            message = Carry(state.height + 1, entry)
            self.say(player.machine.key, other.key, state.table_id, [message])

    def _proved_anew(self, player: CheatingPlayer, entry: bytes) -> bytes:
        """Return an unlocking or opening with other proofs, and any other entry unchanged."""
        body = Body.decode(Entry.decode(entry).body, player.record.state.match.game.deck)
        content = body.content
        if not isinstance(content, UnlockContent | OpenContent):
            return entry
        proof = UnlockProof(Scalar.of(2), Scalar.of(self.rng.randrange(1, 9))).encode()
        again = evolve(body, content=evolve(content, proofs=tuple(proof for _ in content.proofs)))
        return Entry.sign(again.encode(), player.signer).encode()

    def misbehave(self, machine: Machine) -> None:
        """Sign continuations that others have signed, and new ones, and send them to all."""
        node = machine.node
        if node is None or not self._states:
            return
        node.news.tell()  # so that the node of a cheat whose stall is over goes on
        if "signs" not in machine.roles or self.rng.random() < 0.7:
            return
        charters = list(self._charters.values())
        with suppress(Refused):
            charters.append(self._another(machine))
        for charter in charters[-3:]:
            me = charter.player_of(machine.key)
            if me is None or me not in charter.signers:
                continue
            statement = Statement(charter, me, charter.sign(machine.identity.sign))
            self.figures["signatures of cheats"] += 1
            for other in self._others(machine):
                message = Signed(encode_statement(statement))
                self.say(machine.key, other.key, node.table_id, [message])

    def _another(self, machine: Machine) -> Charter:
        """Return a continuation from a recent state of any cheat. Raises Refused."""
        state = self.rng.choice(list(self._states.values())[-8:])
        players = [p for p, m in enumerate(state.charter.members) if m.key != machine.key]
        left = self.rng.sample(players, self.rng.randrange(1, max(2, len(players))))
        attempt = state.charter.attempt + self.rng.choice((1, 1, 2, 5, 1000))
        charter = continuation_of(state, left, attempt=attempt)
        continues = charter.continues
        assert continues is not None
        if self.rng.random() < 0.2:  # add a result that nobody has signed
            worse = evolve(continues, results=(*continues.results, *continues.results[:1]))
            return evolve(charter, continues=worse)
        return charter

    def _others(self, machine: Machine) -> list[Machine]:
        return [other for other in machine.world.machines if other is not machine]
