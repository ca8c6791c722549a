"""The state of a match after a continuation, and continuations that are refused (R19)."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import cache

import pytest
from attrs import evolve

from protocol.charter import Charter
from protocol.continuation import continuation_of, continued, open_table
from protocol.continues import MOST_RESULTS
from protocol.errors import Refused, Unattributable
from protocol.place import HEIGHT_LIMIT
from protocol.reducer import advance
from protocol.state import State
from tests.engine.simulation import eagerly
from tests.protocol.continuing import (
    NEWCOMERS,
    OLGA,
    PABLO,
    concluded,
    ended,
    follow,
    offered,
    replaced,
    seat_newcomers,
)
from tests.protocol.played import Moment, Played, play
from tests.protocol.seeded_table import SeededTable
from tests.vectors.continuations import changed

pytestmark = pytest.mark.usefixtures("proofless")


def _second_round(state: State) -> bool:
    return state.match.round_number == 2 and state.match.mover is not None


@cache
def four() -> Played:
    """Return a match of four players up to the first move of their second round."""
    return play("canasta", 4, seed=3, choose=eagerly, until=_second_round, rounds=3)


def in_round(state: State) -> bool:
    """Return True during a round; a round begins with its first shuffle."""
    return state.match.round is not None


def has_hands(state: State) -> bool:
    """Return True if the hands of the round have been dealt."""
    return state.match.round is not None and state.match.round.has_hands


PHASES: dict[str, tuple[str, Callable[[State], bool]]] = {
    "draw": ("unlock", lambda state: not state.match.seating),
    "shuffle": ("shuffle", lambda state: len(state.cards.deals[0].keys) == 2 and in_round(state)),
    "cut": ("move", lambda state: True),
    "deal": ("unlock", in_round),
    "play": ("move", has_hands),
    "opening": ("open", lambda state: True),
    "counted": ("close", lambda state: True),
    "half closed": ("close", lambda state: len(state.writers) == 2),
    "between rounds": ("shuffle", lambda state: len(state.match.sheets) == 1),
}
"""The kind of entry that is due when a phase of the match begins, and a test of the state then."""


def moment_of(phase: str) -> Moment:
    """Return the first moment of that phase of the match."""
    kind, fits = PHASES[phase]
    return four().when(kind, lambda moment: fits(moment.state))


@pytest.mark.parametrize(
    ("phase", "due", "results", "next_dealer"),
    [
        ("draw", "shuffle", 0, False),
        ("shuffle", "shuffle", 0, False),
        ("cut", "shuffle", 0, False),
        ("deal", "shuffle", 1, True),
        ("play", "shuffle", 1, True),
        ("opening", "open", 0, False),
        ("counted", "shuffle", 1, True),
        ("half closed", "shuffle", 1, True),
        ("between rounds", "shuffle", 1, False),
    ],
)
@pytest.mark.parametrize("left", [0, 1])
def test_a_match_continues_after_players_left(
    phase: str, due: str, results: int, next_dealer: bool, left: int
) -> None:
    """A newcomer takes the seat of a player who left (`left` 1), or the same players go on (0).

    At the new table an entry of the kind `due` comes next, and `results` rounds are counted. With
    `next_dealer` the next player deals.
    """
    moment = moment_of(phase)
    before, gone = moment.state, moment.state.writers[:left]
    after = follow(before, replaced(moment.table, before, *gone))
    assert after.due is not None
    assert (after.due.kind, len(after.results)) == (due, results)
    assert after.match.dealer == (before.match.dealer + next_dealer) % 4
    assert after.match.round_number == (0 if phase == "draw" else 1 + results)
    assert after.match.seating == before.match.seating
    assert (after.height, after.head, after.last) == (0, after.table_id, None)
    assert after.table_id == after.charter.table_id != before.table_id
    assert (after.used_keys, after.deal_number) == (before.used_keys, before.deal_number)
    assert after.charter.match_id == before.table_id
    assert after.founders == before.founders
    for player in range(4):
        stays = after.charter.members[player] == before.charter.members[player]
        assert stays == (player not in gone)
    counted = before.match.round_over
    assert not counted or after.results == (before.closing.points,)


def test_if_only_the_last_hand_stays_closed_the_closing_is_due_next() -> None:
    """The player who leaves is the last who would have to open a hand."""
    moment = four().last("open")
    after = follow(moment.state, replaced(moment.table, moment.state, moment.writer))
    assert after.due is not None
    assert (after.due.kind, after.results, after.height) == ("close", (), 0)


def test_players_who_left_are_named_once_and_in_order() -> None:
    left = offered(table_of(5).state, [1, 0, 1]).continues
    assert left is not None
    assert left.left == (0, 1)


@pytest.mark.parametrize("phase", PHASES)
def test_a_continuation_can_end_the_match(phase: str) -> None:
    """The match ends at once. If hands are being opened, the others first open theirs and sign."""
    moment = moment_of(phase)
    gone = moment.state.writers[0]
    after = follow(moment.state, ended(moment.table, moment.state, gone))
    assert after.charter.signers == tuple(sorted({0, 1, 2, 3} - {gone}))
    wrote = []
    while after.due is not None:
        wrote.append((after.due.player, after.due.kind))
        entry = moment.table.players[after.due.player].write(after, bytes)
        after = advance(after, entry.entry)
    assert after.complete
    assert after.ended
    assert gone not in dict(wrote)
    assert len(after.results) == (phase not in {"draw", "shuffle", "cut"})
    assert [kind for _, kind in wrote].count("close") == (3 if phase == "opening" else 0)


def play_to(table: SeededTable, phase: str) -> None:
    """Play until the phase begins."""
    kind, fits = PHASES[phase]
    while table.state.due is None or table.state.due.kind != kind or not fits(table.state):
        table.step()


def test_with_void_interrupted_an_interrupted_round_is_dealt_again() -> None:
    table = SeededTable.sit("canasta", 3, rounds=1, void_interrupted=True)
    play_to(table, "play")
    after = follow(table.state, replaced(table, table.state, table.state.writers[0]))
    assert (after.results, after.match.round_number) == ((), 1)
    assert after.match.dealer == table.state.match.dealer


@pytest.mark.parametrize("phase", ["play", "counted"])
def test_interrupting_the_last_round_completes_the_match(phase: str) -> None:
    """The match counts as complete, not as ended early.

    Newcomers are refused, because no round is left for them.
    """
    table = SeededTable.sit("canasta", 3, rounds=1)
    play_to(table, phase)
    state, gone = table.state, table.state.writers[0]
    charter = offered(state, [gone])
    assert charter.continues is not None
    assert charter.continues.ends
    after = follow(state, concluded(table, state, charter).encode())
    assert after.complete
    assert not after.ended
    with pytest.raises(Unattributable, match="does not end it"):
        continued(state, seated(charter, gone))


def seated(charter: Charter, *players: int) -> Charter:
    """Return the charter with newcomers in these seats, without ending the match."""
    members = list(charter.members)
    for player, newcomer in zip(players, NEWCOMERS, strict=False):
        members[player] = newcomer.member
    assert charter.continues is not None
    return evolve(charter, members=tuple(members), continues=evolve(charter.continues, ends=False))


def test_the_table_of_a_continuation_can_be_continued_again() -> None:
    """The match id, and locks on cards that are still to be opened, survive two continuations."""
    moment = moment_of("opening")
    first = moment.state.writers[0]
    state = follow(moment.state, ended(moment.table, moment.state, first))
    second = next(player for player in state.charter.signers if player != state.writers[0])
    charter = offered(state, [second], attempt=5)
    after = open_table(state, concluded(moment.table, state, charter))
    assert after.charter.match_id == moment.state.table_id
    assert (after.charter.attempt, state.charter.attempt) == (5, 1)
    assert after.cards.deals == moment.state.cards.deals


# -- refusals


@cache
def table_of(players: int) -> SeededTable:
    """Return a table before the first shuffle. It is cached: tests must not play on it."""
    return SeededTable.sit("canasta", players, rounds=3)


def test_a_continuation_needs_more_than_half_of_the_founders() -> None:
    """Founders count, not seats: a substitute is no founder."""
    for players, left in ((2, [0]), (4, [0, 1]), (5, [0, 1, 2]), (6, [0, 1, 2])):
        with pytest.raises(Refused, match="by more than half"):
            offered(table_of(players).state, left)
        with pytest.raises(Refused, match="by more than half"):
            offered(table_of(players).state, left, ends=True)
        offered(table_of(players).state, left[1:])
    table = table_of(5).copied()
    for player, newcomer in enumerate((OLGA, PABLO)):
        charter = offered(table.state, [player], seats=[newcomer])
        seat_newcomers(table, concluded(table, table.state, charter).encode())
    with pytest.raises(Refused, match="by more than half"):
        offered(table.state, [2], seats=NEWCOMERS[2:])
    offered(table.state, [0], seats=NEWCOMERS[2:])


def state_of_four() -> State:
    return moment_of("counted").state


REFUSED = {
    "table height above head": "end of the record",
    "match parent": "names another match",
    "grace spectators options game": "changes what is played",
    "seats": "as many seats",
    "key name nonce nobody gone": "seat, key, name or nonce",
    "swapped": "seat, key, name or nonce|has a seat already",
    "own seated": "has a seat already",
    "friends": "by more than half",
    "less points more sides": "names other points",
}
"""The sentences that refuse malformed continuations.

