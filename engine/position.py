"""A round in progress, in any of the games, and the moves in it.

`apply` returns the next position and leaves this one as it was. It decides by public facts alone,
so all replicas decide alike (clause X12). `legal_moves` and `candidates` also use the cards that
only this replica sees.

For each kind of move, a game says

- when the move is legal: `check_discard`, `check_laying`, and so on, which raise IllegalMove;
- how the move changes the position, if not as in most games: `discarding`, `melding`, and so on;
- which moves of the kind are worth trying: `layings`, `takings`, `discards_tried`.

Kinds of moves that a game does not have are in `lacking`. If cards are to be dealt or turned up, a
move only orders that; `engine.delivered_round` delivers the cards.
"""

from abc import abstractmethod
from collections.abc import Iterable
from typing import ClassVar, Self

from attrs import frozen

from engine.delivered_round import DeliveredRound
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
    Pass,
    Play,
    ShowBonus,
    TakePile,
    TakeTop,
    lays_at_most,
    shown_by,
)
from engine.options import Options
from engine.orders import Shuffle
from engine.position_facts import PileOffer, Taking
from engine.sentences import Sentence
from engine.slots import Seat, Shown, one_of_each
from engine.turn import MOVES_OF_STEP, Step, Turn

# With one card in the hand a discard may be illegal (C70), and a question is always illegal (C73a).
# So both kinds are sure only with more cards.
_SURE: frozenset[type[Move]] = frozenset({Cut, DrawStock, Answer})
_SURE_WITH_CARDS: frozenset[type[Move]] = _SURE | {Discard, Ask}


