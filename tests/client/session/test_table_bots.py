"""The bots of one player at a table: which of them play, and which are proposed for a seat."""

from contextlib import AsyncExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from attrs import define, evolve, field

from client.session import seated_bots, table_bots
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
from protocol.charter import Charter, Member, SignedCharter
from protocol.errors import Refused
from tests.client.lobby_snapshots import key_of
from tests.client.plain_seat import state_of
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
class Bots:
    """A stand-in for the bots of a player; those in `spare` have no seat yet."""

    seated: list[Any]
    spare: list[Any] = field(factory=list)

    @property
    def keys(self) -> frozenset[bytes]:
        return frozenset(bot.identity.public for bot in self.seated)

    async def all(self) -> list[Any]:
        return self.seated

    async def another(self) -> Any:
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

        # In this test each bot has an address of its own, in place of LOOPBACK for all.
        find = MatchNode.find_here

        def find_here(node: MatchNode, key: bytes, port: int) -> None:
            monkeypatch.setattr("p2p.match.match_node.LOOPBACK", addresses[key])
            find(node, key, port)

        monkeypatch.setattr(MatchNode, "find_here", find_here)
        nodes = []
        for bot in (machines.all[1], machines.all[2], machines.all[4]):
            endpoint, journal = await stack.enter_async_context(bot.process())
            nodes.append(NetworkNode(bot.home, endpoint, journal, None, bot.identity))
        node, seated = now.node(host), Bots(nodes[:2], nodes[2:])
        bots = TableBots(cast(Any, seated), BotSettings("easy"), node, JudgedOnce())
        async with beside(bots.run), beside(AbsencePolicy(node, print, IfAbsent.OPPONENT).run):
            await until(lambda: node.charter.attempt == 1 and node.height >= 8)
        assert node.charter.members[guest].key == nodes[2].identity.public
        assert set(bots.playing) == {one.identity.public for one in nodes}


@pytest.mark.parametrize("kept", ["nothing", "history", "all"])
@pytest.mark.usefixtures("proofless")
def test_a_bot_is_introduced_after_a_crash_at_any_step(tmp_path: Path, kept: str) -> None:
    """All have signed that the bot has a seat, but the bot's journal may lack the table.

    `kept` says how much of the match the journal has.
    """
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


def bot_of(number: int) -> Any:
    return SimpleNamespace(
        identity=SimpleNamespace(public=key_of(number), sign=f"signer {number}"),
        journal=f"journal {number}",
        endpoint=SimpleNamespace(port=100 + number),
    )


def charter_of(*numbers: int) -> Charter:
    """Return a charter of six players, of whom the first ones have the keys with these numbers."""
    charter = state_of("canasta", 6).charter
    members = list(charter.members)
    for place, number in enumerate(numbers):
        members[place] = Member(key_of(number), f"Robot {number}", bytes(32))
    return evolve(charter, members=tuple(members))


@define(eq=False)
class Node:
    """A stand-in for the node of the player, or of a bot; `done` has its calls."""

    charter: Charter
    key: bytes = key_of(0)
    progress: trio.Event = field(factory=trio.Event)
    going_on: Any = field(factory=lambda: SimpleNamespace(wants_bots=()))
    endpoint: Any = field(factory=lambda: SimpleNamespace(port=7))
    done: list[Any] = field(factory=list)
    refuses: bool = False

    def find_here(self, key: bytes, port: int) -> None:
        self.done.append(("find", key, port))

    async def restore(self) -> None:
        await trio.lowlevel.checkpoint()
        self.done.append("restore")

    def propose(self, *given: object) -> None:
        self.done.append(given)
        if self.refuses:
            raise Refused("This proposal does not go on from the end of this machine's record.")


