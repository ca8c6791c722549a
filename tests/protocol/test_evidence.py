"""Evidence: pairs of signatures that expose a player (C1 to C3), and pairs that expose nobody."""

from functools import cache
from typing import Any, cast

import pytest
from attrs import evolve

from protocol.charter import Charter
from protocol.codec import Encodable, encode
from protocol.entries import Body, Content, Entry, MoveContent, UnlockContent
from protocol.errors import Malformed, Unattributable
from protocol.evidence import EVIDENCE_LIMIT, Evidence, Statement, statements_of
from protocol.place import Place
from tests.protocol.audited import audit
from tests.protocol.continuing import concluded, ended, exposure_by, offered, replaced, statement
from tests.protocol.played import Moment, Played, play

pytestmark = pytest.mark.usefixtures("proofless")


@cache
def three() -> Played:
    """Return a match of three players up to the first shuffle of their second round."""
    return play("canasta", 3, rounds=2, until=lambda state: len(state.match.sheets) == 1)


def leaving() -> Moment:
    """Return the moment at which player `gone()` stays away and the others go on without them."""
    return three().when("close")


def match_id() -> bytes:
    return leaving().state.table_id


def gone() -> int:
    return leaving().writer


def ana() -> int:
    """Return one of the two players who stay."""
    return leaving().other


def last() -> int:
    """Return the other player who stays."""
    return ({0, 1, 2} - {gone(), ana()}).pop()


def charter(attempt: int = 1, **changes: Any) -> Charter:
    """Return the continuation without `gone()`, with changes to the fields of its `continues`."""
    state = leaving().state
    found = offered(state, [gone()], attempt=attempt)
    assert found.continues is not None
    return evolve(found, continues=evolve(found.continues, **changes))


def said(of: Charter, *abandons: Place, by: int | None = None) -> Statement:
    """Return a statement for that continuation, by default signed by Ana."""
    signer = ana() if by is None else by
    return statement(leaving().table, leaving().state, of, signer, *abandons)


def entry(
    content: Content, table: Charter, height: int, head: int = 0, *, by: int | None = None
) -> bytes:
    """Return an entry at that table and height, by default signed by Ana after that head."""
    writer = ana() if by is None else by
    body = Body(Place(table.table_id, height, bytes([head]) * 32), writer, content)
    return leaving().signed_body(body, writer)


def cause(statement: Statement, other: bytes, table: Charter) -> str | None:
    """Return the clause by which two signatures expose their common signer, or None."""
    found = exposure_by(statement, other, table, match_id())
    if found is None:
        return None
    assert found.key == statement.key
    assert found.player == statement.player
    (part,) = found.evidence
    assert Evidence.decode(part).exposes(match_id()).cause == found.cause
    return found.cause


def first() -> Charter:
    """Return the match's first charter, whose table the players leave."""
    return three().table.charter.charter


def move() -> MoveContent:
    return three().when("move").the(MoveContent)


def test_c1_whoever_leaves_a_table_writes_nothing_there_any_more() -> None:
    height = leaving().state.height
    for more, found in ((0, None), (1, "C1"), (1000, "C1")):
        assert cause(said(charter()), entry(move(), first(), height + more), first()) == found


def test_c1_nothing_may_follow_the_abandoned_place_of_a_forked_record() -> None:
    """The signer may have written up to the abandoned place, 4 entries above the fork."""
    state = leaving().state
    stated = said(charter(), evolve(state.place, height=state.height + 4))
    for more, found in ((4, None), (5, "C1")):
        assert cause(stated, entry(move(), first(), state.height + more), first()) == found


def test_c1_an_unlocking_exposes_nobody() -> None:
    """A power cut may have erased it before its honest writer signs the continuation."""
    unlocking = three().when("unlock").the(UnlockContent)
    assert cause(said(charter()), entry(unlocking, first(), 1000), first()) is None


