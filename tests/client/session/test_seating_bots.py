"""The bots of one player at a table: which of them play, and which are proposed for a seat."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock, call

import pytest
import trio
from attrs import define, evolve, field

from client.record_files import RecordError
from client.session import seated_bots, solo, table_bots
from client.session.display.snapshot import AfterMatch
from client.session.seated_bots import BotSettings
from client.session.solo import Outcome, SoloTables, opponents_for
from client.session.solo_folder import solo_folder
from client.session.table_bots import TableBots
from client.settings import Settings
from engine.games import game_named
from p2p.background_task import beside
from p2p.storage.private_files import make_private
from protocol.charter import Charter, Member
from protocol.charter_extensions import opponents_extension
from protocol.deal_of_the_day import day_extension
from protocol.errors import Refused
from tests.client.lobby_snapshots import key_of
from tests.client.plain_seat import state_of

pytestmark = pytest.mark.usefixtures("autojump_clock")


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


@define
class Bots:
    """A stand-in for the bots of this machine; new ones have the numbers from 20 on."""

    seated: list[Any]

    @property
    def keys(self) -> frozenset[bytes]:
        return frozenset(bot.identity.public for bot in self.seated)

    async def all(self) -> list[Any]:
        await trio.lowlevel.checkpoint()
        return self.seated

    async def another(self) -> Any:
        await trio.lowlevel.checkpoint()
        self.seated = [*self.seated, bot_of(20 + len(self.seated))]
        return self.seated[-1]


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


async def test_a_new_bot_is_proposed_for_each_seat_and_kept_until_it_sits() -> None:
    """Bots for two seats have two names, and the same bots are proposed again after a refusal."""
    node, bots = Node(charter_of(0), refuses=True), Bots([])
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


# -- a table of one person and bots


@define(eq=False)
class SoloNode:
    """A stand-in for a node of a table on this machine."""

    charter: Charter
    state: Any
    ran: bool = False

    async def run(self) -> None:
        self.ran = True
        await trio.sleep_forever()

    def record(self) -> Sequence[bytes]:
        return [b"record"]


@pytest.mark.parametrize(
    ("level", "day", "seed", "chosen", "end"),
    [
        ("easy", "", None, ("easy", None), "over"),
        ("easy", "", 7, ("easy", "7 {number}"), "left"),
        ("strong", "2026-11-28", 7, ("strong", "2026-11-28 {number}"), "over"),
        ("no such level", "", None, ("middle", None), "the disk is full"),
    ],
)
async def test_all_seats_but_the_first_are_played_by_bots(
    level: str,
    day: str,
    seed: int | None,
    chosen: tuple[str, str | None],
    end: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The level is that of the charter, if this program knows it.

    The folder of the table is deleted only when the record of the match is in a file.
    """
    complete = end != "left"
    extensions = (*([day_extension(day)] if day else []), opponents_extension(level))
    charter = evolve(state_of("canastra", 2).charter, extensions=extensions)
    nodes = [SoloNode(charter, SimpleNamespace(complete=complete)) for _ in range(3)]
    folder = make_private(tmp_path / "table")
    bots: list[object] = []
    sitting: list[Any] = []

    class Opened:
        """A stand-in for the table."""

        async def __aenter__(self) -> Any:
            return nodes

        async def __aexit__(self, *_: object) -> None:
            sitting.append("closed")

    async def sit_in(node: object, choose: object, pause: object) -> None:
        sitting.append((node, choose, pause))
        await trio.sleep_forever()

    async def show(node: Any) -> AfterMatch:
        await trio.sleep(1)
        assert node is nodes[0]
        assert all(one.ran for one in nodes)
        return AfterMatch.AGAIN

    def opponent(*given: object) -> object:
        bots.append(given)
        return len(bots)

    monkeypatch.setattr(solo, "opponent_at_table", opponent)
    monkeypatch.setattr(solo, "sit_in", sit_in)
    monkeypatch.setattr(solo, "before_draws", lambda seconds: f"after {seconds}")
    full = RecordError("It is full.") if end == "the disk is full" else None
    saved = Mock(side_effect=full, return_value=Path("record"))
    monkeypatch.setattr(solo, "save_record", saved)
    tables = SoloTables(Settings(level="middle", pace="calm"), show, seed)
    table: Any = Opened()
    later = r"^It is full\..* writes the record: sobremesa solo --continue$"
    with pytest.raises(RecordError, match=later) if full else nullcontext():
        outcome = await tables._play(table, folder)
        record, choice = (
            (Path("record"), AfterMatch.AGAIN) if complete else (None, AfterMatch.LEAVE)
        )
        assert (outcome.charter, outcome.record, outcome.choice) == (charter, record, choice)
    assert saved.mock_calls == [call([b"record"], "canastra")] * complete
    name, base = chosen
    assert bots == [(name, "canastra", base and base.format(number=n)) for n in (1, 2)]
    assert sorted(sitting[:-1], key=lambda one: one[1]) == [
        (nodes[1], 1, "after 1.0"),
        (nodes[2], 2, "after 1.0"),
    ]
    assert sitting[-1] == "closed"
    assert folder.exists() is (end != "over")


