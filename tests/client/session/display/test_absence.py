"""Absence of a player for whom the table waits, as the session shows it."""

import math
import random
from collections.abc import Collection
from functools import partial
from itertools import product

import pytest
import trio
from attrs import evolve

from client.session.display.absence import Absence, Proposed, absence_at
from client.ui.text.absence import awaited_sentence
from p2p.table.node_updates import Awaited
from protocol.continues import Continues
from protocol.match.messages import NO_WISH, Wish, WishKind
from protocol.match.negotiation import Offered
from protocol.place import Place
from protocol.table.resync import Unheard
from tests.client.plain_seat import PlainSeat
from tests.client.ui.tui.situations import DORA, alone
from tests.client.waiting_seat import seat_waiting
from tests.engine.simulation import at_random

pytestmark = pytest.mark.usefixtures("autojump_clock")


def found(seat: PlainSeat, **around: Collection[int]) -> Absence:
    """Return the absence that is shown at this seat now."""
    absence = absence_at(seat.status, seat.me, **around)
    assert absence is not None
    return absence


async def test_a_linked_player_is_not_reported_absent_for_30_seconds() -> None:
    seat = seat_waiting(4, grace_left=120)
    await trio.sleep(29)
    assert absence_at(seat.status, seat.me) is None
    await trio.sleep(1)
    assert absence_at(seat.status, seat.me) == alone(1, 30, 120)


async def test_after_the_grace_a_linked_player_is_reported_at_once() -> None:
    seat = seat_waiting(2, grace_left=0)
    seat.missing = frozenset()
    absence = found(seat)
    assert (absence.awaited, absence.silent, absence.linked) == (1, 0, True)


async def test_an_unreachable_player_is_reported_within_half_a_second() -> None:
    """In the first moments, a link may just be connecting again.

    The awaited player is away, even if the node does not yet count them among the absent ones.
    """
    seat = seat_waiting(4, linked=False, grace_left=99.2)
    await trio.sleep(0.2)
    assert absence_at(seat.status, seat.me) is None
    await trio.sleep(0.2)
    for status in (seat.status, evolve(seat.status, absent=frozenset())):
        assert absence_at(status, seat.me) == alone(1, 0, 100, linked=False, away=(1,))


@pytest.mark.parametrize(
    ("players", "unreached", "enough"),
    [(2, {1}, False), (3, {1}, True), (4, {1, 3}, False), (6, {1, 4}, True), (6, {1, 2, 4}, False)],
)
async def test_others_may_decide_if_more_than_half_of_the_founders_are_there(
    players: int, unreached: set[int], enough: bool
) -> None:
    seat = seat_waiting(players, linked=False)
    seat.unreached = seat.missing = frozenset(unreached)
    absence = found(seat)
    assert (absence.may_decide, absence.rests) == (enough, not enough)
    assert absence.away == tuple(sorted(unreached))


async def test_an_exposed_player_is_reported_without_grace() -> None:
    """The player is reported though somebody else is awaited, or nobody."""
    seat = seat_waiting(4, player=2, grace_left=120)
    seat.exposed_players = seat.missing = frozenset({1})
    absence = found(seat)
    assert (absence.exposed, absence.missing, absence.may_decide) == ((1,), (1,), True)
    seat.awaited, seat.grace_left, seat.missing = None, math.inf, frozenset()
    assert found(seat) == Absence(None, exposed=(1,), away=(1,), enough=True, wishes=(NO_WISH,) * 4)


@pytest.mark.parametrize(
    ("left", "ends", "wished", "shown"),
    [
        ((1,), False, NO_WISH, Wish(WishKind.OPPONENT)),
        ((1,), False, Wish(WishKind.PERSON, bytes([2]) * 32), Wish(WishKind.PERSON, b"\2" * 32)),
        ((1,), False, Wish(WishKind.PERSON, DORA.key), Wish(WishKind.OPPONENT)),
        ((1,), True, Wish(WishKind.OPPONENT), Wish(WishKind.END)),
        ((), False, Wish(WishKind.END), Wish(WishKind.TOGETHER)),
    ],
)
async def test_a_proposal_is_shown_by_its_content_not_by_the_newest_wish(
    left: tuple[int, ...], ends: bool, wished: Wish, shown: Wish
) -> None:
    seat = seat_waiting(4)
    continues = Continues(bytes(32), Place(bytes(32), 0, bytes(32)), 0, 1, left, (), ends)
    charter = evolve(seat.state.charter, continues=continues)
    seat.wishes, seat.accepted = {2: wished}, frozenset({0, 2})
    new = () if ends else tuple(charter.members[player] for player in left)
    for key, proposed in (
        (charter.members[2].key, Proposed(2, shown, left, new, charter.signers, (0, 2))),
        (DORA.key, None),
    ):
        seat.proposal = Offered(charter, key, None)  # type: ignore[arg-type]
        assert found(seat).proposed == proposed


async def test_a_table_that_is_stuck_or_has_a_cheat_is_shown_at_once() -> None:
    seat = seat_waiting(4, grace_left=99)
    quiet = seat.status
    stuck = absence_at(evolve(quiet, stuck=True), seat.me)
    assert stuck == alone(1, 0, 99, stuck=True)
    assert stuck.may_decide
    cheated = absence_at(evolve(quiet, exposed_players=frozenset({2})), seat.me)
    assert cheated == alone(1, 0, 99, exposed=(2,), away=(2,))
    own = absence_at(evolve(quiet, exposed_players=frozenset({0})), seat.me)
    assert own == alone(1, 0, 99, exposed=(0,)), "nobody is away from their own machine"
    assert absence_at(quiet, seat.me) is None


