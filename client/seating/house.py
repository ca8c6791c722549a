"""Opponents of the program's that sit at a table over the network: each has an identity and a
journal of its own, kept in a folder of the player in whose process they run.

Whoever runs an opponent could look into its hand: it is a player to whom everybody else gives as
much trust as to her.
"""

import os
from contextlib import AsyncExitStack
from functools import partial
from itertools import count
from pathlib import Path

import trio

from client.seating.home import Home
from p2p.agreement import Agreement
from p2p.endpoint import Endpoint
from p2p.identity import Identity, words
from p2p.interfaces import listen
from p2p.journal import JOURNAL_FILE, Journal
from p2p.lobby import join
from protocol.names import MAX_WIDTH

LOOPBACK = "127.0.0.1"
_FOLDER = "opponents"


async def opponent_homes(stack: AsyncExitStack, home: Home) -> list[Home]:
    """The opponents that have ever played in the house of `home`, ready to sit down; `stack` ends
    them.
    """
    folder = home.folder / _FOLDER
    folders = sorted(folder.iterdir()) if folder.is_dir() else []
    return [await _open(stack, path) for path in folders]


async def new_opponents(stack: AsyncExitStack, home: Home, most: int) -> list[Home]:
    """So many opponents, the old ones first."""
    folder = home.folder / _FOLDER
    return [await _open(stack, folder / f"{number}") for number in range(1, most + 1)]


async def another_opponent(stack: AsyncExitStack, home: Home) -> Home:
    """An opponent that has never played."""
    folder = home.folder / _FOLDER
    numbers = (number for number in count(1) if not (folder / f"{number}").exists())
    return await _open(stack, folder / f"{next(numbers)}")


async def seat(opponent: Home, port: int) -> Agreement:
    """The opponent sits down at the table that is being opened at that port of this machine."""
    return await join(
        opponent.endpoint, opponent.journal, LOOPBACK, port, opponent_name(opponent), os.urandom
    )


def opponent_name(opponent: Home) -> str:
    """A name that no other house gives to an opponent."""
    one, two = words(opponent.identity.public, 2)
    name = f"Robot {one} {two}"
    return name if len(name) <= MAX_WIDTH else f"Robot {one}"


async def _open(stack: AsyncExitStack, folder: Path) -> Home:
    identity = Identity.load_or_create(folder)
    journal = stack.enter_context(Journal.open(folder / JOURNAL_FILE))
    endpoint = Endpoint(identity)
    nursery = await stack.enter_async_context(trio.open_nursery())
    stack.callback(nursery.cancel_scope.cancel)
    listeners, port = await listen(0)
    await nursery.start(partial(endpoint.serve, listeners, port))
    return Home(folder, endpoint, journal, None)
