"""The recorded matches from which the records of the vectors are made, and what these are.

The moves are those that the files have, so that they stay the same when the rules offer moves in
another order.
"""

import json
import random
from collections.abc import Callable, Iterable
from functools import cache
from itertools import count

from attrs import field, frozen

from client.bots import eager
from engine.moves import Discard, Move
from protocol.audit import Auditor, Finding
from protocol.charter import SignedCharter
from protocol.entries import Body, Entry, MoveContent, OpenContent
from protocol.record import framed
from protocol.state import State
from tests.protocol.absent import play_with_substitute
from tests.protocol.played import (
    Moment,
    Played,
    from_a_second_deal,
    knows_half_a_hand,
    play,
)
from tests.protocol.ring import Choose, random_move
from tests.vectors.shape import FOLDER, Json, as_hex

SEED = 15
RECORDS, ABSENCES = "records.json", "absences.json"
KANASTIC, CANASTRA, ROUNDS = "kanastic.json", "canastra.json", "rounds.json"
RECORD_FILES = RECORDS, ABSENCES, KANASTIC, CANASTRA, ROUNDS
_SEED_OF_A_JOKER = 4  # for which somebody turns up a joker in the draw for seats


@cache
def recorded() -> Played:
    """A round between two, in which there is something of everything."""

    def fits(one: Played) -> bool:
        return knows_half_a_hand(one) and len(one.entries) < 90

    return _as_in(RECORDS, lambda choose: play(seed=SEED, choose=choose), fits)


@cache
def recorded_with_substitute() -> Played:
    """A round of three that one of them leaves in its second turn: it is void, and with a
    substitute it is played to its end.
    """
    return _as_in(
        ABSENCES,
        lambda choose: play_with_substitute(_second_turn, choose, seed=SEED),
        lambda one: len(one.entries) < 200,
    )


@cache
def recorded_kanastic() -> Played:
    """A round between two in which the stock is rebuilt, cards are discarded from it, and a hand is
    opened with cards of both deals.
    """

    def fits(one: Played) -> bool:
        return (
            any(map(from_a_second_deal, one.moments))
            and any(map(of_two_deals, one.moments))
            and len(one.entries) < 330
        )

    return _as_in(KANASTIC, lambda choose: play("kanastic", seed=SEED, choose=choose), fits)


def of_two_deals(moment: Moment) -> bool:
    """A hand is opened with hidden cards of two deals."""
    content = moment.body.content
    return isinstance(content, OpenContent) and len(content.proofs) > 1


@cache
def recorded_canastra() -> Played:
    """A game by the program's eager driver, which comes to an end."""
    return _as_in(
        CANASTRA,
        lambda choose: play("canastra", seed=SEED, choose=choose),
        lambda one: len(one.entries) < 240,
        eager.choose,
    )


@cache
def recorded_rounds() -> Played:
    """The draw, a round and the first shuffles of the next, among four."""
    return _as_in(
        ROUNDS,
        lambda choose: play(
            "canasta", 4, _SEED_OF_A_JOKER, choose, rounds=2, until=_second_round_begun
        ),
        lambda one: len(one.entries) < 125,
        eager.choose,
    )


def _second_round_begun(state: State) -> bool:
    """The dealer of the second round has shuffled."""
    return state.match.round_number == 2 and len(state.cards.last.keys) == 1


def _second_turn(state: State) -> bool:
    """Somebody is to move after a discard."""
    last = None if state.last is None else state.last.content
    return (
        state.match.mover is not None
        and isinstance(last, MoveContent)
        and isinstance(last.move, Discard)
    )


def _as_in(
    name: str,
    again: Callable[[Choose], Played],
    fits: Callable[[Played], bool],
    choose: Choose = random_move,
) -> Played:
    """What is in the file, played again; a new one if there is no such file."""
    path = FOLDER / name
    if not path.exists():
        tried = (again(_with_seed(choose, seed)) for seed in count(1))
        return next(one for one in tried if fits(one))
    moves = list(_moves(json.loads(path.read_text(encoding="utf-8"))))
    return again(lambda _, __: moves.pop(0))


def _with_seed(choose: Choose, seed: int) -> Choose:
    rng = random.Random(seed)
    return lambda view, _: choose(view, rng)


def _moves(about: Json) -> Iterable[Move]:
    deck = SignedCharter.decode(bytes.fromhex(about["signed_charter"])).charter.game.deck
    for entry in map(Entry.decode, map(bytes.fromhex, about["entries"])):
        content = Body.decode(entry.body, deck, joint=entry.is_joint).content
        if isinstance(content, MoveContent):
            yield content.move


@frozen
class Record:
    """A record: the first `keep` entries of a recorded match, entries added, bytes after them.

    `rules` tells that it takes the rules to see what is wrong.
    """

    of: Played = field(repr=False)
    name: str
    what: str
    keep: int
    added: tuple[bytes, ...] = ()
    tail: bytes = b""
    rules: bool = False

    @property
    def rest(self) -> bytes:
        """The record file from where it is no more the recorded match."""
        return b"".join(map(framed, self.added)) + self.tail

    def finding(self) -> Finding:
        """What the audit says. It begins at the state that the kept entries have led to."""
        states = [*(moment.state for moment in self.of.moments), self.of.ring.state]
        auditor = Auditor(states[self.keep])
        auditor._reader.begun = True
        for _ in auditor.feed(self.rest):
            pass
        return auditor.finish()

    def json(self) -> Json:
        finding = self.finding()
        return {
            "name": self.name,
            "what": self.what,
            "keep": self.keep,
            "added": as_hex(self.added),
            "tail": self.tail.hex(),
            "rules": self.rules,
            "verdict": finding.verdict.value,
            "entry": finding.entry,
            "cause": finding.cause,
            "player": finding.player,
            "unsigned": list(finding.unsigned),
        }


@frozen
class Forge:
    """Makes the records in which an entry of a recorded match is another one.

    `name` is the name of a record, `what` a sentence about it.
    """

    of: Played

    def whole(self, name: str, what: str, *added: bytes, tail: bytes = b"") -> Record:
        """The whole match, and what is added to it."""
        return Record(self.of, name, what, len(self.of.entries), added, tail)

    def upto(self, keep: int, name: str, what: str, tail: bytes = b"") -> Record:
        """The first entries of it."""
        return Record(self.of, name, what, keep, (), tail)

    def after(
        self, moment: Moment, name: str, what: str, *added: bytes, rules: bool = False
    ) -> Record:
        """What was there at that moment, and then these."""
        return Record(self.of, name, what, moment.state.height, added, rules=rules)


def file_of(one: Played, records: Iterable[Record]) -> Json:
    """A recorded match, and what is made of it."""
    return {
        "signed_charter": one.ring.charter.encode().hex(),
        "entries": as_hex(one.entries),
        "records": [record.json() for record in records],
    }
