"""The evaluator of Hand and Foot."""

from collections.abc import Sequence

from attrs import frozen

from client.bots.like_evaluator import LikeEvaluator
from client.bots.weights import LikeWeights
from engine.cards import Card
from engine.hand_and_foot.constants import CLEAN_BOOK, DIRTY_BOOK, MELDS, RED_THREE
from engine.hand_and_foot.state import HandAndFootState
from engine.like_melds.cards import is_natural
from engine.like_melds.find_layings import open_melds
from engine.melds import Laid, Meld
from engine.moves import Discard, LayMelds, Move, TakePile
from engine.position import Position
from engine.sentences import Sentence
from engine.slots import Seat
from engine.turn import Step

_FEW = 4
"""Maximum number of cards in a hand that is nearly used up."""


@frozen(kw_only=True)
class FootWeights(LikeWeights):
    """Weights for Hand and Foot."""

    foot: float = 0
    """Value of having taken up the foot; nobody can go out before that."""
    toward_foot: float = 0
    """Value of getting rid of a card, before the foot is taken up."""
    two_naturals: float = 0.5
    """Factor for the chance that a side takes the pile with a pair, if it has not melded."""


class HandAndFootEvaluator(LikeEvaluator):
    """An evaluator that aims at books, and at using up the hand to take up the foot."""

    weights: FootWeights
    clean, dirty = CLEAN_BOOK, DIRTY_BOOK

    def standing_with(self, view: Position, seat: Seat, hand: Sequence[Card]) -> float:
        assert isinstance(view, HandAndFootState)
        standing = super().standing_with(view, seat, hand)
        if view.has_aside(seat):
            return standing - self.weights.toward_foot * len(hand)
        return standing + self.weights.foot

    def remark(self, view: Position, move: Move) -> Sentence | None:
        assert isinstance(view, HandAndFootState)
        seat, side, after = view.turn.seat, view.side, view.apply(move)
        assert isinstance(after, HandAndFootState)
        left = len(after.hands[seat])
        if view.has_aside(seat):
            if after.has_aside(seat):
                if left > _FEW or not isinstance(move, LayMelds | TakePile | Discard):
                    return None
                return Sentence.counted(
                    "With {n} card less you take up your foot.",
                    "With {n} cards less you take up your foot.",
                    left,
                )
            if isinstance(move, Discard):
                return Sentence("It is your last card: in your next turn you play your foot.")
            return Sentence("Your hand is used up: you take up your foot, and go on at once.")
        # From here on the seat plays its foot.
        lacking = view.books_lacking(after.laid[side].melds)
        if not isinstance(move, LayMelds | TakePile | Discard) or after.turn.step is Step.OVER:
            return None
        if any(lacking) and (left <= _FEW or lacking != view.books_lacking(view.laid[side].melds)):
            return Sentence("Going out still takes {books}.", books=_books(*lacking))
        if left <= _FEW and not any(lacking) and view.turn.answer is not False:
            return Sentence.counted(
                "Your side has its books: with {n} card less you are out.",
                "Your side has its books: with {n} cards less you are out.",
                left,
            )
        return None

    def grows(self, meld: Meld) -> bool:
        return len(meld.cards) < MELDS.largest

    def red_threes(self, view: Position, laid: Laid) -> float:
        del view
        return RED_THREE * len(laid.bonus) * (1.0 if laid.melds else 0.5)

    def taking(self, view: Position, seat: Seat, taker: Seat, card: Card) -> float:
        if not is_natural(card):
            return 0.0
        melds = view.laid[view.side_of(taker)].melds
        grown = open_melds(MELDS, melds).get(card.rank)
        # The taker lays the card with a pair. A meld of 5 has no room for 3 more: the maximum is 7.
        if grown is not None and len(melds[grown].cards) + 3 > MELDS.largest:
            return 0.0
        pair = self.holds(view, seat, taker, card.rank, 2)
        return pair if melds else pair * self.weights.two_naturals


def _books(clean: int, dirty: int) -> tuple[Sentence, ...]:
    """Return the numbers of clean and dirty books in words; a kind with 0 is left out."""
    books = (
        Sentence.counted("{n} clean book", "{n} clean books", clean),
        Sentence.counted("{n} dirty book", "{n} dirty books", dirty),
    )
    return tuple(text for text, count in zip(books, (clean, dirty), strict=True) if count)


EVALUATOR = HandAndFootEvaluator
WEIGHTS = FootWeights
"""Classes for `client.bots.evaluator_registry`; hand_and_foot.toml has the weights."""
