"""What a session makes of whom its node reaches."""

from typing import Any

import trio
from attrs import frozen

from client.session.absence import absence_at
from client.session.bot_absence_votes import AbsencePolicy, IfAbsent
from client.session.presenter import Presenter
from client.ui.text.absence import awaited_sentence
from client.ui.text.events import Narrator
from protocol.charter import Charter
from tests.client.plain_seat import PlainSeat
from tests.client.ui.model.test_absence import Hall, seat_waiting


async def test_a_machine_that_is_cut_off_offers_nobodys_seat(autojump_clock: object) -> None:
    """Where none of several others is reached; one of them who is makes the difference. Where there
    is only one, nobody can say which machine is away, and nobody's seat is offered either. Who has
    said goodbye and the opponents of this machine, whom it always reaches, count on neither side.
    """
    for players, unreached, left, own, cut_off, may_agree in (
        (4, {1, 2, 3}, (), (), True, False),
        (4, {1, 2}, (), (), False, True),
        (2, {1}, (), (), False, False),
        (4, {1, 2}, (), (3,), True, False),
        (6, {1, 2}, (), (3, 4, 5), True, False),
        (6, {1}, (), (3, 4, 5), False, True),
        (6, {1, 2}, (2,), (3, 4, 5), False, False),
        (6, {1, 2}, (1, 2), (3, 4, 5), False, True),
        (4, {1}, (), (2, 3), False, False),
        (4, {1}, (1,), (2, 3), False, True),
        (4, {1, 2, 3}, (3,), (), True, False),
        (3, {1, 2}, (2,), (), False, False),
    ):
        seat = seat_waiting(players, linked=False)
        seat.unreached = frozenset(unreached)
        await trio.sleep(60)
        absence = absence_at(seat, agreed=False, left=left, own=own)
        assert absence is not None
        case = (players, unreached, left, own)
        assert (case, absence.cut_off, absence.may_agree) == (case, cut_off, may_agree)


async def test_the_bots_of_this_machine_do_not_make_it_linked(autojump_clock: object) -> None:
    seat, hall = seat_waiting(4, linked=False), Hall(own=(3,))
    seat.unreached = frozenset({1, 2})
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Presenter(seat, hall, Narrator(symbols=False), substitutes=hall).run)
        await trio.sleep(12)
        told = hall.shown[-1].absence
        assert told is not None
        assert (told.cut_off, told.groups) == (True, ())
        nursery.cancel_scope.cancel()


async def test_a_program_at_a_seat_gives_away_nobodys_when_only_its_bots_are_reached(
    autojump_clock: object,
) -> None:
    """`--if-absent end`, with a bot of this machine among four: it votes once a friend is back."""
    for unreached, left, votes in (
        ({1, 2}, frozenset[int](), False),
        ({1, 2}, frozenset({2}), False),
        ({1}, frozenset[int](), True),
        ({1, 2}, frozenset({1, 2}), True),
    ):
        seat = seat_waiting(4, linked=False)
        node = SeatOfAProgram(seat, frozenset(unreached), left)
        policy = AbsencePolicy(node, OwnBots((3,)), lambda _: None, IfAbsent.END)  # type: ignore[arg-type]
        with trio.move_on_after(5):
            await policy.run()
        assert bool(seat.voted) is votes, (unreached, left)


@frozen
class OwnBots:
    own: tuple[int, ...]


@frozen
class SeatOfAProgram:
    """What `AbsencePolicy` asks a node."""

    seat: PlainSeat
    unreached: frozenset[int]
    left: frozenset[int]
    over: bool = False

    @property
    def asides(self) -> "SeatOfAProgram":
        return self

    @property
    def charter(self) -> Charter:
        return self.seat.state.charter

    def __getattr__(self, name: str) -> Any:
        return getattr(self.seat, name)


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
