"""The end of a person's time at a table: the last lines, the record, and the goodbye."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
import trio
from attrs import define, evolve, field

from client.record_files import RecordError
from client.session import table
from client.session.absence_policy import IfAbsent
from client.session.display.snapshot import AfterMatch
from client.session.table import TablePolicy, TableSession
from engine.sentences import Sentence
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from p2p.storage.private_files import make_private
from p2p.table.asides import AsideCode
from protocol.charter import Charter, Member
from protocol.errors import Exposed, Refused
from protocol.table.own_key_probe import OwnKeyElsewhere, own_key_elsewhere
from protocol.words_for_keys import words
from tests.p2p.table.vector_records import record_of, signed_charter

FILE = "records.json"


@define(slots=False)
class Node:
    """A stand-in for a node at the table, which keeps a list of its calls."""

    charter: Charter
    left_out: bool = False
    over: bool = False
    exposed: object = None
    done: list[object] = field(factory=list)
    too_often: bool = False

    @property
    def asides(self) -> Any:
        return SimpleNamespace(say=self._say)

    @property
    def match_id(self) -> bytes:
        return self.charter.table_id

    @property
    def state(self) -> Any:
        return SimpleNamespace(complete=self.over)

    def record(self) -> Iterator[bytes]:
        return iter((b"the ", b"record"))

    def stop(self) -> None:
        self.done.append("stop")

    def leave(self) -> None:
        self.done.append("leave")

    async def close_links(self) -> None:
        self.done.append("close")

    def _say(self, code: AsideCode) -> None:
        self.done.append(code)
        if self.too_often:
            raise Refused("Too often.")


@define
class Sitting:
    """A session at a table whose node and bots are stand-ins; `told` is what the person reads."""

    session: TableSession
    node: Node
    bot: Node
    journal: Journal
    told: list[str]


@pytest.fixture
def sitting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sitting]:
    home = make_private(tmp_path / "home")
    charter = signed_charter(FILE).charter
    node, bot, told = Node(charter), Node(charter), list[str]()
    playing = SimpleNamespace(playing={b"key": bot})
    monkeypatch.setattr(table, "MatchNode", lambda *_, **_more: node)
    monkeypatch.setattr(table, "TableBots", lambda *_: playing)
    with Journal.open(home / JOURNAL_FILE) as journal:
        record_of(journal, FILE, 5)
        local: Any = SimpleNamespace(endpoint=None, journal=journal, folder=home)
        display: Any = SimpleNamespace(tell=told.append)
        none: Any = None
        policy = TablePolicy(none)
        yield Sitting(TableSession(local, none, none, display, policy), node, bot, journal, told)


def _left_out(at: Sitting) -> None:
    at.node.left_out = at.node.over = True


def _given_up(at: Sitting) -> None:
    at.journal.note_given_up(at.node.match_id)


def _over(at: Sitting) -> None:
    at.node.over = True


def _written(at: Sitting) -> None:
    at.node.over = True
    at.journal.note_in_a_file(at.node.match_id)


def _exposed(at: Sitting) -> None:
    at.node.over, at.node.exposed = True, "somebody"


@pytest.mark.parametrize(
    ("how", "lines", "is_written"),
    [
        (lambda _: None, ["You have left the table. To go on: sobremesa resume"], False),
        (_left_out, ["You were away for too long: the others have gone on without you."], False),
        (_given_up, ["You have given up this match.", "THE RECORD"], True),
        (_over, ["THE RECORD"], True),
        (_written, [], False),
        (_exposed, [], False),
    ],
)
async def test_a_person_who_leaves_reads_what_became_of_the_match(
    how: Callable[[Sitting], None], lines: list[str], is_written: bool, sitting: Sitting
) -> None:
    """The record of a match that is over is written once."""
    how(sitting)
    await sitting.session._conclude()
    folder = sitting.session.local.folder / "records"
    found = [*folder.iterdir()] if folder.exists() else []
    assert [path.read_bytes() for path in found] == [b"the record"] * is_written
    written = "".join(f"The record is in {p}. To check it: sobremesa audit {p}" for p in found)
    assert sitting.told == [written if line == "THE RECORD" else line for line in lines]
    noted = sitting.journal.is_in_a_file(sitting.node.match_id)
    assert noted is (is_written or how is _written)
    assert sitting.session.code == 0


@pytest.mark.parametrize("code", [0, 1])
async def test_a_record_that_cannot_be_written_waits_in_the_journal(
    code: int, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exit code says so, unless it already says that somebody has cheated."""
    monkeypatch.setattr(table, "save_record", Mock(side_effect=RecordError("The disk is full.")))
    sitting.node.over, sitting.session.code = True, code
    await sitting.session._conclude()
    (told,) = sitting.told
    assert told.startswith("The disk is full. Nothing of the match is lost. ")
    assert told.endswith("this command writes the record: sobremesa resume")
    assert sitting.session.code == (code or 2)
    assert not sitting.journal.is_in_a_file(sitting.node.match_id)


