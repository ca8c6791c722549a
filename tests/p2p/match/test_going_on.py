"""A match in which the others wish to go on without a player who is missing or cheats."""

from pathlib import Path

import pytest
import trio

from engine.moves import Pass
from p2p.match.table_status import TableStatus
from protocol.entries import Body, CloseContent, Entry, place_of
from protocol.errors import Refused
from protocol.match.messages import Wish, WishKind
from protocol.place import Place
from tests.p2p.machines import Machine, When, at
from tests.p2p.match.evening import END, GRACE, OPPONENT, Evening, evening, one_missing, owes, until

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


async def test_a_majority_of_founders_goes_on_without_the_others(tmp_path: Path) -> None:
    """Three of five end the match after a grace, without player 3, who accepts nothing."""
    async with one_missing(5, tmp_path) as now:
        now.wish(END, 0, 1, 2)
        await until(lambda: all(now.node(0).has_accepted(player) for player in range(3)))
        await trio.sleep(GRACE / 2)
        assert not any(now.node(number).missing - {4} for number in range(3))
        await now.is_ended(0, 1, 2)
        late = now.node(3)
        await until(lambda: late.left_out)
        assert late.status == TableStatus(late.state, None, left_out=True)
        with pytest.raises(Refused, match="gone on without you"):
            await late.play(Pass())
        continued = [now.node(number).charter.continues for number in range(3)]
        assert [one and one.left for one in continued] == 3 * [(3, 4)]


@pytest.mark.parametrize("moment", [at(1), owes("close")], ids=["draw", "count"])
async def test_a_match_goes_on_from_the_draw_for_seats_or_the_count_and_after_a_restart(
    tmp_path: Path, moment: When
) -> None:
    async with evening(4, tmp_path, moment=moment) as now:
        await until(lambda: now.node(0).awaited is not None)
        gone = now.due()
        await now.kill(gone)
        await now.miss(gone)
        players = [machine.number for machine in now.alive]
        await now.seat_bots(*players)
        await now.plays_on(1)
        height = now.node(players[0]).height
        await now.kill(*players)
        now.switch_on(*players)
        await now.plays_on(1, height + 8)


async def test_a_player_who_was_left_out_is_told_and_can_take_another_seat(tmp_path: Path) -> None:
    """Player 4 comes back after a bot got their seat, and gets the seat of player 3, who dies."""
    async with one_missing(5, tmp_path) as now:
        await now.seat_bots(0, 1, 2, 3)
        await now.plays_on(1)
        now.switch_on(4)
        await until(lambda: now.node(4).left_out)
        assert now.node(4).over
        await now.kill(4, 3)
        await now.miss(3)

        async def take_a_seat() -> None:
            player = now.machines.all[4]
            await player.sit_down(now.machines.all[0].address, "canasta", 0)
            now.switch_on(4)

        now.nursery.start_soon(take_a_seat)
        await until(lambda: all(node.candidates for node in now.nodes))
        now.wish(Wish(WishKind.PERSON, now.machines.all[4].key), 0, 1, 2)
        await now.plays_on(2)
        assert now.node(0).charter.player_of(now.machines.all[4].key) == 3


# -- Cheats are replaced at once, and nothing that former members sign stops the match

DIEGO = 3


def forged(now: Evening, place: Place, by: int = DIEGO) -> bytes:
    """Return an entry of player `by` in that place that no honest player would write."""
    body = Body(place, by, CloseContent(1, (5, 5), last=False))
    return Entry.sign(body.encode(), now.machines.all[by].identity.sign).encode()


async def last_place(now: Evening, by: int = DIEGO) -> Place:
    """Return the place of the player's last entry, once everybody has it."""
    await until(lambda: all(node.node.live_record.telling(by) for node in now.nodes))
    entry = now.node(0).node.live_record.telling(by)[-1]
    return place_of(Entry.decode(entry).body)


