"""Everything that is told of a kept record, from its first entry to its last, as whole texts.

`python -m tests.update_golden_files` writes the texts anew.
"""

from collections.abc import Iterator
from io import StringIO
from itertools import chain, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import evolve

from client.cli.commands.replay import plain_lines
from client.reports.auditing import audit_file
from client.session.display.snapshot import CountedRound, Fairness, LogLine, Snapshot
from client.ui.linear.bot_table import show_bot_table
from client.ui.linear.table import LinearTable
from client.ui.model.command_words import line_of
from client.ui.model.game_review import review_game
from client.ui.model.hand import Hand, Sorting
from client.ui.model.replay import Replay
from client.ui.model.review_inputs import cards_given, choices_of
from client.ui.model.table_view import table_view
from client.ui.model.table_words import status_sentence
from client.ui.text.console import Console
from client.ui.text.events import log_lines
from client.ui.tui.replay.cursor import MOVEMENTS, ReplayCursor
from client.ui.tui.replay.review_lines import review_lines, review_sentences
from client.ui.tui.replay.screen import screen_lines
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE
from client.ui.tui.toolkit.spans import text_of
from protocol.record_file import record_parts
from protocol.state import State
from protocol.table.tasks import Change
from tests.client.quick_reviews import RECORDS, quickly
from tests.client.terminals import Typed
from tests.client.ui.tui.golden import check_file
from tests.protocol.continuing import replaced
from tests.protocol.seeded_table import SeededTable

TEXTS = Path(__file__).parent / "texts"

pytestmark = pytest.mark.usefixtures("proofless")


def path_of(name: str) -> Path:
    return RECORDS / f"format-1-{name}.sobremesa"


def load(name: str) -> Replay:
    return Replay.load(path_of(name), lambda _now: None)


@pytest.mark.parametrize("name", ["canasta-substitute", "kanastic-rebuilt"])
def test_a_replay_tells_every_moment_to_everybody_and_to_one_player(name: str) -> None:
    replay = load(name)
    told = []
    for viewer in (None, 1) if name == "canasta-substitute" else (1,):
        told += ["=== seen by " + ("everybody" if viewer is None else replay.sitters[viewer][0])]
        told += plain_lines(replay, viewer, symbols=viewer is None)
    check_file(TEXTS / f"replay-{name}.txt", "\n".join(told))


def test_the_title_of_a_void_round_says_that_it_is_void(tmp_path: Path) -> None:
    table = SeededTable.sit("canasta", 3, seed=3, rounds=2, void_interrupted=True)
    while table.state.match.mover != 0:
        table.step()
    part = replaced(table, table.state, 0)
    path = tmp_path / "record"
    path.write_bytes(b"".join(record_parts([(table.charter, [*table.entries, part])])))
    replay = Replay.load(path, lambda _now: None)
    titles = [replay.title(moment) for moment in replay.moments]
    assert list(dict.fromkeys(titles)) == ["The draw for seats", "Round 1, void"]


def test_a_replay_matches_its_file_on_screens_of_many_sizes() -> None:
    """In the file each line is followed by the style of its last piece."""
    replay = load("canasta-substitute")
    last = len(replay.moments) - 1
    told = []
    for at, viewer in ((0, None), (10, 0), (19, 1), (60, None), (last, 2)):
        for width, rows in ((80, 30), (48, 16), (44, 7)):
            told.append(f"=== moment {at} seen by {viewer} on {width}x{rows}")
            lines = screen_lines(ReplayCursor(replay, at, viewer), UNICODE, width, rows)
            told += (
                f"{text_of(line)}| {line[-1].style if line else ''}".rstrip() for line in lines
            )
    check_file(TEXTS / "replay-screens.txt", "\n".join(told))


def test_keys_lead_from_each_moment_of_a_replay_to_another_one() -> None:
    replay = load("canasta-substitute")
    assert evolve(replay, moments=replay.moments[:3]).first_with_cards == 0
    told = [f"first with cards: {replay.first_with_cards}"]
    draw = evolve(replay, moments=replay.moments[:4])  # a record that ends before the first round
    for shown, movement in product((replay, draw), MOVEMENTS):
        places = [movement.move(ReplayCursor(shown, at)).at for at in range(len(shown.moments))]
        told.append(f"{movement.name}: {' '.join(map(str, places))}")
    viewers = [ReplayCursor(replay, 0, viewer).next_viewer().viewer for viewer in (None, 0, 1, 2)]
    assert viewers == [0, 1, 2, None]
    check_file(TEXTS / "replay-keys.txt", "\n".join(told))


