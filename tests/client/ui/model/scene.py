"""Scenes at a table as text: events, such as keys and typed lines, and their results.

A scene in `scenes/` begins with `==` and a sentence. Then come lines about the table: a position in
the notation of `spec/notation.md`, in which the person has seat 1. Before the position there may be

    language es
    hints never
    lesson discard Kc    the move that a lesson asks for, if any
    day 2026-01-31       the day whose deal is played
    watching             for a spectator

Without such lines, the scene has the table of the previous scene. Then, after an empty line, come
events:

    > meld 7 7 7         a line that is typed
    * Enter              the key of a command, by its name in the table of commands
    select 7h 7d         cards are selected or unselected, one after the other
    space                the card under the cursor is selected or unselected
    cursor 2             the cursor moves by two cards
    digit 1              the selected cards are added to a meld, as by a click on it
    tab di               the completions of a line are asked for
    shift -1             the card under the cursor moves by one place to the left
    news                 a snapshot without a new entry
    entry                somebody's entry: a new snapshot of the same position
    late SENTENCE        the table refuses the move that was sent
    lines                the legal lines are asked for
    why discard Kc       show the reason that a hint would give for this move
    saw 2 took 9d 9c     seat 2 has taken these cards with the pile in this round
    saw 2 threw Kh       seat 2 has discarded this card in this round

The indented lines below an event are its results. `python -m tests.update_golden_files` writes them
anew.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import AsyncExitStack
from inspect import isawaitable
from itertools import count
from typing import Protocol

from attrs import define, evolve, field, frozen

from client.bots.best_moves import BestMoves
from client.bots.evaluator_registry import evaluator_of
from client.bots.weights import Tuning
from client.i18n.card_letters import card_face
from client.i18n.language import choose_language
from client.session.display.pile_events import PileEvents, Taken, Thrown
from client.session.display.snapshot import LessonNote, Snapshot
from client.ui.model.commands.find_commands import command_of, completions, offered_now, run_line
from client.ui.model.commands.table_commands import Command
from client.ui.model.commands.typed_moves import CommandError, legal_lines
from client.ui.model.controls import Controls
from client.ui.model.hand import Hand
from client.ui.model.hint import Hints
from client.ui.model.hint_reasons import reason
from client.ui.model.pages import Page
from client.ui.model.table_words import opening_selected, status_sentence
from client.ui.tui.table.table_sentences import pile_line
from client.ui.tui.toolkit.glyphs import UNICODE
from engine.errors import IllegalMove
from engine.moves import Move
from engine.notation.moves import format_move, parse_move
from engine.notation.position_reader import parse_position
from engine.notation.position_writer import game_of
from engine.sentences import Sentence
from engine.slots import Seat
from protocol.deal_of_the_day import day_extension
from tests.client.plain_seat import snapshot_at
from tests.engine.positions import Table, codes_of


@define
class Scene:
    """A person at a table. `told` has the facts that the scene wrote last, by their names."""

    snapshot: Snapshot
    hints: Hints = Hints.ON_REQUEST
    sent: list[str] = field(factory=list)
    told: dict[str, str] = field(factory=dict)
    controls: Controls = field(init=False)
    heads: Iterator[int] = field(factory=lambda: count(1), init=False)
    """Numbers that stand for the hashes of new entries."""

    def __attrs_post_init__(self) -> None:
        self.controls = Controls(self._send, hints=self.hints, open_page=self._open)

    def _send(self, *moves: Move) -> None:
        view = self.snapshot.view
        assert view is not None
        for move in moves:
            self.sent.append(format_move(view, move))
            view = view.apply(move)

    def _open(self, page: Page) -> None:
        self.sent.append(f"the page {page.name}")

    def do(self, event: str) -> Iterator[str]:
        """Make the event happen, and yield its results as lines."""
        word, _, rest = event.partition(" ")
        hand = self.controls.hand
        match word:
            case ">":
                try:
                    run_line(self.controls, rest)
                except CommandError as error:
                    yield f"complains: {error}"
            case "*":
                command = command_of(rest, self.controls)
                assert command is not None
                assert command.press is not None
                command.press(self.controls)
            case "select":
                assert hand is not None
                for shown in Table(hand.view, {}).hand(rest, hand.seat):
                    self.controls.toggle(shown.slot)
            case "space":
                self.controls.toggle()
            case "cursor":
                self.controls.move_cursor(int(rest))
            case "digit":
                self.controls.add(int(rest))
            case "tab":
                yield from (completions(self.controls, rest) or ("none",))
            case "shift":
                self.controls.shift(int(rest))
            case "news" | "entry" | "":
                self._show(word == "entry")
            case "late":
                self.controls.refuse(IllegalMove("X10", rest))
            case "lines":
                yield from (legal_lines(self.controls) or ("none",))
            case "why":
                yield self._reason(rest)
            case "saw":
                self._see(*rest.split())
            case _:
                raise ValueError(f"no event: {event}")
        yield from self._news()

    def _reason(self, line: str) -> str:
        """Return the reason for a move, as if the search had found it to be the best."""
        view = self.snapshot.view
        assert view is not None
        found = BestMoves((parse_move(view, line),))
        evaluator = evaluator_of(game_of(view), Tuning.LEARNT)
        return reason(view, found, evaluator, self.snapshot.events, self.snapshot.seat_names)

    def _see(self, number: str, what: str, *codes: str) -> None:
        """Add an event to the events of the round."""
        assert self.snapshot.view is not None
        seat = Seat(int(number) - 1)
        name, deck = self.snapshot.seat_names[seat], self.snapshot.view.deck
        cards = tuple(next(card for card in deck if card.code == code) for code in codes)
        one = Taken(seat, name, cards) if what == "took" else Thrown(seat, name, cards[0])
        events = PileEvents((*self.snapshot.events.events, one))
        self.snapshot = evolve(self.snapshot, events=events)

    def _show(self, entry: bool) -> None:
        head = next(self.heads).to_bytes(32)
        state = evolve(self.snapshot.state, head=head) if entry else self.snapshot.state
        self.snapshot = evolve(self.snapshot, state=state)
        self.controls.show(self.snapshot)

    def _news(self) -> Iterator[str]:
        """Return the facts that have changed, in the order of `_facts`."""
        if self.sent:
            yield f"sends: {'; '.join(self.sent)}"
            self.sent.clear()
        facts = dict(self._facts())
        for name in dict.fromkeys((*facts, *self.told)):
            if facts.get(name) != self.told.get(name):
                yield f"{name}: {facts.get(name, 'nothing')}"
        self.told = facts

    def _facts(self) -> Iterator[tuple[str, str]]:
        notice, hand = self.controls.notice, self.controls.hand
        if notice is not None:
            yield "says", notice.text + (f" [{notice.clause}]" if notice.clause else "")
        yield "status", status_sentence(self.controls.view)
        yield "footer", " ".join(map(self._label, offered_now(self.controls)))
        if lesson := self.controls.view.lesson:
            yield "lesson", " | ".join((lesson.title, lesson.idea, lesson.keys, lesson.line))
        if hand is None:
            return
        yield "pile", pile_line(self.controls.view, UNICODE)
        yield "hand", codes_of(hand.cards)
        if hand.under_cursor is not None:
            yield "cursor", f"{hand.cursor} {codes_of([hand.under_cursor])}"
        if fresh := [shown for shown in hand.cards if shown.slot in hand.fresh]:
            yield "new", codes_of(fresh)
        if hand.staging.move is not None:
            yield "lays out", _laid_out(hand)
        if hand.chosen:
            reach = self.controls.view.reach
            yield (
                "selects",
                codes_of(hand.chosen) + (f", {opening_selected(reach)}" if reach else ""),
            )

    def _label(self, command: Command) -> str:
        """Return a command as the footer shows it."""
        risk = "!" if command.risky(self.controls) else ""
        return (command.word or command.key) + command.detail(self.controls, card_face) + risk


def _laid_out(hand: Hand) -> str:
    move = hand.staging.move
    assert move is not None
    opening = hand.staging.opening
    told = f", {opening.points} of {opening.need}, {opening.wilds} wild" if opening else ""
    return format_move(hand.view, move) + told


class Stage(Protocol):
    """A table at which events happen."""

    def do(self, event: str) -> Iterable[str] | Awaitable[Iterable[str]]:
        """Make the event happen, and return its results as lines."""


Begin = Callable[[list[str], AsyncExitStack], Stage]


@frozen
class Script:
    """A scene in a file: its text, and the lines about its table (or those of an earlier scene)."""

    text: str
    table: list[str]

    @property
    def title(self) -> str:
        return self.text.partition("\n")[0].removeprefix("== ")


def scripts(text: str) -> tuple[str, list[Script]]:
    """Return the words of a file before its scenes, and the scenes."""
    about, *scenes = text.rstrip().split("\n\n== ")
    table: list[str] = []
    found = []
    for scene in scenes:
        table = scene.split("\n\n")[0].split("\n")[1:] or table
        found.append(Script(f"== {scene}", table))
    return about, found


async def played(script: Script, begin: Begin) -> str:
    """Return the text of a scene with the present results of its events."""
    head, _, rest = script.text.partition("\n\n")
    events = [line for line in rest.split("\n") if line and not line.startswith(" ")]
    written = [head, ""]
    async with AsyncExitStack() as stack:
        stack.callback(choose_language, "en")
        stage = begin(script.table, stack)
        for event in ("", *events):
            written += filter(None, [event])
            told = stage.do(event)
            told = await told if isawaitable(told) else told
            written += (f"    {line}".rstrip() for line in told)
    return "\n".join(written)


def settings_of(lines: list[str], words: tuple[str, ...]) -> tuple[dict[str, str], Snapshot | None]:
    """Return what follows the first word of each line, by that word, and the table's snapshot.

    The table is made from the lines that begin with none of `words`. If there are none, it is
    None. The language is set, too.
    """
    about = {word: rest for word, _, rest in (line.partition(" ") for line in lines)}
    choose_language(about.get("language", "en"))
    facts = [line for line in lines if line.partition(" ")[0] not in words]
    if not facts:
        return about, None
    position = parse_position("\n".join(facts))
    own = {shown.slot: shown for shown in position.hand(Seat(0))}
    return about, snapshot_at(game_of(position).name, Table(position, own))


def at_controls(lines: list[str], _stack: AsyncExitStack) -> Scene:
    """Return the scene of a table as these lines describe it."""
    about, snapshot = settings_of(lines, ("language", "hints", "lesson", "day", "watching"))
    assert snapshot is not None
    assert snapshot.view is not None
    if "lesson" in about:
        move = parse_move(snapshot.view, about["lesson"]) if about["lesson"] else None
        note = LessonNote(2, 5, Sentence("An idea."), "C37", move)
        snapshot = evolve(snapshot, lesson=note)
    if "day" in about:
        charter = evolve(snapshot.state.charter, extensions=(day_extension(about["day"]),))
        snapshot = evolve(snapshot, state=evolve(snapshot.state, charter=charter))
    if "watching" in about:
        snapshot = evolve(snapshot, watching=True, chooses=False)
    return Scene(snapshot, Hints(about.get("hints", "on request")))
