"""The players whom this node has met, remembered by key.

A name proves nothing by itself, but people know each other by names. So a player is refused if
their name looks like the name of a known player who has another key.
"""

from collections.abc import Iterable

from attrs import frozen

from engine.sentences import Sentence
from p2p.refusals import Reason, Refusal
from p2p.storage.journal import Journal, KnownPeer
from protocol.charter import Member
from protocol.names import is_reserved, look_alike
from protocol.words_for_keys import words


@frozen
class KnownPlayers:
    """The players whom `journal` knows."""

    journal: Journal
    known_only: bool = False
    """True if everybody else is refused."""

    def knows(self, key: bytes) -> bool:
        """Return True if this node has met the player with that key."""
        return any(peer.key == key for peer in self.journal.peers())

    def objection(self, key: bytes, name: str) -> Refusal | None:
        """Return the reason not to sit down with this player; None if there is no reason."""
        if is_reserved(name):
            return Refusal.of(Reason.NAME_RESERVED)
        peers = self.journal.peers()
        for peer in peers:
            if peer.key != key and look_alike(peer.name, name):
                return Refusal(
                    Reason.OTHER_KEY,
                    Sentence(
                        "{name} has another key here ({known}) than the player who comes now "
                        "({comes}).",
                        name=peer.name,
                        known=" ".join(words(peer.key)),
                        comes=" ".join(words(key)),
                    ),
                )
        if self.known_only and not self.knows(key):
            return Refusal.of(Reason.KNOWN_PLAYERS_ONLY)
        return None

    def meet(self, members: Iterable[Member], today: str) -> None:
        """Remember the members of a table."""
        for member in members:
            self.journal.remember_peer(KnownPeer(member.key, member.name, today))
