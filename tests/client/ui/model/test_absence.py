"""A player for whom the table waits: what a person is told, and what they can have done."""

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
import trio
from attrs import define, evolve, field

from client.bots.players.random_moves import choose
from client.session.absence import Absence, SeatBots, SeatPerson, absence_at
from client.session.local_node import open_local_node
from client.session.presenter import Presenter
from client.session.seated_bots import BotSettings, open_seated_bots
from client.session.snapshot import Decision, Snapshot
from client.session.substitutes import Substitutes
from client.ui.linear.table import PROMPT, LinearTable
from client.ui.model.controls import Controls
from client.ui.model.pages import Page
from client.ui.text.events import Narrator
from client.ui.tui.toolkit.glyphs import UNICODE
from engine.errors import IllegalMove
from engine.turn import Step
from p2p.storage.identity import words
from p2p.table.changes import Awaited, Change
from p2p.table.node import Node
from protocol.absence import absence, signers
from protocol.charter import Charter, Member
from protocol.entries import AbsentContent, Body, CloseContent, Entry, Place
from protocol.errors import Refused
from tests.client.plain_seat import PlainSeat, snapshot_at
from tests.client.ui.linear.typists import Typist
from tests.client.ui.tui.golden import table_on
from tests.client.ui.tui.situations import DORA, PROPOSED, ROBOT, alone, waiting
from tests.engine.positions import table_of


def seat_waiting(
    players: int, *, player: int = 1, linked: bool = True, grace_left: float = 0.0
) -> PlainSeat:
    """A table whose cards are dealt and which waits for a player since the clock's beginning."""
    seat = PlainSeat.sit("canasta", players, partial(choose, rng=random.Random(1)))
    while seat.state.match.mover != player:
        seat.step(seat.others)
    seat.awaited = Awaited(player, "move", trio.current_time(), linked)
    seat.grace_left = grace_left
    return seat


# -- what is worth a word


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


def test_an_answer_about_an_absence_goes_with_it() -> None:
    controls, _ = controls_at(waiting(alone(1, 130, 0, proposals=PROPOSED)))
    controls.agree()
    assert controls.notice is not None
    controls.show(evolve(waiting(alone(1, 0, 0)), absence=None))
    assert controls.notice is None


# -- between the table and its display


@define
class Hall:
    """Bots that would come, and a display that keeps what it is shown."""

    alone: bool = False
    own: tuple[int, ...] = ()
    invited: list[tuple[int, ...]] = field(factory=list)
    shown: list[Snapshot] = field(factory=list)
    refused: list[IllegalMove | Refused] = field(factory=list)
    told: list[str] = field(factory=list)
    decide: Callable[[Decision], None] = field(init=False)
    decisions: trio.MemoryReceiveChannel[Decision] = field(init=False)

    def __attrs_post_init__(self) -> None:
        sender, self.decisions = trio.open_memory_channel[Decision](9)
        self.decide = sender.send_nowait

    async def invite(self, absent: tuple[int, ...]) -> None:
        await trio.lowlevel.checkpoint()
        self.invited.append(absent)

    def show(self, snapshot: Snapshot) -> None:
        self.shown.append(snapshot)

    def refuse(self, error: IllegalMove | Refused) -> None:
        self.refused.append(error)

    def tell(self, sentence: str) -> None:
        self.told.append(sentence)

    async def decided(self) -> Decision:
        return await self.decisions.receive()


async def test_the_display_hears_of_time_only_while_somebody_is_waited_for(
    autojump_clock: object,
) -> None:
    seat, hall = seat_waiting(4, linked=False, grace_left=99), Hall()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Presenter(seat, hall, Narrator(symbols=False), substitutes=hall).run)
        await trio.sleep(9.5)
        assert len(hall.shown) == 1
        await trio.sleep(3)
        told = [snapshot.absence for snapshot in hall.shown[1:]]
        assert [one.silent for one in told if one] == [10, 11, 12]
        seat.awaited = None
        await trio.sleep(1)
        assert hall.shown[-1].absence is None
        nursery.cancel_scope.cancel()


async def test_without_a_house_nobody_is_given_up(autojump_clock: object) -> None:
    seat, hall = seat_waiting(4), Hall()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Presenter(seat, hall, Narrator(symbols=False)).run)
        await trio.sleep(500)
        nursery.cancel_scope.cancel()
    assert [snapshot.absence for snapshot in hall.shown] == [None]


async def test_votes_and_invitations_reach_the_table(autojump_clock: object) -> None:
    seat, hall = seat_waiting(4), Hall()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Presenter(seat, hall, Narrator(symbols=False), substitutes=hall).run)
        hall.decide(SeatBots((1,)))
        await trio.sleep(31.5)
        assert hall.shown[-1].absence == alone(1, 31, 0, agreed=True)
        hall.decide(AbsentContent((1,)))
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    assert (hall.invited, seat.voted, hall.refused) == ([(1,)], [AbsentContent((1,))], [])


