"""One node's part in going on: who is missing, who is late, and what the node proposes."""

import pytest

from engine.sentences import Sentence
from protocol.charter import Charter
from protocol.continuation import continuation_of, open_table
from protocol.errors import Exposed, Refused
from protocol.match.events import Due, Opened, Persisted, Said, Ticked, Wished
from protocol.match.going_on import GoingOn
from protocol.match.machine import MatchMachine
from protocol.match.messages import NO_WISH, Wish, WishKind
from protocol.match.negotiation import Negotiation
from protocol.place import Place
from protocol.table.record import TableRecord
from tests.protocol.continuing import OLGA, concluded, offered, statement
from tests.protocol.proofless import without_proofs
from tests.protocol.seeded_table import SeededTable
from tests.protocol.table.machine_world import MachineWorld
from tests.protocol.table.nodes import forked_history, machine_of, seated

GRACE = 120
END, TOGETHER = Wish(WishKind.END), Wish(WishKind.TOGETHER)


def node(players: int = 5, *, away: tuple[int, ...] = ()) -> tuple[MatchMachine, SeededTable]:
    """Return the machine of a player who is not due, linked to all others but those who are away.

    Player 0 is due, and the machine is that of player 1.
    """
    table = SeededTable.sit(players=players)
    assert table.state.writers[0] == 0
    return seated(table, 1, {*range(players)} - {1, *away}), table


def expose(machine: MatchMachine, player: int) -> None:
    record = machine.history.newest
    key = record.state.charter.key_of(player)
    record.expose(Exposed(player, "R9", Sentence("Wrong."), (b"entry",), key))


def missing(machine: MatchMachine, now: float) -> frozenset[int]:
    """Return the players who are missing at that time."""
    machine.negotiation.now = now
    return machine.going_on.missing


def says(
    machine: MatchMachine, table: SeededTable, player: int, wish: Wish, accepts: bytes = b""
) -> None:
    """Let the node hear a stance of that player at the present time."""
    talk, now = machine.negotiation, machine.negotiation.now
    other = Negotiation(talk.match_id, table.state.charter.key_of(player), table.signers[player])
    other.begin(int(now))
    other.wish(wish)
    other.accept(accepts)
    assert machine.handle(Said(other.key, other.mine), now).is_news


def test_after_the_grace_the_due_player_and_all_who_are_away_are_missing() -> None:
    # If 2 and 3 are away, nobody is missing: only 1 and 4 of the five founders would be left, and
    # they are too few to sign.
    for away, missing in (((), {0}), ((3,), {0, 3}), ((0, 3), {0, 3}), ((2, 3), set())):
        machine, _ = node(away=away)
        found = []
        for seconds in (0.0, GRACE - 0.5, GRACE):
            machine.negotiation.now = seconds
            found.append(machine.going_on.missing)
            assert machine.going_on.grace_left == GRACE - seconds
        assert {*found[:2]} == {frozenset()}
        assert {found[2]} == {frozenset(missing)}, away


def test_a_player_without_a_link_is_present_while_their_stances_come() -> None:
    machine, table = node(away=(3,))
    assert missing(machine, GRACE) == {0, 3}
    says(machine, table, 3, NO_WISH)
    assert machine.going_on.missing == {0}
    assert [machine.going_on.is_present(player) for player in range(5)] == [True] * 5


def test_an_exposed_player_is_missing_at_once_unless_too_few_founders_could_sign() -> None:
    machine, _ = node(away=(3,))
    expose(machine, 2)
    assert machine.going_on.missing == {2, 3}
    machine, _ = node(3)
    expose(machine, 2)
    assert machine.going_on.missing == {2}
    expose(machine, 1)  # that is this node's own player
    assert machine.going_on.missing == frozenset()
    machine, _ = node(2)
    expose(machine, 0)
    assert not machine.going_on.is_possible
    assert machine.going_on.missing == frozenset()


