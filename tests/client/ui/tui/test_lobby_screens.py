"""Whole screens of a lobby, and its keys."""

import pytest
import trio
from trio.testing import MockClock

from client.i18n.language import LANGUAGES, choose_language
from client.session.display.lobby_interface import (
    Action,
    LetIn,
    LobbyDecision,
    LobbySnapshot,
    SendAway,
)
from client.session.display.snapshot import AfterMatch, Snapshot
from client.ui.model.lobby_view import decision_of, lobby_view
from client.ui.model.pages import Page
from client.ui.tui.lobby.screen import key_hints
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE, Glyphs
from client.ui.tui.toolkit.style import style_of
from client.ui.tui.toolkit.terminal_look import TerminalLook
from tests.client.lobbies import key_of, lobby_at
from tests.client.plain_seat import state_of
from tests.client.terminals import emulated, hands_on
from tests.client.ui.tui.golden import check
from tests.client.ui.tui.lobby_situations import SITUATIONS, lobby_on
from tests.client.ui.tui.situations import counted_round

SIZES = {"80x24": (80, 24), "120x40": (120, 40)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SITUATIONS)
async def test_a_lobby_looks_as_in_its_file(name: str, size: str) -> None:
    with lobby_on(SITUATIONS[name], *SIZES[size]) as (hands, _):
        check(f"{name}-{size}", hands.screen)


@pytest.mark.parametrize("language", ["es", "pt"])
async def test_a_lobby_speaks_the_language_of_the_person(language: str) -> None:
    choose_language(language)
    with lobby_on(SITUATIONS["lobby-host"]) as (hands, _):
        check(f"lobby-{language}-80x24", hands.screen)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("knocking", [("Bartholomew Fitz",), ("Bartholomew Fitz", "Eve")])
async def test_all_keys_have_room_while_somebody_knocks(
    language: str, knocking: tuple[str, ...]
) -> None:
    """They take some lines, if need be, and no key has two meanings."""
    choose_language(language)
    knocked = lobby_at(False, True, opponents=(1,), knocking=knocking)
    with lobby_on(knocked) as (hands, _):
        hints = tuple(key_hints(lobby_view(knocked)))
        assert len({key for key, _label in hints}) == len(hints)
        shown = " ".join(" ".join(hands.screen.splitlines()[-4:]).split())
        assert " ".join(f"{key} {label}" for key, label in hints) in shown


async def test_who_is_at_the_door_is_offered_nothing_but_to_go() -> None:
    knocked = lobby_at(False, False, me=10, knocking=("Zoe",))
    with lobby_on(knocked) as (hands, _):
        assert "You have knocked: Ana lets you in, or not." in hands.screen
        assert hands.screen.splitlines()[-1].split() == ["q", "leave"]
    assert decision_of("ready", lobby_view(knocked)) is None


async def test_plain_ascii_shows_the_same_lobby() -> None:
    with lobby_on(SITUATIONS["lobby-rules"], glyphs=ASCII) as (hands, _):
        assert hands.screen.isascii()
        assert "Bruno" in hands.screen


HOSTILE = "Mal\x1b[2J\x1b[31m\x9b5A\u202elory\r\nnew\x07"


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
async def test_hostile_names_and_titles_cannot_move_the_cursor_or_colour_the_screen(
    glyphs: Glyphs,
) -> None:
    """They are refused at decoding, but a screen does not rely on that."""
    harmless = lobby_at(False, False, title="Kitchen", names=("Ana", "Bruno"), news=("No.",))
    hostile = lobby_at(False, False, title=HOSTILE, names=("Ana", HOSTILE), news=(HOSTILE,))
    with lobby_on(harmless, glyphs=glyphs) as (hands, _):
        shown = hands.screen.splitlines()
        colours = [cell.fg for cell in hands.emulator.screen.buffer[4].values()]
    with lobby_on(hostile, glyphs=glyphs) as (hands, _):
        attacked = hands.screen.splitlines()
        assert [cell.fg for cell in hands.emulator.screen.buffer[4].values()][-10:] == colours[-10:]
    assert "Mal?[2J?[31m" in attacked[0]
    assert "Mal?[2J?[31m" in hands.emulator.text
    for number, line in enumerate(shown):
        if "Bruno" not in line and "Kitchen" not in line and "No." not in line:
            assert attacked[number] == line


@pytest.mark.parametrize("name", ["漢" * 10, "👩‍👩‍👧" * 6, "e\u0301\u0302" * 20, "\u05d0" * 20])
async def test_wide_names_stay_in_their_column(name: str) -> None:
    with lobby_on(lobby_at(True, True, names=("Ana", name)), 120, 40) as (hands, _):
        ana, other = hands.screen.splitlines()[3:5]
        assert "ready" in other
        display = hands.emulator.screen.display
        column = display[3].index("ready")
        cells = hands.emulator.screen.buffer[4]
        assert "".join(cells[x].data for x in range(column, column + 5)) == "ready"
        assert ana


