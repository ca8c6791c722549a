"""A round in progress, whichever game it is, and the moves in it.

`apply` and `deliver` give the next position and leave this one as it was. No verdict of `apply`
depends on the faces that only this replica knows (clause X12): they serve `legal_moves`, which
serves the seat that sees them.
"""

from abc import abstractmethod
from collections.abc import Iterable
from typing import ClassVar, Self

from attrs import frozen

from engine.errors import IllegalMove
from engine.melds import Laid
from engine.moves import (
    Answer,
    Ask,
    Cut,
    Discard,
    DrawStock,
    LayMelds,
    Move,
    TakePile,
    TakeTop,
    shown_by,
)
from engine.options import Options
from engine.orders import Deal, OpenHand, Order, Shuffle
from engine.round_state import RoundState
from engine.score_sheet import ScoreSheet
from engine.sentences import Sentence
from engine.slots import Seat, Shown, Side, Slot, slot_range, slots_of
from engine.table_status import PileOffer, Taking
from engine.turn import MOVES_OF_STEP, Step, Turn

_SURE: frozenset[type[Move]] = frozenset({Cut, DrawStock, Answer})
_SURE_WITH_CARDS: frozenset[type[Move]] = _SURE | {Discard, Ask}


def lays_at_most(candidate: Move, most: int) -> bool:
    """Whether a candidate melds or takes from the pile, and lays at most so many cards."""
    if not isinstance(candidate, (LayMelds, TakePile, TakeTop)):
        return False
    left = most
    for play in candidate.plays:
        left -= len(play.cards)
    return left >= 0


