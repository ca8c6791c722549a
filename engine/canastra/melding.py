"""Laying runs on the table in Canastra."""

from engine.canastra.runs import Run, arranged, refusal
from engine.errors import IllegalMove
from engine.melds import Meld
from engine.moves import Play
from engine.slots import Shown, cards_of


def run_of(meld: Meld) -> Run:
    """Return the cards of a meld in their best arrangement."""
    run = arranged(cards_of(meld.cards))
    assert run is not None
    return run


def has_canastra(melds: tuple[Meld, ...]) -> bool:
    """Return True if one of the melds is a canastra."""
    return any(run_of(meld).canastra for meld in melds)


def melds_after(melds: tuple[Meld, ...], plays: tuple[Play, ...]) -> tuple[Meld, ...]:
    """Return a player's melds with `plays` laid, or raise IllegalMove."""
    if not plays:
        raise IllegalMove("B10", "Melding takes at least one run.")
    after = list(melds)
    for play in plays:
        if play.low:
            raise IllegalMove("B36", "Cards of a run lie wherever they fit: a run has no low end.")
        if not play.cards:
            raise IllegalMove("B10", "Adding to a run takes at least one card.")
        if play.onto is None:
            after.append(run_laid(play.cards))
        elif 0 <= play.onto < len(melds):
            after[play.onto] = run_laid(after[play.onto].cards + play.cards)
        else:
            raise IllegalMove("B38", "One adds to one's own runs, and there is no such run.")
    return tuple(after)


def run_laid(cards: tuple[Shown, ...]) -> Meld:
    """Return the meld of a run, or raise IllegalMove for cards that are no run."""
    run = arranged(cards_of(cards))
    if run is None:
        raise refusal(cards_of(cards))
    return Meld(cards, None if run.low is not None else run.cards[0].rank)
