"""Callbacks from a lobby to the client, for the host and for guests."""

from collections.abc import Callable

from attrs import frozen

from engine.sentences import Sentence
from p2p.refusals import Refusal
from p2p.transport.lobby_messages import LobbyState
from protocol.state import State

STILL_HERE_SECONDS = 5.0
"""Seconds between two messages of a waiting host or guest, so that no link falls silent."""

Objection = Callable[[bytes, str], Refusal | None]
"""Function from a player's key and name to the reason why they cannot sit here, or None."""

SitsAtOnce = Callable[[bytes, bool], bool]
"""Function that returns True if the holder of a key need not knock.

Its second argument, `suspect`, is True if somebody at the caller's address has made trouble.
"""


@frozen
class LobbyCallbacks:
    """Callbacks from the lobby to the client."""

    on_lobby_state: Callable[[LobbyState], None] = lambda _state: None
    """Called with each new state of the lobby."""
    objection: Objection = lambda _key, _name: None
    """Returns the reason not to sit down with a player, or None."""
    on_noted: Callable[[], None] = lambda: None
    """Called when a guest has asked for the seat of a missing player, and waits for it (see
    `p2p.match.take_vacant_seat`).
    """
    on_shown: Callable[[State], None] = lambda _state: None
    """Called with each state of the match that is shown to such a guest."""
    on_refused: Callable[[str, Sentence], None] = lambda _name, _sentence: None
    """Gets the name of a player whom the host has refused, and the sentence that gives the reason.
    """
    on_withdrawn: Callable[[], None] = lambda: None
    """Called when a guest is not ready any more because the table has changed."""
    sits_at_once: SitsAtOnce = lambda _key, suspect: not suspect
    """Returns True for a guest who need not knock."""