@pytest.mark.usefixtures("autojump_clock")
async def test_each_bot_with_a_seat_plays_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot may get a seat later. Its node and the player's node are told each other's ports."""
    node, bots = Node(charter_of(0, 13)), Bots([bot_of(13), bot_of(14)])
    made: list[Any] = []
    playing: list[object] = []
    judge: Any = "the judge"

    def match_node(*given: object, **more: object) -> Any:
        made.append(Node(node.charter))
        made[-1].done += [given, more]
        return made[-1]

    async def play_for(one: object, settings: object) -> None:
        playing.append((one, settings))
        await trio.sleep_forever()

    async def at_once(function: Any, *given: object) -> object:
        await trio.lowlevel.checkpoint()
        return function(*given)

    monkeypatch.setattr("trio.to_thread.run_sync", at_once)  # no thread: the clock would jump
    monkeypatch.setattr(table_bots, "MatchNode", match_node)
    monkeypatch.setattr(table_bots, "play_for", play_for)
    monkeypatch.setattr(TableBots, "_membership", lambda _, bot: f"seat of {bot.journal}")
    settings = BotSettings("easy")
    at_table = TableBots(bots, settings, node, judge)  # type: ignore[arg-type]
    assert at_table.own() == (1,)
    async with beside(at_table.run):
        await trio.sleep(5)
        assert (len(made), [*at_table.playing.values()]) == (1, made)
        node.charter = charter_of(0, 13, 14)
        node.progress.set()
        node.progress = trio.Event()
        await trio.sleep(0.1)
        assert playing == [(one, settings) for one in made]
    for number, one in zip((13, 14), made, strict=True):
        bot = bots.seated[number - 13]
        given = (bot.endpoint, f"journal {number}", f"seat of journal {number}")
        more = {"judge": judge, "follows": node.key}
        assert one.done == [given, more, ("find", node.key, 7), "restore"]
    assert node.done == [("find", key_of(n), 100 + n) for n in (13, 14)]
    assert at_table.own() == (1, 2)


@pytest.mark.usefixtures("autojump_clock")
async def test_a_new_bot_is_proposed_for_each_seat_and_kept_until_it_sits() -> None:
    """Bots for two seats have two names, and the same bots are proposed again after a refusal."""
    node, bots = Node(charter_of(0), refuses=True), Bots([], [*map(bot_of, (22, 21, 20))])
    at_table = TableBots(bots, BotSettings("easy"), node, None)  # type: ignore[arg-type]
    node.going_on.wants_bots = (1, 4)
    async with beside(at_table.run):
        await trio.sleep(1.5)
        first, second = node.done
        assert first == second
    members, signers = node.done.pop()
    assert {player: (m.key, m.name) for player, m in members.items()} == {
        1: (key_of(20), "Robot Ada"),
        4: (key_of(21), "Robot Ben"),
    }
    assert len({member.nonce for member in members.values()}) == 2
    assert signers == {key_of(20): "signer 20", key_of(21): "signer 21"}
    node.charter = evolve(node.charter, members=(node.charter.members[0], members[1]))
    await at_table._propose((1,))
    (again, _signers) = node.done.pop()
    assert [(m.key, m.name) for m in again.values()] == [(key_of(22), "Robot Cleo")]


@pytest.mark.usefixtures("autojump_clock")
async def test_a_bot_plays_as_long_as_its_node_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    playing: list[object] = []

    async def sit_in(*given: object) -> None:
        playing.append(given)
        await trio.sleep_forever()

    async def run() -> None:
        await trio.sleep(3)

    node: Any = SimpleNamespace(charter=state_of("canastra", 2).charter, run=run)
    monkeypatch.setattr(seated_bots, "opponent_at_table", lambda *given: given)
    monkeypatch.setattr(seated_bots, "before_draws", lambda seconds: f"after {seconds}")
    monkeypatch.setattr(seated_bots, "sit_in", sit_in)
    began = trio.current_time()
    with trio.fail_after(5):
        await seated_bots.play_for(node, BotSettings("easy", 0.5))
    assert trio.current_time() - began == 3
    assert playing == [(node, ("easy", "canastra", None), "after 0.5")]
