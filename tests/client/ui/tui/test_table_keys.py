"""Keys and clicks on the table's screen."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from attrs import evolve
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from client.i18n.language import choose_language
from client.session.display.snapshot import AfterMatch, LogLine, TableDecision
from client.ui.model.controls import Controls
from client.ui.model.pages import Page
from client.ui.tui.table.layout import LineCompleter
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import UNICODE
from client.ui.tui.toolkit.spans import Click
from client.ui.tui.toolkit.style import style_of
from engine.turn import Step
from p2p.table.asides import AsideCode
from protocol.match.messages import Wish, WishKind
from protocol.words import words
from tests.client.plain_seat import snapshot_at
from tests.client.terminals import Hands, emulated, hands_on
from tests.client.ui.tui.golden import notice, table_on
from tests.client.ui.tui.situations import (
    DRAWING,
    RIGHT,
    alone,
    canasta_playing,
    counted_round,
    waiting,
)
from tests.engine.positions import Table, codes_of, table_of

PLAYING = table_of("canasta", hands=["7h 7d Kc Ks Kh 9c"], melds=[["9h 9d 9s"]], step=Step.PLAY)


def selected(screen: TableScreen) -> str:
    hand = screen.window.controls.hand
    assert hand is not None
    return codes_of(hand.chosen)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return the list of moves that leave the screen."""
    moves: list[object] = []
    monkeypatch.setattr(TableScreen, "_send", lambda _self, *sent: moves.extend(sent))
    return moves


async def test_arrows_go_along_the_hand_and_space_selects() -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        hands.press(RIGHT + " " + RIGHT + RIGHT + " ")
        assert selected(screen) == "7d Kc"
        hands.press(" ")
        assert selected(screen) == "7d"
        hands.press("\x1b")
        assert selected(screen) == ""


async def test_a_key_is_a_move(sent: list[object]) -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, _):
        hands.press("d")
        assert [str(move) for move in sent] == ["DrawStock()"]


async def test_selected_cards_join_their_meld_and_enter_sends(sent: list[object]) -> None:
    with table_on(snapshot_at("canasta", PLAYING)) as (hands, screen):
        hands.press(2 * RIGHT + " m")
        assert "9♥ 9♦ 9♠ 9♣ *" in hands.screen
        hands.press("\r")
        assert sent == [PLAYING.lay(PLAYING.play("9c", 0))]
        assert notice(screen) == ""


async def test_a_number_adds_to_the_meld_of_that_number() -> None:
    table = table_of("canasta", hands=["2h 7d Kc Ks"], melds=[["9h 9d 9s", "Qh Qd Qs"]])
    with table_on(snapshot_at("canasta", table)) as (hands, _):
        hands.press("\x1b[F 2")
        assert "2 Q♥ Q♦ Q♠ 2♥ *" in hands.screen
        hands.press("u")
        assert "2 Q♥ Q♦ Q♠  " in hands.screen


async def test_cards_are_moved_along_by_hand() -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, _):
        hands.press(">>")
        assert "│7♦ │K♠ │7♥ │K♣ │" in hands.screen.replace("╮", "")


async def test_a_clause_is_one_key_away() -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        hands.press("x")
        assert "[X10]" in hands.screen
        hands.press("\x1bOP")
        assert screen.window.page is Page.RULES
        assert "X10 " in hands.screen
        hands.press("\x1b[C")
        assert "X4 " in hands.screen, "the subject after that of the clause"


