"""The lobby of a guest: repeated calls, the lines that the guest reads, and decisions."""

import random
from collections.abc import Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest
import trio
from attrs import define, evolve

from client.session.call_retries import GIVE_UP_SECONDS
from client.session.display.lobby_interface import Action, LobbySnapshot, News
from client.session.joined_lobby import JoinedLobby, Target, first_to_answer
from client.ui.model.lobby_view import lobby_view
from p2p.background_task import beside
from p2p.lobby.guest import NotAnnounced
from p2p.refusals import Reason
from p2p.transport.endpoint import Declined
from p2p.transport.frames import LinkClosed, LinkError, LinkStalled
from p2p.transport.link import Unreachable
from p2p.transport.tls import HungUp, PeerRefused
from protocol.words_for_keys import words
from tests.client.lobby_snapshots import key_of, lobby_at

pytestmark = pytest.mark.usefixtures("autojump_clock")

SAT_DOWN: Any = object()

QUEUE = Declined(Reason.TOO_MANY_KNOCK)
BUSY = HungUp("Busy.")
AWAY = Unreachable("Nobody answers.")
BROKE = LinkClosed("The link has ended.")


@define
class Guest:
    """A stand-in for the guest in p2p."""

    sit_down: object
    ready: bool = False
    pending: object = None

    def set_ready(self, yes: bool) -> None:
        self.ready = yes


THERE, NOTED = "there", "noted"
"""Outcomes in which the link ends after a while.

The guest has seen the lobby (THERE), or has been listed as a candidate for a seat (NOTED).
"""


def joining(*outcomes: object) -> tuple[JoinedLobby, list[tuple[float, bool]]]:
    """Return a lobby whose attempts to join have these outcomes, and the list of attempts.

    The last outcome repeats. The list has each attempt's time, and True if the guest was ready.
    """
    identity = SimpleNamespace(public=bytes(32))
    local: Any = SimpleNamespace(
        trouble=None,
        identity=identity,
        endpoint=SimpleNamespace(identity=identity),
        journal=SimpleNamespace(peers=tuple),
    )

    async def find() -> Sequence[Target]:
        return [Target(("192.0.2.1",), 7)]

    lobby = JoinedLobby(local, "Bruno", find, ready=False, chance=random.Random(1))
    left, tried = list(outcomes), list[tuple[float, bool]]()

    async def sit_down(*_: object, **__: object) -> object:
        await trio.sleep(0.1)
        tried.append((trio.current_time(), guest.ready))
        outcome = left.pop(0) if len(left) > 1 else left[0]
        if outcome == THERE:
            state = lobby_at(False, False).lobby_state
            assert state is not None
            lobby._seated(state)
            lobby.decide(Action.READY)
            outcome = BROKE
        if outcome == NOTED:
            lobby._noted()
            outcome = BROKE
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    lobby._guest = guest = Guest(sit_down)  # type: ignore[assignment]
    return lobby, tried


@pytest.mark.parametrize(
    ("outcomes", "told"),
    [
        ((QUEUE, QUEUE, QUEUE), "Too many wait at the door of that table"),
        ((BUSY, BROKE, LinkStalled("Slow.")), "The host's program is busy"),
        ((THERE, AWAY, PeerRefused("Who?"), Declined(Reason.SEATED_ALREADY)), "has broken"),
        ((NOTED, AWAY, AWAY), "has broken"),
    ],
    ids=["queue at the door", "busy", "broken", "candidate"],
)
async def test_a_guest_tries_again_and_reads_the_reason(
    outcomes: Sequence[object], told: str
) -> None:
    lobby, tried = joining(*outcomes, SAT_DOWN)
    read: set[str] = set()

    async def look() -> None:
        while True:
            await lobby.changed()
            read.add(lobby_view(lobby.snapshot).waits_for)

    async with beside(look):
        assert await lobby.run() is SAT_DOWN
    assert len(tried) == len(outcomes) + 1
    assert any(told in line and "tries again by itself" in line for line in read)
    pauses = [after - before for (before, _), (after, _) in pairwise(tried)]
    assert all((0.12 if outcomes[0] is BUSY else 1) <= pause <= 2.2 for pause in pauses)


async def test_a_guest_waits_for_the_host_of_their_last_table() -> None:
    """The host must first open the table again, and may not even have ended the last match."""
    outcomes = (AWAY, Declined(Reason.NO_TABLE), Declined(Reason.MATCH_NOT_OVER), BROKE)
    lobby, tried = joining(*outcomes, SAT_DOWN)
    lobby.host = "Ana"
    assert await lobby.run() is SAT_DOWN
    assert len(tried) == 5


def test_a_guest_is_told_that_the_rules_have_changed_and_that_a_player_is_missing() -> None:
    lobby, _ = joining(SAT_DOWN)
    lobby._withdrawn()
    lobby._noted()
    *_others, who = lobby.snapshot.news.lines
    assert who == f"Tell them who you are: {' '.join(words(bytes(32)))}."
    assert (len(_others), lobby.snapshot.candidate) == (2, True)