async def test_people_at_the_table_are_remembered_but_bots_are_not(sitting: Sitting) -> None:
    ana, bruno, *others = sitting.node.charter.members
    bot = Member(bruno.key, "Robot Ada", bruno.nonce)
    sitting.node.charter = evolve(sitting.node.charter, members=(ana, bot, *others))
    await sitting.session._meet()
    known = {(peer.key, peer.name) for peer in sitting.journal.peers()}
    assert known == {(one.key, one.name) for one in (ana, *others)}


@pytest.mark.parametrize(
    ("choice", "over", "says", "bot"),
    [
        (AfterMatch.LEAVE, True, ["leave"], ["leave"]),
        (AfterMatch.AGAIN, False, ["leave"], ["leave"]),
        (AfterMatch.AGAIN, True, [AsideCode.REMATCH, "stop"], []),
        (AfterMatch.OTHER_SEATS, True, [AsideCode.REMATCH_OTHER_SEATS, "stop"], []),
    ],
)
@pytest.mark.parametrize("too_often", [False, True])
def test_the_others_hear_of_a_wish_for_a_rematch_or_of_leaving(
    choice: AfterMatch,
    over: bool,
    says: list[object],
    bot: list[object],
    too_often: bool,
    sitting: Sitting,
) -> None:
    """If the goodbye is refused because too much was said, the program stops all the same."""
    sitting.node.over, sitting.node.too_often = over, too_often
    sitting.session._say_goodbye(choice)
    assert (sitting.node.done, sitting.bot.done) == (says, bot)


