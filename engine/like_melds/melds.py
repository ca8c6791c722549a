"""Melds of like cards: naturals of one rank, with some wild ones among them.

Each game has a `LikeMelds` with its limits, and with the clauses that state them.
"""

from attrs import field, frozen

from engine.cards import Rank
from engine.errors import IllegalMove
from engine.like_melds.cards import is_red_three, is_wild
from engine.melds import Meld
from engine.moves import Play
from engine.sentences import Sentence
from engine.slots import Shown, cards_of

SMALLEST = 3
COMPLETE = 7
"""Cards of a complete meld: a canasta, or a book."""

_THREE = Rank.THREE  # a module variable is found faster than an attribute
_NO_LIMIT = 1000
_MOST_NATURALS = 60  # more than any deck has of a rank


def is_complete(meld: Meld) -> bool:
    """Return True if a meld has all the cards of a canasta."""
    return len(meld.cards) >= COMPLETE


def is_clean(meld: Meld) -> bool:
    """Return True if there is no wild card in the meld."""
    return not wild_count(meld)


def wild_count(meld: Meld) -> int:
    """Return how many cards of a meld are not of its rank."""
    rank = meld.rank
    return sum([shown.card.rank is not rank for shown in meld.cards])


@frozen(kw_only=True)
class LikeMelds:
    """Limits of a game's melds of like cards, and the clauses that a refusal names."""

    most_wilds: int
    more_naturals: bool = False
    """True if a meld has more naturals than wild cards; otherwise two naturals are enough."""
    largest: int = _NO_LIMIT
    """The maximum number of cards in a meld. A side may begin a second meld of a rank when the
    first one is full."""
    meld: str
    """The clause for the form of a meld: at least three cards, of one rank."""
    three_cards: str
    """The clause for the single wild card in a meld of three cards."""
    limits: str
    """The clause for the numbers of naturals and of wild cards."""
    naturals: str
    """The clause by which wild cards alone are no meld."""
    adding: str
    """The clause for adding cards to a meld, and for having only one open meld of a rank."""
    own: str
    """The clause by which cards are added only to melds of one's own side."""
    red_threes: str
    """The clause by which red threes are never melded."""
    black_threes: str
    """The clause for black threes."""
    melds_black_threes: bool = True
    """True if black threes are melded by a player who goes out; False if they never are."""

    wilds_beside: tuple[range, ...] = field(init=False, repr=False)
    """The numbers of wild cards that a meld may have, by the number of its naturals."""

    @wilds_beside.default
    def _wilds_beside(self) -> tuple[range, ...]:
        return tuple(map(self._wilds, range(_MOST_NATURALS)))

    def _wilds(self, naturals: int) -> range:
        most = min(self.most_wilds, self.largest - naturals)
        if self.more_naturals:
            most = min(most, naturals - 1)
        # Two naturals need at least one wild card to be a meld, three need none; one natural is
        # never enough.
        return range(max(0, SMALLEST - naturals), most + 1) if naturals > 1 else range(0)

    def room(self, meld: Meld) -> int:
        """Return how many wild cards may still join the meld, if it also gets enough naturals."""
        return min(self.most_wilds - wild_count(meld), self.largest - len(meld.cards))

    def new_meld(self, cards: tuple[Shown, ...]) -> Meld:
        """Return a new meld, or raise IllegalMove.

        Black threes are accepted if the game melds them. Only a player who goes out may lay them,
        but that depends on the rest of the hand, which is checked elsewhere.
        """
        ranks = {card.rank for card in cards_of(cards) if not is_wild(card)}
        if not ranks:
            raise IllegalMove(self.naturals, "Wild cards alone are no meld.")
        if len(ranks) > 1:
            raise IllegalMove(self.meld, "The naturals of a meld are all of one rank.")
        return self._checked(Meld(cards, ranks.pop()))

    def extended(self, meld: Meld, cards: tuple[Shown, ...]) -> Meld:
        """Return a meld with `cards` added to it, or raise IllegalMove."""
        if not cards:
            raise IllegalMove(self.adding, "Adding to a meld takes at least one card.")
        for card in cards_of(cards):
            if not is_wild(card) and card.rank is not meld.rank:
                raise IllegalMove(
                    self.meld, "The {card} is of another rank than the meld.", card=card
                )
        return self._checked(Meld(meld.cards + cards, meld.rank))

    def melds_after(self, melds: tuple[Meld, ...], plays: tuple[Play, ...]) -> tuple[Meld, ...]:
        """Return a side's melds with `plays` laid, or raise IllegalMove."""
        if not plays:
            raise IllegalMove(self.meld, "Melding takes at least one meld.")
        after = list(melds)
        for play in plays:
            if play.low:
                raise IllegalMove(
                    self.meld, "There are no sequences here, so no meld has a low end."
                )
            if play.onto is None:
                meld = self.new_meld(play.cards)
                if any(meld.rank is other.rank and not self._is_full(other) for other in after):
                    raise IllegalMove(
                        self.adding, "The side has a meld of that rank already; add to it."
                    )
                after.append(meld)
            # Cards join only melds that lay on the table before the move: a new meld is laid in one
            # play with all its cards.
            elif 0 <= play.onto < len(melds):
                after[play.onto] = self.extended(after[play.onto], play.cards)
            else:
                raise IllegalMove(self.own, "Cards can be added only to melds of one's own side.")
        return tuple(after)

    def _is_full(self, meld: Meld) -> bool:
        return len(meld.cards) >= self.largest

    def _checked(self, meld: Meld) -> Meld:
        if meld.rank is _THREE:
            self._check_threes(meld)
        size, wilds = len(meld.cards), wild_count(meld)
        naturals = size - wilds
        if size < SMALLEST:
            raise IllegalMove(self.meld, "A meld has at least three cards.")
        # This comes before the test for two naturals: K 2 2 is refused for its size (C26), K 2 2 2
        # for its naturals (C27).
        if size == SMALLEST and wilds > 1:
            raise IllegalMove(self.three_cards, "A meld of three cards has at most one wild card.")
        if naturals < 2:
            raise IllegalMove(self.limits, "A meld has at least two naturals.")
        if wilds > self.most_wilds:
            raise IllegalMove(
                self.limits,
                Sentence.counted(
                    "A meld has at most {n} wild card.",
                    "A meld has at most {n} wild cards.",
                    self.most_wilds,
                ),
            )
        if self.more_naturals and wilds >= naturals:
            raise IllegalMove(self.limits, "A meld has more naturals than wild cards.")
        if size > self.largest:
            raise IllegalMove(self.adding, "A meld has at most {most} cards.", most=self.largest)
        if meld.rank is _THREE and (naturals, wilds) not in ((3, 0), (4, 0), (2, 1)):
            raise IllegalMove(
                self.black_threes,
                "A meld of black threes has three or four of them, or two and one wild card.",
            )
        return meld

    def _check_threes(self, meld: Meld) -> None:
        if any(map(is_red_three, cards_of(meld.cards))):
            raise IllegalMove(self.red_threes, "Red threes are never melded.")
        if not self.melds_black_threes:
            raise IllegalMove(self.black_threes, "Black threes are never melded.")
