"""The machine of a match: what a node does and tells after each event."""

from collections.abc import Iterable

import pytest
from attrs import evolve

from protocol.charter import SignedCharter
from protocol.continuation import open_table
from protocol.errors import Malformed
from protocol.evidence import Evidence, statements_of
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


def ring_of(players: int = 3) -> SeededTable:
    return SeededTable.sit(players=players)


def heard(machine: MatchMachine, table: SeededTable, talk: MatchTalk, player: int = 1) -> Ready:
    """Return the tasks after a message of that player."""
    return machine.handle(Said(table.state.charter.key_of(player), talk), 0.0)


def opened(machine: MatchMachine, table: SeededTable, signed: SignedCharter) -> Ready:
    """Return the tasks after the table of a continuation was opened."""
    start = open_table(table.state, signed)
    return machine.handle(Opened(TableRecord(0, machine.key, start), signed), 0.0)


def kinds(values: Iterable[object]) -> list[str]:
    return [type(one).__name__ for one in values]


def test_a_continuation_that_all_have_signed_opens_its_table_once() -> None:
    table = ring_of()
    start, first = table.state, table.state.charter
    machine = node_at(table, start)
    later = concluded(table, start, offered(start, [2], attempt=2))
    talk = Continued(later.encode())
    machine.history.newest.kept = -1
    assert heard(machine, table, talk) == Ready(
        persist=[Open(later, open_table(start, later))], is_news=True, has_spoken=True
    )
    assert machine.history.newest.kept == 0  # the record is no longer replaced
    assert heard(machine, table, talk) == Ready()
    assert heard(machine, table, Continued(table.charter.encode())) == Ready()
    assert opened(machine, table, later) == Ready(before=start, has_spoken=True)
    assert heard(machine, table, talk) == Ready()
    assert tuple(machine.statements.all()) == statements_of(later)
    assert machine.negotiation.mine.number == 1
    assert kinds(machine.talk) == ["Continued", "Stance", "Signed", "Signed", "Signed"]
    # The table of an older continuation is opened as well, but the match does not move there.
    older = concluded(table, start, offered(start, [1], attempt=1))
    assert kinds(heard(machine, table, Continued(older.encode())).persist) == ["Open"]
    assert opened(machine, table, older) == Ready(has_spoken=True)
    assert machine.history.charter.attempt == 2
    assert machine.negotiation.mine.number == 1
    assert not machine.may_write(first.table_id)
    assert machine.may_write(later.charter.table_id)


def test_the_last_signature_opens_the_table() -> None:
    table = ring_of()
    machine, charter = node_at(table, table.state), offered(table.state, [2])
    theirs = [statement(table, table.state, charter, player) for player in charter.signers]
    stranger = Signed(encode_statement(theirs[2]))
    assert heard(machine, table, stranger) == Ready()  # no proposal has named the newcomer
    proposal = Proposal(table.state.charter.key_of(1), 1, charter.encode()).signed(table.signers[1])
    assert heard(machine, table, proposal) == Ready(is_news=True, has_spoken=True)
    for one in theirs[1:]:
        talk = Signed(encode_statement(one))
        assert heard(machine, table, talk) == Ready(is_news=True, has_spoken=True)
        assert heard(machine, table, talk) == Ready()
    ready = machine.handle(Persisted(Sign(theirs[0])), 0.0)
    signed = concluded(table, table.state, charter)
    assert ready == Ready(persist=[Open(signed, open_table(table.state, signed))], has_spoken=True)
    assert machine.handle(Persisted(Sign(theirs[0])), 0.0) == Ready(has_spoken=True)


@pytest.mark.parametrize("plays", [False, True])
@pytest.mark.parametrize("has_seat", [False, True])
def test_a_table_stops_if_its_node_plays_there_and_a_cheat_has_a_seat(
    plays: bool, has_seat: bool
) -> None:
    table = ring_of()
    machine = seated(table) if plays else node_at(table, table.state)
    one, two = (offered(table.state, [2], ends=ends) for ends in (False, True))
    if not has_seat:
        two = offered(table.state, [1], seats=[OLGA])
        machine.negotiation.propose(one)
    cheat = 1 if has_seat else 2
    first, second = statement(table, table.state, one, cheat), statement(table, table.state, two, 1)
    assert heard(machine, table, Signed(encode_statement(first))).is_news
    ready = heard(machine, table, Signed(encode_statement(second)))
    (exposed,) = ready.persist
    assert isinstance(exposed, Expose)
    assert ready == Ready(persist=[exposed], is_news=True, has_spoken=True)
    assert (exposed.error.cause, exposed.error.key) == ("C3", first.key)
    assert exposed.table_id == table.state.table_id
    assert exposed.stops == (plays and has_seat)
    assert machine.evidence == {first.key: exposed.error.evidence[0]}
    shown = ShownEvidence(Evidence(first, second).encode())
    assert heard(machine, table, shown) == Ready()
    assert machine.talk[-1] == shown
    again = ShownEvidence(Evidence(second, first).encode())
    if plays and has_seat:
        machine.history.newest.expose(exposed.error)
        assert heard(machine, table, again) == Ready()


