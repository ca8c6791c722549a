"""The lobby of the host: decisions reach the players named in them; refusals are told."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import define, field

from client.session.display.lobby_interface import LetIn, LobbyDecision, SendAway
from client.session.hosted_lobby import Admission, HostedLobby
from client.ui.model.lobby_view import decision_of, lobby_view
from p2p.refusals import Reason, sentence_of
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.journal import Journal
from tests.client.lobbies import key_of, lobby_at
from tests.p2p.lobby.lobbies import terms

pytestmark = pytest.mark.usefixtures("autojump_clock")


@define
class Host:
    """A stand-in for the lobby's host in p2p, which keeps a list of its calls."""

    done: list[tuple[str, bytes]] = field(factory=list)

    def admit(self, key: bytes) -> None:
        self.done.append(("admit", key))

    def turn_away(self, key: bytes) -> None:
        self.done.append(("turn away", key))


def hosted() -> tuple[HostedLobby, Host]:
    local: Any = SimpleNamespace(trouble=None, endpoint=None, journal=None)
    bots: Any = None
    lobby = HostedLobby(local, bots, "Ana", terms(6), Admission(), ready=False)
    lobby._host = host = Host()  # type: ignore[assignment]
    return lobby, host


async def test_one_key_admits_everybody_who_is_shown_knocking() -> None:
    """A player who knocks after the screen was drawn is not let in."""
    lobby, host = hosted()
    friends = ("Bruno", "Carla", "Dora", "Emil", "Fay")
    shown = lobby_view(lobby_at(False, seats=6, game="canasta", knocking=friends))
    decision = decision_of("e", shown)
    assert decision is not None
    lobby.decide(decision)
    assert host.done == [("admit", key_of(number)) for number in range(10, 15)]


async def test_decisions_apply_to_the_players_that_they_name() -> None:
    lobby, host = hosted()
    decisions: list[LobbyDecision] = [LetIn((key_of(11),)), SendAway(key_of(10))]
    for decision in decisions:
        lobby.decide(decision)
    assert host.done == [("admit", key_of(11)), ("turn away", key_of(10))]


async def test_the_host_reads_of_a_few_refused_guests_but_not_of_many() -> None:
    lobby, _host = hosted()
    for number in range(100):
        lobby._refused(f"Guest {number}", sentence_of(Reason.TOO_MANY_KNOCK))
    assert lobby._news.lines[0] == (
        "!! “Guest 0” was refused: Too many wait at the door of that table."
    )
    assert lobby._news.said == 5


async def test_own_bots_and_everybody_at_a_rematch_need_not_knock(tmp_path: Path) -> None:
    """A suspect stranger must knock, if the table is not kept for chosen players.

    Other strangers must knock only if a person hosts who has not opened the table to everybody.
    """
    own, stranger = key_of(1), key_of(2)
    bots: Any = None
    with Journal.open(tmp_path / "home" / JOURNAL_FILE) as journal:
        local: Any = SimpleNamespace(trouble=None, endpoint=None, journal=journal)

        def sits(key: bytes, *, suspect: bool = False, ready: bool = False, **given: Any) -> bool:
            lobby = HostedLobby(local, bots, "Ana", terms(6), Admission(**given), ready=ready)
            lobby._own[1] = SimpleNamespace(key=own)  # type: ignore[assignment]
            return lobby._sits_at_once(key, suspect)

        assert sits(own, suspect=True)
        assert sits(stranger, suspect=True, only=frozenset({stranger}))
        assert not sits(stranger)
        assert sits(stranger, everybody=True)
        assert sits(stranger, ready=True)
        assert not sits(stranger, ready=True, suspect=True)
