"""Evidence: pairs of signatures that expose a player (C1 to C3), and pairs that expose nobody.

`spec/vectors/continuations.json` has records of all these pairs (`tests/vectors/evidence.py`); here
are the bounds between them.
"""

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
from tests.protocol.continuing import concluded, ended, exposure_by, offered, statement
from tests.protocol.played import Moment, Played, play
from tests.protocol.proofless import without_proofs

pytestmark = pytest.mark.usefixtures("proofless")


@cache
def three() -> Played:
    """Return a match of three players up to the first shuffle of their second round."""
    with without_proofs():
        return play("canasta", 3, rounds=2, until=lambda state: len(state.match.sheets) == 1)


def leaving() -> Moment:
    """Return the moment at which player GONE stays away and the others go on without them."""
    return three().when("close")


GONE, ANA = leaving().writer, leaving().other
(LAST,) = {0, 1, 2} - {GONE, ANA}
"""Player GONE stays away; ANA and LAST are the two who stay."""

FIRST = three().table.charter.charter
"""The match's first charter, whose table the players leave."""

MATCH, HEIGHT = leaving().state.table_id, leaving().state.height
MOVE, UNLOCKING = three().when("move").the(MoveContent), three().when("unlock").the(UnlockContent)
ROUND = leaving().state.closing
POINTS = ROUND.points
LESS = (POINTS[0] - 5, *POINTS[1:])
"""Other points than those of the round, POINTS."""


def charter(attempt: int = 1, **changes: Any) -> Charter:
    """Return the continuation without GONE, with changes to the fields of its `continues`."""
    found = offered(leaving().state, [GONE], attempt=attempt)
    assert found.continues is not None
    return evolve(found, continues=evolve(found.continues, **changes))


def said(of: Charter, *abandons: Place, by: int = ANA) -> Statement:
    """Return a statement for that continuation, by default signed by Ana."""
    return statement(leaving().table, leaving().state, of, by, *abandons)


def entry(content: Content, table: Charter, height: int, head: int = 0, *, by: int = ANA) -> bytes:
    """Return an entry at that table and height, by default signed by Ana after that head."""
    body = Body(Place(table.table_id, height, bytes([head]) * 32), by, content)
    return leaving().signed_body(body, by)


def cause(statement: Statement, other: bytes, table: Charter) -> str | None:
    """Return the clause by which two signatures expose their common signer, or None."""
    found = exposure_by(statement, other, table, MATCH)
    if found is None:
        return None
    assert (found.key, found.player) == (statement.key, statement.player)
    (part,) = found.evidence
    assert Evidence.decode(part).exposes(MATCH).cause == found.cause
    return found.cause


ABOVE = evolve(leaving().state.place, height=HEIGHT + 4)
OTHER = charter(attempt=3)
PASSING = charter(attempt=5, parent_attempt=4)
"""A continuation that does not go on from the table OTHER, and has a higher attempt."""


@pytest.mark.parametrize(
    ("stated", "table", "last"),
    [
        pytest.param(said(charter()), FIRST, HEIGHT, id="the place that is continued"),
        pytest.param(said(charter(), ABOVE), FIRST, HEIGHT + 4, id="a place above a fork"),
        pytest.param(
            said(PASSING, Place(OTHER.table_id, 7, bytes(32))), OTHER, 7, id="another table"
        ),
    ],
)
def test_c1_whoever_leaves_a_table_writes_nothing_there_above_an_abandoned_place(
    stated: Statement, table: Charter, last: int
) -> None:
    """An unlocking exposes nobody.

    Its honest writer may have lost it in a power cut, and signed the continuation afterwards.
    """
    for more, found in ((0, None), (1, "C1"), (1000, "C1")):
        assert cause(stated, entry(MOVE, table, last + more), table) == found
    assert cause(stated, entry(UNLOCKING, table, last + 1000), table) is None


