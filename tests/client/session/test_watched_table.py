"""A watched table in lines, as a spectator sees it, until the audit of the match."""

from collections.abc import AsyncIterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest
import trio
from attrs import evolve

from client.session.display.presenter import COMINGS_RATE, MOST_COMINGS
from client.session.display.snapshot import BarSpectator, Snapshot
from client.session.joined_lobby import Target
from client.session.network_node import NetworkNode
from client.session.watched_table import SpectatorSeat, WatchedTable
from client.ui.model.commands.people import say_phrase
from client.ui.model.controls import Controls
from client.ui.model.hand import Hand, Sorting
from client.ui.model.table_view import table_view
from client.ui.session_displays import PersonDisplay
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.moves import DrawStock, Move
from engine.position import Position
from engine.sentences import Sentence
from p2p.match.followed_match import FollowedMatch
from p2p.refusals import Reason
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.table.asides import AsideCode, Asides
from p2p.transport.endpoint import Declined
from p2p.transport.frames import LinkClosed, LinkError
from p2p.transport.link import Unreachable
from p2p.transport.spectator_messages import Spectator
from p2p.transport.tls import HungUp
from protocol.audit import Verdict
from protocol.errors import Refused
from protocol.match.messages import Wish, WishKind
from protocol.words_for_keys import words
from tests.client.plain_seat import PlainSeat, snapshot_of
from tests.client.recording_display import RecordingDisplay, presented
from tests.client.terminals import Typed
from tests.engine.simulation import eagerly
from tests.p2p.conftest import on_memory, without_proofs
from tests.p2p.machines import PORT, Machine
from tests.p2p.match.watchers import somebody, table_of

pytestmark = pytest.mark.usefixtures("autojump_clock")

__all__ = ("on_memory", "without_proofs")  # fixtures


async def typed(table: FollowedMatch) -> AsyncIterator[str]:
    """Yield the lines of a spectator who types three commands, and leaves after the match."""
    while not table.spectators:
        await table.progress.wait()
    await trio.sleep(3)
    for line in ("draw", "words", "table"):
        yield line
    while not table.over:
        await table.progress.wait()
    await trio.sleep(2)
    yield "quit"


def first(view: Position) -> Move:
    return next(iter(view.legal_moves(view.moving_seat)))


@pytest.mark.usefixtures("on_memory", "without_proofs")
async def test_a_spectator_watches_in_lines_until_the_audit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machines = await table_of(tmp_path)
    ana, _bruno = machines.all
    eva = somebody(machines, tmp_path)
    async with trio.open_nursery() as nursery:
        for machine in machines.all:
            nursery.start_soon(machine.play, eagerly)
        while ana.height < 20:
            await trio.sleep(0.1)
        code = await watched_by(eva, ana)
    told = capsys.readouterr().out
    assert code == 0
    assert told.startswith(
        "Looking for the table…\nYou watch. Canastra. At the table: Ana and Bruno."
    )
    assert f"{eva.name} watches: {' '.join(words(eva.key))}." in told
    assert "You are only watching." in told
    assert "Your turn" not in told
    assert "Round 1 is counted and signed by all." in told
    assert told.rstrip().endswith("Every entry holds.")


async def watched_by(eva: Machine, at: Machine) -> int:
    """Watch the table on that machine, and return the exit code."""
    async with eva.process() as (endpoint, own):
        with Journal.open(eva.home / "watched" / JOURNAL_FILE) as journal:
            table = FollowedMatch(journal, eva.key, eva.name)
            look = TerminalLook(UNICODE, style_of("plain"), lines=typed(table))
            local = NetworkNode(eva.home, endpoint, own, None, Identity.generate())

            async def find(_local: NetworkNode) -> list[Target]:
                return [Target((at.address,), PORT)]

            watched = WatchedTable(local, table, find)
            display = PersonDisplay(look)
            await watched.show(display.reaching, display.watch)
            return await watched.conclude(display.tell)


