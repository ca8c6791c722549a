"""The search for another node that plays at this table with this node's key.

There can be one if somebody has copied the data folder to another machine. Two nodes with one key
would soon write two entries in one place, and expose their owner.

So a node that sits down sends every member a question with a fresh nonce. The members pass the
question on to each other, and also back to the asking player on any older link: at the other end of
that link may be the other node with the key. That node answers with the nonce, signed. Nobody else
can make up that answer, or repeat an old one.
"""

from collections.abc import Iterable

from attrs import define, field

from protocol.errors import Refused
from protocol.signatures import Signer
from protocol.table.digest_chain import Chain
from protocol.table.messages import Present, Probe


class OwnKeyElsewhere(Refused):
    """Another machine plays at this table with this node's key."""


def own_key_elsewhere(*, contradicted: bool = False) -> OwnKeyElsewhere:
    """Return the error that stops a node whose key is in use on another machine.

    `contradicted`: the other machine has signed something else in a place where this node has
    signed, too.
    """
    if contradicted:
        return OwnKeyElsewhere(
            "Another machine has played at this table with your key, from a copy of your "
            "data folder. It has signed something else than this machine in the same "
            "place, and whoever sees both signatures takes you for a cheat. So this "
            "machine has stopped, and shows its signature to nobody. Go on at the other "
            "machine, and do not resume this table here any more."
        )
    return OwnKeyElsewhere(
        "Another machine plays at this table with your key, from a copy of your data "
        "folder. Two machines would soon contradict each other, and expose you, so this "
        "machine has stopped. Go on at the other machine; or end the program there, and go "
        "on here: sobremesa resume."
    )


@define(eq=False)
class KeyProbe:
    """The search for another node with the same key at one table."""

    chain: Chain
    """The record of the table."""
    me: int
    """The player whose key it is."""
    sign: Signer
    nonce: bytes
    """A random number, with which the search asks."""
    playing: bool = field(default=False, init=False)
    """True once this node plays; before that it does not answer."""
    found: bool = field(default=False, init=False)
    """True when another node with the key has answered, or when this node is contradicted."""
    contradicted: bool = field(default=False, init=False)
    """True when an entry with the key differs from the one that this node has signed in that place.
    """
    _asked: dict[int, bytes] = field(factory=dict, init=False)
    """The nonce of the last question about each player's key, until an answer was passed on."""

    @property
    def question(self) -> Probe:
        """The question that is sent on every new link."""
        return Probe(self.me, self.nonce)

    def answer(self, message: Probe | Present) -> Present | None:
        """Return the answer to a question of another node with this key, or None.

        If the message is the answer of such a node to this one, note that it was `found`.
        """
        if message.player != self.me:
            return None
        table_id, key = self.chain.table_id, self.chain.charter.members[self.me].key
        if isinstance(message, Present):
            if message.nonce == self.nonce and message.is_signed_by(table_id, key):
                self.found = True
        # This node's own question, which may come back through another member, gets no answer.
        elif message.nonce != self.nonce and self.playing:
            return Present.make(table_id, self.me, message.nonce, self.sign)
        return None

    def audience(self, sender: int, message: Probe | Present, linked: Iterable[int]) -> set[int]:
        """Return the members to whom a message is passed on.

        A question is passed on only when it comes for the first time. After that only the first
        answer to it is passed on. Either message goes to the player whom it is about, on every link
        but the one that it came by. If it came from that player, it goes to all `linked` members,
        too.
        """
        player, nonce = message.player, message.nonce
        known = self._asked.get(player) == nonce
        # A question that has come before is dropped, and so is an answer to a question that has
        # not.
        if player == self.me or known == isinstance(message, Probe):
            return set()
        if known:
            del self._asked[player]
        else:
            self._asked[player] = nonce
        return {player, *(linked if player == sender else ())}

    def note_contradiction(self) -> None:
        """Note that another node with this key has signed something else than this one."""
        self.found = self.contradicted = True