async def test_a_vote_that_is_refused_is_told_and_counts_for_nothing(
    autojump_clock: object,
) -> None:
    seat, hall = seat_waiting(4, linked=False, grace_left=20), Hall()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Presenter(seat, hall, Narrator(symbols=False), substitutes=hall).run)
        hall.decide(AbsentContent((1,)))
        await trio.sleep(11.5)
        nursery.cancel_scope.cancel()
    assert [str(error) for error in hall.refused] == ["There are seconds of grace left."]
    assert hall.shown[-1].absence == alone(1, 11, 20, linked=False)


async def test_who_waits_for_the_seat_gets_it_when_they_have_signed(autojump_clock: object) -> None:
    seat, hall = seat_waiting(4), Hall()
    seat.candidates = (DORA,)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Presenter(seat, hall, Narrator(symbols=False), substitutes=hall).run)
        hall.decide(SeatPerson(1, DORA))
        await trio.sleep(9.5)
        absence = hall.shown[-1].absence
        assert absence is not None
        assert (absence.invited, absence.agreed, seat.voted) == (DORA, False, [])
        seat.signed.set()
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    absence = hall.shown[-1].absence
    assert absence is not None
    assert (absence.invited, absence.agreed) == (None, True)
    assert seat.voted == [AbsentContent((1,), (DORA.member,))]


async def test_another_proposal_takes_the_place_of_an_invitation(autojump_clock: object) -> None:
    seat, hall = seat_waiting(4), Hall()
    seat.candidates = (DORA,)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Presenter(seat, hall, Narrator(symbols=False), substitutes=hall).run)
        for decision in (SeatPerson(1, DORA), SeatPerson(1, DORA), AbsentContent((1,))):
            hall.decide(decision)
            await trio.sleep(3.5)
            absence = hall.shown[-1].absence
            assert absence is not None
            assert (absence.invited is not None) == isinstance(decision, SeatPerson)
        seat.signed.set()
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    assert seat.voted == [AbsentContent((1,))]


async def test_a_candidate_who_has_gone_is_told(autojump_clock: object) -> None:
    seat, hall = seat_waiting(4), Hall()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Presenter(seat, hall, Narrator(symbols=False), substitutes=hall).run)
        hall.decide(SeatPerson(1, DORA))
        await trio.sleep(2)
        nursery.cancel_scope.cancel()
    assert [str(error) for error in hall.refused] == [
        "Whoever is to take a seat has to wait at the table."
    ]


async def test_what_a_round_was_counted_as_makes_no_other_proposal() -> None:
    seat = seat_waiting(4)
    seat.proposals = (AbsentContent((1,), counted=CloseContent(1, (5, 10), last=True)),)
    assert (told := absence_at(seat, agreed=False)) is not None
    assert told.proposals == (AbsentContent((1,)),)


# -- what the person does


def controls_at(snapshot: Snapshot) -> tuple[Controls, list[object]]:
    made: list[object] = []
    controls = Controls(lambda *_: None, propose=made.append)
    controls.show(snapshot)
    return controls, made


def test_agreeing_takes_what_is_proposed_or_what_is_chosen() -> None:
    for number, wanted in ((None, PROPOSED[0]), (2, PROPOSED[1]), (3, SeatBots((1,)))):
        controls, made = controls_at(waiting(alone(1, 130, 0, proposals=PROPOSED)))
        controls.agree(number)
        assert made == [wanted]


def test_who_is_proposed_already_is_named_once() -> None:
    proposal = AbsentContent((1,), (DORA.member,))
    absence = alone(1, 130, 0, proposals=(proposal,), candidates=(DORA,))
    controls, _ = controls_at(waiting(absence))
    choices = [option.proposal for option in controls.absence_options]
    assert choices == [proposal, SeatBots((1,)), AbsentContent((1,))]


@pytest.mark.parametrize(
    ("absence", "number", "said"),
    [
        (None, None, "nothing to agree to"),
        (alone(1, 30, 5), 1, "nothing to agree to"),
        (alone(1, 300, 0, groups=()), 1, "nothing to agree to"),
        (alone(1, 300, 0, agreed=True), 1, "nothing to agree to"),
        (alone(0, 300, 0), 1, "nothing to agree to"),
        (alone(1, 300, 0), None, "Nobody has proposed anything"),
        (alone(1, 300, 0), 3, "no proposal 3"),
        (alone(1, 300, 0), 0, "no proposal 0"),
    ],
)
def test_what_cannot_be_agreed_to_says_why(
    absence: Absence | None, number: int | None, said: str
) -> None:
    snapshot = evolve(waiting(alone(1, 0, 0)), absence=absence)
    controls, made = controls_at(snapshot)
    controls.agree(number)
    assert made == []
    assert controls.notice is not None
    assert said in controls.notice.text


def test_time_that_passes_takes_nothing_from_the_desk() -> None:
    """The screen hears of every second: a warning that was given must still hold."""
    melds = [["6h 6d 6s"], ["9h 9d 9s"]]
    hand = "9c Qc 5d 5h"
    table = table_of("canasta", hands=[hand], melds=melds, pile="4h 4d", step=Step.PLAY)
    snapshot = snapshot_at("canasta", table)
    sent: list[object] = []
    controls = Controls(lambda *moves: sent.extend(moves))
    controls.show(snapshot)
    (nine,) = table.hand("9c")
    controls.discard(nine)
    assert sent == []
    controls.show(evolve(snapshot, absence=alone(0, 70, 50)))
    assert controls.notice is not None
    controls.discard(nine)
    assert len(sent) == 1


