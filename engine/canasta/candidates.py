"""Moves of Canasta worth trying, from the cards of the mover's hand that the replica sees.

These are tried, up to cards of equal face: every single meld and every addition to one meld, with
every choice of wild cards; for each number of wild cards the opening of fewest cards; the whole
hand laid at once, and all but one card. That is enough to open if one can, to lay whatever can be
laid (meld by meld) and to go out if one can. Moves for which cards or points cannot suffice are not
tried; all others are checked as `apply` checks them.

The search goes in four steps. Cards are sorted by rank (`engine.canasta.sorted_hand`), and ranks of
which too few are held are left out. A side without melds needs an opening, which may take several
melds: `engine.canasta.find_openings` finds the cheapest sets. Single melds and additions follow by
simple counting. At the end come the layings of a whole hand (`engine.canasta.find_closings`), if
counting alone does not rule them out. For a taking of the pile the same is done with the pile's top
as one of the cards.
"""

from collections.abc import Iterable, Mapping, Sequence

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


def candidates(position: CanastaState) -> Iterable[Move]:
    """Return the moves worth trying at this step of the turn, in the bounds named above."""
    if duty := position.duty:
        return (ShowBonus(duty.cards),)
    match position.turn.step:  # the commonest first
        case Step.PLAY:
            return _in_turn(position)
        case Step.DRAW:
            moves: list[Move] = [*map(TakePile, _takings(position))]
            return [DrawStock(), *moves] if position.stock else [*moves, Pass()]
        case Step.ANSWER:
            return (Answer(True), Answer(False))
        case Step.CUT:
            return map(Cut, range(len(position.stock)))
        case _:
            return ()


def _in_turn(position: CanastaState) -> list[Move]:
    hand = position.hand(position.turn.seat)
    moves: list[Move] = [*map(LayMelds, _layings(position, hand))]
    if position.may_ask:
        moves.append(Ask())
    faces = one_of_each(hand).values()
    moves += [Discard(shown) for shown in faces if not is_red_three(shown.card)]
    if not position.stock:
        moves.append(Pass())
    return moves


def _meldable(hand: Iterable[Shown]) -> dict[Rank, list[Shown]]:
    """Return the cards by rank, without red threes."""
    ranks = by_rank(hand)
    if _THREE in ranks:
        black = [shown for shown in ranks.pop(_THREE) if not shown.card.red]
        if black:
            ranks[_THREE] = black
    return ranks


def _layings(position: CanastaState, hand: tuple[Shown, ...]) -> Iterable[Plays]:
    side = position.side
    melds = position.laid[side].melds
    ranks = _meldable(hand)
    laid = {meld.rank: number for number, meld in enumerate(melds)}
    # A rank of which too few are held makes no new meld. Most hands have several such ranks, and
    # the searches below take time for each rank.
    fewest = 3 if WILD_RANKS.isdisjoint(ranks) else 2
    useful = {
        rank: cards
        for rank, cards in ranks.items()
        if rank in laid or len(cards) >= fewest or rank in WILD_RANKS
    }
    if not useful:
        return ()
    size = len(position.hands[position.turn.seat])
    minimum = 0
    first: tuple[Plays, ...] = ()
    if not melds:
        minimum = opening_minimum(position.totals[side])
        if points_in_reach(ranks) < minimum:
            return ()
        # Two cards must stay: one to discard, one so that the side does not go out (C85).
        first = tuple(openings(SortedHand.of(useful), minimum, size - 2))
    single = [*_worth(minimum, _single_plays(melds, laid, SortedHand.of(useful), size))]
    return _distinct(first, single, _closings(position, ranks, size))


def _distinct(
    openings: tuple[Plays, ...], single: list[Play], closings: tuple[Plays, ...]
) -> Iterable[Plays]:
    """Return openings, single plays and closings, each once.

    Single plays differ from each other; but an opening or a closing may be a single play too.
    """
    alone = [(play,) for play in single]
    return dict.fromkeys((*openings, *alone, *closings)) if openings or closings else alone


def _worth(minimum: int, plays: Iterable[Play]) -> Iterable[Play]:
    """Return the plays whose cards have at least `minimum` points."""
    if not minimum:
        return plays
    return (play for play in plays if points_of(cards_of(play.cards)) >= minimum)


