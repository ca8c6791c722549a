"""Bots of this machine that are proposed for the seats of missing players."""

from contextlib import AsyncExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from attrs import define

from client.session.absence_policy import AbsencePolicy, IfAbsent
from client.session.bot_names import _NAMES, bot_name, is_bot_name
from client.session.network_node import NetworkNode, open_network_node
from client.session.seated_bots import BotSettings, open_seated_bots
from client.session.table_bots import TableBots
from p2p.background_task import beside
from p2p.match.match_node import MatchNode
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.memberships import Membership, keep_history
from p2p.storage.private_files import make_private
from p2p.table.shared_judging import JudgedOnce
from protocol.charter import SignedCharter
from tests.p2p.conftest import on_memory, without_proofs
from tests.p2p.machines import Machine
from tests.p2p.match.evening import one_missing, until
from tests.protocol.continuing import replaced, seat_newcomers
from tests.protocol.seeded_table import SeededTable

__all__ = ("on_memory", "without_proofs")  # fixtures of other files


async def test_other_files_in_the_folder_of_bots_are_ignored(tmp_path: Path) -> None:
    """The Finder of macOS puts a file into each folder, which must not prevent new tables."""
    home = make_private(tmp_path)
    async with open_network_node(home, 0) as local, open_seated_bots(local) as seated_bots:
        made = await seated_bots.another()
        (home / "opponents" / ".DS_Store").touch()
        assert await seated_bots.all() == [made]


@define
class MemoryBots:
    """The bots of a player, on a network in memory; those in `spare` have no seat yet."""

    seated: list[NetworkNode]
    spare: list[NetworkNode]

    @property
    def keys(self) -> frozenset[bytes]:
        return frozenset(bot.identity.public for bot in self.seated)

    async def all(self) -> list[NetworkNode]:
        return self.seated

    async def another(self) -> NetworkNode:
        self.seated.append(self.spare.pop())
        return self.seated[-1]


@pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")
async def test_a_host_with_two_bots_continues_automatically_without_the_guest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The policy of `--if-absent opponent` makes the wish; three of four founders sign."""
    host, guest = 0, 3
    async with one_missing(4, tmp_path, bots=(1, 2)) as now, AsyncExitStack() as stack:
        await now.kill(1, 2)
        machines = now.machines
        machines.all = [*machines.all, Machine(machines.network, 4, tmp_path / "bot")]
        addresses = {machine.key: machine.address for machine in machines.all}

        find = MatchNode.find_here

        def find_here(node: MatchNode, key: bytes, port: int) -> None:
            monkeypatch.setattr("p2p.match.match_node.LOOPBACK", addresses[key])
            find(node, key, port)

        monkeypatch.setattr(MatchNode, "find_here", find_here)
        nodes = []
        for bot in (machines.all[1], machines.all[2], machines.all[4]):
            endpoint, journal = await stack.enter_async_context(bot.process())
            nodes.append(NetworkNode(bot.home, endpoint, journal, None, bot.identity))
        node, seated = now.node(host), MemoryBots(nodes[:2], nodes[2:])
        bots = TableBots(cast(Any, seated), BotSettings("easy"), node, JudgedOnce())
        async with beside(bots.run), beside(AbsencePolicy(node, print, IfAbsent.OPPONENT).run):
            await until(lambda: node.charter.attempt == 1 and node.height >= 8)
        assert node.charter.members[guest].key == nodes[2].identity.public
        assert set(bots.playing) == {one.identity.public for one in nodes}


@pytest.mark.parametrize("kept", ["nothing", "history", "all"])
@pytest.mark.usefixtures("proofless")
def test_a_bot_is_introduced_after_a_crash_at_any_step(tmp_path: Path, kept: str) -> None:
    """All have signed that the bot has a seat, but the bot's journal may lack the table."""
    table = SeededTable.sit("canasta", 3, seed=3)
    table.play_until("move")
    gone = table.state.writers[0]
    before, entries = table.charter, tuple(table.entries)
    match_id = before.charter.table_id
    seat_newcomers(table, replaced(table, table.state, gone))
    signed = SignedCharter.decode(table.entries.pop())
    introduced: list[bytes] = []

    def introduce(key: bytes, journal: Journal, _port: int) -> Membership:
        introduced.append(key)
        keep_history(journal, [(before, entries)])
        membership = Membership(signed, gone, ())
        membership.keep(journal)
        return membership

    with Journal.open(tmp_path / "bot" / JOURNAL_FILE) as journal:
        if kept == "history":
            keep_history(journal, [(before, entries[:5])])
        elif kept == "all":
            introduce(b"", journal, 1)
        node: Any = SimpleNamespace(match_id=match_id, introduce=introduce)
        own = SimpleNamespace(public=signed.charter.key_of(gone))
        bot: Any = SimpleNamespace(identity=own, journal=journal, endpoint=SimpleNamespace(port=1))
        bots = TableBots(cast(Any, None), BotSettings("easy"), node, JudgedOnce())
        membership = bots._membership(bot)
        assert (membership.charter, membership.me) == (signed, gone)
        assert journal.entries(match_id) == entries
    assert introduced == [b"" if kept == "all" else own.public]


@pytest.mark.parametrize(
    ("taken", "name"),
    [
        ((), "Robot Ada"),
        (("Robot Ada",), "Robot Ben"),
        (("ada", "robot bén"), "Robot Cleo"),
        (tuple(f"Robot {one}" for one in _NAMES[:6]), "Robot Gus"),
        (("robot 3", *(f"Robot {one}" for one in _NAMES)), "Robot 2"),
        (("robot 2", *_NAMES), "Robot 3"),
    ],
)
def test_a_bot_gets_a_short_unused_name(taken: tuple[str, ...], name: str) -> None:
    assert bot_name(taken) == name
    assert is_bot_name(name)