@pytest.mark.parametrize(
    "name", ["match", "table", "entry's table", "entry's match", "writer", "label", "body"]
)
def test_c1_signatures_that_do_not_belong_together_expose_nobody(name: str) -> None:
    """An honest entry comes with a statement about something else, or one of the two is forged."""
    height = leaving().state.height + 1
    stated, honest, table = said(charter()), entry(move(), first(), height), first()
    if name == "match":
        stated = said(charter(match_id=bytes(32)))
    elif name == "table":
        stated = said(charter(place=evolve(leaving().state.place, table_id=bytes(32))))
    elif name == "entry's table":
        table = charter()  # not the charter of the entry's table
    elif name == "entry's match":
        table = evolve(first(), grace=first().grace + 1)  # another match of the same players
        stated = said(charter(place=Place(table.table_id, 5, bytes(32))))
        honest = entry(move(), table, 9)
    elif name == "writer":
        honest = entry(move(), first(), height, by=gone())
    elif name == "label":
        body = Entry.decode(honest).body
        signature = leaving().table.signers[ana()](b"sobremesa/1/charter", body)
        honest = Entry(body, signature).encode()
    else:
        honest = leaving().signed_bytes(b"junk", ana())
    assert cause(stated, honest, table) is None


def test_c1_nothing_may_follow_an_abandoned_place_of_another_table() -> None:
    other = charter(attempt=3)
    place = Place(other.table_id, 7, bytes(32))
    stated = said(charter(attempt=5, parent_attempt=4), place)
    for height, found in ((7, None), (8, "C1")):
        assert cause(stated, entry(move(), other, height), other) == found


ROUND = leaving().state.closing
POINTS = ROUND.points
LESS = (POINTS[0] - 5, *POINTS[1:])
MOVE, UNLOCKING = move(), three().when("unlock").the(UnlockContent)


@pytest.mark.parametrize(
    ("closed_at", "attempt", "parent", "results", "continues", "exposes"),
    [
        (0, 1, 0, (), True, True),
        (0, 1, 0, (LESS,), True, True),
        (0, 1, 0, (POINTS,), True, False),
        (0, 1, 0, (POINTS, LESS), True, False),
        (3, 3, 0, (), False, False),  # a statement of the same attempt, or of a lower one
        (3, 2, 0, (), False, False),
        (3, 4, 0, (), False, True),
        (3, 5, 2, (), False, True),
        (0, 4, 3, (), False, False),  # the others have gone on meanwhile
        (3, 5, 4, (), False, False),
        (3, 5, 3, (), False, False),  # another table with the same attempt, a case of C3
        (3, 5, 3, (), True, True),
    ],
)
def test_c2_whoever_closes_a_round_signs_no_continuation_without_it(
    closed_at: int,
    attempt: int,
    parent: int,
    results: tuple[tuple[int, ...], ...],
    continues: bool,
    exposes: bool,
) -> None:
    """A player has closed a round at the table of attempt `closed_at`, and signs a continuation.

    This continuation is of the same table, or of another one if `continues` is False.
    """
    table = first() if closed_at == 0 else charter(attempt=closed_at)
    parent_id = table.table_id if continues else bytes([9]) * 32
    place = Place(parent_id, 40, bytes(32))
    stated = said(charter(attempt=attempt, parent_attempt=parent, results=results, place=place))
    assert cause(stated, entry(ROUND, table, 40), table) == ("C2" if exposes else None)


def test_c2_concerns_only_closings() -> None:
    height = leaving().state.height
    assert cause(said(charter(results=())), entry(move(), first(), height), first()) is None


@pytest.mark.parametrize(
    ("one", "other", "exposes"),
    [
        (said(charter()), said(charter(results=())), True),
        (said(charter()), said(charter(results=()), by=last()), False),
        (said(charter()), said(charter()), False),
        # the same continuation, signed again with an abandoned place
        (said(charter()), said(charter(), leaving().state.place), False),
        (said(charter()), said(charter(attempt=2)), False),
        (said(charter()), said(charter(match_id=bytes(32))), False),
        (said(charter(match_id=bytes(32))), said(charter(match_id=bytes(32), results=())), False),
    ],
)
def test_c3_nobody_signs_two_continuations_of_one_attempt(
    one: Statement, other: Statement, exposes: bool
) -> None:
    both = Evidence(one, other)
    if exposes:
        found = both.exposes(match_id())
        assert (found.cause, found.key) == ("C3", one.key)
        return
    with pytest.raises(Unattributable) as raised:
        both.exposes(match_id())
    assert raised.value.cause == "R20"