async def test_rules_are_read_by_subject_and_searched() -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        hands.press("\x1bOP")
        assert "1. The rules of Canasta" in hands.screen
        assert "2. Deck, players and seats" in hands.screen
        hands.press("\x1b[C\x1b[C")
        assert "C1 The deck has 108 cards" in hands.screen
        hands.press("\x1b[D\x1b[D\x1b[D")
        assert "Options of this table" in hands.screen, "around the ends"
        assert "target = 5,000" in hands.screen
        hands.press("/crosswise\r")
        assert "Discards and talk" in hands.screen
        assert "crosswise" in hands.screen
        assert "C1 " not in hands.screen
        hands.press("\x1b:rules trumps\r")
        assert "The rules say nothing about trumps." in hands.screen
        hands.press("\x1b[C")
        assert "seven of them are a canasta" in hands.screen, "the first subject"
        hands.press("\x1b[6~\x1b[6~")
        assert "K♥ K♦ K♠ 2♠ K♣ K♦ K♥       7/7" in hands.screen, "the picture as it is"
        hands.press("\x1b")
        assert screen.window.page is None


@pytest.mark.parametrize(
    ("language", "key", "footer"), [("es", "r", " r robar"), ("pt", "c", " c comprar")]
)
async def test_keys_are_those_of_the_language(
    language: str, key: str, footer: str, sent: list[object]
) -> None:
    choose_language(language)
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, _):
        assert footer in hands.screen
        hands.press(key)
        assert [str(move) for move in sent] == ["DrawStock()"]
        hands.press("?")
        assert f" {key} " in hands.screen


async def test_a_subject_is_clicked_in_the_list() -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        hands.press("\x1bOP")
        screen.window.clicked(Click("subject", 3))
        assert "C9 Whoever sits before the first player deals." in hands.screen


async def test_pages_open_scroll_and_close() -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        hands.press("?")
        assert "Keys and commands" in hands.screen
        hands.press("\x1b[6~" * 4)
        assert "save the record so far" in hands.screen
        assert "go along the cards" not in hands.screen
        hands.press("\x1b")
        assert screen.window.page is None


async def test_the_log_opens_at_what_happened_last() -> None:
    log = tuple(f"Ana: discards {number}" for number in range(60))
    with table_on(snapshot_at("canasta", DRAWING, log=log)) as (hands, _):
        hands.press("l")
        assert "discards 59" in hands.screen
        assert "discards 20" not in hands.screen
        hands.press("\x1b[5~" * 6)
        assert "discards 0" in hands.screen