def test_nobody_is_missing_once_the_match_is_over() -> None:
    machine, table = node()
    signed = concluded(table, table.state, offered(table.state, [2], ends=True))
    machine.handle(Opened(TableRecord(1, machine.key, open_table(table.state, signed)), signed), 0)
    machine.history.machines[signed.charter.table_id] = machine.history.machines[
        table.state.table_id
    ]
    assert missing(machine, GRACE) == frozenset()
    expose(machine, 3)
    assert machine.going_on.missing == frozenset()
    # Whoever signed the continuation that founded this table has not left it by that.
    assert not machine.going_on.stuck


def test_late_members_are_missing_if_some_but_not_all_have_signed() -> None:
    machine, table = node()
    going_on, late = machine.going_on, table.state.charter.key_of(3)
    going_on._late[late] = (0.0, 10.0)  # a proposal waits for player 3 from 0 s on, for 10 s
    machine.negotiation.now = 10.0
    assert going_on.missing == frozenset()
    machine.statements.add(statement(table, table.state, offered(table.state, [2]), 4))
    assert going_on.stuck
    assert going_on.missing == {3}
    machine.negotiation.now = GRACE
    assert going_on.missing == {0, 3}
    going_on.settle()
    assert going_on.missing == {0}


def agreed(machine: MatchMachine, table: SeededTable, *players: int) -> Charter:
    """Let the node propose, when the grace is over, to end the match; let `players` accept."""
    machine.negotiation.now = GRACE
    machine.handle(Wished(END), GRACE)
    charter = machine.negotiation.offered[machine.key].charter
    for player in players:
        says(machine, table, player, END, charter.table_id)
    return charter


def signs(machine: MatchMachine) -> None:
    """Let the node write its own signature to the journal."""
    (sign,) = machine.handle(Due(), GRACE).persist
    machine.handle(Persisted(sign), GRACE)


def test_those_who_have_not_accepted_are_late_after_a_second_grace() -> None:
    machine, table = node(away=(0,))
    agreed(machine, table, 2, 3)
    assert missing(machine, 2 * GRACE - 1) == {0}
    assert missing(machine, 2 * GRACE) == {0, 4}


def test_those_who_have_not_signed_are_late_after_ten_seconds() -> None:
    machine, table = node(away=(0,))
    charter = agreed(machine, table, 2, 3, 4)
    assert machine.going_on.agreed() == charter
    signs(machine)
    assert machine.statements.highest == charter.attempt == 1
    assert machine.going_on.agreed() is None
    for player in (2, 3):
        assert machine.statements.add(statement(table, table.state, charter, player))
    machine.handle(Ticked(), GRACE)
    assert missing(machine, GRACE + 9.9) == {0}
    assert missing(machine, GRACE + 10) == {0, 4}


def test_a_leader_proposes_again_twelve_seconds_after_signing() -> None:
    machine, table = node(away=(0,))
    charter = agreed(machine, table, 2, 3, 4)
    signs(machine)
    attempts = []
    for seconds in (11.9, 12.0):
        for player in (2, 3, 4):  # they accept, and so they are present
            machine.negotiation.now = GRACE + seconds
            says(machine, table, player, END, charter.table_id)
        machine.statements.add(statement(table, table.state, charter, 4))
        proposed = machine.negotiation.offered[machine.key].charter
        attempts.append(proposed.attempt)
    assert attempts == [1, 2]


def test_a_leader_proposes_again_if_the_record_has_grown() -> None:
    machine, table = node()
    expose(machine, 2)
    agreed(machine, table)
    with without_proofs():
        table.step()
    machine.history.newest.take(table.state, table.entries[-1])
    assert machine.going_on.proposal is None
    machine.handle(Ticked(), GRACE)
    continues = machine.negotiation.offered[machine.key].charter.continues
    assert continues is not None
    assert (continues.place, continues.attempt) == (table.state.place, 1)


def test_nothing_is_proposed_while_nobody_is_missing() -> None:
    machine, _ = node()
    machine.negotiation.wish(END)
    machine.handle(Ticked(), 0.0)
    assert machine.negotiation.offered == {}
    for wish, why in ((END, "is missing"), (TOGETHER, "has signed"), (None, "has proposed")):
        with pytest.raises(Refused, match=f"Nobody {why}"):
            machine.handle(Wished(wish), 0.0)