def test_the_table_tells_the_state_after_each_entry() -> None:
    """The file has the status, what nodes do, and the lines of the log, for the second player."""
    states = states_of("canasta-substitute")
    told = [line for before, after in states for line in told_after(before, after)]
    check_file(TEXTS / "table-canasta-substitute.txt", "\n".join(told))


@pytest.mark.parametrize("name", ["canasta-substitute", "kanastic-rebuilt"])
def test_a_review_finds_each_choice_of_each_player_and_each_card_that_came(name: str) -> None:
    replay = load(name)
    told = []
    for choice in chain(*(choices_of(replay, player) for player in range(replay.players))):
        one, seen = choice.decision, len(choice.events.events)
        names = " ".join(choice.names)
        line = f"{one.game} {choice.place}/{one.seed}: {line_of(one.view, one.move)}"
        told.append(f"{line}; {seen} events; {len(one.view.private)} cards; {names}")
    for given in chain(*(cards_given(replay, player) for player in range(replay.players))):
        cards = " ".join(card.code for card in given.came)
        held, possible = len(given.held), len(given.possible)
        told.append(f"{given.game} {given.seat}: {held} cards and {cards} of {possible}")
    check_file(TEXTS / f"choices-{name}.txt", "\n".join(told))


def test_a_whole_review_matches_its_file_in_sentences_and_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    quickly(monkeypatch)
    progress: list[str] = []
    found = review_game(load("canasta"), 0, None, progress.append)
    drawn = map(text_of, review_lines(found, UNICODE, 70))
    told = [*review_sentences(found, ASCII), "=== drawn", *drawn, "=== progress", *progress[:2]]
    check_file(TEXTS / "review-canasta.txt", "\n".join(told))


async def test_the_linear_mode_tells_a_player_a_whole_match() -> None:
    """Bruno sits at the table, and types nothing."""
    written: list[str] = []
    table = LinearTable(ASCII, Typed(()), written.append)
    log: tuple[LogLine, ...] = ()
    rounds: tuple[CountedRound, ...] = ()
    for moment in load("canasta-substitute").moments:
        before, after = moment.before, moment.after
        log = (*log, *log_lines(Change(before, after), symbols=False))
        if moment.sheet and before.match.round:
            number, match = len(after.match.sheets), after.match
            counts = Fairness(number, 2, 3, 4)
            counted = CountedRound(
                number, match.sheets[-1], match.totals, before.match.round, counts
            )
            rounds = (*rounds, counted)
        mine = after.match.mover == 1
        snapshot = Snapshot(after, moment.view(1), 1, chooses=mine, log=log, said=len(log))
        table.show(evolve(snapshot, rounds=rounds))
    check_file(TEXTS / "linear-canasta-substitute.txt", "".join(written))


async def test_a_table_of_bots_is_told_in_lines_with_its_progress() -> None:
    stream = Terminal()
    states = states_of("canasta-substitute")
    sender, receiver = trio.open_memory_channel[Change](len(states))
    for before, after in states:
        if before is not None:
            sender.send_nowait(Change(before, after))
    node: Any = SimpleNamespace(state=states[0][1], changes=lambda: receiver)
    await show_bot_table(node, Console(stream))
    check_file(TEXTS / "bots.txt", stream.getvalue().replace("\r", "\n\\r"))


class Terminal(StringIO):
    """A terminal that keeps what is written."""

    encoding = "ascii"

    def isatty(self) -> bool:
        return True


def states_of(name: str) -> list[tuple[State | None, State]]:
    """Return the states before and after each part of a record."""
    states: list[tuple[State | None, State]] = []
    audit_file(path_of(name), on_entry=lambda old, new, _number: states.append((old, new)))
    return states


def told_after(before: State | None, after: State) -> Iterator[str]:
    for line in log_lines(Change(before, after), symbols=False) if before else ():
        yield f"    {'== ' * line.heading}{line.sentence}"
    me, position = 1, after.match.round
    hand = Hand.before(position, after.match.seat_of(me), Sorting.RANK) if position else None
    mine = after.match.mover == me
    view = table_view(Snapshot(after, position, me, chooses=mine), hand, may_move=mine)
    able = [name for name in ("may_draw", "may_pass", "sendable") if getattr(view, name)]
    doing = view.doing and f"; {view.doing.text} {view.doing.done}/{view.doing.total}"
    yield " ".join((f"{after.height}: {status_sentence(view)}{doing or ''}", *able))