@pytest.mark.parametrize("page", [Page.WORDS, Page.LOG, Page.KEYS, Page.SHEET])
async def test_every_key_that_the_footer_names_works_over_a_page(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (_, screen):
        offered = [command.key for command in screen.window.offered]
    assert ":" in offered
    monkeypatch.setattr(TableScreen, "_think", lambda *_: None)
    for key in offered:
        with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
            screen.window.open_page(page)
            hands.press({"Enter": "\r", "F1": "\x1bOP"}.get(key, key))
            moved_on = screen.window.page is not page or screen.window.command_open
            assert moved_on or (key, page) == ("?", Page.KEYS), key


@pytest.mark.parametrize("line", ["take K K", "discard 9c", "meld Kc Ks Kh", "?"])
async def test_commands_are_typed(line: str, sent: list[object]) -> None:
    with table_on(snapshot_at("canasta", PLAYING)) as (hands, screen):
        hands.press(f":{line}\r")
        assert not screen.window.command_open
        if line.startswith("discard"):
            assert sent == [PLAYING.discard("9c")]
        elif line.startswith("meld"):
            assert "2 K♣ K♠ K♥ *" in hands.screen
        elif line.startswith("take"):
            assert "It is the moment to" in notice(screen)
        else:
            assert screen.window.page is Page.KEYS


async def test_keys_that_are_typed_in_a_command_are_no_moves(sent: list[object]) -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        hands.press(":draw\x1b")
        assert sent == []
        assert not screen.window.command_open


def completions(table: Table, typed: str) -> list[str]:
    controls = Controls(lambda *_: None)
    controls.show(snapshot_at("canasta", table))
    found = LineCompleter(controls).get_completions(Document(typed), CompleteEvent())
    return [completion.text for completion in found]


def test_completion_offers_only_what_is_legal() -> None:
    assert completions(DRAWING, "") == ["draw"]
    assert completions(PLAYING, "meld 9") == ["meld 9c to 1"]
    assert completions(PLAYING, "fly") == []


@pytest.mark.parametrize("pasted", ["d", "x\r", "discard 7h\r", "\x1b[31m", "q" * 9000])
async def test_what_is_pasted_does_nothing(pasted: str, sent: list[object]) -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        before = hands.screen
        hands.press(f"\x1b[200~{pasted}\x1b[201~")
        assert (sent, screen.window.command_open) == ([], False)
        assert hands.screen == before


@pytest.mark.parametrize(
    ("key", "choice"),
    [
        ("a", AfterMatch.AGAIN),
        ("n", AfterMatch.OTHER_SEATS),
        ("\x1bq", AfterMatch.LEAVE),
        ("\x03", AfterMatch.LEAVE),
    ],
)
async def test_one_key_wishes_for_a_rematch_when_the_match_is_over(
    key: str, choice: AfterMatch
) -> None:
    """It works even while the sheet lies on the table."""
    with table_on(counted_round("canastra", 2)) as (hands, screen):
        left: list[AfterMatch] = []
        screen.window.controls.leave = left.append
        screen.window.controls.choices = (AfterMatch.AGAIN, AfterMatch.OTHER_SEATS)
        assert "a rematch" in hands.screen
        assert "n rematch, seats changed" in hands.screen
        hands.press(key)
        assert left == [choice]


async def test_there_is_no_rematch_in_the_middle_of_a_match() -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        left: list[AfterMatch] = []
        screen.window.controls.leave = left.append
        screen.window.controls.choices = (AfterMatch.AGAIN, AfterMatch.OTHER_SEATS)
        hands.press("an")
        assert left == []
        assert "rematch" not in hands.screen


async def test_the_words_of_the_table_lie_on_it_at_the_beginning() -> None:
    with emulated(80, 24) as (keyboard, emulator):
        screen = TableScreen(UNICODE, style_of("dark"), opening=Page.WORDS)
        snapshot = snapshot_at("canasta", DRAWING)
        screen.window.show(snapshot)
        with hands_on(screen.app, keyboard, emulator) as hands:
            assert "   ".join(words(snapshot.state.table_id)) in hands.screen
            hands.press("\r")
            assert screen.window.page is None


@pytest.mark.parametrize("pasted", ["draw\r", "draw\ndraw\n", "\x1b[2J\x1b[31mdraw", "d" * 9000])
async def test_what_is_pasted_into_a_command_is_not_done(pasted: str, sent: list[object]) -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        hands.press(f":\x1b[200~{pasted}\x1b[201~")
        assert (sent, screen.window.command_open) == ([], True)
        shown = hands.screen
        assert "Canasta" in shown.splitlines()[0]
        assert "Your turn" in shown
        hands.press("\x1b")
        assert sent == []


async def test_leaving_takes_two_strokes(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[AfterMatch] = []
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        screen.window.controls.leave = left.append
        hands.press("\x03")
        assert "Leave the table?" in hands.screen
        hands.press(RIGHT)
        assert "Leave the table?" not in hands.screen
        hands.press("\x03")
        assert left == []
        hands.press("\x03")
        assert left == [AfterMatch.LEAVE]


async def test_the_key_that_leaves_after_the_match_says_before_how_to_leave() -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, _):
        hands.press("q")
        assert "The match is not over yet; Ctrl-C leaves the table." in hands.screen


def click(hands: Hands, text: str) -> None:
    """Press and release the left button on the first place that shows the text."""
    lines = hands.screen.splitlines()
    row = next(number for number, line in enumerate(lines) if text in line)
    column = lines[row].index(text)
    for kind in "Mm":
        hands.press(f"\x1b[<0;{column + 1};{row + 1}{kind}")


async def test_the_mouse_selects_cards_and_draws(sent: list[object]) -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        click(hands, "K♠")
        assert selected(screen) == "Ks"
        click(hands, "d draw")
        assert [str(move) for move in sent] == ["DrawStock()"]


async def test_a_click_on_the_stock_draws(sent: list[object]) -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, _):
        click(hands, " 20")
        assert [str(move) for move in sent] == ["DrawStock()"]


