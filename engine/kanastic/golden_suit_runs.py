"""Golden suits: gold cards of consecutive ranks, and Artifacts in the place of missing ones.

The cards of a golden suit lie from the lowest rank up, in whatever order they are named. So an
Artifact's place tells its rank, and this rank never changes (K113). Clauses K6, K7, K111-K116.

The difficulty is to find the place of each Artifact in a new run (`new_run`):

- If the cards are named in order, upwards or downwards, each place gives a rank: 6g 7g Ar 9g is 6,
  7, 8, 9, and Ar 7g 8g 9g begins with a 6.
- Otherwise the gold cards are sorted. If there are as many Artifacts as ranks missing between the
  lowest and the highest gold card, the Artifacts go into these gaps, wherever they were named: Ar
  9g 7g 6g is 6, 7, 8, 9.
- If there are more Artifacts than gaps, Artifacts named before all gold cards go below the gold
  cards, and Artifacts named after all gold cards go above. The other Artifacts must exactly fill
  the gaps: Ar 9g Ar 6g 7g is 5, 6, 7, 8, 9. If they do not, the player has to name the cards in
  order.

Cards are added to a run by `extended_run`. Each gold card goes to the place of its rank, and
Artifacts first fill the gaps between the run and the new gold cards. Spare Artifacts go to the end
that gold cards join. If gold cards join both ends or none, spare Artifacts go to the high end,
unless the player says `low`.
"""

from collections.abc import Iterator

from engine.cards import Card, Rank
from engine.errors import IllegalMove
from engine.kanastic.constants import COMPLETE, MOST_WILDS, Stage
from engine.melds import Meld
from engine.slots import Shown, cards_of

Cards = tuple[Shown, ...]


def is_golden(meld: Meld) -> bool:
    """Return True for a golden suit, or a shorter run of gold cards that may become one."""
    return meld.low is not None


def is_complete_suit(meld: Meld) -> bool:
    """Return True for a golden suit that is complete."""
    return is_golden(meld) and len(meld.cards) >= COMPLETE


def meets(meld: Meld, stage: Stage) -> bool:
    """Return True if the meld is a golden suit that opens by itself in that stage (K51)."""
    return is_golden(meld) and len(meld.cards) >= stage.suit


def is_royal(meld: Meld) -> bool:
    """Return True if all cards of the meld are gold (K104, K105)."""
    return all(card.gold for card in cards_of(meld.cards))


def new_run(cards: Cards) -> Meld:
    """Return a new run of cards named in any order, with gold cards among them (K113).

    Raises IllegalMove.
    """
    _check_cards(cards)
    golds, artifacts = _parted(cards)
    # Named in order, upwards or downwards: every gold card gives the same rank for the first place.
    for listed in (cards, cards[::-1]):
        lows = {shown.card.rank - place for place, shown in enumerate(listed) if shown.card.gold}
        if len(lows) == 1:
            return _checked(listed, lows.pop())
    missing = _missing(golds, golds[0].card.rank, golds[-1].card.rank)
    below, above = _outside(cards)
    if len(artifacts) == len(missing):
        below = above = 0  # all Artifacts fill gaps, even those named at an end
    elif len(artifacts) - below - above != len(missing):
        raise _no_sequence(golds, artifacts, missing)
    inner = artifacts[below:]
    run = (*artifacts[:below], *_filled(golds, inner), *artifacts[len(artifacts) - above :])
    return _checked(run, golds[0].card.rank - below)


