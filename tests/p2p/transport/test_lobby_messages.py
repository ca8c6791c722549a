"""Messages of a host about the lobby, as they come over the wire."""

from typing import Any

import pytest
from attrs import evolve

from engine.errors import InvalidOption
from engine.games import game_named
from p2p.transport.lobby_messages import LobbyPlayer, LobbyState, Terms
from p2p.transport.messages import pack, unpack
from protocol.codec import encode
from protocol.errors import Malformed

GAME = game_named("canasta")
TERMS = Terms("Kitchen", GAME, GAME.options(rounds=3), 4, 60)
SITTERS = (LobbyPlayer(b"\x01" * 32, "Ana", True), LobbyPlayer(b"\x02" * 32, "Bruno", False))
LOBBY_STATE = LobbyState(TERMS, SITTERS)

TITLE, NAME, RULES, OPTIONS, SEATS, GRACE, SPECTATORS, PRESENT = range(
    1, 9
)  # places in the message


def test_it_comes_as_it_was_sent() -> None:
    assert unpack(pack(LOBBY_STATE)) == LOBBY_STATE


def test_it_tells_who_is_there_and_what_is_missing() -> None:
    assert LOBBY_STATE.names == ("Ana", "Bruno")
    assert LOBBY_STATE.keys == frozenset({b"\x01" * 32, b"\x02" * 32})
    assert LOBBY_STATE.free == 2
    full = evolve(LOBBY_STATE, terms=evolve(TERMS, seats=2))
    assert not full.is_ready
    ready = tuple(evolve(sitter, ready=True) for sitter in SITTERS)
    assert evolve(full, present=ready).is_ready
    assert not evolve(LOBBY_STATE, present=ready).is_ready


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (TITLE, "\x1b[31mKitchen"),
        (TITLE, "K\u202eitchen"),
        (TITLE, ""),
        (TITLE, "x" * 5000),
        (NAME, "whist"),
        (OPTIONS, [["target", 1]]),
        (OPTIONS, [["target", "a lot"]]),
        (OPTIONS, [["trumps", True]]),
        (OPTIONS, [["target", 3000]] * 2),
        (OPTIONS, [["target", 3000]] * 70),
        (SEATS, 1),
        (SEATS, 7),
        (GRACE, 9),
        (GRACE, 10**6),
        (SPECTATORS, 1),
        (PRESENT, [[b"\x01" * 32, "Ana", True]] * 5),
        (PRESENT, [[b"\x01" * 31, "Ana", True]]),
        (PRESENT, [[b"\x01" * 32, "A\x1bna", True]]),
        (PRESENT, [[b"\x01" * 32, "Ana", 1]]),
        (PRESENT, [[b"\x01" * 32, "Ana", True, 1]]),
    ],
)
def test_what_no_host_of_ours_tells_is_malformed(place: int, value: Any) -> None:
    fields: list[Any] = [LOBBY_STATE.kind, *LOBBY_STATE.fields()]
    fields[place] = value
    with pytest.raises(Malformed):
        unpack(encode(tuple(fields)))


@pytest.mark.parametrize(("seats", "grace"), [(5, 60), (4, 9)])
def test_a_table_at_which_nobody_can_play_is_not_opened(seats: int, grace: int) -> None:
    """Kanastic is for two to four (`spec/format.md`, 2), and nobody comes back in nine seconds."""
    kanastic = game_named("kanastic")
    Terms("Kitchen", kanastic, kanastic.options(), 4, 60).check()
    terms = Terms("Kitchen", kanastic, kanastic.options(), seats, grace)
    with pytest.raises(InvalidOption):
        terms.check()
    with pytest.raises(Malformed):
        unpack(pack(LobbyState(terms, ())))