@pytest.mark.parametrize(
    ("one", "other", "exposes"),
    [
        ((MOVE, 7), (ROUND, 7), True),
        ((MOVE, 7), (MOVE, 7, 1), True),
        ((MOVE, 7), (UNLOCKING, 7), True),
        ((MOVE, 7), (UNLOCKING, 7, 1), False),  # a power cut may have erased the unlocking
        ((UNLOCKING, 7), (UNLOCKING, 7, 1), False),
        ((MOVE, 7), (MOVE, 7), False),
        ((MOVE, 7), (ROUND, 8), False),
    ],
)
def test_r8_two_entries_of_one_height_are_evidence(
    one: tuple[Any, ...], other: tuple[Any, ...], exposes: bool
) -> None:
    """Each entry is given by content, height and head (by default 0); both have one signer."""
    signed = (Entry.decode(entry(content, first(), *at)) for content, *at in (one, other))
    both = Evidence(next(signed), next(signed), first())
    assert Evidence.decode(both.encode()) == both
    n = leaving().number
    found = ("exposed", n + 1, "R8", ana(), 1) if exposes else ("broken", n + 1, "R20", None, 0)
    assert finding(both.encode()) == found


# -- forged statements


def test_a_statement_that_its_player_has_not_signed_is_malformed() -> None:
    """The forged statements have another player, charter, signature or list of abandoned places."""
    stated = said(charter(), leaving().state.place)
    for forged in (
        evolve(stated, player=last()),
        evolve(stated, abandons=()),
        evolve(stated, charter=charter(attempt=2)),
        evolve(stated, signature=said(charter()).signature),
        evolve(said(charter()), charter=first()),
        evolve(said(offered(leaving().state, [gone()], ends=True)), player=gone()),
    ):
        part = Evidence(forged, said(charter(attempt=2)))
        with pytest.raises(Malformed):
            Evidence.decode(part.encode())


# -- in a record


def finding(*parts: bytes, upto: int | None = None) -> tuple[str, int, str, int | None, int]:
    """Return the audit's verdict, entry number, clause, player, and number of exposed players."""
    number = leaving().number if upto is None else upto
    found = audit(three().record(*parts, upto=number))
    return found.verdict.value, found.entry, found.cause, found.player, len(found.exposed)


def evidence(by: int | None = None) -> bytes:
    """Return evidence of C3 against a player, by default Ana."""
    return Evidence(said(charter(), by=by), said(charter(results=()), by=by)).encode()


def test_whoever_is_exposed_and_has_a_seat_is_named() -> None:
    end, n = ended(leaving().table, leaving().state, gone()), leaving().number
    exposed = ("exposed", n + 1, "C3", ana(), 1)
    assert finding(evidence()) == exposed
    assert finding(evidence(), end) == exposed
    assert finding(evidence(), b"junk") == exposed
    assert finding(end, evidence()) == ("exposed", n + 2, "C3", ana(), 1)
    assert finding(evidence(), evidence(last())) == (*exposed[:-1], 2)


def test_evidence_against_somebody_without_a_seat_does_not_stop_the_match() -> None:
    """The match goes on after the evidence, and ends as it would have without the evidence."""
    table, state, n = leaving().table, leaving().state, leaving().number
    theirs = Evidence(
        said(offered(state, [ana()]), by=gone()), said(offered(state, [last()]), by=gone())
    ).encode()
    end = ended(table, state, gone())
    for parts in ((theirs, end), (end, theirs)):
        assert finding(*parts) == ("ended", n + 2, "", None, 1)
    assert finding(replaced(table, state, gone()), theirs) == ("unfinished", n + 2, "R18", None, 1)
    assert audit(three().record(theirs, end, upto=n)).exposed[0].name == first().name_of(gone())


