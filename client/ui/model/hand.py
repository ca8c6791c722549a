"""A person's hand on their own screen: its order, the selection, and melds laid out but not sent.

The hand is an immutable value, from which a screen is drawn.
"""

from enum import Enum
from typing import Self

from attrs import evolve, frozen

from client.i18n.sentences import said
from client.ui.model.staging import Staging
from engine.cards import Card, Suit
from engine.errors import IllegalMove
from engine.moves import Play
from engine.position import Position
from engine.position_facts import Opening, PileState
from engine.slots import Seat, Shown, Slot
from protocol.errors import Refused

_SUIT_ORDER = (None, Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)


class Sorting(Enum):
    """The orders of a hand; the value is the word for it."""

    RANK = "rank"
    SUIT = "suit"
    OWN = "own"


@frozen
class Notice:
    """One sentence for the person; `clause` is the rule behind it."""

    text: str
    clause: str | None = None

    @classmethod
    def refusing(cls, error: IllegalMove | Refused) -> "Notice":
        """Return the notice that tells why something cannot be done."""
        if isinstance(error, IllegalMove):
            return cls(said(error.sentence), error.clause)
        return cls(said(error))


@frozen
class Hand:
    """The person's hand with its order, cursor and selection, and the melds laid out from it."""

    staging: Staging
    order: tuple[Slot, ...] = ()
    """All cards from left to right, including those that are laid out."""
    cursor: int = 0
    """A place among the cards that are not laid out, from 0."""
    selected: frozenset[Slot] = frozenset()
    fresh: frozenset[Slot] = frozenset()
    """The cards that came in the person's turn or, while others play, with the newest view."""
    sorting: Sorting = Sorting.RANK

    @classmethod
    def before(cls, view: Position, seat: Seat, sorting: Sorting) -> Self:
        """Return the sorted hand of `seat`."""
        order = tuple(shown.slot for shown in view.hand(seat))
        return cls(Staging(view, seat), order, sorting=sorting).sorted(sorting)

    @property
    def view(self) -> Position:
        return self.staging.view

    @property
    def seat(self) -> Seat:
        return self.staging.seat

    @property
    def cards(self) -> tuple[Shown, ...]:
        """The cards in hand that are not laid out, from left to right."""
        out = self.staging.slots
        faces = {shown.slot: shown for shown in self.view.hand(self.seat)}
        return tuple(faces[slot] for slot in self.order if slot in faces and slot not in out)

    @property
    def chosen(self) -> tuple[Shown, ...]:
        """The selected cards, from left to right."""
        return tuple(shown for shown in self.cards if shown.slot in self.selected)

    @property
    def under_cursor(self) -> Shown | None:
        hand = self.cards
        return hand[self.cursor] if hand else None

    @property
    def discard_target(self) -> Shown | None:
        """The card that a discard would throw: the one selected, or the one under the cursor."""
        chosen = self.chosen or tuple(filter(None, [self.under_cursor]))
        return chosen[0] if len(chosen) == 1 else None

    @property
    def pile_is_offered(self) -> bool:
        """True if the pile may be taken by a player who has the cards for it.

        In games that take the pile without any cards (B13), the size of the hand can forbid it
        (B15).
        """
        status = self.view.pile_status(self.staging.side)
        if self.view.takes_pile_bare and not self.view.may_take_pile():
            return False
        return bool(self.view.pile) and status.state is not PileState.BLOCKED

    @property
    def reach(self) -> Opening | None:
        """The opening of the melds laid out, together with the selected cards.

        None if the side has opened, or if no selected card can be used for an opening.
        """
        plays = self.staging.plays
        useful = tuple(shown for shown in self.chosen if self.view.opens_with(shown.card))
        if useful:
            plays = (*plays, Play(useful))
        elif self.chosen:
            return None
        return self.view.opening(self.staging.side, plays)

    # -- what changes

    def over(self, view: Position) -> Self:
        """Return the hand after the table has moved on to `view`."""
        held = view.hands[self.seat]
        came = frozenset(held) - frozenset(self.order)
        began = bool(self.order)  # if there is no order, the first cards come: none is marked
        mine = view.turn.seat == self.seat
        was_mine = self.view.turn.seat == self.seat
        # Within the person's turn, new cards stay marked when more cards come, for example when the
        # person takes the pile. In any other case the earlier marks go.
        kept = self.fresh if mine and was_mine else frozenset()
        order = tuple(slot for slot in self.order if slot in held)
        hand = evolve(
            self,
            staging=self.staging.over(view),
            order=order + tuple(slot for slot in held if slot in came),
            selected=self.selected & frozenset(held),
            fresh=((kept | came) & frozenset(held)) if began else frozenset(),
        )
        return hand.sorted(self.sorting) if came else hand.placed(self.cursor)

    def laid_out(self, staging: Staging) -> Self:
        """Return the hand with other melds laid out, and no card selected."""
        return evolve(self, staging=staging, selected=frozenset()).placed(self.cursor)

    def placed(self, cursor: int) -> Self:
        """Return the hand with the cursor at that place, or at the end of the hand."""
        return evolve(self, cursor=max(0, min(cursor, len(self.cards) - 1)))

    def toggled(self, slot: Slot | None) -> Self:
        """Return the hand with a card selected, or unselected if it was selected.

        The card is that of `slot` or, if `slot` is None, the card under the cursor.
        """
        if slot is None and (here := self.under_cursor):
            slot = here.slot
        return self if slot is None else evolve(self, selected=self.selected ^ {slot})

    def with_selected(self, cards: tuple[Shown, ...]) -> Self:
        return evolve(self, selected=frozenset(shown.slot for shown in cards))

    def sorted(self, sorting: Sorting) -> Self:
        """Return the hand sorted; in the person's own order new cards lie last."""
        hand = evolve(self, sorting=sorting)
        if sorting is Sorting.OWN:
            return hand.placed(self.cursor)
        faces = {shown.slot: shown.card for shown in self.view.hand(self.seat)}
        known = (slot for slot in self.order if slot in faces)
        order = tuple(sorted(known, key=lambda slot: self._place(faces[slot], sorting)))
        return evolve(hand, order=order).placed(self.cursor)

    def _place(self, card: Card, sorting: Sorting) -> tuple[object, ...]:
        """Return the sort key of a card, wild cards last."""
        suit = _SUIT_ORDER.index(card.suit)
        by = (card.rank, suit) if sorting is Sorting.RANK else (suit, card.rank)
        # False comes before True. The number comes last, so that equal cards never change places.
        return self.view.is_wild(card), *by, card.number

    def shifted(self, by: int) -> Self:
        """Return the hand with the card under the cursor moved by one place, 1 or -1.

        From then on the order is the person's own.
        """
        hand = [shown.slot for shown in self.cards]
        here, there = self.cursor, self.cursor + by
        if not 0 <= there < len(hand):
            return self
        hand[here], hand[there] = hand[there], hand[here]
        # Cards that are laid out go to the end of the order, and lie there when they are taken
        # back.
        out = tuple(slot for slot in self.order if slot not in hand)
        order = (*hand, *out)
        return evolve(self, order=order, sorting=Sorting.OWN, cursor=there)
