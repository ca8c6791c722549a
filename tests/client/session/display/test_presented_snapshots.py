"""The snapshots of a presenter: who is away, who comes, and how the match ends."""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import trio
from attrs import evolve

from client.bots.eager import choose
from client.session.display.presenter import COMINGS_RATE, MOST_COMINGS, Presenter
from client.session.display.snapshot import (
    BarSpectator,
    CountedRound,
    Fairness,
    LessonNote,
    LogLine,
    Resolve,
    Snapshot,
)
from client.session.display.table_history import TableHistory
from engine.sentences import Sentence
from p2p.background_task import beside
from p2p.table.asides import AsideCode, Asides
from p2p.transport.spectator_messages import Spectator
from protocol.audit import Tally
from protocol.errors import Exposed
from protocol.match.messages import Wish, WishKind
from protocol.table.tasks import Change
from protocol.words_for_keys import words
from tests.client.plain_seat import PlainSeat
from tests.client.recording_display import RecordingDisplay, presented
from tests.client.ui.tui.situations import alone, next_round_begun
from tests.client.waiting_seat import seat_waiting

pytestmark = pytest.mark.usefixtures("autojump_clock")

EVA, FAY, GUS = (Spectator(bytes([n]) * 32, name) for n, name in enumerate(("Eva", "Fay", "Gus")))


def asides() -> Asides:
    return Asides(0, lambda _code: None, lambda: False)


def aside(text: str, name: str) -> LogLine:
    return LogLine(text, name, aside=True)


def seat_of(**options: int) -> PlainSeat:
    return PlainSeat.sit("canasta", 3, partial(choose, rng=random.Random(2)), seed=5, **options)


@pytest.mark.parametrize("left_out", [False, True])
async def test_each_part_of_the_status_is_in_the_snapshot(left_out: bool) -> None:
    """A player who is left out sees no absence: the others have gone on."""
    seat, display = seat_waiting(4, linked=False), RecordingDisplay()
    seat.exposed = Exposed(1, "R8", Sentence("They signed two."), ())
    seat.trouble, seat.left_out = Sentence("The lock is lost."), left_out
    async with presented(seat, display, with_bots=True):
        await trio.sleep(0.5)
    assert display.shown[-1] == Snapshot(
        seat.state,
        seat.view,
        0,
        chooses=False,
        exposed=seat.exposed,
        absence=None if left_out else alone(1, 0, 0, linked=False, missing=(1,), away=(1,)),
        left_out=left_out,
        trouble=seat.trouble,
    )


async def test_a_lesson_shows_its_step() -> None:
    seat, display = seat_waiting(2), RecordingDisplay()
    note = LessonNote(1, 9, Sentence("Draw."), "C17")
    presenter = Presenter(seat, display, lambda _change: (), lesson=lambda: note)
    async with beside(presenter.run):
        await trio.sleep(1)
    assert display.shown == [
        Snapshot(seat.state, seat.view, 0, chooses=False, lesson=note, watching=False)
    ]


async def test_the_last_snapshot_shows_how_the_match_ended() -> None:
    seat, display = seat_waiting(3), RecordingDisplay()
    async with presented(seat, display):
        seat.left_out = True
        for watcher in seat.watchers:
            watcher.close()
        await trio.testing.wait_all_tasks_blocked()
        assert [one.left_out for one in display.shown] == [False, True]


async def test_the_table_is_looked_at_now_and_then_and_soon_after_a_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks, began = list[float](), trio.current_time()
    monkeypatch.setattr(
        Presenter, "_look_for_who_left", lambda _: looks.append(trio.current_time() - began)
    )
    seat, display = seat_waiting(4, grace_left=99), RecordingDisplay()
    async with presented(seat, display, with_bots=True):
        await trio.sleep(0.75)
        seat.progress.set()
        seat.progress = trio.Event()
        await trio.sleep(0.5)
    # The presenter looks every 0.3 s, and 0.1 s after the change at 0.75 s.
    assert looks == pytest.approx([0, 0.3, 0.6, 0.85, 1.15])


