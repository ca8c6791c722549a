"""The sentence on what a lobby waits for, and the commands that are possible then."""

import pytest
from attrs import evolve

from client.session.display.lobby_interface import LetIn, LobbySnapshot, SendAway
from client.ui.model.commands.lobby_commands import LOBBY_COMMANDS, let_in, sent_away
from client.ui.model.lobby_view import lobby_view
from tests.client.lobby_snapshots import key_of, lobby_at

UNKNOWN = LobbySnapshot(key_of(1), hosting=False)


@pytest.mark.parametrize(
    ("snapshot", "sentence", "commands"),
    [
        (UNKNOWN, "Looking for the table…", ""),
        (evolve(UNKNOWN, delay="The table is busy."), "The table is busy.", ""),
        (evolve(UNKNOWN, host="Ana"), "Waiting until Ana opens the table again.", ""),
        (
            evolve(lobby_at(False, me=1), candidate=True),
            "Waiting until the others have decided.",
            "",
        ),
        (
            lobby_at(False, me=10, knocking=("Eve",)),
            "You have knocked: Ana decides whether you may sit down.",
            "",
        ),
        (
            lobby_at(False, me=11, knocking=("Eve", "Fay", "Gus")),
            "You are number 2 of 3 at the door: Ana decides who sits down.",
            "",
        ),
        (lobby_at(False, False, seats=3), "Waiting for 1 more player.", "ready add"),
        (
            evolve(lobby_at(False, False, seats=3), host="Ana"),
            "Waiting for 1 more player.",
            "ready add",
        ),
        (
            lobby_at(False, opponents=(1,), knocking=("Eve",)),
            "Waiting for 3 more players.",
            "ready add dismiss let in send away",
        ),
        (
            lobby_at(False, seats=3, knocking=("Eve", "Fay")),
            "Waiting for 2 more players.",
            "ready add let in send away let everybody in",
        ),
        (
            lobby_at(False, seats=3, knocking=("Eve", "Fay", "Gus")),
            "Waiting for 2 more players.",
            "ready add let in send away",
        ),
        (
            lobby_at(False, False, seats=2, knocking=("Eve",)),
            "All are here: say that you are ready.",
            "ready send away",
        ),
        (
            lobby_at(True, False, False, seats=3),
            "Not ready yet: Bruno and Carla.",
            "ready",
        ),
        (
            lobby_at(True, True, seats=2),
            "All are ready: the charter is being signed.",
            "ready",
        ),
        (
            lobby_at(False, False, me=1, seats=4, opponents=(0,), knocking=("Eve",)),
            "Waiting for 2 more players.",
            "ready",
        ),
    ],
)
def test_a_lobby_says_what_it_waits_for_and_offers_what_can_be_done(
    snapshot: LobbySnapshot, sentence: str, commands: str
) -> None:
    view = lobby_view(snapshot)
    assert view.waits_for == sentence
    offered = [one for one in LOBBY_COMMANDS if one.decision(view) is not None]
    assert " ".join(one.word for one in offered) == commands
    assert LOBBY_COMMANDS[0].label(view) == ("not ready" if snapshot.ready else "ready")


def test_naming_a_visitor_lets_them_in_only_if_a_seat_is_free() -> None:
    for seats, decision in ((2, LetIn((key_of(10),))), (1, None)):
        view = lobby_view(lobby_at(False, seats=seats, knocking=("Eve",)))
        assert let_in("eve", view) == decision
        assert sent_away("eve", view) == SendAway(key_of(10))
        assert let_in("Zoe", view) is None
        assert sent_away("Zoe", view) is None
