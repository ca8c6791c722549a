"""A player for whom the table waits: what the display hears of it, and what is decided there."""

import trio

from client.session.display.absence import SeatBots, SeatPerson
from protocol.entries import AbsentContent
from tests.client.ui.tui.situations import DORA, alone
from tests.client.waiting_seat import Hall, presented, seat_waiting


async def test_the_display_hears_of_time_only_while_somebody_is_waited_for(
    autojump_clock: object,
) -> None:
    seat, hall = seat_waiting(4, linked=False, grace_left=99), Hall()
    async with presented(seat, hall):
        await trio.sleep(9.5)
        assert len(hall.shown) == 1
        await trio.sleep(3)
        told = [snapshot.absence for snapshot in hall.shown[1:]]
        assert [one.silent for one in told if one] == [10, 11, 12]
        seat.awaited = None
        await trio.sleep(1)
        assert hall.shown[-1].absence is None


async def test_without_bots_nobody_is_given_up(autojump_clock: object) -> None:
    seat, hall = seat_waiting(4), Hall()
    async with presented(seat, hall, with_bots=False):
        await trio.sleep(500)
    assert [snapshot.absence for snapshot in hall.shown] == [None]


async def test_votes_and_invitations_reach_the_table(autojump_clock: object) -> None:
    seat, hall = seat_waiting(4), Hall()
    async with presented(seat, hall):
        hall.decide(SeatBots((1,)))
        await trio.sleep(31.5)
        assert hall.shown[-1].absence == alone(1, 31, 0, agreed=True)
        hall.decide(AbsentContent((1,)))
        await trio.sleep(1)
    assert (hall.invited, seat.voted, hall.refused) == ([(1,)], [AbsentContent((1,))], [])


async def test_a_vote_that_is_refused_is_told_and_counts_for_nothing(
    autojump_clock: object,
) -> None:
    seat, hall = seat_waiting(4, linked=False, grace_left=20), Hall()
    async with presented(seat, hall):
        hall.decide(AbsentContent((1,)))
        await trio.sleep(11.5)
    assert [str(error) for error in hall.refused] == ["There are seconds of grace left."]
    assert hall.shown[-1].absence == alone(1, 11, 20, linked=False)


async def test_who_waits_for_the_seat_gets_it_when_they_have_signed(autojump_clock: object) -> None:
    seat, hall = seat_waiting(4), Hall()
    seat.candidates = (DORA,)
    async with presented(seat, hall):
        hall.decide(SeatPerson(1, DORA))
        await trio.sleep(9.5)
        absence = hall.shown[-1].absence
        assert absence is not None
        assert (absence.invited, absence.agreed, seat.voted) == (DORA, False, [])
        seat.signed.set()
        await trio.sleep(1)
    absence = hall.shown[-1].absence
    assert absence is not None
    assert (absence.invited, absence.agreed) == (None, True)
    assert seat.voted == [AbsentContent((1,), (DORA.member,))]


async def test_another_proposal_takes_the_place_of_an_invitation(autojump_clock: object) -> None:
    seat, hall = seat_waiting(4), Hall()
    seat.candidates = (DORA,)
    async with presented(seat, hall):
        for decision in (SeatPerson(1, DORA), SeatPerson(1, DORA), AbsentContent((1,))):
            hall.decide(decision)
            await trio.sleep(3.5)
            absence = hall.shown[-1].absence
            assert absence is not None
            assert (absence.invited is not None) == isinstance(decision, SeatPerson)
        seat.signed.set()
        await trio.sleep(1)
    assert seat.voted == [AbsentContent((1,))]


async def test_a_candidate_who_has_gone_is_told(autojump_clock: object) -> None:
    seat, hall = seat_waiting(4), Hall()
    async with presented(seat, hall):
        hall.decide(SeatPerson(1, DORA))
        await trio.sleep(2)
    assert [str(error) for error in hall.refused] == [
        "Whoever is to take a seat has to wait at the table."
    ]
