"""The lobby of a table that this player hosts, with bots in some seats."""

import os
from collections.abc import Sequence
from functools import partial
from itertools import count

import trio
from attrs import define, evolve, field, frozen

from client.i18n.language import _
from client.i18n.sentences import said
from client.session.bot_names import bot_name
from client.session.display.lobby_interface import (
    Action,
    LetIn,
    Lobby,
    LobbyDecision,
    LobbySnapshot,
    SendAway,
)
from client.session.network_node import NetworkNode
from client.session.run_until_signal import at_a_signal
from client.session.seated_bots import SeatedBots, seat
from engine.game import Game
from engine.sentences import Sentence
from p2p.background_task import beside
from p2p.discovery.address_book import is_for_others, place_text
from p2p.discovery.beacon import tag_of
from p2p.discovery.beacons import NoBeacon
from p2p.lobby.client_callbacks import LobbyCallbacks
from p2p.lobby.host import Host
from p2p.rate_limit import RateLimit
from p2p.refusals import Reason, Refusal
from p2p.storage.known_players import KnownPlayers
from p2p.storage.memberships import Membership
from p2p.transport.lobby_messages import LobbyState, Terms
from protocol.errors import Refused, RemoteError
from protocol.names import MAX_WIDTH, clean_name
from protocol.words_for_keys import words


def usual_title(game: Game, mark: bytes) -> str:
    """Return the usual title of a table: its game, and a word that differs from table to table.

    The title does not name the host, because everybody on the network can read it.
    """
    return clean_name(f"{game.title} {words(mark, 1)[0]}"[:MAX_WIDTH])


@frozen
class Admission:
    """The rules of who may sit down at a hosted table, and where.

    If a person hosts, strangers must knock, unless `everybody` may sit down.
    """

    opponents: int = 0
    """The number of bots."""
    known_only: bool = False
    """True to admit only players met before."""
    everybody: bool = False
    only: frozenset[bytes] | None = None
    """For a rematch, the only keys that may sit down."""
    former: bytes = b""
    """For a rematch, the id of the last match, by which its players find the new table."""
    order: Sequence[bytes] = ()
    """The keys of guests, in the order in which they are to sit."""


@define
class _BotSeat:
    """A bot's seat; `key` is None until the bot is open."""

    name: str
    key: bytes | None = None
    scope: trio.CancelScope = field(factory=trio.CancelScope)