@pytest.mark.parametrize("kind", ["second entry", "entry against the rules"])
async def test_a_cheat_is_replaced_without_any_grace(tmp_path: Path, kind: str) -> None:
    """The record exposes the cheat. So nobody can stop a match by cheating."""
    async with evening(4, tmp_path, cheats=["Diego"]) as now:
        if kind == "second entry":
            place = await last_place(now)
        else:
            now.part(DIEGO)
            await until(lambda: now.due() == DIEGO)
            place = now.node(0).state.next_place
        await now.node(1).node.carried(0, place.height, forged(now, place))
        await until(lambda: all(now.node(n).missing == {DIEGO} for n in range(3)), 5)
        await now.seat_bots(0, 1, 2)
        await now.kill(DIEGO)
        await now.plays_on(1)
    for number in range(3):
        assert [one.name for one in now.findings[number].exposed] == ["Diego"]


async def test_a_late_second_entry_of_a_former_member_stops_nobody(tmp_path: Path) -> None:
    """The entry comes when all sit at the next table, before all have written there."""
    async with evening(4, tmp_path, cheats=["Diego"]) as now:
        place = await last_place(now)
        await now.kill(DIEGO)
        await now.miss(DIEGO)
        before = now.node(1).node
        await now.seat_bots(0, 1, 2)
        await until(lambda: now.node(1).charter.attempt == 1)
        await before.carried(0, place.height, forged(now, place))
        await now.plays_on(1)
        assert not before.peers.linked, "the node of the old table has ended"
    assert [one.name for one in now.findings[1].exposed] == ["Diego"]


# -- Deaths while a continuation is signed: the match goes on, and nobody is exposed
#
# A node dies before or after a write or send, at some point between the acceptance of a proposal
# and the moment when all have written at the next table. It then comes back. On the way to the end
# of the match there are about 15 such points, on the way to a table with an opponent about 45.

PLAYERS = (0, 1, 2)
"""The players who go on without player 3. Player 0 leads."""


def signs(machine: Machine) -> bool:
    """Return True from the acceptance of a proposal until all have written at the next table."""
    node = machine.node
    if node is None:
        return False
    if node.charter.attempt:
        return len(node.state.wrote) < 4
    return bool(node.negotiation.mine.accepts)


def go_on(now: Evening) -> bool:
    """Return True if the remaining players have ended the match, or play at one table of four."""
    nodes = [now.node(number) for number in PLAYERS]
    if len({node.table_id for node in nodes}) > 1 or not nodes[0].charter.attempt:
        return False
    return all(node.state.ended or len(node.state.wrote) == 4 for node in nodes)


async def goes_on_until_death(now: Evening, who: int, point: int) -> None:
    """Go on without player 3, until `who` has died at that point."""
    now.nursery.start_soon(now.host_bots)
    died = now.machines.all[who].dies_once(point, signs)
    await now.kill(3)
    await until(lambda: bool(died))
    await now.died(who)


@pytest.mark.parametrize(
    ("who", "wish", "point"),
    [
        pytest.param(0, END, 0, id="leader, end"),
        pytest.param(2, END, 12, id="not the leader, end"),
        pytest.param(0, OPPONENT, 5, id="leader, opponent, early"),
        pytest.param(2, OPPONENT, 29, id="not the leader, opponent"),
        pytest.param(0, OPPONENT, 40, id="leader, opponent, late"),
    ],
)
async def test_the_others_go_on_wherever_somebody_dies_while_they_sign(
    tmp_path: Path, who: int, wish: Wish, point: int
) -> None:
    async with evening(4, tmp_path, wishes=wish) as now:
        await goes_on_until_death(now, who, point)
        now.switch_on(who)
        await until(lambda: go_on(now))


@pytest.mark.parametrize(("wish", "point"), [(END, 7), (OPPONENT, 25)], ids=["end", "opponent"])
async def test_a_power_cut_while_signing_exposes_nobody(
    tmp_path: Path, wish: Wish, point: int
) -> None:
    """All machines start again with their files as last synced."""
    async with evening(4, tmp_path / "all", wishes=wish) as now:
        for machine in now.machines.all:
            machine.disk = tmp_path / f"disk {machine.number}"
            machine.has_synced()
        await goes_on_until_death(now, 0, point)
        await now.kill(*(machine.number for machine in now.alive))
        for player in PLAYERS:
            now.machines.all[player].cut_power()
        now.switch_on(*PLAYERS)
        await until(lambda: go_on(now))
