"""A round of Samba, step by step (clauses S5-S65 of `spec/rules-samba.md`)."""

from collections.abc import Iterable, Iterator
from typing import Self

from attrs import frozen

from engine.cards import Card
from engine.errors import IllegalMove
from engine.like_melds.cards import is_natural, is_red_three
from engine.like_melds.score import hand_items
from engine.melds import Meld
from engine.moves import Answer, Ask, Discard, DrawStock, LayMelds, Move, Play, ShowBonus, TakePile
from engine.orders import Deal, Give, Order, Shuffle
from engine.samba.candidates import candidates
from engine.samba.score import LINES, table_items
from engine.samba.state import SambaState
from engine.samba.values import GOING_OUT, HAND_SIZE, RED_THREE
from engine.score_sheet import Item
from engine.sentences import N_
from engine.slots import Shown, Side
from engine.turn import Step


@frozen(kw_only=True, slots=False)
class SambaPosition(SambaState):
    """A round of Samba, in which moves are made."""

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
                self._check_taking(plays)
                self._check_melds(plays, len(self._received))
            case Ask():
                self.check_question("S53", "S53", "S54")
            case ShowBonus(cards):
                self.check_red_threes(cards)
                if not cards:
                    raise IllegalMove("S13", "There is no red three to lay.")
            case _:
                raise IllegalMove("S10", "Samba does not have that move.")

    def _check_taking(self, plays: tuple[Play, ...]) -> None:
        """Raise IllegalMove unless the pile may be taken with these plays (S20-S24)."""
        top = self.pile[-1] if self.pile else None
        play = next((play for play in plays if top in play.cards), None)
        onto = None if play is None else play.onto
        if play is None or onto is None or self.pile_bound or not is_natural(self.pile[-1].card):
            self.check_pair(plays, blocked="S23", pair="S24" if self.pile_bound else "S20")
            return
        melds = self.laid[self.side].melds
        if 0 <= onto < len(melds) and melds[onto].rank is None and len(play.cards) > 1:
            raise IllegalMove("S22", "On a sequence the top card is laid alone.")

    def _check_melds(self, plays: tuple[Play, ...], received: int) -> None:
        """Raise IllegalMove unless the plays are legal with so many cards of the pile."""
        melds = self.melds_after(self.side, plays)
        self.check_opening(plays, "S45")
        left = len(self.hands[self.turn.seat]) + received
        left -= sum([len(play.cards) for play in plays])
        if left < 2:
            self._check_going_out(melds)

    def _check_discard(self, card: Shown) -> None:
        if is_red_three(card.card):
            raise IllegalMove("S13", "A red three is never discarded: lay it on the table.")
        if len(self.hands[self.turn.seat]) == 1 and self.stock:
            self._check_going_out(self.laid[self.side].melds)

    def _check_going_out(self, melds: tuple[Meld, ...]) -> None:
        """Raise IllegalMove unless the mover may go out with these melds."""
        if self.turn.answer is False:
            raise IllegalMove("S53", "The partner said No: one does not go out in this turn.")
        if not self.has_canastas(melds):
            raise IllegalMove(
                "S52",
                "Going out takes {canastas} canastas or sambas, so two cards must be kept.",
                canastas=self.options.canastas,
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
                raise ValueError(f"{move} is no move of Samba")

    def _show(self, cards: tuple[Shown, ...]) -> Self:
        after = self.losing(self.turn.seat, cards).laying(self.side, bonus=cards)
        return after.drawing(len(cards)) if after.stock else after._emptied()  # S16

    @property
    def _received(self) -> tuple[Shown, ...]:
        """Cards that come into the hand with the pile: all but red threes."""
        return tuple([shown for shown in self.pile if not is_red_three(shown.card)])

    def _take(self, plays: tuple[Play, ...]) -> Self:
        bonus = tuple([shown for shown in self.pile if is_red_three(shown.card)])
        turn = self.turn.changed(step=Step.PLAY, took=True)
        lifted = self.gaining(turn.seat, self._received, pile=(), turn=turn)
        return lifted._meld(plays, bonus)

    def _meld(self, plays: tuple[Play, ...], bonus: tuple[Shown, ...] = ()) -> Self:
        laid = self.laid_with(self.side, self.melds_after(self.side, plays), bonus)
        cards = [shown for play in plays for shown in play.cards]
        return self.losing(self.turn.seat, cards, laid=laid)._emptied()

    def _discard(self, card: Shown) -> Self:
        seat = self.turn.seat
        after = self.losing(seat, (card,), pile=(*self.pile, card))
        if not after.hands[seat]:
            return after._emptied()
        return after.passing_to(after.left_of(seat)) if after.stock else after.finishing(None)

    def _emptied(self) -> Self:
        """Return the position with the round over if the mover's hand is empty.

        Without a stock this may happen to a player who may not go out (S16).
        """
        seat = self.turn.seat
        if self.hands[seat]:
            return self
        out = self.may_go_out(self.side) and self.turn.answer is not False
        return self.finishing(seat if out else None)

    # -- deliveries

    def delivered(self, order: Order, shown: tuple[Shown, ...]) -> Self:
        match order:
            case Shuffle():
                return self._deal()
            case Deal() if shown:
                after = self.changed(pile=self.pile + shown)
                if is_natural(shown[-1].card):
                    return after
                return after.changed(orders=(Deal((Give(after.stock[0], None),)),))  # S7
            case _:
                return self

    def _deal(self) -> Self:
        first = self.left_of(self.dealer)
        receivers = HAND_SIZE[self.seats] * tuple(self.clockwise(first))
        gives = map(Give, self.stock, receivers)
        start = Give(self.stock[len(receivers)], None)
        return self.changed(orders=(Deal((*gives, start)),)).passing_to(first)

    # -- counting

    def going_out_items(self) -> Iterable[Item]:
        return (Item(N_("going out"), 1, GOING_OUT, "S65"),)

    def table_items(self, side: Side) -> Iterator[Item]:
        return table_items(self.laid[side], self.options.canastas)

    def hand_items(self, cards: tuple[Card, ...]) -> Iterator[Item]:
        return hand_items(cards, "S62", kept=(RED_THREE, "S64"))
