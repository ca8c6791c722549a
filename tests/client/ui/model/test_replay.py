"""Stepping through a record; every player's view shows what that player saw, and no more."""

from functools import cache
from pathlib import Path

import pytest

from client.cli.commands.replay import plain_lines
from client.cli.main import main
from client.cli.record_command_helpers import viewer_named
from client.errors import BadRequest
from client.ui.model.replay import Replay, Teller
from client.ui.tui.replay.cursor import ReplayCursor
from client.ui.tui.replay.drawing import SeenTable, TableDrawing
from client.ui.tui.replay.screen import ReplayScreen, screen_lines
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE, Glyphs
from client.ui.tui.toolkit.spans import text_of, width_of
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from engine.games import GAMES
from engine.slots import Seat
from tests.client.reports.audited import absent, absent_record, cheated
from tests.client.terminals import emulated, hands_on
from tests.protocol.played import played, unlocking

pytestmark = pytest.mark.usefixtures("home")


def load(path: Path) -> Replay:
    return Replay.load(path, lambda _: None)


@cache
def _kept(game: str, folder: Path) -> Replay:
    path = folder / game
    path.write_bytes(played(game, 2).record())
    return load(path)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("replays")


@pytest.fixture(params=GAMES)
def replay(request: pytest.FixtureRequest, folder: Path) -> Replay:
    return _kept(request.param, folder)


@pytest.fixture
def canasta(folder: Path) -> Replay:
    return _kept("canasta", folder)


# -- what is seen


def test_the_view_of_everything_shows_every_hand(replay: Replay) -> None:
    for moment in replay.moments:
        position = moment.view(None)
        if position is None:
            continue
        for seat, slots in enumerate(position.hands):
            assert len(position.hand(Seat(seat))) == len(slots)


def test_a_view_has_the_own_hand_and_public_cards(replay: Replay) -> None:
    """The fault to find: a view that shows faces which this player learned only later."""
    hidden = 0
    for moment in replay.moments:
        position = moment.view(0)
        if position is None:
            continue
        mine, other = (moment.after.match.seat_of(player) for player in (0, 1))
        assert len(position.hand(mine)) == len(position.hands[mine])
        seen = {shown.slot for shown in position.hand(other)}
        assert seen <= set(position.known)
        hidden += len(position.hands[other]) - len(seen)
        assert set(position.private) <= set(position.hands[mine])
    assert hidden > 100


def test_a_replayed_view_has_the_faces_that_the_player_saw(replay: Replay) -> None:
    game = replay.report.table
    assert game is not None
    one = played(game.game, 2)
    by_height = {moment.number: moment for moment in replay.moments}
    for before in one.moments[::7]:
        height = before.state.height
        if height not in by_height or before.state.match.round is None:
            continue
        theirs = one.table.players[0].view(before.state)
        ours = by_height[height].view(0)
        assert theirs is not None
        assert ours is not None
        seat = before.state.match.seat_of(0)
        assert ours.hand(seat) == theirs.hand(seat)


def test_a_view_hides_cards_drawn_by_others(canasta: Replay) -> None:
    told: dict[object, list[str]] = {
        viewer: [Teller(viewer, False).sentence(moment) for moment in canasta.moments]
        for viewer in (None, 0, 1)
    }
    drawn = [text for text in told[0] if text.endswith("gets 1 card")]
    assert drawn
    assert all(text.startswith("Bruno") for text in drawn)
    assert not any(text.endswith("gets 1 card") for text in told[None])
    places = [i for i, text in enumerate(told[0]) if text in drawn]
    assert [told[1][i] for i in places] == [told[None][i] for i in places]


# -- moving about


def test_steps_go_forth_and_back_within_the_match(replay: Replay) -> None:
    head = ReplayCursor(replay)
    last = len(replay.moments) - 1
    assert head.step(-1) == head
    assert head.last().at == last == head.step(10**6).at
    assert head.last().step(1) == head.last()
    assert head.step(5).step(-5) == head
    heights = [moment.number for moment in replay.moments]
    assert heights == sorted(set(heights))
    assert heights[-1] == replay.report.rounds[-1].last


