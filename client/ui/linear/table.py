"""A table in the linear mode: instead of a screen, a line for each event, and then a prompt.

This mode suits screen readers, slow connections and scripts.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, TypeVar

import trio
from attrs import evolve

from client.i18n.language import _, capital
from client.i18n.sentences import said
from client.reports.score_sheet import result_sentence, sheet_sentences, side_names
from client.session.display.snapshot import AfterMatch, Snapshot, TableDecision
from client.ui.model.command_words import spoken
from client.ui.model.commands.find_commands import known_here, offered_now, run_line
from client.ui.model.commands.typed_moves import CommandError
from client.ui.model.controls import Controls
from client.ui.model.pages import Page
from client.ui.model.table_view import own_sheet
from client.ui.model.table_words import status_sentence
from client.ui.tui.table.pages import PICTURE, page_lines
from client.ui.tui.table.round_pages import fair_sentence
from client.ui.tui.table.table_sentences import hand_line, pile_line, staged_line
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.spans import text_of
from engine.errors import IllegalMove
from engine.moves import Move, ShowBonus
from protocol.entries import ShuffleContent
from protocol.errors import Refused

T = TypeVar("T")
_Search = tuple[Callable[[], Any], Callable[[Any], None]]
"""A search in the background, for a hint or a review, and the callback for its result."""

_COLUMNS = 1000
"""Width of a page in columns: enough for any sentence, so that only the terminal breaks lines."""
PROMPT = "> "
_RECALLED = 5  # lines of the log that are printed when a table is resumed


class LinearTable:
    """A table display that shows snapshots as lines, and takes `lines` as commands."""

    def __init__(
        self,
        glyphs: Glyphs,
        lines: AsyncIterator[str],
        write: Callable[[str], None],
        choices: Sequence[AfterMatch] = (),
        *,
        speaks: bool = False,
    ) -> None:
        self._to_presenter, self._decisions = trio.open_memory_channel[TableDecision](100)
        self._wanted, self._hints = trio.open_memory_channel[_Search](100)
        self.controls = Controls(
            self._send,
            decide=self._to_presenter.send_nowait,
            think=self._look_for_hint,
            open_page=self._say_page,
            leave=self._leave,
            choices=choices,
            speaks=speaks,
        )
        self._glyphs = glyphs
        self._lines = lines
        self._write = write
        self._said = 0
        self._sent: tuple[Move, ...] = ()
        self._prompted = False
        self._thinking = 0
        self._awaited: object = None
        self._told: dict[str, tuple[str, ...]] = {}
        self._last_round = 0
        self._choice: AfterMatch | None = None
        self._begun = trio.Event()

    async def run(self) -> AfterMatch:
        """Run until the person leaves, or there are no more lines."""
        self._say(
            _("Type a command and press Enter; {help} lists the commands.").format(
                help=spoken("help")
            )
        )
        await self._begun.wait()
        self._prompt()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._think)
            async for line in self._lines:
                self._prompted = False
                self._obey(line)
                if self._choice is not None:
                    break
                self._prompt()
            nursery.cancel_scope.cancel()
        return self._choice or AfterMatch.LEAVE

    def _look_for_hint(self, find: Callable[[], T], tell: Callable[[T], None]) -> None:
        self._thinking += 1
        self._wanted.send_nowait((find, tell))

    async def _think(self) -> None:
        """Run the searches for hints and reviews in a thread, because they can take long.

        The prompt is written after the result, so that a listener hears it only once.
        """
        async for find, tell in self._hints:
            found = await trio.to_thread.run_sync(find)
            before = self.controls.notice
            tell(found)
            self._thinking -= 1
            if self.controls.notice is not before:
                self._say_notice()
            self._say_new("staged", staged_line(self.controls.view, self._glyphs))
            self._prompt()

    # -- for the presenter

    def show(self, snapshot: Snapshot) -> None:
        controls = self.controls
        controls.show(snapshot)
        self._begun.set()
        first = not self._said and snapshot.said > _RECALLED
        count = _RECALLED if first else snapshot.said - self._said
        new = snapshot.log[max(0, len(snapshot.log) - count) :]
        self._said = snapshot.said
        if first and snapshot.last_counted is not None:
            self._last_round = snapshot.last_counted.number  # the person has heard its sheet
        for line in new:
            if line.heading:
                self._say_count(snapshot)
            # `_say_awaited` says below for whom the table waits.
            if line.sentence not in controls.view.awaited:
                self._say(_sentence(line.sentence))
        self._say_count(snapshot)
        self._say_status()
        self._say_lesson()
        self._say_awaited(snapshot)
        self._say_end(snapshot)
        self._prompt()

    def refuse(self, error: IllegalMove | Refused) -> None:
        self.controls.refuse(error)
        self._say_notice()
        self._prompt()

    def tell(self, sentence: str) -> None:
        self._say(sentence)
        self._prompt()

    async def decided(self) -> TableDecision:
        return await self._decisions.receive()

    # -- commands

    def _obey(self, line: str) -> None:
        controls = self.controls
        before, sent, thinking = controls.notice, self._sent, self._thinking
        try:
            run_line(controls, line)
        except CommandError as error:
            controls.say(said(error))
        if controls.notice is not before and thinking == self._thinking:
            self._say_notice()
        staged = staged_line(controls.view, self._glyphs) if sent is self._sent else ""
        self._say_new("staged", staged)

    def _send(self, *moves: Move) -> None:
        self._sent = moves
        self._to_presenter.send_nowait(moves)
        if not isinstance(moves[0], ShowBonus):  # bonus cards are laid without a request
            self._say(_("Sent."))

    def _leave(self, choice: AfterMatch) -> None:
        self._choice = choice

    def _say_end(self, snapshot: Snapshot) -> None:
        """Say what can follow when the match is over."""
        if snapshot.state.complete:
            after = ("again", "seats", "quit", "review")
            offered = (command for command in offered_now(self.controls) if command.word in after)
            self._say_new(
                "end", *(f"{command.example}: {_(command.meaning)}" for command in offered)
            )

    # -- saying

    def _say_count(self, snapshot: Snapshot) -> None:
        """Say the score sheet of a counted round, once, before the events that follow it."""
        if snapshot.last_counted is not None and snapshot.last_counted.number != self._last_round:
            self._last_round = snapshot.last_counted.number
            self._say_page(Page.SHEET)

    def _say_status(self) -> None:
        """Say what there is to do now, if that has changed."""
        view, due = self.controls.view, self.controls.snapshot.state.due
        if due is not None and due.kind == ShuffleContent.kind and view.doing is not None:
            status = _sentence(view.doing.text)
        elif view.my_move or view.closing:
            status = status_sentence(view)
        else:
            status = ""
        news = self._news("status", status)
        if news and view.my_move and view.hand:
            self._say(pile_line(view, self._glyphs), hand_line(view, self._glyphs))
        self._say(*news)

    def _say_lesson(self) -> None:
        """Say the step of a lesson, if it has changed."""
        if (lesson := self.controls.view.lesson) is not None:
            self._say_new("lesson", f"{lesson.title}. {lesson.idea}", lesson.line)

    def _say_awaited(self, snapshot: Snapshot) -> None:
        """Say for whom the table waits, and what can be done, if that has changed."""
        self._say_new("trouble", said(snapshot.trouble) if snapshot.trouble else "")
        absence = snapshot.absence
        # The passing of seconds is not said. But the end of the grace is: `grace_left` is then 0.
        news = absence and evolve(absence, silent=0, grace_left=min(absence.grace_left, 1))
        if news == self._awaited:
            return
        self._awaited = news
        if absence is not None:
            view = self.controls.view
            now = _sentence(view.doing.text) if view.doing else status_sentence(view)
            self._say_new("absence", now, *self._page_texts(Page.AWAY))
        else:
            self._say_new("absence")

    def _say_notice(self) -> None:
        if notice := self.controls.notice:
            self._say(f"{notice.text} [{notice.clause}]" if notice.clause else notice.text)

    def _say_page(self, page: Page) -> None:
        if page is Page.KEYS:
            for command in known_here(self.controls):
                if command.word:
                    self._say(f"{command.example}: {_(command.meaning)}")
        elif page is Page.SHEET:
            self._say(*_sheet(self.controls.snapshot))
        elif page is Page.REVIEW and (own := self.controls.own_review) and own.found:
            self._say(*own.found.sentences)
        else:
            self._say(*self._page_texts(page))

    def _page_texts(self, page: Page) -> list[str]:
        """Return the lines of a page, without pictures, drawn lines and empty lines."""
        lines = page_lines(page, self.controls, self._glyphs, _COLUMNS)
        drawn = (PICTURE, "class:rule")
        kept = (tuple(span for span in line if span.style not in drawn) for line in lines)
        return [text for line in kept if (text := text_of(line).strip())]

    def _say_new(self, topic: str, *lines: str) -> None:
        self._say(*self._news(topic, *lines))

    def _news(self, topic: str, *lines: str) -> list[str]:
        """Return the lines that the last call for this topic did not have; remember all lines."""
        before, self._told[topic] = self._told.get(topic, ()), lines
        return [line for line in lines if line and line not in before]

    def _say(self, *lines: str) -> None:
        for line in lines:
            before = "\n" if self._prompted else ""
            self._prompted = False
            self._write(f"{before}{self._glyphs.plain(line)}\n")

    def _prompt(self) -> None:
        """Ask for a line if the person can do something."""
        controls = self.controls
        can_act = controls.may_move or controls.ways_on or controls.snapshot.state.complete
        if can_act and not self._prompted and not self._thinking:
            self._write(self._glyphs.plain(self._prompt_words()) + PROMPT)
            self._prompted = True

    def _prompt_words(self) -> str:
        """Return a word or two that tell what the prompt asks for."""
        hand = self.controls.moving_hand
        if hand is not None and not self.controls.view.may_pass:
            return _(hand.view.turn.step.value)
        return _("what next")


def _sentence(text: str) -> str:
    """Return an event as a sentence, with a capital letter and a full stop."""
    return capital(text) + ("" if text.endswith((".", "!", "?", "…")) else ".")


def _sheet(snapshot: Snapshot) -> Iterator[str]:
    """Yield sentences about the last counted round, one for each item of its score sheet."""
    counted, match = snapshot.last_counted, snapshot.state.match
    if counted is None:
        yield _("No round has been counted yet.")
        return
    yield _("Round {number}").format(number=counted.number) + "."
    yield from sheet_sentences(*own_sheet(snapshot, counted))
    if match.over:
        yield result_sentence(match, side_names(match, snapshot.names))
    if snapshot.exposed is None and counted.fairness.shuffles:
        yield fair_sentence(counted.fairness)