def test_c1_signatures_that_do_not_belong_together_expose_nobody() -> None:
    """An honest entry comes with a statement about something else, or one of the two is forged."""
    honest = entry(MOVE, FIRST, HEIGHT + 1)
    body = Entry.decode(honest).body
    other_use = Entry(body, leaving().table.signers[ANA](b"sobremesa/1/charter", body)).encode()
    other_match = evolve(FIRST, grace=FIRST.grace + 1)  # of the same players
    there = charter(place=Place(other_match.table_id, 5, bytes(32)))
    other_table = charter(place=evolve(leaving().state.place, table_id=bytes(32)))
    for stated, written, table in (
        (said(charter(match_id=bytes(32))), honest, FIRST),
        (said(other_table), honest, FIRST),
        (said(charter()), honest, charter()),  # not the charter of the entry's table
        (said(there), entry(MOVE, other_match, 9), other_match),
        (said(charter()), entry(MOVE, FIRST, HEIGHT + 1, by=GONE), FIRST),
        (said(charter()), other_use, FIRST),
        (said(charter()), leaving().signed_bytes(b"junk", ANA), FIRST),
    ):
        assert cause(stated, written, table) is None


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

    This continuation is of the same table, or of another one if `continues` is False. An entry that
    closes nothing is no case of C2.
    """
    table = FIRST if closed_at == 0 else charter(attempt=closed_at)
    parent_id = table.table_id if continues else bytes([9]) * 32
    place = Place(parent_id, 40, bytes(32))
    stated = said(charter(attempt=attempt, parent_attempt=parent, results=results, place=place))
    assert cause(stated, entry(ROUND, table, 40), table) == ("C2" if exposes else None)
    assert cause(stated, entry(MOVE, table, 40), table) is None


def test_c3_continuations_of_two_matches_expose_nobody() -> None:
    ours, other = said(charter()), said(charter(match_id=bytes(32), results=()))
    for both in (Evidence(ours, other), Evidence(other, ours)):
        with pytest.raises(Unattributable) as raised:
            both.exposes(MATCH)
        assert raised.value.cause == "R20"


# -- in a record


def finding(*parts: bytes) -> tuple[str, int, str, int | None, int]:
    """Return the audit's verdict, entry number, clause, player, and number of exposed players.

    The entry number is counted from the place that the match leaves.
    """
    number = leaving().number
    found = audit(three().record(*parts, upto=number))
    verdict, exposed = found.verdict.value, len(found.exposed)
    return verdict, found.entry - number, found.cause, found.player, exposed


def test_the_verdict_names_the_first_exposed_player_who_still_has_a_seat() -> None:
    """Evidence against a player without a seat does not stop the match."""
    table, state = leaving().table, leaving().state
    end = ended(table, state, GONE)
    by_ana, by_last, by_gone = (
        Evidence(said(one, by=by), said(other, by=by)).encode()
        for one, other, by in (
            (charter(), charter(results=()), ANA),
            (charter(), charter(results=()), LAST),
            (offered(state, [ANA]), offered(state, [LAST]), GONE),
        )
    )
    assert finding(by_ana, b"junk") == ("exposed", 1, "C3", ANA, 1)
    assert finding(end, by_ana) == ("exposed", 2, "C3", ANA, 1)
    assert finding(by_ana, by_last) == ("exposed", 1, "C3", ANA, 2)
    assert finding(by_ana, by_ana)[:4] == ("exposed", 1, "C3", ANA)
    assert finding(by_gone, end) == ("ended", 2, "", None, 1)
    found = audit(three().record(by_gone, end, upto=leaving().number))
    assert found.exposed[0].name == FIRST.name_of(GONE)


def test_a_record_goes_on_after_an_entry_that_exposes_its_writer() -> None:
    """The honest entry of the same height may follow, even after a second false one."""
    false = leaving().signed(evolve(ROUND, points=LESS))
    again = leaving().signed(evolve(ROUND, round_number=2))
    for parts in ([false, leaving().entry], [false, again, leaving().entry]):
        assert finding(*parts) == ("illegal", 1, "R17", GONE, 1)


# -- bytes


def test_evidence_survives_encoding_and_decoding() -> None:
    honest = Entry.decode(entry(MOVE, FIRST, HEIGHT + 1))
    rival = Entry.decode(entry(ROUND, FIRST, HEIGHT + 1))
    signed = concluded(leaving().table, leaving().state, charter())
    stated, other = statements_of(signed)[:2]
    for both in ((stated, other), (other, honest, FIRST), (honest, rival, FIRST)):
        assert Evidence.decode(Evidence(*both).encode()) == Evidence(*both)


def fields(**changes: Encodable) -> bytes:
    """Return encoded evidence with an entry, with some fields changed."""
    values: dict[str, Encodable] = {
        "kind": "evidence",
        "one": said(charter()).fields(),
        "other": entry(MOVE, FIRST, 7),
        "table": FIRST.encode(),
    }
    return encode(tuple((values | changes).values()))


def longer_place() -> Any:
    """Return the fields of a statement in which an abandoned place has one field too many."""
    data, player, (place,), signature = cast(Any, said(charter(), leaving().state.place).fields())
    return data, player, ((*place, 0),), signature


SIGNERS = leaving().table.signers
ENDED = offered(leaving().state, [GONE], ends=True)
"""A charter that ends the match without GONE, who does not sign it."""


@pytest.mark.parametrize(
    "data",
    [
        *(fields(kind=kind) for kind in ("evidences", b"evidence")),
        *(fields(one=one) for one in (None, b"junk", longer_place())),
        fields(one=(charter().encode(), ANA, ())),
        fields(one=(charter(attempt=2).encode(), *cast(Any, said(charter()).fields())[1:])),
        fields(one=(FIRST.encode(), ANA, (), FIRST.sign(SIGNERS[ANA]))),
        fields(one=(ENDED.encode(), GONE, (), ENDED.sign(SIGNERS[GONE]))),
        fields(one=(charter().encode(), 6, (), bytes(64))),
        fields(one=(*said(charter()).fields(), 0)),  # type: ignore[misc]
        *(fields(other=other) for other in (None, b"junk", (), said(charter()).fields())),
        *(fields(table=table) for table in (None, b"junk")),
        fields(one=entry(MOVE, FIRST, 7), other=said(charter()).fields()),
        fields(one=entry(MOVE, FIRST, 7), table=None),
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
