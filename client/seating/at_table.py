"""From the signed charter to the last signature: the person's node, the opponents that run here,
and what is shown at the beginning and the end.
"""

import argparse
import random
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from functools import partial

import trio

from client.language import choose_language
from client.opponents.easy import choose
from client.opponents.sitting import sit_in
from client.records import new_record_path, write_record
from client.screens.look import Look
from client.screens.show_table import show_table
from client.seating.home import Home
from client.seating.house import opponent_homes
from client.seating.substitutes import OwnHouse
from client.seating.usher import IfAbsent, Usher
from client.seating.vacancy import announce_table
from client.seating.watch import watch
from client.settings import load_settings
from client.telling.console import Console
from p2p.acquaintances import Acquaintances
from p2p.agreement import Agreement
from p2p.identity import words
from p2p.journal import Journal
from p2p.node import Node
from protocol.charter import Charter
from protocol.errors import Exposed

Front = Callable[[Node], Awaitable[None]]
"""What shows a table to a person and plays for her: it returns when she leaves."""

FOLLOW_SECONDS = 2.0


def person_front(home: Home) -> Front:
    """The full screen, or lines, as the settings say."""
    settings = load_settings(home.folder).settings
    choose_language(settings.language)
    look = Look.of(settings)

    async def front(node: Node) -> None:
        async with trio.open_nursery() as nursery:
            await show_table(node, look, OwnHouse(home, node, nursery))
            if not node.over:  # otherwise the opponents end by themselves
                nursery.cancel_scope.cancel()

    return front


def autoplay_front(console: Console, seed: int | None) -> Front:
    """Lines to look at, and an opponent of the program's that plays."""

    async def front(node: Node) -> None:
        rng = random.Random(seed)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(sit_in, node, partial(choose, rng=rng))
            await watch(node, console)
            nursery.cancel_scope.cancel()

    return front


async def play(
    home: Home,
    agreement: Agreement,
    front: Front,
    console: Console,
    if_absent: IfAbsent | None = None,
) -> int:
    """Play at a table until the match is over or the person leaves; the exit code. `if_absent` is
    for a table at which nobody is asked what to do when a player stays away.

    0: over, or left; 1: somebody is exposed. The record is written when the match is over.
    """
    charter = agreement.charter.charter
    await _meet(home, charter)
    names = ", ".join(member.name for member in charter.members)
    console.line(f"{charter.game.title}. At the table: {names}.")
    console.line(f"The table's words: {' '.join(words(agreement.table_id))}.")
    console.line("Everybody must see the same; read them aloud once.")
    if len(charter.members) > 2:  # two agree on nobody's absence (R19)
        console.line(f"After {charter.grace} s of silence the others may agree on an absence.")
    node = Node(home.endpoint, home.journal, agreement)
    await node.restore()
    try:
        async with AsyncExitStack() as stack:
            opponents = await opponent_homes(stack, home)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_follow, home, node)
                nursery.start_soon(announce_table, home, node)
                for opponent in opponents:
                    nursery.start_soon(_seat_opponent, opponent, agreement.table_id)
                if if_absent is not None:
                    nursery.start_soon(Usher(home, node, console, if_absent).run)
                await _play_out(node, front)
                nursery.cancel_scope.cancel()
    except* Exposed as group:
        console.line(f"The table has stopped: {_only(group)}")
        console.line("The evidence is in the journal, and in the record for an audit.")
    return await _conclude(home, node, console)


def front_of(home: Home, console: Console, arguments: argparse.Namespace) -> Front:
    """What the arguments of `add_autoplay` ask for."""
    if arguments.autoplay:
        return autoplay_front(console, arguments.seed)
    return person_front(home)


def add_autoplay(parser: argparse.ArgumentParser) -> None:
    """The arguments of commands that let the program play for the person."""
    parser.add_argument("--autoplay", action="store_true", help="an opponent plays for you")
    parser.add_argument("--seed", type=int, help="fixes its choices, not the shuffle")
    parser.add_argument(
        "--if-absent",
        choices=[choice.value for choice in IfAbsent],
        default=IfAbsent.WAIT.value,
        help="with --autoplay: what to agree on when a player stays away",
    )


async def play_as_asked(
    home: Home, agreement: Agreement, console: Console, arguments: argparse.Namespace
) -> int:
    """`play` with what the arguments of `add_autoplay` ask for."""
    front = front_of(home, console, arguments)
    if_absent = IfAbsent(arguments.if_absent) if arguments.autoplay else None
    return await play(home, agreement, front, console, if_absent)


async def _conclude(home: Home, node: Node, console: Console) -> int:
    charter = node.state.charter
    await _meet(home, charter)  # who has taken a seat among them
    if node.dismissed:
        console.line("You were away for too long: the others have gone on without you.")
        return 0
    if not node.over:
        console.line("You have left the table. To go on: sobremesa resume")
        return 0
    if await trio.to_thread.run_sync(has_record, home.journal, node.table_id):
        return 0  # it was here for those who lacked the end
    path = new_record_path(None, charter.game.name)
    await trio.to_thread.run_sync(write_record, path, node.record())
    await trio.to_thread.run_sync(note_record, home.journal, node.table_id)
    console.line(f"The record is in {path}. To check it: sobremesa audit {path}")
    return 0 if node.exposed is None else 1


async def _meet(home: Home, charter: Charter) -> None:
    today = datetime.now(UTC).date().isoformat()
    await trio.to_thread.run_sync(Acquaintances(home.journal).meet, charter.members, today)


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


async def _play_out(node: Node, front: Front) -> None:
    """Until the match is over and the person has looked at the score, or until she leaves."""
    async with trio.open_nursery() as nursery:
        playing = trio.CancelScope()
        nursery.start_soon(_front, front, node, playing)
        with playing:
            await node.run()


async def _front(front: Front, node: Node, playing: trio.CancelScope) -> None:
    await front(node)
    if not node.over:
        playing.cancel()


async def _follow(home: Home, node: Node) -> None:
    """Where the members' beacons say that they are, the node learns too."""
    while home.beacons is not None:
        node.learn(home.beacons.of(member.key for member in node.charter.members))
        with trio.move_on_after(FOLLOW_SECONDS):
            await home.beacons.changed()
        await trio.sleep(FOLLOW_SECONDS)


async def _seat_opponent(home: Home, table_id: bytes) -> None:
    """An opponent that sits at the table plays on there."""
    for record in home.journal.tables():
        if record.table_id == table_id:
            node = Node(home.endpoint, home.journal, Agreement.recalled(home.journal, record))
            await node.restore()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(sit_in, node, partial(choose, rng=random.Random()))
                await node.run()
                nursery.cancel_scope.cancel()


def _only(group: BaseExceptionGroup[Exposed]) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