@pytest.mark.parametrize(
    ("name", "players", "before", "others"),
    [
        ("Ana", 4, (), ("Bruno", "Carla", "Diego")),
        ("Olga", 3, (), ("Ana", "Bruno")),
        ("Ana", 4, ("Bruno", "Carla", "Diego"), ("Carla", "Diego", "Elena")),
        ("Ana", 3, ("Gloria", "Bruno"), ("Bruno", "Carla")),
        ("Ana", 3, ("Zoe", "Eva"), ("Carla", "Diego")),  # bots of an older version
    ],
)
def test_at_the_next_table_the_names_of_the_opponents_move_on_by_one(
    name: str, players: int, before: tuple[str, ...], others: tuple[str, ...]
) -> None:
    assert opponents_for(name, players, before) == others


async def test_the_deal_of_a_day_is_one_round_against_the_usual_opponents(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A rematch has the same opponents, or the next ones, and a seed of its own."""
    played: list[object] = []
    ends = [AfterMatch.AGAIN, AfterMatch.OTHER_SEATS, AfterMatch.LEAVE]
    game = game_named("kanastic")

    async def play_new(tables: SoloTables, *given: object) -> Outcome:
        await trio.lowlevel.checkpoint()
        played.append((tables.seed, *given))
        names = ("Bruno", "Ana", "Carla", "Diego")
        charter = evolve(state_of("kanastic", 4, names).charter, options=game.options(rounds=1))
        return Outcome(charter, None, ends.pop(0))

    monkeypatch.setattr(SoloTables, "_play_new", play_new)
    show: Any = None
    tables = SoloTables(Settings(name="Bruno"), show, 5)
    outcome = await tables.of_the_day(game, "2026-11-28")
    assert outcome.choice is AfterMatch.LEAVE
    others, rules = ("Ana", "Carla", "Diego"), game.options(rounds=1)
    assert played == [
        (5, game, rules, others, "2026-11-28"),
        (6, game, rules, others),
        (7, game, rules, ("Carla", "Diego", "Elena")),
    ]
    ends.append(AfterMatch.LEAVE)
    assert (await tables.new(game, game.options(), 3)).choice is AfterMatch.LEAVE
    assert played[3:] == [(5, game, game.options(), ("Ana", "Carla"))]


@pytest.mark.parametrize("day", ["", "2026-11-28"])
async def test_a_new_table_gets_the_first_free_folder(
    day: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The charter names the level of the opponents, and the day if there is one."""
    made: list[object] = []

    async def play(_tables: SoloTables, *given: object) -> Outcome:
        await trio.lowlevel.checkpoint()
        made.append(given)
        return Outcome(state_of("canasta", 3).charter)

    monkeypatch.setattr(solo, "loopback_table", lambda *given: given)
    monkeypatch.setattr(SoloTables, "_play", play)
    for taken in ("0", "2"):
        make_private(solo_folder() / taken)
    canasta, show = game_named("canasta"), cast(Any, None)
    tables = SoloTables(Settings(name="Ana", level="easy"), show)
    for number in ("1", "3"):
        await tables._play_new(canasta, canasta.options(), ("Bruno", "Carla"), day)
        folder = home / "solo" / number
        level = opponents_extension("strong" if day else "easy")
        extensions = (*([day_extension(day)] if day else []), level)
        table = (canasta, canasta.options(), ("Ana", "Bruno", "Carla"), folder, extensions)
        assert made.pop() == (table, folder)
