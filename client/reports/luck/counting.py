"""Counts of the cards that came to a player, beside the counts expected by chance."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping

from attrs import define, field

from client.reports.luck.statistics import DrawnHand
from client.reports.model import CardGiven, DealReport, DeckReport

WEIGHTS = (1 / 4, 1 / 2, 2.0, 4.0)
"""Assumed factors for the test of drawn cards: with 2, special cards come twice as easily."""

MOST_STEPS = 120
"""The maximum number of points of a curve; more would be closer together than a line is wide."""


@define
class Remaining:
    """The cards of a deal that have not been given out yet; there is at least one."""

    ranks: Counter[str]
    cards: set[int]

    def chance_of(self, cards: frozenset[int]) -> float:
        """Return the chance that the next card is one of these."""
        return len(self.cards & cards) / len(self.cards)


def given_cards(deal: DealReport, deck: DeckReport) -> Iterator[tuple[CardGiven, int, Remaining]]:
    """Return every card that a player got, with its number, and the cards that remained before it.

    The `Remaining` is the same object each time, and changes at the next step. The iteration ends
    at a card that the record does not show.
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
    """Return the hands that were dealt, by player."""
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
    """Number of special cards expected by chance."""
    hands: Counter[DrawnHand] = field(factory=Counter)
    """Number of dealt hands by size of the hand and composition of the deal."""
    log_ratios: list[float] = field(factory=lambda: [0.0] * len(WEIGHTS))
    """For each of `WEIGHTS`, the logarithm of the likelihood ratio of that weight to chance."""

    def add(self, card: int, left: Remaining) -> None:
        chance = left.chance_of(self.cards)
        is_one = card in self.cards
        self.came += is_one
        self.expected += chance
        # If special cards come w times as easily, a special card has the chance w c / (1 - c + w c)
        # instead of c, and another card (1 - c) / (1 - c + w c) instead of 1 - c.
        for i, weight in enumerate(WEIGHTS):
            ratio = (weight if is_one else 1.0) / (1 - chance + weight * chance)
            self.log_ratios[i] += math.log(ratio)


@define
class Walk:
    """A running count of special cards, with the expected count and its variance."""

    steps: list[tuple[int, float, float]] = field(factory=list)
    """The count, the expected count and its variance after each card."""

    def step(self, is_one: bool, chance: float) -> None:
        """Add the next card. `is_one` is True if it is special; the chance of that was `chance`."""
        came, expected, variance = self.steps[-1] if self.steps else (0, 0.0, 0.0)
        variance += chance * (1 - chance)
        self.steps.append((came + is_one, expected + chance, variance))

    def thinned(self) -> Iterator[tuple[int, int, float, float]]:
        """Return the start of the curve, and at most MOST_STEPS further points up to the last card.

        A point has the number of cards so far, the number of special cards among them, the number
        expected by chance, and the standard deviation of that number.
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
    """Counts of all cards that were dealt to a player, or of all that they drew."""

    deck: DeckReport
    ranks: tuple[str, ...] = field(init=False)
    came: Counter[str] = field(factory=Counter, init=False)
    """Number of cards by rank."""
    expected: list[float] = field(init=False)
    """Expected number of cards of each rank, by chance, in the order of `ranks`."""
    covariance: list[list[float]] = field(init=False)
    """Covariance of the counts by rank."""
    special: dict[str, Special] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.ranks = tuple(dict.fromkeys(self.deck.ranks))
        self.expected = [0.0] * len(self.ranks)
        self.covariance = [[0.0] * len(self.ranks) for _ in self.ranks]
        self.special = {what: Special(cards) for what, cards in self.deck.special.items()}

    def add(self, card: int, left: Remaining) -> None:
        """Add a card that came out of the remaining cards `left`."""
        self.came[self.deck.ranks[card]] += 1
        # One card has rank i with chance p_i, so it adds diag(p) - p p' to the covariance.
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
        """Add a whole hand of the deal; `add` gets its cards one by one, too."""
        for special in self.special.values():
            in_deal = len(special.cards & set(deal.cards))
            special.hands[DrawnHand(len(deal.cards), in_deal, len(cards))] += 1
