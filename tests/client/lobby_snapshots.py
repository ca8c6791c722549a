"""Lobbies without a network: snapshots like those of a real lobby."""

from client.session.display.lobby_interface import LobbySnapshot, News
from engine.games import game_named
from p2p.transport.lobby_messages import LobbyPlayer, LobbyState, Terms
from protocol.charter import USUAL_GRACE

NAMES = ("Ana", "Bruno", "Carla", "Diego", "Elena", "Fermín")


def key_of(number: int) -> bytes:
    """Return the key of the player with that number."""
    return bytes([number + 1]) * 32


def lobby_at(
    *ready: bool,
    me: int = 0,
    game: str = "canasta",
    seats: int = 4,
    title: str = "Kitchen",
    names: tuple[str, ...] = NAMES,
    grace: int = USUAL_GRACE,
    opponents: tuple[int, ...] = (),
    news: tuple[str, ...] = (),
    knocking: tuple[str, ...] = (),
    known: tuple[int, ...] = (),
    spectators: bool = False,
    **options: bool | int,
) -> LobbySnapshot:
    """Return the view of player `me` in a lobby with one player for each value of `ready`."""
    rules = game_named(game)
    sitters = tuple(
        LobbyPlayer(key_of(number), names[number], yes) for number, yes in enumerate(ready)
    )
    at_the_door = tuple(
        LobbyPlayer(key_of(number), name, ready=False) for number, name in enumerate(knocking, 10)
    )
    chosen = rules.options.from_pairs(options.items())
    terms = Terms(title, rules, chosen, seats, grace, spectators=spectators)
    return LobbySnapshot(
        me=key_of(me),
        hosting=me == 0,
        lobby_state=LobbyState(terms, sitters, at_the_door),
        addresses=("192.0.2.7:24815", "[2001:db8::7]:24815")[: 2 if me == 0 else 1],
        opponents=frozenset(map(key_of, opponents)),
        news=News(tuple(news), len(news)),
        known=frozenset(map(key_of, known)),
    )
