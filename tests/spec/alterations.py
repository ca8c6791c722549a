"""Entries that no honest player writes, and the verifiers' findings on them, to be compared."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, partial
from typing import Any

from attrs import evolve, field, frozen

from protocol.charter import CHARTER_LIMIT, Charter
from protocol.codec import Value, decode, encode
from protocol.entries import BODY_LIMIT, Entry
from protocol.errors import Exposed, Illegal, Malformed, Newer, Refused, Unattributable
from protocol.state import State
from spec import verifier
from tests.protocol.continuing import follow, offered, signer_in
from tests.protocol.played import Moment, Played
from tests.spec.library_arithmetic import by_the_library
from tests.spec.run_verifier import followed, tables
from tests.vectors.recorded import CONTINUATIONS, RECORDS, recorded, recorded_with_substitute

Said = tuple[str, str, int | None]
"""Verdict, cause, and the exposed player."""

ACCEPTED: Said = ("accepted", "", None)

_CONTENT = 5  # index of the content in the fields of a body
_LABEL = b"sobremesa/1/continuation"


def lists(value: Value) -> Any:
    """Return the value with lists in the place of tuples, at every depth."""
    return [lists(item) for item in value] if isinstance(value, tuple) else value


def program_says(moment: Moment, entry: bytes, after: bytes | None = None) -> Said:
    """Return the program's finding on a part that comes at a moment, or after the part `after`."""
    return said_by(follow(moment.state, after) if after else moment.state, entry)


def said_by(state: State, entry: bytes) -> Said:
    """Return the program's finding on a part that comes next in a state."""
    try:
        follow(state, entry)
    except Newer:
        return "newer", "R2", None
    except Malformed:
        return "broken", "R19", None
    except Unattributable as error:
        return "broken", error.cause, None
    except Exposed as error:
        verdict = "illegal" if isinstance(error, Illegal) else "exposed"
        return verdict, error.cause, error.player
    return ACCEPTED


def verifier_says(table: verifier.Table, entry: bytes) -> Said:
    """Return the second verifier's finding on a part, with the library's arithmetic.

    `table` must have been followed with the library's arithmetic, too.
    """
    try:
        with by_the_library():
            table.advance(entry)
    except verifier.Newer:
        return "newer", "R2", None
    except verifier.Broken as error:
        return "broken", error.cause, None
    except verifier.Exposed as error:
        return verifier.verdict_on(error.cause), error.cause, error.player
    return ACCEPTED


def changed(value: Any, rng: random.Random) -> Any:
    """Return the value with one random change."""
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        kind = rng.random()
        if kind < 0.06:
            return value[:at] + value[at + 1 :]
        if kind < 0.12:
            return [*value, value[at]]
        if kind < 0.18:
            return [*value[:at], *value[at:][::-1]]
        return [*value[:at], changed(value[at], rng), *value[at + 1 :]]
    if isinstance(value, bytes) and value and rng.random() < 0.8:
        data = bytearray(value)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        return bytes(data)
    if type(value) is int and rng.random() < 0.8:
        return value + rng.choice([-1, 1, 2, 100])
    if isinstance(value, bool):
        return not value
    return rng.choice([None, 0, 1, 2**40, -1, b"", bytes(32), "draw", [], [0, 1], True])


def exchanged(value: Any, rng: random.Random) -> Any:
    """Return the content of an entry with a part replaced by another of the same form.

    Cards, slots, points or scalars are exchanged; numbers become one more or less.
    """
    if isinstance(value, bytes) and len(value) >= 64:
        parts = [value[at : at + 32] for at in range(0, len(value), 32)]
        one, other = rng.sample(range(len(parts)), 2)
        parts[one], parts[other] = parts[other], parts[one]
        return b"".join(parts)
    if isinstance(value, list) and value:
        if len(value) > 1 and rng.random() < 0.25:
            one, other = rng.sample(range(len(value)), 2)
            if type(value[one]) is type(value[other]):
                value = list(value)
                value[one], value[other] = value[other], value[one]
                return value
        at = max(rng.randrange(len(value)) for _ in range(2))
        return [*value[:at], exchanged(value[at], rng), *value[at + 1 :]]
    if type(value) is int:
        return max(0, value + rng.choice([-1, 1]))
    return not value if isinstance(value, bool) else value


BY_RULES = {"R11", "R12", "R14", "R16", "R17"}
"""Clauses of the record that can depend on the rules of play."""


def needs_rules(cause: str) -> bool:
    """Return True for a cause that a verifier without the rules cannot know.

    These are the clauses of the games, and the clauses of the record that the rules of play affect.
    """
    # The other causes are clauses of the record ("R5"), "unlock:dleq", "shuffle:sum" and so on.
    return cause[0] not in "Rus" or cause in BY_RULES


def is_told_apart(program: Said, second: Said) -> bool:
    """Return True if the program says "illegal" exactly when only the rules show the fault."""
    verdict, cause, player = program
    if cause not in BY_RULES:
        return True
    if verdict == "illegal":
        return second[1] not in BY_RULES
    return (second[0], second[2]) == ("exposed", player)