async def test_a_player_who_is_interrupted_leaves_with_their_bots(sitting: Sitting) -> None:
    await sitting.session._leave_now()
    assert sitting.node.done == sitting.bot.done == [AsideCode.LEAVING, "close"]


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("if_absent", [None, IfAbsent.END])
async def test_everything_about_a_table_runs_beside_the_play(
    fresh: bool, if_absent: IfAbsent | None, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a resumed table is restored, the screen shows the progress."""
    session, node, done = sitting.session, sitting.node, list[object]()
    running = trio.Event()

    def noted(name: str) -> Callable[..., Any]:
        async def run(*given: object, **_more: object) -> bool:
            await trio.lowlevel.checkpoint()
            done.append((name, *given))
            if name in {"_follow", "announces", "bots", "policy"}:
                await trio.sleep_forever()  # until the play is over
            return True

        return run

    async def play(_session: TableSession, task_status: trio.TaskStatus[AfterMatch]) -> None:
        await trio.testing.wait_all_tasks_blocked()
        goodbyes.append(session._leave_now in signalled)
        task_status.started(AfterMatch.AGAIN)
        running.set()
        await trio.sleep(0)

    def at_a_signal(goodbye: object) -> AbstractContextManager[None]:
        signalled.append(goodbye)
        return nullcontext()

    goodbyes, signalled = list[bool](), list[object]()
    session.display.restoring = noted("restoring")  # type: ignore[method-assign]
    node.restore = noted("restore")  # type: ignore[attr-defined]
    session.membership = SimpleNamespace(fresh=fresh)  # type: ignore[assignment]
    session.policy = TablePolicy(session.policy.bots, if_absent)
    session.seated_bots = SimpleNamespace(all=noted("all bots"))  # type: ignore[assignment]
    session._bots.run = noted("bots")  # type: ignore[method-assign]
    monkeypatch.setattr(table, "_announce_table", noted("announces"))
    monkeypatch.setattr(table, "at_a_signal", at_a_signal)
    policy = SimpleNamespace(run=noted("policy"))
    made = Mock(return_value=policy)
    monkeypatch.setattr(table, "AbsencePolicy", made)
    for name in ("_follow", "_meet"):
        monkeypatch.setattr(TableSession, name, noted(name))
    monkeypatch.setattr(TableSession, "_play", play)
    with trio.fail_after(5):
        async with trio.open_nursery() as nursery:
            assert await nursery.start(session.run) is AfterMatch.AGAIN
    first: list[Any] = [] if fresh else [("restoring", node.restore)]  # type: ignore[attr-defined]
    first += [("restore",), ("_meet", session), ("all bots",)]
    assert done[: len(first)] == first
    beside: list[object] = [("_follow", session), ("announces", session.local, node), ("bots",)]
    if if_absent:
        beside.append(("policy",))
        made.assert_called_once_with(node, session.display.tell, if_absent)
    assert sorted(map(repr, done[len(first) :])) == sorted(map(repr, beside))
    assert goodbyes == [True]
    assert session.done.is_set()


async def test_a_person_can_leave_while_the_table_is_being_restored(sitting: Sitting) -> None:
    session: Any = sitting.session
    session.membership = SimpleNamespace(fresh=False)
    session.display.restoring = AsyncMock(return_value=False)
    sitting.node.restore = None  # type: ignore[attr-defined]
    async with trio.open_nursery() as nursery:
        assert await nursery.start(session.run) is AfterMatch.LEAVE
    assert session.done.is_set()
    assert sitting.told == []


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("contradicted", [False, True])
@pytest.mark.parametrize(
    "error", [own_key_elsewhere(), Exposed(1, "R8", Sentence("They signed two."), ())]
)
async def test_an_error_that_stops_the_table_ends_it_for_the_person(
    error: Exception,
    left: bool,
    contradicted: bool,
    sitting: Sitting,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If the person had left before the error, the choice that they made then stands."""

    async def play(session: TableSession, task_status: trio.TaskStatus[AfterMatch]) -> None:
        await trio.sleep(1)
        if left:
            session._left = True
            task_status.started(AfterMatch.AGAIN)
            await trio.sleep(1)
        raise ExceptionGroup("", [error])

    session: Any = sitting.session
    session.membership = SimpleNamespace(fresh=True)
    session.seated_bots = SimpleNamespace(all=AsyncMock())
    session._bots.run = sitting.node.restore = AsyncMock()  # type: ignore[attr-defined]
    sitting.node.contradicted = contradicted  # type: ignore[attr-defined]
    monkeypatch.setattr(table, "_announce_table", AsyncMock())
    evidence = AsyncMock()
    for name, part in (("_follow", AsyncMock()), ("_meet", AsyncMock()), ("_play", play)):
        monkeypatch.setattr(TableSession, name, part)
    monkeypatch.setattr(TableSession, "_end_in_evidence", evidence)
    async with trio.open_nursery() as nursery:
        choice = await nursery.start(session.run)
    assert choice is (AfterMatch.AGAIN if left else AfterMatch.LEAVE)
    is_elsewhere = isinstance(error, OwnKeyElsewhere)
    assert (session.code, session.done.is_set()) == (int(is_elsewhere), True)
    assert evidence.called is not is_elsewhere
    assert sitting.told == [str(own_key_elsewhere(contradicted=contradicted))] * is_elsewhere


@pytest.mark.parametrize("written", [False, True])
async def test_evidence_is_told_with_the_command_that_extracts_it(
    written: bool, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = AsyncMock(return_value=Path("file") if written else None)
    monkeypatch.setattr(TableSession, "_write_record", write)
    cheat = sitting.node.charter.members[1]
    history = SimpleNamespace(newest=SimpleNamespace(cheat=cheat))
    sitting.node.tables = SimpleNamespace(history=history)  # type: ignore[attr-defined]
    sitting.node.exposed = Exposed(1, "R8", Sentence("They signed two."), ())
    await sitting.session._end_in_evidence()
    line = (
        f"The table has stopped. {cheat.name} ({' '.join(words(cheat.key))}) has signed what "
        "exposes them: They signed two."
    )
    take_out = (
        "The record ends in the evidence. To extract the evidence: sobremesa audit file "
        "--evidence OUT"
    )
    assert sitting.told == [line, *[take_out] * written]
    assert sitting.session.code == 1
