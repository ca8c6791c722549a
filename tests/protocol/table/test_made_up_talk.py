"""Made-up messages and signatures of members: nodes limit their number, and do not trust them."""

from contextlib import nullcontext
from typing import Any

import pytest
from attrs import evolve

from p2p.storage.identity import Identity
from protocol.charter import Member, SignedCharter
from protocol.errors import Exposed, Malformed, Refused
from protocol.evidence import Evidence
from protocol.match.events import Grown, Said
from protocol.match.history import History
from protocol.match.messages import NO_WISH, Continued, Proposal, ShownEvidence, Signed, Stance
from protocol.match.negotiation import MOST_KEYS, Negotiation
from protocol.match.statements import Statements, encode_statement
from protocol.match.tasks import Expose
from protocol.place import Place
from protocol.table.record import TableRecord
from tests.protocol.continuing import concluded, offered, seat_newcomers, statement
from tests.protocol.seeded_table import SeededTable
from tests.protocol.table.match_world import MatchWorld
from tests.protocol.table.nodes import begun, node_at

MATCH = bytes(32)


@pytest.fixture
def talk() -> Negotiation:
    me = Identity.generate()
    return Negotiation(MATCH, me.public, me.sign)


@pytest.fixture
def table() -> SeededTable:
    return SeededTable.sit(players=3)


def talk_at(table: SeededTable) -> Negotiation:
    """Return the talk of player 0 at that table."""
    first = table.state.charter
    return Negotiation(first.table_id, first.key_of(0), table.signers[0])


def stance(one: Identity, number: int) -> Stance:
    return Stance(one.public, number, NO_WISH, b"").signed(MATCH, one.sign)


def test_the_number_of_kept_stances_is_limited(talk: Negotiation) -> None:
    made_up = [Identity.generate() for _ in range(MOST_KEYS + 3)]
    keys = {one.public for one in made_up}
    news = [talk.hear(stance(one, 1), keys) for one in made_up]
    assert news == [True] * MOST_KEYS + [False] * 3
    assert len(talk.stances) == MOST_KEYS
    assert talk.hear(stance(made_up[0], 2), keys)


def test_older_stances_and_stances_of_strangers_are_ignored(talk: Negotiation) -> None:
    one = Identity.generate()
    newer, older = stance(one, 2), stance(one, 1)
    mine = Stance(talk.key, 3, NO_WISH, b"").signed(MATCH, talk.sign)
    heard = (
        (mine, {talk.key}),
        (newer, ()),
        *((each, {one.public}) for each in (newer, older, newer)),
    )
    assert [talk.hear(*each) for each in heard] == [False, False, True, False, False]
    assert talk.stances == {one.public: newer}


def test_a_stance_makes_its_player_present_for_twelve_seconds(talk: Negotiation) -> None:
    one = Identity.generate()
    assert not talk.is_present(one.public)
    talk.now = 100.0
    assert talk.hear(stance(one, 1), {one.public})
    for now, present in ((111.5, True), (112.0, False)):
        talk.now = now
        assert talk.is_present(one.public) == present


def test_a_stance_signed_for_another_match_is_refused(talk: Negotiation) -> None:
    one = Identity.generate()
    signed = stance(one, 1)
    other = signed.signed(bytes(31) + b"\1", one.sign)
    for wrong in (other, evolve(signed, number=2), evolve(signed, accepts=bytes(32))):
        with pytest.raises(Malformed):
            talk.hear(wrong, {one.public})