@pytest.mark.parametrize(
    ("snapshot", "key", "decision"),
    [
        (lobby_at(False), "r", Action.READY),
        (lobby_at(True), "r", Action.WAIT),
        (lobby_at(False), "a", Action.ADD_OPPONENT),
        (lobby_at(False, False, seats=2), "a", None),
        (lobby_at(False, False, me=1), "a", None),
        (lobby_at(False, True), "d", None),
        (lobby_at(False, True, opponents=(1,)), "d", Action.SEND_OPPONENT_AWAY),
        (lobby_at(False, knocking=("Eve",)), "l", LetIn((key_of(10),))),
        (lobby_at(False, knocking=("Eve",)), "s", SendAway(key_of(10))),
        (lobby_at(False, knocking=("Eve",)), "e", None),
        (lobby_at(False, knocking=("Eve", "Zoe")), "e", LetIn((key_of(10), key_of(11)))),
        (lobby_at(False, seats=2, knocking=("Eve", "Zoe")), "e", None),
        (lobby_at(False, False, seats=2, knocking=("Eve",)), "l", None),
        (lobby_at(False, False, me=1, knocking=("Eve",)), "l", None),
        (lobby_at(False, False, me=1, knocking=("Eve",)), "s", None),
        (lobby_at(False), "l", None),
        (lobby_at(False, False, True), "3", SendAway(key_of(2))),
        (lobby_at(False, False), "3", None),
        (lobby_at(False, True, opponents=(1,)), "2", None),
        (lobby_at(False, False, True, me=1), "3", None),
        (lobby_at(False), "x", None),
        (LobbySnapshot(key_of(1), hosting=False), "r", None),
    ],
)
async def test_a_key_decides_what_can_be_decided(
    snapshot: LobbySnapshot, key: str, decision: LobbyDecision | None, autojump_clock: MockClock
) -> None:
    assert decision_of(key, lobby_view(snapshot)) == decision
    with lobby_on(snapshot) as (hands, screen):
        hands.press(key)
        with trio.move_on_after(1) as waiting:
            assert await screen.decided() == decision
        assert waiting.cancelled_caught is (decision is None)


@pytest.mark.parametrize("key", ["\x1b[B", "\x1b[A", "n"])
async def test_the_host_decides_about_the_one_who_is_marked(
    key: str, autojump_clock: MockClock
) -> None:
    """The mark stays on them whoever comes and goes, so that no key lets in somebody else."""
    with lobby_on(lobby_at(False, knocking=("Eve", "Zoe"))) as (hands, screen):
        hands.press(key)
        hands.press("l")
        assert await screen.decided() == LetIn((key_of(11),))
        screen.look_at(lobby_at(False, knocking=("Eve", "Zoe", "Mallory")))
        hands.press("s")
        assert await screen.decided() == SendAway(key_of(11))
        screen.look_at(lobby_at(False, knocking=("Eve",)))
        hands.press("l")
        assert await screen.decided() == LetIn((key_of(10),))


async def test_of_a_crowd_at_the_door_those_about_the_mark_are_shown() -> None:
    crowd = tuple(f"Nobody {number}" for number in range(12))
    with lobby_on(lobby_at(False, knocking=crowd), 120, 40) as (hands, _):
        assert "Nobody 5" in hands.screen
        assert "Nobody 6" not in hands.screen
        assert "6 more knock." in hands.screen
        hands.press("\x1b[A")
        assert "Nobody 11" in hands.screen
        assert "Nobody 5”" not in hands.screen


async def test_who_waits_at_the_door_reads_their_place(autojump_clock: MockClock) -> None:
    waits = lobby_at(False, False, me=12, knocking=("Eve", "Zoe", "Carla"))
    assert lobby_view(waits).waits_for == (
        "You are number 3 of 3 at the door: Ana lets you in, or not."
    )


@pytest.mark.parametrize("key", ["q", "\x1b", "\x03"])
async def test_leaving_takes_one_key(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[None] = []
    with lobby_on(lobby_at(False)) as (hands, screen):
        monkeypatch.setattr(screen.app, "exit", lambda: left.append(None))
        hands.press(key)
    assert left == [None]


async def test_what_is_pasted_decides_nothing(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    left: list[None] = []
    with lobby_on(lobby_at(False)) as (hands, screen):
        monkeypatch.setattr(screen.app, "exit", lambda: left.append(None))
        hands.press("\x1b[200~rq\x1b[201~")
        with trio.move_on_after(1) as waiting:
            await screen.decided()
    assert waiting.cancelled_caught
    assert left == []


# Before and after a lobby


@pytest.mark.parametrize("size", SIZES)
async def test_the_words_of_the_table_look_as_in_their_file(size: str) -> None:
    with emulated(*SIZES[size]) as (keyboard, emulator):
        screen = TableScreen(TerminalLook(UNICODE, style_of("dark")), opening=Page.WORDS)
        screen.window.show(Snapshot(state_of("kanastic", 3), None, 0, chooses=False))
        with hands_on(screen.app, keyboard, emulator) as hands:
            check(f"words-{size}", hands.screen)


@pytest.mark.parametrize("size", SIZES)
async def test_the_end_of_a_match_shows_its_sheet_and_how_to_have_a_rematch(size: str) -> None:
    with emulated(*SIZES[size]) as (keyboard, emulator):
        choices = (AfterMatch.AGAIN, AfterMatch.OTHER_SEATS)
        screen = TableScreen(TerminalLook(UNICODE, style_of("dark")), choices=choices)
        screen.window.show(counted_round("kanastic", 3))
        with hands_on(screen.app, keyboard, emulator) as hands:
            lines = hands.screen.splitlines()
            assert lines[1].strip().startswith("Score sheet")
            assert lines[-1].startswith(" a rematch  n rematch, seats changed  q leave ")
