"""The lessons, played to their ends by their own instructions, and with a beginner's mistakes."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing
from attrs import evolve

from client.i18n.language import LANGUAGES, _, choose_language
from client.i18n.rulebook.text import clause
from client.i18n.sentences import said
from client.lessons.lesson import decode, read_lesson, taught
from client.lessons.lesson_sitting import attend
from client.lessons.seat import LessonSeat
from client.session.display.presenter import Presenter
from client.session.display.snapshot import Snapshot
from client.settings import Settings
from client.ui.linear.table import LinearTable
from client.ui.model.lesson_words import lesson_view
from client.ui.model.pages import Page
from client.ui.text.events import log_lines
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import UNICODE
from engine.errors import IllegalMove, NotationError
from engine.game import Game
from engine.games import game_named
from engine.moves import Discard, LayMelds, Move, is_alike, plays_of
from engine.notation.moves import format_move
from engine.slots import Seat
from protocol.errors import Refused
from tests.client.terminals import Hands
from tests.client.ui.linear.typists import Typist
from tests.client.ui.tui.golden import SIZES, table_on
from tests.client.ui.tui.situations import RIGHT

LESSONS = taught()
NAMES = ("Olga", "Ana", "Bruno", "Carla")
HOME = "\x1b[H"

SMALL = """\
canastra 2
turn 1 draw
hand 1 9c 5d
hand 2 4d
step B10
say Draw, {seat1}: {seat2} waits. {9c} helps nobody.
else Draw first.
do draw
deal 9d
end B62
say The end.
"""


def seat_in(game: Game, steps: int = 0) -> LessonSeat:
    lesson = read_lesson(game)
    return LessonSeat.sit(lesson, NAMES[: lesson.position.seats], steps, pause=0.0)


@asynccontextmanager
async def lesson_in(game: Game) -> AsyncIterator[LessonSeat]:
    """Return the seat of a learner; the other seats play as long as the `with` block lasts."""
    seat = seat_in(game)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat.run)
        await trio.testing.wait_all_tasks_blocked()
        yield seat
        nursery.cancel_scope.cancel()


def snapshot(seat: LessonSeat) -> Snapshot:
    return Snapshot(seat.state, seat.view, seat.me, chooses=seat.chooses, lesson=seat.note)


def pattern(text: str) -> str:
    """Return a pattern for a text of the program; its fields become groups."""
    return re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(_(text)))


# -- to the end, by the lesson's own instructions


@pytest.mark.parametrize(
    ("game", "language"),
    [
        *((game, "en") for game in LESSONS),
        *((LESSONS[0], language) for language in LANGUAGES if language != "en"),
    ],
    ids=lambda one: getattr(one, "name", one),
)
async def test_a_lesson_can_be_completed_by_typing_its_lines(game: Game, language: str) -> None:
    choose_language(language)
    seat = seat_in(game)
    melding = pattern("Type: {line}, and then: {send}.")
    plain = pattern("Type: {line}.").replace("<line>", "<only>")
    how = re.compile(f"^(?:{melding}|{plain})$", re.MULTILINE)
    waiting: list[str] = []

    def next_line(written: str) -> str | None:
        if waiting or not seat.chooses:
            return waiting.pop() if waiting else None
        last = list(how.finditer(written))[-1]
        waiting.extend(filter(None, [last["send"]]))
        return last["line"] or last["only"]

    typist = Typist(next_line)
    table = LinearTable(UNICODE, typist, typist.write)
    async with trio.open_nursery() as nursery:
        presenter = Presenter(
            seat, table, partial(log_lines, symbols=True), lesson=lambda: seat.note
        )
        nursery.start_soon(presenter.run)
        nursery.start_soon(seat.run)
        await trio.testing.wait_all_tasks_blocked()
        await table.run()
        nursery.cancel_scope.cancel()
    assert seat.steps_done == len(seat.lesson.steps) - 1
    assert seat.state.match.round_over
    names = seat.names
    for step in seat.lesson.steps:
        assert f"{said(step.idea.sentence(names))} [{step.clause}]" in typist.written
    assert typist.written.count("[") == len(seat.lesson.steps), "a line was refused"


@pytest.mark.parametrize(
    ("game", "language", "size"),
    [
        (LESSONS[0], "en", "120x40"),
        *((game, language, "60x20") for game in LESSONS for language in LANGUAGES),
    ],
    ids=lambda one: getattr(one, "name", one),
)
async def test_a_lesson_can_be_completed_by_pressing_its_keys(
    game: Game, language: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_language(language)
    sent: list[Move] = []
    monkeypatch.setattr(TableScreen, "_send", lambda _self, *moves: sent.extend(moves))
    async with lesson_in(game) as seat:
        with table_on(snapshot(seat), *SIZES[size]) as (hands, screen):
            while seat.chooses:
                view = lesson_view(snapshot(seat))
                assert view is not None
                drawn = hands.screen
                shown = " ".join(drawn.split())
                assert f"{view.title} " in shown
                assert f" {view.idea} {view.keys} " in shown, drawn
                if seat.view and seat.view.laid[0].melds:
                    assert re.search(r"\n── Olga.*\n *1", drawn), (
                        f"Olga's own melds are missing: {drawn}"
                    )
                press(hands, screen, view.keys)
                assert len(sent) == 1, f"{hands.screen}\n{sent}"
                await seat.play(sent.pop())
                await trio.testing.wait_all_tasks_blocked()
                screen.window.show(snapshot(seat))
            assert " ".join(said(seat.note.idea).split()) in " ".join(hands.screen.split())
    assert seat.state.match.round_over


def press(hands: Hands, screen: TableScreen, told: str) -> None:
    """Press the keys that an instruction names."""
    for part in told.rstrip(".").split("; "):
        text = part[0].lower() + part[1:]
        if part == _("then Enter"):
            hands.press("\r")
        elif choosing := re.fullmatch(pattern("select {cards} (arrows, space), press {key}"), text):
            select(hands, screen, choosing["cards"].split())
            hands.press(choosing["key"])
        else:
            pressing = re.fullmatch(pattern("press {key}"), text)
            assert pressing is not None, part
            hands.press(pressing["key"])


def select(hands: Hands, screen: TableScreen, faces: Sequence[str]) -> None:
    hand = screen.controls.hand
    assert hand is not None
    left = [UNICODE.face(shown.card) for shown in hand.cards]
    for face in faces:
        place = left.index(face)
        left[place] = ""
        hands.press(HOME + place * RIGHT + " ")


# -- what a beginner does instead


@pytest.mark.parametrize("game", LESSONS, ids=lambda game: game.name)
async def test_another_legal_move_gets_an_explanation_and_changes_nothing(game: Game) -> None:
    answered = 0
    async with lesson_in(game) as seat:
        for number, step in enumerate(seat.lesson.steps[:-1], start=1):
            view, wanted, before = seat.view, seat.note.move, seat.state
            assert view is not None
            assert wanted is not None
            moves = view.legal_moves(Seat(seat.me))
            for move in (move for move in moves if not is_alike(move, wanted)):
                with pytest.raises(Refused) as refused:
                    await seat.play(move)
                word = format_move(view, move).split()[0]
                assert said(refused.value) == said(step.answer(word).sentence(seat.names))
                assert seat.state is before
                answered += 1
            await seat.play(wanted)
            assert seat.steps_done == number
            await trio.testing.wait_all_tasks_blocked()
    assert answered > 50, "a lesson in which nothing can be done wrong teaches little"


async def test_adding_cards_one_by_one_counts_as_the_wanted_move() -> None:
    seat = seat_in(game_named("samba"), 12)
    assert seat.note.move is not None
    (play,) = plays_of(seat.note.move)
    one_by_one = (evolve(play, cards=(shown,)) for shown in reversed(play.cards))
    await seat.play(LayMelds(tuple(one_by_one)))
    assert seat.steps_done == 13


@pytest.mark.parametrize("game", LESSONS, ids=lambda game: game.name)
async def test_an_illegal_move_is_refused_with_its_clause(game: Game) -> None:
    seat = seat_in(game)
    assert seat.view is not None
    card = seat.view.hand(Seat(seat.me))[0]
    with pytest.raises(IllegalMove, match=r"\[X10\]"):
        await seat.play(Discard(card))
    assert seat.steps_done == 0


async def test_f1_shows_the_rule_that_the_step_cites() -> None:
    rule = clause(LESSONS[0], read_lesson(LESSONS[0]).position.options, "C17")
    with table_on(snapshot(seat_in(LESSONS[0]))) as (hands, _screen):
        assert "F1 rule" in hands.screen
        hands.press("\x1bOP")
        assert rule[:40] in hands.screen


@pytest.mark.parametrize("game", LESSONS, ids=lambda game: game.name)
def test_each_step_teaches_a_clause_of_the_rules(game: Game) -> None:
    lesson = read_lesson(game)
    for step in lesson.steps:
        assert clause(game, lesson.position.options, step.clause)


async def test_a_lesson_has_no_record_and_no_decisions() -> None:
    seat = seat_in(LESSONS[0])
    with table_on(snapshot(seat)) as (hands, screen):
        screen.window.open_page(Page.FAIRNESS)
        assert "The deal of a lesson is prepared: nobody has shuffled it." in hands.screen
    with pytest.raises(Refused, match="no record"):
        seat.record()
    for decide in (partial(seat.bar_spectator, b""), seat.join_proposal, seat.give_up):
        with pytest.raises(Refused, match="nothing to decide"):
            decide()


# -- left and continued


async def attended(folder: Path, moves: int, *, again: bool = False) -> tuple[int, bool]:
    """Attend a lesson for some moves; return the step where it began, and True if it was learnt."""
    began: list[int] = []

    async def show(seat: LessonSeat) -> None:
        began.append(seat.note.number)
        for _move in range(moves):
            await trio.testing.wait_all_tasks_blocked()
            assert seat.note.move is not None
            await seat.play(seat.note.move)

    settings = Settings(name="Olga", pace="at once")
    lesson = read_lesson(LESSONS[0])
    with trio.fail_after(100):
        learnt = await attend(lesson, settings, folder, show, again=again)
    return began[0], learnt


@pytest.mark.usefixtures("autojump_clock")
async def test_a_lesson_that_was_left_continues_at_the_same_step(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    steps = len(read_lesson(LESSONS[0]).steps) - 1
    assert await attended(folder, 5) == (1, False)
    assert await attended(folder, 0) == (6, False)
    assert await attended(folder, 2, again=True) == (1, False)
    assert await attended(folder, steps - 2) == (3, True)
    assert await attended(folder, 0) == (1, False), "a lesson that is learnt begins anew"


@pytest.mark.usefixtures("autojump_clock")
async def test_with_an_unusable_bookmark_the_lesson_begins_anew(tmp_path: Path) -> None:
    await attended(tmp_path / "home", 1)
    last = f"{len(read_lesson(LESSONS[0]).steps) - 1}".encode()
    for kept in (b"", b"-1", last, b"99999", b"1e3", b"\xff", b"3" * 1000, "٣".encode()):
        (tmp_path / "home" / "lessons" / LESSONS[0].name).write_bytes(kept)
        assert await attended(tmp_path / "home", 0) == (1, False), kept


# -- the format


def test_a_lesson_is_read_from_its_lines() -> None:
    lesson = decode(SMALL)
    (move,) = lesson.moves
    assert (move.text, move.dealt) == ("draw", (("9d",),))
    assert move.step is not None
    said_to = ("Olga", "Ana")
    idea, answer = move.step.idea, move.step.answer("take")
    assert str(idea.sentence(said_to)) == "Draw, Olga: Ana waits. 9c helps nobody."
    assert str(answer.sentence(said_to)) == "Draw first."
    assert [step.clause for step in lesson.steps] == ["B10", "B62"]


BROKEN = (
    *(("canastra 2", "whist 2", "whist"), ("hand 1 9c 5d", "hand 1 9c 9c 9c", "9c")),
    *(("step B10", "step", "Line 5"), ("step B10", "step ten", "line 5: 'step'")),
    *(("say Draw", "tell Draw", "line 6: 'tell'"), ("else Draw first.\n", "", "line 7: 'do'")),
    ("else Draw first.\n", "else take Draw first.\n", "line 8: 'do'"),
    *(("do draw\n", "", "line 8: 'deal'"), ("do draw", "play draw", "line 8: 'play'")),
    *(
        ("{seat2}", "{seat3}", "'seat3'"),
        ("{9c}", "{9x}", "'9x'"),
        ("{9c}", "{9c", "line 6: expected"),
    ),
    ("say The end.\n", "", "must end with an `end` line"),
    ("end B62\n", "step B62\n", "must end with an `end` line"),
    ("end B62\nsay The end.\n", "", "must end with an `end` line"),
    ("end.\n", "end.\ndo draw\n", "line 12: 'do'"),
    ("end.\n", "end.\nelse Not this.\n", "line 12: 'else'"),
    ("end.\n", "end.\ndeal 9c\n", "line 12: 'deal'"),
    ("end.\n", "end.\nstep B10\n", "line 12: 'step'"),
    *(("do draw", "say Or not.\ndo draw", "line 8: 'say'"), ("do draw", "do", "line 8: 'do'")),
    ("else Draw first.", "else", "line 7: 'else'"),
    ("say Draw, {seat1}: {seat2} waits. {9c} helps nobody.\n", "", "line 6: 'else'"),
    *(("say The end.", "say", "line 11: 'say'"), ("do draw", "do draw\nplay", "line 9: 'play'")),
    *(("deal 9d", "deal", "line 9: 'deal'"), ("deal 9d", "do draw", "line 9: 'do'")),
    *(("deal 9d", "else draw", "line 9: 'else'"), ("deal 9d", "say draw", "line 9: 'say'")),
)
"""Changes of SMALL: the old text and the new one, with a part of the refusal."""


@pytest.mark.parametrize(("old", "new", "told"), BROKEN)
def test_a_malformed_lesson_is_refused_with_its_line(old: str, new: str, told: str) -> None:
    assert old in SMALL
    with pytest.raises((NotationError, ValueError), match=re.escape(told)):
        decode(SMALL.replace(old, new))


async def test_a_lesson_must_show_the_hands_that_are_counted() -> None:
    position = "canasta 2\nhand 1 9c\nhand 2 2\nmeld 1 4h 4d 4c 4s 4h 4d 4c\n"
    end = position + SMALL[SMALL.index("step") :].replace("do draw\ndeal 9d", "do discard 9c")
    seat = LessonSeat.sit(decode(end), ("Olga", "Ana"), 0, 0.0)
    assert seat.note.move is not None
    with pytest.raises(NotationError, match="hand"):
        await seat.play(seat.note.move)


async def test_a_step_without_a_view_shows_only_its_idea() -> None:
    """There is no view while cards are dealt."""
    async with lesson_in(LESSONS[0]) as seat:
        shown = snapshot(seat)
        assert shown.lesson is not None
        assert shown.lesson.move is not None
        view = lesson_view(evolve(shown, view=None))
    assert view is not None
    assert (view.idea != "", view.keys, view.line) == (True, "", "")