def test_only_the_newest_proposal_of_each_member_is_kept(table: SeededTable) -> None:
    first, talk = table.state.charter, talk_at(table)
    key, signer = first.key_of(1), table.signers[1]
    charters = [offered(table.state, left, attempt=1).encode() for left in ([2], [])]
    two, three = (Proposal(key, n, one).signed(signer) for n, one in enumerate(charters, 2))
    heard = [talk.hear_proposal(one, {key}) for one in (two, three, two, three)]
    assert heard == [True, True, False, False]
    assert [one.message for one in talk.offered.values()] == [three]
    talk.settle()
    assert not talk.hear_proposal(three, {key})
    other = SeededTable.sit(players=3, seed=2).state
    for charter in (first, offered(other, [2])):
        with pytest.raises(Malformed, match="continuation of this match"):
            talk.hear_proposal(Proposal(key, 4, charter.encode()).signed(signer), {key})
    four = evolve(three, number=4).signed(signer)
    assert not talk.hear_proposal(four, ())
    echo = Proposal(talk.key, 4, charters[0]).signed(table.signers[0])
    assert not talk.hear_proposal(echo, {talk.key})
    with pytest.raises(Malformed, match="not signed with the key"):
        talk.hear_proposal(evolve(four, charter=two.charter), {key})
    assert talk.hear_proposal(four, {key})


def statements_at(table: SeededTable, history: History[TableRecord]) -> Statements:
    """Return the statements that player 0 keeps."""
    return Statements(table.state.table_id, table.state.charter.key_of(0), history)


def test_eight_signatures_of_each_key_are_kept(table: SeededTable) -> None:
    """These are the signatures with the highest attempts, in whichever order they come."""
    kept = statements_at(table, History())
    for attempt in (20, *range(1, 12)):
        charter = offered(table.state, [2], attempt=attempt)
        signed = statement(table, table.state, charter, 1)
        assert [kept.add(signed), kept.add(signed)] == [True, False]
    assert {one.continues.attempt for one in kept.all()} == {20, *range(5, 12)}
    other = SeededTable.sit(players=3, seed=2)
    assert not kept.add(statement(other, other.state, offered(other.state, [2]), 1))


def test_signatures_are_compared_with_all_others_of_their_key(table: SeededTable) -> None:
    kept, start = statements_at(table, begun(table)), table.state
    charter = offered(start, [2])
    theirs = [statement(table, start, charter, player) for player in charter.signers]
    # Players 1, 0 and 2 sign one after the other; `lacking` are those who have not signed yet.
    for number, lacking in enumerate([set(charter.signers), {0, 2}, {2}, set()]):
        keys = {charter.key_of(player) for player in lacking}
        assert kept.unsigned(charter.table_id) == (keys if number else set())
        assert (kept.concluded(charter.table_id) is None) == bool(lacking)
        assert [kept.is_signed_by(player, charter.table_id) for player in charter.signers] == [
            player not in lacking for player in charter.signers
        ]
        if lacking:
            assert kept.add(theirs[(1, 0, 2)[number]])
        assert kept.highest == (number > 0)
    assert kept.concluded(charter.table_id) == concluded(table, start, charter)
    assert (kept.attempts(), kept.attempts(charter.table_id)) == ((1, 1, 1), ())
    again = statement(table, start, offered(start, [2], ends=True), 1)
    with pytest.raises(Exposed) as raised:
        kept.add(again)
    assert (raised.value.cause, raised.value.key) == ("C3", start.charter.key_of(1))
    assert not kept.is_signed_by(1, again.charter.table_id)


def test_a_signature_is_compared_with_the_last_entry_of_its_signer(table: SeededTable) -> None:
    start, history = table.state, begun(table)
    kept = statements_at(table, history)
    table.step()
    history.newest.take(table.state, table.entries[-1])
    writer = start.writers[0]
    charter = offered(start, [next(player for player in range(3) if player != writer)])
    for player in charter.signers:
        signed = statement(table, start, charter, player)
        if player != writer:
            assert kept.add(signed)
            continue
        with pytest.raises(Exposed) as raised:
            kept.add(signed)
        assert (raised.value.cause, raised.value.key) == ("C1", start.charter.key_of(writer))


