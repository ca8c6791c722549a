"""Recorded matches from which the records of the vectors are made.

Their moves are kept in files (`kept_matches`). So the matches stay the same when the rules offer
moves in another order, or when the format of the record changes.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from itertools import count
from pathlib import Path
from unittest.mock import patch

from attrs import evolve, field, frozen

from engine.moves import Discard, Move
from engine.orders import Shuffle
from engine.position import Position
from protocol.audit import Finding
from protocol.entries import MoveContent, OpenContent
from protocol.record_file import framed
from protocol.reducer import advance
from protocol.state import State
from tests.engine.simulation import at_random, eagerly, reluctantly
from tests.protocol.audited import resumed
from tests.protocol.continuing import replaced, seat_newcomers
from tests.protocol.played import (
    Moment,
    Played,
    from_a_second_deal,
    knows_half_a_hand,
    play,
    proving,
)
from tests.protocol.seeded_table import Choose, SeededTable
from tests.vectors.json_encoding import Json, as_hex
from tests.vectors.kept_matches import KeptMatch, moves_of

RECORDS, CONTINUATIONS, ROUNDS = "records.json", "continuations.json", "rounds.json"

Leaves = Callable[[State], bool]


def recorded() -> Played:
    """Return a round of two players, in which every kind of entry occurs."""
    return recorded_as("records")


def recorded_with_substitute() -> Played:
    """Return a match of three players, of whom one leaves in the second turn.

    The interrupted round is counted, and the next one is played to its end with a substitute.
    """
    return recorded_as("continuations")


def recorded_with_spectators() -> Played:
    """Return the first turn of a game that admits spectators."""
    return recorded_as("spectators")


@cache
def recorded_as(name: str) -> Played:
    """Return the match of one of the PLANS.

    The match is played from its moves. No vectors are read, so their format may change.
    """
    kept = KeptMatch.read(name)
    unread = patch.object(Path, "read_text", side_effect=AssertionError("a file was read"))
    with proving(), unread:
        return PLANS[name].again(kept, kept.choose())


def _played_with_substitute(kept: KeptMatch, leaves: Leaves, choose: Choose) -> Played:
    """Return the match in which the writer leaves when `leaves` first holds.

    A newcomer takes the seat, and the match is played to its end.
    """
    rules, players = kept.options, kept.players
    table = SeededTable.sit(kept.game, players, seed=kept.seed, spectators=kept.spectators, **rules)
    # Earlier moments keep the players of the first table, where the player who left can still sign.
    before = evolve(table, players=list(table.players), signers=list(table.signers))
    now, moments = before, list[Moment]()
    while not table.state.complete:
        state, number = table.state, len(table.entries)
        if now is before and leaves(state):
            entry = replaced(before, state, state.writers[0])
            moments.append(Moment(now, state, entry, number))
            seat_newcomers(table, entry)
            now = table
            continue
        entry = table.write(choose)
        moments.append(Moment(now, state, entry, number))
        table.state = advance(state, entry)
        table.entries.append(entry)
    return Played(table, tuple(moments))


@frozen
class Plan:
    """The settings with which a match is played."""

    fits: Callable[[Played], bool]
    """A function that returns True if a match has everything that the vectors need."""
    choose: Choose = at_random
    """The function that chooses moves when a new match is looked for."""
    until: Callable[[State], bool] = lambda state: state.complete
    """A function that returns True at the end of the recorded part of the match."""
    leaves: Leaves | None = None
    """A function that returns True when the player who is due leaves; None if nobody leaves."""

    def again(self, kept: KeptMatch, choose: Choose) -> Played:
        """Return the match, played with the moves that `choose` chooses."""
        if self.leaves is not None:
            return _played_with_substitute(kept, self.leaves, choose)
        return play(
            kept.game,
            kept.players,
            kept.seed,
            choose,
            until=self.until,
            spectators=kept.spectators,
            **kept.options,
        )

    def new(self, kept: KeptMatch) -> KeptMatch:
        """Return the match with new moves, for rules that no longer allow the old ones."""
        for seed in count(1):
            rng = random.Random(seed)
            one = self.again(kept, partial(self._chosen, rng))
            if self.fits(one):
                return evolve(kept, moves=tuple(moves_of(one)))
        raise AssertionError

    def _chosen(self, rng: random.Random, view: Position, _: random.Random) -> Move:
        return self.choose(view, rng)


def of_two_deals(moment: Moment) -> bool:
    """Return True if a hand is opened with hidden cards of two deals."""
    content = moment.body.content
    return isinstance(content, OpenContent) and len(content.proofs) > 1


def _second_round_begun(state: State) -> bool:
    """Return True if the dealer of the second round has shuffled."""
    return state.match.round_number == 2 and len(state.cards.last.keys) == 1


def _rebuilding(state: State) -> bool:
    """Return True if the discards are to be shuffled."""
    orders = state.match.orders
    return bool(orders) and isinstance(orders[0], Shuffle) and orders[0].first > 0


def _second_turn(state: State) -> bool:
    """Return True if a player is to move after a discard."""
    last = None if state.last is None else state.last.content
    return (
        state.match.mover is not None
        and isinstance(last, MoveContent)
        and isinstance(last.move, Discard)
    )


def _rebuilds(one: Played) -> bool:
    return any(map(from_a_second_deal, one.moments)) and any(map(of_two_deals, one.moments))


def _shorter(entries: int) -> Callable[[Played], bool]:
    return lambda one: len(one.entries) < entries


PLANS: Mapping[str, Plan] = {
    "records": Plan(lambda one: knows_half_a_hand(one) and len(one.entries) < 90),
    "continuations": Plan(_shorter(200), eagerly, leaves=_second_turn),
    "void": Plan(_shorter(60), eagerly, until=_second_turn),
    "kanastic": Plan(lambda one: _rebuilds(one) and len(one.entries) < 330),
    "canastra": Plan(_shorter(240), eagerly),
    "rounds": Plan(_shorter(125), eagerly, until=_second_round_begun),
    "redealt": Plan(_shorter(330), reluctantly, until=_rebuilding),
    "spectators": Plan(_shorter(20), eagerly, until=_second_turn),
}
"""The plans of the recorded matches; `moves/` says what is special about each match."""

RECORD_FILES = tuple(f"{name}.json" for name in PLANS)


@frozen
class Record:
    """A record: the first `keep` parts of a recorded match, then added parts, then bytes."""

    of: Played = field(repr=False)
    """The recorded match."""
    name: str
    what: str
    """A sentence about the record."""
    keep: int
    """The number of the match's parts with which the record begins."""
    added: tuple[bytes, ...] = ()
    """The parts that follow the kept ones."""
    tail: bytes = b""
    """The bytes after the added parts."""
    without: "WithoutRules | None" = None
    """The finding of a verifier without the rules, if it differs from the program's finding."""

    @property
    def rest(self) -> bytes:
        """The bytes of the record file after the kept parts."""
        return b"".join(map(framed, self.added)) + self.tail

    def finding(self) -> Finding:
        """Audit the record, beginning with the state after the kept parts."""
        return resumed(self.of, self.keep, self.rest)

    def json(self) -> Json:
        finding = self.finding()
        return {
            "name": self.name,
            "what": self.what,
            "keep": self.keep,
            "added": as_hex(self.added),
            "tail": self.tail.hex(),
            "verdict": finding.verdict.value,
            "entry": finding.entry,
            "cause": finding.cause,
            "player": finding.player,
            "unsigned": list(finding.unsigned),
            "exposed": [[one.entry, one.cause, one.player] for one in finding.exposed],
            "without_rules": self.without and self.without.json(self),
        }


