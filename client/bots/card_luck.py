"""The luck of the cards that came to a player, in points.

Chance is measured where it acts, apart from play: cards come to a hand by the deal, or by a move
such as a draw. The evaluator values the round with these very cards, and with all that could have
come instead; the difference to their mean is luck. Cards that lie in other hands could not have
come, though the player could not know them: a stock is poorer for the good cards that others keep,
so beside all unseen cards every draw would look like bad luck.

The sum of such differences is a martingale: over many rounds luck is 0, however well somebody plays
(M. Zinkevich and others, "Optimal unbiased estimators for evaluating agent performance", 2006).
"""

import random
from collections.abc import Iterable, Sequence
from math import hypot
from statistics import fmean, pstdev

from attrs import evolve, frozen

from client.bots.evaluators import evaluator_of
from client.bots.weights import Tuning
from engine.cards import Card
from engine.games import game_named
from engine.position import Position
from engine.slots import Seat, Shown, Slot

_SAMPLES = 200
"""Number of random hands for several cards that came at once."""

_REPLACEMENTS = 20
"""Number of cards that are tried in place of a bonus card."""


@frozen
class CardsGiven:
    """Cards that came to the hand of a seat by chance."""

    game: str
    seat: Seat
    position: Position
    """The round before they came; of a deal, after it."""
    held: tuple[Card, ...]
    """The cards of the hand before they came."""
    came: tuple[Card, ...]
    possible: tuple[Card, ...]
    """The cards of which these came."""


@frozen
class Luck:
    """The points by which cards were better than others."""

    points: float = 0.0
    spread: float = 0.0
    """Standard deviation of such luck by chance."""

    @classmethod
    def total(cls, parts: Iterable["Luck"]) -> "Luck":
        every = tuple(parts)
        return cls(sum(one.points for one in every), hypot(*(one.spread for one in every)))


def luck_of(given: CardsGiven) -> Luck:
    """Return the luck of cards that came to a hand; the same cards always have the same."""
    rng = random.Random(" ".join(card.code for card in given.came))
    count = len(given.came)
    others: list[Sequence[Card]] = [(card,) for card in given.possible]
    if count > 1:
        others = [rng.sample(given.possible, count) for _ in range(_SAMPLES)]
    worth = [_worth(given, cards, rng) for cards in others]
    return Luck(_worth(given, given.came, rng) - fmean(worth), pstdev(worth))


def _worth(given: CardsGiven, cards: Sequence[Card], rng: random.Random) -> float:
    """Return the value for the side of the seat if these cards come.

    Bonus cards go to the table, and others come in their place.
    """
    evaluator, position = evaluator_of(game_named(given.game), Tuning.LEARNT), given.position
    plain = [card for card in cards if not position.is_bonus(card)]
    bonus = [card for card in cards if position.is_bonus(card)]
    if not bonus:
        return evaluator.standing_with(position, given.seat, (*given.held, *plain))
    sides = list(position.laid)
    side = position.side_of(given.seat)
    laid = tuple(Shown(Slot(-1), card) for card in bonus)
    sides[side] = evolve(sides[side], bonus=sides[side].bonus + laid)
    after = position.changed(laid=tuple(sides))
    rest = [card for card in given.possible if card not in cards and not position.is_bonus(card)]
    if len(rest) < len(bonus):
        return evaluator.standing_with(after, given.seat, (*given.held, *plain))
    return fmean(
        evaluator.standing_with(
            after, given.seat, (*given.held, *plain, *rng.sample(rest, len(bonus)))
        )
        for _ in range(_REPLACEMENTS)
    )
