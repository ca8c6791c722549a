"""The parts of a table's screen at sizes where their form changes, as files in `parts/`.

In the files "|" marks the end of each line. `python -m tests.update_golden_files` writes them anew.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest
from attrs import evolve

from client.session.display.snapshot import AfterMatch, LogLine, Snapshot
from client.ui.model.controls import Controls
from client.ui.model.hand import Notice
from client.ui.model.lesson_words import LessonView
from client.ui.model.lobby_view import lobby_view
from client.ui.model.pages import Page
from client.ui.model.table_view import HandCard, TableView
from client.ui.text.events import NodeActivity
from client.ui.tui.lobby import panels
from client.ui.tui.table import event_log, hand, layout, melds, pages, seats, status
from client.ui.tui.table.header import header
from client.ui.tui.table.picture import TablePicture
from client.ui.tui.toolkit.dialogs import HEADING, Reader
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE
from client.ui.tui.toolkit.menu import Choice, Menu
from client.ui.tui.toolkit.spans import Line, Span, text_of
from engine.canasta.deck import CANASTA
from engine.cards import Card
from engine.kanastic.deck import KANASTIC
from engine.slots import Slot
from tests.client.lobby_snapshots import lobby_at
from tests.client.ui.tui.golden import check_file
from tests.client.ui.tui.round_ends import begun, over
from tests.client.ui.tui.situations import OPPONENT, alone, at, named, seen, waiting

PARTS = Path(__file__).parent / "parts"


PLAYING = seen("canasta playing")
SIX = seen("canasta of six")
VIEWS: Mapping[str, TableView] = {
    "opening": seen("canasta opening"),
    "playing": PLAYING,
    "no pile": evolve(PLAYING, pile=None),
    "six": SIX,
    "kanastic": seen("kanastic"),
    "canastra": seen("canastra"),
    "two": seen("canastra of two"),
    "long": evolve(
        SIX,
        rounds=12,
        own=SIX.own and evolve(SIX.own, name="Maximilian der Große"),
        hand=tuple(evolve(held, fresh=place % 4 == 1) for place, held in enumerate(SIX.hand)),
        spectators=3,
        others=tuple(evolve(one, name=3 * one.name, turn=True) for one in SIX.others),
        sides=tuple(evolve(one, names=("Maximilian", "漢字漢字漢字")) for one in SIX.sides),
    ),
}


def drawn(title: str, lines: Iterable[Line]) -> Iterator[str]:
    yield f"=== {title}"
    yield from (f"{text_of(line)}|" for line in lines)


def check(name: str, lines: Iterable[str]) -> None:
    check_file(PARTS / f"{name}.txt", "\n".join(lines))


def test_seats_and_score_match_their_file_at_many_widths() -> None:
    told: list[str] = []
    for name, view in VIEWS.items():
        for width in (34, 52, 60, 72, 96, 160):
            lines = (
                header(view, UNICODE, width),
                seats.seats(view, UNICODE, width),
                seats.own_seat(view, UNICODE, width),
            )
            told += drawn(f"{name} {width}", (line for part in lines for line in part))
    check("seats", told)


def test_melds_match_their_file_at_many_widths_and_heights() -> None:
    """The file has each form of the melds once, under the greatest number of rows that has it."""
    told: list[str] = []
    for name in ("playing", "kanastic", "canastra", "long"):
        view = VIEWS[name]
        mine, *others = view.sides
        staged = tuple(evolve(meld, staged=number == 1) for number, meld in enumerate(mine.melds))
        view = evolve(view, sides=(evolve(mine, melds=3 * staged), *others))
        for width in (40, 52, 54, 60, 80, 110):
            forms: dict[tuple[str, ...], int] = {}
            for rows in range(24):
                lines = melds.sides(view, UNICODE, width, rows)
                forms[tuple(f"{text_of(line)}|" for line in lines)] = rows
            told.append(f"=== {name} {width}: at least {melds.least_rows(view, UNICODE, width)}")
            for form, rows in forms.items():
                told += [f"--- {rows}", *form]
    check("melds", told)


def held(count: int, cards: tuple[Card, ...]) -> tuple[HandCard, ...]:
    """Return that many cards, some of them selected, new, or under the cursor."""
    return tuple(
        HandCard(
            Slot(place),
            card=cards[7 * place % len(cards)],
            selected=place % 3 == 1 or place % 7 == 2,
            cursor=place == 4,
            fresh=place % 5 == 0,
        )
        for place in range(count)
    )


def test_hands_of_many_cards_match_their_file() -> None:
    told: list[str] = []
    for count in (0, 1, 14, 15, 19, 20, 38, 39):
        for tall in (False, True):
            view = evolve(PLAYING, hand=held(count, CANASTA))
            told += drawn(f"{count} on 60, {tall}", hand.hand(view, UNICODE, 60, tall=tall))
    view = evolve(PLAYING, hand=held(19, KANASTIC))
    for count, width in ((14, 57), (14, 56), (19, 58), (19, 57)):
        told += drawn(
            f"{count} on {width}",
            hand.hand(evolve(view, hand=held(count, CANASTA)), UNICODE, width),
        )
    told += drawn("Kanastic on 60", hand.hand(view, UNICODE, 60))
    told += drawn("Kanastic on 57", hand.hand(view, UNICODE, 57))
    told += drawn("Kanastic on 80, in ASCII", hand.hand(view, ASCII, 80))
    check("hands", told)


def test_messages_and_log_match_their_file_at_many_sizes() -> None:
    long = " ".join(f"word{number}" for number in range(30))
    views = {
        "nothing": PLAYING,
        "awaited": evolve(PLAYING, awaited=long),
        "notice": evolve(PLAYING, notice=Notice(long)),
        "refusal": evolve(PLAYING, notice=Notice("No.", "C1"), awaited="Bruno is away."),
        "lesson": evolve(PLAYING, lesson=LessonView("Step 1 of 9", long, "Press x.")),
        "doing": evolve(PLAYING, doing=NodeActivity("Ana shuffles", 1, 3)),
        "alone": evolve(PLAYING, doing=NodeActivity("Ana opens the hand")),
    }
    told: list[str] = []
    for name, view in views.items():
        for width in (40, 80):
            told += drawn(f"{name} {width}", status.status(view, UNICODE, width))
    log = (
        *PLAYING.log,
        LogLine("round 2", heading=True),
        LogLine(long, "Bartholomew"),
        LogLine("draws", "Bartholomew"),
        LogLine("draws", "Al"),
    )
    for width in (16, 24, 60, 90):
        told += drawn(f"log {width}", event_log.log_lines(log, UNICODE, width))
        for rows in (1, 2, 3, 9):
            view = evolve(PLAYING, log=log)
            told += drawn(f"log {width}x{rows}", event_log.log(view, UNICODE, width, rows))
    check("messages", told)


@pytest.mark.parametrize("name", ["kanastic", "canastra", "long"])
def test_whole_pictures_match_their_files_at_many_sizes(name: str) -> None:
    told: list[str] = []
    picture = TablePicture(UNICODE)
    for size, paused in (
        *(((60, 18), True), ((60, 18), False), ((80, 23), False), ((80, 24), True)),
        *(((80, 24), False), ((109, 31), False), ((110, 32), False)),
    ):
        lines = picture.lines(VIEWS[name], *size, paused=paused)
        told += drawn(f"{size}, {paused}: {picture.hand_row}, {picture.status_rows}", lines)
    check(f"picture-{name}", told)


def at_table(snapshot: Snapshot) -> Controls:
    controls = Controls(lambda *_moves: None, choices=tuple(AfterMatch), speaks=True)
    controls.show(snapshot)
    return controls


@pytest.mark.parametrize("page", [page for page in Page if page not in (Page.RULES, Page.LOG)])
def test_pages_match_their_files_at_two_widths(page: Page) -> None:
    long = ("Maximilian der Große", "Bartholomäus", "Robot Ada", "Robot Ben")
    proposed = alone(1, 130, 0, proposed=OPPONENT)
    losing = (evolve(one, totals=(-70, 12_000 * one.number)) for one in over().rounds)
    snapshots = {
        "playing": begun(),
        "over": over(),
        "losing": evolve(over(), rounds=tuple(losing)),
        "long names": named(over(), long),
        "kanastic": at("kanastic", ()),
        "absent": named(waiting(alone(1, 130, 0, away=(1, 3))), long),
        "absent bots": named(waiting(proposed), ("Robot Eve", *long[1:])),
    }
    first: dict[tuple[str, ...], str] = {}
    told: list[str] = []
    for name, snapshot in snapshots.items():
        controls = at_table(snapshot)
        for width in (36, 37, 44, 76) if page is Page.SHEET else (44, 76):
            lines = pages.page_lines(page, controls, UNICODE, width)
            title, *texts = drawn(f"{name} {width}", lines)
            same = first.setdefault(tuple(texts), title)
            told += [title, *texts] if same == title else [f"{title}, as {same[4:]}"]
    check(f"page-{page.name.lower()}", told)


def test_a_page_in_its_frame_matches_its_file() -> None:
    lines: list[Line] = [*pages.page_lines(Page.WORDS, at_table(begun()), UNICODE, 40), ()]
    told = [*drawn("wide", layout.framed(" Title", lines, "Esc closes", UNICODE, 44))]
    told += drawn("narrow", layout.framed(" Title", lines[:2], "Esc closes", UNICODE, 14))
    told += drawn("ASCII", layout.framed(" Title", lines[:2], "Esc closes", ASCII, 20))
    check("frame", told)


def test_the_parts_of_a_lobby_match_their_file_at_many_sizes() -> None:
    lobbies = {
        "alone": lobby_at(False),
        "kanastic": lobby_at(True, False, True, game="kanastic", opponents=(2,), spectators=True),
        "door": lobby_at(
            True, seats=6, title="Kitchen " * 9, knocking=tuple(f"Visitor {n}" for n in range(9))
        ),
        "news": lobby_at(True, True, seats=2, target=3000, news=("One. " * 30, "Two.", "Three.")),
    }
    told: list[str] = []
    for name, snapshot in lobbies.items():
        marked = snapshot.lobby_state and [one.key for one in snapshot.lobby_state.knocking][5:6]
        view = lobby_view(snapshot, marked[0] if marked else b"")
        for width in (44, 80, 81):
            told += drawn(f"{name} {width}", panels.body(view, UNICODE, width, 30))
            told += drawn("status", panels.status(view, UNICODE, width // 2))
        told += drawn(f"{name} in 10 rows", panels.body(view, ASCII, 80, 10))
        for rows in range(-1, 3):
            told += drawn(f"news in {rows} rows", panels.news(view, UNICODE, 60, rows))
    check("lobby", told)


def test_menus_and_texts_match_their_file_at_several_sizes() -> None:
    long = " ".join(f"word{number}" for number in range(20))
    choices = [
        Choice("a", "Apples", "Round and red."),
        Choice("b", f"Bananas {long}"),
        Choice("c", "C"),
    ]
    told: list[str] = []
    for menu in (
        Menu("Fruit", choices, (long,)),
        Menu("Fruit", choices, place=1),
        Menu("None", ()),
    ):
        for width in (30, 60):
            told += drawn(f"{menu.title} {menu.place} on {width}", menu.lines(UNICODE, width))
    menu.switch_help()
    told += drawn("keys", menu.lines(ASCII, 50))
    text = (f"{HEADING}A heading {long}", "", f"  - {long}", "a  table", 44 * "x", f"-5 {long}")
    for columns, rows, firsts in ((44, 30, (0,)), (46, 8, (0, 3, 99)), (120, 12, (0, 99))):
        for first in firsts:
            reader = Reader("A title", text, first=first)
            told += drawn(f"text {columns}x{rows} from {first}", reader.lines(columns, rows))
    picture = Reader("A picture", text, lambda width: [(Span("=" * width),)])
    told += drawn("picture", picture.lines(30, 4))
    check("menus", told)
