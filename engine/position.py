"""A round in progress, whichever of the three games it is.

A `Position` is a value: `apply` and `deliver` give the next one and leave this one as it was. It
knows a card that lies in a hand or in the stock only by its slot. Two mappings tell more: `known`
holds the faces that everybody has seen (cards taken with the pile), `private` the faces that only
this replica knows. No verdict of `apply` depends on `private` (clause X12): it serves
`legal_moves`, which serves the seat that sees them.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, ClassVar, Self

from attrs import Factory, evolve, frozen

from engine.cards import Card
from engine.decks import Deck
from engine.errors import IllegalMove
from engine.melds import Laid, Meld
from engine.moves import (
    Answer,
    Ask,
    Cut,
    Discard,
    DrawStock,
    LayMelds,
    Move,
    Pass,
    ShowBonus,
    TakePile,
    TakeTop,
    shown_by,
)
from engine.options import Options
from engine.orders import Deal, Give, OpenHand, Order, Shuffle
from engine.score_sheet import ScoreSheet
from engine.sentences import Sentence
from engine.slots import Seat, Shown, Side, Slot, slot_range


class Step(Enum):
    """What the round waits for; the value completes the sentence "It is the moment to ..."."""

    DEAL = "shuffle and deal"
    CUT = "cut the deck"
    SHOW = "lay dealt bonus cards on the table"
    OPEN = "make the round's first discard"
    DRAW = "draw"
    PLAY = "meld or discard"
    ANSWER = "answer one's partner"
    OVER = "open the hands and count"


MOVES_OF_STEP: Mapping[Step, tuple[type[Move], ...]] = {
    Step.DEAL: (),
    Step.CUT: (Cut,),
    Step.SHOW: (ShowBonus,),
    Step.OPEN: (Discard,),
    Step.DRAW: (DrawStock, TakePile, TakeTop, Pass),
    Step.PLAY: (ShowBonus, LayMelds, Ask, Discard, Pass),
    Step.ANSWER: (Answer,),
    Step.OVER: (),
}


@frozen
class Turn:
    """Whose turn it is and what has happened in it.

    `drawn` are the slots that came from the stock in this turn; `took` tells that the whole
    pile was taken; `fresh` that the side had no meld when the turn began; `asked` that the partner
    was asked, and `answer` what he said.
    """

    seat: Seat
    step: Step
    drawn: tuple[Slot, ...] = ()
    took: bool = False
    fresh: bool = True
    asked: bool = False
    answer: bool | None = None


@frozen(kw_only=True)
class Position(ABC):
    """The round as all replicas agree on it, plus the private faces of this one.

    `stock[0]` is the next card to be drawn, `pile[-1]` the top of the discard pile. `hands` go by
    seat, `laid` and `totals` (the match score before the round) by side. While there are `orders`,
    nobody moves: the first of them is waiting to be delivered.
    """

    deck: ClassVar[Deck]

    options: Options
    seats: int
    dealer: Seat
    totals: tuple[int, ...]
    stock: tuple[Slot, ...] = ()
    pile: tuple[Shown, ...] = ()
    hands: tuple[tuple[Slot, ...], ...] = ()
    laid: tuple[Laid, ...] = ()
    known: Mapping[Slot, Card] = Factory(dict)
    private: Mapping[Slot, Card] = Factory(dict)
    turn: Turn
    orders: tuple[Order, ...] = ()
    closer: Seat | None = None
    sheet: ScoreSheet | None = None

    @classmethod
    def start(
        cls, options: Options, seats: int, dealer: Seat, totals: tuple[int, ...]
    ) -> "Position":
        """A round about to be shuffled: the first order is for the whole deck."""
        return cls(
            options=options,
            seats=seats,
            dealer=dealer,
            totals=totals,
            hands=seats * ((),),
            laid=len(totals) * (Laid(),),
            turn=Turn(dealer, Step.DEAL),
            orders=(Shuffle(cls.deck),),
        )

    # -- who sits where

    @property
    def sides(self) -> int:
        return len(self.totals)

    def side_of(self, seat: Seat) -> Side:
        """Partners sit opposite: seat i and seat i + sides play together."""
        return Side(seat % self.sides)

    def members(self, side: Side) -> tuple[Seat, ...]:
        return tuple(Seat(seat) for seat in range(side, self.seats, self.sides))

    def partner_of(self, seat: Seat) -> Seat | None:
        others = [other for other in self.members(self.side_of(seat)) if other != seat]
        return others[0] if others else None

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
        return self.known.get(slot) or self.private.get(slot)

    def hand(self, seat: Seat) -> tuple[Shown, ...]:
        """The cards of a hand whose faces this replica knows."""
        faces = ((slot, self.face(slot)) for slot in self.hands[seat])
        return tuple(Shown(slot, card) for slot, card in faces if card is not None)

    def seen(self, faces: Mapping[Slot, Card]) -> Self:
        """This position with `faces` as what this replica privately knows."""
        return evolve(self, private=dict(faces))

    # -- moves

    def apply(self, move: Move) -> Self:
        """The position after `move` of the seat to move.

        The faces in the move count as proven: whoever applies it has checked them.
        Raises IllegalMove with the clause.
        """
        if self.orders:
            raise IllegalMove("X10", "Cards are being dealt or turned up; nobody moves yet.")
        if not isinstance(move, MOVES_OF_STEP[self.turn.step]):
            raise IllegalMove(
                "X10", "It is the moment to {step}.", step=Sentence(self.turn.step.value)
            )
        self._check_cards(move)
        return self.play(move)

    def allows(self, move: Move) -> bool:
        """Whether `apply` would take the move."""
        try:
            self.apply(move)
        except IllegalMove:
            return False
        return True

    def legal_moves(self, seat: Seat) -> tuple[Move, ...]:
        """What `seat` may do, from what this replica sees of its hand; () when it is not its turn.

        Complete up to cards of equal face and up to bounds on what is laid at once, which
        `candidates` of each game names.
        """
        if seat != self.to_move:
            return ()
        return tuple(move for move in self.candidates() if self.allows(move))

    @abstractmethod
    def candidates(self) -> Iterator[Move]:
        """Moves of the seat to move worth trying; every one `apply` takes is legal."""

    @abstractmethod
    def play(self, move: Move) -> Self:
        """The game's own part of `apply`: the move fits the step, and its cards are the mover's."""

    def _check_cards(self, move: Move) -> None:
        """Cards named in a move lie where the mover can show them, each once (clause X11)."""
        allowed = set(self.hands[self.turn.seat])
        faces = dict(self.known)
        if self.pile and isinstance(move, TakePile | TakeTop):
            allowed.add(self.pile[-1].slot)
            faces[self.pile[-1].slot] = self.pile[-1].card
        numbers = set()
        for shown in shown_by(move):
            if shown.slot not in allowed:
                raise IllegalMove(
                    "X11", "The {card} is not in the hand, or named twice.", card=shown.card
                )
            if faces.get(shown.slot, shown.card) != shown.card:
                raise IllegalMove(
                    "X11", "That card was seen before, and it is no {card}.", card=shown.card
                )
            allowed.remove(shown.slot)
            numbers.add(shown.card.number)
        if len(numbers) != len(shown_by(move)):
            raise IllegalMove("X11", "One physical card is named twice.")

    # -- deliveries

    def deliver(self, shown: Iterable[Shown] = ()) -> Self:
        """The position after the first order is fulfilled.

        `shown` are the cards that came face up: those dealt to nobody's hand, or an opened hand.
        """
        order, rest = self.orders[0], self.orders[1:]
        cards = tuple(shown)
        base = evolve(self, orders=rest)
        match order:
            case Shuffle():
                expected: tuple[Slot, ...] = ()
                stock = self.stock + slot_range(order.first, len(order.cards))
                after = evolve(base, stock=stock)
            case Deal():
                expected = order.to(None)
                after = base._dealt(order)
            case OpenHand():
                expected = order.slots
                after = evolve(base, known={**self.known, **{s.slot: s.card for s in cards}})
        if tuple(card.slot for card in cards) != expected:
            raise ValueError(f"the order {order} shows slots {expected}, not {cards}")
        return after.delivered(order, cards)

    def _dealt(self, order: Deal) -> Self:
        given = {give.slot for give in order.gives}
        return evolve(
            self,
            stock=tuple(slot for slot in self.stock if slot not in given),
            hands=tuple(
                hand + order.to(Seat(seat)) if order.to(Seat(seat)) else hand
                for seat, hand in enumerate(self.hands)
            ),
        )

    @abstractmethod
    def delivered(self, order: Order, shown: tuple[Shown, ...]) -> Self:
        """The game's own part of `deliver`: the cards have moved; what comes next?"""

    # -- building blocks of the games

    def losing(self, seat: Seat, cards: Iterable[Shown]) -> Self:
        """Without these cards in the hand of `seat`."""
        gone = {shown.slot for shown in cards}
        hands = list(self.hands)
        hands[seat] = tuple(slot for slot in hands[seat] if slot not in gone)
        return evolve(
            self,
            hands=tuple(hands),
            known={slot: card for slot, card in self.known.items() if slot not in gone},
            private={slot: card for slot, card in self.private.items() if slot not in gone},
        )

    def gaining(self, seat: Seat, cards: tuple[Shown, ...]) -> Self:
        """With cards that everybody has seen added to the hand of `seat`."""
        hands = list(self.hands)
        hands[seat] += tuple(shown.slot for shown in cards)
        known = {**self.known, **{shown.slot: shown.card for shown in cards}}
        return evolve(self, hands=tuple(hands), known=known)

    def laying(
        self,
        side: Side,
        melds: tuple[Meld, ...] | None = None,
        bonus: tuple[Shown, ...] = (),
    ) -> Self:
        """With `melds` as what lies on the table of `side`, and `bonus` cards added to it."""
        laid = list(self.laid)
        laid[side] = Laid(
            laid[side].melds if melds is None else melds,
            laid[side].bonus + bonus,
        )
        return evolve(self, laid=tuple(laid))

    def turning(self, **changes: Any) -> Self:
        """With changes to the turn."""
        return evolve(self, turn=evolve(self.turn, **changes))

    def drawing(self, seat: Seat, count: int) -> Self:
        """With the order to give the next `count` cards of the stock (or what is left)."""
        return evolve(
            self, orders=(*self.orders, Deal(tuple(Give(s, seat) for s in self.stock[:count])))
        )

    def passing_to(self, seat: Seat, step: Step = Step.DRAW) -> Self:
        """With a new turn for `seat`."""
        fresh = not self.laid[self.side_of(seat)].melds
        return evolve(self, turn=Turn(seat, step, fresh=fresh))

    def finishing(self, closer: Seat | None) -> Self:
        """With the round over: every hand is opened, then the points are counted (clause X5).

        Empty hands are opened too: so who opens does not depend on what only the rules know.
        """
        opening = tuple(
            OpenHand(seat, self.hands[seat]) for seat in self.clockwise(self.left_of(self.dealer))
        )
        return evolve(self.turning(step=Step.OVER), orders=opening, closer=closer)

    @abstractmethod
    def meld_of(self, cards: tuple[Shown, ...]) -> Meld:
        """The meld that these cards are when they lie on the table. Raises IllegalMove."""

    @abstractmethod
    def score(self) -> ScoreSheet:
        """The sheet of a finished round, all hands being open."""
