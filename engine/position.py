"""A round in progress, in any of the games, and the moves in it.

`apply` and `deliver` return the next position and leave this one as it was. `apply` decides by
public facts alone, so all replicas decide alike (clause X12). Only `legal_moves` uses the cards
that this replica alone sees.

A game implements five hooks:

- `check_rules` and `play`: `apply` calls the first, which raises IllegalMove, and then the second;
- `delivered`: `deliver` calls it when the cards of an order lie in their new places;
- `score`: `deliver` calls it when the last hand has been opened;
- `candidates`: `legal_moves` calls it.
"""

from abc import abstractmethod
from collections.abc import Iterable
from typing import ClassVar, Self

from attrs import frozen

from engine.counting import CountedRound
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
from engine.orders import Deal, Give, OpenHand, Order, Shuffle
from engine.score_sheet import ScoreSheet
from engine.sentences import Sentence
from engine.slots import Seat, Shown, Side, Slot, slot_range, slots_of
from engine.table_status import PileOffer, Taking
from engine.turn import MOVES_OF_STEP, Step, Turn

_SURE: frozenset[type[Move]] = frozenset({Cut, DrawStock, Answer})
_SURE_WITH_CARDS: frozenset[type[Move]] = _SURE | {Discard, Ask}


def lays_at_most(candidate: Move, most: int) -> bool:
    """Return True if a candidate melds or takes from the pile, and lays at most `most` cards."""
    if not isinstance(candidate, (LayMelds, TakePile, TakeTop)):
        return False
    left = most
    for play in candidate.plays:
        left -= len(play.cards)
    return left >= 0


