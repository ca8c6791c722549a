"""A match goes on without somebody, whatever the others wish, and whoever comes back meanwhile."""

from pathlib import Path

import pytest
import trio

from protocol.match.messages import Wish, WishKind
from tests.p2p.machines import Machine, at
from tests.p2p.match.evening import (
    END,
    GRACE,
    OPPONENT,
    Evening,
    evening,
    one_missing,
    owes,
    until,
)

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


async def test_two_wishes_that_differ_lead_to_one_continuation(tmp_path: Path) -> None:
    async with one_missing(4, tmp_path) as now:
        one, two, three = now.nodes
        two.wish(OPPONENT)
        one.wish(END)
        await until(lambda: two.proposal is not None and two.proposal.proposer == one.key)
        two.join_proposal()
        await until(lambda: one.has_accepted(1))
        assert not one.has_accepted(2)
        three.join_proposal()
        await now.is_ended()
        assert len({node.state.head for node in now.nodes}) == 1
    assert [now.findings[n].verdict.value for n in range(4)] == [*3 * ["ended"], "unfinished"]


async def test_more_than_half_of_the_founders_go_on_without_who_does_not_join(
    tmp_path: Path,
) -> None:
    """Three of five want to end the match. Player 3 says nothing to it, until a grace is over."""
    async with one_missing(5, tmp_path) as now:
        now.wish(END, 0, 1, 2)
        await until(lambda: all(now.node(0).has_accepted(player) for player in range(3)))
        await trio.sleep(GRACE / 2)
        assert not any(now.node(number).missing - {4} for number in range(3))
        await now.is_ended(0, 1, 2)
        await until(lambda: now.node(3).left_out)
        for number in range(3):
            continues = now.node(number).charter.continues
            assert continues is not None
            assert continues.left == (3, 4)


async def test_who_joins_late_and_in_time_stays(tmp_path: Path) -> None:
    async with one_missing(5, tmp_path) as now:
        now.wish(END, 0, 1, 2)
        await until(lambda: all(now.node(0).has_accepted(player) for player in range(3)))
        await trio.sleep(GRACE - 2)
        now.node(3).join_proposal()
        await now.is_ended()
        continued = [node.charter.continues for node in now.nodes]
        assert [one and one.left for one in continued] == 4 * [(4,)]


async def test_a_match_of_two_rests_until_the_other_player_is_back(tmp_path: Path) -> None:
    async with evening(2, tmp_path) as now:
        await now.kill(1)
        await until(lambda: not now.node(0).going_on.grace_left)
        assert not now.node(0).can_go_on
        assert not now.node(0).missing
        height = now.node(0).height
        now.switch_on(1)
        await now.reaches(height + 8)


@pytest.mark.parametrize("part", range(3), ids=["draw", "open", "close"])
async def test_a_match_goes_on_from_every_part_of_a_round(tmp_path: Path, part: int) -> None:
    moments = (at(1), owes("open"), owes("close"))[: part + 1]
    async with evening(4, tmp_path, moments=moments) as now:
        await until(lambda: now.node(0).awaited is not None)
        gone = now.due()
        await now.kill(gone)
        await until(lambda: all(gone in node.missing for node in now.nodes))
        await now.seat_bots(*(machine.number for machine in now.alive))
        await now.plays_on(1)


# -- Seats that change hands: bots of a player at the table, people who knock, and those left out


async def test_bots_accept_what_their_owner_does(tmp_path: Path) -> None:
    """Ana hosts with two bots and one guest, who dies: Ana's wish is enough."""
    async with one_missing(4, tmp_path, bots=(1, 2)) as now:
        await now.seat_bots(0)
        await now.plays_on(1)


def knocking(now: Evening, name: str) -> Machine:
    """Somebody new who comes in for a seat."""
    number = len(now.machines.all)
    guest = Machine(now.machines.network, number, now.machines.all[0].home.parent / name)
    now.machines.all = [*now.machines.all, guest]
    now.nursery.start_soon(now.knock, guest)
    return guest


async def test_somebody_who_knocks_takes_the_seat(tmp_path: Path) -> None:
    async with one_missing(4, tmp_path) as now:
        guest = knocking(now, "guest")
        await until(lambda: all(node.candidates for node in now.nodes))
        now.wish(Wish(WishKind.PERSON, guest.key), 0, 1, 2)
        await now.plays_on(1)
        assert now.node(0).charter.members[3].key == guest.key


async def test_who_was_left_out_is_told_and_can_take_another_seat(tmp_path: Path) -> None:
    """Player 4 of five comes back when a bot has the seat, and then player 3 dies."""
    async with one_missing(5, tmp_path) as now:
        await now.seat_bots(0, 1, 2, 3)
        await now.plays_on(1)
        now.switch_on(4)
        await until(lambda: now.node(4).left_out)
        assert now.node(4).over
        await now.kill(4)
        await now.kill(3)
        await now.miss(3)
        now.nursery.start_soon(now.knock, now.machines.all[4])
        await until(lambda: all(node.candidates for node in now.nodes))
        now.wish(Wish(WishKind.PERSON, now.machines.all[4].key), 0, 1, 2)
        await now.plays_on(2)
        assert now.node(0).charter.player_of(now.machines.all[4].key) == 3


@pytest.mark.parametrize("written", [False, True], ids=["before all have written", "after"])
async def test_a_continuation_is_continued(tmp_path: Path, *, written: bool) -> None:
    """Player 4 of five is replaced, and then player 3 dies, too."""
    async with one_missing(5, tmp_path) as now:
        if not written:
            now.machines.all[3].fate = lambda _point: now.node(3).charter.attempt == 1
        await now.seat_bots(0, 1, 2, 3)
        if written:
            await now.plays_on(1, 6)
            await now.kill(3)
        else:
            await now.died(3)
        await until(lambda: all(3 in now.node(n).missing for n in range(3)))
        now.wish(END, 0, 1, 2)
        await now.is_ended(0, 1, 2)
        assert len({now.node(n).state.head for n in range(3)}) == 1


async def test_nodes_that_start_anew_find_the_match_at_its_newest_table(tmp_path: Path) -> None:
    async with one_missing(4, tmp_path) as now:
        await now.seat_bots(0, 1, 2)
        await now.plays_on(1, 12)
        height = now.node(0).height
        await now.kill(0, 1, 4)
        now.switch_on(0, 1, 4)
        await now.plays_on(1, height + 8)