@define(eq=False)
class HostedLobby(Lobby):
    """The lobby as the host sees it."""

    local: NetworkNode
    seated_bots: SeatedBots
    name: str
    terms: Terms
    admission: Admission
    ready: bool
    _host: Host = field(init=False)
    _wanted: int = field(init=False)
    _own: dict[int, _BotSeat] = field(factory=dict, init=False)
    _refusals_told: RateLimit = field(factory=partial(RateLimit, burst=5, rate=0.05), init=False)
    _nursery: trio.Nursery | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self._host = Host(
            self.local.endpoint,
            self.local.journal,
            self.name,
            self.terms,
            os.urandom,
            LobbyCallbacks(
                self._seated,
                self._objection,
                on_refused=self._refused,
                sits_at_once=self._sits_at_once,
            ),
            self.ready,
            self.admission.order,
            attended=not self.ready,
        )
        self._wanted = self.admission.opponents
        self._tell(self.local.trouble)

    @property
    def title(self) -> str:
        return self.terms.title

    @property
    def snapshot(self) -> LobbySnapshot:
        port = self.local.endpoint.port
        return LobbySnapshot(
            me=self.local.identity.public,
            hosting=True,
            lobby_state=self._host.lobby_state,
            addresses=tuple(
                place_text(host, port) for host in self.local.addresses.now() if is_for_others(host)
            ),
            opponents=self._own_keys,
            news=self._news,
            known=frozenset(peer.key for peer in self.local.journal.peers()),
        )

    def decide(self, decision: LobbyDecision) -> None:
        match decision:
            case Action.READY | Action.WAIT:
                self._host.set_ready(decision is Action.READY)
            case Action.ADD_OPPONENT if self._host.lobby_state.free:
                self._seat_another()
            case LetIn(keys):
                for key in keys:
                    self._host.admit(key)
            case Action.SEND_OPPONENT_AWAY if self._own:
                # During an attempt to begin the match, the end of the bot's link would count as
                # misconduct. So that attempt is broken off first.
                self._host.break_off()
                self._own[max(self._own)].scope.cancel()
            case SendAway(key) if key not in self._own_keys:
                self._host.turn_away(key)

    async def run(self) -> Membership:
        memberships: list[Membership] = []

        async def lobby(*, task_status: trio.TaskStatus[None]) -> None:
            memberships.append(await self._host.run(task_status=task_status))

        with at_a_signal(self._host.close):
            async with beside(self._announce), trio.open_nursery() as self._nursery:
                await self._nursery.start(lobby)
                for _number in range(self._wanted):
                    self._seat_another()
        return memberships[0]

    # -- bots

    @property
    def _own_keys(self) -> frozenset[bytes]:
        return frozenset(seat.key for seat in self._own.values() if seat.key is not None)

    @property
    def _names(self) -> tuple[str, ...]:
        """Return the names that are taken: of players, of those who knock, and of bots."""
        state = self._host.lobby_state
        knocking = (player.name for player in state.knocking)
        return (*state.names, *knocking, *(seat.name for seat in self._own.values()))

    def _seat_another(self) -> None:
        if self._nursery is not None:
            # The lowest free number: if bot 1 was sent away, its identity sits down again before a
            # new one is made.
            number = next(number for number in count(1) if number not in self._own)
            self._own[number] = _BotSeat(bot_name(self._names))
            self._nursery.start_soon(self._seat_bot, number)

    async def _seat_bot(self, number: int) -> None:
        """Keep bot `number` in its seat, until the match begins or the bot is sent away."""
        own = self._own[number]
        with own.scope:
            bot = await self.seated_bots.bot(number)
            own.key = bot.identity.public
            try:
                await seat(bot, self.local.endpoint.port, own.name)
            except (RemoteError, Refused) as error:
                if not self._host.closed:
                    self._tell(said(error))
                del self._own[number]
        # A bot that was sent away leaves `seat` by the cancellation, which the handler above does
        # not catch.
        if own.scope.cancelled_caught:
            del self._own[number]
            self._wake()

    # -- who comes

    def _seated(self, _lobby_state: LobbyState) -> None:
        self._wake()

    def _refused(self, name: str, sentence: Sentence) -> None:
        """Tell of a refused guest, within a rate limit, because a caller can use many names."""
        if self._refusals_told.spend():
            template = _("!! “{name}” was refused: {sentence}")
            self._tell(template.format(name=name, sentence=said(sentence)))

    def _objection(self, key: bytes, name: str) -> Refusal | None:
        if key in self._own_keys:
            return None
        only = self.admission.only
        if only is not None and key not in only:
            return Refusal.of(Reason.KEPT_FOR_REMATCH)
        known = KnownPlayers(self.local.journal, self.admission.known_only)
        return known.objection(key, name)

    def _sits_at_once(self, key: bytes, suspect: bool) -> bool:
        """Return True for a player who need not knock.

        Own bots and known players need not, and nobody need at a rematch. Strangers must knock if a
        person is there to let them in, unless `everybody` may sit down. A `suspect` stranger must
        always knock.
        """
        if self.admission.only is not None or key in self._own_keys:
            return True
        if KnownPlayers(self.local.journal).knows(key):
            return True
        return (self.ready or self.admission.everybody) and not suspect

    async def _announce(self) -> None:
        """Announce the table; without title, game and seats if only chosen players may sit down."""
        terms = self.terms
        former = self.admission.former
        keys = (self.local.identity.public, self.local.announcer.public)
        tag = tag_of(former, *keys) if former else ""
        about = partial(evolve, self.local.beacon(), tag=tag)
        if self.admission.only is None:
            about = partial(about, table=terms.title, game=terms.game.name, seats=terms.seats)
            about = partial(about, spectators=terms.spectators)
        try:
            while True:
                # Announcing takes a moment. So the event is read first: a change meanwhile sets it,
                # and is announced next.
                changed = self._changed
                await self.local.announce(about(free=self._host.lobby_state.free))
                await changed.wait()
        except NoBeacon as error:
            self._tell(said(error))