@frozen(kw_only=True, slots=False)
class Position(RoundState):
    """The round as all replicas agree on it, plus the private faces of this one."""

    finds_legal: ClassVar[bool] = False
    """Whether the candidates to cut, draw, take, answer, meld, discard or ask are legal by the way
    they are found. Whether the last cards may leave a hand is always judged.
    """

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

    # -- moves

    def apply(self, move: Move) -> Self:
        """The position after `move` of the seat to move.

        The faces in the move count as proven: whoever applies it has checked them.
        Raises IllegalMove with the clause.
        """
        self.check(move)
        return self.play(move)

    def check(self, move: Move) -> None:
        """Raises what `apply` would raise. The next position is not made."""
        if self.orders:
            raise IllegalMove("X10", "Cards are being dealt or turned up; nobody moves yet.")
        if not isinstance(move, MOVES_OF_STEP[self.turn.step]):
            raise IllegalMove(
                "X10", "It is the moment to {step}.", step=Sentence.of(self.turn.step.value)
            )
        self._check_cards(move)
        self.judge(move)

    def allows(self, move: Move) -> bool:
        """Whether `apply` would take the move."""
        try:
            self.check(move)
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
        sure, most = self.sure_moves
        return tuple(
            [
                move
                for move in self.candidates()
                if type(move) in sure or lays_at_most(move, most) or self.may(move)
            ]
        )

    def may(self, candidate: Move) -> bool:
        """Whether the rules allow a candidate: it fits the step, and shows cards of the mover."""
        try:
            self.judge(candidate)
        except IllegalMove:
            return False
        return True

    @abstractmethod
    def candidates(self) -> Iterable[Move]:
        """Moves worth trying: they fit the step, and name cards of the mover that this replica sees
        (and of the pile, where it is taken), each once.
        """

    @property
    def sure_moves(self) -> tuple[frozenset[type[Move]], int]:
        """The kinds of candidates that need not be judged, and how many cards others may lay that
        need not be judged either: more than the last card stays in the hand.
        """
        if not self.finds_legal:
            return frozenset(), -1
        held = len(self.hands[self.turn.seat])
        return (_SURE_WITH_CARDS if held > 1 else _SURE), held - 2

    @abstractmethod
    def judge(self, move: Move) -> None:
        """The game's own part of `check`: the move fits the step, and its cards are the mover's.

        Raises IllegalMove.
        """

    @abstractmethod
    def play(self, move: Move) -> Self:
        """The position after a move that `check` has found legal."""

    def _check_cards(self, move: Move) -> None:
        """Cards named in a move lie where the mover can show them, each once (clause X11)."""
        cards = shown_by(move)
        if not cards:
            return
        allowed = set(self.hands[self.turn.seat])
        known = self.known
        if self.pile and isinstance(move, (TakePile, TakeTop)):
            top = self.pile[-1]
            allowed.add(top.slot)
            known = {**known, top.slot: top}
        for shown in cards:
            slot, card = shown.slot, shown.card
            if slot not in allowed:
                raise IllegalMove(
                    "X11", "The {card} is not in the hand, or named twice.", card=card
                )
            if slot in known and known[slot].card != card:
                raise IllegalMove(
                    "X11", "That card was seen before, and it is no {card}.", card=card
                )
            allowed.remove(slot)
        if len(cards) > 1 and len({shown.card.number for shown in cards}) != len(cards):
            raise IllegalMove("X11", "One physical card is named twice.")

    # -- what games share

    def check_cut(self, number: int, clause: str) -> None:
        """A cut is a number of cards of the stock, and not all. Raises IllegalMove."""
        if not 0 <= number < len(self.stock):
            most = len(self.stock) - 1
            raise IllegalMove(clause, "The cut is a number from 0 to {most}.", most=most)

    def stock_cut(self, number: int) -> tuple[Slot, ...]:
        """The stock, with so many cards from its top put under it."""
        return self.stock[number:] + self.stock[:number]

    def lays_in_time(self, bonus: tuple[Shown, ...]) -> bool:
        """Whether bonus cards are laid when all lay theirs after the deal, or when drawn."""
        drawn = self.turn.drawn
        return self.turn.step is Step.SHOW or (
            bool(bonus) and all(shown.slot in drawn for shown in bonus)
        )

    def check_question(self, partner: str, once: str, before: str, *, again: bool = False) -> None:
        """One asks a partner (clause `partner`), once in a turn (`once`) unless `again`, and while
        a No can be obeyed (`before`): the last card must be discarded (X3). Raises IllegalMove.
        """
        if self.partner_of(self.turn.seat) is None:
            raise IllegalMove(partner, "There is no partner to ask.")
        if self.turn.asked and not again:
            raise IllegalMove(once, "One asks once in a turn.")
        if len(self.hands[self.turn.seat]) < 2:
            raise IllegalMove(before, "One asks before melding down to the last card.")

    def pile_offer(self, discard: Shown) -> PileOffer | None:
        """What the discard would offer to the next seat; None where nobody comes to take it.

        Raises IllegalMove for a card that may not be discarded.
        """
        throw = Discard(discard)
        self.judge(throw)
        after = self.play(throw)
        if after.to_move is None:
            return None
        taker, taking = after.turn.seat, after.taking
        if not after.may_take_pile():
            return PileOffer(taker, Taking.NOTHING)
        gained = after.pile if taking is Taking.PILE else after.pile[-1:]
        seen = after.seen(())
        return PileOffer(
            taker,
            taking,
            certain=any(isinstance(m, TakePile | TakeTop) for m in seen.legal_moves(taker)),
            cards=len(gained),
            points=sum(self.card_points(shown.card) for shown in gained),
        )

    # -- deliveries

    def deliver(self, shown: Iterable[Shown] = ()) -> Self:
        """The position after the first order is fulfilled.

        `shown` are the cards that came face up: those dealt to nobody's hand, or an opened hand.
        """
        order, rest = self.orders[0], self.orders[1:]
        cards = tuple(shown)
        match order:  # the commonest first
            case Deal():
                expected = order.to(None)
                after = self._dealt(order, rest)
            case Shuffle():
                expected = ()
                stock = self.stock + slot_range(order.first, len(order.cards))
                after = self.changed(orders=rest, stock=stock)
            case OpenHand():
                expected = order.slots
                known = {**self.known, **{shown.slot: shown for shown in cards}}
                after = self.changed(orders=rest, known=known)
        if slots_of(cards) != expected:
            raise ValueError(f"the order {order} shows slots {expected}, not {cards}")
        return after._opened() if isinstance(order, OpenHand) else after.delivered(order, cards)

    def finishing(self, closer: Seat | None) -> Self:
        """With the round over: hands are opened, then it is counted; at once if none has cards."""
        return super().finishing(closer)._opened()

    def leaving_closed(self, seats: Iterable[Seat]) -> Self:
        """With the hands of these seats closed for good, as far as they are still to be opened: the
        players are absent (clause X24).
        """
        gone = {order.seat for order in self.orders if isinstance(order, OpenHand)} & set(seats)
        orders = tuple(
            order
            for order in self.orders
            if not isinstance(order, OpenHand) or order.seat not in gone
        )
        return self.changed(orders=orders, closed=self.closed | gone)._opened()

    @property
    def has_hands(self) -> bool:
        """True if players have been given cards, or are being given them."""
        return any(self._given().hands)

    def interrupted_sheet(self, missing: Iterable[Seat]) -> ScoreSheet:
        """The sheet of the round as it lies when the players at these seats are missing for good:
        the same for whoever counts (clause X25).

        Cards that are just being given belong to the hand that gets them. A missing player may have
        seen them already: if the other two of three have taken off their locks from the jokers of
        player 3, only player 3 knows of the jokers.
        """
        lying = self.seen(())._given().changed(closed=frozenset(missing))
        items = (tuple(lying.interrupted_items(Side(side))) for side in range(self.sides))
        return ScoreSheet(tuple(items), None, self.sheet_lines)

    def _given(self) -> Self:
        """With the cards of the first order in the hands that get them."""
        match self.orders:
            case (Deal() as order, *rest):
                return self._dealt(order, tuple(rest))
        return self

    def _opened(self) -> Self:
        """With the sheet, when no hand is to be opened any more (clause X5): the same for whoever
        counts, so what only this replica has seen is no part of it.
        """
        return self if self.orders else self.changed(sheet=self.seen(()).score())

    def _dealt(self, order: Deal, rest: tuple[Order, ...]) -> Self:
        """With the cards of the order given, and the `rest` of the orders."""
        given = {give.slot for give in order.gives}
        hands = list(self.hands)
        for give in order.gives:
            if give.seat is not None:
                hands[give.seat] += (give.slot,)
        stock, first = self.stock, 0  # dealt from the front
        while first < len(stock) and stock[first] in given:
            first += 1
        return self.changed(orders=rest, stock=stock[first:], hands=tuple(hands))

    @abstractmethod
    def delivered(self, order: Order, shown: tuple[Shown, ...]) -> Self:
        """The game's own part of `deliver`: cards were shuffled or dealt; what comes next?"""

    @abstractmethod
    def score(self) -> ScoreSheet:
        """The sheet of a finished round, all hands being open but those in `closed`."""