def test_a_proposal_has_a_higher_attempt_than_all_that_were_signed() -> None:
    machine, table = node()
    expose(machine, 2)
    later = offered(table.state, [3], attempt=7)
    machine.statements.add(statement(table, table.state, later, 1))
    assert agreed(machine, table).attempt == 8


@pytest.mark.parametrize(
    ("done", "doubtful", "sure"),
    [(True, False, True), (False, False, False), (True, True, False), (False, True, False)],
)
def test_a_node_signs_only_after_it_has_heard_the_others(
    done: bool, doubtful: bool, sure: bool
) -> None:
    machine, table = node()
    resync = machine.history.running[table.state.table_id].resync
    resync.done, resync.doubtful = done, doubtful
    assert machine.going_on.is_sure == sure
    if not sure:
        with pytest.raises(Refused, match="just come back"):
            machine.going_on.check_rules(offered(table.state, [2]))


def refusal(going_on: GoingOn, charter: Charter) -> str:
    try:
        going_on.check_offer(charter)
    except Refused as error:
        return str(error)
    return ""


def test_an_offer_is_refused_while_a_player_is_present_or_has_grace() -> None:
    machine, table = node(away=(0, 3))
    going_on, state = machine.going_on, table.state
    going_on.objection = lambda key, name: (
        Sentence("{name} may not sit here.", name=name) if key == OLGA.member.key else None
    )
    here = "Carla is here."
    unsigned = "Nobody has signed a continuation, so a new table for all is not needed."
    for exposed, seconds, left, ends, answer in (
        (False, 0.0, [0], True, "There are 120 seconds of grace left."),
        (False, GRACE - 1.4, [0], True, "There is 1 second of grace left."),
        (False, GRACE, [0], True, ""),
        (False, GRACE, [0, 3], True, ""),
        (False, GRACE, [3], True, ""),
        (False, 0.0, [2], True, here),
        (False, GRACE, [0, 2], True, here),
        (False, GRACE, [1], True, "That proposal goes on without you."),
        (False, GRACE, [], False, unsigned),
        (True, 0.0, [2], True, ""),
        (True, 0.0, [2], False, "Olga may not sit here."),
        (True, 0.0, [0, 2], True, "There are 120 seconds of grace left."),
    ):
        if exposed:
            expose(machine, 2)
        machine.negotiation.now = seconds
        charter = offered(state, left, ends=ends) if left else continuation_of(state, (), attempt=1)
        assert refusal(going_on, charter) == answer, (exposed, seconds, left)
    machine.history.machines.clear()
    assert refusal(going_on, charter) == "The others have gone on without you."


def test_bots_are_wanted_for_all_missing_seats_until_they_are_proposed() -> None:
    machine, table = node(away=(0, 3))
    machine.negotiation.now = GRACE
    going_on = machine.going_on
    assert going_on.wants_bots == ()
    machine.handle(Wished(Wish(WishKind.OPPONENT)), GRACE)
    assert [*going_on.wants_bots] == [0, 3]
    going_on.bots[OLGA.member.key] = OLGA.sign
    others = offered(table.state, [0, 3]).members
    going_on.propose({0: others[0], 3: others[3]})
    assert going_on.wants_bots == ()
    going_on.settle()
    assert going_on.bots == {}


def test_the_match_goes_on_from_a_fork_if_an_honest_member_has_the_second_entry() -> None:
    """Ana has signed two entries 44, and this node has both.

    As soon as Carla's node has shown that it has the second, too, this node proposes to go on from
    the place before both.
    """
    world = MachineWorld()
    history = forked_history(world)
    machine = machine_of(history, world.moments[0].table, 1)
    world.machine.resync.done = True
    places: list[Place | None] = []
    for said in ("carla: status 44", "carla: status 44 another"):
        list(world.happens(said))
        machine.handle(Ticked() if places else Wished(END), 0.0)
        charter = machine.negotiation.offered[machine.key].charter
        assert charter.continues is not None
        assert machine.negotiation.mine.accepts == charter.table_id
        places.append(charter.continues.place)
    assert places == [history.state.place, history.newest.fork]
