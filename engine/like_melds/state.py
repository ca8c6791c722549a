"""State of the games in which sides meld like cards, with twos and jokers as wild cards."""

from abc import abstractmethod
from typing import Self

from attrs import frozen

from engine.cards import Card, Rank
from engine.errors import IllegalMove
from engine.like_melds.cards import (
    CARD_POINTS,
    is_black_three,
    is_natural,
    is_red_three,
    is_wild,
    points_of,
)
from engine.like_melds.melds import LikeMelds, is_clean, is_complete
from engine.melds import Meld
from engine.moves import Play
from engine.position import Position
from engine.position_facts import MeldClass, Opening, PileState, PileStatus
from engine.slots import Shown, Side, cards_of
from engine.turn import Step


@frozen(kw_only=True, slots=False)
class LikeMeldsState(Position):
    """A round with melds of like cards, in which red threes are laid as bonus cards."""

    finds_legal = True

    @property
    @abstractmethod
    def limits(self) -> LikeMelds:
        """Limits of the melds at this table."""

    @abstractmethod
    def opening_need(self, side: Side) -> int:
        """Return the points that the first melds of a side need."""

    @property
    def minimum(self) -> int:
        """The points that melds of the mover's side need now; 0 if the side has opened."""
        return 0 if self.opened else self.opening_need(self.side)

    @classmethod
    def is_wild(cls, card: Card) -> bool:
        return is_wild(card)

    @classmethod
    def is_bonus(cls, card: Card) -> bool:
        return is_red_three(card)

    @classmethod
    def card_points(cls, card: Card) -> int:
        return 0 if is_red_three(card) else CARD_POINTS[card.rank]

    @classmethod
    def opens_with(cls, card: Card) -> bool:
        return super().opens_with(card) and not is_black_three(card)

    def meld_of(self, cards: tuple[Shown, ...]) -> Meld:
        return self.limits.new_meld(cards)

    def melds_after(self, side: Side, plays: tuple[Play, ...]) -> tuple[Meld, ...]:
        return self.limits.melds_after(self.laid[side].melds, plays)

    def meld_class(self, meld: Meld) -> MeldClass | None:
        if not is_complete(meld):
            return None
        return MeldClass.CLEAN if is_clean(meld) else MeldClass.DIRTY

    def opening(self, side: Side, plays: tuple[Play, ...] = ()) -> Opening | None:
        if self.laid[side].melds:
            return None
        cards = cards_of(shown for play in plays for shown in play.cards)
        return Opening(points_of(cards), self.opening_need(side), sum(map(is_wild, cards)), None)

    def pile_status(self, side: Side) -> PileStatus:
        del side
        # A wild card or a three on top blocks the pile until the mover covers it with a discard.
        if self.pile and not is_natural(self.pile[-1].card):
            return PileStatus(PileState.BLOCKED, self.turn.seat)
        return PileStatus(PileState.FREE)

    def check_opening(self, plays: tuple[Play, ...], clause: str) -> None:
        """Raise IllegalMove if the plays are a side's first melds and have too few points.

        `clause` is the clause that the error names.
        """
        opening = self.opening(self.side, plays)
        if opening is not None and opening.need and opening.points < opening.need:
            raise IllegalMove(
                clause,
                "Opening takes {need} points, and these cards have {points}.",
                need=opening.need,
                points=opening.points,
            )

    def check_black_threes(self, melds: tuple[Meld, ...], left: int) -> None:
        """Raise IllegalMove if black threes are among the melds of a mover who does not go out.

        `left` cards remain in the hand after melding; the last one may be discarded.
        """
        if left > 1 and any(meld.rank is Rank.THREE for meld in melds):
            raise IllegalMove(
                self.limits.black_threes, "Black threes are melded only when one goes out."
            )

    def check_red_threes(self, cards: tuple[Shown, ...]) -> None:
        """Raise IllegalMove unless all cards are red threes."""
        for shown in cards:
            if not is_red_three(shown.card):
                raise IllegalMove(self.bonus_duty, "The {card} is no red three.", card=shown.card)

    def check_pair(self, plays: tuple[Play, ...], *, blocked: str, pair: str) -> None:
        """Raise IllegalMove unless the top of the pile is laid with two more of its rank.

        `blocked` is the clause for a pile that nobody may take, `pair` the clause for the two
        cards.
        """
        if not self.pile:
            raise IllegalMove(pair, "There is no discard pile to take.")
        top = self.pile[-1]
        if not is_natural(top.card):
            raise IllegalMove(
                blocked, "A pile with a {card} on top cannot be taken.", card=top.card
            )
        play = next((play for play in plays if top in play.cards), None)
        if play is None:
            raise IllegalMove(
                pair, "The top card, the {card}, must be melded at once.", card=top.card
            )
        if sum([shown.card.rank is top.card.rank for shown in play.cards]) < 3:
            raise IllegalMove(
                pair, "Taking the {card} needs two more of its rank from the hand.", card=top.card
            )

    @property
    def pile_bonus(self) -> tuple[Shown, ...]:
        """Red threes that are laid as the pile is taken, and not replaced."""
        return tuple([shown for shown in self.takes if is_red_three(shown.card)])

    @property
    def received(self) -> tuple[Shown, ...]:
        """Cards that come into the hand with the pile: all but `pile_bonus`."""
        takes, bonus = self.takes, self.pile_bonus
        return tuple([shown for shown in takes if shown not in bonus]) if bonus else takes

    def taking_pile(self, plays: tuple[Play, ...]) -> Self:
        # At least the top is taken, so the number is never 0, which would leave no rest at all.
        rest = self.pile[: -len(self.takes)]
        turn = self.turn.changed(step=Step.PLAY, took=True)
        # Red threes of the pile go straight to the table; `received` leaves them out.
        lifted = self.gaining(turn.seat, self.received, pile=rest, turn=turn)
        return lifted.with_plays(plays, self.pile_bonus).emptying()

    def known_card(self, received: tuple[Shown, ...], plays: tuple[Play, ...]) -> Shown | None:
        """Return a card, known to all, that stays in the mover's hand after the plays.

        `received` are the cards that the hand gets from the pile. The result is None if no card
        that stays is known to all.
        """
        laid = {shown.slot for play in plays for shown in play.cards}
        held = [self.known[slot] for slot in self.hands[self.turn.seat] if slot in self.known]
        return next((shown for shown in (*held, *received) if shown.slot not in laid), None)