async def test_a_guest_who_comes_back_is_not_ready() -> None:
    """By that time the host may offer another table, for which the guest is not ready yet."""
    lobby, tried = joining(THERE, SAT_DOWN)
    assert await lobby.run() is SAT_DOWN
    assert [ready for _, ready in tried] == [False, False]


@pytest.mark.parametrize(
    ("outcomes", "seconds"),
    [((AWAY,), 0), ((BUSY,), GIVE_UP_SECONDS), ((THERE, AWAY), GIVE_UP_SECONDS)],
)
async def test_the_guest_gives_up_if_another_call_does_not_help(
    outcomes: Sequence[Any], seconds: float
) -> None:
    lobby, tried = joining(*outcomes)
    with pytest.raises(type(outcomes[-1])):
        await lobby.run()
    assert seconds <= tried[-1][0] - tried[0][0] < seconds + 3


async def test_a_slow_host_is_tried_alone_if_another_node_was_quicker() -> None:
    """All addresses of a table are tried together.

    If another node than the announced one answers first, each address is tried alone.
    """
    tried = []

    async def visit(_target: Target, hosts: Sequence[str]) -> str:
        tried.append(tuple(hosts))
        if tuple(hosts) == ("slow",):
            return "seated"
        raise AWAY if hosts == ("away",) else NotAnnounced("Somebody else is there.")

    assert await first_to_answer([Target(("away", "slow", "other"), 1)], visit) == "seated"
    assert tried == [("away", "slow", "other"), ("away",), ("slow",)]
    with pytest.raises(NotAnnounced):
        await first_to_answer([Target(("other",), 1)], visit)
    with pytest.raises(Declined) as caught:
        await first_to_answer([], visit)
    assert caught.value.reason is Reason.NO_TABLE
    assert tried[3:] == [("other",)]


def test_an_invited_player_reads_once_whose_table_it_is() -> None:
    """The line comes when the first charter of the match has been checked."""
    lobby, _ = joining(SAT_DOWN)
    members = [SimpleNamespace(name=name) for name in ("Ana", "Eva")]
    for continues, height in (("a table", 0), ("a table", 1), (None, 0), (None, 1)):
        charter = SimpleNamespace(members=members, continues=continues)
        state: Any = SimpleNamespace(height=height, charter=charter)
        lobby._shown(state)
        assert len(lobby.snapshot.news.lines) == (continues is None)
    invited = "You are invited to the table of Ana and Eva. Its record is being checked …"
    assert lobby.snapshot.news.lines == (invited,)


async def test_the_guest_sees_the_lobby_and_where_it_is() -> None:
    """The call names the key that is expected there, and the key that announced the table."""
    lobby: Any = joining(SAT_DOWN)[0]
    assert (lobby.title, lobby.snapshot.known) == ("", frozenset())
    hosts = ("192.0.2.1", "2001:db8::1")
    lobby._guest.sit_down = AsyncMock(return_value=SAT_DOWN)
    lobby.find = AsyncMock(return_value=[Target(hosts, 7, key_of(0), key_of(1))])
    lobby.host = "Ana"
    assert await lobby.run() is SAT_DOWN
    how = {"expect": key_of(0), "announced_by": key_of(1)}
    lobby._guest.sit_down.assert_called_once_with(hosts, 7, **how)
    lobby.local.journal.peers = lambda: [SimpleNamespace(key=key_of(5))]
    lobby._delay = "Wait."
    lobby._tell("Something.")
    seen = LobbySnapshot(
        me=bytes(32),
        hosting=False,
        host="Ana",
        delay="Wait.",
        addresses=("192.0.2.1:7", "[2001:db8::1]:7"),
        news=News(("Something.",), 1),
        known=frozenset({key_of(5)}),
    )
    assert lobby.snapshot == seen
    state = lobby_at(False, False).lobby_state
    assert state is not None
    changed = lobby._changed
    lobby._seated(state)
    assert lobby.snapshot == evolve(seen, lobby_state=state, delay="")
    assert (lobby.title, changed.is_set()) == ("Kitchen", True)


@pytest.mark.parametrize(
    ("error", "pending", "host", "again"),
    [
        (BROKE, None, "", True),
        (BROKE, "a charter", "", False),
        (BROKE, "a charter", "Ana", True),
        (Declined(Reason.TURNED_AWAY), None, "Ana", False),
    ],
)
async def test_the_lobby_does_not_call_again_for_a_guest_who_has_signed_a_charter(
    error: LinkError, pending: object, host: str, again: bool
) -> None:
    """`Guest.sit_down` itself calls the host again, until it knows if the match has begun.

    At a rematch the host's name is known, and the lobby calls again after any error that may be
    temporary.
    """
    lobby, _ = joining(SAT_DOWN)
    lobby._guest.pending, lobby.host = pending, host  # type: ignore[assignment]
    assert lobby._tries_again(error) is again


async def test_only_decisions_about_being_ready_reach_the_host() -> None:
    lobby, _ = joining(SAT_DOWN)
    ready = []
    for action in (Action.READY, Action.ADD_OPPONENT, Action.WAIT, Action.SEND_OPPONENT_AWAY):
        lobby.decide(action)
        ready.append(lobby._guest.ready)
    assert ready == [True, True, False, False]
