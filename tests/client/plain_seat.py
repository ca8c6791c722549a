"""A seat at a table without nodes: the plain dealer deals, and choosers play the other seats.

The seat implements `client.session.display.node_interface.NodeAtSeat`: the client cannot tell it
from a node.
"""

import random
from collections.abc import AsyncIterator, Callable, Iterable

import trio
from attrs import define, evolve, field, fields

from client.session.display.snapshot import LogLine, Snapshot
from engine.games import game_named
from engine.moves import Move
from engine.plain_dealer import PlainDealer
from engine.position import Position
from engine.sentences import Sentence
from p2p.match.table_status import Candidate, TableStatus
from p2p.table.node_updates import Awaited
from p2p.transport.spectator_messages import Spectator
from protocol.charter import Charter, Member
from protocol.entries import Body, CloseContent, Content, MoveContent, UnlockContent
from protocol.errors import Exposed, Refused
from protocol.match.messages import Wish, WishKind
from protocol.match.negotiation import Offered
from protocol.place import Place
from protocol.state import State
from protocol.table.tasks import Change
from tests.engine.positions import Table

NAMES = ("Ana", "Bruno", "Carla", "Diego", "Elena", "Fermín")

Choose = Callable[[Position], Move]


def state_of(
    game: str, players: int, names: tuple[str, ...] = NAMES, **options: bool | int
) -> State:
    """Return the state of a new table, before the shuffle for the draw of seats."""
    rules = game_named(game)
    members = tuple(
        Member(bytes([number]) * 32, name, bytes(32))
        for number, name in enumerate(names[:players], start=1)
    )
    return State.start(Charter(rules, rules.options.from_pairs(options.items()), members))


