"""Moves of Canastra worth trying, from what the replica sees of the mover's hand.

Bounds: of new runs, all those of three cards up to cards of equal face, and the longest ones: for
each suit every unbroken stretch of naturals, and every two stretches that a two joins or prolongs;
for each number all its cards, with a two and without. Of additions, every single card to every
run; for every run all naturals of the hand that can join it one by one; what brings an ace to the
other end, in each length; and the last two cards of a hand both at once. All longer runs, and all
other additions but a few long ones, are made of these, and whoever may meld is offered a meld.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise, product

from attrs import frozen

from engine.canastra.run_growth import Growth, growth
from engine.canastra.runs import arranged, position_rank
from engine.canastra.state import CanastraState
from engine.canastra.values import LONGEST_SEQUENCE, NUMBERS, RUN_SIZE
from engine.cards import Rank, Suit
from engine.melds import Meld
from engine.moves import Discard, DrawStock, LayMelds, Move, Play, TakePile
from engine.slots import Shown, by_rank, cards_of, one_of_each
from engine.turn import Step

Cards = tuple[Shown, ...]
_TWO = Rank.TWO
_SUITS = tuple(Suit)

_PLACES: Mapping[Rank, tuple[int, ...]] = {
    rank: tuple(p for p in range(1, LONGEST_SEQUENCE + 1) if position_rank(p) is rank)
    for rank in Rank
}
"""The positions of a rank in a sequence: an ace has two."""


@frozen
class SortedHand:
    """A hand sorted for melding.

    `faces` holds one card of each face by its code, `twos` all twos, `naturals` all else; `suits`
    the faces of each suit by their position in a sequence; `numbers` the naturals of each rank of
    which runs of one number are made.
    """

    faces: Mapping[str, Shown]
    twos: Cards
    naturals: Cards
    suits: Mapping[Suit, Mapping[int, Shown]]
    numbers: Mapping[Rank, Cards]

    @classmethod
    def of(cls, cards: Sequence[Shown]) -> "SortedHand":
        """Of twins, the one that comes first is offered."""
        faces = one_of_each(cards)
        places: dict[Suit, dict[int, Shown]] = {suit: {} for suit in _SUITS}
        for shown in faces.values():
            card = shown.card
            if card.suit:
                own = places[card.suit]
                for place in _PLACES[card.rank]:
                    own[place] = shown
        ranks = by_rank(cards)
        return cls(
            faces,
            tuple(ranks.get(_TWO, ())),
            tuple([shown for shown in cards if shown.card.rank is not _TWO]),
            places,
            {rank: tuple(ranks.get(rank, ())) for rank in NUMBERS},
        )

    def second_ace(self, suit: Suit) -> Shown | None:
        """The other ace of a suit, where there are two."""
        aces = [shown for shown in self.numbers[Rank.ACE] if shown.card.suit is suit]
        return aces[1] if len(aces) > 1 else None

    def wilds_beside(self, cards: Cards) -> Iterator[Shown]:
        """A two of each face that is not among `cards`."""
        return iter({two.card.code: two for two in self.twos if two not in cards}.values())


def candidates(position: CanastraState) -> Iterator[Move]:
    """See the module."""
    if position.turn.step is Step.DRAW:
        yield DrawStock()
        if position.may_take_pile():
            yield TakePile()
    if position.turn.step is Step.PLAY:
        barred = position.barred
        hand = sorted(
            position.hand(position.turn.seat), key=lambda shown: (shown.card.code, shown.slot)
        )
        if barred is not None:
            # Of twins, the one that may not be discarded (B12) is the one to meld.
            hand.sort(key=lambda shown: shown.slot != barred)
        sorted_hand = SortedHand.of(hand)
        melds = position.laid[position.side].melds
        runs = ((Play(cards),) for cards in _new_runs(sorted_hand))
        yield from map(LayMelds, _distinct(chain(runs, _additions(melds, hand, sorted_hand))))
        free = sorted_hand.faces
        if barred is not None:
            free = one_of_each([shown for shown in hand if shown.slot != barred])
        yield from map(Discard, free.values())


def _distinct(layings: Iterable[tuple[Play, ...]]) -> Iterable[tuple[Play, ...]]:
    """Of what lays the same faces in the same places, the first."""
    found: dict[tuple[object, ...], tuple[Play, ...]] = {}
    for plays in layings:
        faces = [(p.onto, *sorted([shown.card.code for shown in p.cards])) for p in plays]
        found.setdefault(tuple(faces), plays)
    return found.values()


# -- new runs


def _new_runs(sorted_hand: SortedHand) -> Iterator[Cards]:
    for suit, places in sorted_hand.suits.items():
        if _has_core(places, sorted_hand.twos):
            own = dict(sorted(places.items()))
            yield from _short_sequences(sorted_hand, own)
            yield from _long_sequences(sorted_hand, own, sorted_hand.second_ace(suit))
    yield from _number_runs(sorted_hand)


def _has_core(own: Mapping[int, Shown], twos: Cards) -> bool:
    """Whether the naturals of a suit have three that follow each other, or two that a two joins."""
    if len(own) + bool(twos) < RUN_SIZE:
        return False
    for low in own:
        following = (low + 1 in own) + (low + 2 in own)
        if following == 2 or (following and twos):
            return True
    return False


def _short_sequences(sorted_hand: SortedHand, own: Mapping[int, Shown]) -> Iterator[Cards]:
    for low in own:
        if low + 1 in own and low + 2 in own:
            yield own[low], own[low + 1], own[low + 2]
        for other in (low + 1, low + 2):
            if other in own:
                pair = (own[low], own[other])
                yield from ((*pair, wild) for wild in sorted_hand.wilds_beside(pair))


def _long_sequences(
    sorted_hand: SortedHand, naturals: Mapping[int, Shown], second_ace: Shown | None
) -> Iterator[Cards]:
    own = dict(naturals)
    if second_ace:
        own[LONGEST_SEQUENCE] = second_ace
    if len(own) < RUN_SIZE:
        return
    # Between two gaps lies a stretch, and a two in a gap joins the stretches at its sides.
    gaps = [0, *(p for p in range(1, LONGEST_SEQUENCE + 1) if p not in own), LONGEST_SEQUENCE + 1]
    stretches = [tuple(own[p] for p in range(a + 1, b)) for a, b in pairwise(gaps)]
    for stretch in map(_once, stretches):
        if len(stretch) > RUN_SIZE:
            yield stretch
    if not sorted_hand.twos:
        return
    for joined in (_once(a + b) for a, b in pairwise(stretches)):
        if len(joined) >= RUN_SIZE:
            yield from ((*joined, wild) for wild in sorted_hand.wilds_beside(joined))


def _once(cards: Cards) -> Cards:
    """Without the low ace where the high one is the same card."""
    return cards[1:] if cards[:1] == cards[-1:] else cards


def _number_runs(sorted_hand: SortedHand) -> Iterator[Cards]:
    for naturals in sorted_hand.numbers.values():
        yield from combinations(naturals, RUN_SIZE)
        cores = list(combinations(naturals, RUN_SIZE - 1))
        if len(naturals) >= RUN_SIZE:
            yield naturals
            cores.append(naturals)
        for core in cores:
            yield from ((*core, wild) for wild in sorted_hand.wilds_beside(core))


# -- additions


def _additions(
    melds: tuple[Meld, ...], hand: list[Shown], sorted_hand: SortedHand
) -> Iterator[tuple[Play, ...]]:
    faces = sorted_hand.faces
    for number, meld in enumerate(melds):
        grown = growth(meld.cards)
        if not grown.possible.isdisjoint(faces):
            for code, shown in faces.items():
                if grown.longer(code):
                    yield (Play((shown,), onto=number),)
            kin = [shown for shown in sorted_hand.naturals if shown.card.code in grown.possible]
            cards = _all_naturals(meld, grown, kin) if len(kin) > 1 else ()
            if len(cards) > 1:
                yield (Play(cards, onto=number),)
        if grown.turned:
            for turning in _turning_round(meld, grown, sorted_hand):
                yield (Play(turning, onto=number),)
    if len(hand) == 2:
        yield from _last_two(melds, hand)


def _joins(meld: Meld, cards: Cards) -> bool:
    return arranged(cards_of(meld.cards + cards)) is not None


def _all_naturals(meld: Meld, grown: Growth, kin: Sequence[Shown]) -> Cards:
    """The naturals of the hand that can join the run one after the other, until no more do."""
    joined: Cards = ()
    left = list(kin)
    while True:
        following = next((shown for shown in left if grown.longer(shown.card.code)), None)
        if following is None:
            return joined
        joined += (following,)
        left.remove(following)
        grown = growth((*meld.cards, *joined))


def _turning_round(meld: Meld, grown: Growth, sorted_hand: SortedHand) -> Iterator[Cards]:
    """What fills a sequence up from its ace's other end, a two in one place perhaps.

    Q 2 A becomes A 2 3 ... J Q with nine cards at once, and A 2 3 ... T with Q K becomes
    3 4 ... T 2 Q K A, though none of the cards could join alone.
    """
    faces = sorted_hand.faces
    for lacking, codes in grown.turned:
        naturals = tuple([faces[code] for code in codes if code in faces])
        if len(naturals) == lacking:
            if _joins(meld, naturals):
                yield naturals
        elif len(naturals) + 1 == lacking:
            for wild in sorted_hand.wilds_beside(naturals):
                if _joins(meld, (*naturals, wild)):
                    yield (*naturals, wild)


def _last_two(melds: tuple[Meld, ...], hand: list[Shown]) -> Iterator[tuple[Play, ...]]:
    first, second = hand
    runs = range(len(melds))
    for a, b in product(runs, repeat=2):
        if a != b and _joins(melds[a], (first,)) and _joins(melds[b], (second,)):
            yield Play((first,), onto=a), Play((second,), onto=b)
    for number in runs:
        if _joins(melds[number], (first, second)):
            yield (Play((first, second), onto=number),)