@frozen(kw_only=True, slots=False)
class Position(DeliveredRound):
    """A round in progress, with the moves that change it."""

    finds_legal: ClassVar[bool] = False
    """True if the game's `candidates` are legal moves as long as enough cards stay in the hand.

    This holds for candidates that cut, draw, take, answer, meld, discard or ask. `sure_moves` tells
    which of them need no check.
    """

    @classmethod
    def start(
        cls, options: Options, seats: int, dealer: Seat, totals: tuple[int, ...], number: int = 1
    ) -> "Position":
        """Return a round before its first shuffle, with the order to shuffle the whole deck."""
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
        equal cards, only one is returned. The head of each game's `candidates.py` says which other
        moves are left out.
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

    @property
    def sure_moves(self) -> tuple[frozenset[type[Move]], int]:
        """The kinds of candidates that need no check, and a number of cards.

        A candidate that lays at most that number needs no check either: at least two cards stay in
        the hand, so no rule about going out can forbid it. With 5 cards in the hand the number is
        3, and a candidate that lays 4 or 5 must be checked. The number is -1 if every candidate
        that lays cards must be checked.
        """
        if not self.finds_legal:
            return frozenset(), -1
        held = len(self.hands[self.turn.seat])
        return (_SURE_WITH_CARDS if held > 1 else _SURE), held - 2

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
        # Two hidden slots of a hand could both be called Ks:1. No proofs exist for both, but the
        # rules are checked without the proofs.
        if len(cards) > 1 and len({shown.card.number for shown in cards}) != len(cards):
            raise IllegalMove("X11", "One physical card is named twice.")

    # -- the rules of each kind of move

    def check_rules(self, move: Move) -> None:
        """Raise IllegalMove if the rules of the game forbid the move.

        `check` calls this after its own tests: the move fits the step, and its cards are the
        mover's. For example, Canasta raises C70 here for a discard of the last card without a
        canasta.
        """
        match move:  # the most frequent kind of move first
            case Discard(card):
                self.check_discard(card)
            case DrawStock():
                self.check_draw()
            case LayMelds(plays):
                self.check_laying(plays)
            case TakePile(plays):
                self.check_taking(plays)
            # All games have the kinds of moves above. This case catches the kinds that this game
            # lacks, so the cases below never meet them.
            case _ if isinstance(move, self.lacking):
                why = Sentence.of(self.no_such_move)
                raise IllegalMove(self.turn_clause, why)
            case TakeTop(plays):
                self.check_top(plays)
            case Ask():
                self.check_asking()
            case ShowBonus(cards):
                self.check_showing(cards)
            case Cut(number):
                self.check_cut(number)
            case Pass():
                self.check_pass()

    @abstractmethod
    def check_discard(self, card: Shown) -> None:
        """Raise IllegalMove unless the mover may discard the card."""

    def check_draw(self) -> None:
        """Raise IllegalMove unless the mover may draw from the stock."""

    @abstractmethod
    def check_laying(self, plays: tuple[Play, ...]) -> None:
        """Raise IllegalMove unless the mover may lay the plays."""

    @abstractmethod
    def check_taking(self, plays: tuple[Play, ...]) -> None:
        """Raise IllegalMove unless the mover may take the pile with the plays."""

    def check_top(self, plays: tuple[Play, ...]) -> None:
        """Raise IllegalMove unless the mover may take the top of the pile with the plays."""
        raise NotImplementedError

    def check_asking(self) -> None:
        """Raise IllegalMove unless the mover may ask the partner "May I go out?"."""
        raise NotImplementedError

    def check_showing(self, cards: tuple[Shown, ...]) -> None:
        """Raise IllegalMove unless the mover may lay these bonus cards."""
        raise NotImplementedError

    def check_cut(self, number: int) -> None:
        """Raise IllegalMove unless the number of cards cut is less than the stock has."""
        if not 0 <= number < len(self.stock):
            most = len(self.stock) - 1
            raise IllegalMove(self.cut_clause, "The cut is a number from 0 to {most}.", most=most)

    def check_pass(self) -> None:
        """Raise IllegalMove unless the mover may end the round because the stock is empty."""
        raise NotImplementedError

    # -- what each kind of move does

    def play(self, move: Move) -> Self:
        """Return the position after a move that `check` has found legal.

        `apply` calls this. For example, a draw returns a position with the order to deal a card.
        """
        match move:
            case Discard(card):
                return self.discarding(card)
            case DrawStock():
                return self.drawing_stock()
            case LayMelds(plays):
                return self.melding(plays)
            case TakePile(plays):
                return self.taking_pile(plays)
            # `check` has refused such a move already, so this is a fault of the caller.
            case _ if isinstance(move, self.lacking):
                raise ValueError(f"{move} is no move of this game")
            case TakeTop(plays):
                return self.taking_top(plays)
            case Ask():
                return self.asking()
            case Answer(yes):
                return self.answering(yes)
            case ShowBonus(cards):
                return self.showing(cards)
            case Cut(number):
                return self.cutting(number)
            case Pass():
                return self.finishing(None)

    def discarding(self, card: Shown) -> Self:
        """Return the position after a discard: the turn ends, or the round."""
        after = self.losing(self.turn.seat, (card,), pile=(*self.pile, card))
        if after.hands[after.turn.seat]:
            return after.ending_turn()
        return after.finishing(after.goes_out)

    def drawing_stock(self) -> Self:
        """Return the position after a draw from the stock."""
        return self.drawing(self.draws, step=Step.PLAY)

    def melding(self, plays: tuple[Play, ...]) -> Self:
        """Return the position with the plays on the table."""
        return self.with_plays(plays).emptying()

    def with_plays(self, plays: tuple[Play, ...], bonus: tuple[Shown, ...] = ()) -> Self:
        """Return the position with plays and bonus cards moved from the hand to the table."""
        laid = self.laid_with(self.side, self.melds_after(self.side, plays), bonus)
        cards = [shown for play in plays for shown in play.cards]
        return self.losing(self.turn.seat, cards, laid=laid)

    @abstractmethod
    def taking_pile(self, plays: tuple[Play, ...]) -> Self:
        """Return the position after the pile, or a part of it, was taken with these plays."""

    def taking_top(self, plays: tuple[Play, ...]) -> Self:
        """Return the position after the top of the pile was taken with these plays."""
        raise NotImplementedError

    def asking(self) -> Self:
        """Return the position in which the partner is to answer."""
        return self.turning(step=Step.ANSWER, asked=True)

    def answering(self, yes: bool) -> Self:
        """Return the position after the partner's answer."""
        return self.turning(step=Step.PLAY, answer=yes)

    def showing(self, cards: tuple[Shown, ...]) -> Self:
        """Return the position with bonus cards on the table, and as many ordered from the stock."""
        after = self.losing(self.turn.seat, cards).laying(self.side, bonus=cards)
        # Without a stock nothing replaces the cards, so the hand may be empty now.
        return after.drawing(len(cards)) if after.stock else after.emptying()

    def cutting(self, number: int) -> Self:
        """Return the position with the first `number` cards of the stock put under it."""
        return self.changed(stock=self.stock[number:] + self.stock[:number])

    # -- moves worth trying

    def candidates(self) -> Iterable[Move]:
        """Return the moves worth trying, each once.

        Each fits the step. It names only cards of the mover that this replica sees; a move that
        takes from the pile may also name cards of the pile.
        """
        if duty := self.duty:
            return (ShowBonus(duty.cards),)
        match self.turn.step:  # the most frequent step first
            case Step.PLAY:
                return self.in_turn()
            case Step.DRAW:
                return self.drawings()
            case Step.ANSWER:
                return (Answer(True), Answer(False))
            case Step.OPEN:
                return map(Discard, self.discards_tried())
            case Step.CUT:
                return map(Cut, range(len(self.stock)))
            case _:
                return ()

    def in_turn(self) -> list[Move]:
        """Return the moves worth trying after a draw."""
        moves: list[Move] = [*map(LayMelds, self.layings())]
        if self.may_ask and len(self.hands[self.turn.seat]) > 1:
            moves.append(Ask())
        return [*moves, *map(Discard, self.discards_tried())]

    def drawings(self) -> list[Move]:
        """Return the moves worth trying that begin a turn."""
        return [DrawStock(), *self.takings()]

    @abstractmethod
    def layings(self) -> Iterable[tuple[Play, ...]]:
        """Return the sets of plays worth laying after a draw."""

    @abstractmethod
    def takings(self) -> Iterable[Move]:
        """Return the moves worth trying that take the pile, or its top."""

    def discards_tried(self) -> Iterable[Shown]:
        """Return the cards worth discarding: one of each face that is no bonus card."""
        faces = one_of_each(self.hand(self.turn.seat)).values()
        return [shown for shown in faces if not self.is_bonus(shown.card)]

    # -- what games share

    @property
    def goes_out(self) -> Seat | None:
        """The mover, who goes out when they have no card left.

        None if the mover may not go out: in some games a player can run out of cards all the same.
        """
        return self.turn.seat

    def emptying(self) -> Self:
        """Return the position after cards were laid: the round is over if the hand is empty."""
        return self if self.hands[self.turn.seat] else self.finishing(self.goes_out)

    def ending_turn(self) -> Self:
        """Return the position after the discard that ends the turn."""
        return self.passing_to(self.left_of(self.turn.seat)) if self.stock else self.finishing(None)

    def lays_in_time(self, bonus: tuple[Shown, ...]) -> bool:
        """Return True if bonus cards are laid after the deal, or in the turn that drew them."""
        # At the step SHOW a move without cards says that the player has none (C63a, K18a). In a
        # turn such a move would change nothing, and could be repeated for ever.
        drawn = self.turn.drawn
        return self.turn.step is Step.SHOW or (
            bool(bonus) and all(shown.slot in drawn for shown in bonus)
        )

    def check_question(self, partner: str, once: str, before: str, *, again: bool = False) -> None:
        """Raise IllegalMove unless the mover may ask the partner "May I go out?".

        `partner`, `once` and `before` are the clauses of three rules:

        - there is a partner;
        - the question comes once in a turn, unless `again`;
        - at least two cards are held. With one card a No could not be obeyed, because the last card
          must be discarded (X3).
        """
        if self.partner_of(self.turn.seat) is None:
            raise IllegalMove(partner, "There is no partner to ask.")
        if self.turn.asked and not again:
            raise IllegalMove(once, "One can ask only once in a turn.")
        if len(self.hands[self.turn.seat]) < 2:
            raise IllegalMove(before, "One must ask before melding down to the last card.")

    def pile_offer(self, discard: Shown) -> PileOffer | None:
        """Return the offer that a discard makes to the next seat; None if no turn follows.

        Raises IllegalMove for a card that may not be discarded.
        """
        throw = Discard(discard)
        self.check_rules(throw)
        after = self.play(throw)
        if after.turn.step is Step.DEAL and after.orders:
            after = after.deliver()  # before the next turn the mover takes up a hand set aside
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
