"""The auditor: reads a record from its first byte to its last and says what it shows.

It is the same reducer that the players' nodes run, fed from a file. Of a long record it keeps no
more than the round that it is in and the sheet of the one before; and of every shuffle the unlock
key, 32 bytes out of fourteen thousand, for none may be used twice (R13).
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from typing import TypeAlias

from attrs import define, evolve, field, frozen

from engine.score_sheet import ScoreSheet
from engine.sentences import Sentence
from protocol.absence import signers
from protocol.charter import Charter, SignedCharter
from protocol.entries import (
    AbsentContent,
    Content,
    MoveContent,
    OpenContent,
    ShuffleContent,
    UnlockContent,
)
from protocol.errors import Exposed, Illegal, Malformed, Newer, RemoteError, Unattributable
from protocol.record import LENGTH_BYTES, MAGIC, RecordReader
from protocol.reducer import Check, advance
from protocol.state import State

_AHEAD = 256
"""Entries that wait for proofs at most: more than a deal has, so that no core waits for them."""

_FORGOTTEN = ScoreSheet((), None)


class Verdict(Enum):
    """What an audit comes to; the value is its one word."""

    SOUND = "sound"
    ENDED = "ended"
    UNFINISHED = "unfinished"
    BROKEN = "broken"
    EXPOSED = "exposed"
    ILLEGAL = "illegal"
    NEWER = "newer"


@frozen
class Finding:
    """The verdict with its reason.

    `entry` is the number of the entry at which the audit stopped (0 is the charter), `cause` the
    clause or equation, `player` who is exposed, and `unsigned` who has not signed the end.
    """

    verdict: Verdict
    sentence: Sentence
    entry: int
    cause: str = ""
    player: int | None = None
    unsigned: tuple[int, ...] = ()


@define
class Tally:
    """What was checked and held: entries by kind, signatures, and proofs by what they prove."""

    entries: Counter[str] = field(factory=Counter)
    signatures: int = 0
    shuffle_proofs: int = 0
    unlock_proofs: int = 0
    face_proofs: int = 0

    def count(self, charter: Charter, content: Content) -> None:
        """Count an entry with this content, under the charter as it was before."""
        self.entries[content.kind] += 1
        self.signatures += 1
        match content:
            case AbsentContent():
                self.signatures += len(signers(charter, content)) - 1
            case ShuffleContent():
                self.shuffle_proofs += 1
            case UnlockContent(proofs=proofs):
                self.unlock_proofs += len(proofs)
            case MoveContent(proofs=proofs) | OpenContent(proofs=proofs):
                self.face_proofs += len(proofs)


Begin: TypeAlias = Callable[[Check], Check]
"""Begins to verify a proof; gives what waits for the end of it, and raises as it does."""


def _at_its_turn(check: Check) -> Check:
    return check


def _all_of(checks: tuple[Check, ...]) -> None:
    for check in checks:
        check()


@frozen
class _Folded:
    """An entry, the state after it, and what waits for its proofs, if it has any."""

    data: bytes
    after: State
    holds: Check | None


@define
class Auditor:
    """Feed it the bytes of a record in any portions, then ask it to `finish`.

    `state` is the table as far as the record is good, None before the charter was read; of its
    sheets only the last has anything on it. `size` is how many bytes of the record were judged:
    as far as that, it shows what was found.

    Entries are read ahead, at most `_AHEAD` of them, and `begin` has their proofs verified
    meanwhile: on threads, say. An entry counts as good, and is told, when its own proofs and all
    before it hold; so what is found is what one thread finds.
    """

    state: State | None = None
    begin: Begin = field(default=_at_its_turn, kw_only=True)
    tally: Tally = field(factory=Tally, init=False)
    size: int = field(default=len(MAGIC), init=False)
    _ahead: deque[_Folded] = field(factory=deque, init=False)
    _reader: RecordReader = field(factory=RecordReader, init=False)
    _finding: Finding | None = field(default=None, init=False)

    def feed(self, data: bytes) -> Iterator[State]:
        """Audit what `data` completes; yields the table as the charter opens it, and then the
        table after each good entry.

        Raises Malformed if this is no record at all. All other faults are found, not raised.
        """
        if self._finding is not None:
            return
        try:
            try:
                for part in self._reader.feed(data):
                    if self.state is None:
                        yield self._opened(part)
                    else:
                        yield from self._read_ahead(part)
            except (Newer, Unattributable):  # as after what is good before it
                yield from self._settled(0)
                raise
            yield from self._settled(0)
        except Newer as error:
            self._stop(Verdict.NEWER, error.sentence, "R1" if not self._reader.begun else "R2")
        except Unattributable as error:
            self._stop(Verdict.BROKEN, error.sentence, error.cause)
        except Exposed as error:
            verdict = Verdict.ILLEGAL if isinstance(error, Illegal) else Verdict.EXPOSED
            self._stop(verdict, error.sentence, error.cause, error.player)

    @property
    def height(self) -> int:
        """The number of the last good entry."""
        return self.state.height if self.state else 0

    def finish(self) -> Finding:
        """What the whole record shows, there being no more of it.

        Raises Malformed if this is no record at all.
        """
        if self._finding is not None:
            return self._finding
        if not self._reader.begun:
            raise Malformed("This is no record of a Sobremesa game: it ends in its first line.")
        if self.state is None:
            return Finding(Verdict.BROKEN, Sentence("The record ends within its charter."), 0, "R1")
        if self._reader.rest:
            number = self.height + 1
            what = (
                Sentence("The record goes on after its end, at entry {number}.", number=number)
                if self.state.complete
                else Sentence("The record ends in the middle, at entry {number}.", number=number)
            )
            return Finding(
                Verdict.BROKEN,
                what,
                number,
                "R1",
                unsigned=self._unsigned(),
            )
        if not self.state.complete:
            return Finding(
                Verdict.UNFINISHED,
                Sentence(
                    "The record ends after entry {number}, before the match does.",
                    number=self.height,
                ),
                self.height,
                "R18",
                unsigned=self._unsigned(),
            )
        last = self.state.last
        assert last is not None, "a table is over after some entry"
        if isinstance(last.content, AbsentContent):
            sentence = Sentence("Every entry holds; the last is an absence.")
            return Finding(Verdict.ENDED, sentence, self.height)
        return Finding(Verdict.SOUND, Sentence("Every entry holds."), self.height)

    def _unsigned(self) -> tuple[int, ...]:
        """Players who have not signed the end of the round in which the record stops."""
        assert self.state is not None
        if self.state.match.round_over or self.state.complete:
            return tuple(sorted(self.state.writers))
        return tuple(range(len(self.state.charter.members)))

    def _opened(self, part: bytes) -> State:
        """The table as the charter opens it."""
        self.size += LENGTH_BYTES + len(part)
        try:
            self.state = State.start(SignedCharter.decode(part).charter)
        except Newer:
            raise
        except Malformed as error:
            raise Unattributable("R2", "The charter does not hold: {error}", error=error) from error
        self.tally.signatures += len(self.state.charter.members)
        return self.state

    def _read_ahead(self, part: bytes) -> Iterator[State]:
        """Fold the entry in `part`, whose proofs are left for later."""
        before = self._ahead[-1].after if self._ahead else self.state
        assert before is not None
        checks: list[Check] = []
        try:
            after = advance(before, part, later=checks)
        except Exception:
            # This entry, or one before whose proof does not hold: then nobody knows what follows.
            yield from self._settled(0)
            assert self.state is not None
            self.size += LENGTH_BYTES + len(part)
            advance(self.state, part)
            raise
        if len(after.match.sheets) > len(before.match.sheets):
            after = _with_one_sheet(after)
        holds = self.begin(partial(_all_of, tuple(checks))) if checks else None
        self._ahead.append(_Folded(part, after, holds))
        yield from self._settled(_AHEAD)

    def _settled(self, most: int) -> Iterator[State]:
        """The tables after the entries whose proofs hold, until at most so many are left open."""
        while len(self._ahead) > most:
            entry, before = self._ahead.popleft(), self.state
            assert before is not None
            assert entry.after.last is not None
            self.size += LENGTH_BYTES + len(entry.data)
            try:
                if entry.holds is not None:
                    entry.holds()
            except RemoteError:
                advance(before, entry.data)  # which says who is exposed by it, and why
                raise
            self.tally.count(before.charter, entry.after.last.content)
            self.state = entry.after
            yield entry.after

    def _stop(
        self, verdict: Verdict, sentence: Sentence, cause: str, player: int | None = None
    ) -> None:
        entry = 0 if self.state is None else self.height + 1
        unsigned = () if self.state is None else self._unsigned()
        self._finding = Finding(verdict, sentence, entry, cause, player, unsigned)


def _with_one_sheet(state: State) -> State:
    """The rounds before the last are still counted, but nothing is known of them any more."""
    *others, last = state.match.sheets
    return evolve(state, match=evolve(state.match, sheets=(*(_FORGOTTEN for _ in others), last)))
