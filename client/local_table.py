"""A whole table on this machine: every seat a node of its own, on loopback.

Each has its own identity, journal, sockets and Trio tasks, and nothing is shared between them:
they know of each other what they would know from other machines.
"""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import trio

from engine.games import Game
from engine.options import Options
from p2p.endpoint import Endpoint
from p2p.identity import Identity
from p2p.journal import JOURNAL_FILE, Journal
from p2p.lobby import Agreement, Host, join
from p2p.node import Node

LOOPBACK = "127.0.0.1"


@asynccontextmanager
async def local_table(
    game: Game, options: Options, names: Sequence[str], folder: Path
) -> AsyncIterator[tuple[Node, ...]]:
    """The nodes of a table at which all have sat down and signed, one for each name, not yet
    running; player i bears the i-th name. Identities and journals lie in `folder`.
    """
    with ExitStack() as journals:
        homes = [folder / f"{number}" for number in range(len(names))]
        endpoints = [Endpoint(Identity.load_or_create(home)) for home in homes]
        async with trio.open_nursery() as nursery:
            for endpoint in endpoints:
                listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
                await nursery.start(endpoint.serve, listeners)
            agreements = await _sit_down(game, options, names, endpoints)
            nodes = []
            for home, endpoint, agreement in zip(homes, endpoints, agreements, strict=True):
                journal = journals.enter_context(Journal.open(home / JOURNAL_FILE))
                nodes.append(Node(endpoint, journal, agreement))
            yield tuple(nodes)
            nursery.cancel_scope.cancel()


async def _sit_down(
    game: Game, options: Options, names: Sequence[str], endpoints: Sequence[Endpoint]
) -> list[Agreement]:
    """The first endpoint hosts; the others join one after the other, so that seats are fixed."""
    agreements: dict[int, Agreement] = {}
    port = endpoints[0].port
    seated = trio.Event()
    came = 1

    def on_seated(present: tuple[str, ...]) -> None:
        nonlocal came
        came = len(present)
        seated.set()

    host = Host(endpoints[0], names[0], game, options, len(names), os.urandom, on_seated)

    async def sit(number: int) -> None:
        guest = partial(join, endpoints[number], LOOPBACK, port, names[number], os.urandom)
        agreements[number] = await (host.run() if number == 0 else guest())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(sit, 0)
        for number in range(1, len(names)):
            nursery.start_soon(sit, number)
            while came <= number:
                await seated.wait()
                seated = trio.Event()
    return [agreements[number] for number in range(len(names))]