@frozen(kw_only=True, slots=False)
class Position(CountedRound):
    """The round as all replicas agree on it, plus the cards that only this replica sees."""

    finds_legal: ClassVar[bool] = False
    """True if the game's `candidates` finds only legal moves, so that most need no further check.

    This holds for moves to cut, draw, take, answer, meld, discard or ask. Moves that leave few
    cards in the hand are checked all the same (`sure_moves`).
    """

    @classmethod
    def start(
        cls, options: Options, seats: int, dealer: Seat, totals: tuple[int, ...], number: int = 1
    ) -> "Position":
        """Return a round about to be shuffled: the first order is for the whole deck."""
        return cls(
            options=options,
            seats=seats,
            dealer=dealer,
            totals=totals,
            number=number,
            hands=seats * ((),),
            laid=len(totals) * (Laid(),),
            turn=Turn(dealer, Step.DEAL),
            orders=(Shuffle(cls.decks.at(options, seats)),),
        )

    # -- moves

    def apply(self, move: Move) -> Self:
        """Return the position after `move` of the seat to move.

        The faces in the move count as proven: the caller has checked them. Raises IllegalMove with
        the clause.
        """
        self.check(move)
        return self.play(move)

    def check(self, move: Move) -> None:
        """Raise what `apply` would raise, without making the next position."""
        if self.orders:
            raise IllegalMove("X10", "Cards are being dealt or turned up; nobody moves yet.")
        if not isinstance(move, MOVES_OF_STEP[self.turn.step]):
            raise IllegalMove(
                "X10", "It is the moment to {step}.", step=Sentence.of(self.turn.step.value)
            )
        self._check_cards(move)
        self.check_rules(move)

    def allows(self, move: Move) -> bool:
        """Return True if `apply` would accept the move."""
        try:
            self.check(move)
        except IllegalMove:
            return False
        return True

    def legal_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Return the legal moves of `seat`, from the cards of its hand that this replica sees.

        The result is () if it is not the seat's turn. Of moves that differ only in the copies of
        equal cards it has one. Each game's `candidates` names further bounds on cards laid at once.
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
        """Return True if the game's rules allow a candidate.

        A candidate fits the step and shows cards of the mover, so only `check_rules` is asked.
        """
        try:
            self.check_rules(candidate)
        except IllegalMove:
            return False
        return True

    @abstractmethod
    def candidates(self) -> Iterable[Move]:
        """Return the moves worth trying, each once.

        They fit the step, and name cards of the mover that this replica sees (and cards of the
        pile, in moves that take it).
        """

    @property
    def sure_moves(self) -> tuple[frozenset[type[Move]], int]:
        """Kinds of candidates that are legal without a check, and a number of cards.

        A candidate that lays at most that many cards is legal, too: at least two cards stay in the
        hand, so no rule about going out can forbid it. With 5 cards in the hand the number is 3,
        and a candidate that lays 4 or 5 must be checked. The number is -1 if every candidate must
        be checked.
        """
        if not self.finds_legal:
            return frozenset(), -1
        held = len(self.hands[self.turn.seat])
        return (_SURE_WITH_CARDS if held > 1 else _SURE), held - 2

    @abstractmethod
    def check_rules(self, move: Move) -> None:
        """Raise IllegalMove if the rules of the game forbid the move.

        `check` calls this after its own tests: the move fits the step, and its cards are the
        mover's. For example, Canasta raises C70 here for a discard of the last card without a
        canasta.
        """

    @abstractmethod
    def play(self, move: Move) -> Self:
        """Return the position after a move that `check` has found legal.

        `apply` calls this. For example, a draw returns a position with the order to deal a card.
        """

    def _check_cards(self, move: Move) -> None:
        """Raise IllegalMove unless the mover can show each card in the move, once (clause X11)."""
        cards = shown_by(move)
        if not cards:
            return
        # A card may be shown from the hand, or as the top of a pile that is taken. Each slot is
        # taken out of `allowed` when it is named, so that naming it twice fails.
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
        """Raise IllegalMove unless the number of cards cut is less than the stock has."""
        if not 0 <= number < len(self.stock):
            most = len(self.stock) - 1
            raise IllegalMove(clause, "The cut is a number from 0 to {most}.", most=most)

    def stock_cut(self, number: int) -> tuple[Slot, ...]:
        """Return the stock with `number` cards from its top put under it."""
        return self.stock[number:] + self.stock[:number]

    def dealing(self, size: int, *, turned_up: int = 0) -> Self:
        """Return the position with the deal ordered, and the first turn begun.

        Each seat gets `size` cards, one by one; then `turned_up` cards are laid face up.
        """
        first = self.left_of(self.dealer)
        receivers = size * tuple(self.clockwise(first))
        dealt = len(receivers)
        starts = [Give(slot, None) for slot in self.stock[dealt : dealt + turned_up]]
        deal = Deal((*map(Give, self.stock, receivers), *starts))
        return self.changed(orders=(deal,)).passing_to(first)

    @property
    def goes_out(self) -> Seat | None:
        """The seat that goes out when the mover has no card left: the mover.

        None if the mover may not go out, in a game in which such a player can run out of cards.
        """
        return self.turn.seat

    def emptying(self) -> Self:
        """Return the position after cards were laid: the round is over if the hand is empty."""
        return self if self.hands[self.turn.seat] else self.finishing(self.goes_out)

    def discarding(self, card: Shown) -> Self:
        """Return the position after a discard: the turn ends, or the round."""
        after = self.losing(self.turn.seat, (card,), pile=(*self.pile, card))
        if after.hands[after.turn.seat]:
            return after.ending_turn()
        return after.finishing(after.goes_out)

    def ending_turn(self) -> Self:
        """Return the position after the discard that ends the turn."""
        return self.passing_to(self.left_of(self.turn.seat)) if self.stock else self.finishing(None)

    def lays_in_time(self, bonus: tuple[Shown, ...]) -> bool:
        """Return True if bonus cards are laid after the deal, or in the turn that drew them."""
        drawn = self.turn.drawn
        return self.turn.step is Step.SHOW or (
            bool(bonus) and all(shown.slot in drawn for shown in bonus)
        )

    def check_question(self, partner: str, once: str, before: str, *, again: bool = False) -> None:
        """Raise IllegalMove unless the mover may ask the partner "May I go out?".

        There must be a partner (clause `partner`), the question comes once in a turn (clause
        `once`) unless `again`, and at least two cards are held (clause `before`): otherwise a No
        could not be obeyed, because the last card must be discarded (X3).
        """
        if self.partner_of(self.turn.seat) is None:
            raise IllegalMove(partner, "There is no partner to ask.")
        if self.turn.asked and not again:
            raise IllegalMove(once, "One asks once in a turn.")
        if len(self.hands[self.turn.seat]) < 2:
            raise IllegalMove(before, "One asks before melding down to the last card.")

    def pile_offer(self, discard: Shown) -> PileOffer | None:
        """Return the offer that a discard makes to the next seat; None if no turn follows.

        Raises IllegalMove for a card that may not be discarded.
        """
        throw = Discard(discard)
        self.check_rules(throw)
        after = self.play(throw)
        if after.turn.step is Step.DEAL and after.orders:
            after = after.deliver()  # the hand that lay aside comes before the next turn
        if after.to_move is None:
            return None
        taker, taking = after.turn.seat, after.taking
        if not after.may_take_pile():
            return PileOffer(taker, Taking.NOTHING)
        gained = after.takes
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
        """Return the position after the first order is fulfilled.

        `shown` are the cards that were turned up: cards dealt face up, or an opened hand.
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
        if self.turn.step is not Step.OVER:
            return after.delivered(order, cards)
        if isinstance(order, OpenHand):
            return after._opened()
        return after._gaining_set_aside(self.set_aside_of, cards)._opening_hands()

    def _gaining_set_aside(
        self, owned: Iterable[tuple[Seat, tuple[Slot, ...]]], cards: tuple[Shown, ...]
    ) -> Self:
        """Return the position with hands set aside, now turned up, added to their owners' hands."""
        hands = list(self.hands)
        for seat, slots in owned:
            hands[seat] += slots
        known = {**self.known, **{shown.slot: shown for shown in cards}}
        return self.changed(hands=tuple(hands), known=known)

    def finishing(self, closer: Seat | None) -> Self:
        """Return the position with the round over: hands must be opened, then the round is counted.

        Hands set aside that count are turned up first. If no hand has cards, the round is counted
        at once. A game calls this when it finds the round over: Canasta does so after a discard of
        the last card. `closer` is the seat that went out, or None. An override may change the
        position first: in Canasta a player who asked "May I go out?" and then goes out did not ask
        in vain, so the question is dropped (C97a).
        """
        over = self.turning(step=Step.OVER).changed(closer=closer)
        aside = [Give(slot, None) for _, slots in self.set_aside_of for slot in slots]
        return over.changed(orders=(Deal(tuple(aside)),)) if aside else over._opening_hands()

    def _opening_hands(self) -> Self:
        """Return the position with the orders to open all hands that have cards (X5)."""
        seats = self.clockwise(self.left_of(self.dealer))
        opening = tuple(OpenHand(seat, self.hands[seat]) for seat in seats if self.hands[seat])
        return self.changed(orders=opening)._opened()

    def leaving_closed(self, seats: Iterable[Seat]) -> Self:
        """Return the position in which these seats' hands stay closed, if they are not open yet.

        Their players are absent (clause X24). Hands set aside that were about to be turned up stay
        closed, too, because the absent players' locks are on all of them.
        """
        absent = frozenset(seats)
        if self.turn.step is Step.OVER and any(isinstance(each, Deal) for each in self.orders):
            opening = self.changed(closed=absent)._opening_hands()
            return opening.leaving_closed(absent)
        gone = {order.seat for order in self.orders if isinstance(order, OpenHand)} & absent
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
        """Return the sheet of the round as it lies when these players are missing for good (X25).

        Every replica counts the same. Cards that are being dealt already belong to the hand that
        gets them, because a missing player may have seen them. Say players 1 and 2 of three have
        taken their locks off two jokers dealt to player 3: then player 3 alone knows that they are
        jokers.
        """
        lying = self.seen(())._given().changed(closed=frozenset(missing))
        items = (tuple(lying.interrupted_items(Side(side))) for side in range(self.sides))
        return ScoreSheet(tuple(items), None, self.sheet_lines)

    def _given(self) -> Self:
        """Return the position with the cards of the first order in the hands that get them."""
        match self.orders:
            case (Deal() as order, *rest):
                return self._dealt(order, tuple(rest))
        return self

    def _opened(self) -> Self:
        """Return the position with its sheet, if no hand must be opened any more (clause X5).

        Every replica must count the same, so cards that only this replica has seen are left out.
        """
        return self if self.orders else self.changed(sheet=self.seen(()).score())

    def _dealt(self, order: Deal, rest: tuple[Order, ...]) -> Self:
        """Return the position with the cards of the order dealt, and the `rest` of the orders."""
        given = {give.slot for give in order.gives}
        hands = list(self.hands)
        for give in order.gives:
            if give.seat is not None:
                hands[give.seat] += (give.slot,)
        # Cards are dealt from the front of the stock, so counting is quicker than filtering it.
        # (Slots that lie elsewhere, as in hands set aside, are no part of the stock.)
        stock, first = self.stock, 0
        while first < len(stock) and stock[first] in given:
            first += 1
        return self.changed(orders=rest, stock=stock[first:], hands=tuple(hands))

    def delivered(self, order: Order, shown: tuple[Shown, ...]) -> Self:
        """Return the position after an order was fulfilled: decide what comes next.

        `deliver` calls this after a shuffle or a deal, when the cards lie in their new places
        already; it does not call it for an opened hand. For example, after the first shuffle
        Canasta gives the turn to the player who cuts, and after the cards were dealt it turns up
        another start card if the first one may not stay.
        """
        del order, shown
        return self