def test_candidates_are_news_when_they_change() -> None:
    table = ring_of()
    machine = node_at(table, table.state)
    olga = Candidates((OLGA.member,))
    news = [heard(machine, table, olga, player) for player in (1, 1, 2)]
    told = Ready(is_news=True, has_spoken=True)
    assert news == [told, Ready(), told]
    assert heard(machine, table, Candidates(())) == told
    assert [*machine.going_on.waiting] == [OLGA.member]
    assert machine.handle(Came((PABLO.member, OLGA.member)), 0.0) == Ready(has_spoken=True)
    assert [*machine.going_on.waiting] == [PABLO.member, OLGA.member]


def test_a_stance_is_told_when_it_is_new() -> None:
    table = ring_of()
    machine = node_at(table, table.state)
    ready = [machine.handle(Ticked(), now) for now in (1.0, 5.0, 5.1)]
    assert ready == [Ready(), Ready(has_spoken=True), Ready()]
    assert machine.handle(Wished(Wish(WishKind.WAIT)), 6.0) == Ready()
    assert machine.talk == (machine.negotiation.mine,)


def test_a_continuation_that_does_not_fit_the_record_ends_the_link() -> None:
    table = ring_of()
    machine = node_at(table, table.state)
    sound = concluded(table, table.state, offered(table.state, [2]))
    continues = sound.charter.continues
    assert continues is not None
    charter = evolve(sound.charter, continues=evolve(continues, results=((5,) * 3,)))
    false = concluded(table, table.state, charter)
    with pytest.raises(Malformed, match="other points"):
        heard(machine, table, Continued(false.encode()))
    assert heard(machine, table, Continued(sound.encode())).persist


def test_all_stances_are_passed_on_while_a_proposal_or_a_signature_waits() -> None:
    table = ring_of()
    charter, start = offered(table.state, [2]), table.state
    proposal = Proposal(start.charter.key_of(1), 1, charter.encode()).signed(table.signers[1])
    signed = Signed(encode_statement(statement(table, start, charter, 1)))
    other = Negotiation(start.table_id, start.charter.key_of(1), table.signers[1])
    other.begin(1)
    for talk, told in (
        (None, ["Stance"]),
        (proposal, ["Stance", "Stance", "Proposal"]),
        (signed, ["Stance", "Stance", "Signed"]),
    ):
        machine = seated(table, linked=(1, 2))
        machine.handle(Begun(0), 0.0)
        assert heard(machine, table, other.mine).is_news
        if talk is not None:
            assert heard(machine, table, talk).is_news
        assert kinds(machine.talk) == told


def test_evidence_against_a_key_without_any_seat_is_no_news() -> None:
    table = ring_of()
    one, two = (offered(table.state, [left], seats=[OLGA]) for left in (2, 1))
    pair = statement(table, table.state, one, 2), statement(table, table.state, two, 1)
    shown = ShownEvidence(Evidence(*pair).encode())
    machine = node_at(table, table.state)
    assert heard(machine, table, shown) == Ready()
    machine.negotiation.propose(one)
    assert heard(machine, table, shown).is_news


def test_the_journal_gives_back_signatures_and_evidence() -> None:
    table = ring_of()
    start, first = table.state, table.state.charter
    one, two = (offered(start, [2], ends=ends) for ends in (False, True))
    parts = [
        Evidence(statement(table, start, one, p), statement(table, start, two, p)).encode()
        for p in (0, 1)
    ]
    machine = node_at(table, start)
    mine = statement(table, start, offered(start, [1], attempt=7), 0)
    other = offered(start, [1], seats=[OLGA])
    newcomer = Evidence(statement(table, start, one, 2), statement(table, start, other, 1)).encode()
    machine.recall(
        [encode_statement(mine)],
        [(first.table_id, part) for part in (b"entry", *parts, newcomer)],
    )
    assert machine.statements.highest == 7
    assert not machine.may_write(first.table_id)
    keys = first.key_of(0), first.key_of(1), OLGA.member.key
    assert machine.evidence == dict(zip(keys, (*parts, newcomer), strict=True))
    assert machine.shown_evidence == machine.evidence
    assert machine.history.exposed == {*keys[:2]}  # the newcomer has no seat


def test_an_entry_and_a_tick_bring_a_node_to_open_what_it_kept() -> None:
    """The entry alone does not open it, because many can come at once."""
    table = ring_of()
    start = table.state
    machine = node_at(table, start)
    with without_proofs():
        table.step()
    sound = concluded(table, table.state, offered(table.state, [2]))
    talk = Continued(sound.encode())
    assert heard(machine, table, talk) == Ready(is_news=True, has_spoken=True)
    assert heard(machine, table, talk) == Ready()
    machine.history.newest.take(table.state, table.entries[-1])
    assert machine.handle(Grown(table.state, table.entries[-1]), 0.0) == Ready()
    (opening,) = machine.handle(Ticked(), 0.0).persist
    assert opening == Open(sound, open_table(table.state, sound))
    assert machine.handle(Ticked(), 0.0) == Ready()
