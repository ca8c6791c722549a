"""A node goes back to an absence that it has agreed to and forgotten: what its player is told, and
what a spectator there sees (record.md, 6 and 8.8).
"""

import random
from pathlib import Path

import pytest
import trio
from attrs import define
from trio.testing import MockClock

from client.session.display.presenter import Presenter
from client.session.display.snapshot import Decision, Snapshot
from client.session.display.spectator_seat import SpectatorSeat
from client.ui.text.events import Narrator
from engine.errors import IllegalMove
from engine.games import game_named
from p2p.discovery.address_book import Address
from p2p.storage.memberships import Membership
from p2p.table.node import Node
from protocol.charter import Charter, Member, SignedCharter
from protocol.errors import Refused
from protocol.player import Player
from protocol.reducer import advance
from protocol.signing import Signer
from protocol.state import State
from tests.p2p.machines import PORT, Machine, Machines
from tests.p2p.visitors.watchers import node_at, somebody, watching
from tests.protocol.absent import ended
from tests.protocol.ring import Ring

pytestmark = pytest.mark.usefixtures("on_memory", "without_proofs")


@define
class Log:
    """A display of which only the newest log is looked at."""

    lines: tuple[str, ...] = ()

    def show(self, snapshot: Snapshot) -> None:
        self.lines = tuple(line.text for line in snapshot.log)

    def refuse(self, error: IllegalMove | Refused) -> None: ...

    def tell(self, sentence: str) -> None: ...

    async def decided(self) -> Decision:
        await trio.sleep_forever()
        raise AssertionError


def ring_of(machines: Machines) -> Ring:
    """The machines around a table that admits spectators."""
    rules = game_named("canasta")
    members = tuple(Member(one.key, one.name, bytes(32)) for one in machines.all)
    charter = Charter(rules, rules.options(), members, spectators=True)
    signers: list[Signer] = [one.identity.sign for one in machines.all]
    signed = SignedCharter(charter, tuple(charter.sign(sign) for sign in signers))
    players = [Player(me, sign) for me, sign in enumerate(signers)]
    return Ring(State.start(charter), signed, players, random.Random(1), signers)


async def run(machine: Machine, ring: Ring, entries: list[bytes], *, put_back: bool) -> None:
    """A node whose journal has these entries; `put_back` from a copy of unknown age."""
    me = machine.number
    addresses = (Address(one.key, host_of(number), PORT) for number, one in members_of(ring))
    membership = Membership(ring.charter, me, tuple(addresses), fresh=False)
    async with machine.process() as (endpoint, journal):
        membership.keep(journal)
        table_id = ring.state.table_id
        for height, entry in enumerate(entries, 1):
            journal.append(table_id, height, entry, None)
        if put_back:
            journal.forget_entries(table_id, len(entries) + 1)
        machine.node = Node(endpoint, journal, membership)
        await machine.node.run(linger=True)


def host_of(number: int) -> str:
    return f"10.0.0.{number + 1}"


def members_of(ring: Ring) -> list[tuple[int, Member]]:
    return list(enumerate(ring.charter.charter.members))


async def test_6_what_is_taken_back_is_told_and_no_spectator_is_told_of_a_cheat(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Ana and Bruno have agreed that the one who is due is absent, and Bruno's journal was put back
    to before that. Bruno hears of the late entry first, and only then of the absence.
    """
    machines = Machines.make(3, tmp_path)
    ring = ring_of(machines)
    before, late = ring.state, ring.write()
    absent = before.writers[0]
    knows, forgot = (one for one in machines.all if one.number != absent)
    cut = ended(ring, before, absent)
    eva = somebody(machines, tmp_path)
    log, watched = Log(), Log()
    narrator = Narrator(symbols=False)
    async with trio.open_nursery() as nursery:

        async def start(machine: Machine, *entries: bytes, put_back: bool = False) -> None:
            async def until_over() -> None:
                await run(machine, ring, list(entries), put_back=put_back)

            nursery.start_soon(until_over)
            await node_at(machine, 0)

        await start(forgot, put_back=True)
        await start(machines.all[absent], late)
        node = await node_at(forgot, 1)
        nursery.start_soon(Presenter(node, log, narrator).run)
        async with watching(eva, forgot) as watcher:
            await watcher.has(1)
            nursery.start_soon(Presenter(SpectatorSeat(watcher.table), watched, narrator).run)
            await trio.sleep(1)
            assert watcher.table.state.head == advance(before, late).head
            await start(knows, cut)
            while not watcher.table.state.complete:
                await watcher.table.progress.wait()
            await trio.sleep(1)
            assert watcher.table.state.head == node.state.head == advance(before, cut).head
            assert watcher.table.exposed is None
            assert b"".join(watcher.table.record()) == b"".join(node.record())
        nursery.cancel_scope.cancel()
    for told in (log.lines, watched.lines):
        first, second, *_ = told
        assert first.startswith("1 step is taken back: before it the players")
        name = ring.charter.charter.members[absent].name
        assert second == f"All the others have agreed: the match ends here without {name}."