def _single_plays(
    melds: tuple[Meld, ...], laid: Mapping[Rank | None, int], hand: SortedHand, size: int
) -> list[Play]:
    """Return one new meld, or cards added to one, each way once, from a hand of `size` cards.

    `laid` are the numbers of the melds by their ranks.
    """
    ranks = hand.ranks
    choices = hand.wild_choices(MOST_WILDS)
    wild = len(choices) > 1
    plays: list[Play] = []
    # Without wild cards nothing can be added to a meld of a rank that is not held, so the ranks
    # of the hand are enough.
    for rank in MELDED_RANKS if wild else ranks:
        held, onto = ranks.get(rank, ()), laid.get(rank)
        if onto is not None:
            room = MOST_WILDS - wild_count(melds[onto]) if wild else 0
            if held or room:
                fitting = choices if room == MOST_WILDS else hand.wild_choices(room)
                plays += _plays(held, fitting, onto, least=0, fewest=1)
        else:
            # C69: black threes are laid only by a player who goes out, so with all other cards.
            whole = size - 1 if rank is _THREE else 3
            plays += _plays(held, choices, None, least=2, fewest=max(3, whole))
    return plays


def _plays(
    naturals: Cards, wild_choices: tuple[Cards, ...], onto: int | None, *, least: int, fewest: int
) -> list[Play]:
    """Return plays of at least `least` naturals and each choice of wild cards.

    Each has at least `fewest` cards in all.
    """
    return [
        Play(naturals[:count] + wilds, onto)
        for count in range(least, len(naturals) + 1)
        for wilds in wild_choices
        if count + len(wilds) >= fewest
    ]


def _takings(position: CanastaState) -> Iterable[Plays]:
    if not position.pile or not is_natural(position.pile[-1].card):
        return ()
    rank = position.pile[-1].card.rank
    melds = position.laid[position.side].melds
    onto = next((number for number, meld in enumerate(melds) if meld.rank is rank), None)
    hand = position.hand(position.turn.seat)
    alike = sum([shown.card.rank is rank for shown in hand])
    if not alike and onto is None:
        return ()  # C46
    bound = not melds or position.pile_frozen
    if bound and alike < 2:
        return ()  # C45, C48
    return _plays_with_top(position, hand, onto, bound=bound)


def _plays_with_top(
    position: CanastaState, hand: tuple[Shown, ...], onto: int | None, *, bound: bool
) -> Iterable[Plays]:
    """Return the layings that take the pile, whose top may join the meld `onto`.

    If `bound`, they use two naturals of the hand beside the top.
    """
    top = position.pile[-1]
    melds = position.laid[position.side].melds
    received = sum([not is_red_three(shown.card) for shown in position.pile])
    size = len(position.hands[position.turn.seat]) + received
    minimum = 0
    first: tuple[Plays, ...] = ()
    last: tuple[Plays, ...] = ()
    ranks = _meldable((top, *hand))
    if not melds:
        minimum = opening_minimum(position.totals[position.side])
        if points_in_reach(ranks) < minimum:
            return ()
        first = tuple(openings(SortedHand.of(ranks).led_by(top), minimum, size - 2, top))
    if received <= 2:  # this may be the end
        last = _closings(position, ranks, size, top)
        last = tuple([plays for plays in last if position.may(TakePile(plays))])  # C44
    room = MOST_WILDS if onto is None else MOST_WILDS - wild_count(melds[onto])
    least, fewest = (3, 3) if bound else (2, 3) if onto is None else (1, 1)
    fitting = {each: ranks[each] for each in (top.card.rank, *WILD_RANKS) if each in ranks}
    whole = SortedHand.of(fitting).led_by(top)
    single = _plays(
        whole.ranks[top.card.rank], whole.wild_choices(room), onto, least=least, fewest=fewest
    )
    return _distinct(first, [*_worth(minimum, single)], last)


def _closings(
    position: CanastaState,
    ranks: Mapping[Rank, Sequence[Shown]],
    held: int,
    top: Shown | None = None,
) -> tuple[Plays, ...]:
    """Return layings of all cards at once, and of all but one, from a hand of `held` cards.

    The `top` of the pile is the last card of its rank to be kept.
    """
    melds = position.laid[position.side].melds
    laid = {meld.rank for meld in melds}
    alone = [rank for rank, cards in ranks.items() if len(cards) == 1 and rank not in laid]
    single = [rank for rank in alone if rank not in WILD_RANKS]
    if len(single) > 1:
        return ()  # two cards would have to be kept
    counts = {rank: len(cards) for rank, cards in ranks.items() if rank not in WILD_RANKS}
    wilds = sum(map(len, ranks.values())) - sum(counts.values())
    if sum([count == 2 and rank not in laid for rank, count in counts.items()]) > wilds:
        return ()  # each of these pairs needs a wild card: 5 5 and 9 9 cannot go with one joker
    canastas = position.canastas_needed
    if canastas_in_reach(counts, wilds, melds) < canastas:
        return ()
    whole = SortedHand.of(ranks).led_by(top) if top else SortedHand.of(ranks)
    kept = [whole.without(single[0])] if single else [whole, *whole.each_without_one(laid)]
    # C69: black threes are not laid where cards stay that are not among these.
    kept = [each for each in kept if _THREE not in each.ranks or held - each.size < 2]
    found = [closing(each, melds, canastas) for each in kept]
    return tuple([plays for plays in found if plays])
