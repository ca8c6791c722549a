"""Layings of like cards: openings, new melds, and cards that join a meld.

A laying is one or more plays of one move; each laying is found once. A side without melds needs an
opening, which may have several melds (`engine.like_melds.find_openings`). Single plays are found by
simple counting.
"""

from collections.abc import Iterable, Mapping, Sequence

from engine.cards import Rank
from engine.like_melds.cards import MELDED_RANKS, WILD_RANKS, points_of
from engine.like_melds.find_openings import openings
from engine.like_melds.melds import SMALLEST, LikeMelds, wild_count
from engine.like_melds.sorted_hand import SortedHand
from engine.melds import Meld
from engine.moves import Play
from engine.slots import Shown, by_rank, cards_of

Cards = tuple[Shown, ...]
Plays = tuple[Play, ...]
ByRank = Mapping[Rank, Sequence[Shown]]
_THREE = Rank.THREE


def meldable(like: LikeMelds, hand: Iterable[Shown]) -> dict[Rank, list[Shown]]:
    """Return the cards by rank, without those threes that the game never melds."""
    ranks = by_rank(hand)
    if _THREE in ranks:
        black = [shown for shown in ranks.pop(_THREE) if not shown.card.red]
        if black and like.melds_black_threes:
            ranks[_THREE] = black
    return ranks


def layings(
    like: LikeMelds, melds: tuple[Meld, ...], ranks: ByRank, size: int, minimum: int, most: int
) -> tuple[tuple[Plays, ...], list[Play]]:
    """Return openings and single plays, from a hand of `size` cards.

    First melds need `minimum` points; a side with melds needs 0. An opening has at most `most`
    cards.
    """
    open_ranks = open_melds(like, melds)
    # A rank with too few cards in the hand makes no new meld. Most hands have several such ranks,
    # and the searches below take time for each rank.
    fewest = SMALLEST if WILD_RANKS.isdisjoint(ranks) else 2
    useful = {
        rank: cards
        for rank, cards in ranks.items()
        if rank in open_ranks or len(cards) >= fewest or rank in WILD_RANKS
    }
    hand = SortedHand.of(useful)
    first = tuple(openings(like, hand, minimum, most)) if minimum else ()
    return first, [*_worth(minimum, _single_plays(like, melds, open_ranks, hand, size))]


def layings_with_top(
    like: LikeMelds,
    onto: tuple[int, Meld] | None,
    ranks: ByRank,
    top: Shown,
    *,
    bound: bool,
    minimum: int,
    most: int,
) -> tuple[tuple[Plays, ...], list[Play]]:
    """Return openings and single plays with the `top` of the pile, which `ranks` must contain.

    If `bound`, the top is laid with two naturals of the hand. `onto` is the meld that the plays
    join, with its number; None for new melds. `minimum` and `most` are as in `layings`.
    """
    first: tuple[Plays, ...] = ()
    if minimum:
        first = tuple(openings(like, SortedHand.of(ranks).led_by(top), minimum, most, top))
    room = like.most_wilds if onto is None else like.room(onto[1])
    # A play needs `least` naturals and `fewest` cards, the top included: 3 and 3 if the top is
    # bound, 2 and 3 for a new meld, 1 and 1 if the top joins a meld.
    least, fewest = (3, 3) if bound else (2, 3) if onto is None else (1, 1)
    fitting = {each: ranks[each] for each in (top.card.rank, *WILD_RANKS) if each in ranks}
    hand = SortedHand.of(fitting).led_by(top)
    naturals, choices = hand.ranks[top.card.rank], hand.wild_choices(room)
    single = _plays_of_rank(like, naturals, choices, onto, least=least, fewest=fewest)
    return first, [*_worth(minimum, single)]


def distinct(
    first: tuple[Plays, ...], single: list[Play], last: tuple[Plays, ...] = ()
) -> Iterable[Plays]:
    """Return openings, single plays and layings that end the round, each once.

    Single plays all differ, but an opening, or a laying that ends the round, may equal one of them.
    """
    alone = [(play,) for play in single]
    return dict.fromkeys((*first, *alone, *last)) if first or last else alone


def open_melds(like: LikeMelds, melds: tuple[Meld, ...]) -> dict[Rank | None, int]:
    """Return the numbers of the melds that may grow, by their ranks."""
    return {
        meld.rank: number for number, meld in enumerate(melds) if len(meld.cards) < like.largest
    }


def _worth(minimum: int, plays: Iterable[Play]) -> Iterable[Play]:
    """Return the plays whose cards have at least `minimum` points."""
    if not minimum:
        return plays
    return (play for play in plays if points_of(cards_of(play.cards)) >= minimum)


def _single_plays(
    like: LikeMelds,
    melds: tuple[Meld, ...],
    open_ranks: Mapping[Rank | None, int],
    hand: SortedHand,
    size: int,
) -> list[Play]:
    """Return each play that lays a new meld or adds to one, from a hand of `size` cards.

    `open_ranks` are the numbers of the melds that may grow, by their ranks.
    """
    ranks = hand.ranks
    choices = hand.wild_choices(like.most_wilds)
    # The first choice is always (), no wild card at all.
    wild = len(choices) > 1
    plays: list[Play] = []
    # Without wild cards nothing can be added to a meld of a rank that is not held, so the ranks
    # of the hand are enough.
    for rank in MELDED_RANKS if wild else ranks:
        held, onto = ranks.get(rank, ()), open_ranks.get(rank)
        if onto is not None:
            if held or (wild and like.room(melds[onto])):
                plays += _plays_of_rank(like, held, choices, (onto, melds[onto]))
        else:
            # Black threes are laid only by a player who goes out. So the play lays the whole hand,
            # or all cards but one.
            whole = size - 1 if rank is _THREE else SMALLEST
            plays += _plays_of_rank(like, held, choices, fewest=whole)
    return plays


def _plays_of_rank(
    like: LikeMelds,
    naturals: Cards,
    wild_choices: tuple[Cards, ...],
    onto: tuple[int, Meld] | None = None,
    *,
    least: int = 0,
    fewest: int = 1,
) -> list[Play]:
    """Return plays of at least `least` naturals of one rank, with each choice of wild cards.

    Each play has at least `fewest` cards in all. `onto` is the meld that the plays join, with its
    number; None for new melds.
    """
    number, lying, wild = None, 0, 0
    if onto is not None:
        number, meld = onto
        wild = wild_count(meld)
        lying = len(meld.cards) - wild
    plays = []
    for count in range(least, len(naturals) + 1):
        allowed, held = like.wilds_beside[lying + count], naturals[:count]
        # `allowed` is for the whole meld. Five sevens may have 0 to 3 wild cards; if one lies
        # there, a play brings at most 2.
        first, last = allowed.start - wild, allowed.stop - wild
        for wilds in wild_choices:
            more = len(wilds)
            if first <= more < last and count + more >= fewest:
                plays.append(Play(held + wilds, number))
    return plays
