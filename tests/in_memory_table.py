"""A table without a network: all players are in one process and share one state.

Proofs and signatures are real. Benches use such tables, and so do the pictures of README, which
must not change.
"""

from collections.abc import Sequence

from attrs import define, field
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.game import Game
from engine.moves import Move
from engine.options import Options
from engine.position import Position
from protocol.charter import NONCE_BYTES, Charter, Extension, Member, SignedCharter
from protocol.group import Entropy
from protocol.player import Player
from protocol.reducer import advance
from protocol.signatures import KEY_BYTES, Signer, labelled
from protocol.state import State
from protocol.table.tasks import Change


@define
class InMemoryTable:
    """A table whose keys and shuffles all come from `entropy`.

    The same bytes of `entropy` and the same moves give the same record.
    """

    charter: SignedCharter
    state: State
    players: list[Player]
    entropy: Entropy = field(repr=False)
    entries: list[bytes] = field(factory=list)

    @classmethod
    def sit(
        cls,
        game: Game,
        options: Options,
        names: Sequence[str],
        entropy: Entropy,
        extensions: tuple[Extension, ...] = (),
    ) -> "InMemoryTable":
        """Return a table whose charter has been signed by all. Raises InvalidOption."""
        game.check_players(len(names))
        keys = [Ed25519PrivateKey.from_private_bytes(entropy(KEY_BYTES)) for _name in names]
        signers = [_signer(key) for key in keys]
        members = tuple(
            Member(key.public_key().public_bytes_raw(), name, entropy(NONCE_BYTES))
            for key, name in zip(keys, names, strict=True)
        )
        charter = Charter(game, options, members, extensions=extensions)
        signed = SignedCharter(charter, tuple(map(charter.sign, signers)))
        seated = [Player(me, signer) for me, signer in enumerate(signers)]
        return cls(signed, State.start(charter), seated, entropy)

    @property
    def chooser(self) -> int | None:
        """Return the player who has a move to choose; None if nobody has a choice."""
        due = self.state.due
        if due is None or not self.players[due.player].chooses(self.state):
            return None
        return due.player

    def view(self, player: int) -> Position | None:
        """Return what a player sees of the round."""
        return self.players[player].view(self.state)

    def write(self, move: Move | None = None) -> Change:
        """Write the entry that is due; `move` is needed if a player has a choice.

        Raises IllegalMove, and ValueError when nothing is due.
        """
        before, due = self.state, self.state.due
        if due is None:
            raise ValueError("nothing is due")
        entry = self.players[due.player].write(before, self.entropy, move).entry
        self.state = advance(before, entry)
        self.entries.append(entry)
        for player in self.players:
            player.forget(self.state)
        return Change(before, self.state)


def _signer(key: Ed25519PrivateKey) -> Signer:
    return lambda label, message: key.sign(labelled(label, message))