async def test_a_number_on_the_page_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = waiting(alone(1, 130, 0, proposals=PROPOSED))
    made: list[object] = []
    with table_on(snapshot) as (hands, screen):
        screen.window.controls.propose = made.append
        hands.press("w2")
        assert made == [PROPOSED[1]]
        assert screen.window.page is None
        assert "You agree: the match ends here without Bruno." in hands.screen
        hands.press("a")
        assert made == [PROPOSED[1], PROPOSED[0]]
        screen.window.open_page(Page.KEYS)
        hands.press("1")
        assert len(made) == 2, "numbers choose on the one page only"


async def test_the_linear_mode_tells_it_once_and_takes_the_choice() -> None:
    left = ["away", "agree 2"]
    typist = Typist(lambda _written: left.pop(0) if left else None)
    linear = LinearTable(UNICODE, typist, typist.write)
    for silent in (30, 31, 32):
        linear.show(waiting(alone(1, silent, 120 - silent)))
    assert typist.written.count("The table has waited for Bruno") == 1
    assert "Bruno is to draw.\n" in typist.written
    assert PROMPT not in typist.written, "there is nothing to type yet"
    for silent in (130, 131):
        linear.show(waiting(alone(1, silent, 0, proposals=PROPOSED)))
    assert typist.written.count("The table has waited for Bruno") == 2
    assert typist.written.endswith(PROMPT)
    await linear.run()
    assert await linear.decided() == PROPOSED[1]
    assert "You agree: the match ends here without Bruno." in typist.written


# -- the outcome


def after_absence(*substitutes: Member, opening: bool = False) -> list[str]:
    before = waiting(alone(1, 130, 0)).state
    content = AbsentContent((1,), substitutes, opening)
    after = evolve(before, last=Body(Place(b"", 1, b""), 0, content))
    return [line.text for line in Narrator(symbols=False).feed(Change(before, after))]


def test_the_outcome_is_told() -> None:
    void = "The round that was not over is void."
    stands = "The round stands: an absence does not undo what has been won."
    closed = "the hand of Bruno stays closed and counts the worst it can (X24)"
    ends = "All the others have agreed: the match ends here without Bruno."
    aloud = " ".join(words(ROBOT.key))
    taken = f"Robot maple owl (words: {aloud}) takes the seat of Bruno"
    assert after_absence() == [ends, void]
    assert after_absence(ROBOT) == [f"All the others have agreed: {taken}.", void]
    assert after_absence(opening=True) == [f"All the others have agreed: {closed}.", stands]
    assert after_absence(ROBOT, opening=True) == [f"All the others have agreed: {taken}.", stands]


async def test_who_was_given_up_is_told_so() -> None:
    snapshot = waiting(alone(1, 130, 0))
    with table_on(evolve(snapshot, dismissed=True)) as (hands, _):
        assert "the others have gone on without you" in hands.screen
    with table_on(evolve(snapshot, state=evolve(snapshot.state, ended=True))) as (hands, _):
        assert "The match ended before its time" in hands.screen


# -- bots of this machine


@define
class LobbyCallbacks:
    """As much of a node as Substitutes need: its vote is refused, or seats the substitute."""

    seat: PlainSeat
    refuses: bool
    over: bool = False

    @property
    def charter(self) -> Charter:
        return self.seat.state.charter

    def absence(self, content: AbsentContent) -> bytes:
        return absence(self.seat.state, content).encode()

    async def vote(self, content: AbsentContent, substitutes: dict[bytes, bytes]) -> None:
        await trio.lowlevel.checkpoint()
        if self.refuses:
            raise Refused("You have voted for something else in this place.")
        keys = {member.key for member in content.substitutes}
        assert len(keys) == len(content.players)
        for key in keys:
            assert Entry.is_vote(self.absence(content), key, substitutes[key])
            assert key in signers(self.charter, content)
        self.over = True  # the others have agreed on something else


@pytest.mark.parametrize("absent", [(1,), (1, 4)])
@pytest.mark.parametrize("refuses", [True, False])
async def test_opponents_of_the_house_sign_for_the_seats(
    tmp_path: Path, refuses: bool, absent: tuple[int, ...]
) -> None:
    tmp_path.chmod(0o700)
    node = LobbyCallbacks(seat_waiting(6), refuses)
    async with (
        open_local_node(tmp_path) as local,
        open_seated_bots(local) as seated_bots,
        trio.open_nursery() as nursery,
    ):
        substitutes = Substitutes(
            seated_bots, BotSettings("easy"), cast(Node, cast(Any, node)), nursery
        )
        if refuses:
            with pytest.raises(Refused):
                await substitutes.invite(absent)
        else:
            await substitutes.invite(absent)
            assert node.over
