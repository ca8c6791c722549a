"""A spectator who watches a table in lines, until the audit of the match."""

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest
import trio
from attrs import evolve

from client.session.display.snapshot import Snapshot
from client.session.joined_lobby import Target
from client.session.network_node import NetworkNode
from client.session.watched_table import WatchedTable
from client.ui.model.hand import Hand, Sorting
from client.ui.model.table_view import table_view
from client.ui.session_displays import PersonDisplay
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.moves import Move
from engine.position import Position
from engine.sentences import Sentence
from p2p.match.followed_match import FollowedMatch
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.transport.frames import LinkClosed, LinkError
from protocol.audit import Verdict
from protocol.words_for_keys import words
from tests.client.plain_seat import PlainSeat
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
    """If the match has not begun (`verdict` is None), nothing is audited."""
    said, table = list[str](), SimpleNamespace(begun=verdict is not None)
    watched = WatchedTable(None, table, None)  # type: ignore[arg-type]
    watched.failure = failure
    finding = SimpleNamespace(verdict=verdict, sentence=Sentence("Why."))
    with patch.object(WatchedTable, "_audit", lambda _watched: finding):
        assert await watched.conclude(said.append) == code
    assert " ".join(said)[:47] == told  # enough to tell the sentences apart


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