def extended_run(meld: Meld, cards: Cards, *, low: bool) -> Meld:
    """Return a run with `cards` added, which may be named in any order.

    Gold cards go to the places of their ranks, and Artifacts fill the gaps up to them. Spare
    Artifacts go to the end that gold cards join. If gold cards join both ends, or there are none,
    spare Artifacts go to the low end if `low`, and otherwise to the high end. Raises IllegalMove.
    """
    assert meld.low is not None
    _check_cards(cards)
    golds, artifacts = _parted(cards)
    high = meld.low + len(meld.cards) - 1
    under = tuple(shown for shown in golds if shown.card.rank < meld.low)
    over = tuple(shown for shown in golds if shown.card.rank > high)
    # The player says `low`, but all new gold cards belong above the run. `_checked` refuses them.
    if low and over and not under:
        return _checked((*cards, *meld.cards), meld.low - len(cards))
    if len(under) + len(over) < len(golds):
        raise IllegalMove("K111", "The gold cards of a suit follow each other.")
    gaps_under = _missing(under, under[0].card.rank, meld.low - 1) if under else ()
    gaps_over = _missing(over, high + 1, over[-1].card.rank) if over else ()
    # Artifacts first fill the gaps up to the new gold cards. For example, 10 and three Artifacts
    # join 5 6 7: two Artifacts become 8 and 9, and the third one is spare and prolongs an end.
    spare = len(artifacts) - len(gaps_under) - len(gaps_over)
    if spare < 0:
        raise IllegalMove("K111", "The gold cards of a suit follow each other.")
    at_low = low or (bool(under) and not over)
    ends = (artifacts[:spare], ()) if at_low else ((), artifacts[:spare])
    fillers = artifacts[spare:]
    run = (
        *ends[0],
        *_filled(under, fillers[: len(gaps_under)], upto=meld.low - 1),
        *meld.cards,
        *_filled(over, fillers[len(gaps_under) :], since=high + 1),
        *ends[1],
    )
    return _checked(run, meld.low - len(under) - len(gaps_under) - len(ends[0]))


def _parted(cards: Cards) -> tuple[Cards, Cards]:
    """Return the gold cards from the lowest rank up, and the Artifacts in the order named."""
    golds = sorted((s for s in cards if s.card.gold), key=lambda shown: shown.card.rank)
    return tuple(golds), tuple(shown for shown in cards if not shown.card.gold)


def _missing(golds: Cards, first: int, last: int) -> tuple[int, ...]:
    """Return the ranks from `first` to `last` that none of the gold cards has."""
    there = {shown.card.rank for shown in golds}
    return tuple(rank for rank in range(first, last + 1) if rank not in there)


def _outside(cards: Cards) -> tuple[int, int]:
    """Return how many Artifacts are named before all gold cards, and how many after them."""
    places = [place for place, shown in enumerate(cards) if shown.card.gold]
    return places[0], len(cards) - 1 - places[-1]


def _filled(
    golds: Cards, artifacts: Cards, *, since: int | None = None, upto: int | None = None
) -> Iterator[Shown]:
    """Return the gold cards with Artifacts in the place of missing ranks.

    The cards go from the lowest gold card to the highest, or from the rank `since` and to the rank
    `upto` if these are given.
    """
    if golds:
        there = {shown.card.rank: shown for shown in golds}
        first = golds[0].card.rank if since is None else since
        last = golds[-1].card.rank if upto is None else upto
        fillers = iter(artifacts)
        for rank in range(first, last + 1):
            yield there.get(Rank(rank)) or next(fillers)


def _no_sequence(golds: Cards, artifacts: Cards, missing: tuple[int, ...]) -> IllegalMove:
    if len(artifacts) >= len(missing):
        return IllegalMove(
            "K113", "Where does the Artifact stand? Name the cards from the lowest rank up."
        )
    if (golds[0].card.rank, golds[-1].card.rank) == (Rank.FOUR, Rank.ACE):
        return IllegalMove("K112", "A golden suit lies within 4 and ace, and the ace is high.")
    return IllegalMove("K111", "The gold cards of a suit follow each other.")


def _checked(cards: Cards, low: int) -> Meld:
    if low < Rank.FOUR or low + len(cards) - 1 > Rank.ACE:
        raise IllegalMove("K112", "A golden suit lies within 4 and ace, and the ace is high.")
    if any(shown.card.gold and shown.card.rank != low + n for n, shown in enumerate(cards)):
        raise IllegalMove("K111", "The gold cards of a suit follow each other.")
    if sum(not card.gold for card in cards_of(cards)) > MOST_WILDS:
        raise IllegalMove("K111", "A golden suit has at most three Artifacts.")
    return Meld(cards, None, Rank(low))


def _check_cards(cards: Cards) -> None:
    for card in cards_of(cards):
        _check_card(card)


def _check_card(card: Card) -> None:
    if card.rank is Rank.SWORD:
        raise IllegalMove("K6", "Swords have no place in a golden suit.")
    if not card.gold and card.rank is not Rank.ARTIFACT:
        raise IllegalMove("K111", "The {card} is no gold card.", card=card)
