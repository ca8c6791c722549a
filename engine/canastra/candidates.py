"""Moves of Canastra worth trying, from what the replica sees of the mover's hand.

Bounds: of new runs, all those of three cards up to cards of equal face, and the longest ones: for
each suit every unbroken stretch of naturals, and every two stretches that a two joins or prolongs;
for each number all its cards, with a two and without. Of additions, every single card to every
run; for every run all naturals of the hand that can join it one by one; what brings an ace to the
other end, in each length; and the last two cards of a hand both at once. All longer runs, and all
other additions but a few long ones, are made of these, and whoever may meld is offered a meld.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations, pairwise, product

from attrs import frozen

from engine.canastra.melding import run_of
from engine.canastra.run_growth import growth
from engine.canastra.runs import arranged, position_rank
from engine.canastra.state import CanastraState
from engine.canastra.values import LONGEST_SEQUENCE, NUMBERS, RUN_SIZE, is_two
from engine.cards import Rank, Suit
from engine.melds import Meld
from engine.moves import Discard, DrawStock, LayMelds, Move, Play, TakePile
from engine.slots import Shown, cards_of
from engine.turn import Step

Cards = tuple[Shown, ...]

_CODES: Mapping[Suit, Mapping[int, str]] = {
    suit: {p: position_rank(p).code + suit for p in range(1, LONGEST_SEQUENCE + 1)} for suit in Suit
}
"""The codes of a suit by their position in a sequence."""


@frozen
class SortedHand:
    """A hand sorted for melding: `faces` holds one card of each face, `twos` all twos."""

    cards: Cards
    faces: Mapping[str, Shown]
    twos: Cards

    @classmethod
    def of(cls, cards: Iterable[Shown]) -> "SortedHand":
        """Of twins, the one that comes first is offered."""
        ordered = tuple(cards)
        faces = {shown.card.code: shown for shown in reversed(ordered)}
        return cls(ordered, faces, tuple([shown for shown in ordered if is_two(shown.card)]))

    def suit(self, suit: Suit) -> Mapping[int, Shown]:
        """The naturals of a suit by their position in a sequence; an ace has two."""
        return {p: self.faces[code] for p, code in _CODES[suit].items() if code in self.faces}

    def second_ace(self, suit: Suit) -> Shown | None:
        """The other ace of a suit, where there are two."""
        aces = [shown for shown in self.cards if shown.card.code == "A" + suit]
        return aces[1] if len(aces) > 1 else None

    def wilds_beside(self, cards: Cards) -> Iterator[Shown]:
        """A two of each face that is not among `cards`."""
        return iter({two.card.code: two for two in self.twos if two not in cards}.values())


def candidates(position: CanastraState) -> Iterator[Move]:
    """See the module."""
    if position.turn.step is Step.DRAW:
        yield DrawStock()
        yield TakePile()
    if position.turn.step is Step.PLAY:
        # Of twins, the one that may not be discarded (B12) is the one to meld.
        hand = sorted(
            position.hand(position.turn.seat),
            key=lambda shown: (shown.slot != position.barred, shown.card.code, shown.slot),
        )
        melds = position.laid[position.side].melds
        runs = ((Play(cards),) for cards in _new_runs(SortedHand.of(hand)))
        yield from map(LayMelds, _distinct(chain(runs, _additions(melds, hand))))
        free = [shown for shown in hand if shown.slot != position.barred]
        yield from map(Discard, SortedHand.of(free).faces.values())


def _distinct(layings: Iterable[tuple[Play, ...]]) -> Iterable[tuple[Play, ...]]:
    """Of what lays the same faces in the same places, the first."""
    found: dict[tuple[object, ...], tuple[Play, ...]] = {}
    for plays in layings:
        faces = (sorted(shown.card.code for shown in play.cards) for play in plays)
        places = (play.onto for play in plays)
        found.setdefault(tuple(zip(places, map(tuple, faces), strict=True)), plays)
    return found.values()


# -- new runs


def _new_runs(sorted_hand: SortedHand) -> Iterator[Cards]:
    for suit in Suit:
        own = sorted_hand.suit(suit)
        if _has_core(own, sorted_hand.twos):
            yield from _short_sequences(sorted_hand, own)
            yield from _long_sequences(sorted_hand, own, sorted_hand.second_ace(suit))
    yield from _number_runs(sorted_hand)


def _has_core(own: Mapping[int, Shown], twos: Cards) -> bool:
    """Whether the naturals of a suit have three that follow each other, or two that a two joins."""
    if len(own) + bool(twos) < RUN_SIZE:
        return False
    if twos:
        return any(low + 1 in own or low + 2 in own for low in own)
    return any(low + 1 in own and low + 2 in own for low in own)


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
    for joined in (_once(a + b) for a, b in pairwise(stretches)):
        if len(joined) >= RUN_SIZE:
            yield from ((*joined, wild) for wild in sorted_hand.wilds_beside(joined))


def _once(cards: Cards) -> Cards:
    """Without the low ace where the high one is the same card."""
    return cards[1:] if len(cards) > 1 and cards[0] == cards[-1] else cards


def _number_runs(sorted_hand: SortedHand) -> Iterator[Cards]:
    for rank in NUMBERS:
        naturals = tuple([shown for shown in sorted_hand.cards if shown.card.rank is rank])
        if len(naturals) < RUN_SIZE - 1:
            continue
        yield from combinations(naturals, RUN_SIZE)
        cores = list(combinations(naturals, RUN_SIZE - 1))
        if len(naturals) >= RUN_SIZE:
            yield naturals
            cores.append(naturals)
        for core in cores:
            yield from ((*core, wild) for wild in sorted_hand.wilds_beside(core))


# -- additions


def _additions(melds: tuple[Meld, ...], hand: list[Shown]) -> Iterator[tuple[Play, ...]]:
    sorted_hand = SortedHand.of(hand)
    for number, meld in enumerate(melds):
        joining = growth(meld.cards).longer
        for code, shown in sorted_hand.faces.items():
            if code in joining:
                yield (Play((shown,), onto=number),)
        cards = _all_naturals(meld, hand)
        if len(cards) > 1:
            yield (Play(cards, onto=number),)
        yield from ((Play(turning, onto=number),) for turning in _turning_round(meld, sorted_hand))
    if len(hand) == 2:
        yield from _last_two(melds, hand)


def _joins(meld: Meld, cards: Cards) -> bool:
    return arranged(cards_of(meld.cards + cards)) is not None


def _all_naturals(meld: Meld, hand: list[Shown]) -> Cards:
    """The naturals of the hand that can join the run one after the other, until no more do."""
    joined: Cards = ()
    left = [shown for shown in hand if not is_two(shown.card)]
    while True:
        joining = growth((*meld.cards, *joined)).longer
        following = next((shown for shown in left if shown.card.code in joining), None)
        if following is None:
            return joined
        joined += (following,)
        left.remove(following)


def _turning_round(meld: Meld, sorted_hand: SortedHand) -> Iterator[Cards]:
    """What fills a sequence up from its ace's other end, a two in one place perhaps.

    Q 2 A becomes A 2 3 ... J Q with nine cards at once, and A 2 3 ... T with Q K becomes
    3 4 ... T 2 Q K A, though none of the cards could join alone.
    """
    run = run_of(meld)
    if run.low is None or not any(shown.card.rank is Rank.ACE for shown in meld.cards):
        return
    suit = next(card.suit for card in run.cards if card.suit and not is_two(card))
    there = {card.code for card in run.cards}
    size = len(run.cards)
    for length in range(size + 1, LONGEST_SEQUENCE + 1):
        low = LONGEST_SEQUENCE - length + 1 if run.low == 1 else 1
        codes = [_CODES[suit][p] for p in range(low, low + length)]
        naturals = tuple(
            sorted_hand.faces[c] for c in codes if c not in there and c in sorted_hand.faces
        )
        lacking = length - size - len(naturals)
        if lacking == 0 and _joins(meld, naturals):
            yield naturals
        if lacking == 1:
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
