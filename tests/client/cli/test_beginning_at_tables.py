"""The commands `host`, `join`, `resume` and `watch`: what they hand to a session."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, MagicMock, Mock

import pytest
import trio

from client.bots.runner import PACES
from client.cli import shared_arguments
from client.cli.commands import host, join, resume, watch
from client.cli.commands.join import TO_JOIN
from client.cli.commands.watch import TO_WATCH
from client.session.absence_policy import IfAbsent
from client.session.hosted_lobby import Admission
from client.session.run import ListenAt, run_session
from client.session.seated_bots import BotSettings
from client.session.table import TablePolicy
from client.settings import Settings, save_settings
from client.ui.session_displays import PersonDisplay, ProgramDisplay
from client.ui.tui.toolkit import terminal_look
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from protocol.errors import Refused
from tests.client.cli.run_command import parsed
from tests.client.terminals import Typed
from tests.p2p.table.vector_records import open_journal, record_of

OWN = SimpleNamespace(public=bytes(range(32)))


@pytest.fixture
def home(home: Path) -> Path:
    """Return a data folder with settings."""
    save_settings(home, Settings(name="Ana", game="canastra", level="easy", pace="calm"))
    return home


async def begun(command: Any, patch: pytest.MonkeyPatch, local: Any, *words: str) -> Any:
    """Return what a session of the command begins with, and the lines that are told first."""
    told: list[str] = []
    display: Any = SimpleNamespace(tell=told.append, ready=False)
    patch.setattr(command, "play_session", session := Mock(return_value=5))
    arguments, settings = parsed(command, *words), Settings(game="canastra")
    assert command.play(arguments, display, settings) == 5
    *others, begin = session.call_args.args
    assert others == [arguments, display, settings]
    return await begin(local, "the bots"), told


@contextmanager
def node_of(home: Path, **more: Any) -> Iterator[Any]:
    with Journal.open(home / JOURNAL_FILE) as journal:
        endpoint = SimpleNamespace(identity=OWN, port=7)
        yield SimpleNamespace(
            journal=journal, endpoint=endpoint, identity=OWN, trouble=None, beacons=None, **more
        )


@pytest.mark.parametrize(
    ("words", "game", "seats", "title", "admission"),
    [
        ("", "canastra", 2, "Canastra ", Admission()),
        (
            "--game=canasta --players=3 --table=Attic --opponents=1 --known-only --open",
            "canasta",
            3,
            "Attic",
            Admission(opponents=1, known_only=True, everybody=True),
        ),
    ],
)
async def test_host_opens_the_lobby_of_the_table_that_was_typed(
    words: str,
    game: str,
    seats: int,
    title: str,
    admission: Admission,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with node_of(home) as local:
        more = ("--grace=77", "--spectators", "--option=rounds=2")
        lobby, told = await begun(host, monkeypatch, local, *words.split(), *more)
    terms = lobby.terms
    assert (lobby.local, lobby.seated_bots, lobby.name) == (local, "the bots", "Ana")
    assert (lobby.admission, lobby.ready, told) == (admission, False, [])
    assert (terms.game.name, terms.seats) == (game, seats)
    assert (terms.grace, terms.spectators) == (77, True)
    assert terms.title.startswith(title)
    assert dict(terms.options.pairs())["rounds"] == 2


async def test_join_looks_for_the_table_that_was_typed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(join, "find", find := AsyncMock(return_value=[]))
    with node_of(home) as local:
        lobby, told = await begun(join, monkeypatch, local, "Attic", "--name", "Eve")
        assert await lobby.find() == []
    assert (lobby.local, lobby.name, lobby.ready, told) == (local, "Eve", False, [])
    find.assert_called_once_with(local, "Attic", TO_JOIN)


async def test_resume_goes_on_at_the_table_with_that_number(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest table has the number 1, and is resumed if no number is typed."""
    with open_journal(home) as journal:
        older, newer = (
            record_of(journal, file, 5).table_id for file in ("records.json", "canastra.json")
        )
    with node_of(home) as local:
        for words, table in (([], newer), (["--number=1"], newer), (["--number=2"], older)):
            membership, told = await begun(resume, monkeypatch, local, *words)
            assert (membership.table_id, told) == (table, [])
        for number in (0, 3):
            with pytest.raises(Refused, match=f"There is no table {number} to go on at"):
                await begun(resume, monkeypatch, local, f"--number={number}")
        local.trouble = "No beacons here."
        _membership, told = await begun(resume, monkeypatch, local)
        assert told == ["No beacons here."]