def test_a_continuation_beyond_the_record_needs_signatures_of_most_founders(
    table: SeededTable,
) -> None:
    """Nothing else in the continuation can be checked until the record has come as far."""
    start = table.state
    table.step()
    sound = concluded(table, table.state, offered(table.state, [2]))
    made_up = [Identity.generate() for _ in sound.charter.members]
    members = tuple(Member(one.public, "Eve", bytes(32)) for one in made_up)
    charter = evolve(sound.charter, members=members)
    signatures = tuple(charter.sign(made_up[player].sign) for player in charter.signers)
    assert charter.continues is not None
    elsewhere = evolve(sound.charter, continues=evolve(charter.continues, match_id=MATCH))
    machine, first = node_at(table, start), start.charter
    for signed, answer in (
        (SignedCharter(charter, signatures, sound.abandons), Malformed),
        (concluded(table, table.state, elsewhere), False),
        (sound, True),
    ):
        talk = Said(first.key_of(1), Continued(signed.encode()))
        with pytest.raises(Malformed) if answer is Malformed else nullcontext():
            assert machine.handle(talk, 0.0).is_news == answer
        assert list(machine.history.early.values()) == [sound] * (answer is True)


def test_evidence_that_exposes_nobody_is_no_news(table: SeededTable) -> None:
    """One continuation is signed twice, and two are signed for a match of others."""
    other = SeededTable.sit(players=3, seed=2)
    machine = node_at(table, table.state)
    for at, ends in ((table, False), (other, True)):
        one = statement(at, at.state, offered(at.state, [2]), 1)
        two = statement(at, at.state, offered(at.state, [2], ends=ends), 1)
        shown = ShownEvidence(Evidence(one, two).encode())
        assert not machine.handle(Said(table.state.charter.key_of(1), shown), 0.0).is_news
    assert not machine.evidence


def test_an_entry_at_a_later_table_that_its_writer_has_left_exposes_them(
    table: SeededTable,
) -> None:
    signed = [statement(table, table.state, offered(table.state, [2]), 1)]
    seat_newcomers(table, concluded(table, table.state, signed[0].charter).encode())
    signed.append(statement(table, table.state, offered(table.state, [2], ends=True), 1))
    machine, key = node_at(table, table.state), table.state.charter.key_of(1)
    for one in signed:
        assert machine.handle(Said(key, Signed(encode_statement(one))), 0.0).is_news
    while table.state.last is None or table.state.last.writer != 1:
        table.step()
    (exposed,) = machine.handle(Grown(table.state, table.entries[-1]), 0.0).persist
    assert isinstance(exposed, Expose)
    assert (exposed.error.key, exposed.error.cause) == (key, "C1")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"results": ((5, 5, 5),)}, "points for the rounds"),
        ({"place": Place(MATCH, 0, MATCH)}, "end of this machine's record"),
    ],
)
def test_a_proposal_that_does_not_fit_the_record_is_refused(
    table: SeededTable, wrong: dict[str, Any], why: str
) -> None:
    going_on, sound = node_at(table, table.state).going_on, offered(table.state, [2])
    assert sound.continues is not None
    assert going_on.check_rules(sound) == ()
    with pytest.raises(Refused, match="gone on without you"):  # because this node plays at no table
        going_on.check_offer(sound)
    with pytest.raises(Refused, match=why):
        going_on.check_offer(evolve(sound, continues=evolve(sound.continues, **wrong)))


def test_stances_of_others_are_passed_on_only_while_a_player_is_missing() -> None:
    """While nobody is missing, stances are of no use, and each would be sent to each peer."""
    world = MatchWorld()
    list(world.happens("begin 3 1"))
    ana, bruno = (world.talkers[name].founder.machine for name in ("ana", "bruno"))
    for machine in (ana, bruno):
        machine.negotiation.begin(1)
    ana.negotiation.hear(bruno.negotiation.mine, {bruno.key})

    def told() -> set[bytes]:
        return {message.key for message in ana.talk if isinstance(message, Stance)}

    assert told() == {ana.key}
    for event in ("away carla", "wait 0"):
        list(world.happens(event))
    assert told() == {ana.key, bruno.key}
    assert not ana.negotiation.offered
