"""The lobby of the host: decisions, refusals, seats without knocking, and bots."""

import os
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
import trio
from attrs import define, field

from client.session.display.lobby_interface import (
    Action,
    LetIn,
    LobbySnapshot,
    News,
    SendAway,
)
from client.session.hosted_lobby import Admission, HostedLobby
from p2p.refusals import Reason, sentence_of
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal, KnownPeer
from protocol.errors import Refused
from tests.client.lobby_snapshots import key_of
from tests.p2p.lobby.lobbies import terms

pytestmark = pytest.mark.usefixtures("autojump_clock")

OWN = key_of(1)
"""The key of the host's bot."""


@define(slots=False)
class Host:
    """A stand-in for the host in p2p; `done` has the calls of its methods."""

    done: list[tuple[str, bytes]] = field(factory=list)
    closed: bool = False
    lobby_state: Any = field(factory=lambda: SimpleNamespace(free=3, names=("Ana",), knocking=()))

    def admit(self, key: bytes) -> None:
        self.done.append(("admit", key))

    def turn_away(self, key: bytes) -> None:
        self.done.append(("turn away", key))

    def break_off(self) -> None:
        self.done.append(("break off", b""))

    def set_ready(self, yes: bool) -> None:
        self.done.append(("ready", bytes([yes])))


def hosting(journal: object = None, *, ready: bool = False, **admission: Any) -> HostedLobby:
    """Return Ana's lobby with one bot; `admission` says whom the lobby admits."""
    local: Any = SimpleNamespace(trouble="No beacons.", endpoint="endpoint", journal=journal)
    bots: Any = None
    lobby = HostedLobby(local, bots, "Ana", terms(6), Admission(**admission), ready=ready)
    lobby._own[1] = SimpleNamespace(key=OWN)  # type: ignore[assignment]
    return lobby


def hosted() -> tuple[HostedLobby, Host]:
    """Return a lobby without bots or news, and the stand-in for its host in p2p."""
    lobby = hosting()
    lobby._own.clear()
    lobby._news = News()
    lobby._host = host = Host()  # type: ignore[assignment]
    return lobby, host


async def test_decisions_apply_to_the_players_that_they_name() -> None:
    lobby, host = hosted()
    lobby.decide(LetIn((key_of(11), key_of(12))))
    lobby.decide(SendAway(key_of(10)))
    assert host.done == [
        ("admit", key_of(11)),
        ("admit", key_of(12)),
        ("turn away", key_of(10)),
    ]


async def test_the_host_reads_of_a_few_refused_guests_but_not_of_many() -> None:
    lobby, _host = hosted()
    for number in range(100):
        lobby._refused(f"Guest {number}", sentence_of(Reason.TOO_MANY_KNOCK))
    assert lobby._news.lines[0] == (
        "!! “Guest 0” was refused: Too many wait at the door of that table."
    )
    assert lobby._news.said == 5


async def test_own_bots_and_everybody_at_a_rematch_need_not_knock(tmp_path: Path) -> None:
    """A player whom the host has met before need not knock either.

    Strangers must knock if a person hosts the table (the host is not `ready` from the
    beginning) and has not opened it to everybody. A suspect stranger must knock in any case, except
    at a rematch.
    """
    stranger = key_of(2)
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:

        def sits(key: bytes, *, suspect: bool = False, **given: Any) -> bool:
            return hosting(journal, **given)._sits_at_once(key, suspect)

        assert sits(OWN, suspect=True)
        assert sits(stranger, suspect=True, only=frozenset({stranger}))
        assert not sits(stranger)
        assert sits(stranger, everybody=True)
        assert sits(stranger, ready=True)
        assert not sits(stranger, ready=True, suspect=True)
        journal.remember_peer(KnownPeer(stranger, "Eva", "2026-01-01"))
        assert sits(stranger, suspect=True)


