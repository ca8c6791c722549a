"""A match from the signed charter to the last signature.

The player's node runs during the match, and so do its announcement on the network and the bots of
this machine.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import trio
from attrs import define, evolve, field, frozen

from client.i18n.language import _, with_and
from client.i18n.sentences import said
from client.record_files import RecordError, save_record, written_later
from client.session.absence_policy import AbsencePolicy, IfAbsent
from client.session.bot_names import is_bot_name
from client.session.display.display_interface import SessionDisplay
from client.session.display.snapshot import AfterMatch
from client.session.ending_signals import Interrupted
from client.session.hosted_lobby import usual_title
from client.session.network_node import NetworkNode
from client.session.run_until_signal import GOODBYE_SECONDS, at_a_signal
from client.session.seated_bots import BotSettings, SeatedBots
from client.session.table_bots import TableBots
from p2p.discovery.beacon import Beacon, mark_of, tag_of
from p2p.discovery.beacons import NoBeacon
from p2p.match.match_node import MatchNode
from p2p.storage.known_players import KnownPlayers
from p2p.storage.memberships import Membership
from p2p.storage.private_files import FolderError
from p2p.table.asides import AsideCode
from p2p.table.shared_judging import JudgedOnce
from protocol.errors import Exposed, Illegal, Refused
from protocol.table.own_key_probe import OwnKeyElsewhere, own_key_elsewhere
from protocol.words_for_keys import words

_WISHES: Mapping[AfterMatch, AsideCode] = {
    AfterMatch.AGAIN: AsideCode.REMATCH,
    AfterMatch.OTHER_SEATS: AsideCode.REMATCH_OTHER_SEATS,
}

_UNWRITTEN = 2
"""Exit code if the record of a match could not be written."""

_FOLLOW_SECONDS = 2.0
_LOOK_SECONDS = 1.0  # between two checks for changes of the beacon


@frozen
class TablePolicy:
    """The settings that a command gives to all tables of a session."""

    bots: BotSettings
    if_absent: IfAbsent | None = None
    """The wish if a player is absent; None to ask the person."""


@define(eq=False)
class TableSession:
    """One match over the network, as a part of a session."""

    local: NetworkNode
    seated_bots: SeatedBots
    membership: Membership
    display: SessionDisplay
    policy: TablePolicy
    node: MatchNode = field(init=False)
    code: int = field(default=0, init=False)
    """The exit code: 1 if somebody was exposed, or if another machine plays with this player's key;
    2 if the record could not be written.
    """
    done: trio.Event = field(factory=trio.Event, init=False)
    """Set when no other player needs this node any more."""
    _judge: JudgedOnce = field(factory=JudgedOnce, init=False)
    _bots: TableBots = field(init=False)
    _left: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self.node = MatchNode(
            self.local.endpoint, self.local.journal, self.membership, judge=self._judge
        )
        self._bots = TableBots(self.seated_bots, self.policy.bots, self.node, self._judge)

    async def run(
        self, *, task_status: trio.TaskStatus[AfterMatch] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Play until the match is over or the person leaves.

        `task_status.started` is called when the person leaves the table, with their choice of what
        follows. The task runs on until the other players have the end of the record, too. The
        record of a finished match is written to a file.
        """
        if not self.membership.fresh and not await self.display.restoring(self.node.restore):
            self.done.set()
            task_status.started(AfterMatch.LEAVE)
            return
        await self.node.restore()  # does nothing for a resumed table, which is restored already
        await self._meet()
        # This opens all bots of this machine, because `TableBots.own` counts only open ones.
        await self.seated_bots.all()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._follow)
                nursery.start_soon(_announce_table, self.local, self.node)
                nursery.start_soon(self._bots.run)
                if self.policy.if_absent is not None:
                    absence_policy = AbsencePolicy(
                        self.node, self.display.tell, self.policy.if_absent
                    )
                    nursery.start_soon(absence_policy.run)
                with at_a_signal(self._leave_now):
                    await self._play(task_status)
                nursery.cancel_scope.cancel()
        except* Exposed:
            await self._end_in_evidence()
            # `started` may be called only once, and `show` has called it if the person has left.
            if not self._left:
                task_status.started(AfterMatch.LEAVE)
        except* OwnKeyElsewhere:
            self.code = 1
            sentence = own_key_elsewhere(contradicted=self.node.contradicted)
            self.display.tell(said(sentence))
            if not self._left:
                task_status.started(AfterMatch.LEAVE)
        finally:
            self.done.set()

    async def _end_in_evidence(self) -> None:
        """Tell that somebody has cheated, and write the record with the evidence."""
        self._tell_exposed()
        self.code = 1
        path = await self._write_record()
        if path is not None:
            template = _("The record ends in the evidence. To extract the evidence: {command}")
            command = f"sobremesa audit {path} --evidence OUT"
            self.display.tell(template.format(command=command))

    async def _play(self, task_status: trio.TaskStatus[AfterMatch]) -> None:
        """Play until the match is over and all have its record, or until the person leaves."""
        choices = (AfterMatch.AGAIN, AfterMatch.OTHER_SEATS)
        async with trio.open_nursery() as nursery:

            async def show() -> None:
                try:
                    choice = await self.display.table(self.node, self._bots.own, choices)
                except Interrupted:  # the terminal is gone
                    with trio.move_on_after(GOODBYE_SECONDS):
                        await self._leave_now()
                    raise
                await self._conclude()
                self._left = True
                task_status.started(choice)
                self._say_goodbye(choice)

            nursery.start_soon(show)
            with telling_who_lacks_the_end(self.node, self.display.tell):
                await self.node.run(linger=True)

    def _say_goodbye(self, choice: AfterMatch) -> None:
        """Tell the others that this player wants a rematch, or leaves with this machine's bots."""
        if choice in _WISHES and self.node.state.complete:
            with suppress(Refused):  # the rate limit of what a player may say
                self.node.asides.say(_WISHES[choice])
            self.node.stop()
            return
        for bot in self._bots.playing.values():
            bot.leave()
        self.node.leave()

    async def _leave_now(self) -> None:
        """Say goodbye for this player and the bots, before the program ends."""
        async with trio.open_nursery() as nursery:
            for node in (self.node, *self._bots.playing.values()):
                node.asides.say(AsideCode.LEAVING)
                nursery.start_soon(node.close_links)

    async def _meet(self) -> None:
        """Remember all people at the table by their keys, including those who took a seat later."""
        today = datetime.now(UTC).date().isoformat()
        meet = KnownPlayers(self.local.journal).meet
        people = [m for m in self.node.charter.members if not is_bot_name(m.name)]
        await trio.to_thread.run_sync(meet, people, today)

    async def _conclude(self) -> None:
        await self._meet()
        if self.node.left_out:
            self.display.tell(_("You were away for too long: the others have gone on without you."))
        elif await trio.to_thread.run_sync(self.local.journal.is_given_up, self.node.match_id):
            self.display.tell(_("You have given up this match."))
            await self._write_record()
        elif self.node.over:
            if self.node.exposed is None:  # otherwise `_end_in_evidence` writes the record
                await self._write_record()
        else:
            self.display.tell(
                _("You have left the table. To go on: {command}").format(command="sobremesa resume")
            )

    def _tell_exposed(self) -> None:
        """Tell that the table has stopped, who is exposed, and why."""
        exposed, cheat = self.node.exposed, self.node.tables.history.newest.cheat
        assert exposed is not None
        assert cheat is not None
        template = _("The table has stopped. {name} ({words}) has signed what exposes them: {why}")
        if isinstance(exposed, Illegal):
            template = _(
                "The table has stopped. {name} ({words}) has signed what is against the rules as "
                "this program knows them: {why}"
            )
        name, key = cheat.name, " ".join(words(cheat.key))
        self.display.tell(template.format(name=name, words=key, why=said(exposed)))

    async def _write_record(self) -> Path | None:
        """Write the record to a new file, and return the path.

        Return None if the record was written before, or if it cannot be written now.
        """
        if await trio.to_thread.run_sync(self.local.journal.is_in_a_file, self.node.match_id):
            return None  # an earlier session wrote it; this one was for players who lacked the end
        try:
            path = await trio.to_thread.run_sync(
                save_record, self.node.record(), self.node.charter.game.name, self.local.folder
            )
        except (RecordError, FolderError) as error:
            self.display.tell(said(written_later(error, "sobremesa resume")))
            self.code = self.code or _UNWRITTEN
            return None
        await trio.to_thread.run_sync(self.local.journal.note_in_a_file, self.node.match_id)
        self.display.tell(
            _("The record is in {path}. To check it: {command}").format(
                path=path, command=f"sobremesa audit {path}"
            )
        )
        return path

    async def _follow(self) -> None:
        """Tell the node the addresses in the beacons of the other members. Runs until cancelled."""
        beacons = self.local.beacons
        while beacons is not None:
            keys = [member.key for member in self.node.charter.members]
            self.node.learn(beacons.of(self.node.match_id, keys))
            with trio.move_on_after(_FOLLOW_SECONDS):
                await beacons.changed()
            await trio.sleep(_FOLLOW_SECONDS)


