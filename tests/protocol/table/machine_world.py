"""A simulated node at a real table, for the scenarios in `machine/`.

The record is a round of Canasta for three players, without proofs. The node's tasks are done at
once. The effects of an event are what is shown, written to the disk, erased, computed and sent,
the end of a link, and what the node waits for.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from attrs import define, evolve, field

from engine.moves import Discard, DrawStock
from engine.sentences import Sentence
from engine.slots import Seat
from protocol.continuation import continuation_of
from protocol.entries import CloseContent, MoveContent, UnlockContent
from protocol.errors import Exposed, Refused, RemoteError
from protocol.group import ONE
from protocol.player import Player
from protocol.reducer import advance, check_equivocation
from protocol.signatures import Signer
from protocol.state import State
from protocol.table import events, tasks
from protocol.table.events import TableEvent
from protocol.table.machine import TableMachine
from protocol.table.messages import Acknowledgement, Carry
from protocol.table.own_player import OwnPlayer
from protocol.table.peers import Peers
from protocol.table.record import TableRecord
from protocol.table.tasks import Ready
from protocol.unlock import UnlockProof
from tests.protocol.played import Moment, Played, play
from tests.protocol.proofless import without_proofs
from tests.protocol.seeded import seeded
from tests.protocol.table.peers_world import NAMES, NONCE, PeersWorld, waiting

LENGTH = 80
"""The number of entries of the round."""


@cache
def a_round() -> Played:
    with without_proofs():
        return play("canasta", 3, until=lambda state: state.height >= LENGTH)


FORK = 43
"""The height of the fork: after it, Ana discards another card in a second record of the round."""


@cache
def forked() -> tuple[bytes, ...]:
    """Return the entries of the second record after the fork."""
    table, state, entries = a_round().table, a_round().moments[FORK].state, []
    view = table.players[0].view(state)
    assert view is not None
    *_, another = (move for move in view.legal_moves(Seat(0)) if isinstance(move, Discard))
    for writer, move in ((0, another), (2, DrawStock())):
        player = Player(writer, table.signers[writer], dict(table.players[writer]._locks))
        entries.append(player.write(state, seeded("fork"), move).entry)
        state = advance(state, entries[-1])
    return tuple(entries)


TWICE = 46
"""The height of the unlocking that Bruno signs twice, as a cheat. Ana's unlocking follows it."""


@cache
def unlocked_again() -> tuple[bytes, ...]:
    """Return another unlocking by Bruno, with another proof, and Ana's unlocking after it."""
    moment, table = a_round().moments[TWICE - 1], a_round().table
    content = moment.the(UnlockContent)
    other = moment.signed(evolve(content, proofs=(UnlockProof(ONE, ONE + ONE).encode(),)))
    ana = Player(0, table.signers[0], dict(table.players[0]._locks))
    return other, ana.write(advance(moment.state, other), seeded("again")).entry


def record_of(me: int, moments: Sequence[Moment]) -> TableRecord:
    """Return a player's record up to the last of these moments."""
    start = moments[0].state
    record = TableRecord(me, start.charter.key_of(me), start)
    for before, after in pairwise(moments):
        record.take(after.state, before.entry)
    return record


def table_machine(
    record: TableRecord, sign: Signer, *, is_fresh: bool = False
) -> TableMachine[Any]:
    """Return the machine of the table with that record, at the node of its player."""
    peers = Peers[Any](record.chain, record.me, sign, NONCE)
    return TableMachine(record, OwnPlayer(record, sign), peers, is_fresh=is_fresh)


