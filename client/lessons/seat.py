"""The learner's seat in a lesson: the rules judge the learner, the script plays the other seats."""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Self

import trio
from attrs import define, evolve, field

from client.lessons.lesson import Lesson, ScriptedMove
from client.session.display.node_interface import QuietSeat
from client.session.display.snapshot import LessonNote
from engine.match import Match
from engine.moves import Move, is_alike
from engine.notation.automatic_steps import check_settled, settled
from engine.notation.moves import format_move, parse_move
from engine.notation.referee import dealt
from engine.notation.try_move import revealing, seat_and_move
from engine.position import Position
from engine.slots import Seat
from engine.turn import Step as TurnStep
from p2p.match.table_status import TableStatus
from protocol.charter import NONCE_BYTES, Charter, Member
from protocol.entries import Body, Content, MoveContent, UnlockContent
from protocol.errors import Refused
from protocol.place import DIGEST_BYTES, Place
from protocol.signatures import KEY_BYTES
from protocol.state import State
from protocol.table.tasks import Change

_LEARNER = Seat(0)
_CHANGES = 1000
"""Capacity of the channel to the display: more changes than any lesson has."""


@define(slots=False)
class LessonSeat(QuietSeat):
    """A seat that the display uses in place of a node; `run` plays the other seats.

    The interface is `client.session.display.node_interface.NodeAtSeat`.
    """

    lesson: Lesson
    pause: float
    """Seconds to wait before a turn of a seat that is not the learner's."""
    state: State
    note: LessonNote = field(init=False)
    """The learner's step; while the others play, the step that the learner has just taken."""
    past: Sequence[Change] = ()
    """Changes of the round before the step at which the lesson is taken up again."""
    _position: Position = field(kw_only=True)
    """The round with all cards that the lesson names, also in other hands."""
    _done: int = 0
    """Number of moves made so far."""
    _moved: trio.Event = field(factory=trio.Event)
    _watchers: list[trio.MemorySendChannel[Change]] = field(factory=list)

    @classmethod
    def sit(cls, lesson: Lesson, names: Sequence[str], steps: int, pause: float) -> Self:
        """Return a seat after the first `steps` steps; the first of `names` is the learner's."""
        position = lesson.position
        members = tuple(
            Member(number.to_bytes(KEY_BYTES), name, bytes(NONCE_BYTES))
            for number, name in enumerate(names, start=1)
        )
        start = State.start(Charter(lesson.game, position.options, members))
        match = evolve(
            start.match,
            totals=position.totals,
            seating=tuple(range(position.seats)),
            dealer=position.dealer,
            round=position.seen(()),
        )
        state = evolve(start, match=match, writers=_writers(match))
        seat = cls(lesson, pause, state, position=position)
        past: list[Change] = []
        while seat._next is not None and (seat._next.step is None or seat.steps_done < steps):
            past += seat._make()
        seat.past = tuple(past)
        seat._look()
        return seat

    # -- the lesson

    @property
    def steps_done(self) -> int:
        """The number of steps that the learner has taken."""
        return sum(move.step is not None for move in self.lesson.moves[: self._done])

    @property
    def names(self) -> tuple[str, ...]:
        """The players in the order of the seats."""
        return tuple(member.name for member in self.state.charter.members)

    @property
    def _next(self) -> ScriptedMove | None:
        moves = self.lesson.moves
        return moves[self._done] if self._done < len(moves) else None

    def _look(self) -> None:
        """Update `note` to the step at which the learner is."""
        if self._next is not None and not self.chooses:
            self.note = evolve(self.note, move=None)
            return
        steps, done = self.lesson.steps, self.steps_done
        move = self._wanted()[1] if self.chooses else None
        idea = steps[done].idea.sentence(self.names)
        self.note = LessonNote(done + 1, len(steps), idea, steps[done].clause, move)

    def _wanted(self) -> tuple[Position, Move]:
        """Return a position that shows the cards of the script's next move, and that move."""
        assert self._next is not None
        seat, text = seat_and_move(self._next.text, self._position.seats)
        assert seat in (None, self._position.to_move), self._next.text
        revealed = revealing(self._position, text)
        return revealed, parse_move(revealed, text)

    # -- what the client asks for

    @property
    def progress(self) -> trio.Event:
        return self._moved

    @property
    def view(self) -> Position | None:
        round_ = self.state.match.round
        return None if round_ is None else round_.seen(self._position.hand(_LEARNER))

    @property
    def chooses(self) -> bool:
        return self._next is not None and self._next.step is not None

    @property
    def status(self) -> TableStatus:
        return TableStatus(self.state, self.view, chooses=self.chooses)

    async def play(self, move: Move) -> None:
        """Make the move if the step asks for it.

        Raises IllegalMove, and Refused with the step's answer to any other legal move.
        """
        await trio.lowlevel.checkpoint()
        view, following = self.view, self._next
        assert view is not None, "the round of a lesson begins with the lesson"
        if following is None or following.step is None:
            raise Refused("It is not your turn.")
        view.check(move)
        if not is_alike(move, self._wanted()[1]):
            word = format_move(view, move).partition(" ")[0]
            answer = following.step.answer(word).sentence(self.names)
            raise Refused(answer)
        self._tell(self._make())
        self._moved.set()

    def changes(self) -> AsyncIterator[Change]:
        sender, receiver = trio.open_memory_channel[Change](_CHANGES)
        self._watchers.append(sender)
        return receiver

    def record(self) -> Iterator[bytes]:
        raise Refused("A lesson leaves no record.")

    # -- the moves

    async def run(self) -> None:
        """Play the other seats until the round is counted."""
        while self._next is not None:
            if self.chooses:
                await self._moved.wait()
                self._moved = trio.Event()
                continue
            if self._position.turn.step is TurnStep.DRAW:
                await trio.sleep(self.pause)
            self._tell(self._make())

    def _tell(self, changes: Sequence[Change]) -> None:
        """Update the note, and send the changes to the display."""
        self._look()
        for watcher in self._watchers:
            for change in changes:
                watcher.send_nowait(change)

    def _make(self) -> list[Change]:
        """Make the next move, and after it those that the script makes for the learner."""
        changes = self._made()
        while self._next and not self._next.step and self._position.to_move == _LEARNER:
            changes += self._made()
        return changes

    def _made(self) -> list[Change]:
        """Make the next move of the script, deliver its cards, and count a round that is over."""
        assert self._next is not None
        (revealed, move), deals = self._wanted(), self._next.dealt
        self._done += 1
        changes = [self._advance(revealed.apply(move), MoveContent(move, ()))]
        if self._position.orders:
            position = self._position
            for words in deals:
                position = dealt(position, list(words))
            position = settled(position)
            check_settled(position)
            changes.append(self._advance(position, UnlockContent((), (), ())))
        return changes

    def _advance(self, position: Position, content: Content) -> Change:
        """Advance the state to a position, as an entry would, but without a signature."""
        before, self._position = self.state, position
        match = evolve(before.match, round=position.seen(()))
        height = before.height + 1
        self.state = evolve(
            before,
            match=match,
            writers=_writers(match),
            height=height,
            head=height.to_bytes(DIGEST_BYTES),
            last=Body(
                Place(before.table_id, height, before.head), before.match.mover or 0, content
            ),
        )
        return Change(before, self.state)


def _writers(match: Match) -> tuple[int, ...]:
    """Return the player who is to move, if there is one."""
    return () if match.mover is None else (match.mover,)
