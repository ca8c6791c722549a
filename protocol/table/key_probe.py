"""The search for another node that plays at this table with this node's key.

Such a one plays from a copy of its home.

Two nodes with one key would soon write two entries in one place, and expose their owner. So a node
that sits down asks every member, by a nonce, who else of its key is linked to them; they pass it on
to an older link of that player, and to each other. Who answers has signed the nonce with the key,
so no member can make it up or repeat it.
"""

from collections.abc import Iterable

from attrs import define, field

from protocol.errors import Refused
from protocol.signing import Signer
from protocol.table.chain import Chain
from protocol.table.messages import Present, Probe


class OwnKeyElsewhere(Refused):
    """Another machine plays at this table with this node's key."""


def own_key_elsewhere(*, contradicted: bool = False) -> OwnKeyElsewhere:
    """Return the error that ends a node that has met its own key.

    `contradicted`: it has learnt that something else was signed elsewhere than what it has signed
    itself, and shown to nobody.
    """
    if contradicted:
        return OwnKeyElsewhere(
            "Another machine has played at this table with your key, from a copy of your data "
            "folder, and signed something else than this one in the same place. Whoever sees both "
            "takes you for a cheat: this one has stopped, and shows it to nobody. Go on there, and "
            "resume this table here no more."
        )
    return OwnKeyElsewhere(
        "Another machine plays at this table with your key, from a copy of your data folder: "
        "two of them would soon contradict each other, and expose you. This one has stopped. "
        "Go on there; or end it there, and go on here: sobremesa resume."
    )


@define(eq=False)
class KeyProbe:
    """The probe of player `me` at the table of `chain`, by a random `nonce`.

    `playing` once this node plays, and answers. `found` when somebody else has answered, or where
    what this node has signed is `contradicted` by an entry.
    """

    chain: Chain
    me: int
    sign: Signer
    nonce: bytes
    playing: bool = field(default=False, init=False)
    found: bool = field(default=False, init=False)
    contradicted: bool = field(default=False, init=False)
    _asked: dict[int, bytes] = field(factory=dict, init=False)

    @property
    def question(self) -> Probe:
        """The question for whoever a link comes about with."""
        return Probe(self.me, self.nonce)

    def answer(self, message: Probe | Present) -> Present | None:
        """Return the answer when another node with this key asks; note what such a one answers."""
        if message.player != self.me:
            return None
        table_id, key = self.chain.table_id, self.chain.charter.members[self.me].key
        if isinstance(message, Present):
            if message.nonce == self.nonce and message.is_signed_by(table_id, key):
                self.found = True
        elif message.nonce != self.nonce and self.playing:
            return Present.make(table_id, self.me, message.nonce, self.sign)
        return None

    def audience(self, sender: int, message: Probe | Present, linked: Iterable[int]) -> set[int]:
        """Return the members to whom to pass on a message, on all other links: once each."""
        player, nonce = message.player, message.nonce
        known = self._asked.get(player) == nonce
        if player == self.me or known == isinstance(message, Probe):
            return set()
        if known:
            del self._asked[player]
        else:
            self._asked[player] = nonce
        return {player, *(linked if player == sender else ())}

    def note_contradiction(self) -> None:
        """Note that another node has signed something else in a place of this node's."""
        self.found = self.contradicted = True
