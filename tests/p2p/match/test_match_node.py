"""The node of a match: its status, addresses, callers, end, moves, and record file."""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import evolve

from engine.moves import Pass
from engine.sentences import Sentence
from p2p.discovery.address_book import Address
from p2p.discovery.interfaces import LOOPBACK
from p2p.match.history import KeptHistory
from p2p.match.match_node import MatchNode
from p2p.match.table_status import TableStatus
from p2p.storage.journal import Journal
from p2p.table.node_updates import News
from p2p.transport.endpoint import LOBBY, Caller, say
from p2p.transport.lobby_messages import Ready
from p2p.transport.messages import Agreed, Hello
from protocol.errors import Exposed, OutOfTurn
from protocol.table.own_key_probe import OwnKeyElsewhere
from protocol.table.tasks import Change
from tests.p2p.machines import PORT, failure_of
from tests.p2p.match.evening import END, WAIT, one_missing, until
from tests.p2p.match.kept_match import BRUNO, Match
from tests.p2p.match.watchers import ANA, EVA
from tests.p2p.memory_network import memory_link_pair
from tests.protocol.continuing import OLGA, concluded, offered, seat_newcomers
from tests.protocol.seeded_table import SeededTable

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


async def test_the_status_tells_who_is_missing_and_what_the_others_want(tmp_path: Path) -> None:
    async with one_missing(4, tmp_path) as now:
        node = now.node(0)
        assert node.awaited is not None
        await trio.sleep(12)
        now.wish(END, 0, 1)
        await until(lambda: node.has_accepted(1))
        missing = frozenset({3})
        assert node.status == TableStatus(
            node.state,
            node.view,
            awaited=node.awaited,
            unreached=missing,
            absent=missing,
            missing=missing,
            wishes={0: END, 1: END, 2: WAIT, 3: WAIT},
            proposal=node.proposal,
            accepted=frozenset({0, 1}),
        )
        assert node.awaited.player == 3
        assert node.proposal is not None


def test_only_addresses_of_other_members_are_learned(match: Match) -> None:
    """Members of all tables count. An address on this machine is tried first."""
    node = match.restored_node()
    bruno, olga = node.charter.key_of(BRUNO), OLGA.member.key
    keys = node.key, bruno, olga, bytes(31) + b"9"
    node.learn(Address(key, f"192.0.2.{number}", PORT) for number, key in enumerate(keys))
    assert node.places_of(BRUNO) == (("192.0.2.1", PORT),)
    assert {address.key for address in node.tables.match.book} == {bruno, olga}
    node.find_here(bruno, 9)
    assert node.places_of(BRUNO)[0] == (LOOPBACK, 9)


def test_a_player_can_give_up_the_match_for_good(match: Match) -> None:
    match.node().give_up()
    assert [match.journal.is_given_up(one) for one in match.ids[:2]] == [True, False]


async def test_a_caller_must_ask_for_a_seat_or_to_watch(match: Match) -> None:
    async with memory_link_pair(EVA, ANA) as (theirs, ours):
        await say(theirs, Ready(True))
        with pytest.raises(OutOfTurn, match="neither for a seat nor to watch"):
            await match.node()._receive(Caller(ours, Hello(LOBBY, PORT)))


def noting(calls: list[str], name: str) -> Callable[..., Awaitable[None]]:
    """Return a task of a fake node that only notes its name."""

    async def note(*_arguments: object, **_options: object) -> None:
        calls.append(name)

    return note


@pytest.mark.parametrize(
    ("facts", "done", "waits"),
    [
        ("complete over linger", "room others gallery", True),
        ("complete over linger stopping", "room others gallery", False),
        ("complete over linger elsewhere", "room others gallery", False),
        ("complete over", "room others gallery", False),
        ("complete over left_out linger", "room gallery", True),
        ("over left_out linger", "room gallery", False),
        ("stopping", "room", False),
    ],
)
async def test_a_node_ends_in_order_and_lingers_only_after_a_complete_match(
    facts: str, done: str, waits: bool
) -> None:
    """The node ends the waiting room, sees the other players off, and ends the gallery.

    `done` names those of these steps that are taken. A node that `waits` lingers after them.
    """
    calls = list[str]()
    node: Any = SimpleNamespace(
        room=SimpleNamespace(close=partial(calls.append, "room")),
        node=SimpleNamespace(see_others_off=noting(calls, "others")),
        state=SimpleNamespace(complete="complete" in facts),
        left_out="left_out" in facts,
        over="over" in facts,
        is_elsewhere="elsewhere" in facts,
        _gallery=SimpleNamespace(close=noting(calls, "gallery")),
        _stopping="stopping" in facts,
        progress=trio.Event(),
    )
    with trio.move_on_after(9) as scope:
        await MatchNode._see_others_off(node, linger="linger" in facts)
    assert (" ".join(calls), scope.cancelled_caught) == (done, waits)


