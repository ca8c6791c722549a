"""Counts of the cards that came to a player, each with the chance that it had."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping

from attrs import define, field

from client.reports.luck.statistics import DrawnHand
from client.reports.model import CardGiven, DealReport, DeckReport

WEIGHTS = (1 / 4, 1 / 2, 2.0, 4.0)
"""Factors by which special cards might come more easily, for the test of drawn cards."""

MOST_STEPS = 120
"""Most points of a curve: more would lie closer together than a line is wide."""


@define
class Remaining:
    """The cards of a deal that have not been given out yet, at least one."""

    ranks: Counter[str]
    cards: set[int]

    def chance_of(self, cards: frozenset[int]) -> float:
        """Return the chance that the next card is one of these."""
        return len(self.cards & cards) / len(self.cards)


def given_cards(deal: DealReport, deck: DeckReport) -> Iterator[tuple[CardGiven, int, Remaining]]:
    """Return every card that was given to a player, its number, and the cards that remained then.

    The object with the remaining cards changes at the next step. The iteration ends at a card that
    nobody has opened.
    """
    left = Remaining(Counter(deck.ranks[card] for card in deal.cards), set(deal.cards))
    for given in deal.given:
        if given.card is None:
            return
        if given.player is not None:
            yield given, given.card, left
        left.ranks[deck.ranks[given.card]] -= 1
        left.cards.remove(given.card)


def hands_dealt(deal: DealReport) -> Mapping[int, tuple[int, ...]]:
    """Return the cards of the hands that were dealt, by player."""
    hands: dict[int, tuple[int, ...]] = {}
    for given in deal.given:
        if given.dealt and given.player is not None and given.card is not None:
            hands[given.player] = (*hands.get(given.player, ()), given.card)
    return hands


@define
class Special:
    """Counts of one kind of special cards, card by card and in whole hands."""

    cards: frozenset[int]
    came: int = 0
    """Number of special cards that came."""
    expected: float = 0.0
    """Number to be expected by chance."""
    hands: Counter[DrawnHand] = field(factory=Counter)
    """Number of dealt hands of each kind."""
    log_ratios: list[float] = field(factory=lambda: [0.0] * len(WEIGHTS))
    """For each of `WEIGHTS` the logarithm of its likelihood ratio to chance."""

    def add(self, card: int, left: Remaining) -> None:
        chance = left.chance_of(self.cards)
        is_one = card in self.cards
        self.came += is_one
        self.expected += chance
        for i, weight in enumerate(WEIGHTS):
            ratio = (weight if is_one else 1.0) / (1 - chance + weight * chance)
            self.log_ratios[i] += math.log(ratio)


@define
class Walk:
    """A running count of special cards, with the expected count and its variance."""

    steps: list[tuple[int, float, float]] = field(factory=list)

    def step(self, is_one: bool, chance: float) -> None:
        """Add a card, which was special with that chance."""
        came, expected, variance = self.steps[-1] if self.steps else (0, 0.0, 0.0)
        variance += chance * (1 - chance)
        self.steps.append((came + is_one, expected + chance, variance))

    def thinned(self) -> Iterator[tuple[int, int, float, float]]:
        """Return at most MOST_STEPS points from no card to the last.

        Each has the number of cards, the number of special ones that came, the number expected by
        chance, and its standard deviation.
        """
        yield 0, 0, 0.0, 0.0
        many = len(self.steps)
        parts = min(many, MOST_STEPS)
        for part in range(1, parts + 1):
            cards = many * part // parts
            came, expected, variance = self.steps[cards - 1]
            yield cards, came, expected, math.sqrt(variance)


@define
class CardTally:
    """Counts of all cards that came to one player in one way."""

    deck: DeckReport
    ranks: tuple[str, ...] = field(init=False)
    came: Counter[str] = field(factory=Counter, init=False)
    """Number of cards by rank."""
    expected: list[float] = field(init=False)
    """Numbers to be expected, in the order of `ranks`."""
    covariance: list[list[float]] = field(init=False)
    """Covariance of the counts by rank."""
    special: dict[str, Special] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.ranks = tuple(dict.fromkeys(self.deck.ranks))
        self.expected = [0.0] * len(self.ranks)
        self.covariance = [[0.0] * len(self.ranks) for _ in self.ranks]
        self.special = {what: Special(cards) for what, cards in self.deck.special.items()}

    def add(self, card: int, left: Remaining) -> None:
        """Add a card that came when these cards remained."""
        self.came[self.deck.ranks[card]] += 1
        # The counts of one card by rank have the covariance diag(p) - p p'.
        chances = [left.ranks[rank] / len(left.cards) for rank in self.ranks]
        for i, p in enumerate(chances):
            self.expected[i] += p
            self.covariance[i][i] += p
            row = self.covariance[i]
            for j, q in enumerate(chances):
                row[j] -= p * q
        for special in self.special.values():
            special.add(card, left)

    def add_hand(self, deal: DealReport, cards: tuple[int, ...]) -> None:
        """Add a whole hand of the deal; its cards are added one by one, too."""
        for special in self.special.values():
            in_deal = len(special.cards & set(deal.cards))
            special.hands[DrawnHand(len(deal.cards), in_deal, len(cards))] += 1
