"""The machine of a match: what a node does and tells after each event."""

from collections.abc import Iterable

import pytest
from attrs import evolve

from protocol.charter import Charter, SignedCharter
from protocol.continuation import open_table
from protocol.errors import Malformed
from protocol.evidence import Evidence, Statement, statements_of
from protocol.match.events import Begun, Came, Grown, Opened, Persisted, Said, Ticked, Wished
from protocol.match.machine import MatchMachine
from protocol.match.messages import (
    Candidates,
    Continued,
    MatchTalk,
    Proposal,
    ShownEvidence,
    Signed,
    Wish,
    WishKind,
)
from protocol.match.negotiation import Negotiation
from protocol.match.statements import encode_statement
from protocol.match.tasks import Expose, Open, Ready, Sign
from protocol.table.record import TableRecord
from tests.protocol.continuing import OLGA, PABLO, concluded, offered, statement
from tests.protocol.proofless import without_proofs
from tests.protocol.seeded_table import SeededTable
from tests.protocol.table.nodes import node_at, seated

NEWS, TOLD = Ready(is_news=True, has_spoken=True), Ready(has_spoken=True)
"""The node has something new to tell the others: a message that it heard, or its own message."""


@pytest.fixture
def table() -> SeededTable:
    return SeededTable.sit(players=3)


@pytest.fixture
def machine(table: SeededTable) -> MatchMachine:
    """Return the machine of player 0, whose node has the record and does not play there."""
    return node_at(table, table.state)


def heard(machine: MatchMachine, talk: MatchTalk, player: int = 1) -> Ready:
    """Return the tasks after a message of that player."""
    return machine.handle(Said(machine.history.charter.key_of(player), talk), 0.0)


def opened(machine: MatchMachine, table: SeededTable, signed: SignedCharter) -> Ready:
    """Return the tasks after the table of a continuation was opened."""
    start = open_table(table.state, signed)
    return machine.handle(Opened(TableRecord(0, machine.key, start), signed), 0.0)


def signed_by(table: SeededTable, charter: Charter, player: int) -> Statement:
    return statement(table, table.state, charter, player)


def proposed(table: SeededTable, charter: Charter) -> Proposal:
    """Return the proposal of a continuation by player 1."""
    return Proposal(table.state.charter.key_of(1), 1, charter.encode()).signed(table.signers[1])


def kinds(values: Iterable[object]) -> list[str]:
    return [type(one).__name__ for one in values]


def test_a_continuation_that_all_have_signed_opens_its_table_once(
    table: SeededTable, machine: MatchMachine
) -> None:
    start = table.state
    later = concluded(table, start, offered(start, [2], attempt=2))
    talk = Continued(later.encode())
    machine.history.newest.kept = -1
    assert heard(machine, talk) == evolve(NEWS, persist=[Open(later, open_table(start, later))])
    assert machine.history.newest.kept == 0  # the record is no longer replaced
    assert heard(machine, talk) == Ready()
    assert heard(machine, Continued(table.charter.encode())) == Ready()
    assert opened(machine, table, later) == evolve(TOLD, before=start)
    assert heard(machine, talk) == Ready()
    assert tuple(machine.statements.all()) == statements_of(later)
    assert machine.negotiation.mine.number == 1
    assert kinds(machine.talk) == ["Continued", "Stance", "Signed", "Signed", "Signed"]
    # The table of an older continuation is opened as well, but the match does not move there.
    older = concluded(table, start, offered(start, [1], attempt=1))
    assert kinds(heard(machine, Continued(older.encode())).persist) == ["Open"]
    assert opened(machine, table, older) == TOLD
    assert (machine.history.charter.attempt, machine.negotiation.mine.number) == (2, 1)
    assert not machine.may_write(start.table_id)
    assert machine.may_write(later.charter.table_id)


def test_the_last_signature_opens_the_table(table: SeededTable, machine: MatchMachine) -> None:
    charter = offered(table.state, [2])
    mine, *theirs = (signed_by(table, charter, player) for player in charter.signers)
    stranger = Signed(encode_statement(theirs[1]))
    assert heard(machine, stranger) == Ready()  # no proposal has named the newcomer
    assert heard(machine, proposed(table, charter)) == NEWS
    for one in theirs:
        talk = Signed(encode_statement(one))
        assert [heard(machine, talk), heard(machine, talk)] == [NEWS, Ready()]
    signed = concluded(table, table.state, charter)
    opening = Open(signed, open_table(table.state, signed))
    assert machine.handle(Persisted(Sign(mine)), 0.0) == evolve(TOLD, persist=[opening])
    assert machine.handle(Persisted(Sign(mine)), 0.0) == TOLD


