"""One player of `bench table`, in a process of its own: sits down, plays, and reports."""

import logging
import os
import random
import time
from contextlib import nullcontext
from multiprocessing.connection import Connection
from pathlib import Path

import trio
from attrs import define, field, frozen

from engine.games import game_named
from engine.moves import Discard, DrawStock, Move
from engine.position import Position
from p2p.background_task import beside
from p2p.discovery.interfaces import LOOPBACK
from p2p.lobby.client_callbacks import LobbyCallbacks
from p2p.lobby.guest import Guest
from p2p.lobby.host import Host
from p2p.match.match_node import MatchNode
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.transport.endpoint import Endpoint
from p2p.transport.lobby_messages import LobbyState, Terms
from tests.bench.delayed_stream import delayed
from tests.bench.drawn_screen import DrawnScreen
from tests.bench.process_memory import proportional_megabytes, resident_megabytes

GAME = "canasta"
_DRAW = "d"  # the key of the command


@frozen
class Assignment:
    """The task of one process: play as player `number` of `players` for `turns` turns."""

    number: int
    players: int
    turns: int
    delay: float
    """Delay of a link in seconds, one way."""
    rest: float
    """Seconds before each key."""
    seed: int
    """Seed of the choices."""
    has_screen: bool


@define
class Observed:
    """The observations of one node. Times are seconds of a clock that all processes share."""

    number: int
    ready: float = 0.0
    """Time when all players were ready."""
    cut: float = 0.0
    """Time when the first move was due."""
    dealt: float = 0.0
    """Time when the first turn began."""
    draws: list[tuple[float, float]] = field(factory=list)
    """For each draw, the time of the key and the time when the node had the card."""
    drawn: list[tuple[float, float]] = field(factory=list)
    """For each draw, the time of the key and the time when the screen, if any, showed the card."""
    discards: dict[int, float] = field(factory=dict)
    """Time of the key for each discard, by the height of its entry."""
    seen: dict[int, float] = field(factory=dict)
    """Time when each entry arrived, by height."""
    processor: float = 0.0
    """Seconds of the processor during the turns."""
    screen: float = 0.0
    """Seconds of the processor for the screen; `processor` includes them."""
    memory: float = 0.0
    """Megabytes of the process at the end."""
    memory_share: float = 0.0
    """Megabytes at the end, with shared pages divided among the processes that have them."""


def play_in_process(pipe: Connection, assignment: Assignment, folder: Path) -> None:
    """Play in this process, and talk to its parent over `pipe`.

    The order of messages is: send the own port, receive the host's port, send the observations,
    receive the permission to end.
    """
    logging.disable()
    trio.run(_play, assignment, folder, pipe)


async def _play(assignment: Assignment, folder: Path, pipe: Connection) -> None:
    identity = Identity.load_or_create(folder)
    with Journal.open(folder / JOURNAL_FILE) as journal:
        async with delayed(assignment.delay) as open_stream, trio.open_nursery() as nursery:
            endpoint = Endpoint(identity, open_stream=open_stream)
            listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
            port: int = listeners[0].socket.getsockname()[1]
            await nursery.start(endpoint.serve, listeners, port)
            membership, ready = await _sit_down(assignment, endpoint, journal, pipe)
            node = MatchNode(endpoint, journal, membership)
            await node.restore()
            observed = Observed(assignment.number, ready)
            with DrawnScreen.of(node) if assignment.has_screen else nullcontext() as screen:
                player = _Player(assignment, node, observed, screen)
                async with beside(node.run), beside(screen.run if screen else trio.sleep_forever):
                    await player.play()
                    pipe.send(observed)
                    await _received(pipe)
            nursery.cancel_scope.cancel()


async def _sit_down(
    assignment: Assignment, endpoint: Endpoint, journal: Journal, pipe: Connection
) -> tuple[Membership, float]:
    """Return the membership, and the time when this player was ready if they are the last guest.

    The last guest is ready when all seats are taken; all others are ready before, and return 0.
    """
    name = f"Player {assignment.number + 1}"
    rules = game_named(GAME)
    if assignment.number == 0:
        terms = Terms("Bench", rules, rules.options(rounds=1), assignment.players)
        host = Host(endpoint, journal, name, terms, os.urandom)
        memberships: list[Membership] = []

        async def run(*, task_status: trio.TaskStatus[None]) -> None:
            memberships.append(await host.run(task_status=task_status))

        async with trio.open_nursery() as nursery:
            await nursery.start(run)
            pipe.send(endpoint.port)
            await _received(pipe)
        return memberships[0], 0.0
    pipe.send(endpoint.port)
    port: int = await _received(pipe)
    last = assignment.number == assignment.players - 1
    ready = 0.0

    def on_lobby_state(state: LobbyState) -> None:
        nonlocal ready
        if last and not state.free and not ready:
            ready = time.perf_counter()
            guest.set_ready(True)

    callbacks = LobbyCallbacks(on_lobby_state)
    guest = Guest(endpoint, journal, name, os.urandom, callbacks, ready=not last)
    return await guest.sit_down(LOOPBACK, port), ready


