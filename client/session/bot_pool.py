"""Opponents of the program's that sit at a table over the network: each has an identity and a
journal of its own, kept in a folder of the player in whose process they run.

Whoever runs an opponent could look into its hand: it is a player to whom everybody else gives as
much trust as to her.
"""

import os
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import count
from pathlib import Path

import trio
from attrs import define, field, frozen

from client.bots.levels import opponent
from client.bots.runner import before_draws, sit_in
from client.session.local_node import Home
from p2p.discovery.interfaces import listen
from p2p.lobby.guest import join
from p2p.storage.identity import Identity, words
from p2p.storage.journal import JOURNAL_FILE, Journal
from p2p.storage.memberships import Membership
from p2p.table.node import Node
from p2p.transport.endpoint import Endpoint
from protocol.names import MAX_WIDTH

LOOPBACK = "127.0.0.1"
_FOLDER = "opponents"


@define(eq=False)
class Household:
    """The opponents in the house of a player, each opened once and then ready to sit down at any
    table. Made by `open_household`.
    """

    home: Home
    _stack: AsyncExitStack
    _nursery: trio.Nursery
    _open: dict[int, Home] = field(factory=dict, init=False)
    _opening: trio.Lock = field(factory=trio.Lock, init=False)

    @property
    def keys(self) -> frozenset[bytes]:
        """Those of the opponents that have been asked for."""
        return frozenset(home.identity.public for home in self._open.values())

    async def opponent(self, number: int) -> Home:
        """The opponent of that number, counted from 1; made if there is none yet."""
        async with self._opening:
            if number not in self._open:
                folder = self.home.folder / _FOLDER / f"{number}"
                self._open[number] = await _open_home(self._nursery, self._stack, folder)
        return self._open[number]

    async def another(self) -> Home:
        """An opponent that has never played."""
        folder = self.home.folder / _FOLDER
        numbers = (number for number in count(1) if not (folder / f"{number}").exists())
        return await self.opponent(next(numbers))

    async def all(self) -> list[Home]:
        """The opponents that have ever played in this house."""
        folder = self.home.folder / _FOLDER
        names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
        return [await self.opponent(number) for number in sorted(map(int, names))]


@asynccontextmanager
async def open_household(home: Home) -> AsyncIterator[Household]:
    """The house of `home`, whose opponents can be reached as long as the block lasts."""
    async with AsyncExitStack() as stack, trio.open_nursery() as nursery:
        yield Household(home, stack, nursery)
        nursery.cancel_scope.cancel()


async def seat(guest: Home, port: int) -> Membership:
    """The opponent sits down at the table that is being opened at that port of this machine."""
    return await join(
        guest.endpoint, guest.journal, LOOPBACK, port, opponent_name(guest), os.urandom
    )


@frozen
class Style:
    """How opponents play: at what level, and after how many seconds of thought."""

    level: str
    seconds: float = 0.0


async def play_for(node: Node, style: Style) -> None:
    """Have an opponent play for a node until the node stops."""
    choose = opponent(style.level, node.charter.game.name, random.Random())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(sit_in, node, choose, before_draws(style.seconds))
        await node.run()
        nursery.cancel_scope.cancel()


def opponent_name(guest: Home) -> str:
    """A name that no other house gives to an opponent."""
    one, two = words(guest.identity.public, 2)
    name = f"Robot {one} {two}"
    return name if len(name) <= MAX_WIDTH else f"Robot {one}"


async def _open_home(nursery: trio.Nursery, stack: AsyncExitStack, folder: Path) -> Home:
    identity = Identity.load_or_create(folder)
    journal = stack.enter_context(Journal.open(folder / JOURNAL_FILE))
    endpoint = Endpoint(identity)
    listeners, port = await listen(0)
    await nursery.start(partial(endpoint.serve, listeners, port))
    return Home(folder, endpoint, journal, None)
