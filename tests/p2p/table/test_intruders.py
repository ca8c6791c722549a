"""Intruders: somebody between two players, somebody in the place of another, and a flood."""

from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
import trio

from p2p.lobby.guest import join
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.transport.endpoint import Endpoint
from p2p.transport.tls import PeerRefused
from protocol.charter import Member
from protocol.words_for_keys import words
from tests.p2p.lobby.lobbies import charter
from tests.p2p.machines import PORT, Machine, Machines, failure_of
from tests.p2p.table.in_memory_mesh import ANA, BRUNO, EVE

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")

NONCE = bytes(range(32))


def test_players_with_somebody_between_them_see_different_words() -> None:
    """Eve plays as Bruno at Ana's table, and as Ana at a table with the real Bruno.

    Names, options and nonces are the same at both tables. Only the keys differ.
    """
    words_seen = []
    for keys in ((ANA, EVE), (EVE, BRUNO)):
        members = (
            Member(who.public, name, NONCE)
            for who, name in zip(keys, ("Ana", "Bruno"), strict=True)
        )
        words_seen.append(words(charter(*members).table_id))
    assert words_seen[0] != words_seen[1]


async def test_a_guest_who_expects_a_hosts_key_does_not_sit_down_with_another_key(
    tmp_path: Path,
) -> None:
    ana, bruno, eve = Machines.make(3, tmp_path).all
    async with eve.process(), bruno.process() as (endpoint, journal):
        arguments = (endpoint, journal, eve.address, PORT, "Bruno", lambda _size: NONCE)
        error = await failure_of(join(*arguments, expect=ana.identity.public))
    assert isinstance(error, PeerRefused)


async def test_a_stranger_who_floods_the_port_does_not_stop_the_game(tmp_path: Path) -> None:
    """The stranger's connections are silent, send nonsense, or ask for the table.

    Half of them come from one address, and half from many addresses.
    """
    machines = Machines.make(2, tmp_path)
    await machines.sit_down(rounds=1)
    eve = Machine(machines.network, 5, tmp_path / "eve")
    with Journal.open(machines.all[0].home / JOURNAL_FILE) as journal:
        table_id = journal.tables()[0].table_id
    refused: list[Exception] = []

    async def flood(victim: Machine) -> None:
        for number in count():
            await trio.sleep(0.02)
            eve.address = f"10.1.{number // 250}.{number % 250}" if number % 2 else "10.2.0.1"
            # Perhaps nobody listens there yet, or not any more.
            with suppress(OSError, trio.BrokenResourceError):
                silent = await eve.open_stream(victim.address, PORT)
                rude = await eve.open_stream(victim.address, PORT)
                await rude.send_all(b"GET / HTTP/1.1\r\n\r\n")
                refused.append(await failure_of(ask(victim)))
                await silent.aclose()

    async def ask(victim: Machine) -> None:
        stranger = Endpoint(eve.identity, open_stream=eve.open_stream)
        async with stranger.dial(victim.address, PORT, table_id) as link:
            while True:
                await link.receive()

    with trio.fail_after(3600):
        async with trio.open_nursery() as nursery:
            for victim in machines.all:
                for _ in range(3):
                    nursery.start_soon(flood, victim)
            await machines.play()
            nursery.cancel_scope.cancel()
    machines.check_consistent()
    assert len(refused) >= 20