def names_of_lacking(node: MatchNode) -> str:
    """Return the names of the players who may lack a part of the record, in one line."""
    return with_and(node.charter.name_of(player) for player in sorted(node.lacking))


@contextmanager
def telling_who_lacks_the_end(node: MatchNode, tell: Callable[[str], None]) -> Iterator[None]:
    """Tell which players may lack the end of the record, if the match is already over.

    This is for a finished match that is resumed. At the end of the block, tell whether all players
    have the end of the record.
    """
    if not node.state.complete:
        yield
        return
    template = _("The match is over. Waiting for {names}, who may lack the end of the record.")
    tell(template.format(names=names_of_lacking(node)))
    yield
    if not node.lacking:
        tell(_("All players have the whole record."))
        return
    template = _("{names} may still lack the end of the record. To try again: {command}")
    tell(template.format(names=names_of_lacking(node), command="sobremesa resume"))


async def _announce_table(local: NetworkNode, node: MatchNode) -> None:
    """Announce the address of this node to the members of the table. Runs until cancelled.

    The table itself is announced to everybody if it has a vacant seat, or if it can be watched.
    """
    announced: Beacon | None = None
    while True:
        tag = tag_of(node.match_id, local.identity.public, local.announcer.public)
        shown = node.vacant is not None or node.charter.spectators
        beacon = evolve(_begun_beacon(local, node) if shown else local.beacon(), tag=tag)
        if beacon != announced:  # for example, this machine has a new address
            with suppress(NoBeacon):  # the network may be down for a while
                await local.announce(beacon)
                # Not reached if the announcement fails, so the next look tries again.
                announced = beacon
        await trio.sleep(_LOOK_SECONDS)


def _begun_beacon(local: NetworkNode, node: MatchNode) -> Beacon:
    """Return the beacon of a table that has begun; all its nodes announce the same title."""
    charter = node.charter
    table = usual_title(charter.game, mark_of(node.match_id).encode())
    return evolve(
        local.beacon(),
        table=table,
        game=charter.game.name,
        seats=len(charter.members),
        free=0 if node.vacant is None else 1,
        spectators=charter.spectators,
    ).vouched(node.match_id)


def opening_lines(node: MatchNode, *, alone: bool = False) -> tuple[str, ...]:
    """Return the lines that a table shows before its first card.

    If the person is `alone` with bots, the lines about other people are left out.
    """
    charter = node.charter
    names = with_and(member.name for member in charter.members)
    who = _("{game}. At the table: {names}.").format(game=charter.game.title, names=names)
    if alone:
        return (who,)
    lines = [
        who,
        _("The table's words: {words}.").format(words=" ".join(words(node.table_id))),
        _("Everybody must see the same words; read them aloud once."),
    ]
    if len(charter.members) > 2:  # one of two players cannot go on alone
        template = _("After {seconds} s of silence the others may go on without a player.")
        lines.append(template.format(seconds=charter.grace))
    return tuple(lines)
