"""Callbacks of a lobby to the client, for host and guest."""

from collections.abc import Callable

from attrs import frozen

from engine.sentences import Sentence
from p2p.refusals import Refusal
from p2p.transport.lobby_messages import LobbyState
from protocol.state import State

STILL_HERE_SECONDS = 5.0
"""Seconds between two messages of those who wait, so that no link is closed for silence."""

Objection = Callable[[bytes, str], Refusal | None]
"""Function from a player's key and name to the reason why they cannot sit here, or None."""

SitsAtOnce = Callable[[bytes, bool], bool]
"""Function of a key, and of True if somebody at that address has made trouble.

It returns True if the holder of the key need not knock.
"""


@frozen
class LobbyCallbacks:
    """Callbacks from the lobby to the client.

    `on_seated` gets each new state of it, `objection` says what speaks against a player who would
    sit down, `on_refused` gets the name of a player whom the host has refused and the sentence,
    `on_withdrawn` is called when a guest is not ready any more, for the table is another than they
    saw. `sits_at_once` says who need not knock.

    `on_noted` and `on_shown` are called where a seat is to be taken over: see
    `p2p.match.take_vacant_seat`.
    """

    on_seated: Callable[[LobbyState], None] = lambda _state: None
    objection: Objection = lambda _key, _name: None
    on_noted: Callable[[], None] = lambda: None
    on_shown: Callable[[State], None] = lambda _state: None
    on_refused: Callable[[str, Sentence], None] = lambda _name, _sentence: None
    on_withdrawn: Callable[[], None] = lambda: None
    sits_at_once: SitsAtOnce = lambda _key, suspect: not suspect
