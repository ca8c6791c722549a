"""A whole table in one process: all players share one state, without a network."""

import random
from collections.abc import Callable

from attrs import define, evolve, field
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.games import game_named
from engine.moves import Move
from engine.position import Position
from protocol import player as player_module
from protocol.charter import USUAL_GRACE, Charter, Member, SignedCharter
from protocol.entries import Body, Entry, ShuffleContent
from protocol.errors import Malformed
from protocol.lock_key import SEED_BYTES
from protocol.player import Player
from protocol.record_file import record_parts
from protocol.reducer import advance
from protocol.shuffle_proof import prove
from protocol.signatures import Signer, labelled
from protocol.state import State

NAMES = ("Ana", "Bruno", "Carla", "Diego", "Elena", "Fermin")

Choose = Callable[[Position, random.Random], Move]


def random_move(view: Position, rng: random.Random) -> Move:
    """Return a random legal move."""
    assert view.to_move is not None
    return rng.choice(view.legal_moves(view.to_move))


def signer_of(key: Ed25519PrivateKey) -> Signer:
    return lambda label, message: key.sign(labelled(label, message))


@define
class SeededTable:
    """A table whose players write in one process, with all randomness drawn from `seed`.

    `entries` are the parts of the record after its first charter, including continuations.
    """

    state: State
    charter: SignedCharter
    players: list[Player]
    rng: random.Random
    signers: list[Signer]
    entries: list[bytes] = field(factory=list)
    _seeds: random.Random = field(factory=lambda: random.Random(0), repr=False)

    @classmethod
    def sit(
        cls,
        game: str = "canasta",
        players: int = 4,
        *,
        seed: int = 1,
        grace: int = USUAL_GRACE,
        spectators: bool = False,
        **options: bool | int,
    ) -> "SeededTable":
        rng = random.Random(seed)
        keys = [Ed25519PrivateKey.from_private_bytes(rng.randbytes(32)) for _ in range(players)]
        members = tuple(
            Member(key.public_key().public_bytes_raw(), name, rng.randbytes(32))
            for key, name in zip(keys, NAMES, strict=False)
        )
        rules = game_named(game)
        charter = Charter(
            rules, rules.options.from_pairs(options.items()), members, grace, spectators
        )
        signers = [signer_of(key) for key in keys]
        signed = SignedCharter(charter, tuple(charter.sign(signer) for signer in signers))
        seated = [Player(me, signer) for me, signer in enumerate(signers)]
        return cls(State.start(charter), signed, seated, rng, signers)

    def copied(self) -> "SeededTable":
        """Return a table in the same state, which can be played on in another way."""
        players = [Player(one.me, one.signer, dict(one._locks)) for one in self.players]
        return evolve(self, players=players, signers=[*self.signers], entries=[*self.entries])

    def write(self, choose: Choose = random_move) -> bytes:
        """Return the entry that is due, without advancing the state."""
        due = self.state.due
        assert due is not None
        player = self.players[due.player]
        move = None
        if player.chooses(self.state):
            view = player.view(self.state)
            assert view is not None
            move = choose(view, self.rng)
        entry = player.write(self.state, self._entropy, move).entry
        # Proofs used to draw 32 bytes each from `rng`, and the stubs of `proofless` none. The bytes
        # are still drawn, so that the rounds of all seeds stay as they were.
        if vars(player_module)["prove"] is prove:
            self.rng.randbytes(32 * self._proofs_in(entry))
        return entry

    def _entropy(self, size: int) -> bytes:
        """Return random bytes from `rng`, but 32 bytes (for a lock or proof) from another source.

        Tests choose seeds whose rounds have certain cards. Locks and proofs must not draw from
        `rng`, so that these rounds stay the same when locks or proofs need other randomness.
        """
        return self._seeds.randbytes(size) if size == SEED_BYTES else self.rng.randbytes(size)

    def _proofs_in(self, entry: bytes) -> int:
        try:
            content = Body.decode(Entry.decode(entry).body, self.state.match.deck).content
        except Malformed:  # an entry beyond the last height
            return 0
        return 1 if isinstance(content, ShuffleContent) else len(getattr(content, "proofs", ()))

    def step(self, choose: Choose = random_move) -> None:
        """Write the entry that is due, and advance the state by it."""
        entry = self.write(choose)
        self.state = advance(self.state, entry)
        self.entries.append(entry)
        for player in self.players:
            player.forget(self.state)

    def play(self, choose: Choose = random_move) -> None:
        """Play until the match is over and signed by all."""
        while not self.state.complete:
            self.step(choose)

    def record(self) -> bytes:
        """Return the record file up to now."""
        return b"".join(record_parts([(self.charter, self.entries)]))

    def play_until(self, kind: str, choose: Choose = random_move) -> None:
        """Play until an entry of that kind is due."""
        while self.state.due is not None and self.state.due.kind != kind:
            self.step(choose)
