"""Continuations of the match in a `SeededTable`, signed by its players and by newcomers."""

from collections.abc import Collection, Iterable, Mapping

import pytest
from attrs import field, frozen
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from protocol.charter import Charter, Member, SignedCharter
from protocol.continuation import continuation_of, open_table
from protocol.entries import Entry
from protocol.errors import Exposed, Malformed, Unattributable
from protocol.evidence import Evidence, Statement
from protocol.place import Place
from protocol.player import Player
from protocol.record_file import PartKind, kind_of
from protocol.reducer import advance
from protocol.signatures import Signer
from protocol.state import State
from tests.engine.simulation import eagerly
from tests.protocol.seeded_table import SeededTable, signer_of


@frozen
class Newcomer:
    """A person without a seat, who can take the seat of a player who has left."""

    member: Member
    sign: Signer = field(repr=False)

    @classmethod
    def named(cls, name: str, number: int) -> "Newcomer":
        """Return a newcomer with that name, whose key is made from the number."""
        key = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
        public = key.public_key().public_bytes_raw()
        return cls(Member(public, name, bytes(32)), signer_of(key))


OLGA, PABLO, RITA = (
    Newcomer.named(name, number) for name, number in (("Olga", 99), ("Pablo", 98), ("Rita", 97))
)
NEWCOMERS = (OLGA, PABLO, RITA)


def signer_in(table: SeededTable, state: State, key: bytes) -> Signer:
    """Return the signer for the key of a member of that table, or of a newcomer."""
    keys = [*(member.key for member in state.charter.members)]
    signers = dict(zip(keys, table.signers, strict=True))
    signers |= {newcomer.member.key: newcomer.sign for newcomer in NEWCOMERS}
    return signers[key]


def offered(
    state: State,
    left: Collection[int],
    *,
    attempt: int | None = None,
    ends: bool = False,
    seats: Iterable[Newcomer] = NEWCOMERS,
) -> Charter:
    """Return a continuation without the players `left`: it ends the match, or seats newcomers.

    The newcomers of `seats` take the vacant seats in order.
    """
    taken = {} if ends else {p: one.member for p, one in zip(sorted(left), seats, strict=False)}
    number = state.charter.attempt + 1 if attempt is None else attempt
    return continuation_of(state, left, taken, attempt=number)


def concluded(
    table: SeededTable,
    state: State,
    charter: Charter,
    abandons: Mapping[int, tuple[Place, ...]] | None = None,
) -> SignedCharter:
    """Return the continuation, signed by all; `abandons` has each player's abandoned places."""
    places = [(abandons or {}).get(player, ()) for player in charter.signers]
    signatures = (
        charter.sign(signer_in(table, state, charter.key_of(player)), each)
        for player, each in zip(charter.signers, places, strict=True)
    )
    return SignedCharter(charter, tuple(signatures), tuple(places))


def statement(
    table: SeededTable, state: State, charter: Charter, player: int, *abandons: Place
) -> Statement:
    """Return one player's statement for a continuation."""
    sign = signer_in(table, state, charter.key_of(player))
    return Statement(charter, player, charter.sign(sign, abandons), abandons)


def ended(table: SeededTable, state: State, *left: int) -> bytes:
    """Return a signed continuation that ends the match without the players `left`."""
    return concluded(table, state, offered(state, left, ends=True)).encode()


def replaced(table: SeededTable, state: State, *left: int) -> bytes:
    """Return a signed continuation in which newcomers take the seats of the players `left`."""
    return concluded(table, state, offered(state, left)).encode()


def follow(state: State, part: bytes) -> State:
    """Return the state after the next part of the record, an entry or a continuation."""
    if kind_of(part) is PartKind.CHARTER:
        return open_table(state, SignedCharter.decode(part))
    return advance(state, part)


def refused(state: State, part: bytes) -> str:
    """Return the clause that refuses a continuation, and check that nobody is blamed."""
    try:
        signed = SignedCharter.decode(part)
    except Malformed:
        return "R19"  # the clause that the auditor names for malformed continuations
    with pytest.raises(Unattributable) as raised:
        open_table(state, signed)
    return raised.value.cause


def seat_newcomers(table: SeededTable, part: bytes) -> None:
    """Append a continuation, and let newcomers play in the seats that it gives away."""
    charter = SignedCharter.decode(part).charter
    before = table.state
    table.state = follow(before, part)
    table.entries.append(part)
    assert charter.continues is not None
    for player in () if charter.continues.ends else charter.continues.left:
        table.signers[player] = signer_in(table, before, charter.key_of(player))
        table.players[player] = Player(player, table.signers[player])


def opened_at_a_third_table() -> SeededTable:
    """Return a table whose hands are opened only at a third table.

    After the end of the round, two continuations come before its hands are opened. A verifier
    without the rules cannot tell that the round is over. If the round were still under way, it
    would be dealt again, because of `void_interrupted`.
    """
    table = SeededTable.sit("canasta", 2, seed=6, void_interrupted=True, rounds=1)
    table.play_until("open", eagerly)
    for _ in range(2):
        seat_newcomers(table, replaced(table, table.state))
    table.play_until("close")
    table.step()
    return table


def exposure_by(
    statement: Statement, entry: bytes, table: Charter, match_id: bytes
) -> Exposed | None:
    """Return the error by which a statement and an entry of that table expose a player, or None."""
    try:
        return Evidence(statement, Entry.decode(entry), table).exposes(match_id)
    except (Malformed, Unattributable):
        return None