def test_r20_evidence_that_exposes_nobody_new_breaks_the_record() -> None:
    n = leaving().number
    assert finding(evidence(), evidence())[:4] == ("exposed", n + 1, "C3", ana())
    table, state = leaving().table, leaving().state
    end = ended(table, state, gone())
    theirs = Evidence(
        said(offered(state, [ana()]), by=gone()), said(offered(state, [last()]), by=gone())
    ).encode()
    assert finding(end, theirs, theirs) == ("broken", n + 3, "R20", None, 1)
    harmless = Evidence(said(charter()), said(charter(attempt=2))).encode()
    assert finding(harmless) == ("broken", n + 1, "R20", None, 0)


def test_a_record_goes_on_after_an_entry_that_exposes_its_writer() -> None:
    """The honest entry of the same height may follow, or a continuation."""
    table, state, n = leaving().table, leaving().state, leaving().number
    false = leaving().signed(evolve(ROUND, points=LESS))
    found = ("illegal", n + 1, "R17", gone(), 1)
    assert finding(false, leaving().entry) == found
    assert finding(false, ended(table, state, gone())) == ("ended", n + 2, "", None, 1)
    again = leaving().signed(evolve(ROUND, round_number=2))
    assert finding(false, again, leaving().entry) == found


# -- bytes


def test_evidence_survives_encoding_and_decoding() -> None:
    height = leaving().state.height + 1
    honest = Entry.decode(entry(move(), first(), height))
    signed = concluded(leaving().table, leaving().state, charter())
    for stated in statements_of(signed):
        for other, table in ((stated, None), (honest, first())):
            both = Evidence(stated, other, table)
            assert Evidence.decode(both.encode()) == both


def ended_charter() -> Charter:
    """Return a charter that ends the match without `gone()`, who does not sign it."""
    return offered(leaving().state, [gone()], ends=True)


def signature_of_gone() -> bytes:
    return ended_charter().sign(leaving().table.signers[gone()])


def fields(**changes: Encodable) -> bytes:
    """Return encoded evidence with an entry, with some fields changed."""
    stated = said(charter())
    values: dict[str, Encodable] = {
        "kind": "evidence",
        "one": stated.fields(),
        "other": entry(move(), first(), 7),
        "table": first().encode(),
    }
    return encode(tuple((values | changes).values()))


def longer_place() -> Any:
    """Return the fields of a statement in which an abandoned place has one field too many."""
    data, player, (place,), signature = cast(Any, said(charter(), leaving().state.place).fields())
    return data, player, ((*place, 0),), signature


@pytest.mark.parametrize(
    "data",
    [
        fields(kind="evidences"),
        fields(kind=b"evidence"),
        fields(one=None),
        fields(one=(charter().encode(), ana(), ())),
        fields(one=(first().encode(), ana(), (), first().sign(leaving().table.signers[ana()]))),
        fields(one=(ended_charter().encode(), gone(), (), signature_of_gone())),
        fields(one=(charter().encode(), 6, (), bytes(64))),
        fields(one=longer_place()),
        fields(one=(*said(charter()).fields(), 0)),  # type: ignore[misc]
        fields(other=None),
        fields(other=b"junk"),
        fields(other=()),
        fields(table=None),
        fields(table=b"junk"),
        fields(other=said(charter()).fields()),
        fields(one=entry(move(), first(), 7), other=said(charter()).fields()),
        fields(one=entry(move(), first(), 7), table=None),
        fields(one=b"junk"),
        fields(more=None),
        fields() + b"\0",
        b"",
        bytes(EVIDENCE_LIMIT + 1),
    ],
)
def test_bytes_that_are_no_evidence_are_malformed(data: bytes) -> None:
    assert Evidence.decode(fields())
    with pytest.raises(Malformed):
        Evidence.decode(data)


def test_r3_bytes_that_are_no_evidence_break_the_record() -> None:
    n = leaving().number
    for part in (fields(table=None), fields(kind="other"), encode(("evidence",))):
        assert finding(part) == ("broken", n + 1, "R3", None, 0)
