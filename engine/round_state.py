"""What lies where in a round, and whose turn it is: all that the rules of a game look at.

`engine.position` adds the moves. A state is a value; it knows a card that lies in a hand or in the
stock only by its slot. Two mappings tell more: `known` holds the cards that everybody has seen
(those taken with the pile), `private` those that only this replica knows.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, ClassVar, Self

from attrs import Factory, evolve, frozen

from engine.cards import Card
from engine.copy_with_changes import CopyWithChanges
from engine.decks import Deck
from engine.melds import Laid, Meld
from engine.moves import Move, Play
from engine.notation.own_lines import OwnLine
from engine.notation.unstated_facts import UnstatedFact
from engine.options import Options
from engine.orders import Deal, Give, OpenHand, Order
from engine.score_sheet import CLOSED_CARDS, Item, ScoreSheet
from engine.sentences import N_, Marked, Sentence
from engine.slots import Seat, Shown, Side, Slot, slots_of
from engine.table_status import Duty, MeldClass, Opening, PileStatus, Taking
from engine.turn import Step, Turn


@frozen(kw_only=True, slots=False)
class RoundState(CopyWithChanges, ABC):
    """The round as all replicas agree on it, plus the private faces of this one.

    `stock[0]` is the next card to be drawn, `pile[-1]` the top of the discard pile. `hands` go by
    seat, `laid` and `totals` (the match score before the round) by side. While there are `orders`,
    nobody moves: the first of them is waiting to be delivered. `closed` are the seats whose hands
    stay closed when the round is counted.
    """

    deck: ClassVar[Deck]
    bonus_duty: ClassVar[str] = ""
    """The clause by which bonus cards are laid at once; "" in a game without them."""
    takes_pile_bare: ClassVar[bool] = False
    """Whether the pile is taken first, and melded from afterwards."""
    one_meld_of_a_rank: ClassVar[bool] = False
    """Whether a side has one meld of a rank at most."""
    out_by_discard: ClassVar[str] = ""
    """The clause by which going out always ends with a discard, if there is one."""
    draws_without_stock: ClassVar[bool] = False
    """Whether a turn may begin with an empty stock."""
    steps: ClassVar[tuple[Step, ...]]
    """What a turn may wait for once the cards are dealt."""
    lacking: ClassVar[tuple[type[Move], ...]] = ()
    """Kinds of moves that other games have and this one does not."""
    hands_cost_by_number: ClassVar[bool] = False
    """Whether only the number of cards in a hand matters when it is counted."""
    meld_words: ClassVar[Mapping[MeldClass, Marked]] = {
        MeldClass.CLEAN: N_("clean"),
        MeldClass.DIRTY: N_("dirty"),
        MeldClass.ROYAL: N_("royal"),
    }
    """The game's words for what melds count as."""
    letter: ClassVar[str]
    """What the clauses of the game begin with."""
    sheet_lines: ClassVar[tuple[str, ...]] = ()
    """What can stand on a sheet of the game, the first line first."""
    own_lines: ClassVar[tuple[OwnLine, ...]] = ()
    """Lines of the notation for the fields that this game has beside the common ones."""

    options: Options
    seats: int
    dealer: Seat
    totals: tuple[int, ...]
    stock: tuple[Slot, ...] = ()
    pile: tuple[Shown, ...] = ()
    hands: tuple[tuple[Slot, ...], ...] = ()
    laid: tuple[Laid, ...] = ()
    known: Mapping[Slot, Shown] = Factory(dict)
    private: Mapping[Slot, Shown] = Factory(dict)
    turn: Turn
    orders: tuple[Order, ...] = ()
    closer: Seat | None = None
    closed: frozenset[Seat] = frozenset()
    sheet: ScoreSheet | None = None

    # -- who sits where

    @property
    def sides(self) -> int:
        return len(self.totals)

    def side_of(self, seat: Seat) -> Side:
        """Partners sit opposite: seat i and seat i + sides play together."""
        return Side(seat % len(self.totals))

    def members(self, side: Side) -> tuple[Seat, ...]:
        return tuple([Seat(seat) for seat in range(side, self.seats, self.sides)])

    def partner_of(self, seat: Seat) -> Seat | None:
        first = seat % self.sides
        other = Seat(first if first != seat else first + self.sides)
        return other if other < self.seats else None

    def left_of(self, seat: Seat) -> Seat:
        """The next seat clockwise."""
        return Seat((seat + 1) % self.seats)

    def clockwise(self, first: Seat) -> Iterator[Seat]:
        """All seats once, `first` first."""
        return (Seat((first + i) % self.seats) for i in range(self.seats))

    # -- what is seen

    @property
    def to_move(self) -> Seat | None:
        """The seat that moves next; None while cards are being dealt and when all is counted."""
        if self.orders or self.sheet:
            return None
        if self.turn.step is Step.ANSWER:
            return self.partner_of(self.turn.seat)
        return self.turn.seat

    @property
    def side(self) -> Side:
        """The side whose turn it is."""
        return self.side_of(self.turn.seat)

    def face(self, slot: Slot) -> Card | None:
        """The card in a slot of a hand or the stock, if this replica knows it."""
        shown = self.known.get(slot) or self.private.get(slot)
        return shown.card if shown else None

    def hand(self, seat: Seat) -> tuple[Shown, ...]:
        """The cards of a hand whose faces this replica knows."""
        seen = self._seen
        return tuple([seen[slot] for slot in self.hands[seat] if slot in seen])

    def hand_cards(self, seat: Seat) -> tuple[Card, ...]:
        """The faces of `hand`, without their slots."""
        seen = self._seen
        return tuple([seen[slot].card for slot in self.hands[seat] if slot in seen])

    @property
    def _seen(self) -> Mapping[Slot, Shown]:
        """All cards that this replica knows."""
        return {**self.private, **self.known} if self.known else self.private

    def seen(self, cards: Iterable[Shown]) -> Self:
        """This position with these cards as what this replica privately knows."""
        return self.changed(private={shown.slot: shown for shown in cards})

    # -- what the table shows

    @classmethod
    @abstractmethod
    def is_wild(cls, card: Card) -> bool:
        """Whether the card may stand for another in a meld."""

    @classmethod
    def is_bonus(cls, card: Card) -> bool:
        """Whether the card is laid on the table at once, for its own points."""
        del card
        return False

    @classmethod
    @abstractmethod
    def card_points(cls, card: Card) -> int:
        """What a card is worth in a meld; 0 for one that is never melded."""

    @property
    def opened(self) -> bool:
        """Whether the side whose turn it is has melded in this round."""
        return bool(self.laid[self.side].melds)

    @abstractmethod
    def melds_after(self, side: Side, plays: tuple[Play, ...]) -> tuple[Meld, ...]:
        """What lies before a side with the plays laid. Raises IllegalMove where one is no meld."""

    @abstractmethod
    def meld_class(self, meld: Meld) -> MeldClass | None:
        """What a meld counts as; None while it is not complete."""

    def in_order(self, meld: Meld) -> tuple[Shown, ...]:
        """The cards of a meld as they lie."""
        return meld.cards

    @abstractmethod
    def pile_status(self, side: Side) -> PileStatus:
        """How the pile lies for a side."""

    @property
    def pile_seen(self) -> tuple[Shown, ...]:
        """The cards of the pile below the top that may be looked at."""
        return ()

    @property
    def set_aside(self) -> tuple[tuple[Slot, ...], ...]:
        """Hands that lie face down beside the stock."""
        return ()

    def opening(self, side: Side, plays: tuple[Play, ...] = ()) -> Opening | None:
        """How far the plays reach as first melds of a side; None where none are asked for."""
        del side, plays
        return None

    @property
    def taking(self) -> Taking:
        """What the side whose turn it is would take of the pile."""
        return Taking.PILE

    @property
    def may_ask(self) -> bool:
        """Whether the seat whose turn it is has a partner to ask before it goes out."""
        return self.partner_of(self.turn.seat) is not None and not self.turn.asked

    @property
    def duty(self) -> Duty | None:
        """The bonus cards that the seat to move must lay now, as far as this replica sees its
        hand: those dealt, be it none, and later those drawn in this turn. Otherwise None.
        """
        if not self.bonus_duty or self.turn.step not in (Step.SHOW, Step.PLAY):
            return None
        dealt = self.turn.step is Step.SHOW
        if not dealt and not any(map(self._sees_bonus, self.turn.drawn)):
            return None
        cards = tuple(
            [
                shown
                for shown in self.hand(self.turn.seat)
                if (dealt or shown.slot in self.turn.drawn) and self.is_bonus(shown.card)
            ]
        )
        return Duty(cards, self.bonus_duty) if dealt or cards else None

    def _sees_bonus(self, slot: Slot) -> bool:
        card = self.face(slot)
        return card is not None and self.is_bonus(card)

    @abstractmethod
    def may_take_pile(self) -> bool:
        """Whether the seat to draw could take of the pile, with cards that it may hold as far as
        this replica has seen. False is certain; True may still fail for what an opening takes.
        """

    def may_hold(self, seat: Seat, fits: Callable[[Card], bool]) -> int:
        """How many cards that fit `seat` has at most, as far as this replica has seen."""
        faces = [self.face(slot) for slot in self.hands[seat]]
        seen = sum(card is not None and fits(card) for card in faces)
        return seen + min(faces.count(None), sum(map(fits, self.unseen())))

    def unseen(self) -> tuple[Card, ...]:
        """The cards of the deck whose face this replica sees nowhere: neither on the table nor in
        a hand. After a new shuffle they may lie in the new stock.
        """
        seen = {shown.card.number for shown in self.face_up()}
        for hand in self.hands:
            faces = (self.face(slot) for slot in hand)
            seen |= {card.number for card in faces if card is not None}
        return tuple(card for card in self.deck if card.number not in seen)

    def face_up(self) -> Iterator[Shown]:
        """All cards that lie face up: the discard pile, melds and bonus cards."""
        yield from self.pile
        for laid in self.laid:
            yield from laid.bonus
            for meld in laid.melds:
                yield from meld.cards

    @abstractmethod
    def meld_of(self, cards: tuple[Shown, ...]) -> Meld:
        """The meld that these cards are when they lie on the table. Raises IllegalMove."""

    @abstractmethod
    def may_go_out(self, side: Side) -> bool:
        """Whether the side has what going out takes, as far as its table and options tell."""

    def gets_more(self, seat: Seat) -> bool:
        """Whether cards come into the hand of `seat` when it has laid or discarded all of it."""
        del seat
        return False

    @abstractmethod
    def table_items(self, side: Side) -> Iterator[Item]:
        """What lies before a side, as it would be counted if the round ended now."""

    def table_points(self, side: Side) -> int:
        """The sum of `table_items`."""
        return sum(item.points for item in self.table_items(side))

    @abstractmethod
    def hand_items(self, cards: tuple[Card, ...]) -> Iterator[Item]:
        """What cards that stay in a hand count for its side, mostly less than nothing: the sum of
        what each counts by itself.
        """

    def hand_points(self, cards: tuple[Card, ...]) -> int:
        """The sum of `hand_items`."""
        return sum(item.points for item in self.hand_items(cards))

    def closed_items(self, side: Side) -> Iterator[Item]:
        """What the hidden cards of hands that stay closed count for a side: the least that so many
        cards could, of those that nobody has seen (clause X24).
        """
        closed = [seat for seat in self.members(side) if seat in self.closed]
        if not closed:
            return
        unseen = self.seen(()).unseen()
        worst = sorted(self.hand_points((card,)) for card in unseen)
        for seat in closed:
            if hidden := sum(slot not in self.known for slot in self.hands[seat]):
                yield Item(CLOSED_CARDS, hidden, sum(worst[:hidden]), "X24")

    def interrupted_items(self, side: Side) -> Iterator[Item]:
        """What a side scores when the round is interrupted and the players at the seats in `closed`
        are missing: its table, less what the hands of those of its players cost (clause X25).
        """
        yield from self.table_items(side)
        closed = [self.hand_cards(seat) for seat in self.members(side) if seat in self.closed]
        yield from self.hand_items(tuple(chain(*closed)))
        yield from self.closed_items(side)

    def inferred(self) -> Self:
        """This state, read from a text, with what its lines leave no doubt about.

        Raises NotationError where they contradict each other.
        """
        return self

    def unstated_facts(self, stated: frozenset[str]) -> Iterator[UnstatedFact]:
        """What the lines that a text of this state has leave open: `stated` are their words, and
        with "turn " before them the words of the line `turn`.
        """
        told = not stated.isdisjoint(("turn drew", "turn took"))
        if not self.bonus_duty or told or self.turn.step not in (Step.PLAY, Step.ANSWER):
            return
        hand = self.hands[self.turn.seat]
        bonus = [shown.slot for shown in self.hand(self.turn.seat) if self.is_bonus(shown.card)]
        hidden = [slot for slot in hand if self.face(slot) is None]
        if drawn := (*bonus, *hidden[-1:]):
            say = Sentence(
                "turn {seat} {step} drew, and how many cards were drawn",
                seat=self.turn.seat + 1,
                step=self.turn.step.name.lower(),
            )
            yield UnstatedFact(say, ({}, {"turn": evolve(self.turn, drawn=drawn)}))

    # -- what changes

    def losing(self, seat: Seat, cards: Iterable[Shown], **changes: Any) -> Self:
        """Without these cards in the hand of `seat`, and with other changes."""
        gone = {shown.slot for shown in cards}
        left = tuple([slot for slot in self.hands[seat] if slot not in gone])
        return self.changed(
            hands=(*self.hands[:seat], left, *self.hands[seat + 1 :]),
            known=_without(self.known, gone),
            private=_without(self.private, gone),
            **changes,
        )

    def gaining(self, seat: Seat, cards: tuple[Shown, ...], **changes: Any) -> Self:
        """With cards that everybody has seen added to the hand of `seat`, and other changes."""
        more = self.hands[seat] + slots_of(cards)
        return self.changed(
            hands=(*self.hands[:seat], more, *self.hands[seat + 1 :]),
            known={**self.known, **{shown.slot: shown for shown in cards}},
            **changes,
        )

    def laying(
        self, side: Side, melds: tuple[Meld, ...] | None = None, bonus: tuple[Shown, ...] = ()
    ) -> Self:
        """With what `laid_with` says."""
        return self.changed(laid=self.laid_with(side, melds, bonus))

    def laid_with(
        self,
        side: Side,
        melds: tuple[Meld, ...] | None = None,
        bonus: tuple[Shown, ...] = (),
    ) -> tuple[Laid, ...]:
        """What lies on the table, with `melds` as those of a side, and its `bonus` cards added."""
        before = self.laid[side]
        after = Laid(before.melds if melds is None else melds, before.bonus + bonus)
        return (*self.laid[:side], after, *self.laid[side + 1 :])

    def turning(self, **changes: Any) -> Self:
        """With changes to the turn."""
        return self.changed(turn=self.turn.changed(**changes))

    def drawing(self, count: int, **changes: Any) -> Self:
        """With the order to give the mover the next `count` cards of the stock, or what is left,
        and with changes to the turn.
        """
        turn, slots = self.turn, self.stock[:count]
        order = Deal(tuple([Give(slot, turn.seat) for slot in slots]))
        return self.changed(
            orders=(*self.orders, order), turn=turn.changed(drawn=turn.drawn + slots, **changes)
        )

    def passing_to(self, seat: Seat, step: Step = Step.DRAW) -> Self:
        """With a new turn for `seat`."""
        return self.changed(turn=self.turn_of(seat, step))

    def turn_of(self, seat: Seat, step: Step = Step.DRAW) -> Turn:
        """A new turn of `seat`."""
        return Turn(seat, step, fresh=not self.laid[self.side_of(seat)].melds)

    def finishing(self, closer: Seat | None) -> Self:
        """With the round over: every hand in which there are cards is to be opened (clause X5)."""
        opening = tuple(
            OpenHand(seat, self.hands[seat])
            for seat in self.clockwise(self.left_of(self.dealer))
            if self.hands[seat]
        )
        return self.turning(step=Step.OVER).changed(orders=opening, closer=closer)


def _without(cards: Mapping[Slot, Shown], gone: set[Slot]) -> Mapping[Slot, Shown]:
    if not cards or cards.keys().isdisjoint(gone):
        return cards
    return {slot: shown for slot, shown in cards.items() if slot not in gone}
