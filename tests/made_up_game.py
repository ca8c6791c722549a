"""A small made-up game. Tests play it to show that no part of the program knows games by name.

The game is called Families. It is for two players, or for four in couples. No card has to be laid
before the first turn. Its packs have sixteen cards and no jokers. Two players use five packs;
four use nine, or three by an option.

The players gather melds of one rank. In their turn they draw from the stock or take the pile, lay
three or four cards of a rank, and discard. Each player also has a foot: a second hand, which is set
aside and taken up when the first is used up. A player who has used up both goes out. Feet that
nobody has taken up are turned up at the end, and count.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Self

from attrs import frozen

from engine.cards import Card, Rank, Suit
from engine.decks import Deck, Decks, OtherDeck, deck_of
from engine.disputes import ours, said
from engine.errors import IllegalMove
from engine.game import Game
from engine.games import GAMES
from engine.hands_set_aside import SetAside
from engine.melds import Meld
from engine.moves import Answer, Ask, Cut, Move, Pass, Play, ShowBonus, TakePile, TakeTop
from engine.options import Options, flag, number
from engine.orders import Order, Shuffle
from engine.own_lines import LineKind, OwnLine
from engine.position_facts import MeldClass, MeldWords, PileState, PileStatus
from engine.score_sheet import Item
from engine.sentences import N_
from engine.slots import Shown, Side
from engine.turn import Step

_RANKS = (Rank.FOUR, Rank.FIVE, Rank.SIX, Rank.SEVEN)
_HAND, _FOOT = 4, 4
_ROYAL = MeldWords(N_("royal"), N_("completes a royal family"))
"""Words for sevens, which are of the same class as other families."""


def _deck(count: int) -> Deck:
    return deck_of([(rank, suit, False) for _, suit, rank in product(range(count), Suit, _RANKS)])


@frozen(kw_only=True)
class FamiliesOptions(Options):
    """Options of the game."""

    rounds: int = number(1, 1, 10, clause="F1", doc=N_("Rounds to play."))
    short: bool = flag(False, clause="F1", doc=N_("Four play with three packs."))


@frozen(kw_only=True, slots=False)
class FamiliesPosition(SetAside):
    """Position in a round of Families."""

    decks = Decks(
        _deck(9),
        (OtherDeck(_deck(5), players=(2,)), OtherDeck(_deck(3), option="short", value=True)),
    )
    steps = (Step.DRAW, Step.PLAY, Step.OVER)
    letter = "F"
    turn_clause = "F3"
    lacking = (Cut, ShowBonus, TakeTop, Ask, Answer, Pass)
    finds_legal = True
    takes_pile_bare = True
    complete_size = 4
    own_lines = (
        OwnLine("families", LineKind.BY_SIDE, "families", "by side: melds laid", "0 1"),
        OwnLine("walking", LineKind.SEATS, "took_aside", "seats that have taken up their foot"),
        OwnLine("feet", LineKind.HANDS, "aside", "feet left", size=_FOOT, taken="took_aside"),
    )
    counts_set_aside = True
    options: FamiliesOptions
    families: tuple[int, ...] = (0, 0)
    """Number of melds that each side has laid."""

    # -- what the table shows

    @classmethod
    def is_wild(cls, card: Card) -> bool:
        del card
        return False

    @classmethod
    def card_points(cls, card: Card) -> int:
        return int(card.rank)

    def meld_of(self, cards: tuple[Shown, ...]) -> Meld:
        ranks = {shown.card.rank for shown in cards}
        if len(cards) < 3 or len(ranks) != 1:
            raise IllegalMove("F5", "A family has three or four cards of one rank.")
        return Meld(cards, ranks.pop())

    def melds_after(self, side: Side, plays: tuple[Play, ...]) -> tuple[Meld, ...]:
        melds = list(self.laid[side].melds)
        for play in plays:
            if play.onto is None:
                melds.append(self.meld_of(play.cards))
            elif 0 <= play.onto < len(self.laid[side].melds):
                melds[play.onto] = self.meld_of(melds[play.onto].cards + play.cards)
            else:
                raise IllegalMove("F6", "There is no such family.")
        return tuple(melds)

    def meld_class(self, meld: Meld) -> MeldClass | None:
        return MeldClass.CLEAN if len(meld.cards) == 4 else None

    def words_of(self, meld: Meld) -> MeldWords:
        return _ROYAL if meld.rank is Rank.SEVEN else super().words_of(meld)

    def pile_status(self, side: Side) -> PileStatus:
        del side
        return PileStatus(PileState.FREE)

    def may_take_pile(self) -> bool:
        return bool(self.pile)

    def may_go_out(self, side: Side) -> bool:
        del side
        return True

    def table_items(self, side: Side) -> Iterator[Item]:
        melded = [shown.card for meld in self.laid[side].melds for shown in meld.cards]
        yield Item(N_("cards melded"), len(melded), sum(map(self.card_points, melded)), "F8")

    def hand_items(self, cards: tuple[Card, ...]) -> Iterator[Item]:
        yield Item(N_("cards in hand"), len(cards), -sum(map(self.card_points, cards)), "F9")

    # -- moves

    def layings(self) -> Iterator[tuple[Play, ...]]:
        hand = self.hand(self.turn.seat)
        for size, rank in product((3, 4), _RANKS):
            alike = [shown for shown in hand if shown.card.rank is rank]
            yield from ((Play(cards),) for cards in combinations(alike, size))
        for shown, (number_, meld) in product(hand, enumerate(self.laid[self.side].melds)):
            if meld.rank is shown.card.rank:
                yield (Play((shown,), onto=number_),)

    def takings(self) -> Iterator[Move]:
        if self.pile:
            yield TakePile()

    def discards_tried(self) -> tuple[Shown, ...]:
        return self.hand(self.turn.seat)

    def check_discard(self, card: Shown) -> None:
        del card

    def check_laying(self, plays: tuple[Play, ...]) -> None:
        self.melds_after(self.side, plays)
        laid = sum(len(play.cards) for play in plays)
        seat = self.turn.seat
        if laid >= len(self.hands[seat]) and not self.gets_more(seat):
            raise IllegalMove("F7", "A card must be left for the discard.")

    def check_taking(self, plays: tuple[Play, ...]) -> None:
        if plays or not self.pile:
            raise IllegalMove("F4", "Only a pile with cards can be taken, without melds.")

    def taking_pile(self, plays: tuple[Play, ...]) -> Self:
        taken = self.gaining(self.turn.seat, self.pile).changed(pile=())
        return taken.turning(step=Step.PLAY, took=True)

    def melding(self, plays: tuple[Play, ...]) -> Self:
        families = list(self.families)
        families[self.side] = len(self.melds_after(self.side, plays))
        return self.with_plays(plays).changed(families=tuple(families)).emptying()

    # -- deliveries

    def delivered(self, order: Order, shown: tuple[Shown, ...]) -> Self:
        if isinstance(order, Shuffle):
            return self.setting_aside(self.seats, _FOOT, after=_HAND).dealing(_HAND)
        return super().delivered(order, shown)


FAMILIES = Game(
    name="families",
    decks=FamiliesPosition.decks,
    load_position=lambda: FamiliesPosition,
    options=FamiliesOptions,
    players=(2, 4),
    couples=(4,),
    numbers=dict,
    answers={
        "draw": ours("F1", N_("Whoever draws the higher card begins.")),
        "talk": said("F2", N_("One may talk.")),
    },
)

ALL_GAMES = (*GAMES.values(), FAMILIES)
"""The registered games and this one, for tests of rules that every game follows."""