async def test_players_see_spectators_come_and_go_and_read_who_barred_them() -> None:
    """All comings and goings are asides. A spectator whom this player bars is gone at once."""
    seat, display, said = seat_waiting(4, grace_left=99), RecordingDisplay(), asides()
    async with presented(seat, display, asides=said, with_bots=True):
        await trio.sleep(1)
        seat.spectators = (EVA, FAY, GUS)
        await trio.sleep(1)
        seat.spectators, seat.barred[EVA.key] = (FAY, GUS), 2
        await trio.sleep(1)
        display.decide(BarSpectator(GUS.key))
        await trio.testing.wait_all_tasks_blocked()
        assert display.shown[-1].spectators == (FAY,)
        seat.spectators = ()
        await trio.sleep(1)
        said.say(AsideCode.THANK_YOU)
        said.hear(1, AsideCode.GOOD_LUCK)
        await trio.sleep(1)
        said.hear(2, AsideCode.LEAVING)
        seat.unreached = frozenset({2})
        await trio.sleep(1)
        seat.unreached = frozenset()
        said.linked(2, yes=True)
        await trio.sleep(5)
    assert display.shown[-1].log == (
        *(
            aside(f"watches from now on ({' '.join(words(one.key))})", one.name)
            for one in (EVA, FAY, GUS)
        ),
        aside("does not watch any more: barred by Carla", "Eva"),
        aside("does not watch any more: barred by Ana", "Gus"),
        aside("does not watch any more", "Fay"),
        LogLine("says “Thank you!”", "Ana"),
        aside("says “Good luck!”", "Bruno"),
        # The link breaks, too, and that is not reported separately.
        aside("has left the table", "Carla"),
        aside("is back at the table", "Carla"),
    )


async def test_a_goodbye_is_in_the_next_snapshot() -> None:
    seat, display, said = seat_waiting(4, grace_left=99), RecordingDisplay(), asides()
    async with presented(seat, display, asides=said, with_bots=True):
        assert display.shown[-1].absence is None
        said.hear(1, AsideCode.LEAVING)
        await trio.testing.wait_all_tasks_blocked()
        assert display.shown[-1].absence == alone(1, 0, 99, left=True, away=(1,))
        assert len(display.shown) == 2


async def test_lost_links_are_not_reported_to_a_spectator_or_in_a_lesson() -> None:
    for watching, with_bots in ((True, True), (False, False)):
        seat, display = seat_waiting(4, grace_left=99), RecordingDisplay()
        async with presented(seat, display, watching=watching, with_bots=with_bots):
            await trio.sleep(1)
            seat.unreached, seat.spectators = frozenset({2}), (EVA,)
            await trio.sleep(2)
        assert [line.who for line in display.shown[-1].log] == ["Eva"] * watching


async def test_arrivals_and_departures_in_the_log_are_limited() -> None:
    """A member could invent a spectator each second, and push the moves out of the log.

    Phrases that players say are always shown. A spectator sees the table from the side of player 0,
    whose phrases are shown like those of others.
    """
    seat, display, said = seat_waiting(4), RecordingDisplay(), asides()
    async with presented(seat, display, asides=said, watching=True):
        await trio.sleep(3)
        for number in range(100):
            seat.spectators = (Spectator(number.to_bytes(32, "big"), f"Eva {number}"),)
            said.hear(1, AsideCode.LEAVING)
            said.linked(1, yes=True)
            await trio.sleep(4)
        shown = display.shown[-1]
        for player in (0, 1):
            said.hear(player, AsideCode.GOOD_LUCK)
        await trio.sleep(1)
    assert shown.spectators == seat.spectators
    # The loop took 400 seconds.
    assert MOST_COMINGS <= len(shown.log) <= MOST_COMINGS + 400 * COMINGS_RATE + 1
    phrases = tuple(aside("says “Good luck!”", name) for name in ("Ana", "Bruno"))
    assert display.shown[-1].log == (*shown.log, *phrases)


