"""A round of Hand and Foot, step by step (clauses H5-H65 of `spec/rules-hand-and-foot.md`)."""

from collections.abc import Iterable, Iterator
from typing import Self

from attrs import frozen

from engine.cards import Card
from engine.errors import IllegalMove
from engine.hand_and_foot.candidates import candidates
from engine.hand_and_foot.score import LINES, table_items
from engine.hand_and_foot.state import HandAndFootState
from engine.hand_and_foot.values import GOING_OUT, HAND_SIZE, RED_THREE
from engine.like_melds.cards import is_natural, is_red_three
from engine.like_melds.score import hand_items
from engine.melds import Meld
from engine.moves import Answer, Ask, Discard, DrawStock, LayMelds, Move, Play, ShowBonus, TakePile
from engine.orders import Deal, Give, Order, Shuffle
from engine.score_sheet import Item
from engine.sentences import N_
from engine.slots import Seat, Shown, Side
from engine.turn import Step


@frozen(kw_only=True, slots=False)
class HandAndFootPosition(HandAndFootState):
    """A round of Hand and Foot, in which moves are made."""

    sheet_lines = LINES

    # -- moves

    def candidates(self) -> Iterable[Move]:
        return candidates(self)

    def check_rules(self, move: Move) -> None:
        match move:  # the commonest first
            case Discard(card):
                self._check_discard(card)
            case DrawStock() | Answer():
                pass
            case LayMelds(plays):
                self._check_melds(plays, 0)
            case TakePile(plays):
                self.check_pair(plays, blocked="H23", pair="H21")
                self._check_melds(plays, len(self.takes))
            case Ask():
                if self.has_aside(self.turn.seat):
                    raise IllegalMove("H55", "One asks when one has taken up the foot.")
                self.check_question("H55", "H55", "H56")
            case ShowBonus(cards):
                self.check_red_threes(cards)
                if not cards:
                    raise IllegalMove("H15", "There is no red three to lay.")
            case _:
                raise IllegalMove("H12", "Hand and Foot does not have that move.")

    def _check_melds(self, plays: tuple[Play, ...], received: int) -> None:
        # With so many cards received from the pile.
        melds = self.melds_after(self.side, plays)
        self.check_opening(plays, "H42")
        laid = sum([len(play.cards) for play in plays])
        left = len(self.hands[self.turn.seat]) + received - laid
        if left < 2 and not self.has_aside(self.turn.seat):
            self._check_going_out(melds)

    def _check_discard(self, card: Shown) -> None:
        if is_red_three(card.card):
            raise IllegalMove("H15", "A red three is never discarded: lay it on the table.")
        last = len(self.hands[self.turn.seat]) == 1 and not self.has_aside(self.turn.seat)
        if last and self.stock:  # H18
            self._check_going_out(self.laid[self.side].melds)

    def _check_going_out(self, melds: tuple[Meld, ...]) -> None:
        """Raise IllegalMove unless a mover without a foot may go out with these melds."""
        if self.turn.answer is False:
            raise IllegalMove("H55", "The partner said No: one does not go out in this turn.")
        if not self.has_books(melds):
            raise IllegalMove(
                "H54",
                "Going out takes {clean} clean and {dirty} dirty books, so two cards must be kept.",
                clean=self.options.clean_books,
                dirty=self.options.dirty_books,
            )

    def play(self, move: Move) -> Self:
        match move:
            case Discard(card):
                return self._discard(card)
            case DrawStock():
                return self.drawing(self.draws, step=Step.PLAY)
            case LayMelds(plays):
                return self._meld(plays)
            case TakePile(plays):
                return self._take(plays)
            case ShowBonus(cards):
                return self._show(cards)
            case Ask():
                return self.turning(step=Step.ANSWER, asked=True)
            case Answer(yes):
                return self.turning(step=Step.PLAY, answer=yes)
            case _:
                raise ValueError(f"{move} is no move of Hand and Foot")

    def _show(self, cards: tuple[Shown, ...]) -> Self:
        after = self.losing(self.turn.seat, cards).laying(self.side, bonus=cards)
        return after.drawing(len(cards)) if after.stock else after.emptying(self._closer)  # H18

    def _discard(self, card: Shown) -> Self:
        seat = self.turn.seat
        if len(self.hands[seat]) > 1 or self.has_aside(seat) or self._closer is not None:
            return self.discarding(card)
        return self.losing(seat, (card,), pile=(*self.pile, card)).finishing(None)  # H18

    @property
    def _closer(self) -> Seat | None:
        """The mover, if they may go out; otherwise None."""
        may = self.may_go_out(self.side) and self.turn.answer is not False
        return self.turn.seat if may else None

    def _take(self, plays: tuple[Play, ...]) -> Self:
        taken, turn = self.takes, self.turn.changed(step=Step.PLAY, took=True)
        rest = self.pile[: -len(taken)]
        return self.gaining(turn.seat, taken, pile=rest, turn=turn)._meld(plays)

    def _meld(self, plays: tuple[Play, ...]) -> Self:
        seat = self.turn.seat
        laid = self.laid_with(self.side, self.melds_after(self.side, plays))
        cards = [shown for play in plays for shown in play.cards]
        return self.losing(seat, cards, laid=laid).emptying(seat)

    def ending_turn(self) -> Self:
        if not self.stock:
            return self.finishing(None)  # H17
        return self.passing_to(self.left_of(self.turn.seat))

    # -- deliveries

    def delivered(self, order: Order, shown: tuple[Shown, ...]) -> Self:
        match order:
            case Shuffle():
                return self.dealing(HAND_SIZE, self.seats, turned_up=1)
            case Deal() if self.turn.step is Step.DEAL:  # H51: the foot has come
                return self.ending_turn()
            case Deal() if shown:
                after = self.changed(pile=self.pile + shown)
                if is_natural(shown[-1].card):
                    return after
                return after.changed(orders=(Deal((Give(after.stock[0], None),)),))  # H8
            case _:
                return self

    def going_out_items(self) -> Iterable[Item]:
        return (Item(N_("going out"), 1, GOING_OUT, "H65"),)

    def table_items(self, side: Side) -> Iterator[Item]:
        return table_items(self.laid[side])

    def hand_items(self, cards: tuple[Card, ...]) -> Iterator[Item]:
        return hand_items(cards, "H62", kept=(RED_THREE, "H64"))
