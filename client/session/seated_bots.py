"""Bots that sit at a table over the network, each with an identity and a journal of its own.

A bot's files lie below the folder of the player in whose process it runs. Whoever runs a bot could
look into its hand, so the others should trust a bot no more than the player who runs it.
"""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count

import trio
from attrs import define, field, frozen

from client.bots.runner import before_draws, opponent_at_table, sit_in
from client.session.loopback_table import open_on_loopback
from client.session.network_node import NetworkNode
from p2p.discovery.interfaces import LOOPBACK
from p2p.lobby.guest import join
from p2p.match.match_node import MatchNode
from p2p.storage.memberships import Membership

_FOLDER = "opponents"


@define(eq=False)
class SeatedBots:
    """The bots of one player, each opened when it is first needed. Made by `open_seated_bots`."""

    local: NetworkNode
    _stack: AsyncExitStack
    _nursery: trio.Nursery
    _open: dict[int, NetworkNode] = field(factory=dict, init=False)
    _opening: trio.Lock = field(factory=trio.Lock, init=False)

    @property
    def keys(self) -> frozenset[bytes]:
        """Return the public keys of the bots opened so far."""
        return frozenset(local.identity.public for local in self._open.values())

    async def bot(self, number: int) -> NetworkNode:
        """Return bot `number`, counted from 1; make it if there is none yet."""
        async with self._opening:
            if number not in self._open:
                folder = self.local.folder / _FOLDER / f"{number}"
                # Other machines cannot connect to a bot, and need not: the bot connects to them.
                endpoint, journal = await open_on_loopback(folder, self._stack, self._nursery)
                announcer = endpoint.identity
                self._open[number] = NetworkNode(folder, endpoint, journal, None, announcer)
        return self._open[number]

    async def another(self) -> NetworkNode:
        """Make and return a bot that has never played."""
        folder = self.local.folder / _FOLDER
        numbers = (number for number in count(1) if not (folder / f"{number}").exists())
        return await self.bot(next(numbers))

    async def all(self) -> list[NetworkNode]:
        """Open all bots that were ever made here, and return them."""
        folder = self.local.folder / _FOLDER
        names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
        # Systems put files such as .DS_Store beside the bots' folders.
        numbers = sorted(int(name) for name in names if name.isdecimal())
        return [await self.bot(number) for number in numbers]


@asynccontextmanager
async def open_seated_bots(local: NetworkNode) -> AsyncIterator[SeatedBots]:
    """Make the bots of `local` available during the block; each is opened when it is needed."""
    async with AsyncExitStack() as stack, trio.open_nursery() as nursery:
        yield SeatedBots(local, stack, nursery)
        nursery.cancel_scope.cancel()


async def seat(guest: NetworkNode, port: int, name: str) -> Membership:
    """Have a bot sit down as `name` in the lobby at `port` of this machine."""
    return await join(guest.endpoint, guest.journal, LOOPBACK, port, name, os.urandom)


@frozen
class BotSettings:
    """The level of bots, and the seconds for which they pause at the beginning of a turn."""

    level: str
    seconds: float = 0.0


async def play_for(node: MatchNode, bots: BotSettings) -> None:
    """Let a bot play for `node` until the node stops."""
    choose = opponent_at_table(bots.level, node.charter.game.name, None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(sit_in, node, choose, before_draws(bots.seconds))
        await node.run()
        nursery.cancel_scope.cancel()
