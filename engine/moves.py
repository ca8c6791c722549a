"""The moves of the three games.

A move names every card that it shows by slot *and* face: whoever receives it checks the face
against the slot (by proof), and then the rules look at nothing but what is public. Melding is
atomic (clause X2): taking the pile is one move with the melds that justify it, and a side's
opening is one move with all its melds.
"""

from attrs import frozen

from engine.slots import Shown


@frozen
class Play:
    """Cards laid on the table together.

    `onto` is the number of the meld of one's own side that they join, None for a new meld.
    `low` puts Artifacts at the low end of a golden suit (clause K113); elsewhere it has no meaning
    and must be False.
    """

    cards: tuple[Shown, ...]
    onto: int | None = None
    low: bool = False


@frozen
class Cut:
    """The stock is cut: its first `number` cards go to the bottom."""

    number: int


@frozen
class ShowBonus:
    """Lay one's bonus cards (red threes, Treasure Pots) on the table; none is an answer too."""

    cards: tuple[Shown, ...]


@frozen
class DrawStock:
    """Draw from the stock."""


@frozen
class TakePile:
    """Take the whole discard pile, with the melds that justify it."""

    plays: tuple[Play, ...] = ()


@frozen
class TakeTop:
    """Take only the top of the discard pile, with the opening that it belongs to (Kanastic)."""

    plays: tuple[Play, ...]


@frozen
class LayMelds:
    """Lay new melds, or add to melds of one's own side."""

    plays: tuple[Play, ...]


@frozen
class Discard:
    """Put a card on the discard pile and end the turn."""

    card: Shown


@frozen
class Ask:
    """Ask one's partner: "May I go out?"."""


@frozen
class Answer:
    """Answer one's partner: yes or no."""

    yes: bool


@frozen
class Pass:
    """Go no further when there is no stock left: the round is over (clauses C89, C90a)."""


Move = Cut | ShowBonus | DrawStock | TakePile | TakeTop | LayMelds | Discard | Ask | Answer | Pass


def plays_of(move: Move) -> tuple[Play, ...]:
    """The plays of a move that melds, otherwise ()."""
    match move:
        case LayMelds(plays) | TakePile(plays) | TakeTop(plays):
            return plays
        case _:
            return ()


def shown_by(move: Move) -> tuple[Shown, ...]:
    """All cards that the move names, in the order in which it names them."""
    match move:
        case Discard(card):
            return (card,)
        case ShowBonus(cards):
            return cards
        case LayMelds(plays) | TakePile(plays) | TakeTop(plays):
            return tuple([shown for play in plays for shown in play.cards])
        case _:
            return ()
