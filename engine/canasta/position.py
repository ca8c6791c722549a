"""A round of Canasta, step by step (clauses C9-C93 of `spec/rules-canasta.md`)."""

from collections.abc import Iterable
from typing import Self

from attrs import frozen

from engine.canasta.candidates import Plays, layings, takings
from engine.canasta.constants import HAND_SIZE, starts
from engine.canasta.pile import check_taking
from engine.canasta.score import CanastaScore
from engine.canasta.state import CanastaState
from engine.errors import IllegalMove
from engine.like_melds.cards import is_red_three
from engine.moves import Move, Pass, Play, TakePile
from engine.orders import Deal, Give, Order, Shuffle
from engine.slots import Seat, Shown
from engine.turn import AskedHand, Step


@frozen(kw_only=True, slots=False)
class CanastaPosition(CanastaScore):
    """A round of Canasta: when its moves are legal, and what they change.

    The fields are in `CanastaState`, and `CanastaScore` counts the round.
    """

    @property
    def taking_is_forced(self) -> bool:
        """True if the pile's top alone may join an own meld (C88)."""
        return bool(self.pile) and any(
            self.allows(TakePile((Play((self.pile[-1],), onto=number),)))
            for number in range(len(self.laid[self.side].melds))
        )

    # -- moves

    def layings(self) -> Iterable[Plays]:
        return layings(self)

    def takings(self) -> Iterable[Move]:
        return map(TakePile, takings(self))

    def in_turn(self) -> list[Move]:
        moves = super().in_turn()
        return moves if self.stock else [*moves, Pass()]

    def drawings(self) -> list[Move]:
        return super().drawings() if self.stock else [*self.takings(), Pass()]

    def check_draw(self) -> None:
        if not self.stock:
            raise IllegalMove("C87", "The stock is empty: take the pile, or the hand is over.")

    def check_laying(self, plays: Plays) -> None:
        self._check_melds(plays, ())

    def check_taking(self, plays: Plays) -> None:
        check_taking(self.pile, plays, opened=self.opened)
        self._check_melds(plays, self.received)

    def check_asking(self) -> None:
        self.check_question("C73", "C75", "C73a", again=self.may_ask)

    def check_showing(self, cards: tuple[Shown, ...]) -> None:
        self.check_red_threes(cards)
        if not self.lays_in_time(cards):
            raise IllegalMove("C64", "A red three is laid when it is drawn, and not later.")

    def _check_melds(self, plays: Plays, received: tuple[Shown, ...]) -> None:
        """Raise IllegalMove unless the plays are legal with the cards `received` from the pile."""
        melds = self.melds_after(self.side, plays)
        self.check_opening(plays, "C38" if self.totals[self.side] < 0 else "C37")
        laid = sum([len(play.cards) for play in plays])
        left = len(self.hands[self.turn.seat]) + len(received) - laid
        self.check_black_threes(melds, left)
        last = self.known_card(received, plays) if left == 1 else None
        self.going_out.check_rest(melds, left, last)

    def check_discard(self, card: Shown) -> None:
        if is_red_three(card.card):
            if card.slot in self.turn.drawn:
                raise IllegalMove("C62", "A red three is never discarded: lay it on the table.")
            raise IllegalMove("C62", "A red three is never discarded.")
        if len(self.hands[self.turn.seat]) == 1:
            self.going_out.check(self.laid[self.side].melds)

    def check_pass(self) -> None:
        if self.stock:
            raise IllegalMove("C89", "The hand goes on: there is a stock to draw from.")
        if self.turn.step is Step.DRAW:
            if self.options.must_take and self.taking_is_forced:
                raise IllegalMove("C88", "The pile must be taken: its top card joins an own meld.")
            return
        melds = self.laid[self.side].melds
        # C90a: only a player with one card, which may not be discarded, ends the round in this way.
        if len(self.hands[self.turn.seat]) > 1 or self.going_out.allows(melds):
            raise IllegalMove("C86", "A card must be discarded.")

    def cutting(self, number: int) -> Self:
        dealt = super().cutting(number).dealing(HAND_SIZE[self.seats], turned_up=1)
        # `dealing` has begun the first turn. The step DEAL replaces it until a start card may stay,
        # so that `delivered` can tell this deal from a draw.
        return dealt.changed(turn=self.turn.changed(step=Step.DEAL))

    def showing(self, cards: tuple[Shown, ...]) -> Self:
        seat = self.turn.seat
        if self.turn.step is Step.SHOW:
            debts = list(self.debts)
            debts[seat] = len(cards)
            first = self.left_of(self.dealer)
            next_seat = self.left_of(seat)
            done = next_seat == first
            # No cards are drawn in their place now: the first draw of this seat brings them (C63).
            return self.losing(
                seat,
                cards,
                debts=tuple(debts),
                laid=self.laid_with(self.side, bonus=cards),
                turn=self.turn_of(next_seat, Step.DRAW if done else Step.SHOW),
            )
        after = self.losing(seat, cards).laying(self.side, bonus=cards)
        return after.drawing(len(cards), step=Step.PLAY) if after.stock else after  # C90

    def drawing_stock(self) -> Self:
        seat = self.turn.seat
        if not self.debts[seat]:
            return super().drawing_stock()
        debts = list(self.debts)
        # With a debt of 2, three cards are drawn at once (C63).
        count, debts[seat] = 1 + debts[seat], 0
        return self.changed(debts=tuple(debts)).drawing(count, step=Step.PLAY)

    def asking(self) -> Self:
        asks = list(self.asks)
        asks[self.turn.seat] += 1
        # Not `super()`, because it would start from `self`; and `asking` of the copy would be this
        # method again, without end.
        return CanastaState.asking(self.changed(asks=tuple(asks)))

    def ending_turn(self) -> Self:
        # C87: the round goes on without a stock.
        return self.passing_to(self.left_of(self.turn.seat))

    def answering(self, yes: bool) -> Self:
        after = super().answering(yes)
        if not (yes and self.options.penalties):
            return after
        seat = self.turn.seat
        laid = tuple(len(meld.cards) for meld in self.laid[self.side].melds)
        asked = AskedHand(seat, self.hands[seat], laid)
        return after.changed(questions=(*self.questions, asked))

    def finishing(self, closer: Seat | None) -> Self:
        """Return the position with the round over.

        A player who has gone out did not ask in vain in this turn, so the question of this turn is
        dropped (C97a).
        """
        # `turn.answer` is True only in the turn of the question: an older Yes of the same player
        # stays in `questions`, and may be vain.
        *before, last = self.questions or (None,)
        if not self.turn.answer or last is None or last.seat != closer:
            return super().finishing(closer)
        return CanastaState.finishing(self.changed(questions=tuple(before)), closer)

    # -- deliveries

    def delivered(self, order: Order, shown: tuple[Shown, ...]) -> Self:
        first = self.left_of(self.dealer)
        match order:
            case Shuffle():
                cutter = Seat((self.dealer - 1) % self.seats)
                return self.passing_to(cutter, Step.CUT)
            case Deal() if self.turn.step is Step.DEAL:
                after = self.changed(pile=self.pile + shown)
                start = shown[-1].card
                if not starts(start, red_start=self.options.red_start):
                    # The step is still DEAL, so the next card comes back to this case (C14).
                    return after.changed(orders=(Deal((Give(after.stock[0], None),)),))
                return after.passing_to(first, Step.SHOW)
            case _:
                return self
