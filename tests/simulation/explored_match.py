"""The tables of a small match, for explorations: real charters, entries and states.

The game is `tests.simulation.small_game`. At the first table the cards have been dealt. A player
moves, each player opens their hand, then the round is counted, and each player closes it. After a
continuation, all shuffle first. If the continuation starts among the openings, players who have
opened their hands do not open them again, and the hands of missing players stay closed.

A *step* is an entry of a founder, together with the entries that follow at once: unlockings, which
contain no choice and expose nobody, and entries of newcomers. Newcomers have the seats of missing
players, and write every entry that is due, at any table, like the worst cheats.
"""

import random
from collections.abc import Callable
from functools import cache, cached_property
from hashlib import sha256

from attrs import define, field, frozen
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.moves import DrawStock
from protocol.charter import USUAL_GRACE, Charter, Member, SignedCharter
from protocol.continuation import continuation_of, continued
from protocol.continues import Continues
from protocol.entries import UnlockContent
from protocol.evidence import Statement
from protocol.match.statements import encode_statement
from protocol.player import Player
from protocol.reducer import advance
from protocol.signatures import Signer
from protocol.state import State
from protocol.table.record import TableRecord
from tests.protocol.seeded_table import NAMES, signer_of
from tests.simulation.small_game import ONE_CARD, OneCardOptions


@frozen
class Person:
    """A founder or a newcomer, with their signer."""

    member: Member
    sign: Signer = field(repr=False)

    @classmethod
    def named(cls, name: str) -> "Person":
        key = Ed25519PrivateKey.from_private_bytes(sha256(name.encode()).digest())
        return cls(
            Member(key.public_key().public_bytes_raw(), name, bytes(32)), cache(signer_of(key))
        )


@frozen(eq=False)
class Moment:
    """A table after some steps: the state, and the entries so far."""

    state: State
    entries: tuple[tuple[State, bytes], ...]
    """All entries so far, each with the state after it."""


@define(eq=False, slots=False)
class Table:
    """A table of the match. There is only one object for each table."""

    uid: int
    parent: "Table | None"
    height: int
    """The number of steps at the parent table after which this table starts."""
    attempt: int
    signers: int
    """The founders among its members, as bits."""
    match: "ExploredMatch" = field(repr=False)
    _moments: list[Moment] = field(factory=list, init=False)
    locks: dict[int, dict[str, bytes]] = field(factory=dict, init=False)
    """The locks of all players, by seat."""

    # -- the charter

    @cached_property
    def charter(self) -> Charter:
        """The charter that founds the table."""
        if self.parent is None:
            return self.match.charter
        state = self.parent.at(self.height).state
        seated = self.match.seated(self.signers)
        changed = {
            seat: member
            for seat, (member, before) in enumerate(
                zip(seated, self.parent.charter.members, strict=True)
            )
            if member != before
        }
        return continuation_of(state, changed, changed, attempt=self.attempt)

    @cached_property
    def table_id(self) -> bytes:
        """The id of the table."""
        return self.charter.table_id

    @cached_property
    def signed(self) -> SignedCharter:
        """The charter with all signatures."""
        charter = self.charter
        signatures = (self.match.signature(charter, player) for player in charter.signers)
        return SignedCharter(charter, tuple(signatures), tuple(() for _ in charter.signers))

    def statement(self, player: int) -> bytes:
        """Return a founder's statement for this table, as bytes."""
        if player not in self._statements:
            signature = self.match.signature(self.charter, player)
            self._statements[player] = encode_statement(Statement(self.charter, player, signature))
        return self._statements[player]

    _statements: dict[int, bytes] = field(factory=dict, init=False)

    @property
    def continues(self) -> Continues:
        """The part of the charter about the continued match."""
        assert self.charter.continues is not None, "the first table continues no other table"
        return self.charter.continues

    @cached_property
    def rank(self) -> tuple[int, bytes]:
        """The rank of the table, which is higher for the newer of two tables."""
        return self.attempt, self.table_id

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """The founders who have a seat at the table, in order."""
        return tuple(p for p in range(self.match.players) if self.signers >> p & 1)

    # -- the record

    def at(self, height: int) -> Moment:
        """Return the table after `height` steps."""
        if not self._moments:
            self._moments.append(self._start())
        while len(self._moments) <= height:
            self._moments.append(self._next(self._moments[-1], step=True))
        return self._moments[height]

    @cached_property
    def start(self) -> State:
        """The state before the first entry."""
        if self.parent is None:
            return State.start(self.charter)
        return continued(self.parent.at(self.height).state, self.charter)

    def _start(self) -> Moment:
        inherited = {} if self.parent is None else self.parent.locks
        self.locks = {player: dict(locks) for player, locks in inherited.items()}
        moment = Moment(self.start, ())
        if self.parent is not None:
            return self._next(moment, step=False)
        while moment.state.match.mover is None:  # during the draw for seats, and the deal
            moment = self._next(moment, step=True)
        return moment

    def _next(self, moment: Moment, *, step: bool) -> Moment:
        """Return the table after one more step if `step`, and after all that follows at once."""
        state, entries = moment.state, list(moment.entries)
        while step or self._comes_at_once(state):
            step = False
            entry, state = self._written(state)
            entries.append((state, entry))
        return Moment(state, tuple(entries))

    def _comes_at_once(self, state: State) -> bool:
        due = state.due
        if due is None or self._is_closed(state):
            return False
        return due.kind == UnlockContent.kind or not self.signers >> due.player & 1

    def _is_closed(self, state: State) -> bool:
        return len(state.results) > len(self.start.results)

    def _written(self, state: State) -> tuple[bytes, State]:
        due = state.due
        assert due is not None
        locks = self.locks.setdefault(due.player, {})
        player = Player.restored(due.player, self.match.signer(self.signers, due.player), locks)
        move = DrawStock() if player.chooses(state) else None
        written = player.write(state, self.match.entropy, move)
        locks |= written.secrets
        return written.entry, advance(state, written.entry, later=[])

    def writer(self, height: int) -> int | None:
        """Return the founder who takes the step after `height`; None if all closed the round."""
        due = self.at(height).state.due
        return None if due is None or self.is_closed(height) else due.player

    def is_closed(self, height: int) -> bool:
        """Return True if all have closed the round after `height` steps."""
        return self._is_closed(self.at(height).state)

    @property
    def results(self) -> tuple[tuple[int, ...], ...]:
        """The results of earlier tables that the charter lists."""
        return () if self.parent is None else self.continues.results

    def record(self, height: int, me: int, key: bytes) -> TableRecord:
        """Return the record after `height` steps, at the node of that member."""
        record = TableRecord(me, key, self.start)
        for state, entry in self.at(height).entries:
            record.take(state, entry)
        return record

    def telling(self, player: int, height: int) -> tuple[bytes, ...]:
        """Return the founder's entries that may contradict their statements."""
        return self.record(height, -1, b"").telling(player) if player in self.seats else ()

    def wrote_since(self, height: int, end: int) -> frozenset[int]:
        """Return the founders who take a step from `height` to `end`."""
        steps = (self.writer(step) for step in range(height, end))
        return frozenset(player for player in steps if player is not None)