async def test_ones_own_goodbye_is_logged_even_after_many_arrivals() -> None:
    seat, display, said = seat_waiting(4, grace_left=99), RecordingDisplay(), asides()
    async with presented(seat, display, asides=said, with_bots=True):
        seat.spectators = tuple(
            Spectator(bytes([number]) * 32, f"Eva {number}") for number in range(MOST_COMINGS + 9)
        )
        await trio.sleep(1)
        assert len(display.shown[-1].log) == MOST_COMINGS
        said.hear(1, AsideCode.LEAVING)
        said.say(AsideCode.LEAVING)
        await trio.sleep(1)
    assert display.shown[-1].log[MOST_COMINGS:] == (LogLine("has left the table", "Ana"),)


async def test_a_phrase_is_passed_on_only_if_somebody_can_hear_it() -> None:
    passed: list[AsideCode] = []
    for heard in (None, Asides(0, passed.append, lambda: False)):
        display = RecordingDisplay()
        async with presented(seat_waiting(3), display, asides=heard):
            display.decide(AsideCode.GOOD_LUCK)
            display.decide(AsideCode.REMATCH)
            await trio.sleep(1)
        assert [str(error) for error in display.refused] == ["The match is not over yet."] * bool(
            heard
        )
    assert passed == [AsideCode.GOOD_LUCK]


# -- the history


def changes_of(seat: PlainSeat) -> Iterator[Change]:
    """Play the match to its end, and return all changes."""
    receiver: Any = seat.changes()
    seat.me = -1  # the choosers play all seats
    seat.run()
    for _ in range(receiver.statistics().current_buffer_used):
        yield receiver.receive_nowait()


def test_each_round_is_counted_with_its_own_checks() -> None:
    """The signatures under a count belong to the checks of the next round."""
    history, tally = TableHistory(lambda _change: ()), Tally()
    expected: list[CountedRound] = []
    for change in changes_of(seat_of(rounds=2)):
        history.follow(change)
        # The round stays over for several changes, because each player signs the count by an entry
        # of their own. None of these counts it again, nor does a change without an entry.
        if change.after.match.round_over:
            history.follow(Change(change.after, evolve(change.after, last=None)))
        assert change.after.last is not None
        tally.count(change.after.last.content)
        before, after = change.before.match, change.after.match
        if after.round_over and not before.round_over:
            assert after.round is not None
            assert after.round.sheet is not None
            sheet = after.round.sheet
            sums = zip(before.totals, sheet.totals, strict=True)
            fairness = Fairness(
                tally.shuffle_proofs, tally.unlock_proofs, tally.face_proofs, tally.signatures
            )
            number, totals = len(expected) + 1, tuple(old + new for old, new in sums)
            expected.append(CountedRound(number, sheet, totals, after.round, fairness))
            tally = Tally()
        if before.round_number == 0:
            tally = Tally()  # the draw for the seats belongs to no round
    assert history.rounds == tuple(expected)
    assert len(expected) == 2


def test_five_hundred_lines_of_the_log_are_kept() -> None:
    history = TableHistory(lambda _change: (LogLine("one"), LogLine("two")))
    history.add(*(LogLine(f"{number}") for number in range(499)))
    state = seat_of().state
    history.follow(Change(state, state))
    assert [line.text for line in history.log] == [*map(str, range(1, 499)), "one", "two"]
    assert history.said == 501


