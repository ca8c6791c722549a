"""What opponents reckon with, in points of a round; sequences go by number of cards.

The defaults are the middle level's, set by hand; the strong level's were found by letting
variants play many rounds against it (`sobremesa bench opponents` measures what came of it).
"""

from collections.abc import Sequence

from attrs import frozen


@frozen(kw_only=True)
class Weights:
    """What is asked in every game."""

    counts: bool = False  # reckons with what has been seen, and with who threw it
    uncounted: float = 0.3  # how likely another has a pair, for one who does not count
    draw: float = 20  # a card from the stock
    pile: float = 12  # each card of the pile, beside its use
    flexible: float = 14  # each card in hand, up to so many:
    enough: float = 10
    flexible_after: float = 4  # likewise, once the side may go out
    threat: float = 0.15  # how likely the hand's cards will count against us
    near: float = 7  # from so few cards in a hand on, its owner seems about to go out
    card: float = 12  # what each card in another's hand is expected to cost
    going_out: float = 100
    out_margin: float = 0  # a lead with which one goes out
    ask_from: int = 4  # cards in the partner's hand
    agree_to: float = 60  # what one's own hand may cost when the partner goes out
    agree_from: float = 0.5  # a threat from which on one always agrees


@frozen(kw_only=True)
class LikeWeights(Weights):
    """Where canastas are of like cards."""

    progress: Sequence[float] = (0, 0, 0.03, 0.15, 0.3, 0.5, 0.75, 1)  # of a canasta's bonus
    held: float = 0.8  # of a card on the table, for one in hand that joins it
    wild_laid: float = 0.5  # of a natural, for a wild card in a meld that is no canasta yet
    group: Sequence[float] = (0, 0, 15, 40, 60, 90, 140, 300)  # like naturals in hand
    wild: float = 45
    cover: float = 12  # a card to throw on a thick pile
    first_canasta: float = 150
    opened: float = 100


@frozen(kw_only=True)
class KanasticWeights(LikeWeights):
    """Kanastic."""

    card: float = 14
    golden: Sequence[float] = (0, 0, 0, 0.03, 0.08, 0.2, 0.5, 1)  # of a golden suit's bonus
    golds: Sequence[float] = (0, 0, 5, 30, 80, 200, 500, 2000)  # in hand, close together
    artifact: float = 75
    top: float = 30  # the top alone, with which a side opens
    denied: float = 12  # each card of the pile that another may take


@frozen(kw_only=True)
class CanastraWeights(Weights):
    """Canastra."""

    draw: float = 14
    pile: float = 0
    threat: float = 0.25
    card: float = 10
    out_margin: float = 10
    progress: Sequence[float] = (0, 0, 0, 0.1, 0.25, 0.45, 0.7, 1)  # of a canastra's bonus
    joins: float = 0.7  # of what a card in hand would add to a run
    beside: float = 7  # two cards in hand that follow each other
    gap: float = 4  # two with a gap of one
    alike: float = 6  # two of a number that runs are made of
    wild: float = 25
    dead: float = 150  # a dead that one has had
    dead_near: float = 80  # likewise still to come, as the hand gets shorter
    given: float = 0.6  # of what a card thrown is worth to the other player
    guess: float = 0.75  # each unseen neighbour of a card thrown
    wild_given: float = 50  # a two thrown


CANASTA_STRONG = LikeWeights(
    counts=True,
    group=(0, 0, 25, 83, 158, 300, 590, 1600),
    pile=20,
    flexible=22,
)
KANASTIC_STRONG = KanasticWeights(
    counts=True,
    progress=(0, 0, 0.02, 0.08, 0.18, 0.35, 0.65, 1),
    wild=20,
    artifact=30,
    denied=40,
)
CANASTRA_STRONG = CanastraWeights(
    draw=25,
    pile=4,
    threat=0.12,
    progress=(0, 0, 0, 0.15, 0.3, 0.5, 0.7, 1),
    dead=80,
    dead_near=40,
)