@define(eq=False)
class ExploredMatch:
    """The tables of a match with `players` founders.

    If `void`, an interrupted round is dealt again.
    """

    players: int
    void: bool = False
    tables: dict[tuple[int, int, int, int], Table] = field(factory=dict, init=False)
    by_uid: list[Table] = field(factory=list, init=False)
    founders: tuple[Person, ...] = field(init=False)
    newcomers: tuple[Person, ...] = field(init=False)
    charter: Charter = field(init=False)
    entropy: Callable[[int], bytes] = field(factory=lambda: random.Random(1).randbytes)
    _signatures: dict[tuple[bytes, int], bytes] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        names = NAMES[: self.players]
        self.founders = tuple(map(Person.named, names))
        self.newcomers = tuple(Person.named(f"Robot {name}") for name in names)
        options = OneCardOptions(void_interrupted=self.void)
        members = tuple(person.member for person in self.founders)
        self.charter = Charter(ONE_CARD, options, members, USUAL_GRACE, False)

    def table(self, parent: Table | None, height: int, attempt: int, signers: int) -> Table:
        """Return the table with that charter."""
        key = (-1 if parent is None else parent.uid, height, attempt, signers)
        if key not in self.tables:
            self.tables[key] = Table(len(self.by_uid), parent, height, attempt, signers, self)
            self.by_uid.append(self.tables[key])
        return self.tables[key]

    def person(self, signers: int, seat: int) -> Person:
        """Return the person in a seat of a table with these founders."""
        return (self.founders if signers >> seat & 1 else self.newcomers)[seat]

    def seated(self, signers: int) -> tuple[Member, ...]:
        """Return the members of a table with these founders."""
        return tuple(self.person(signers, seat).member for seat in range(self.players))

    def signer(self, signers: int, seat: int) -> Signer:
        """Return the signer of the person in a seat."""
        return self.person(signers, seat).sign

    def signature(self, charter: Charter, player: int) -> bytes:
        """Return the signature of a member under a charter."""
        key = (charter.table_id, player)
        if key not in self._signatures:
            member = charter.members[player]
            people = (*self.founders, *self.newcomers)
            (person,) = (one for one in people if one.member == member)
            self._signatures[key] = charter.sign(person.sign)
        return self._signatures[key]
