"""One table that a person watches, from the first link to the audit of what they saw."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import NoReturn

import trio
from attrs import define, field, frozen

from client.i18n.language import _
from client.i18n.sentences import said
from client.session.call_retries import CallingAgain, Meanwhile
from client.session.display.node_interface import NodeAtSeat, QuietSeat
from client.session.joined_lobby import Target, first_to_answer
from client.session.network_node import NetworkNode
from engine.moves import Move
from engine.sentences import N_, SentenceError
from p2p.lobby.guest import check_announced
from p2p.match.followed_match import FollowedMatch
from p2p.match.table_status import TableStatus
from p2p.refusals import Reason
from p2p.table.asides import Asides
from p2p.transport.endpoint import LOBBY, Declined
from p2p.transport.frames import LinkClosed, LinkError, LinkStalled
from protocol.audit import Auditor, Finding, Verdict
from protocol.errors import Refused, RemoteError
from protocol.state import State
from protocol.table.tasks import Change

Find = Callable[[NetworkNode], Awaitable[Sequence[Target]]]
"""Function that looks up where the table may be now. Raises LinkError."""

Tell = Callable[[str], None]

Reach = Callable[[Tell], Awaitable[bool]]
"""Function that waits until a table can be seen, and returns False if that is impossible.

The argument is a function that tells the person why it takes long.
"""

ShowReaching = Callable[[Reach], Awaitable[bool]]
"""Function that carries out a `Reach`, and shows why it takes long.

It returns the result of the `Reach`, or False if the person does not wait. It raises what the
`Reach` raises.
"""

ShowTable = Callable[[NodeAtSeat, Asides], Awaitable[None]]
"""Function that shows a table, and what its members say, until the person leaves."""

_MEANWHILE = Meanwhile(
    busy=N_("The program of that player is busy: yours tries again by itself."),
    broken=N_("The link to the table has broken: the program tries again by itself."),
    queue={
        Reason.NOT_BEGUN: N_(
            "The match at that table has not begun: the program tries again by itself."
        ),
        Reason.ENOUGH_SPECTATORS: N_(
            "All places for spectators at that table are taken: the program tries again by itself."
        ),
        Reason.TOO_MANY_CAME: N_(
            "Too many strangers have come to watch there lately: the program tries again by itself."
        ),
    },
    queue_seconds=5.0,
)


@frozen
class SpectatorSeat(QuietSeat):
    """A `client.session.display.node_interface.NodeAtSeat` of a spectator: all hands are closed."""

    table: FollowedMatch

    @property
    def progress(self) -> trio.Event:
        return self.table.progress

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def status(self) -> TableStatus:
        table = self.table
        return TableStatus(
            state=table.state,
            view=table.state.match.round,
            exposed=table.exposed,
            spectators=table.spectators,
        )

    @property
    def past(self) -> Sequence[Change]:
        return self.table.past

    def changes(self) -> AsyncIterator[Change]:
        return self.table.changes()

    def record(self) -> Iterator[bytes]:
        return self.table.record()

    async def play(self, _move: Move) -> NoReturn:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise Refused("A spectator only looks on.")


@define(eq=False)
class WatchedTable:
    """One table that a person watches.

    If all places for spectators are taken, or a link breaks, the program calls again by itself.
    `failure` is the reason why the table cannot be watched any more.
    """

    local: NetworkNode
    table: FollowedMatch
    find: Find
    failure: SentenceError | None = field(default=None, init=False)
    _calling: CallingAgain = field(factory=partial(CallingAgain, _MEANWHILE), init=False)
    _tell: Tell = field(default=lambda _line: None, init=False)
    _at: Target | None = field(default=None, init=False)

    async def show(self, show_reaching: ShowReaching, show_table: ShowTable) -> None:
        """Show the table until the person leaves.

        Raises LinkError or RemoteError if the table cannot be watched, and nothing of it was seen.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._follow)
            if await show_reaching(self._reach):
                await show_table(SpectatorSeat(self.table), self.table.asides)
            nursery.cancel_scope.cancel()
        if self.failure is not None and not self.table.begun:
            raise self.failure

    async def _reach(self, tell: Tell) -> bool:
        """Wait until the table can be seen; return False if that has become impossible."""
        self._tell = tell
        while not self.table.begun and self.failure is None:
            await self.table.progress.wait()
        return self.table.begun

    async def _follow(self) -> None:
        """Keep a link to a node of the table until the table's record is at its end."""
        while not self.table.over:
            try:
                await self._follow_once()
            except LinkError as error:
                if not self._tries_again(error):
                    self.failure = error
                    break
                if not self.table.begun:
                    self._tell(self._calling.sentence(error))
                await self._calling.pause(error)
            except RemoteError as error:
                self.failure = error
                break
        self.table.close()

    def _tries_again(self, error: LinkError) -> bool:
        """Return True if watching may succeed later."""
        if self.table.begun and isinstance(error, LinkClosed | LinkStalled):
            self._calling.answered()
        if isinstance(error, Declined) and error.reason == Reason.NOT_BEGUN:
            self._calling.answered()  # so that NO_TABLE, between lobby and match, is not final
        is_away = self.table.begun and not isinstance(error, Declined)
        return is_away or self._calling.may_help(error)

    async def _follow_once(self) -> None:
        """Follow the first target that answers. Raises as `FollowedMatch.follow` and `find` do."""
        await first_to_answer(await self._targets(), self._follow_at)

    async def _follow_at(self, target: Target, hosts: Sequence[str]) -> None:
        async with self.local.endpoint.dial(hosts, target.port, LOBBY, expect=target.key) as link:
            if target.announced_by is not None:
                await check_announced(link, target.announced_by)
            self._at = Target((link.address,), target.port, link.peer)
            await self.table.follow(link)

    async def _targets(self) -> Sequence[Target]:
        """Return the node that was followed last, if any, and then those that `find` returns."""
        if self._at is None:
            return await self.find(self.local)
        try:
            return (self._at, *await self.find(self.local))
        except LinkError:  # the table is not announced any more
            return (self._at,)

    async def conclude(self, tell: Tell) -> int:
        """Tell how watching ended, and the result of an audit of all that was shown.

        Return the exit code: 1 if somebody has cheated, or if watching ended in an error.
        """
        if self.failure is not None:
            tell(said(self.failure))
        if not self.table.begun:
            return 0
        finding = await trio.to_thread.run_sync(self._audit)
        if finding.verdict is Verdict.UNFINISHED:
            tell(_("You have left the table. The part of its record that you saw is sound."))
        else:
            tell(said(finding.sentence))
        cheated = finding.verdict in (Verdict.EXPOSED, Verdict.ILLEGAL)
        return 1 if cheated or self.failure is not None else 0

    def _audit(self) -> Finding:
        auditor = Auditor()
        for part in self.table.record():
            for _entry in auditor.feed(part):
                pass
        return auditor.finish()