async def test_a_linked_player_who_has_said_goodbye_is_away_at_once() -> None:
    seat = seat_waiting(4, grace_left=99)
    assert absence_at(seat.status, seat.me) is None
    away = absence_at(seat.status, seat.me, left={1})
    assert away == alone(1, 0, 99, left=True, away=(1,))
    assert absence_at(seat.status, seat.me, left={2}) is None


@pytest.mark.parametrize("chooses", [False, True])
async def test_a_person_reads_after_ten_seconds_for_whom_their_machine_waits(
    chooses: bool,
) -> None:
    seat = seat_waiting(4, player=0, grace_left=99)
    unheard = Unheard(silent=frozenset({2}))
    assert seat.awaited is not None
    seat.awaited = evolve(seat.awaited, unheard=unheard)
    for seconds in (9, 1):
        await trio.sleep(seconds)
        absence = absence_at(evolve(seat.status, chooses=chooses), seat.me)
        assert absence == (alone(0, 10, 99, unheard=unheard) if seconds == 1 else None)


async def test_a_person_is_warned_shortly_before_the_others_may_go_on() -> None:
    for players, grace, after, is_told in (
        (4, 61, 20, False),
        (4, 60, 20, True),
        (4, 10, 4, False),
        (4, 5, 5, True),
    ):
        seat = seat_waiting(players, player=0, grace_left=grace)
        await trio.sleep(after)
        assert (absence_at(seat.status, seat.me) is not None) == is_told


@pytest.mark.parametrize(
    ("players", "unreached", "hurried"), [(2, (), False), (3, (), True), (3, (2,), False)]
)
async def test_nobody_is_warned_if_too_few_others_could_go_on(
    players: int, unreached: tuple[int, ...], hurried: bool
) -> None:
    """Without the player the others go on only if more than half of the founders are left.

    That is so before the end of the grace and after it.
    """
    seat = seat_waiting(players, player=0, grace_left=5)
    seat.unreached = frozenset(unreached)
    await trio.sleep(5)
    for seat.grace_left in (5, 0):
        absence = absence_at(seat.status, seat.me)
        assert (absence is not None) == hurried
        if absence is not None:
            assert "may go on without you" in awaited_sentence(absence, ("Ana", "Eva", "Zoe"), 0)


async def test_the_awaited_sentence_also_names_other_absent_players() -> None:
    seat = seat_waiting(3, grace_left=0)
    seat.missing, seat.unreached = frozenset(), frozenset({2})
    await trio.sleep(40)
    assert awaited_sentence(found(seat), ("Ana", "Bruno", "Carla"), 0) == (
        "The table has waited for Bruno for 0:40. The machine of Carla cannot be reached."
    )


async def test_nobody_is_warned_while_their_own_machine_computes() -> None:
    seat = PlainSeat.sit("canasta", 4, partial(at_random, rng=random.Random(1)))
    seat.awaited = Awaited(0, "shuffle", trio.current_time(), True)
    await trio.sleep(9)
    assert absence_at(seat.status, seat.me) is None


@pytest.mark.parametrize(
    ("players", "unreached", "left", "own", "cut_off"),
    [
        (4, {1, 2, 3}, (), (), True),
        (4, {1, 2}, (), (), False),
        (2, {1}, (), (), False),
        (4, {1, 2}, (), (3,), True),
        (6, {1, 2}, (), (3, 4, 5), False),  # more than half of the founders are here
        (4, {1, 2, 3}, (3,), (), True),
        (3, {1, 2}, (2,), (), False),
    ],
)
async def test_a_machine_that_reaches_no_other_is_cut_off(
    players: int, unreached: set[int], left: tuple[int, ...], own: tuple[int, ...], cut_off: bool
) -> None:
    """Players who have said goodbye and this machine's own bots do not count as others."""
    seat = seat_waiting(players, linked=False)
    seat.unreached = frozenset(unreached)
    await trio.sleep(60)
    absence = found(seat, left=left, own=own)
    assert absence.cut_off == cut_off
    assert not (cut_off and absence.may_decide)


async def test_at_a_table_of_two_a_thinking_player_is_no_reason_to_rest() -> None:
    """A linked player may be thinking. Without a link, the match can rest until tomorrow."""
    for linked, prospect in ((True, False), (False, True)):
        seat = seat_waiting(2, linked=linked, grace_left=1)
        await trio.sleep(3600)
        absence = found(seat)
        assert not absence.may_decide
        assert ("rest" in awaited_sentence(absence, ("Ana", "Bruno"), 0)) is prospect


FLAGS = (False, True)


def test_a_player_may_decide_if_enough_are_there_and_the_network_works() -> None:
    for missing, stuck, enough, cut_off in product(FLAGS, repeat=4):
        absence = Absence(1, missing=(1,) * missing, stuck=stuck, enough=enough, cut_off=cut_off)
        assert absence.may_decide == ((missing or stuck) and enough and not cut_off)


def test_a_match_rests_if_somebody_is_gone_and_too_few_are_there() -> None:
    for left, linked, cheat, enough, cut_off in product(FLAGS, repeat=5):
        there = linked and not left and not cheat
        exposed = (1,) * cheat
        absence = Absence(
            1, left=left, linked=linked, exposed=exposed, enough=enough, cut_off=cut_off
        )
        assert absence.rests == (not there and not enough and not cut_off)


def test_a_player_who_has_told_no_wish_has_none() -> None:
    absence = Absence(1, wishes=(NO_WISH, Wish(WishKind.END)))
    assert [*map(absence.wish_of, range(3))] == [NO_WISH, Wish(WishKind.END), NO_WISH]
    assert Absence(None).wish_of(0) == NO_WISH
    ends = [Proposed(0, Wish(kind), ()).ends for kind in (WishKind.END, WishKind.OPPONENT)]
    assert ends == [True, False]