@pytest.mark.parametrize(
    ("outcomes", "told", "least"),
    [
        (
            (Declined(Reason.ENOUGH_SPECTATORS),) * 40,
            ["All places for spectators at that table are taken"],
            200,
        ),
        ((Declined(Reason.TOO_MANY_CAME),) * 40, ["Too many strangers have come to watch"], 200),
        (
            (*(Declined(Reason.NOT_BEGUN),) * 40, Declined(Reason.NO_TABLE)),
            ["The match at that table has not begun", "The link to the table has broken"],
            200,
        ),
        ((HungUp("Busy."), LinkClosed("It has ended.")), ["The program of that player is busy"], 1),
    ],
    ids=["full", "crowd", "lobby", "busy"],
)
async def test_a_visitor_retries_until_admitted_and_reads_the_reason(
    outcomes: Sequence[LinkError],
    told: list[str],
    least: float,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    watched = following(monkeypatch, *outcomes)
    seen: list[float] = []

    async def watch(*_: object) -> None:
        seen.append(trio.current_time())

    begun = trio.current_time()
    look = TerminalLook(UNICODE, style_of("plain"), lines=Typed(()))
    await watched.show(PersonDisplay(look).reaching, watch)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Looking for the table…"
    assert len(lines) == 1 + len(told), "each reason must be printed once"
    assert all(map(str.startswith, lines[1:], told))
    assert seen[0] - begun >= least


def following(
    monkeypatch: pytest.MonkeyPatch, *outcomes: LinkError, begun: bool = False
) -> WatchedTable:
    """Return a watched table: its calls to the player fail with `outcomes`, then one succeeds.

    After the failures the table can be followed for one minute, to its end.
    """
    table, left = _Table(), list(outcomes)
    table.begun = begun

    async def once(_self: WatchedTable) -> None:
        if left:
            raise left.pop(0)
        table.begin()
        await trio.sleep(60)
        table.over = True

    monkeypatch.setattr(WatchedTable, "_follow_once", once)
    return WatchedTable(None, table, None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("begun", "error"),
    [
        (False, Declined(Reason.NO_SPECTATORS)),
        (False, Unreachable("Nobody answers.")),
        (True, Declined(Reason.SPECTATOR_BARRED)),
    ],
)
async def test_a_permanent_error_ends_watching_at_once(
    begun: bool, error: LinkError, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = following(monkeypatch, error, HungUp("Busy."), begun=begun)
    look = TerminalLook(UNICODE, style_of("plain"), lines=Typed(()))
    with nullcontext() if begun else pytest.raises(type(error)):
        await watched.show(PersonDisplay(look).reaching, lambda *_: trio.sleep(1))
    assert watched.failure is error


@pytest.mark.parametrize(
    ("failure", "verdict", "told", "code"),
    [
        (None, None, "", 0),
        (None, Verdict.UNFINISHED, "You have left the table. The part of its record", 0),
        (None, Verdict.EXPOSED, "Why.", 1),
        (None, Verdict.ILLEGAL, "Why.", 1),
        (LinkClosed("It broke."), Verdict.SOUND, "It broke. Why.", 1),
    ],
)
async def test_the_end_of_watching_is_told_with_its_audit(
    failure: LinkError | None, verdict: Verdict | None, told: str, code: int
) -> None:
    said, table = list[str](), SimpleNamespace(begun=verdict is not None)
    watched = WatchedTable(None, table, None)  # type: ignore[arg-type]
    watched.failure = failure
    finding = SimpleNamespace(verdict=verdict, sentence=Sentence("Why."))
    with patch.object(WatchedTable, "_audit", lambda _watched: finding):
        assert await watched.conclude(said.append) == code
    assert " ".join(said)[:47] == told


async def test_a_watched_table_is_called_again_until_it_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A player who restarts opens the table again after a moment, and cannot be reached before."""
    gone = Declined(Reason.NO_TABLE)
    unreached = [Unreachable("Nobody answers.")] * 900
    watched = following(monkeypatch, LinkClosed("It has ended."), *unreached, gone, begun=True)
    await watched._follow()
    assert trio.current_time() > 900
    assert watched.failure is gone


class _Table:
    """A stand-in for the match that is watched."""

    def __init__(self) -> None:
        self.begun = self.over = False
        self.progress = trio.Event()
        self.asides = None

    def begin(self) -> None:
        self.begun = True
        self.close()

    def close(self) -> None:
        self.progress.set()
        self.progress = trio.Event()


async def test_players_see_spectators_come_and_go() -> None:
    seat = PlainSeat.sit("canastra", 2, first)
    display, eva = RecordingDisplay(), Spectator(bytes(32), "Eva")
    async with presented(seat, display, watching=True):
        await trio.sleep(3)
        assert not display.shown[-1].spectators
        seat.spectators = (eva,)
        await trio.sleep(3)
        assert display.shown[-1].spectators == (eva,)
        seat.spectators = ()
        await trio.sleep(3)
    assert display.log == [
        f"Eva watches from now on ({' '.join(words(eva.key))})",
        "Eva does not watch any more",
    ]


async def test_arrivals_and_departures_in_the_log_are_limited() -> None:
    """A member could invent a spectator each second, and push the moves out of the log."""
    seat = PlainSeat.sit("canastra", 2, first)
    display, asides = RecordingDisplay(), Asides(0, lambda _code: None, lambda: False)
    async with presented(seat, display, asides=asides, watching=True):
        await trio.sleep(3)
        for number in range(100):
            seat.spectators = (Spectator(number.to_bytes(32, "big"), f"Eva {number}"),)
            asides.hear(1, AsideCode.LEAVING)
            asides.linked(1, yes=True)
            await trio.sleep(4)
        shown = display.shown[-1]
        for player in (0, 1):
            asides.hear(player, AsideCode.GOOD_LUCK)
        await trio.sleep(1)
        assert all("Good luck!" in line for line in display.log[-2:]), (
            "phrases that players say must always be shown"
        )
    assert shown.spectators == seat.spectators
    assert MOST_COMINGS <= len(shown.log) <= MOST_COMINGS + 400 * COMINGS_RATE + 1


async def test_players_read_who_barred_a_spectator() -> None:
    seat = PlainSeat.sit("canastra", 2, first)
    eva, fay = Spectator(bytes(32), "Eva"), Spectator(bytes([1]) * 32, "Fay")
    seat.spectators = (eva, fay)
    display = RecordingDisplay()
    async with presented(seat, display, watching=True):
        display.decide(BarSpectator(eva.key))
        await trio.sleep(3)
        seat.barred[fay.key] = 1
        seat.spectators = ()
        await trio.sleep(3)
    ana, bruno = (member.name for member in seat.state.charter.members)
    assert display.log[-2:] == [
        f"Eva does not watch any more: barred by {ana}",
        f"Fay does not watch any more: barred by {bruno}",
    ]


async def test_a_spectator_reads_what_each_player_says() -> None:
    """One of the two is the player from whose side the table is drawn."""
    seat = PlainSeat.sit("canastra", 2, first)
    display, asides = RecordingDisplay(), Asides(0, lambda _code: None, lambda: False)
    async with presented(seat, display, asides=asides, watching=True):
        await trio.sleep(1)
        for player in range(2):
            asides.hear(player, AsideCode.GOOD_LUCK)
        await trio.sleep(1)
    names = [member.name for member in seat.state.charter.members]
    assert [(line.sentence, line.aside) for line in display.shown[-1].log] == [
        (f"{name} says “Good luck!”", True) for name in names
    ]


async def test_a_spectator_sees_closed_hands_and_no_partner() -> None:
    seat = PlainSeat.sit("kanastic", 4, first)
    while seat.state.match.round is None or not seat.state.match.round.hands[0]:
        seat.step(first)
    position = seat.state.match.round
    assert position is not None
    snapshot = Snapshot(seat.state, position, 0, chooses=False)
    hand = Hand.before(position, seat.state.match.seat_of(0), Sorting.RANK)
    player, spectator = (
        table_view(one, hand) for one in (snapshot, evolve(snapshot, watching=True))
    )
    assert any(one.partner for one in player.others)
    assert not any(one.partner for one in spectator.others)
    assert spectator.hand == ()
    assert spectator.own is not None
    assert spectator.own.cards > 0


def test_a_spectator_who_says_a_phrase_is_told_that_they_only_watch() -> None:
    snapshot = snapshot_of(PlainSeat.sit("canasta", 2, first))
    controls = Controls(lambda *_moves: None)
    controls.show(evolve(snapshot, watching=True))
    say_phrase(controls, 1)
    assert controls.notice is not None
    assert controls.notice.text == "A spectator only looks on."


async def test_a_spectator_can_neither_move_nor_wish(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "watched" / JOURNAL_FILE) as journal:
        seat = SpectatorSeat(FollowedMatch(journal, bytes(32), "Eva"))
        with pytest.raises(Refused, match="only looks on"):
            await seat.play(DrawStock())
        with pytest.raises(Refused, match="only looks on"):
            seat.wish(Wish(WishKind.END))
