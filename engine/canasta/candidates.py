"""Moves of Canasta worth trying, from what the replica sees of the mover's hand.

What is tried, up to cards of equal face: every single meld and every addition to one meld, with
every choice of wild cards; for each number of wild cards the opening of fewest cards; the whole
hand laid at once, and all but one card. That is enough to open if one can, to lay whatever can be
laid (meld by meld) and to go out if one can. What cannot be legal for want of cards or points is
not tried; all else is judged as `apply` judges it.
"""

from collections.abc import Iterable, Iterator, Mapping

from engine.canasta.find_closings import canastas_in_reach, closing
from engine.canasta.find_openings import openings, points_in_reach
from engine.canasta.melds import wild_count
from engine.canasta.sorted_hand import SortedHand
from engine.canasta.state import CanastaState
from engine.canasta.values import (
    MELDED_RANKS,
    MOST_WILDS,
    WILD_RANKS,
    is_natural,
    is_red_three,
    opening_minimum,
    points_of,
)
from engine.cards import Rank
from engine.melds import Meld
from engine.moves import (
    Answer,
    Ask,
    Cut,
    Discard,
    DrawStock,
    LayMelds,
    Move,
    Pass,
    Play,
    ShowBonus,
    TakePile,
)
from engine.slots import Shown, by_rank, cards_of, one_of_each
from engine.turn import Step

Cards = tuple[Shown, ...]
Plays = tuple[Play, ...]
_THREE = Rank.THREE


def candidates(position: CanastaState) -> Iterator[Move]:
    """The moves worth trying at this step of the turn, in the bounds that the module names."""
    if duty := position.duty:
        yield ShowBonus(duty.cards)
        return
    match position.turn.step:
        case Step.CUT:
            yield from map(Cut, range(len(position.stock)))
        case Step.DRAW:
            if position.stock:
                yield DrawStock()
            yield from map(TakePile, _takings(position))
            if not position.stock:
                yield Pass()
        case Step.PLAY:
            hand = position.hand(position.turn.seat)
            yield from map(LayMelds, _layings(position, hand))
            if position.may_ask:
                yield Ask()
            for shown in one_of_each(hand).values():
                if not is_red_three(shown.card):
                    yield Discard(shown)
            if not position.stock:
                yield Pass()
        case Step.ANSWER:
            yield Answer(True)
            yield Answer(False)


def _layings(position: CanastaState, hand: tuple[Shown, ...]) -> Iterable[Plays]:
    side = position.side
    melds = position.laid[side].melds
    ranks = by_rank(hand)
    if not _may_lay(ranks, melds):
        return ()
    minimum = 0 if melds else opening_minimum(position.totals[side])
    if minimum and points_in_reach(ranks) < minimum:
        return ()
    sorted_hand = SortedHand.of(ranks)
    size = len(position.hands[position.turn.seat])
    first = () if melds else tuple(openings(sorted_hand, minimum, size - 2))
    single = [*_worth(minimum, _single_plays(melds, sorted_hand, size))]
    return _distinct(first, single, _closings(position, sorted_hand, size))


def _may_lay(ranks: Mapping[Rank, list[Shown]], melds: tuple[Meld, ...]) -> bool:
    """A quick look: whether cards join a meld, or there are enough of a rank for a new one."""
    wild = not WILD_RANKS.isdisjoint(ranks)
    if melds and (wild or not ranks.keys().isdisjoint([meld.rank for meld in melds])):
        return True
    return max(map(len, ranks.values()), default=0) >= (2 if wild else 3)


def _distinct(
    openings: tuple[Plays, ...], single: list[Play], closings: tuple[Plays, ...]
) -> Iterable[Plays]:
    """Single plays differ from each other; openings and closings may be single plays too."""
    alone = [(play,) for play in single]
    return dict.fromkeys((*openings, *alone, *closings)) if openings or closings else alone


def _worth(minimum: int, plays: Iterable[Play]) -> Iterable[Play]:
    """The plays that are worth so many points."""
    if not minimum:
        return plays
    return (play for play in plays if points_of(cards_of(play.cards)) >= minimum)


