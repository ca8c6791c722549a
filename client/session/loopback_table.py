"""A whole table on this machine: every seat is a node with its own identity, journal and sockets.

The nodes talk over loopback as they would over a network. They share only a cache of verified
entries, so that each entry is verified once and not once by each node.
"""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path

import trio
from attrs import evolve

from engine.game import Game
from engine.options import Options
from p2p.discovery.address_book import Address
from p2p.discovery.interfaces import LOOPBACK
from p2p.match.match_node import MatchNode
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.journal_file import JournalError
from p2p.storage.memberships import MatchRecord, Membership, matches
from p2p.storage.salvage import open_or_mend
from p2p.table.node_updates import Progress, no_progress
from p2p.table.shared_judging import JudgedOnce
from p2p.transport.endpoint import Endpoint
from protocol.charter import NONCE_BYTES, Charter, Extension, Member, SignedCharter

OpenSeat = tuple[Endpoint, Journal]
"""The endpoint and the journal of one seat."""


@asynccontextmanager
async def loopback_table(
    game: Game,
    options: Options,
    names: Sequence[str],
    folder: Path,
    extensions: tuple[Extension, ...] = (),
) -> AsyncIterator[tuple[MatchNode, ...]]:
    """Make the nodes of a new table, whose charter they have signed; they do not run yet.

    Player i has the i-th name. Identities and journals lie in `folder`. The `extensions` of the
    charter must be sorted by name.
    """
    async with _open_seats([folder / f"{number}" for number in range(len(names))]) as seats:
        memberships = await _sit_down(game, options, names, seats, extensions)
        yield _nodes(seats, memberships)


@asynccontextmanager
async def resumed_table(folder: Path) -> AsyncIterator[tuple[MatchNode, ...]]:
    """Open the nodes of a table that `loopback_table` made in `folder`, without restoring them.

    Raises Malformed and JournalError for damaged journals.
    """
    numbered = [path for path in folder.iterdir() if path.name.isdecimal()]
    folders = sorted(numbered, key=lambda path: int(path.name))
    async with _open_seats(folders) as seats:
        here = _addresses(seats)
        recalled = [newest_match(journal).membership(journal) for _, journal in seats]
        players = len(recalled[0].charter.charter.members) if recalled else 1
        # If the folder of seat 2 of four is missing, the list is 0, 1, 3.
        if [membership.me for membership in recalled] != list(range(players)):
            raise JournalError("The folder of a seat is missing in {folder}.", folder=str(folder))
        yield _nodes(seats, [evolve(membership, addresses=here) for membership in recalled])


async def restore_all(nodes: Sequence[MatchNode], progress: Progress = no_progress) -> None:
    """Restore the nodes from their journals, one after the other.

    Raises the errors of `MatchNode.restore`.
    """
    for number, node in enumerate(nodes):
        # All journals have the same match, so each node is the same share of the progress.
        def add_earlier_nodes(done: int, total: int, earlier: int = number) -> None:
            progress(earlier * total + done, len(nodes) * total)

        await node.restore(add_earlier_nodes)


def newest_match(journal: Journal) -> MatchRecord:
    """Return the match that was begun last in a journal. Raises JournalError if there is none."""
    begun = matches(journal)
    if not begun:
        raise JournalError("No table was begun here.")
    return begun[-1]


@asynccontextmanager
async def _open_seats(folders: Sequence[Path]) -> AsyncIterator[list[OpenSeat]]:
    """Open the endpoint and the journal in each folder."""
    # The journals are outside of the nursery, so they are closed after the endpoints have stopped.
    with ExitStack() as stack:
        async with trio.open_nursery() as nursery:
            yield [await open_on_loopback(folder, stack, nursery) for folder in folders]
            nursery.cancel_scope.cancel()


async def open_on_loopback(
    folder: Path, stack: ExitStack | AsyncExitStack, nursery: trio.Nursery
) -> OpenSeat:
    """Open the endpoint and the journal of the identity in a folder.

    The endpoint listens in the nursery, on loopback only: no other machine can connect to it. The
    stack closes the journal.
    """
    identity = Identity.load_or_create(folder)
    journal = stack.enter_context(open_or_mend(folder / JOURNAL_FILE)[0])
    endpoint = Endpoint(identity)
    listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
    port = listeners[0].socket.getsockname()[1]
    await nursery.start(endpoint.serve, listeners, port)
    return endpoint, journal


def _nodes(seats: Sequence[OpenSeat], memberships: Sequence[Membership]) -> tuple[MatchNode, ...]:
    judge = JudgedOnce()
    return tuple(
        MatchNode(endpoint, journal, membership, judge=judge)
        for (endpoint, journal), membership in zip(seats, memberships, strict=True)
    )


async def _sit_down(
    game: Game,
    options: Options,
    names: Sequence[str],
    seats: Sequence[OpenSeat],
    extensions: tuple[Extension, ...],
) -> list[Membership]:
    """Make the charter, sign it with all identities, and write it to all journals."""
    members = tuple(
        Member(endpoint.identity.public, name, os.urandom(NONCE_BYTES))
        for (endpoint, _journal), name in zip(seats, names, strict=True)
    )
    charter = Charter(game, options, members, extensions=extensions)
    signed = SignedCharter(
        charter, tuple(charter.sign(endpoint.identity.sign) for endpoint, _journal in seats)
    )
    here = _addresses(seats)
    memberships = [Membership(signed, me, here) for me in range(len(seats))]
    for membership, (_endpoint, journal) in zip(memberships, seats, strict=True):
        await trio.to_thread.run_sync(membership.keep, journal)
    return memberships


def _addresses(seats: Sequence[OpenSeat]) -> tuple[Address, ...]:
    return tuple(
        Address(endpoint.identity.public, LOOPBACK, endpoint.port) for endpoint, _journal in seats
    )