@define
class MachineWorld(PeersWorld):
    """The node of a player, at the time `now`."""

    machine: TableMachine[str] = field(init=False)
    moments: tuple[Moment, ...] = field(factory=lambda: a_round().moments)
    _is_news: bool = False

    # -- events

    def _begin(self, name: str, length: str, *how: str) -> Iterator[str]:
        """Start a player's node with `length` entries; `how` can be fresh, doubtful or lockless."""
        me, table = NAMES.index(name), a_round().table
        record = record_of(me, self.moments[: int(length) + 1])
        self.machine = table_machine(record, table.signers[me], is_fresh="fresh" in how)
        self.chain, self.peers = record.chain, self.machine.peers
        locks = {} if "lockless" in how else dict(table.players[me]._locks)
        self.machine.player._player = Player(me, table.signers[me], locks)
        self.machine.resync.doubtful = "doubtful" in how
        yield from self._handle(events.Restored())
        yield from self._handle(events.Started())

    def _choose(self) -> Iterator[str]:
        """Choose the move that was played in the round."""
        moment = self.moments[self.machine.record.height]
        try:
            self.machine.player.choose(moment.the(MoveContent).move)
        except Refused as error:
            yield f"refused: {error}"

    def _without(self, name: str) -> Iterator[str]:
        """Tell the points of the round, if the others end the match now without that player."""
        state = self.machine.record.state
        continues = continuation_of(state, [NAMES.index(name)], attempt=1).continues
        assert continues is not None
        ((*points,),) = continues.results
        players = zip(map(NAMES.__getitem__, state.match.seating), points, strict=True)
        yield f"the round counts: {', '.join(f'{one} {many}' for one, many in players)}"

    def _write(self) -> Iterator[str]:
        if not self.machine.can_write:
            yield "nothing to write"
            return
        yield from self._handle(events.Due())

    def _contradiction(self, name: str) -> Iterator[str]:
        """Let the node learn that two signatures of player `name` contradict each other."""
        key = self.chain.charter.members[NAMES.index(name)].key
        two = Sentence("They have signed two.")
        error = Exposed(NAMES.index(name), "C1", two, (b"statements",), key)
        return self._handle(events.Contradicted(error))

    def _hears(self, link: str, said: str) -> Iterator[str]:
        if not said.startswith("carry "):
            yield from super()._hears(link, said)
            return
        number, message = self._links[link], self._carry(*said.split()[1:])
        yield from self._handle(events.Heard(number, message))
        self._is_news = False
        carried = events.Carried(self._player(link), message.height, message.entry)
        try:
            yield from self._handle(carried)
        except RemoteError as error:
            yield f"the link ends: {error}"
            yield from self._unlink(link)
            return
        yield from self._handle(events.Taken(number, message.height, self._is_news))

    def _carry(self, height: str, *how: str) -> Carry:
        """Return an entry of the round, a broken copy, or another entry by the same writer."""
        moment = self.moments[int(height) - 1]
        if how == ("broken",):
            return Carry(int(height), moment.entry[:-1] + bytes([moment.entry[-1] ^ 1]))
        if how == ("forked",):
            return Carry(int(height), forked()[int(height) - FORK - 1])
        if how == ("again",):
            return Carry(int(height), unlocked_again()[int(height) - TWICE])
        if how == ("another",):
            return Carry(int(height), moment.signed(CloseContent(0, (), last=False)))
        return Carry(int(height), moment.entry)

    # -- the node

    def _handle(self, event: TableEvent[str]) -> Iterator[str]:
        ready = self.machine.handle(event, self.now)
        yield from self._told(ready)
        for what in ready.persist:
            yield f"disk: {self._kept(what)}"
            yield from self._handle(events.Persisted(what))
        if ready.erase:
            yield f"erase: {', '.join(ready.erase)}"
        if ready.compute is not None:
            yield f"compute: {self._task(ready.compute)}"
            found = self._computed(ready.compute)
            yield from self._handle(events.Computed(ready.compute, found))

    def _told(self, ready: Ready[str]) -> Iterator[str]:
        for change in ready.changes:
            if change.taken_back:
                yield f"show: back to {change.after.height}"
            else:
                assert change.before.height == change.after.height - 1
                yield f"show: {self._entry(change.after)}"
            self._is_news = True
        yield from super()._told(ready)
        resync = self.machine.resync
        waits = waiting(resync.awaited, done=self.machine._has_begun)
        if waits != self._waits and self.machine.since < float("inf"):
            self._waits = waits
            yield waits

    def _kept(self, what: tasks.Persist) -> str:
        match what:
            case tasks.Append(after, entry, secrets, is_deferred):
                ours = self.moments[after.height - 1].entry == entry
                told = self._entry(after) if ours else f"{after.height}, another one"
                synced = ", with secrets" if secrets else ""
                how = "in memory" if is_deferred else "synced" if secrets is not None else "written"
                return f"{told}, {how}{synced}"
            case tasks.TakeOther(fork, steps):
                others = ", ".join(self._entry(after) for after, _ in steps)
                return f"{others} in the place of what came after {fork.height}"
            case tasks.Evidence(error):
                return f"{NAMES[error.player]} is exposed ({error.cause})"
            case tasks.Begin(doubt):
                return f"begins to write{', in doubt no more' * doubt}"

    def _task(self, task: tasks.Compute) -> str:
        match task:
            case tasks.JudgeEntry(before, _, is_brief, shuffles_on, of=member):
                how = ", and make this node's own shuffle meanwhile" if shuffles_on else ""
                how += "" if member is None else f", in {NAMES[member]}'s record"
                return f"judge {before.height + 1} {'at once' if is_brief else 'in a thread'}{how}"
            case tasks.CompareEntry(height):
                return f"compare {height}"
            case tasks.WriteEntry(before, is_brief):
                return f"write {before.height + 1} {'at once' if is_brief else 'in a thread'}"

    def _computed(self, task: tasks.Compute) -> State | tasks.Written | RemoteError | None:
        try:
            match task:
                case tasks.JudgeEntry(before, entry):
                    return advance(before, entry, later=[])
                case tasks.CompareEntry(height, entry):
                    ours = self.machine.record.chain.recent[height]
                    if entry != ours:
                        check_equivocation(self.chain.charter, ours, entry)
                    return None
                case tasks.WriteEntry(before):
                    own = self.machine.player.write(seeded("machine"), map)
                    after = advance(before, own.entry, is_own=True)
                    return tasks.Written(after, own.entry, own.secrets)
        except RemoteError as error:
            return error

    def _entry(self, after: State) -> str:
        body = after.last
        assert body is not None
        content = body.content
        kind = type(content.move).__name__ if isinstance(content, MoveContent) else content.kind
        other = "" if after.head == self.moments[after.height].state.head else ", another one"
        return f"{after.height} ({kind.lower()} by {NAMES[body.writer]}{other})"

    def _look(self) -> Iterator[str]:
        yield from ()

    def _acknowledged(self, name: str, said: str) -> Acknowledgement:
        height, *apart = said.split(" ", 1)
        state = self.moments[int(height)].state if int(height) < LENGTH else None
        head = state.head if state is not None and not apart else bytes(32)
        signer = a_round().table.signers[NAMES.index(name)]
        return Acknowledgement.make(self.chain.table_id, int(height), head, signer)
