"""This node's own player at a table: their view, chosen move and entries."""

from collections.abc import Mapping

from attrs import define, field, frozen

from engine.moves import Move, shown_by
from engine.position import Position
from engine.sentences import Sentence
from protocol.entries import UnlockContent
from protocol.errors import Refused
from protocol.group import Entropy
from protocol.parallel import ParallelMap
from protocol.player import LOST_LOCK, Player, Written
from protocol.signatures import Signer
from protocol.state import State
from protocol.table.record import TableRecord


@frozen
class _Early:
    """An entry that was written while the proof of the entry before it was still being verified."""

    head: bytes
    """The head of the entry before it."""
    written: Written = field(repr=False)


@define(eq=False)
class OwnPlayer:
    """The player `record.me`, who plays at this node."""

    record: TableRecord
    signer: Signer = field(repr=False)
    _player: Player = field(init=False)
    _move: Move | None = field(default=None, init=False)
    """The move that they have chosen in the newest state."""
    _early: _Early | None = field(default=None, init=False)
    """This player's shuffle, if `write_early` has made it in advance."""

    def __attrs_post_init__(self) -> None:
        self._player = Player(self.record.me, self.signer)

    def recall(self, secrets: Mapping[str, bytes]) -> None:
        """Take the locks from the journal, by the names that `Written.secrets` gives them.

        They are the locks of this table and of the tables before it: hands that were dealt at an
        earlier table may have to be opened at this one.
        """
        self._player = Player.restored(self.record.me, self.signer, secrets)

    @property
    def trouble(self) -> Sentence | None:
        """The reason why this player cannot play until the round is over; None if they can.

        A player with such a reason cannot see their cards either.
        """
        record = self.record
        return LOST_LOCK if not record.over and self._player.has_lost_a_lock(record.state) else None

    @property
    def view(self) -> Position | None:
        """The round as this player sees it; None if there is no round, or if there is `trouble`."""
        return None if self.trouble else self._player.view(self.record.state)

    @property
    def chooses(self) -> bool:
        """True if the table waits for this player to choose a move."""
        return self._move is None and self._may_write and self._player.chooses(self.record.state)

    @property
    def can_write(self) -> bool:
        """True if the next entry is due from this player, and they need not choose a move first."""
        return self._may_write and not self.chooses

    @property
    def _may_write(self) -> bool:
        record = self.record
        return not record.over and self._player.owes(record.state) and not self.trouble

    def choose(self, move: Move) -> None:
        """Choose the move of the entry that is due.

        Raises IllegalMove, or Refused when no move is due from this player.
        """
        if not self.chooses:
            raise Refused(self.trouble or Sentence("It is not your turn."))
        # The result is not needed: the call is made for the error. The move is applied when its
        # entry is in the record.
        self.record.state.match.apply(move)
        self._move = move

    def proves_at_most(self, cards: int) -> bool:
        """Return True if the due move or unlocking has proofs for at most `cards` cards."""
        due = self.record.state.due
        if due is None:
            return False
        if due.kind == UnlockContent.kind:
            return len(self.record.state.owed_slots(due)) <= cards
        return self._move is not None and len(shown_by(self._move)) <= cards

    @property
    def shuffles_next(self) -> bool:
        """True if the shuffle of another player is due, and this player's comes right after it."""
        record = self.record
        return not record.over and self._player.shuffles(record.state, after_others=1)

    def write_early(self, after: State, entropy: Entropy, parallel_map: ParallelMap) -> None:
        """Make this player's shuffle in advance, in the state `after`.

        `after` is the state after an entry that is still being verified. If that entry holds,
        `write` returns the shuffle; until then the shuffle is in no journal.
        """
        if self._player.shuffles(after):
            written = self._player.write(after, entropy, parallel_map=parallel_map)
            self._early = _Early(after.head, written)

    def write(self, entropy: Entropy, parallel_map: ParallelMap) -> Written:
        """Return the entry that is due. Call it only if `can_write`."""
        state, early, self._early = self.record.state, self._early, None
        # A shuffle that was made for another head is dropped: its proof would not hold here.
        if early is not None and early.head == state.head:
            return early.written
        return self._player.write(state, entropy, self._move, parallel_map=parallel_map)

    def advanced(self, *, erases: bool) -> tuple[str, ...]:
        """Forget the chosen move: the record has a new entry, by this player or another.

        With `erases`, forget also the locks that no entry needs any more. Return their names, to
        be erased from the journal.
        """
        self._move = None
        if not erases:
            return ()
        return self._player.forget(self.record.state)

    def heard_out(self) -> tuple[str, ...]:
        """Forget the locks of shuffles that never reached the record.

        Call it when this node has all entries that the other members have. Return the names of
        these locks, to be erased from the journal.
        """
        return self._player.forget_unannounced(self.record.state)
