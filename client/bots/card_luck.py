"""The luck of the cards that came to a player, in points.

Luck is measured apart from skill, each time that cards come to a hand: by the deal, or by a move
such as a draw. The evaluator values the round with the cards that came, and with each choice of
cards that could have come. The luck is the first value minus the mean of the others.

Cards in other hands could not have come, so they are left out, although the player did not know
them. Players keep good cards, so the stock is poorer than other hands. If the cards in other hands
were among those that could have come, every draw would look like bad luck.

The sum of such differences is a martingale: its mean is 0, however well somebody plays
(M. Zinkevich and others, "Optimal unbiased estimators for evaluating agent performance", 2006).
"""

import random
from collections.abc import Iterable, Sequence
from math import hypot
from statistics import fmean, pstdev

from attrs import evolve, frozen

from client.bots.evaluator_registry import evaluator_of
from client.bots.weights import Tuning
from engine.cards import Card
from engine.games import game_named
from engine.position import Position
from engine.slots import Seat, Shown, Slot

_SAMPLES = 200
"""Number of random choices to compare with, if several cards came together."""

_REPLACEMENTS = 20
"""Number of cards that are tried in place of a bonus card."""


@frozen
class CardsGiven:
    """Cards that came to the hand of a seat by chance."""

    game: str
    seat: Seat
    position: Position
    """The position before the cards came; for a deal, the position after it."""
    held: tuple[Card, ...]
    """The cards that were in the hand before."""
    came: tuple[Card, ...]
    possible: tuple[Card, ...]
    """All cards that could have come, among them those that came."""


@frozen
class Luck:
    """The points by which cards were better than the average of those that could have come."""

    points: float = 0.0
    spread: float = 0.0
    """Standard deviation of the points that chance alone brings."""

    @classmethod
    def total(cls, parts: Iterable["Luck"]) -> "Luck":
        every = tuple(parts)
        return cls(sum(one.points for one in every), hypot(*(one.spread for one in every)))


def luck_of(given: CardsGiven) -> Luck:
    """Return the luck of cards that came to a hand; equal arguments give the same result."""
    rng = random.Random(" ".join(card.code for card in given.came))
    count = len(given.came)
    others: list[Sequence[Card]] = [(card,) for card in given.possible]
    # A single card is compared with every card that could have come. Of 11 cards there are far too
    # many choices, so 200 of them are drawn at random.
    if count > 1:
        others = [rng.sample(given.possible, count) for _ in range(_SAMPLES)]
    worth = [_worth(given, cards, rng) for cards in others]
    return Luck(_worth(given, given.came, rng) - fmean(worth), pstdev(worth))


def _worth(given: CardsGiven, cards: Sequence[Card], rng: random.Random) -> float:
    """Return the evaluator's value of the round for the seat's side, if these cards come.

    Bonus cards go to the table, and other cards come in their place.
    """
    evaluator, position = evaluator_of(game_named(given.game), Tuning.LEARNT), given.position
    plain = [card for card in cards if not position.is_bonus(card)]
    bonus = [card for card in cards if position.is_bonus(card)]
    if not bonus:
        return evaluator.standing_with(position, given.seat, (*given.held, *plain))
    sides = list(position.laid)
    side = position.side_of(given.seat)
    # Evaluators look only at the faces of bonus cards, so any slot will do.
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