@define
class PlainSeat:
    """The seat of player `me`. The other players act at once when something is due from them."""

    state: State
    me: int
    others: Choose
    dealer: PlainDealer
    exposed: Exposed | None = None
    left_out: bool = False
    awaited: Awaited | None = None
    unreached: frozenset[int] = frozenset()
    grace_left: float = 0.0
    missing: frozenset[int] = frozenset()
    exposed_players: frozenset[int] = frozenset()
    stuck: bool = False
    wishes: dict[int, Wish] = field(factory=dict)
    proposal: Offered | None = None
    accepted: frozenset[int] = frozenset()
    wished: list[Wish | None] = field(factory=list)
    given_up: bool = False
    progress: trio.Event = field(factory=trio.Event)
    trouble: Sentence | None = None
    candidates: tuple[Candidate, ...] = ()
    spectators: tuple[Spectator, ...] = ()
    barred: dict[bytes, int] = field(factory=dict)
    kept: tuple[bytes, ...] = ()
    past: tuple[Change, ...] = ()
    watchers: list[trio.MemorySendChannel[Change]] = field(factory=list)

    @classmethod
    def sit(
        cls,
        game: str,
        players: int,
        others: Choose,
        *,
        seed: int = 1,
        me: int = 0,
        **options: bool | int,
    ) -> "PlainSeat":
        """Return a seat at a table whose cards are shuffled from `seed`; `run` begins the play."""
        dealer = PlainDealer(random.Random(seed).shuffle)
        return cls(state_of(game, players, NAMES, **options), me, others, dealer)

    # -- the interface of the client

    @property
    def view(self) -> Position | None:
        round_ = self.state.match.round
        if round_ is None or round_.orders:
            return round_
        return self.dealer.view(round_, self.state.match.seat_of(self.me))

    @property
    def chooses(self) -> bool:
        return self.state.match.mover == self.me

    @property
    def status(self) -> TableStatus:
        told = {name: getattr(self, name) for name in _TOLD}
        return TableStatus(
            self.state, self.view, chooses=self.chooses, absent=self.unreached, **told
        )

    async def play(self, move: Move) -> None:
        await trio.lowlevel.checkpoint()
        if not self.chooses:
            raise Refused("It is not your turn.")
        self._move(move)
        self.run()

    def wish(self, wish: Wish) -> None:
        if wish.kind is not WishKind.WAIT and not self.missing:
            raise Refused("Nobody is missing, so there is nobody to go on without.")
        self.wishes[self.me] = wish
        self.wished.append(wish)

    def join_proposal(self) -> None:
        self.wished.append(None)

    def give_up(self) -> None:
        self.given_up = True

    def bar_spectator(self, key: bytes) -> None:
        self.barred[key] = self.me
        self.spectators = tuple(one for one in self.spectators if one.key != key)

    def barred_by(self, key: bytes) -> int | None:
        return self.barred.get(key)

    def changes(self) -> AsyncIterator[Change]:
        sender, receiver = trio.open_memory_channel[Change](100_000)
        self.watchers.append(sender)
        return receiver

    def record(self) -> Iterable[bytes]:
        return self.kept

    # -- the moves of the others

    def run(self) -> None:
        """Run until the table waits for `me`, or the match is over."""
        while not self.chooses:
            if self.state.match.over:
                for watcher in self.watchers:
                    watcher.close()
                return
            self.step(self.others)

    def step(self, choose: Choose) -> None:
        """Do the next step at the table; `choose` chooses the move if one is due."""
        match = self.state.match
        if match.orders:
            self._advance(evolve(self.state, match=self.dealer.fulfil(match)), None)
        elif match.round_over:
            assert match.round is not None
            assert match.round.sheet is not None
            closed, points = match.close_round(), match.round.sheet.totals
            content = CloseContent(match.round_number, points, closed.over)
            self._advance(evolve(self.state, match=closed), content)
        else:
            assert match.round is not None
            self._move(choose(self.dealer.view(match.round, match.round.moving_seat)))

    def _move(self, move: Move) -> None:
        match = self.state.match.apply(move)
        self._advance(evolve(self.state, match=match), MoveContent(move, ()))
        if match.orders:
            self._advance(evolve(self.state, match=self.dealer.fulfil(match)), None)

    def _advance(self, after: State, content: Content | None) -> None:
        before = self.state
        place = Place(before.table_id, before.height + 1, before.head)
        writer = before.match.mover or 0
        body = Body(place, writer, content or UnlockContent((), (), ()))
        writers = () if after.match.mover is None else (after.match.mover,)
        height = before.height + 1
        head = height.to_bytes(32)
        self.state = evolve(after, height=height, head=head, last=body, writers=writers)
        for watcher in self.watchers:
            watcher.send_nowait(Change(before, self.state))


_TOLD = {one.name for one in fields(PlainSeat)} & {one.name for one in fields(TableStatus)} - {
    "state"
}
"""Names of the attributes that the status of a seat takes over unchanged."""


def snapshot_of(seat: PlainSeat) -> Snapshot:
    """Return the present view of the player at a seat."""
    return Snapshot(seat.state, seat.view, seat.me, chooses=seat.chooses)


def log_line(text: str) -> LogLine:
    """Return a line of the log; "Bruno: draws" is an action of Bruno."""
    who, colon, told = text.partition(": ")
    return LogLine(told, who) if colon else LogLine(text)


def snapshot_at(
    game: str, table: Table, *, me: int = 0, log: tuple[str, ...] = (), **options: bool | int
) -> Snapshot:
    """Return the view that player `me` has of a position; player i sits at seat i."""
    position = table.position
    state = state_of(game, position.seats, NAMES, **options)
    match = evolve(
        state.match,
        round=position,
        seating=tuple(range(position.seats)),
        totals=position.totals,
        dealer=position.dealer,
    )
    writers = () if match.mover is None else (match.mover,)
    own = [table.cards[slot] for slot in position.hands[me]]
    return Snapshot(
        state=evolve(state, match=match, writers=writers),
        view=position.seen(own),
        me=me,
        chooses=match.mover == me,
        log=tuple(map(log_line, log)),
        said=len(log),
    )
