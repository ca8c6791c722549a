"""The presenter: it turns a node's changes into snapshots, and a person's decisions into moves."""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path

import trio
from attrs import define, evolve, field

from client.i18n import sentences
from client.i18n.language import _
from client.record_files import RecordError, save_record
from client.session.display import snapshot
from client.session.display.absence import LOST_SECONDS, Absence, OwnBots, absence_at
from client.session.display.aside_lines import aside_line
from client.session.display.display_interface import TableDisplay
from client.session.display.node_interface import NodeAtSeat
from client.session.display.table_history import Narrate, TableHistory
from engine.errors import IllegalMove
from engine.moves import Move
from p2p.match.table_status import TableStatus
from p2p.rate_limit import RateLimit
from p2p.storage.private_files import FolderError
from p2p.table.asides import AsideCode, Asides
from p2p.transport.spectator_messages import Spectator
from protocol.errors import Refused
from protocol.match.messages import Wish
from protocol.words_for_keys import words

_LOOK_SECONDS = 0.3
"""Longest time between two checks for players who are away."""

_MOST_AHEAD = 100
"""The maximum number of decided moves that wait, while an earlier move is made."""

_DELIVERY_SECONDS = 0.1
"""The minimum number of seconds between two snapshots while cards are unlocked.

Nobody can move then. Drawing the screen takes about as long as an unlocking, so a snapshot for each
unlocking would delay the cards.
"""

MOST_COMINGS, COMINGS_RATE = 24, 0.1
"""Rate limit of lines about people who come and go: 24 at once, and then one in ten seconds."""

LessonAt = Callable[[], snapshot.LessonNote | None]
"""Function that returns the learner's current step in a lesson."""


@define
class LostLinks:
    """Links from this machine to other players: those that were made once, and are broken now."""

    broken: dict[bytes, float] = field(factory=dict)
    """The time at which each broken link broke, by key (Trio's clock, seconds)."""
    _told: set[bytes] = field(factory=set)
    _had: set[bytes] = field(factory=set)

    def look(
        self, linked: Collection[bytes], unreached: Collection[bytes], now: float
    ) -> tuple[list[bytes], list[bytes]]:
        """Return the keys of links that are newly lost, and of lost links that are back.

        A link counts as lost when it has been broken for `LOST_SECONDS`.
        """
        self._had.update(linked)
        # A link that was never made is not broken. A link that is still broken keeps the time at
        # which it was first found broken.
        self.broken = {key: self.broken.get(key, now) for key in unreached if key in self._had}
        lost = [key for key, since in self.broken.items() if now >= since + LOST_SECONDS]
        news = [key for key in lost if key not in self._told]
        back = [key for key in self._told if key in linked]
        self._told = self._told.union(news).difference(back)
        return news, back


