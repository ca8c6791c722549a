"""A round of Kanastic, step by step (clauses K11-K102 of `spec/rules-kanastic.md`)."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Self

from attrs import frozen

from engine.errors import IllegalMove
from engine.kanastic.candidates import layings, takings
from engine.kanastic.constants import FEWEST_TO_TAKE, HAND_SIZE, is_pot
from engine.kanastic.melding import check_going_out, check_opening, check_rest, melds_after
from engine.kanastic.pile import check_free, check_use
from engine.kanastic.score import KanasticScore
from engine.moves import Move, Play
from engine.orders import Deal, Give, Order, Shuffle
from engine.slots import Seat, Shown, Slot, cards_of
from engine.turn import Step


@frozen(kw_only=True, slots=False)
class KanasticPosition(KanasticScore):
    """A round of Kanastic: when its moves are legal, and what they change.

    The fields are in `KanasticState`, and `KanasticScore` counts the round.
    """

    # -- moves

    def layings(self) -> Iterable[tuple[Play, ...]]:
        return layings(self)

    def takings(self) -> Iterable[Move]:
        return takings(self)

    def check_laying(self, plays: tuple[Play, ...]) -> None:
        self._check_melds(plays, len(self.hands[self.turn.seat]), receives=self.receives)

    def check_asking(self) -> None:
        self.check_question("K99", "K99", "K99")

    def check_showing(self, pots: tuple[Shown, ...]) -> None:
        for shown in pots:
            if not is_pot(shown.card):
                raise IllegalMove("K18", "The {card} is no Treasure Pot.", card=shown.card)
        if not self.lays_in_time(pots):
            raise IllegalMove("K18", "A Treasure Pot is laid when it is drawn, and not later.")

    def check_top(self, plays: tuple[Play, ...]) -> None:
        if self.opened:
            if not self.options.leave_pile:
                raise IllegalMove(
                    "K56", "The top alone is taken only by a side that has not melded."
                )
            self._check_pile(plays, leaving=True)  # K72: the rest lies where it was
            return
        top = check_free(self.pile, self.discards, self.seats)
        check_use(top, plays, (), use="K58", wilds="K59")
        self._check_melds(plays, len(self.hands[self.turn.seat]) + 1, receives=False)

    def check_taking(self, plays: tuple[Play, ...]) -> None:
        self._check_pile(plays)

    def _check_pile(self, plays: tuple[Play, ...], *, leaving: bool = False) -> None:
        seat = self.turn.seat
        if not self.opened:
            raise IllegalMove("K64", "A side takes the whole pile only after its first meld.")
        if seat in self.waiting:
            raise IllegalMove(
                "K73", "This player cannot take the pile before their partner has played again."
            )
        top = check_free(self.pile, self.discards, self.seats)
        if len(self.hands[seat]) < FEWEST_TO_TAKE:
            raise IllegalMove("K68", "Taking the pile needs four cards in hand.")
        if len(self.stock) < FEWEST_TO_TAKE:
            raise IllegalMove("K69", "Taking the pile needs four cards in the stock.")
        check_use(top, plays, self.laid[self.side].melds, use="K65", wilds="K65")
        if len(plays) > 1:
            raise IllegalMove("X2", "Take the pile with one meld; lay the others afterwards.")
        # If the top is the whole pile, nothing comes into the hand after the discard (K74).
        receives = len(self.pile) > 1 and not leaving
        self._check_melds(plays, len(self.hands[seat]) + 1, receives=receives)

    def _check_melds(self, plays: tuple[Play, ...], held: int, *, receives: bool) -> None:
        """Raise IllegalMove unless the plays are legal from a hand of `held` cards."""
        before = self.laid[self.side].melds
        melds = melds_after(before, plays, distinct_suits=self.options.distinct_suits)
        if not before:
            check_opening(melds, self.stage)
        left = held - sum(len(play.cards) for play in plays)
        check_rest(left, melds, denied=self.denied, receives=receives)

    def check_discard(self, shown: Shown) -> None:
        if is_pot(shown.card):
            if shown.slot in self.turn.drawn:
                raise IllegalMove("K19", "A Treasure Pot is never discarded: lay it on the table.")
            raise IllegalMove("K19", "A Treasure Pot is never discarded.")
        if len(self.hands[self.turn.seat]) == 1 and not self.receives:
            check_going_out(self.laid[self.side].melds, denied=self.denied)

    def cutting(self, number: int) -> Self:
        cut = super().cutting(number)
        first = self.left_of(self.dealer)
        # The first player gets a fifteenth card, and opens the round by discarding one (K22).
        receivers = (*(HAND_SIZE * tuple(self.clockwise(first))), first)
        dealing = Deal(tuple(map(Give, cut.stock, receivers)))
        return cut.changed(orders=(dealing,)).turning(step=Step.DEAL)

    def showing(self, pots: tuple[Shown, ...]) -> Self:
        dealt = self.turn.step is Step.SHOW
        after = self.losing(self.turn.seat, pots).laying(self.side, bonus=pots)
        if pots:
            after = after.drawing(len(pots))
        # K18a: a card that replaces a pot may be a pot, too. So the seat is asked again, until it
        # lays none or all four pots lie on the table.
        more = pots and after.pots_missing
        return after._settled() if dealt and not more else after

    def _settled(self) -> Self:
        """Return the position after a seat has laid the pots dealt to it (K18, K22).

        The next seat lays its own. When all seats have done so, or all pots lie on the table, the
        first seat makes the round's first discard.
        """
        first = self.left_of(self.dealer)
        next_seat = self.left_of(self.turn.seat)
        if next_seat == first or not self.pots_missing:
            return self.passing_to(first, Step.OPEN)
        return self.passing_to(next_seat, Step.SHOW)

    def taking_pile(self, plays: tuple[Play, ...]) -> Self:
        return self._lifting(took=True).melding(plays)

    def taking_top(self, plays: tuple[Play, ...]) -> Self:
        return self._lifting(took=False).melding(plays)

    def _lifting(self, *, took: bool) -> Self:
        """Return the position with the top of the pile in the hand, ready to be melded."""
        turn = self.turn.changed(step=Step.PLAY, took=took)
        return self.gaining(turn.seat, self.pile[-1:], pile=self.pile[:-1], turn=turn)

    def melding(self, plays: tuple[Play, ...]) -> Self:
        waiting, partner = self.waiting, self.partner_of(self.turn.seat)
        if not self.opened and partner is not None:
            waiting |= {partner}  # K73
        # No test for an empty hand is needed: `check_rest` has refused to lay the last card (K96).
        return self.with_plays(plays).changed(waiting=waiting, rebuilds=0)

    def discarding(self, shown: Shown) -> Self:
        seat = self.turn.seat
        # A seat that took the pile receives its cards only now, after the discard (K66). Until now
        # the cards have stayed in `pile`. The discard begins a new pile.
        took = self.turn.took
        pile = (shown,) if took else (*self.pile, shown)
        discards = (*self.discards, shown.card)
        if len(self.hands[seat]) == 1 and not self.receives:
            return self.losing(seat, (shown,), pile=pile, discards=discards).finishing(seat)
        waiting = self.waiting
        # If the side already had melds when this turn began, the partner need not wait any longer.
        # If it laid its first melds in this turn, the partner has only begun to wait.
        if not self.turn.fresh:
            waiting -= {self.partner_of(seat)}  # K73
        turn = self.turn_of(self.left_of(seat))
        after = self.losing(
            seat, (shown,), pile=pile, discards=discards, waiting=waiting, turn=turn
        )
        return after.gaining(seat, self.pile) if took else after  # K66

    # -- deliveries

    def delivered(self, order: Order, _: tuple[Shown, ...]) -> Self:
        match order:
            case Shuffle() if self.turn.step is Step.DEAL:
                return self.passing_to(Seat((self.dealer - 1) % self.seats), Step.CUT)
            case Deal() if self.turn.step is Step.DEAL:
                return self.passing_to(self.left_of(self.dealer), Step.SHOW)
            case Deal() if not self.stock:
                return self._exhausted()
            # The rebuilt stock was shuffled, or a card was drawn: the turn goes on.
            case _:
                return self

    def _exhausted(self) -> Self:
        """Return the position after the last card of the stock was drawn (K86, K88, K89, K94).

        The pile becomes the new stock. The round is over instead if there is no pile, or if
        `barren_passes` rebuilt stocks have been drawn since a card was last melded.
        """
        if not self.pile or self.rebuilds == self.options.barren_passes:
            return self.finishing(None)
        first = Slot(1 + max(self._slots()))
        order = Shuffle(cards_of(self.pile), first)
        return self.changed(pile=(), rebuilds=self.rebuilds + 1, orders=(order,))

    def _slots(self) -> Iterator[Slot]:
        """Return the slots of all cards in the pile, on the table and in hands.

        The stock is empty, so these are all cards, and new slots can follow the highest of them.
        """
        laid = (chain(laid.bonus, *(meld.cards for meld in laid.melds)) for laid in self.laid)
        yield from (shown.slot for shown in chain(self.pile, *laid))
        yield from chain(*self.hands)
