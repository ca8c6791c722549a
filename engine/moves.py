"""The moves of all games.

A move names every card that it shows by slot *and* face. The receiver checks by a proof that the
slot has this face, so the rules need only public facts. Melding is atomic (clause X2): taking the
pile is one move with the melds that justify it, and a side's opening is one move with all its
melds.
"""

from collections import Counter

from attrs import frozen

from engine.slots import Shown


@frozen
class Play:
    """A new meld, or cards added to a meld; they are laid on the table together."""

    cards: tuple[Shown, ...]
    onto: int | None = None
    """Number of the meld of one's own side that the cards join; None for a new meld."""
    low: bool = False
    """True to put Artifacts at the low end of a golden suit (clause K113); False in all other
    plays."""


@frozen
class Cut:
    """A cut of the stock: its first `number` cards go to the bottom."""

    number: int


@frozen
class ShowBonus:
    """A move that lays one's bonus cards (red threes, Treasure Pots), possibly none."""

    cards: tuple[Shown, ...]


@frozen
class DrawStock:
    """A draw from the stock."""


@frozen
class TakePile:
    """A move that takes the whole discard pile, with the melds that the game asks for."""

    plays: tuple[Play, ...] = ()


@frozen
class TakeTop:
    """A move that takes only the top of the discard pile, with the melds that use it (Kanastic)."""

    plays: tuple[Play, ...]


@frozen
class LayMelds:
    """A move that lays new melds, or adds to melds of one's own side."""

    plays: tuple[Play, ...]


@frozen
class Discard:
    """A discard of a card, which ends the turn."""

    card: Shown


@frozen
class Ask:
    """A question to one's partner: "May I go out?"."""


@frozen
class Answer:
    """An answer to one's partner: yes or no."""

    yes: bool


@frozen
class Pass:
    """A pass, which ends a round of Canasta that has no stock left (clauses C89, C90a)."""


Move = Cut | ShowBonus | DrawStock | TakePile | TakeTop | LayMelds | Discard | Ask | Answer | Pass


def plays_of(move: Move) -> tuple[Play, ...]:
    """Return the plays of a move that melds, otherwise ().

    >>> plays_of(DrawStock())
    ()
    """
    match move:
        case LayMelds(plays) | TakePile(plays) | TakeTop(plays):
            return plays
        case _:
            return ()


def lays_at_most(move: Move, most: int) -> bool:
    """Return True if a move melds or takes from the pile, and lays at most `most` cards."""
    if not isinstance(move, (LayMelds, TakePile, TakeTop)):
        return False
    left = most
    for play in move.plays:
        left -= len(play.cards)
    return left >= 0


def shown_by(move: Move) -> tuple[Shown, ...]:
    """Return all cards that the move names, in the order in which it names them."""
    match move:
        case Discard(card):
            return (card,)
        case ShowBonus(cards):
            return cards
        case LayMelds(plays) | TakePile(plays) | TakeTop(plays):
            return tuple([shown for play in plays for shown in play.cards])
        case _:
            return ()


def is_alike(one: Move, other: Move) -> bool:
    """Return True if two moves meld or discard cards of the same faces in the same way.

    It makes no difference in which order the cards are named, which copies of equal cards they are,
    or if cards join a meld in one play or in several. Moves of any other kind must be equal.
    """
    if isinstance(one, Discard) and isinstance(other, Discard):
        return one.card.card.code == other.card.card.code
    if type(one) is not type(other) or not plays_of(one):
        return one == other
    return _laid(one) == _laid(other)


def _laid(move: Move) -> Counter[object]:
    """Count the new melds of a move by their cards, and its added cards by the melds they join."""
    laid: Counter[object] = Counter()
    for play in plays_of(move):
        codes = sorted(shown.card.code for shown in play.cards)
        if play.onto is None:
            laid[*codes, play.low] += 1
        else:
            # Card by card: 7h 7d added in one play, or 7h and 7d in two, give the same count.
            laid.update((code, play.onto, play.low) for code in codes)
    return laid