@pytest.mark.parametrize("closed", [False, True])
async def test_a_bot_that_cannot_sit_down_is_reported_until_the_lobby_closes(
    closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that leaves frees its number and its name for the next one."""
    seated: list[tuple[int, str]] = []
    bots = [SimpleNamespace(identity=SimpleNamespace(public=key_of(number))) for number in range(3)]

    async def seat(_bot: object, port: int, name: str) -> None:
        seated.append((port, name))
        await trio.sleep(1)
        if name == "Robot Ada":
            raise Refused("The table is full.")
        await trio.sleep_forever()

    monkeypatch.setattr("client.session.hosted_lobby.seat", seat)
    lobby, host = hosted()
    lobby.local = SimpleNamespace(endpoint=SimpleNamespace(port=7))  # type: ignore[assignment]
    lobby.seated_bots = AsyncMock(bot=AsyncMock(side_effect=bots.__getitem__))
    host.closed = closed
    async with trio.open_nursery() as lobby._nursery:
        lobby.decide(Action.ADD_OPPONENT)
        lobby.decide(Action.ADD_OPPONENT)
        await trio.sleep(0.5)
        assert (sorted(seated), lobby._own_keys) == (
            [(7, "Robot Ada"), (7, "Robot Ben")],
            frozenset({key_of(1), key_of(2)}),
        )
        await trio.sleep(1)
        assert lobby._news.lines == (() if closed else ("The table is full.",))
        assert lobby._own_keys == {key_of(2)}
        lobby.decide(Action.ADD_OPPONENT)
        await trio.sleep(0.5)
        assert (seated[2:], [*lobby._own]) == ([(7, "Robot Ada")], [2, 1])
        lobby.decide(SendAway(key_of(2)))
        assert host.done == []  # a bot is sent away by SEND_OPPONENT_AWAY, as below
        changed = lobby._changed
        lobby.decide(Action.SEND_OPPONENT_AWAY)
        await trio.sleep(0)
        await trio.testing.wait_all_tasks_blocked()
        assert (host.done, [*lobby._own], changed.is_set()) == ([("break off", b"")], [1], True)
        host.lobby_state.free = 0
        lobby.decide(Action.ADD_OPPONENT)
        assert [*lobby._own] == [1]
        lobby._nursery.cancel_scope.cancel()


async def test_a_host_who_has_no_bot_sends_none_away() -> None:
    lobby, host = hosted()
    lobby.decide(Action.SEND_OPPONENT_AWAY)
    lobby.decide(Action.ADD_OPPONENT)  # the lobby is not open yet
    lobby.decide(Action.READY)
    lobby.decide(Action.WAIT)
    assert host.done == [("ready", b"\1"), ("ready", b"\0")]


async def test_a_lobby_can_be_for_known_players_only_or_for_the_players_of_a_rematch_only(
    tmp_path: Path,
) -> None:
    """`objections` tries three guests: an own bot, a player met before, and a stranger."""
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:
        journal.remember_peer(KnownPeer(key_of(2), "Eva", "2026-01-01"))

        def objections(**given: Any) -> list[Any]:
            lobby, guests = hosting(journal, **given), ((1, "B"), (2, "Eva"), (3, "Z"))
            assert lobby._news.lines == ("No beacons.",)
            found = (lobby._objection(key_of(number), name) for number, name in guests)
            return [one and one.reason for one in found]

        assert objections() == [None, None, None]
        assert objections(known_only=True) == [None, None, Reason.KNOWN_PLAYERS_ONLY]
        kept = Reason.KEPT_FOR_REMATCH
        assert objections(only=frozenset({key_of(3)})) == [None, kept, None]


async def test_the_host_sees_the_lobby_with_the_addresses_that_others_can_type() -> None:
    """An address with the name of an interface is left out: it is of no use to others."""
    lobby, host = hosted()
    lobby.local = SimpleNamespace(  # type: ignore[assignment]
        identity=SimpleNamespace(public=key_of(0)),
        endpoint=SimpleNamespace(port=7),
        addresses=SimpleNamespace(now=lambda: ("192.0.2.1", "fe80::1%eth0", "2001:db8::1")),
        journal=SimpleNamespace(peers=lambda: [SimpleNamespace(key=key_of(5))]),
    )
    lobby._own[1] = SimpleNamespace(key=OWN)  # type: ignore[assignment]
    lobby._own[2] = SimpleNamespace(key=None)  # type: ignore[assignment]
    lobby._tell("Something.")
    assert lobby.snapshot == LobbySnapshot(
        me=key_of(0),
        hosting=True,
        lobby_state=host.lobby_state,
        addresses=("192.0.2.1:7", "[2001:db8::1]:7"),
        opponents=frozenset({OWN}),
        news=News(("Something.",), 1),
        known=frozenset({key_of(5)}),
    )
    assert lobby.title == terms(6).title


@pytest.mark.parametrize("ready", [False, True])
async def test_the_host_in_p2p_gets_the_terms_and_the_callbacks(
    ready: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the host is ready from the beginning, nobody is there to let strangers in."""
    monkeypatch.setattr("client.session.hosted_lobby.Host", host := Mock())
    order = (key_of(2), key_of(1))
    lobby = hosting("journal", ready=ready, opponents=3, order=order)
    *given, callbacks, is_ready, places = host.call_args.args
    assert given == ["endpoint", "journal", "Ana", terms(6), os.urandom]
    assert (is_ready, places, host.call_args.kwargs) == (ready, order, {"attended": not ready})
    assert (callbacks.on_refused, callbacks.sits_at_once) == (lobby._refused, lobby._sits_at_once)
    assert lobby._wanted == 3


async def test_the_lobby_runs_with_its_bots_until_all_have_signed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A lobby is announced until all have signed. A signal, such as SIGTERM, closes it earlier."""
    done: list[object] = []

    async def run(*, task_status: trio.TaskStatus[None]) -> str:
        done.append("opens")
        task_status.started()
        await trio.sleep(2)
        return "membership"

    async def announce(_lobby: HostedLobby) -> None:
        done.append("announces")
        await trio.sleep_forever()

    def at_a_signal(goodbye: object) -> AbstractContextManager[None]:
        done.append(goodbye)
        return nullcontext()

    monkeypatch.setattr("client.session.hosted_lobby.at_a_signal", at_a_signal)
    monkeypatch.setattr(HostedLobby, "_announce", announce)
    monkeypatch.setattr(HostedLobby, "_seat_another", lambda _lobby: done.append("a bot"))
    lobby, host = hosted()
    lobby._wanted = 2
    host.run, host.close = run, "closes"  # type: ignore[attr-defined]
    began = trio.current_time()
    with trio.fail_after(5):
        membership: object = await lobby.run()
        assert membership == "membership"
    assert trio.current_time() - began == 2
    assert done[0] == "closes"
    assert sorted(done[1:3]) == ["announces", "opens"]  # type: ignore[type-var]
    assert done[3:] == ["a bot", "a bot"]
