"""A player for whom the table waits: what a session makes of it and of whom its node reaches."""

import random
from functools import partial
from typing import Any

import trio
from attrs import frozen

from client.bots.players.random_moves import choose
from client.session.bot_absence_votes import AbsencePolicy, IfAbsent
from client.session.display.absence import absence_at
from client.ui.text.absence import awaited_sentence
from p2p.table.changes import Awaited
from protocol.charter import Charter
from protocol.entries import AbsentContent, CloseContent
from tests.client.plain_seat import PlainSeat
from tests.client.ui.tui.situations import alone
from tests.client.waiting_seat import Hall, presented, seat_waiting


async def test_nobody_is_told_of_who_may_be_thinking(autojump_clock: object) -> None:
    seat = seat_waiting(4, grace_left=120)
    await trio.sleep(29)
    assert absence_at(seat, agreed=False) is None
    await trio.sleep(1)
    assert absence_at(seat, agreed=False) == alone(1, 30, 120)


async def test_who_cannot_be_reached_is_told_earlier(autojump_clock: object) -> None:
    seat = seat_waiting(4, linked=False, grace_left=99.2)
    await trio.sleep(10)
    assert absence_at(seat, agreed=False) == alone(1, 10, 100, linked=False)


async def test_two_players_cannot_agree_that_one_is_absent(autojump_clock: object) -> None:
    seat = seat_waiting(2)
    await trio.sleep(60)
    told = absence_at(seat, agreed=False)
    assert told is not None
    assert not told.may_agree


async def test_who_cannot_be_reached_either_can_be_given_up_together(
    autojump_clock: object,
) -> None:
    """A couple may leave together; of four players nobody can give up two."""
    for players, linked, groups in (
        (6, False, ((1,), (1, 4))),
        (6, True, ((1,),)),
        (4, False, ((1,),)),
    ):
        seat = seat_waiting(players, linked=linked)
        seat.unreached = frozenset({1, 4} if players == 6 else {1, 3})
        told = absence_at(seat, agreed=False)
        assert told is not None
        assert told.groups == groups


async def test_a_person_is_hurried_only_when_the_others_may_lose_patience(
    autojump_clock: object,
) -> None:
    for players, grace, after, is_told in (
        (4, 61, 20, False),
        (4, 60, 20, True),
        (4, 10, 4, False),
        (4, 5, 5, True),
        (2, 0, 99, False),
    ):
        seat = seat_waiting(players, player=0, grace_left=grace)
        await trio.sleep(after)
        assert (absence_at(seat, agreed=False) is not None) == is_told


async def test_nobody_is_hurried_by_what_the_machine_does(autojump_clock: object) -> None:
    seat = PlainSeat.sit("canasta", 4, partial(choose, rng=random.Random(1)))
    seat.awaited = Awaited(0, "shuffle", trio.current_time(), True)
    await trio.sleep(9)
    assert absence_at(seat, agreed=False) is None


async def test_what_a_round_was_counted_as_makes_no_other_proposal() -> None:
    seat = seat_waiting(4)
    seat.proposals = (AbsentContent((1,), counted=CloseContent(1, (5, 10), last=True)),)
    assert (told := absence_at(seat, agreed=False)) is not None
    assert told.proposals == (AbsentContent((1,)),)


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
    async with presented(seat, hall):
        await trio.sleep(12)
        told = hall.shown[-1].absence
        assert told is not None
        assert (told.cut_off, told.groups) == (True, ())


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