@pytest.mark.parametrize(("fetched", "others"), [(True, 0), (True, 1), (False, 0), (False, 1)])
async def test_resume_first_fetches_charters_that_are_damaged(
    fetched: bool, others: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If nobody answers, the person can still go on at another table."""
    damaged = SimpleNamespace(created="2026-01-02 03:04:05")
    with open_journal(home) as journal:
        for file in ("records.json", "canastra.json")[: others + fetched]:
            table = record_of(journal, file, 5).table_id
    monkeypatch.setattr(resume, "damaged_charters", lambda _journal: [damaged])
    monkeypatch.setattr(resume, "fetch_charter", fetch := AsyncMock(return_value=fetched))
    lines = [
        "The charter of the table begun 2026-01-02 03:04 UTC is damaged. Asking the others for it …"
    ]
    if not fetched:
        lines.append("None of them answers. Ask them to start the program, then resume again.")
    with node_of(home) as local:
        if others or fetched:
            membership, told = await begun(resume, monkeypatch, local)
            assert (membership.table_id, told) == (table, lines)
        else:
            with pytest.raises(Refused, match=r"^There is no other table to resume\.$"):
                await begun(resume, monkeypatch, local)
        fetch.assert_called_once_with(local.endpoint, local.journal, damaged)


def test_watch_shows_the_table_and_then_its_audit(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The screen is kept until the person leaves. The audit is told below it."""
    done, local = MagicMock(), SimpleNamespace(identity=OWN)
    done.hold.__aenter__ = done.open.return_value.__aenter__ = AsyncMock(return_value=local)
    done.watched.show, done.watched.conclude = AsyncMock(), AsyncMock(return_value=3)
    display: Any = SimpleNamespace(
        reaching="reaching", watch="watch", tell="tell", hold_screen=lambda: done.screen
    )
    monkeypatch.setattr(watch, "open_network_node", done.open)
    monkeypatch.setattr(watch, "WatchedTable", made := Mock(return_value=done.watched))
    monkeypatch.setattr(watch, "find", find := AsyncMock())
    arguments = parsed(watch, "Attic", "--name", "Eve", "--port", "4711")
    assert watch.play(arguments, display, Settings()) == 3
    node, table, look_up = made.call_args.args
    assert (node, table.key, table.name) == (local, OWN.public, "Eve")
    trio.run(look_up, local)
    find.assert_called_once_with(local, text="Attic", wanted=TO_WATCH)
    done.open.assert_called_once_with(home, 4711)
    steps = ("screen.__enter__", "watched.show", "screen.__exit__", "watched.conclude")
    called = [(name, arguments) for name, arguments, _ in done.mock_calls if name in steps]
    assert [name for name, _ in called] == [*steps]
    assert (called[1][1], called[3][1]) == (("reaching", "watch"), ("tell",))


@pytest.mark.parametrize(
    ("words", "policy", "at"),
    [
        ([], TablePolicy(BotSettings("easy", PACES["calm"])), ListenAt()),
        (
            ["--autoplay", "--port=4711", "--anywhere"],
            TablePolicy(BotSettings("easy"), IfAbsent.WAIT),
            ListenAt(4711, anywhere=True),
        ),
        (
            ["--autoplay", "--level=middle", "--if-absent=end"],
            TablePolicy(BotSettings("middle"), IfAbsent.END),
            ListenAt(),
        ),
    ],
)
def test_a_session_has_the_settings_and_what_was_typed(
    words: list[str], policy: TablePolicy, at: ListenAt, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal_look, "_typed_lines", lambda: Typed(()))
    monkeypatch.setattr(shared_arguments, "run_trio", ran := Mock(return_value=4))
    assert join.run(parsed(join, "Attic", *words, "--seed=9")) == 4
    what, folder, listen_at, display, given, _begin = ran.call_args.args
    assert (what, folder, listen_at, given) == (run_session, home, at, policy)
    if "--autoplay" in words:
        assert isinstance(display, ProgramDisplay)
        assert (display.level, display.seed) == (policy.bots.level, 9)
    else:
        assert isinstance(display, PersonDisplay)
        assert display.own_screen


def test_the_flag_linear_puts_a_table_into_linear_mode(home: Path) -> None:
    for words in ((), ("--linear",)):
        settings = shared_arguments.settings_of(parsed(join, *words))
        kept = Settings(name="Ana", game="canastra", level="easy", pace="calm")
        assert settings == kept.changed("linear", bool(words))