@pytest.mark.parametrize("plays", [False, True])
@pytest.mark.parametrize("has_seat", [False, True])
def test_a_table_stops_if_its_node_plays_there_and_a_cheat_has_a_seat(
    table: SeededTable, plays: bool, has_seat: bool
) -> None:
    machine = seated(table) if plays else node_at(table, table.state)
    one, two = (offered(table.state, [2], ends=ends) for ends in (False, True))
    if not has_seat:
        two = offered(table.state, [1], seats=[OLGA])
        machine.negotiation.propose(one)
    first, second = signed_by(table, one, 1 if has_seat else 2), signed_by(table, two, 1)
    assert heard(machine, Signed(encode_statement(first))).is_news
    ready = heard(machine, Signed(encode_statement(second)))
    (exposed,) = ready.persist
    assert isinstance(exposed, Expose)
    assert ready == evolve(NEWS, persist=[exposed])
    assert (exposed.error.cause, exposed.error.key) == ("C3", first.key)
    assert (exposed.table_id, exposed.stops) == (table.state.table_id, plays and has_seat)
    assert machine.evidence == {first.key: exposed.error.evidence[0]}
    shown = ShownEvidence(Evidence(first, second).encode())
    assert heard(machine, shown) == Ready()
    assert machine.talk[-1] == shown
    again = ShownEvidence(Evidence(second, first).encode())
    if plays and has_seat:
        machine.history.newest.expose(exposed.error)
        assert heard(machine, again) == Ready()


def test_candidates_are_news_when_they_change(machine: MatchMachine) -> None:
    olga = Candidates((OLGA.member,))
    assert [heard(machine, olga, player) for player in (1, 1, 2)] == [NEWS, Ready(), NEWS]
    assert heard(machine, Candidates(())) == NEWS
    assert [*machine.going_on.waiting] == [OLGA.member]
    assert machine.handle(Came((PABLO.member, OLGA.member)), 0.0) == TOLD
    assert [*machine.going_on.waiting] == [PABLO.member, OLGA.member]


def test_a_stance_is_told_when_it_is_new(machine: MatchMachine) -> None:
    assert [machine.handle(Ticked(), now) for now in (1.0, 5.0, 5.1)] == [Ready(), TOLD, Ready()]
    assert machine.handle(Wished(Wish(WishKind.WAIT)), 6.0) == Ready()
    assert machine.talk == (machine.negotiation.mine,)


def test_a_continuation_that_does_not_fit_the_record_ends_the_link(
    table: SeededTable, machine: MatchMachine
) -> None:
    sound = offered(table.state, [2])
    assert sound.continues is not None
    false = evolve(sound, continues=evolve(sound.continues, results=((5,) * 3,)))
    with pytest.raises(Malformed, match="other points"):
        heard(machine, Continued(concluded(table, table.state, false).encode()))
    assert heard(machine, Continued(concluded(table, table.state, sound).encode())).persist


def test_all_stances_are_passed_on_while_a_proposal_or_a_signature_waits(
    table: SeededTable,
) -> None:
    charter, start = offered(table.state, [2]), table.state
    signed = Signed(encode_statement(signed_by(table, charter, 1)))
    other = Negotiation(start.table_id, start.charter.key_of(1), table.signers[1])
    other.begin(1)
    for talk, told in (
        (None, ["Stance"]),
        (proposed(table, charter), ["Stance", "Stance", "Proposal"]),
        (signed, ["Stance", "Stance", "Signed"]),
    ):
        machine = seated(table, linked=(1, 2))
        machine.handle(Begun(0), 0.0)
        assert heard(machine, other.mine).is_news
        assert talk is None or heard(machine, talk).is_news
        assert kinds(machine.talk) == told


def test_evidence_against_a_key_without_any_seat_is_no_news(
    table: SeededTable, machine: MatchMachine
) -> None:
    one, two = (offered(table.state, [left], seats=[OLGA]) for left in (2, 1))
    pair = Evidence(signed_by(table, one, 2), signed_by(table, two, 1))
    shown = ShownEvidence(pair.encode())
    assert heard(machine, shown) == Ready()
    machine.negotiation.propose(one)
    assert heard(machine, shown).is_news


def test_the_journal_gives_back_signatures_and_evidence(
    table: SeededTable, machine: MatchMachine
) -> None:
    start, first = table.state, table.state.charter
    one, two = (offered(start, [2], ends=ends) for ends in (False, True))
    other = offered(start, [1], seats=[OLGA])
    pairs = [((one, p), (two, p)) for p in (0, 1)] + [((one, 2), (other, 1))]
    parts = [
        Evidence(signed_by(table, *said), signed_by(table, *rival)).encode()
        for said, rival in pairs
    ]
    mine = encode_statement(signed_by(table, offered(start, [1], attempt=7), 0))
    machine.recall([mine], [(first.table_id, part) for part in (b"entry", *parts)])
    assert machine.statements.highest == 7
    assert not machine.may_write(first.table_id)
    keys = first.key_of(0), first.key_of(1), OLGA.member.key
    assert machine.evidence == machine.shown_evidence == dict(zip(keys, parts, strict=True))
    assert machine.history.exposed == {*keys[:2]}  # the newcomer has no seat


def test_a_table_that_waits_for_an_entry_is_opened_at_the_tick_after_that_entry(
    table: SeededTable, machine: MatchMachine
) -> None:
    """The entry alone does not open the table, because many entries can come at once."""
    with without_proofs():
        table.step()
    sound = concluded(table, table.state, offered(table.state, [2]))
    talk = Continued(sound.encode())
    assert [heard(machine, talk), heard(machine, talk)] == [NEWS, Ready()]
    machine.history.newest.take(table.state, table.entries[-1])
    assert machine.handle(Grown(table.state, table.entries[-1]), 0.0) == Ready()
    (opening,) = machine.handle(Ticked(), 0.0).persist
    assert opening == Open(sound, open_table(table.state, sound))
    assert machine.handle(Ticked(), 0.0) == Ready()
