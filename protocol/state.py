"""The state of a table after the entries of its record.

A state names the one player who writes the next entry, and the kind of that entry (`due`). So
players never have to agree on who is next, and if the game stalls, it is always clear who has not
written. `protocol.reducer` leads from one state to the next.
"""

from collections.abc import Mapping

from attrs import evolve, field, frozen

from engine.match import Match
from engine.orders import Deal, OpenHand, Order, Shuffle
from engine.slots import Seat, Shown, Slot
from protocol.charter import Charter
from protocol.entries import (
    Body,
    CloseContent,
    Given,
    MoveContent,
    OpenContent,
    ShuffleContent,
    UnlockContent,
)
from protocol.errors import Unattributable
from protocol.hashing import digest, number
from protocol.lock_state import LockState
from protocol.place import Place

_KIND_OF: Mapping[type[Order], str] = {
    Shuffle: ShuffleContent.kind,
    Deal: UnlockContent.kind,
    OpenHand: OpenContent.kind,
}


@frozen
class Due:
    """The writer of the next entry, its kind, and the order that it carries out, if any."""

    player: int
    kind: str
    order: Order | None = None


@frozen
class State:
    """The table after some entries of its record."""

    charter: Charter = field(repr=False)
    table_id: bytes = field(repr=bytes.hex)
    head: bytes = field(repr=bytes.hex)
    """The digest of the last entry; the table id before the first one."""
    match: Match = field(repr=False)
    height: int = 0
    """The number of entries."""
    cards: LockState = field(default=LockState(), repr=False)
    writers: tuple[int, ...] = ()
    """The players who owe an entry for the step that the table waits for, in order: the first of
    them writes next.
    """
    used_keys: frozenset[bytes] = field(default=frozenset(), repr=False)
    """All unlock keys ever announced in the match."""
    deal_number: int = 0
    """The number of deals with at least one shuffle in the record."""
    last: Body | None = None
    """The body of the last entry."""
    known_due: bool = False
    """True if even somebody who does not know the rules could tell that the writer of the last
    entry was due.
    """
    founders: tuple[bytes, ...] = field(default=(), repr=False)
    """The keys of the members of the first table."""
    gone: frozenset[int] = frozenset()
    """The players left behind by a continuation that ended the match: nothing is due from them."""
    wrote: frozenset[int] = frozenset()
    """The players with an entry at this table."""
    ended: bool = False
    """True if the match ended before it was over."""
    openers: tuple[int, ...] | None = None
    """The players who could still have a hand to open when the table began; None if no hands are
    opened there. Only the judgement without the rules needs it (`protocol.without_rules`).
    """
    undecided: "State | None" = field(default=None, repr=False)
    """The state in which hands are opened, if only the rules tell what comes next: hands are
    opened, or the round is dealt again. Otherwise None. Only the judgement without the rules needs
    it.
    """

    @classmethod
    def start(cls, charter: Charter) -> "State":
        """Return the state before the first entry of a match. Its head is the table id."""
        table_id = charter.table_id
        founders = tuple(member.key for member in charter.members)
        start = cls(charter, table_id, table_id, charter.match(), founders=founders)
        return start.with_next_writers()

    # -- what is due

    @property
    def due(self) -> Due | None:
        """The entry that the table waits for; None when the match is over and signed by all."""
        if not self.writers:
            return None
        player = self.writers[0]
        if not self.match.orders:
            return Due(player, CloseContent.kind if self.match.round_over else MoveContent.kind)
        order = self.match.orders[0]
        return Due(player, _KIND_OF[type(order)], order)

    @property
    def complete(self) -> bool:
        """True if the match is over, and everybody has signed its last round, or its early end."""
        return not self.writers

    @property
    def results(self) -> tuple[tuple[int, ...], ...]:
        """The points by side of each counted round: all have closed it, or it was interrupted."""
        return tuple(sheet.totals for sheet in self.match.sheets)

    @property
    def place(self) -> Place:
        """The end of the record, where a continuation may start."""
        return Place(self.table_id, self.height, self.head)

    @property
    def next_place(self) -> Place:
        """The place of the next entry."""
        return Place(self.table_id, self.height + 1, self.head)

    def check_place(self, place: Place) -> None:
        """Check that `place` is the next place. Raises Unattributable (R5-R7)."""
        expected = self.next_place
        if place.table_id != expected.table_id:
            raise Unattributable("R5", "The entry belongs to another table.")
        if place.height != expected.height:
            raise Unattributable(
                "R6",
                "This is entry {height}, but entry {next_height} is next.",
                height=place.height,
                next_height=expected.height,
            )
        if place.previous != expected.previous:
            raise Unattributable("R7", "The entry continues another record than this one.")

    def gives(self, order: Deal) -> tuple[Given, ...]:
        """Return the cards that the order gives, by player instead of by seat."""
        return tuple(
            Given(give.slot, None if give.seat is None else self.match.player_at(give.seat))
            for give in order.gives
        )

    def owed_slots(self, due: Due) -> tuple[Slot, ...]:
        """Return the slots whose cards the writer of the due unlocking has to unlock."""
        assert isinstance(due.order, Deal)
        gives = self.gives(due.order)
        return tuple(given.slot for given in gives if given.player != due.player)

    def shown(self, slot: Slot) -> Shown:
        """Return the card in a slot of this round that lies open."""
        card = self.cards.face(slot)
        assert card is not None, "the proofs say that a card without locks is one of the deck"
        return Shown(slot, self.match.deck[card])

    @property
    def closing(self) -> CloseContent:
        """The content of the closing that all players sign when a round has been counted."""
        closed = self.match.close_round()
        return CloseContent(self.match.round_number, closed.sheets[-1].totals, closed.over)

    def context(self, writer: int, deal_number: int) -> bytes:
        """Return the context of a proof in the next entry: a digest of all that it is bound to.

        That is the table, the height, all entries before, the writer and the deal.
        """
        return digest(
            "context",
            self.table_id,
            number(self.height + 1),
            self.head,
            self.charter.members[writer].key,
            number(deal_number),
        )

    # -- what comes next

    def with_next_writers(self) -> "State":
        """Return the state with the writers for whom the match waits.

        If a shuffle is next, its deal is begun, with fresh cards.
        """
        state = evolve(self, writers=self._next_writers())
        if state.match.orders and isinstance(order := state.match.orders[0], Shuffle):
            cards = state.cards.dealing(
                order, state.table_id, state.match.round_number, state.deal_number
            )
            return evolve(state, cards=cards)
        return state

    def _next_writers(self) -> tuple[int, ...]:
        match = self.match
        if match.mover is not None:
            return (match.mover,)
        if match.round_over:
            return self.closers
        # Nobody is to move, and nothing to be counted or dealt: the match is over.
        if not match.orders:
            return ()
        match match.orders[0]:
            case Shuffle():
                return self.clockwise(match.dealer)
            case OpenHand(seat):
                return (match.player_at(seat),)
            case Deal(gives):
                # Clockwise, beginning at the left of the first receiver, who comes last. A player
                # who gets all of the cards has nothing to unlock.
                seat = match.dealer if gives[0].seat is None else gives[0].seat
                receiver, *others = self.clockwise(seat)
                receivers = {given.player for given in self.gives(match.orders[0])}
                return tuple(player for player in (*others, receiver) if receivers != {player})

    @property
    def closers(self) -> tuple[int, ...]:
        """The players who close the round, in their order: those who are `gone` do not."""
        return tuple(p for p in self.clockwise(self.match.dealer) if p not in self.gone)

    def clockwise(self, first: Seat) -> tuple[int, ...]:
        """Return all players as they sit, the one at `first` first."""
        match = self.match
        return tuple(
            match.player_at(Seat((first + i) % match.players)) for i in range(match.players)
        )