@define
class Presenter:
    """The presenter that shows the table of a seat on a display, until the seat's node stops."""

    seat: NodeAtSeat
    display: TableDisplay
    narrate: Narrate
    own_bots: OwnBots | None = None
    """Returns the bots of this program. None in a lesson, at a table of one person and bots, and
    for a spectator: the snapshots there have no `absence`.
    """
    asides: Asides | None = None
    """The asides of the table; None if there is nobody to talk to."""
    watching: bool = False
    """True if the display belongs to a spectator."""
    lesson: LessonAt | None = None
    """Returns the learner's current step, in a lesson."""
    _history: TableHistory = field(init=False)
    _shown: snapshot.Snapshot | None = None
    _given_up: bool = False
    _left: frozenset[int] = frozenset()
    _links: LostLinks = field(factory=LostLinks)
    _spectators: tuple[Spectator, ...] = ()
    _comings: RateLimit | None = None
    _saved: tuple[bytes, Path] | None = None
    _delivering: trio.Event = field(factory=trio.Event)

    def __attrs_post_init__(self) -> None:
        self._history = TableHistory(self.narrate)

    async def run(self) -> None:
        """Show every change until the node stops."""
        changes = self.seat.changes()
        to_play, moves = trio.open_memory_channel[tuple[Move, ...]](_MOST_AHEAD)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._decisions, to_play)
            nursery.start_soon(self._play, moves)
            nursery.start_soon(self._watch)
            nursery.start_soon(self._listen)
            nursery.start_soon(self._show_deliveries)
            for change in self.seat.past:  # only a resumed table has a past
                self._history.follow(change)
            self._show()
            async for change in changes:
                self._history.follow(change)
                if change.after is not self.seat.state:
                    continue  # a newer change follows at once
                if change.after.match.orders:
                    self._delivering.set()
                else:
                    self._show()
            nursery.cancel_scope.cancel()
        self._show()  # the last snapshot shows how the match ended for this seat

    async def _show_deliveries(self) -> None:
        """Show the progress of unlockings, at most every `_DELIVERY_SECONDS`."""
        while True:
            await self._delivering.wait()
            await trio.sleep(_DELIVERY_SECONDS)
            # The event is replaced before the snapshot: a later unlocking sets the new event.
            self._delivering = trio.Event()
            assert self._shown is not None, "the first snapshot comes before the first delivery"
            if self._shown.state is not self.seat.state:
                self._show()

    def _show(self) -> None:
        status = self.seat.status
        self._shown = snapshot.Snapshot(
            state=status.state,
            view=status.view,
            me=self.seat.me,
            chooses=status.chooses,
            log=self._history.log,
            said=self._history.said,
            rounds=self._history.rounds,
            events=self._history.events,
            exposed=status.exposed,
            absence=self._absence_in(status),
            left_out=status.left_out,
            given_up=self._given_up,
            trouble=status.trouble,
            watching=self.watching,
            spectators=self._spectators,
            lesson=self.lesson() if self.lesson else None,
        )
        self.display.show(self._shown)

    def _absence_in(self, status: TableStatus) -> Absence | None:
        if self.own_bots is None or status.left_out or self._given_up:
            return None
        return absence_at(status, self.seat.me, left=self._left, own=self.own_bots())

    async def _watch(self) -> None:
        """Show which players the table waits for, who cannot be reached, and who watches."""
        while self.own_bots is not None or self.watching:
            progress = self.seat.progress
            status = self.seat.status
            self._look_for_who_left()
            self._look_for_spectators(status.spectators)
            self._look_at_links(status.unreached)
            absence = self._absence_in(status)
            if self._shown is not None and absence != self._shown.absence:
                self._shown = evolve(self._shown, absence=absence)
                self.display.show(self._shown)
            with trio.move_on_after(_LOOK_SECONDS):
                await progress.wait()
                await trio.sleep(_DELIVERY_SECONDS)  # changes often come in bursts

    def _look_at_links(self, away: frozenset[int]) -> None:
        """Tell of machines that cannot be reached any more, and of those that are back."""
        if self.watching:
            return
        members = self.seat.state.charter.members
        unreached = [m.key for player, m in enumerate(members) if player in away - self._left]
        linked = [m.key for player, m in enumerate(members) if player not in away]
        lost, back = self._links.look(linked, unreached, trio.current_time())
        names = {member.key: member.name for member in members}
        template = _("The machine of {name} cannot be reached.")
        lines = [snapshot.LogLine(template.format(name=names[key])) for key in lost]
        template = _("The machine of {name} can be reached again.")
        lines += [snapshot.LogLine(template.format(name=names[key])) for key in back]
        self._add_comings(lines)
        if lines:
            self._show()

    async def _listen(self) -> None:
        """Add to the log what people say beside the game."""
        if self.asides is None:
            return
        async for spoken in self.asides.listen():
            own = spoken.player == self.seat.me and not self.watching
            name = self.seat.state.charter.name_of(spoken.player)
            line = aside_line(name, spoken.code, own=own)
            if spoken.code is AsideCode.LEAVING and not own:
                self._add_comings([line])
            else:
                self._history.add(line)
            self._look_for_who_left()
            self._show()

    def _look_for_spectators(self, now: tuple[Spectator, ...]) -> None:
        """Tell which spectators have come, and which have gone."""
        before, self._spectators = self._spectators, now
        came = (spectator for spectator in now if spectator not in before)
        text = _("watches from now on ({words})")
        lines = [
            snapshot.LogLine(
                text.format(words=" ".join(words(spectator.key))), spectator.name, aside=True
            )
            for spectator in came
        ]
        lines += [self._gone(spectator) for spectator in before if spectator not in now]
        if lines:
            self._add_comings(lines)
            self._show()

    def _add_comings(self, lines: Iterable[snapshot.LogLine]) -> None:
        """Add lines about people who came or went, as many as the rate limit admits.

        Without the limit a malicious member could flood the log: with invented spectators, or by
        leaving and coming back without end. The list of spectators is always shown.
        """
        if self._comings is None:  # made only here, because it needs the clock of a running Trio
            self._comings = RateLimit(burst=MOST_COMINGS, rate=COMINGS_RATE)
        self._history.add(*(line for line in lines if self._comings.spend()))

    def _gone(self, spectator: Spectator) -> snapshot.LogLine:
        """Return the line about a spectator who has left, or whom a player has barred."""
        text, by = _("does not watch any more"), self.seat.barred_by(spectator.key)
        if by is not None:
            name = self.seat.state.charter.name_of(by)
            text = _("does not watch any more: barred by {player}").format(player=name)
        return snapshot.LogLine(text, spectator.name, aside=True)

    def _look_for_who_left(self) -> None:
        """Note which players have said goodbye, and tell which of them are back."""
        left = frozenset() if self.asides is None else self.asides.left
        back, self._left = self._left - left, left
        names = map(self.seat.state.charter.name_of, back)
        lines = (snapshot.LogLine(_("is back at the table"), name, aside=True) for name in names)
        self._add_comings(lines)
        if back:
            self._show()

    async def _decisions(self, to_play: trio.MemorySendChannel[tuple[Move, ...]]) -> None:
        """Carry out the person's decisions, but leave moves to `_play`.

        A move can wait for ever, for example if another player has cheated. Even then the person
        must be able to wish for a way to go on.
        """
        while True:
            decision = await self.display.decided()
            try:
                match decision:
                    case snapshot.Saving():
                        await self._save()
                    case AsideCode():
                        if self.asides is not None:
                            self.asides.say(decision)
                    case snapshot.BarSpectator(key):
                        self.seat.bar_spectator(key)
                        self._look_for_spectators(self.seat.status.spectators)
                    case Wish():
                        self.seat.wish(decision)
                    case snapshot.Resolve.JOIN:
                        self.seat.join_proposal()
                    case snapshot.Resolve.GIVE_UP:
                        await trio.to_thread.run_sync(self.seat.give_up)
                        # Set only now, because `give_up` returns when the decision is on the
                        # disk.
                        self._given_up = True
                        self._show()
                    case moves:
                        try:
                            to_play.send_nowait(moves)
                        except trio.WouldBlock:
                            self.display.tell(
                                _("Too many moves wait already: this one is left out.")
                            )
            except (IllegalMove, Refused) as error:
                self.display.refuse(error)

    async def _play(self, chosen: trio.MemoryReceiveChannel[tuple[Move, ...]]) -> None:
        """Make the chosen moves, each when the move before it is in the record."""
        async for moves in chosen:
            try:
                for move in moves:
                    await self.seat.play(move)
            except (IllegalMove, Refused) as error:
                self.display.refuse(error)

    async def _save(self) -> None:
        """Write the record so far to a file, unless the last file still has the whole record."""
        state = self.seat.state
        if self._saved is None or self._saved[0] != state.head:
            try:
                path = await trio.to_thread.run_sync(
                    save_record, self.seat.record(), state.match.game.name
                )
            except (RecordError, FolderError) as error:
                self.display.tell(sentences.said(error))
                return
            self._saved = state.head, path
        self.display.tell(
            _("The record so far is in {path}. To check it: sobremesa audit {path}").format(
                path=self._saved[1]
            )
        )