@frozen
class WithoutRules:
    """The finding, after the last added entry, of a verifier that does not know the rules.

    The finding names no player.
    """

    verdict: str = "unfinished"
    cause: str = "R18"
    unsigned: tuple[int, ...] | None = None
    """The players whose signatures are missing; None for all."""

    def json(self, record: Record) -> Json:
        players = tuple(range(len(record.of.table.charter.charter.members)))
        return {
            "verdict": self.verdict,
            "entry": record.keep + len(record.added),
            "cause": self.cause,
            "player": None,
            "unsigned": list(players if self.unsigned is None else self.unsigned),
            "exposed": [],
        }


UNSEEN = WithoutRules()
"""The finding if only the rules show that anything is wrong with a record."""


@frozen
class Forge:
    """A maker of records in which entries of a recorded match are replaced or added.

    In its methods `name` is the name of a record, and `what` a sentence about the record.
    """

    of: Played

    def whole(self, name: str, what: str, *added: bytes, tail: bytes = b"") -> Record:
        """Return a record of the whole match with these entries added."""
        return Record(self.of, name, what, len(self.of.entries), added, tail)

    def upto(self, keep: int, name: str, what: str, tail: bytes = b"") -> Record:
        """Return a record of the first `keep` parts of the match."""
        return Record(self.of, name, what, keep, (), tail)

    def after(
        self,
        moment: Moment,
        name: str,
        what: str,
        *added: bytes,
        without: WithoutRules | None = None,
    ) -> Record:
        """Return a record of the parts before `moment`, with these parts added."""
        return Record(self.of, name, what, moment.number, added, without=without)


def file_of(one: Played, records: Iterable[Record]) -> Json:
    """Return a recorded match with the records made of it."""
    return {
        "signed_charter": one.table.charter.encode().hex(),
        "entries": as_hex(one.entries),
        "records": [record.json() for record in records],
    }