@pytest.mark.parametrize("opening", [False, True])
def test_a_round_that_is_dealt_again_has_new_checks(opening: bool) -> None:
    """If the hands of a round were being opened for the count, it is counted, not dealt again."""
    history, moment = TableHistory(lambda _change: ()), None
    for change in changes_of(seat_of(rounds=2)):
        history.follow(change)
        match = change.after.match
        if match.round_number == 2 and (match.opening if opening else match.mover is not None):
            moment = change.after
            break
    assert moment is not None
    assert history._tallies[1].signatures > 1
    history.follow(Change(moment, evolve(moment, table_id=bytes(32), last=None)))
    assert sorted(history._tallies) == ([-1, 0, 1] if opening else [-1, 0])
    assert [one.number for one in history.rounds] == [1]


def test_a_continuation_after_the_last_round_adds_no_round_whose_cards_are_missing() -> None:
    """The continuation counts another second round than the one that this node knows.

    The cards of that round are not on the table any more, so they cannot be shown.
    """
    now = next_round_begun("canasta", 4)
    match = evolve(now.state.match, round=None)
    other = evolve(match, sheets=(match.sheets[0], match.sheets[0]))
    history = TableHistory(lambda _change: (), rounds=now.rounds)
    before = evolve(now.state, match=match)
    history.follow(Change(before, evolve(before, table_id=bytes(32), match=other, last=None)))
    assert history.rounds == now.rounds[:1]


async def test_the_display_is_updated_each_second_only_while_somebody_is_awaited() -> None:
    seat, display = seat_waiting(4, grace_left=99), RecordingDisplay()
    async with presented(seat, display, with_bots=True):
        await trio.sleep(29.5)
        assert len(display.shown) == 1
        await trio.sleep(3)
        told = [snapshot.absence for snapshot in display.shown[1:]]
        assert [one.silent for one in told if one] == [30, 31, 32]
        seat.awaited = None
        await trio.sleep(1)
        assert display.shown[-1].absence is None


async def test_a_lost_or_restored_link_is_reported_within_a_second() -> None:
    seat, display = seat_waiting(4, grace_left=99), RecordingDisplay()
    async with presented(seat, display, with_bots=True):
        await trio.sleep(3)
        seat.unreached = frozenset({2})
        await trio.sleep(0.9)
        assert [line.text for line in display.shown[-1].log] == [
            "The machine of Carla cannot be reached."
        ]
        seat.unreached = frozenset()
        await trio.sleep(0.9)
        assert display.shown[-1].log[-1].text == "The machine of Carla can be reached again."
        told = len(display.shown[-1].log)
        seat.unreached = frozenset({2})
        await trio.sleep(0.1)
        seat.unreached = frozenset()
        await trio.sleep(3)
        assert len(display.shown[-1].log) == told, (
            "a link that is replaced at once is not reported as lost"
        )


async def test_a_display_without_own_bots_shows_no_absence() -> None:
    """For example in a lesson, where no player can be missing."""
    seat, display = seat_waiting(4), RecordingDisplay()
    async with presented(seat, display):
        await trio.sleep(500)
    assert [snapshot.absence for snapshot in display.shown] == [None]


async def test_wishes_go_to_the_node_and_refusals_to_the_display() -> None:
    seat, display = seat_waiting(4), RecordingDisplay()
    async with presented(seat, display, with_bots=True):
        display.decide(Wish(WishKind.OPPONENT))
        display.decide(Resolve.JOIN)
        await trio.sleep(1)
        assert seat.wished == [Wish(WishKind.OPPONENT), None]
        absence = display.shown[-1].absence
        assert absence is not None
        assert absence.wish_of(0) == Wish(WishKind.OPPONENT)
        seat.missing = frozenset()
        display.decide(Wish(WishKind.END))
        await trio.sleep(1)
    assert ["Nobody is missing" in str(error) for error in display.refused] == [True]


async def test_a_match_that_was_given_up_shows_no_absence() -> None:
    seat, display = seat_waiting(2, linked=False), RecordingDisplay()
    async with presented(seat, display, with_bots=True):
        await trio.sleep(2)
        display.decide(Resolve.GIVE_UP)
        await trio.sleep(2)
        assert seat.given_up
        assert display.shown[-1] == evolve(display.shown[-1], given_up=True, absence=None)
