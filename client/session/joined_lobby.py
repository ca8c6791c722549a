"""The lobby of a table that another player hosts."""

import os
import random
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

from attrs import define, field, frozen

from client.i18n.language import _, with_and
from client.session.call_retries import CallingAgain, Meanwhile
from client.session.display.lobby_interface import Action, Lobby, LobbyDecision, LobbySnapshot
from client.session.network_node import NetworkNode
from engine.sentences import N_
from p2p.discovery.address_book import place_text
from p2p.fair_shares import CHANCE
from p2p.lobby.client_callbacks import LobbyCallbacks
from p2p.lobby.guest import Guest, NotAnnounced
from p2p.refusals import Reason
from p2p.storage.known_players import KnownPlayers
from p2p.storage.memberships import Membership
from p2p.transport.endpoint import Declined
from p2p.transport.frames import LinkClosed, LinkError, LinkStalled
from p2p.transport.link import Unreachable, host_choices
from p2p.transport.lobby_messages import LobbyState
from p2p.transport.tls import PeerRefused
from protocol.state import State
from protocol.words_for_keys import words

T = TypeVar("T")

_MEANWHILE = Meanwhile(
    busy=N_("The host's program is busy: yours tries again by itself."),
    broken=N_("The link to the host has broken: the program tries again by itself."),
    queue={
        Reason.TOO_MANY_KNOCK: N_(
            "Too many wait at the door of that table: the program tries again by itself."
        )
    },
)


@frozen
class Target:
    """The addresses and the port of a table."""

    hosts: tuple[str, ...]
    port: int
    key: bytes | None = None
    """The identity that the node there must have, if it is known."""
    announced_by: bytes | None = None
    """The key that signed the table's beacon, if there is a beacon.

    The node must prove that the key is its own.
    """


Find = Callable[[], Awaitable[Sequence[Target]]]
"""Function that looks up where the table may be now. Raises LinkError."""


@define(eq=False)
class JoinedLobby(Lobby):
    """The lobby as a guest sees it.

    If the name of the `host` is given, the host is about to open the table again for a rematch, and
    the program calls until the table is open. The program also calls again if too many players
    knock there, if the host is busy, or if the link breaks.
    """

    local: NetworkNode
    name: str
    find: Find
    ready: bool
    host: str = ""
    chance: random.Random = CHANCE
    _guest: Guest = field(init=False)
    _calling: CallingAgain = field(init=False)
    _lobby_state: LobbyState | None = field(default=None, init=False)
    _delay: str = field(default="", init=False)
    _candidate: bool = field(default=False, init=False)
    _addresses: tuple[str, ...] = field(default=(), init=False)

    def __attrs_post_init__(self) -> None:
        self._tell(self.local.trouble)
        self._calling = CallingAgain(_MEANWHILE, self.chance)
        self._guest = Guest(
            self.local.endpoint,
            self.local.journal,
            self.name,
            os.urandom,
            LobbyCallbacks(
                self._seated,
                KnownPlayers(self.local.journal).objection,
                self._noted,
                self._shown,
                on_withdrawn=self._withdrawn,
            ),
            self.ready,
        )

    @property
    def title(self) -> str:
        return self._lobby_state.terms.title if self._lobby_state else ""

    @property
    def snapshot(self) -> LobbySnapshot:
        return LobbySnapshot(
            me=self.local.identity.public,
            hosting=False,
            lobby_state=self._lobby_state,
            host=self.host,
            delay=self._delay,
            addresses=self._addresses,
            candidate=self._candidate,
            news=self._news,
            known=frozenset(peer.key for peer in self.local.journal.peers()),
        )

    def decide(self, decision: LobbyDecision) -> None:
        if decision in (Action.READY, Action.WAIT):
            self._guest.set_ready(decision is Action.READY)

    async def run(self) -> Membership:
        while True:
            try:
                return await self._sit_down()
            except LinkError as error:
                if self._lobby_state is not None or self._candidate:
                    self._calling.answered()
                    self._guest.set_ready(self.ready)  # the next lobby may have other terms
                if not self._tries_again(error):
                    raise
                # Python deletes `error` at the end of this block.
                failure, self._delay = error, self._calling.sentence(error)
            self._lobby_state, self._candidate = None, False
            self._wake()
            await self._calling.pause(failure)

    def _tries_again(self, error: LinkError) -> bool:
        """Return True if joining may succeed later."""
        # Once this guest has signed a charter, `Guest.sit_down` itself calls the host again.
        if self.host and _may_change(error):
            return True
        return self._guest.pending is None and self._calling.may_help(error)

    async def _sit_down(self) -> Membership:
        """Sit down at the first target that answers. Raises as `Guest.sit_down` and `find` do."""
        return await first_to_answer(await self.find(), self._sit_down_at)

    async def _sit_down_at(self, target: Target, hosts: Sequence[str]) -> Membership:
        self._addresses = tuple(place_text(host, target.port) for host in target.hosts)
        return await self._guest.sit_down(
            hosts, target.port, expect=target.key, announced_by=target.announced_by
        )

    def _seated(self, lobby_state: LobbyState) -> None:
        self._lobby_state, self._delay = lobby_state, ""
        self._wake()

    def _withdrawn(self) -> None:
        self._tell(_("The rules or the players have changed: say again that you are ready."))

    def _noted(self) -> None:
        """Tell that the table lacks a player, and has noted this guest as a candidate."""
        self._candidate = True
        own = " ".join(words(self.local.identity.public))
        self._tell(
            _("A player is missing at that table: the others decide whether you get the seat.")
        )
        self._tell(_("Tell them who you are: {words}.").format(words=own))

    def _shown(self, state: State) -> None:
        # Called with the state after each checked part of the record. The first part is the first
        # charter.
        if state.height == 0 and state.charter.continues is None:
            names = with_and(member.name for member in state.charter.members)
            self._tell(
                _("You are invited to the table of {names}. Its record is being checked …").format(
                    names=names
                )
            )


async def first_to_answer(
    targets: Iterable[Target], visit: Callable[[Target, Sequence[str]], Awaitable[T]]
) -> T:
    """Return the result of `visit` at the first target that answers.

    After Unreachable, NotAnnounced or PeerRefused the next target is tried; if none is left, the
    last of these errors is raised. Any other error of `visit` is raised immediately. Raises
    Declined if there is no target.
    """
    failure: LinkError | None = None
    for target in targets:
        for hosts in host_choices(target.hosts):
            try:
                return await visit(target, hosts)
            except Unreachable as error:
                failure = error
                # All addresses were tried at once: one of them alone will not answer either.
                if hosts == target.hosts:
                    break
            except (NotAnnounced, PeerRefused) as error:
                failure = error
    raise failure or Declined(Reason.NO_TABLE)


def _may_change(error: LinkError) -> bool:
    """Return True if the host does not answer now, or has not opened the table again yet."""
    if isinstance(error, Declined):
        return error.reason in (Reason.NO_TABLE, Reason.MATCH_NOT_OVER)
    return isinstance(error, (Unreachable, LinkClosed, LinkStalled))