def test_the_cursor_skips_turns_and_rounds(replay: Replay) -> None:
    start = ReplayCursor(replay).round(1)
    assert start.moment.round_number == 1
    assert start.step(-1).moment.round_number == 0
    assert start.step(9).round(-1) == start
    assert start.round(-1) == ReplayCursor(replay)
    assert start.round(1) == ReplayCursor(replay).last()
    head, turns = start, 0
    while head.turn(1).at != head.at:
        after = head.turn(1)
        assert after.at > head.at
        assert after.turn(-1).at < after.at
        head, turns = after, turns + 1
    assert head == ReplayCursor(replay).last()
    assert turns > 5


def test_an_interrupted_round_is_shown_up_to_the_continuation(tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_bytes(absent_record(substitute=True))
    replay = load(path)
    last = replay.moments[-1]
    assert last.round_number == 1
    assert last.number == len(absent(substitute=True)[2])
    assert Teller(None, False).sentence(last) == (
        "Ana is gone, and Olga plays on in that seat; the round is counted as the cards lie (X25)"
    )
    assert len({moment.deal_number for moment in replay.moments}) == 2
    assert ReplayCursor(replay).last().round(-1).moment.round_number == 1
    lines = list(plain_lines(replay, None, symbols=False))
    assert lines.count("Round 1") == 1
    assert replay.sitters == (("Ana", "Olga"), ("Bruno",), ("Carla",))
    top = text_of(screen_lines(ReplayCursor(replay).last(), UNICODE, 100, 30)[0])
    assert "Round 1" in top
    before = "\n".join(
        map(text_of, screen_lines(ReplayCursor(replay).last().step(-1), UNICODE, 100, 30))
    )
    assert " Ana:" in before
    assert "Olga" not in before


def test_a_match_ended_early_is_shown_to_its_last_moment(tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_bytes(absent_record(substitute=False))
    replay = load(path)
    lines = map(text_of, screen_lines(ReplayCursor(replay).last(), UNICODE, 100, 30))
    shown = " ".join(" ".join(lines).split())
    assert "the match ends here without Ana; the round is counted as the cards lie" in shown
    assert "Verdict: ended early" in shown
    plain = list(plain_lines(replay, 0, symbols=False))
    told = "The match ends here without Ana; the round is counted as the cards lie"
    assert any(told[1:] in line for line in plain)


# -- the screen


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize(("width", "rows"), [(80, 24), (120, 40), (40, 10)])
def test_every_moment_fits_the_screen(
    canasta: Replay, glyphs: Glyphs, width: int, rows: int
) -> None:
    for at in range(0, len(canasta.moments), 3):
        for viewer in (None, 1):
            lines = screen_lines(ReplayCursor(canasta, at, viewer), glyphs, width, rows)
            assert len(lines) <= rows
            assert all(width_of(line) <= width for line in lines if width >= 80)
            assert text_of(lines[0]).startswith(f" Step {at + 1} of ")
            if glyphs is ASCII:
                assert "".join(map(text_of, lines)).isascii()


def test_events_are_shown_beside_their_entry_numbers(canasta: Replay) -> None:
    """Each line of a text begins in the same column."""
    cursor = ReplayCursor(canasta).last().step(-1)
    told = list(map(text_of, screen_lines(cursor, UNICODE, 50, 30)))[-11:-1]
    assert max(map(len, told)) <= 50
    numbers = [line[:8] for line in told]
    assert f"{cursor.moment.number:>6}  " in numbers
    assert " " * 8 in numbers
    assert all(number.isspace() or number[-3].isdecimal() for number in numbers)
    assert not any(line[8:].startswith(" ") for line in told)


def test_a_long_hand_continues_on_the_next_line(canasta: Replay) -> None:
    """No card of the hand is cut off, however narrow the screen is."""
    whole = 0
    drawing = TableDrawing(UNICODE, 44)
    for moment in canasta.moments:
        seen = SeenTable.of(moment, None)
        text = " ".join("".join(map(text_of, drawing.lines(seen))).split())
        for name, cards in seen.hands:
            told = " ".join(f"{name}: {' '.join(map(UNICODE.face, cards))}".split())
            assert seen.sheet or told in text
            whole += len(told) > 44
    assert whole > 10


def test_cached_drawings_do_not_change_the_lines(canasta: Replay) -> None:
    """Cached parts of the drawing look as if they were drawn anew."""
    drawing = TableDrawing(UNICODE, 80)
    for viewer in (None, 1):
        for moment in canasta.moments[::2]:
            seen = SeenTable.of(moment, viewer)
            assert drawing.lines(seen) == TableDrawing(UNICODE, 80).lines(seen)


def test_keys_move_the_replay_on_a_terminal(canasta: Replay) -> None:
    """The keys are the arrows, Page Down, Home, End, Tab and letters."""
    with emulated(80, 24) as (keyboard, emulator):
        screen = ReplayScreen(ReplayCursor(canasta), TerminalLook(UNICODE, style_of("dark")))
        with hands_on(screen.application(), keyboard, emulator) as hands:
            hands.press("\x1b[C")
            assert "Bruno locks and shuffles the deck (2 of 2)" in hands.screen
            hands.press("\x1b[6~")
            assert "view: all that was opened" in hands.screen
            hands.press("\x1b[B" * 3 + "\t")
            assert "view: Ana" in hands.screen
            assert "Ana & " not in hands.screen
            hands.press("\x1b[F")
            assert "Round 1" in hands.screen
            assert "Verdict: sound." in hands.screen
            hands.press("\x1b[Hnnnp \t")
            assert (screen.cursor.at, screen.cursor.viewer) == (3, 1)
    assert screen.cursor.next_viewer().viewer is None, "after the last view comes the first one"


def test_q_leaves_the_replay(canasta: Replay) -> None:
    with emulated(80, 24) as (keyboard, _):
        screen = ReplayScreen(ReplayCursor(canasta), TerminalLook(UNICODE, style_of("dark")))
        keyboard.send_text("q")
        screen.application().run()


# -- lines


def test_plain_lines_have_every_moment_and_the_verdict(replay: Replay) -> None:
    lines = list(plain_lines(replay, None, symbols=False))
    assert lines[0] == "The draw for seats"
    assert "Round 1" in lines
    assert lines[-1].startswith("Verdict: sound.")
    assert sum(line[:6].strip().isdigit() for line in lines) == len(replay.moments)
    hands = [line for line in lines if line.startswith("        ") and ": " in line]
    assert len(hands) == 2
    own = list(plain_lines(replay, 1, symbols=False))
    assert [line for line in own if line.startswith("        Ana: ")] == []
    assert [line for line in own if line.startswith("        Bruno: ")] == hands[1:]


def test_a_record_with_a_cheat_is_shown_up_to_the_cheat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moment = unlocking()
    entry = moment.signed_bytes(b"\xc0")
    path = tmp_path / "game"
    path.write_bytes(cheated(entry, moment.state.height + 1))
    assert main(["replay", str(path), "--plain"]) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    name = moment.state.charter.name_of(moment.writer)
    assert last.startswith(f"Verdict: {name} is exposed at entry {moment.state.height + 1} [R9]")


def test_a_viewer_is_chosen_by_name_or_number() -> None:
    names = (("Ana",), ("ana",), ("Zoe", "Bruno"))
    assert viewer_named(None, names) is None
    assert viewer_named("BRUNO", names) == 2
    assert viewer_named("zoe", names) == viewer_named("Bruno", names)
    assert viewer_named("2", names) == 1
    with pytest.raises(BadRequest, match="More than one player is called ana"):
        viewer_named("ana", names)
    with pytest.raises(BadRequest, match="Nobody at this table is called 4"):
        viewer_named("4", names)