def _single_plays(melds: tuple[Meld, ...], hand: SortedHand, size: int) -> Iterator[Play]:
    """One new meld, or cards added to one, from a hand of `size` cards."""
    ranks = hand.ranks
    laid = {meld.rank: number for number, meld in enumerate(melds)}
    choices = hand.wild_choices(MOST_WILDS)
    wild = len(choices) > 1
    # Without wild cards nothing is added to melds of which no natural is held.
    for rank in MELDED_RANKS if wild else ranks:
        held, onto = ranks.get(rank, ()), laid.get(rank)
        if onto is not None:
            room = MOST_WILDS - wild_count(melds[onto]) if wild else 0
            if held or room:
                fitting = choices if room == MOST_WILDS else hand.wild_choices(room)
                yield from _plays(held, fitting, onto, least=0, fewest=1)
        else:
            whole = size - 1 if rank is _THREE else 3  # C69: only who goes out lays them
            yield from _plays(held, choices, None, least=2, fewest=max(3, whole))


def _plays(
    naturals: Cards, wild_choices: tuple[Cards, ...], onto: int | None, *, least: int, fewest: int
) -> list[Play]:
    """With `least` naturals or more and each choice of wild cards, `fewest` cards in all."""
    return [
        Play(naturals[:count] + wilds, onto)
        for count in range(least, len(naturals) + 1)
        for wilds in wild_choices
        if count + len(wilds) >= fewest
    ]


def _takings(position: CanastaState) -> Iterable[Plays]:
    if not position.pile or not is_natural(position.pile[-1].card):
        return ()
    top = position.pile[-1]
    seat, side, rank = position.turn.seat, position.side, top.card.rank
    melds = position.laid[side].melds
    onto = {meld.rank: number for number, meld in enumerate(melds)}.get(rank)
    alike = [card.rank for card in position.hand_cards(seat)].count(rank)
    if not alike and onto is None:
        return ()  # C46
    bound = not melds or position.pile_frozen
    if bound and alike < 2:
        return ()  # C45, C48
    return _plays_with_top(position, onto, bound=bound)


def _plays_with_top(position: CanastaState, onto: int | None, *, bound: bool) -> Iterable[Plays]:
    """What takes the pile, the top of which may join the meld `onto`; where that is `bound`, it
    takes two naturals of the hand.
    """
    seat, side, top = position.turn.seat, position.side, position.pile[-1]
    melds = position.laid[side].melds
    ranks = by_rank((top, *position.hand(seat)))
    minimum = 0 if melds else opening_minimum(position.totals[side])
    if minimum and points_in_reach(ranks) < minimum:
        return ()
    received = sum([not is_red_three(shown.card) for shown in position.pile])
    if melds and received > 2:  # neither an opening nor the end: the rank and wild cards are enough
        ranks = {each: ranks[each] for each in (top.card.rank, *WILD_RANKS) if each in ranks}
    whole = SortedHand.of(ranks).led_by(top)
    size = len(position.hands[seat]) + received
    first = () if melds else tuple(openings(whole, minimum, size - 2, top))
    room = MOST_WILDS if onto is None else MOST_WILDS - wild_count(melds[onto])
    least, fewest = (3, 3) if bound else (2, 3) if onto is None else (1, 1)
    single = _plays(
        whole.ranks[top.card.rank], whole.wild_choices(room), onto, least=least, fewest=fewest
    )
    last = _closings(position, whole, size) if received <= 2 else ()
    last = tuple([plays for plays in last if position.may(TakePile(plays))])  # with the top (C44)
    return _distinct(first, [*_worth(minimum, single)], last)


def _closings(position: CanastaState, whole: SortedHand, held: int) -> tuple[Plays, ...]:
    """All of the cards laid at once, and all of them but one, from a hand of `held` cards."""
    melds = position.laid[position.side].melds
    laid = {meld.rank for meld in melds}
    ranks = whole.ranks
    single = [rank for rank, cards in ranks.items() if len(cards) == 1 and rank not in laid]
    if len(single) > 1:
        return ()  # two cards would have to be kept
    pairs = sum([len(cards) == 2 and rank not in laid for rank, cards in ranks.items()])
    if pairs > whole.wild_count:
        return ()  # each of them takes a wild card
    canastas = position.canastas_needed
    if canastas_in_reach(whole, melds) < canastas:
        return ()
    kept = [whole.without(single[0])] if single else [whole, *whole.each_without_one(laid)]
    # C69: black threes are not laid where cards stay that are not among these.
    kept = [each for each in kept if _THREE not in each.ranks or held - each.size < 2]
    found = [closing(each, melds, canastas) for each in kept]
    return tuple([plays for plays in found if plays])
