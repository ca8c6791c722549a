"""Records with evidence: contradicting signatures, or an entry that exposes its writer."""

from collections.abc import Callable, Iterator
from typing import Any

from attrs import evolve

from engine.moves import Pass
from engine.slots import Slot
from protocol.charter import Charter
from protocol.codec import encode
from protocol.entries import Body, CloseContent, Entry, Given, MoveContent, UnlockContent
from protocol.evidence import Evidence, Statement
from protocol.place import Place
from protocol.record_file import framed
from tests.protocol.continuing import concluded, offered, statement
from tests.protocol.played import Moment
from tests.vectors.continuations import continuing, end, forge
from tests.vectors.recorded import Forge, Record, WithoutRules


def all_records() -> Iterator[Record]:
    one, leaving = forge()
    yield from _evidence(one, leaving)
    yield from _beside_evidence(one, leaving)


def _evidence(one: Forge, leaving: Moment) -> Iterator[Record]:
    """Return records with evidence, valid and invalid, at `leaving`, where the first table ends.

    Most of the evidence is against a player who keeps a seat: if such evidence is valid, the record
    ends with the exposure.
    """
    state, left = leaving.state, leaving.writer
    # The two who keep their seats, by their numbers at the first table.
    cheat, third = sorted({0, 1, 2} - {left})
    first = one.of.table.charter.charter
    sound = offered(state, [left])

    def stated(charter: Charter, *abandons: Place, by: int = cheat) -> Statement:
        return statement(leaving.table, state, charter, by, *abandons)

    def entry(
        content: Any, table: Charter, height: int, by: int = cheat, previous: bytes = bytes(32)
    ) -> Entry:
        body = content
        if not isinstance(content, bytes):
            body = Body(Place(table.table_id, height, previous), by, content).encode()
        return Entry.decode(leaving.signed_bytes(body, by))

    def shown(name: str, what: str, *contradiction: Any) -> Record:
        return one.after(leaving, name, what, Evidence(*contradiction).encode())

    move = one.of.when("move").the(MoveContent)
    unlocking = one.of.when("unlock").the(UnlockContent)
    closing = CloseContent(1, (100, 0, 0), last=False)
    above = entry(move, first, state.height + 1)
    named = evolve(Body.decode(above.body, state.match.deck), writer=9)
    misnamed = Entry.decode(leaving.signed_bytes(named.encode(), cheat))
    with_round = continuing(sound, results=((100, 0, 0),))
    without = continuing(sound, results=((0, 0, 0),))
    early = evolve(state.place, table_id=bytes(32))
    moved_on = continuing(without, parent_attempt=3, attempt=4, place=early)
    place = Place(first.table_id, 4, bytes(32))
    later, tried = continuing(sound, attempt=2), continuing(sound, attempt=3)
    said, rival, closed = stated(sound), stated(with_round), entry(closing, first, 9)
    yield shown("C1", "An entry at a table that its writer has left.", said, above, first)
    what = "An entry above a place that its writer has abandoned."
    yield shown("C1-abandoned", what, stated(moved_on, place), entry(move, first, 5), first)
    what = (
        "An entry at a table that its signer has left. "
        "As its writer it names a player 9, whom no table has."
    )
    yield shown("C1-writer", what, said, misnamed, first)
    what = "A player closes a round, and signs a continuation with other points for it."
    yield shown("C2", what, stated(without), closed, first)
    what = "A player closes a round, and signs a continuation without it."
    yield shown("C2-none", what, stated(continuing(sound, results=())), closed, first)
    passing = stated(continuing(moved_on, parent_attempt=0))
    what = "A player closes a round at attempt 3, and signs attempt 4, which continues attempt 0."
    yield shown("C2-passed", what, passing, entry(closing, tried, 9), tried)
    yield shown("C3", "Two continuations with the same attempt.", said, rival)
    c3 = Evidence(said, rival)
    newer = encode((encode((2,)), ()))
    what = "A continuation of the next version of the format."
    yield one.after(leaving, "newer-continuation", what, newer)
    what = "A continuation of the next version after evidence against a player with a seat."
    yield one.after(leaving, "newer-behind-evidence", what, c3.encode(), newer)
    what = "The record goes on after evidence against a player with a seat."
    yield one.after(leaving, "C3-goes-on", what, c3.encode(), end(leaving))
    one_more, other = (stated(offered(state, [stays]), by=left) for stays in (cheat, third))
    gone = Evidence(one_more, other)
    what = "Evidence against a player who has left."
    yield one.after(leaving, "gone", what, gone.encode(), end(leaving))
    yield one.after(leaving, "gone-late", what, end(leaving), gone.encode())
    what = "Two parts that expose the same player."
    yield one.after(leaving, "R20-twice", what, end(leaving), gone.encode(), gone.encode())
    what = "Two players exposed: the first who has a seat is named."
    second = Evidence(stated(sound, by=third), stated(with_round, by=third))
    yield one.after(leaving, "C3-two", what, gone.encode(), second.encode(), c3.encode())
    what = "An entry at the height at which its writer leaves."
    yield shown("R20-height", what, said, entry(move, first, state.height), first)
    what = "An unlocking at a table that its writer has left."
    yield shown("R20-unlock", what, said, entry(unlocking, first, 999), first)
    yield shown(
        "R20-counted", "The closing of a round that the continuation counts.", rival, closed, first
    )
    what = "A round that is left out by a continuation of a later table."
    yield shown("R20-moved-on", what, stated(moved_on), closed, first)
    what = (
        "A round is left out by a continuation. It continues another table than that of the round, "
        "but one with the same attempt."
    )
    yield shown("R20-sibling", what, stated(moved_on), entry(closing, tried, 9), tried)
    what = "A closing at another table, which has the same attempt as the continuation."
    yield shown("R20-attempt", what, stated(without), entry(closing, sound, 9), sound)
    what = "The entry of another player."
    yield shown("R20-writer", what, said, entry(move, first, 999, by=third), first)
    what = "The charter of another table than that of the entry."
    yield shown("R20-table", what, said, above, later)
    yield shown("R20-later", "Two continuations with different attempts.", said, stated(later))
    yield shown("R20-same", "The same continuation twice.", said, stated(sound, place))
    yield shown("R20-both", "Signatures of two players.", said, stated(with_round, by=third))
    foreign = (stated(continuing(one, match_id=bytes(32))) for one in (sound, with_round))
    yield shown("R20-match", "Two continuations of another match.", *foreign)
    what = "An entry whose body cannot be read."
    yield shown("R20-body", what, said, entry(b"\xc0", first, 9), first)
    yield from _two_entries(shown, entry, third, first)
    forged = evolve(said, signature=stated(later).signature)
    yield shown("R3-statement", "A statement with another signature.", forged, stated(later))
    what = "A statement with places that were not signed."
    yield shown("R3-places", what, evolve(said, abandons=(place,)), rival)
    what = "A statement in the name of another."
    yield shown("R3-player", what, evolve(said, player=third), stated(with_round, by=third))
    absent = evolve(stated(offered(state, [left], ends=True)), player=left)
    yield shown("R3-gone", "A statement of a player who has left.", absent, said)
    fields = ("evidence", said.fields(), above.encode(), None)
    yield one.after(leaving, "R3-charter", "No charter for an entry.", encode(fields))
    pair = ("evidence", above.encode(), misnamed.encode(), None)
    yield one.after(leaving, "R3-pair", "No charter for two entries.", encode(pair))
    turned = ("evidence", above.encode(), said.fields(), first.encode())
    yield one.after(leaving, "R3-turned", "An entry before a statement.", encode(turned))
    yield one.after(leaving, "R3-kind", "A part of another kind.", encode(("talk", 1)))