def agrees(program: Said, second: Said) -> bool:
    """Return True if a verifier without the rules may find `second` if the program finds `program`.

    It must find the same, unless only the rules show the fault: then it must accuse nobody else.
    """
    if not is_told_apart(program, second):
        return False
    if needs_rules(program[1] or "R"):  # an accepted part has no cause
        return second[2] in {None, program[2]}
    return second == program or (program[1] == "R19" and second == ACCEPTED)


@frozen(eq=False)
class Source:
    """Match whose parts are altered, with a function that returns the second verifier's tables."""

    played: Played = field(repr=False)
    follow: Callable[[], list[verifier.Table]] = field(repr=False)

    @classmethod
    def of(cls, played: Played) -> "Source":
        """Return the source for a match that is not in the vectors."""
        return cls(played, partial(_followed, played))

    @cached_property
    def tables(self) -> list[verifier.Table]:
        """The second verifier's table after each part."""
        return self.follow()


def _followed(played: Played) -> list[verifier.Table]:
    with by_the_library():
        return followed(played.table.charter.encode(), played.entries)


@cache
def vector_sources() -> tuple[Source, Source]:
    """Return a round between two, and a match of three with a continuation."""
    return (
        Source(recorded(), partial(tables, RECORDS)),
        Source(recorded_with_substitute(), partial(tables, CONTINUATIONS)),
    )


@frozen
class Alteration:
    """An altered part that follows the first `number` parts of a match.

    If `after` is given, it stands between these parts and the altered one.
    """

    source: Source
    number: int
    entry: bytes = field(repr=False)
    program: Said
    after: bytes | None = field(default=None, repr=False)

    def second(self) -> Said:
        """Return the second verifier's finding."""
        number = self.number + (self.after is not None)
        return verifier_says(self.source.tables[number], self.entry)

    @property
    def parts(self) -> list[bytes]:
        """Return the parts that replace those of the match."""
        return [self.entry] if self.after is None else [self.after, self.entry]


def alterations(
    rng: random.Random, count: int, sources: Sequence[Source] = ()
) -> Iterator[Alteration]:
    """Return `count` alterations of all kinds, by default of matches in the vectors."""
    altered = sources or [vector_sources()[which] for which in (0, 0, 1)]
    for _ in range(count):
        source = rng.choice(altered)
        moment = rng.choice(source.played.moments)
        entry, after = _altered(moment, rng)
        yield Alteration(source, moment.number, entry, program_says(moment, entry, after), after)


def _altered(moment: Moment, rng: random.Random) -> tuple[bytes, bytes | None]:
    """Return an altered part, and None.

    If the part is a second entry after the true one, return the true entry instead of None.
    """
    chance = rng.random()
    if chance < 0.15:
        data = bytearray(moment.entry)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        return bytes(data), None
    if not moment.is_entry or (chance < 0.3 and len(moment.table.players) > 2):
        return changed_continuation(moment, rng), None
    if chance < 0.4:
        signer = rng.choice([moment.writer, moment.other])
        head = rng.choice([moment.state.next_place.previous, bytes(32)])
        place = evolve(moment.state.next_place, previous=head)
        body = _changed_body(moment.signed(moment.body.content, signer, place), rng, signed=True)
        return moment.signed_bytes(body, signer), moment.entry
    if chance < 0.85:
        value = lists(decode(Entry.decode(moment.entry).body, limit=BODY_LIMIT))
        value[_CONTENT] = exchanged(value[_CONTENT], rng)
        return moment.signed_bytes(encode(value)), None
    signer = moment.other if rng.random() < 0.1 else moment.writer
    return moment.signed_bytes(_changed_body(moment.entry, rng, signed=True), signer), None


def _changed_body(data: bytes, rng: random.Random, *, signed: bool = False) -> bytes:
    body = Entry.decode(data).body if signed else data
    return encode(changed(lists(decode(body, limit=BODY_LIMIT)), rng))


def changed_continuation(moment: Moment, rng: random.Random) -> bytes:
    """Return a continuation with something changed in its charter, signed by all its signers."""
    left = rng.choice([[moment.writer], [rng.randrange(len(moment.table.players))], []])
    try:
        sound = offered(moment.state, left, ends=rng.random() < 0.5 and left != [])
    except Refused:  # too few founders would be left
        sound = offered(moment.state, ())
    fields = lists(decode(sound.encode(), limit=CHARTER_LIMIT))
    at = rng.choice([-1, -1, -1, rng.randrange(len(fields))])
    fields[at] = changed(fields[at], rng)
    return signed_by_all(moment, sound, encode(fields))


def signed_by_all(moment: Moment, sound: Charter, charter: bytes) -> bytes:
    """Return the bytes `charter`, signed by all signers of the charter `sound`."""
    message = encode((charter, ()))
    signatures = [
        (signer_in(moment.table, moment.state, sound.key_of(player))(_LABEL, message), ())
        for player in sound.signers
    ]
    return encode((charter, signatures))