async def test_a_click_on_a_meld_adds_to_it() -> None:
    with table_on(snapshot_at("canasta", canasta_playing())) as (hands, _):
        click(hands, "2♠")
        click(hands, "10♥ 10♦ 2♦")
        assert "2 10♥ 10♦ 2♦ 2♠ *" in hands.screen


async def test_the_wheel_scrolls_a_page_and_a_click_closes_it() -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        hands.press("?")
        assert "Keys and commands" in hands.screen
        hands.press("\x1b[<65;10;10M")
        assert screen.window.scroll == 3
        hands.press("\x1b[<64;10;10M")
        assert screen.window.scroll == 0
        click(hands, "Esc closes")
        assert screen.window.page is None


async def test_a_click_chooses_how_to_go_on() -> None:
    with table_on(waiting(alone(1, 130, 0))) as (hands, screen):
        made: list[object] = []
        screen.window.controls.decide = made.append
        hands.press("w")
        click(hands, "an opponent of this program")
        assert made == [Wish(WishKind.OPPONENT)]


@contextmanager
def talking() -> Iterator[tuple[Hands, TableScreen, list[TableDecision]]]:
    """Return a table of couples, at which others hear what is said."""
    spoken: list[TableDecision] = []
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        screen.window.controls.speaks = True
        screen.window.controls.decide = spoken.append
        yield hands, screen, spoken


async def test_a_phrase_is_two_keys_away() -> None:
    with talking() as (hands, screen, spoken):
        hands.press("e")
        assert screen.window.page is Page.PHRASES
        for phrase in ("Well played!", "One moment, please.", "Sorry, partner.", "Good luck!"):
            assert phrase in hands.screen
        hands.press("3")
        assert spoken == [AsideCode.SORRY_PARTNER]
        assert screen.window.page is None
        hands.press("e9")
        assert "There is no phrase 9." in notice(screen)
        hands.press("e")
        click(hands, "Thank you!")
        assert spoken[1:] == [AsideCode.THANK_YOU]


@pytest.mark.parametrize("line", ["say 1", "say well played", "say Well played!"])
async def test_a_phrase_is_typed_and_nothing_else_is(line: str) -> None:
    with talking() as (hands, screen, spoken):
        hands.press(f":{line}\r")
        assert spoken == [AsideCode.WELL_PLAYED]
        hands.press(":say I hold two jokers\r")
        assert len(spoken) == 1
        assert "Type it like this" in notice(screen)


async def test_where_nobody_listens_nothing_is_offered_to_be_said() -> None:
    with table_on(snapshot_at("canasta", DRAWING)) as (hands, screen):
        assert " e say" not in hands.screen
        hands.press("e")
        assert "Nobody else is at this table." in hands.screen
        hands.press("\x1b:say 1\r")
        assert notice(screen) == "Nobody else is at this table."


async def test_one_apologizes_only_where_there_is_a_partner() -> None:
    table = table_of("canasta", seats=2, hands=["7h 7d Kc Ks"], pile="5h", step=Step.DRAW)
    with table_on(snapshot_at("canasta", table)) as (hands, screen):
        screen.window.controls.speaks = True
        hands.press("e")
        assert "Sorry, partner." not in hands.screen
        assert "Thank you!" in hands.screen


async def test_what_others_say_is_seen_while_a_page_hides_the_log() -> None:
    over = counted_round("canastra", 2)
    line = LogLine("would like a rematch", "Bruno", aside=True)
    with table_on(over) as (hands, screen):
        hands.press("v")
        screen.window.show(evolve(over, log=(*over.log, line), said=over.said + 1))
        assert "Bruno would like a rematch" in hands.screen
        own = evolve(line, text="says nothing", aside=False)
        screen.window.show(evolve(over, log=(*over.log, line, own), said=over.said + 2))
        assert "Bruno would like a rematch" in hands.screen