def _two_entries(
    shown: Callable[..., Record], cheat: Callable[..., Entry], third: int, first: Charter
) -> Iterator[Record]:
    """Return records with two entries as evidence.

    `cheat` makes an entry of a player with a seat, and `first` is the charter of its table.
    """

    def at(content: Any, head: int = 0, *, height: int = 9, table: Charter = first) -> Entry:
        return cheat(content, table, height, previous=bytes([head]) * 32)

    move, closing = MoveContent(Pass(), ()), CloseContent(1, (100, 0, 0), last=False)
    unlocking, again = (UnlockContent((Given(Slot(n), 0),), (), ()) for n in (1, 2))
    other = evolve(first, grace=first.grace + 1)
    formless = cheat(b"\xc0", first, 9)
    by_third = cheat(closing, first, 9, by=third)

    def pair(name: str, what: str, one: Entry, two: Entry, table: Charter = first) -> Record:
        return shown(name, what, one, two, table)

    yield pair("R8-pair", "Two entries after the same head.", at(move), at(closing))
    yield pair("R8-heads", "Two entries after different heads.", at(move), at(move, 1))
    yield pair("R8-unlock", "Two unlockings after the same head.", at(unlocking), at(again))
    yield pair("R8-turn", "An unlocking and a move after the same head.", at(unlocking), at(move))
    yield pair("R20-unlocks", "Two unlockings after different heads.", at(unlocking), at(again, 1))
    yield pair("R20-turn", "An unlocking and a move after different heads.", at(move), at(again, 1))
    yield pair("R20-entry", "The same entry twice.", at(move), at(move))
    yield pair("R20-heights", "Two entries of different heights.", at(move), at(move, height=10))
    yield pair("R20-signers", "Entries of two players.", at(move), by_third)
    yield pair("R20-tables", "The charter of another table.", at(move), at(closing), other)
    first_there, second_there = (at(content, table=other) for content in (move, closing))
    yield pair("R20-matches", "Two entries of another match.", first_there, second_there, other)
    yield pair("R20-form", "An entry whose body cannot be read.", at(move), formless)


def _beside_evidence(one: Forge, leaving: Moment) -> Iterator[Record]:
    """Return records with an entry that exposes its writer or is illegal, and one cut off."""
    state, left = leaving.state, leaving.writer
    junk = leaving.signed_bytes(b"\x93\1\2\3")
    what = "A player whom an entry exposes is replaced, and the match goes on."
    replacing = concluded(leaving.table, state, offered(state, [left])).encode()
    yield one.after(leaving, "exposed-replaced", what, junk, replacing)
    what = "A player is exposed by an entry, and the match ends."
    yield one.after(leaving, "exposed-ended", what, junk, end(leaving))
    yield one.after(leaving, "R9-twice", "A second entry that exposes the same player.", junk, junk)
    passing = leaving.signed(evolve(one.of.when("move").the(MoveContent)))
    what = "An entry against the rules, and a continuation of the place before it."
    yield one.after(
        leaving, "rules-ended", what, passing, end(leaving), without=WithoutRules("ended", "", ())
    )
    cut = framed(leaving.entry)[:400]
    yield one.upto(leaving.number, "cut", "Cut off within a continuation.", tail=cut)