The keys are names of records in the vectors without their "R19-": `height` is `R19-height`.
"""


def test_r19_a_malformed_continuation_blames_nobody() -> None:
    table = SeededTable.sit("canasta", 3, rounds=2)
    play_to(table, "play")
    state, left = table.state, table.state.writers[0]
    sound = offered(state, [left])
    assert continued(state, sound)
    malformed = {name: charter for name, _, charter in changed(sound, state, left)}
    for names, sentence in REFUSED.items():
        for name in names.split():
            with pytest.raises(Unattributable, match=sentence) as raised:
                continued(state, malformed[name])
            assert raised.value.cause == "R19", name


def test_r19_a_finished_match_cannot_be_continued() -> None:
    moment = moment_of("play")
    over = follow(moment.state, ended(moment.table, moment.state, 0))
    with pytest.raises(Refused, match="nothing follows"):
        continuation_of(over, [1], attempt=2)


@pytest.mark.parametrize(
    ("attempt", "fits"), [(0, False), (1, True), (HEIGHT_LIMIT, True), (HEIGHT_LIMIT + 1, False)]
)
def test_an_attempt_must_be_higher_than_that_of_its_table(attempt: int, fits: bool) -> None:
    with nullcontext() if fits else pytest.raises(Refused, match="attempt"):
        offered(state_of_four(), [0], attempt=attempt)


def test_a_continuation_that_cannot_be_decoded_is_not_offered() -> None:
    """For example, one newcomer in two seats, or results of more rounds than a match can have."""
    with pytest.raises(Refused, match="twice"):
        offered(table_of(5).state, [0, 1], seats=[OLGA, OLGA])
    state = state_of_four()
    sheet = state.match.close_round().sheets[-1]
    rounds = (MOST_RESULTS + 1) * (sheet,)
    with pytest.raises(Refused, match="results"):
        offered(evolve(state, match=evolve(state.match, sheets=rounds)), [0], ends=True)