async def _received(pipe: Connection) -> int:
    """Return the parent's next message."""
    answer: int = await trio.to_thread.run_sync(pipe.recv, abandon_on_cancel=True)
    return answer


@define
class _Player:
    """A player who draws and discards, and notes the times."""

    _assignment: Assignment
    _node: MatchNode
    observed: Observed
    _screen: DrawnScreen | None
    _rng: random.Random = field(init=False)
    _processor: float = 0.0
    _drawing: tuple[float, int] | None = None
    """The time of the key, and the number of cards in the hand before."""
    _heights: list[int] = field(factory=list)
    """The heights at which the drawn cards arrived."""

    def __attrs_post_init__(self) -> None:
        self._rng = random.Random(self._assignment.seed)

    async def play(self) -> None:
        """Play until `turns` turns are over."""
        changes = self._node.changes()
        discards, moved_at = 0, -1
        async with trio.open_nursery() as nursery:
            while discards < self._assignment.turns and not self._node.over:
                if self._moves and self._node.height > moved_at:
                    moved_at = self._node.height
                    nursery.start_soon(self._move, _chosen(self._node, self._rng))
                    await trio.sleep(0)
                change = await anext(changes)
                now = time.perf_counter()
                self.observed.seen[change.after.height] = now
                last = change.after.last
                self._note_phase(now)
                self._note_draw(now)
                if last is not None and isinstance(getattr(last.content, "move", None), Discard):
                    discards += 1
            nursery.cancel_scope.cancel()
        self.observed.processor = time.process_time() - self._processor
        if self._screen is not None:
            for (begun, _known), height in zip(self.observed.draws, self._heights, strict=True):
                await self._screen.shown(height)
                self.observed.drawn.append((begun, self._screen.when_shown(height)))
            self.observed.screen = self._screen.busy
        self.observed.memory = resident_megabytes()
        self.observed.memory_share = proportional_megabytes()

    @property
    def _moves(self) -> bool:
        """True if the player must move now; a screen, if any, makes forced moves itself."""
        view = self._node.view
        is_free = self._screen is None or view is None or view.duty is None
        return self._node.chooses and is_free

    def _note_phase(self, now: float) -> None:
        match = self._node.state.match
        if match.mover is not None and not self.observed.cut:
            self.observed.cut = now
        round_ = match.round
        if (
            round_ is not None
            and not self.observed.dealt
            and DrawStock in map(type, round_.candidates())
        ):
            self.observed.dealt = now
            if self._screen is not None:
                self._screen.reset()
            self._processor = time.process_time()

    def _note_draw(self, now: float) -> None:
        view = self._node.view
        if self._drawing is None or view is None or view.orders:
            return
        begun, cards = self._drawing
        if len(_hand(self._node, view)) > cards:
            self.observed.draws.append((begun, now))
            self._heights.append(self._node.height)
            self._drawing = None

    async def _move(self, move: Move) -> None:
        view = self._node.view
        assert view is not None
        draws = isinstance(move, DrawStock)
        if self._screen is not None:
            await self._screen.shown(self._node.height)
        await trio.sleep(self._assignment.rest)
        now = time.perf_counter()
        if draws:
            self._drawing = (now, len(_hand(self._node, view)))
        elif isinstance(move, Discard):
            self.observed.discards[self._node.height + 1] = now
        if draws and self._screen is not None:
            self._screen.press(_DRAW)
        else:
            await self._node.play(move)


def _hand(node: MatchNode, view: Position) -> frozenset[object]:
    return frozenset(view.hands[node.state.match.seat_of(node.me)])


def _chosen(node: MatchNode, rng: random.Random) -> Move:
    """Return a draw or a discard if one is allowed, otherwise any legal move."""
    view = node.view
    assert view is not None
    moves = [move for move in view.candidates() if view.allows(move)]
    for kind in (DrawStock, Discard):
        if plain := [move for move in moves if isinstance(move, kind)]:
            return rng.choice(plain)
    return rng.choice(moves)
