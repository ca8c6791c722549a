"""What a session makes of whom its node reaches."""

import trio

from client.session.absence import absence_at
from client.ui.text.absence import awaited_sentence
from tests.client.ui.model.test_absence import seat_waiting


async def test_a_machine_that_is_cut_off_offers_nobodys_seat(autojump_clock: object) -> None:
    """Where none of several others is reached; one of them who is makes the difference, and of two
    players nobody can say which machine is away.
    """
    for players, unreached, cut_off in (
        (4, {1, 2, 3}, True),
        (4, {1, 2}, False),
        (2, {1}, False),
    ):
        seat = seat_waiting(players, linked=False)
        seat.unreached = frozenset(unreached)
        await trio.sleep(60)
        absence = absence_at(seat, agreed=False)
        assert absence is not None
        assert absence.cut_off is cut_off
        assert absence.may_agree is (players == 4 and not cut_off)


async def test_of_two_nobody_is_asked_to_leave_while_the_other_thinks(
    autojump_clock: object,
) -> None:
    """Who is linked may be thinking, however long; who is not can be waited for another day."""
    for linked, prospect in ((True, False), (False, True)):
        seat = seat_waiting(2, linked=linked)
        await trio.sleep(3600)
        absence = absence_at(seat, agreed=False)
        assert absence is not None
        assert not absence.may_agree
        assert ("rest" in awaited_sentence(absence, ("Ana", "Bruno"), 0)) is prospect