@pytest.mark.parametrize(
    ("fact", "raises"),
    [("over", None), ("_stopping", None), ("is_elsewhere", OwnKeyElsewhere), ("exposed", Exposed)],
)
async def test_a_node_runs_until_the_match_is_over_or_it_is_stopped(
    fact: str, raises: type[Exception] | None
) -> None:
    """All links are closed in the end, unless another machine plays with the same key."""
    calls = list[str]()
    sender, receiver = trio.open_memory_channel[Change](1)

    async def see_off(*, linger: bool) -> None:
        calls.append("off" * linger)

    async def look_after() -> None:
        calls.append("looks")
        await trio.sleep(1)
        setattr(node, fact, Exposed(0, "R8", Sentence("They lied."), ()) if "ex" in fact else True)
        node.over |= fact == "exposed"
        node.progress.set()
        await trio.sleep_forever()

    node: Any = SimpleNamespace(
        endpoint=SimpleNamespace(route=lambda _table_id, _receive: nullcontext()),
        restore=noting(calls, "restore"),
        tables=SimpleNamespace(run=noting(calls, "tables"), end=partial(calls.append, "end")),
        state="the last state",
        exposed=None,
        over=False,
        is_elsewhere=False,
        contradicted=False,
        close_links=noting(calls, "links"),
        progress=trio.Event(),
        _gallery=SimpleNamespace(end=partial(calls.append, "gallery")),
        _look_after=look_after,
        _receive=None,
        _see_others_off=see_off,
        _stopping=False,
        _watchers=[sender],
    )
    with trio.fail_after(9):
        if raises is None:
            assert await MatchNode.run(node, linger=True) is node.state
        else:
            assert isinstance(await failure_of(MatchNode.run(node, linger=True)), raises)
    closes = "" if fact == "is_elsewhere" else "off links "
    assert " ".join(calls) == f"restore tables looks {closes}end gallery"
    assert node._watchers == []
    assert [change async for change in receiver] == []


@pytest.mark.parametrize("ends", ["state", "over"])
async def test_playing_a_move_waits_until_it_is_in_the_record_or_the_match_ends(ends: str) -> None:
    chosen, news = list[object](), News()
    player = SimpleNamespace(choose=chosen.append)
    node: Any = SimpleNamespace(
        left_out=False,
        node=SimpleNamespace(machine=SimpleNamespace(player=player)),
        news=news,
        state="before",
        over=False,
        progress=trio.Event(),
    )
    woken = news.next
    with trio.fail_after(9):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(MatchNode.play, node, Pass())
            await trio.sleep(1)
            assert (chosen, woken.is_set()) == ([Pass()], True)
            assert nursery.child_tasks
            setattr(node, ends, "after")
            node.progress.set()


# -- The parts of a record file with two tables


async def test_the_parts_of_a_match_are_numbered_through_all_tables(tmp_path: Path) -> None:
    """The second table continues the first from its second entry, and has one entry of its own.

    The first table also has a third entry, which the continuation takes back.
    """
    table, history = SeededTable.sit(players=3), KeptHistory()
    with Journal.open(tmp_path / "home" / "journal") as journal:
        record = history.look_on(journal, bytes(32), table.charter, table.state)
        for _ in range(2):
            table.step()
            record.take(table.state, table.entries[-1])
        signed = concluded(table, table.state, offered(table.state, ()))
        aside = evolve(table, players=list(table.players), entries=[])
        aside.step()
        record.take(aside.state, aside.entries[-1])
        start = history.begins(signed)
        assert start is not None
        later = history.look_on(journal, bytes(32), signed, start)
        assert history.begun(aside.state).taken_back == 1
        assert history.begun(start).taken_back == 0
        seat_newcomers(table, signed.encode())
        table.step()
        later.take(table.state, table.entries[-1])
        later.chain.evidence = ((2, b"evidence"),)
        assert history.greeting() == Agreed(table.charter.encode())
        assert history.number == len(table.entries) == 4
        found = [[*await history.parts(number, 16)] for number in range(1, 6)]
        one, two, continuation, three = table.entries
        assert found == [[one, two], [two], [continuation], [three], []]
        assert await history.parts(1, 1) == (one,)
        assert history.evidence == ((5, b"evidence"),)
