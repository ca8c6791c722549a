"""From the signed charter to the last signature: the person's node, the opponents that run here,
and what is said at the beginning and the end.
"""

from datetime import UTC, datetime

import trio
from attrs import define, field, frozen

from client.i18n.language import _
from client.i18n.sentences import said
from client.record_files import new_record_path, write_record
from client.session.absence_policy import IfAbsent, Usher
from client.session.announcement import announce_table
from client.session.bot_pool import Household, Style, play_for
from client.session.display import Front
from client.session.local_node import Home
from client.session.next_step import Wish
from client.session.substitutes import OwnHouse
from p2p.storage.identity import words
from p2p.storage.journal import Journal
from p2p.storage.known_players import KnownPlayers
from p2p.storage.memberships import Membership
from p2p.table.node import Node
from protocol.errors import Exposed

FOLLOW_SECONDS = 2.0


@frozen
class Manner:
    """How an evening is spent: in which style the program's opponents play, and, where nobody is
    asked, what is agreed on when a player stays away.
    """

    style: Style
    if_absent: IfAbsent | None = None


@define(eq=False)
class Table:
    """One match. `code` is the exit code it comes to: 1 if somebody is exposed; `done` when there
    is nothing more to do here for anybody.
    """

    home: Home
    household: Household
    membership: Membership
    front: Front
    manner: Manner
    node: Node = field(init=False)
    code: int = field(default=0, init=False)
    done: trio.Event = field(factory=trio.Event, init=False)
    _parted: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self.node = Node(self.home.endpoint, self.home.journal, self.membership)

    async def run(self, *, task_status: trio.TaskStatus[Wish] = trio.TASK_STATUS_IGNORED) -> None:
        """Play until the match is over or the person leaves, and tell her wish; then stay until
        the others have the end, too. The record is written when the match is over.
        """
        await self._meet()
        await self.node.restore()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._follow)
                nursery.start_soon(announce_table, self.home, self.node)
                for other in await self.household.all():
                    nursery.start_soon(self._seat_opponent, other)
                house = OwnHouse(self.household, self.manner.style, self.node, nursery)
                if self.manner.if_absent is not None:
                    usher = Usher(self.node, house, self.front.tell, self.manner.if_absent)
                    nursery.start_soon(usher.run)
                await self._play(house, task_status)
                nursery.cancel_scope.cancel()
        except* Exposed as group:
            self.front.tell(_("The table has stopped: {why}").format(why=said(_only(group))))
            self.front.tell(_("The evidence is in the journal, and in the record for an audit."))
            self.code = 1
            await self._write_record()
            if not self._parted:
                task_status.started(Wish.LEAVE)
        finally:
            self.done.set()

    async def _play(self, house: OwnHouse, task_status: trio.TaskStatus[Wish]) -> None:
        """Until the match is over and all have it, or until the person leaves."""
        wishes = (Wish.AGAIN, Wish.OTHER_SEATS)
        async with trio.open_nursery() as nursery:

            async def show() -> None:
                wish = await self.front.table(self.node, house, wishes)
                await self._conclude()
                self._parted = True
                task_status.started(wish)
                if not self.node.over:
                    nursery.cancel_scope.cancel()

            nursery.start_soon(show)
            await self.node.run()

    async def _meet(self) -> None:
        """Remember the players, those among them who have taken a seat."""
        today = datetime.now(UTC).date().isoformat()
        meet = KnownPlayers(self.home.journal).meet
        await trio.to_thread.run_sync(meet, self.node.charter.members, today)

    async def _conclude(self) -> None:
        await self._meet()
        if self.node.dismissed:
            self.front.tell(_("You were away for too long: the others have gone on without you."))
        elif self.node.over:
            await self._write_record()
        else:
            self.front.tell(
                _("You have left the table. To go on: {command}").format(command="sobremesa resume")
            )

    async def _write_record(self) -> None:
        if await trio.to_thread.run_sync(has_record, self.home.journal, self.node.table_id):
            return  # this node was here for those who lacked the end
        path = new_record_path(None, self.node.charter.game.name, self.home.folder)
        await trio.to_thread.run_sync(write_record, path, self.node.record())
        await trio.to_thread.run_sync(note_record, self.home.journal, self.node.table_id)
        self.front.tell(
            _("The record is in {path}. To check it: {command}").format(
                path=path, command=f"sobremesa audit {path}"
            )
        )

    async def _follow(self) -> None:
        """Where the members' beacons say that they are, the node learns too."""
        beacons = self.home.beacons
        while beacons is not None:
            self.node.learn(beacons.of(member.key for member in self.node.charter.members))
            with trio.move_on_after(FOLLOW_SECONDS):
                await beacons.changed()
            await trio.sleep(FOLLOW_SECONDS)

    async def _seat_opponent(self, other: Home) -> None:
        """An opponent that sits at the table plays on there."""
        for record in other.journal.tables():
            if record.table_id == self.membership.table_id:
                node = Node(
                    other.endpoint, other.journal, Membership.recalled(other.journal, record)
                )
                await node.restore()
                await play_for(node, self.manner.style)


def opening_lines(node: Node) -> tuple[str, ...]:
    """What is said at the beginning."""
    charter = node.charter
    names = ", ".join(member.name for member in charter.members)
    lines = [
        _("{game}. At the table: {names}.").format(game=charter.game.title, names=names),
        _("The table's words: {words}.").format(words=" ".join(words(node.table_id))),
        _("Everybody must see the same; read them aloud once."),
    ]
    if len(charter.members) > 2:  # two agree on nobody's absence (R19)
        lines.append(
            _("After {seconds} s of silence the others may agree on an absence.").format(
                seconds=charter.grace
            )
        )
    return tuple(lines)


def note_record(journal: Journal, table_id: bytes) -> None:
    """Remember that the record of a table is in a file."""
    journal.set_setting(_record_setting(table_id), b"written")


def has_record(journal: Journal, table_id: bytes) -> bool:
    """Whether the record of a table is in a file: a program may die between the last signature
    and that.
    """
    return journal.setting(_record_setting(table_id)) is not None


def _record_setting(table_id: bytes) -> str:
    return f"record/{table_id.hex()}"


def _only(group: BaseExceptionGroup[Exposed]) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
