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
from engine.games import GAMES
from engine.slots import Seat
from tests.client.reports.audited import absent, absent_record, cheated
from tests.client.terminals import emulated, hands_on, plain_look
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


def test_a_players_view_has_their_hand_and_public_cards_and_the_open_view_has_all_hands(
    replay: Replay,
) -> None:
    """The fault to find: a view that shows faces which this player learned only later."""
    hidden = 0
    for moment in replay.moments:
        everything, position = moment.view(None), moment.view(0)
        if everything is None or position is None:
            continue
        for seat, slots in enumerate(everything.hands):
            assert len(everything.hand(Seat(seat))) == len(slots)
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


# -- matches that go on without a player, or end


def absent_replay(folder: Path, *, substitute: bool) -> Replay:
    path = folder / "game"
    path.write_bytes(absent_record(substitute=substitute))
    return load(path)


def screen_of(cursor: ReplayCursor) -> str:
    return "\n".join(map(text_of, screen_lines(cursor, UNICODE, 100, 30)))


def test_an_interrupted_round_is_shown_up_to_the_continuation(tmp_path: Path) -> None:
    replay = absent_replay(tmp_path, substitute=True)
    last = replay.moments[-1]
    assert (last.round_number, last.number) == (1, len(absent(substitute=True)[2]))
    assert Teller(None, False).sentence(last) == (
        "Ana is gone, and Olga plays on in that seat; the round is counted as the cards lie (X25)"
    )
    assert len({moment.deal_number for moment in replay.moments}) == 2
    cursor = ReplayCursor(replay).last()
    assert cursor.round(-1).moment.round_number == 1
    assert [*plain_lines(replay, None, symbols=False)].count("Round 1") == 1
    assert replay.sitters == (("Ana", "Olga"), ("Bruno",), ("Carla",))
    assert "Round 1" in screen_of(cursor).splitlines()[0]
    before = screen_of(cursor.step(-1))
    assert " Ana:" in before
    assert "Olga" not in before


def test_a_match_that_ended_early_is_shown_up_to_its_last_moment(tmp_path: Path) -> None:
    replay = absent_replay(tmp_path, substitute=False)
    told = "the match ends here without Ana; the round is counted as the cards lie"
    shown = " ".join(screen_of(ReplayCursor(replay).last()).split())
    assert told in shown
    assert "Verdict: ended early" in shown
    assert any(told.lower() in line.lower() for line in plain_lines(replay, 0, symbols=False))


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
    drawing = TableDrawing(UNICODE, 80)
    for viewer in (None, 1):
        for moment in canasta.moments[::2]:
            seen = SeenTable.of(moment, viewer)
            assert drawing.lines(seen) == TableDrawing(UNICODE, 80).lines(seen)


def test_keys_move_the_replay_on_a_terminal(canasta: Replay) -> None:
    """The keys are the arrows, Page Down, Home, End, Tab and letters."""
    with emulated(80, 24) as (keyboard, emulator):
        screen = ReplayScreen(ReplayCursor(canasta), plain_look())
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
        keyboard.send_text("q")
        screen.application().run()


# -- lines


def test_plain_lines_have_every_moment_and_the_verdict(replay: Replay) -> None:
    lines = list(plain_lines(replay, 1, symbols=False))
    assert (lines[0], "Round 1" in lines) == ("The draw for seats", True)
    assert lines[-1].startswith("Verdict: sound.")
    entries = [int(line[:6]) for line in lines if line[:6].strip().isdigit()]
    assert entries == sorted({moment.number for moment in replay.moments})
    hands = [line for line in lines if line.startswith("        ") and ": " in line]
    assert [line.split(":")[0].strip() for line in hands] == ["Bruno"]


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
