"""The auditor: it reads a record from its first byte to its last, and returns a verdict.

It runs the same reducer as the players' nodes, fed from a file. Of a long record it keeps in memory
only the current round, the sheet of the round before, the totals of earlier rounds, and the unlock
keys of all shuffles, since no key may be used twice (R13). A key has only 32 bytes, while its
shuffle has fourteen thousand.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from typing import TypeAlias

from attrs import define, evolve, field, frozen

from engine.sentences import Sentence
from protocol.charter import SignedCharter
from protocol.continuation import open_table
from protocol.entries import Content, MoveContent, OpenContent, ShuffleContent, UnlockContent
from protocol.errors import Exposed, Illegal, Malformed, Newer, RemoteError, Unattributable
from protocol.evidence import Evidence
from protocol.record_file import LENGTH_BYTES, MAGIC, PartKind, RecordReader, kind_of
from protocol.reducer import Check, advance
from protocol.state import State

_AHEAD = 256
"""The most entries that are read ahead while proofs are verified. They are more than the entries of
one deal, so that no core has to wait for the next proof.
"""


class Verdict(Enum):
    """The result of an audit in one word."""

    SOUND = "sound"
    ENDED = "ended"
    UNFINISHED = "unfinished"
    BROKEN = "broken"
    EXPOSED = "exposed"
    ILLEGAL = "illegal"
    NEWER = "newer"


@frozen
class Exposure:
    """A player who has signed something that exposes them."""

    entry: int
    """The number of the part of the record that exposes the player."""
    cause: str
    """The clause or equation."""
    player: int
    key: bytes = field(repr=bytes.hex)
    name: str
    sentence: Sentence
    illegal: bool = False
    """True if the exposure rests on the rules of the game, as this program knows them."""


@frozen
class Finding:
    """The verdict with its reason."""

    verdict: Verdict
    sentence: Sentence
    entry: int
    """The number of the part that exposes `player`, or else of the part at which the audit stopped
    (0 is the first charter).
    """
    cause: str = ""
    """The clause or equation."""
    player: int | None = None
    """The first exposed player who still has a seat, if any."""
    unsigned: tuple[int, ...] = ()
    """The players who have not signed the end."""
    exposed: tuple[Exposure, ...] = ()
    """All exposures, in the order of the parts that show them."""


@define
class Tally:
    """The numbers of entries, continuations, signatures and proofs that hold so far."""

    entries: Counter[str] = field(factory=Counter)
    continuations: int = 0
    signatures: int = 0
    shuffle_proofs: int = 0
    unlock_proofs: int = 0
    face_proofs: int = 0

    def count(self, content: Content) -> None:
        """Count an entry with this content."""
        self.entries[content.kind] += 1
        self.signatures += 1
        match content:
            case ShuffleContent():
                self.shuffle_proofs += 1
            case UnlockContent(proofs=proofs):
                self.unlock_proofs += len(proofs)
            case MoveContent(proofs=proofs) | OpenContent(proofs=proofs):
                self.face_proofs += len(proofs)


Begin: TypeAlias = Callable[[Check], Check]
"""A function that starts a check, perhaps on a thread. It returns a function that waits for the end
of the check, and raises what the check raises.
"""


def _all_of(checks: tuple[Check, ...]) -> None:
    for check in checks:
        check()


@frozen
class _Folded:
    """An entry, the state `after` it, and a check (or None) that waits for its proofs."""

    data: bytes
    after: State
    holds: Check | None


@define
class Auditor:
    """An auditor of one record: `feed` it the bytes in any portions, then ask it to `finish`.

    Up to `_AHEAD` entries are read ahead, while `begin` has their proofs verified, for example on
    threads. An entry counts as good only when its own proofs and all before it hold. So the result
    is the same as with one thread.
    """

    state: State | None = None
    """The table after the good parts so far, None before the charter was read. All of its sheets
    but the last have only totals.
    """
    begin: Begin = field(default=lambda check: check, kw_only=True)
    """Begins to verify a proof."""
    number: int = field(default=-1, kw_only=True)
    """The number of the last part that was judged."""
    tally: Tally = field(factory=Tally, init=False)
    size: int = field(default=len(MAGIC), init=False)
    """The number of bytes up to the end of the last part that was judged."""
    exposed: list[Exposure] = field(factory=list, init=False)
    """The exposures so far. A part that exposes somebody changes nothing else, and the record goes
    on after it.
    """
    _ahead: deque[_Folded] = field(factory=deque, init=False)
    """The entries that were read ahead, whose proofs are not known to hold yet."""
    _reader: RecordReader = field(factory=RecordReader, init=False)
    _finding: Finding | None = field(default=None, init=False)
    """The finding, if the audit has stopped before the end of the record."""

    def feed(self, data: bytes) -> Iterator[State]:
        """Audit the parts that `data` completes.

        Yields the first state of each table, and the state after each good entry.
        Raises Malformed if this is no record at all. All other faults go into the finding.
        """
        if self._finding is not None:
            return
        try:
            try:
                for part in self._reader.feed(data):
                    yield from self._judged(part)
            except (Newer, Unattributable):  # first settle the entries before the fault
                yield from self._settled(0)
                raise
            yield from self._settled(0)
        except Newer as error:
            self._stop(Verdict.NEWER, error.sentence, "R1" if not self._reader.begun else "R2")
        except Unattributable as error:
            self._stop(Verdict.BROKEN, error.sentence, error.cause)

    @property
    def height(self) -> int:
        """The number of the last good part."""
        return max(self.number, 0)

    def finish(self) -> Finding:
        """Return the finding for the whole record, after its last byte was fed.

        Raises Malformed if this is no record at all.
        """
        if self._finding is None and not self._reader.begun:
            raise Malformed("This is no record of a Sobremesa game: it ends in its first line.")
        found = evolve(self._finding or self._end(), exposed=tuple(self.exposed))
        if self.state is None or found.verdict is Verdict.NEWER:
            return found
        charter = self.state.charter
        # Whoever was left behind by a continuation does not change the verdict (record.md, 1).
        seated = {charter.members[player].key for player in charter.signers}
        for each in self.exposed:
            if each.key in seated:
                return Finding(
                    Verdict.ILLEGAL if each.illegal else Verdict.EXPOSED,
                    each.sentence,
                    each.entry,
                    each.cause,
                    each.player,
                    found.unsigned,
                    found.exposed,
                )
        return found

    def _end(self) -> Finding:
        """Return the finding for a record whose parts all hold, complete or not."""
        if self.state is None:
            return Finding(Verdict.BROKEN, Sentence("The record ends within its charter."), 0, "R1")
        if self._reader.rest:
            number = self.number + 1
            what = (
                Sentence("The record goes on after its end, at entry {number}.", number=number)
                if self.state.complete
                else Sentence("The record ends in the middle, at entry {number}.", number=number)
            )
            return Finding(Verdict.BROKEN, what, number, "R1", unsigned=self._unsigned())
        if not self.state.complete:
            return Finding(
                Verdict.UNFINISHED,
                Sentence(
                    "The record ends after entry {number}, before the match does.",
                    number=self.number,
                ),
                self.number,
                "R18",
                unsigned=self._unsigned(),
            )
        if self.state.ended:
            sentence = Sentence("Every entry holds; the match was ended before it was over.")
            return Finding(Verdict.ENDED, sentence, self.number)
        return Finding(Verdict.SOUND, Sentence("Every entry holds."), self.number)

    def _unsigned(self) -> tuple[int, ...]:
        """Return the players who have not signed the end of the round where the record stops."""
        assert self.state is not None
        if self.state.match.round_over or self.state.complete:
            return tuple(sorted(self.state.writers))
        return self.state.charter.signers

    def _judged(self, part: bytes) -> Iterator[State]:
        """Judge the next part. The proofs of an entry are verified later."""
        # The first part has to be a charter, so it is judged as one in any case.
        kind = PartKind.CHARTER if self.number < 0 else kind_of(part)
        if kind is PartKind.ENTRY:
            yield from self._read_ahead(part)
            return
        yield from self._settled(0)
        if kind is PartKind.CHARTER:
            opened = self._opened(part)
            self._good(part)
            yield opened
        else:
            self._shown(part)
            self._good(part)

    def _good(self, part: bytes) -> None:
        """Count a part that holds, or that exposes somebody."""
        self.size += LENGTH_BYTES + len(part)
        self.number += 1

    def _opened(self, part: bytes) -> State:
        """Return the state in which a table begins, by a first charter or by a continuation."""
        try:
            signed = SignedCharter.decode(part)
            self.state = _with_one_sheet(open_table(self.state, signed))
        # Newer is a Malformed, but has a verdict of its own.
        except Newer:
            raise
        except Malformed as error:
            cause = "R2" if self.state is None else "R19"
            why = Sentence("The charter does not hold: {error}", error=error)
            raise Unattributable(cause, why) from error
        self.tally.signatures += len(signed.signatures)
        self.tally.continuations += signed.charter.continues is not None
        return self.state

    def _shown(self, part: bytes) -> None:
        """Note the exposure by a part that is evidence in itself (`protocol.evidence`)."""
        assert self.state is not None
        try:
            evidence = Evidence.decode(part)
        except Malformed as error:
            raise Unattributable("R3", error.sentence) from error
        exposed = evidence.exposes(self.state.charter.match_id)
        self._expose(exposed, evidence.charter.name_of(exposed.player))

    def _expose(self, error: Exposed, name: str) -> None:
        """Note an exposure by the next part. Raises Unattributable for a player's second one."""
        if any(each.key == error.key for each in self.exposed):
            raise Unattributable(
                "R20", "There is one part of evidence for a player who is exposed, not more."
            )
        number = self.number + 1
        illegal = isinstance(error, Illegal)
        self.exposed.append(
            Exposure(number, error.cause, error.player, error.key, name, error.sentence, illegal)
        )

    def _read_ahead(self, part: bytes) -> Iterator[State]:
        """Advance by the entry in `part`. Its proofs are verified later."""
        before = self._ahead[-1].after if self._ahead else self.state
        assert before is not None
        checks: list[Check] = []
        try:
            after = advance(before, part, later=checks)
        except Exception:
            # The fault is in this entry, or in an earlier one whose proof does not hold: then
            # `before` is worth nothing. So settle the earlier ones first, and then judge this one.
            yield from self._settled(0)
            yield from self._alone(part)
            return
        if len(after.match.sheets) > len(before.match.sheets):
            after = _with_one_sheet(after)
        holds = self.begin(partial(_all_of, tuple(checks))) if checks else None
        self._ahead.append(_Folded(part, after, holds))
        yield from self._settled(_AHEAD)

    def _alone(self, part: bytes) -> Iterator[State]:
        """Judge an entry with its proofs at once: yield the state after it, or note an exposure."""
        before = self.state
        assert before is not None
        try:
            after = advance(before, part)
        except Exposed as error:
            self._expose(error, before.charter.name_of(error.player))
            self._good(part)
            return
        assert after.last is not None
        self.tally.count(after.last.content)
        self.state = _with_one_sheet(after)
        self._good(part)
        yield self.state

    def _settled(self, most: int) -> Iterator[State]:
        """Wait for proofs until at most `most` entries are unverified. Yield the good states."""
        while len(self._ahead) > most:
            entry = self._ahead.popleft()
            assert entry.after.last is not None
            try:
                if entry.holds is not None:
                    entry.holds()
            except RemoteError:
                # The entry exposes somebody, and the states after it are worth nothing. So this
                # entry and all that were read ahead are judged anew, one by one.
                parts = [entry.data, *(later.data for later in self._ahead)]
                self._ahead.clear()
                for part in parts:
                    yield from self._alone(part)
                return
            self.tally.count(entry.after.last.content)
            self.state = entry.after
            self._good(entry.data)
            yield entry.after

    def _stop(self, verdict: Verdict, sentence: Sentence, cause: str) -> None:
        known = self.state is not None and verdict is not Verdict.NEWER
        unsigned = self._unsigned() if known else ()
        self._finding = Finding(verdict, sentence, self.number + 1, cause, unsigned=unsigned)


def _with_one_sheet(state: State) -> State:
    """Return the state with only the totals of all sheets but the last."""
    sheets = state.match.sheets
    bare = (sheet.summed() for sheet in sheets[:-1])
    return evolve(state, match=evolve(state.match, sheets=(*bare, *sheets[-1:])))
