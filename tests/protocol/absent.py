"""Absence at a table of tests: joint entries, and a match that a substitute plays to its end."""

from collections.abc import Callable, Sequence

import pytest
from attrs import evolve
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from protocol.absence import absence
from protocol.charter import Member
from protocol.entries import AbsentContent, Body, Entry
from protocol.errors import Unattributable
from protocol.player import Player
from protocol.reducer import advance
from protocol.signing import Signer
from protocol.state import State
from tests.protocol.played import Moment, Played
from tests.protocol.ring import Choose, Ring, random_move, signer_of

_KEY = Ed25519PrivateKey.from_private_bytes(bytes([99]) * 32)
SUBSTITUTE = signer_of(_KEY)
NEWCOMER = Member(_KEY.public_key().public_bytes_raw(), "Olga", bytes(32))


def joint(body: Body, signers: Sequence[Signer]) -> bytes:
    """The joint entry with that body, signed by these."""
    encoded = body.encode()
    return Entry(encoded, b"".join(Entry.vote(encoded, sign) for sign in signers)).encode()


def others(ring: Ring, *absent: int) -> list[Signer]:
    """All who sit there but for these."""
    return [sign for player, sign in enumerate(ring.signers) if player not in absent]


def ended(ring: Ring, state: State, absent: int) -> bytes:
    """The others end the match."""
    return joint(absence(state, AbsentContent((absent,))), others(ring, absent))


def replaced(ring: Ring, state: State, absent: int) -> bytes:
    """The others let the newcomer take the seat."""
    body = absence(state, AbsentContent((absent,), (NEWCOMER,)))
    return joint(body, [*others(ring, absent), SUBSTITUTE])


def refused(state: State, entry: bytes) -> str:
    """The cause for which that entry does not continue the record; nobody is blamed."""
    with pytest.raises(Unattributable) as raised:
        advance(state, entry)
    return raised.value.cause


def play_with_substitute(
    leaves: Callable[[State], bool], choose: Choose = random_move, *, seed: int = 15
) -> Played:
    """One round of Canasta among three. Who is to write when `leaves` holds for the first time is
    absent; the newcomer takes the seat, and the round is played to its end.
    """
    ring = Ring.sit("canasta", 3, seed=seed, rounds=1)
    # The moments keep the table as it was: who left has their locks there, and signs.
    before = evolve(ring, players=list(ring.players), signers=list(ring.signers))
    now, moments = before, []
    while not ring.state.complete:
        state = ring.state
        if now is before and leaves(state):
            left = state.writers[0]
            entry = replaced(before, state, left)
            moments.append(Moment(now, state, entry))
            ring.players[left] = Player(left, SUBSTITUTE)
            ring.signers[left] = SUBSTITUTE
            now = ring
        else:
            entry = ring.write(choose)
            moments.append(Moment(now, state, entry))
        ring.state = advance(state, entry)
        ring.entries.append(entry)
    return Played(ring, tuple(moments))
