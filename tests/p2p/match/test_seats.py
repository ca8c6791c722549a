"""Seats that change hands: bots of a player at the table, people who knock, and those left out."""

from pathlib import Path

import pytest

from protocol.match.messages import Wish, WishKind
from tests.p2p.machines import Machine
from tests.p2p.match.evening import END, Evening, one_missing, until

pytestmark = pytest.mark.usefixtures("autojump_clock", "on_memory", "without_proofs")


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
