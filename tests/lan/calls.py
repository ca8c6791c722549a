"""Calls of strangers to a node: the first bytes of a connection, and links that ask for a table."""

import os
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import trio

from engine.games import game_named
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership
from p2p.storage.private_files import make_private
from p2p.transport.endpoint import say
from p2p.transport.link import Limits, Link, open_link
from p2p.transport.messages import Hello
from p2p.transport.tls import client_context
from protocol.charter import Charter, Member, SignedCharter
from protocol.entries import Body, CloseContent, Entry
from protocol.place import Place


def acquaint(home: Path, member: Identity) -> bytes:
    """Give the journal in `home` a finished table with `member`, and return the table's id."""
    me, game = Identity.load_or_create(make_private(home)), game_named("canastra")
    members = (Member(me.public, "Ana", bytes(32)), Member(member.public, "Eve", bytes(32)))
    charter = Charter(game, game.options(), members)
    signed = SignedCharter(charter, tuple(charter.sign(one.sign) for one in (me, member)))
    with Journal.open(home / JOURNAL_FILE) as journal:
        Membership(signed, 0, ()).keep(journal)
        head = charter.table_id
        # The two closings are enough: no other entry is looked at.
        for height, signer in enumerate((me, member), 1):
            place = Place(charter.table_id, height, head)
            body = Body(place, height - 1, CloseContent(1, (0, 0), last=True))
            entry = Entry.sign(body.encode(), signer.sign)
            journal.append(charter.table_id, height, entry.encode())
            head = entry.head
        journal.note_in_a_file(charter.table_id)
        journal.note_all_synced(charter.table_id)
    return charter.table_id


def first_bytes(identity: Identity) -> dict[str, bytes]:
    """Return the bytes that a stranger sends before falling silent, by the kind of connection."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    with suppress(ssl.SSLWantReadError):
        client_context(identity).wrap_bio(incoming, outgoing).do_handshake()
    return {
        "silent connections": b"",
        "garbage": os.urandom(300),
        "half handshakes": outgoing.read(),
    }


@asynccontextmanager
async def call(
    stream: trio.SocketStream, context: ssl.SSLContext, table_id: bytes
) -> AsyncIterator[Link]:
    """Open a link over the connection, as a node does that asks for a table."""
    async with open_link(
        stream,
        context,
        server_side=False,
        admit=lambda _key: True,
        limits=Limits(),
        address="called",
    ) as link:
        await say(link, Hello(table_id, 0))
        yield link
