"""Moves of Canastra worth trying, from the cards of the mover's hand that the replica sees.

New runs that are tried:

- all runs of three cards (cards of equal face count as one);
- in each suit every unbroken stretch of naturals;
- in each suit every two stretches with a two between them;
- in each suit every stretch with a two at one end, if no other stretch follows beyond the two;
- all cards of one number, with a two and without.

Additions that are tried:

- every single card on every run;
- for every run, all naturals of the hand that can join it one by one;
- sets of cards, of every size, that move the ace of a run to the other end;
- the last two cards of a hand, both at once.

All longer runs, and all other additions except a few long ones, can be made by several of these
moves, one after the other. A player who may meld is always offered a meld.

Hands are searched often, and mostly in vain. So a hand is first turned into a number: `_BITS` has a
bit for each face, and cards that follow each other have bits side by side. Then `held & held >> 1`
finds all pairs of cards that follow each other, in all suits at once. Only suits in which such a
test finds something are searched card by card. For additions `engine.canastra.run_growth` caches
the faces that may join each run.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product

from attrs import frozen

from engine.canastra.constants import NUMBERS, RUN_SIZE
from engine.canastra.run_growth import Growth, growth, with_natural
from engine.canastra.runs import arranged
from engine.canastra.state import CanastraState
from engine.cards import Rank, Suit
from engine.melds import Meld
from engine.moves import Play
from engine.sequence_melds.with_wild import CODES, LONGEST
from engine.slots import Shown, by_rank, cards_of, one_of_each

Cards = tuple[Shown, ...]
Plays = tuple[Play, ...]
_TWO = Rank.TWO
_SUIT_BITS = 16
_SUIT = (1 << _SUIT_BITS) - 1


def _bits(code: str) -> int:
    """Return a number with a bit for each position that a face can have in a sequence.

    An ace has two positions. Cards that follow each other have bits side by side. Each suit has
    sixteen bits.
    """
    return sum(
        1 << number * _SUIT_BITS + place
        for number, codes in enumerate(CODES.values())
        for place, each in enumerate(codes)
        if each == code
    )


_BITS = {code: _bits(code) for codes in CODES.values() for code in codes}


@frozen
class SortedHand:
    """A hand sorted for melding."""

    faces: Mapping[str, Shown]
    """One card of each face by its code."""
    ranks: Mapping[Rank, Sequence[Shown]]
    """All cards by rank."""

    @classmethod
    def of(cls, cards: Sequence[Shown]) -> "SortedHand":
        """Return the sorted hand; of two equal cards, moves use the first."""
        return cls(one_of_each(cards), by_rank(cards))

    @property
    def twos(self) -> Sequence[Shown]:
        """All twos."""
        return self.ranks.get(_TWO, ())

    def sequence(self, suit: Suit) -> dict[int, Shown]:
        """Return the cards of a suit by their position in a sequence, the lowest first."""
        places = enumerate(CODES[suit], start=1)
        return {place: self.faces[code] for place, code in places if code in self.faces}

    def second_ace(self, suit: Suit) -> Shown | None:
        """Return the other ace of a suit; None if there are not two."""
        aces = [shown for shown in self.ranks.get(Rank.ACE, ()) if shown.card.suit is suit]
        return aces[1] if len(aces) > 1 else None

    def wilds_beside(self, cards: Cards) -> Iterator[Shown]:
        """Return an iterator over one two of each face that is not among `cards`."""
        return iter({two.card.code: two for two in self.twos if two not in cards}.values())


def layings(position: CanastraState) -> Iterable[Plays]:
    """Return the sets of plays to try after a draw, as listed at the top of this module."""
    hand, melds = hand_in_order(position), position.laid[position.side].melds
    return _layings(melds, hand, SortedHand.of(hand))


def hand_in_order(position: CanastraState) -> list[Shown]:
    """Return the mover's hand in the order in which equal cards are used.

    The card that may not be discarded (B12) comes before an equal card: it is melded, and the other
    card can be discarded.
    """
    hand = sorted(
        position.hand(position.turn.seat), key=lambda shown: (shown.card.code, shown.slot)
    )
    # The sort keeps the order of equal keys, so only the barred card moves, to the front.
    if position.barred is not None:
        hand.sort(key=lambda shown: shown.slot != position.barred)
    return hand


def _layings(
    melds: tuple[Meld, ...], hand: list[Shown], sorted_hand: SortedHand
) -> Iterable[Plays]:
    layings = [*_distinct([(Play(cards),) for cards in _new_runs(sorted_hand)])]
    for number, meld in enumerate(melds):
        layings += _additions(number, meld, hand, sorted_hand)
    # Two cards are also tried together. Laid one after the other, the first laying would leave a
    # single card, which B13 or B45 may forbid.
    return layings if len(hand) != 2 else _distinct([*layings, *_last_two(melds, hand)])


def _distinct(layings: list[Plays]) -> Iterable[Plays]:
    """Return the layings, without repeats that lay the same faces in the same places."""
    if len(layings) < 2:
        return layings
    found: dict[tuple[object, ...], Plays] = {}
    for plays in layings:
        faces = [(p.onto, *sorted([shown.card.code for shown in p.cards])) for p in plays]
        found.setdefault(tuple(faces), plays)
    return found.values()


# -- new runs


def _new_runs(hand: SortedHand) -> list[Cards]:
    """Return new runs: sequences of each suit that has a core, and runs of one number.

    A core is three naturals that follow each other, or two naturals that become a sequence with a
    two.
    """
    runs: list[Cards] = []
    # A bit of `pairs` is set if its card and the next card are held, a bit of `triples` if its card
    # and the next two cards are held. With 5 6 7 of a suit, `pairs` has the bits of 5 and 6, and
    # `triples` has the bit of 5. If the hand has a two, every pair is a core, whether its cards lie
    # side by side or with a gap of one card.
    held = sum([_BITS[code] for code in hand.faces])
    pairs = held & held >> 1
    triples = pairs & pairs >> 1
    quadruples = triples & triples >> 1
    cores = pairs | held & held >> 2 if hand.twos else triples
    for number, suit in enumerate(CODES) if cores else ():
        here = _SUIT << number * _SUIT_BITS
        if cores & here:
            own = hand.sequence(suit)
            runs += _short_sequences(hand, own)
            if hand.twos or quadruples & here:
                runs += _long_sequences(hand, own, hand.second_ace(suit))
    for rank in NUMBERS:
        naturals = hand.ranks.get(rank, ())
        # At most one two lies in a run of one number (B32), so a second one does not help.
        if len(naturals) + bool(hand.twos) >= RUN_SIZE:
            runs += _number_runs(hand, tuple(naturals))
    return runs


def _short_sequences(hand: SortedHand, own: Mapping[int, Shown]) -> Iterator[Cards]:
    for low in own:
        if low + 1 in own and low + 2 in own:
            yield own[low], own[low + 1], own[low + 2]
        if hand.twos:
            for other in (low + 1, low + 2):
                if other in own:
                    pair = (own[low], own[other])
                    yield from ((*pair, wild) for wild in hand.wilds_beside(pair))


def _long_sequences(
    hand: SortedHand, naturals: Mapping[int, Shown], second_ace: Shown | None
) -> Iterator[Cards]:
    own = dict(naturals)
    if second_ace:
        own[LONGEST] = second_ace
    # Between two gaps lies a stretch, and a two in a gap joins the stretches at its sides.
    stretches: list[Cards] = [()]
    for position in range(1, LONGEST + 1):
        if position in own:
            stretches[-1] += (own[position],)
        else:
            stretches.append(())
    for stretch in map(_once, stretches):
        # Stretches of three cards are found by `_short_sequences`.
        if len(stretch) > RUN_SIZE:
            yield stretch
    if not hand.twos:
        return
    # Two gaps side by side have an empty stretch between them. So 5 6 7 _ _ J gives the pairs (5 6
    # 7, -) and (-, J), and with the first pair the two lies at the end of 5 6 7.
    for joined in (_once(a + b) for a, b in pairwise(stretches)):
        if len(joined) >= RUN_SIZE:
            yield from ((*joined, wild) for wild in hand.wilds_beside(joined))


def _once(cards: Cards) -> Cards:
    """Return the cards without the low ace if the high ace is the same card."""
    return cards[1:] if cards[:1] == cards[-1:] else cards


def _number_runs(hand: SortedHand, naturals: Cards) -> Iterator[Cards]:
    yield from combinations(naturals, RUN_SIZE)
    cores = list(combinations(naturals, RUN_SIZE - 1))
    if len(naturals) >= RUN_SIZE:
        yield naturals
        cores.append(naturals)
    for core in cores:
        yield from ((*core, wild) for wild in hand.wilds_beside(core))


# -- additions


def _additions(
    number: int, meld: Meld, hand: list[Shown], sorted_hand: SortedHand
) -> Iterable[Plays]:
    """Return the layings that add to the meld with this number, single cards first."""
    grown = growth(meld)
    faces = sorted_hand.faces
    single: list[Plays] = []
    several: list[Plays] = []
    if not grown.joining.isdisjoint(faces):
        single = [(Play((faces[code],), number),) for code in faces if code in grown.joining]
        if cards := _all_naturals(grown, hand):
            several.append((Play(cards, number),))
    if grown.lacks:
        several += [(Play(cards, number),) for cards in _turning_round(meld, grown, sorted_hand)]
    return [*single, *_distinct(several)] if several else single


def _joins(meld: Meld, cards: Cards) -> bool:
    return arranged(cards_of(meld.cards + cards)) is not None


def _all_naturals(grown: Growth, hand: list[Shown]) -> Cards:
    """Return the naturals of the hand that can join the run one after the other.

    The result is () if only one natural can join, because single cards are offered already.
    """
    joined: Cards = ()
    left = [shown for shown in hand if shown.card.code in grown.kin]
    if len(left) < 2:
        return ()
    while following := next((shown for shown in left if shown.card.code in grown.joining), None):
        joined += (following,)
        left.remove(following)
        grown = with_natural(grown, following.card.rank)
    return joined if len(joined) > 1 else ()


def _turning_round(meld: Meld, grown: Growth, hand: SortedHand) -> Iterator[Cards]:
    """Return the sets of cards that fill a sequence up to the other end of its ace.

    Each set has two cards or more, and at most one of them is a two. For example, Q 2 A becomes A 2
    3 ... J Q with nine more cards, and A 2 3 ... T with Q K becomes 3 4 ... T 2 Q K A. None of
    these cards could join the run alone.
    """
    held = {code: shown for code, shown in hand.faces.items() if code in grown.lacks}
    # One card alone is tried among the single additions, so the count begins with 2.
    for lacking in range(2, len(held) + bool(hand.twos) + 1):
        naturals = tuple([held[code] for code in grown.turned(lacking) if code in held])
        if len(naturals) == lacking:
            if _joins(meld, naturals):
                yield naturals
        elif len(naturals) + 1 == lacking:
            for wild in hand.wilds_beside(naturals):
                if _joins(meld, (*naturals, wild)):
                    yield (*naturals, wild)


def _last_two(melds: tuple[Meld, ...], hand: list[Shown]) -> Iterator[Plays]:
    """Return the layings of a hand's last two cards, one each on two runs or both on one."""
    first, second = hand
    runs = range(len(melds))
    for a, b in product(runs, repeat=2):
        if a != b and _joins(melds[a], (first,)) and _joins(melds[b], (second,)):
            yield Play((first,), onto=a), Play((second,), onto=b)
    for number in runs:
        if _joins(melds[number], (first, second)):
            yield (Play((first, second), onto=number),)
