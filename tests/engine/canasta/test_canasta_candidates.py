"""The moves that `legal_moves` offers in Canasta: always enough, and never too many.

Enough means: if a search through all layings of a small hand finds a way to open, to take the pile
or to go out, such a move is offered.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.canasta.deck import CANASTA
from engine.canasta.melds import MELDS
from engine.cards import Rank
from engine.like_melds.cards import is_red_three, is_wild
from engine.like_melds.find_openings import openings
from engine.like_melds.sorted_hand import SortedHand
from engine.moves import LayMelds, Move, Play, TakePile
from engine.slots import Seat, Shown, by_rank, cards_of
from engine.turn import Step
from tests.engine.positions import Table, canasta_table

# Only a few ranks, so that small hands have melds. The melds on the table have other cards.
LITTLE = "3s 3c 3s 3c 5s 5d 5h 5c 5s Ks Kd Kh Ks Ac Ac 2h 2h 2d Jo Jo 7d".split()  # noqa: SIM905
LAID = [
    (),
    ("5d 5h 5c",),
    ("As Ad Ah As Ad Ah",),
    ("As Ad Ah 2s 2s 2c",),
    ("Qs Qd Qh Qc Qs Qd Qh", "As Ad Ah As Ad 2s"),
]
SETTINGS = settings(max_examples=40)

hands = st.lists(st.sampled_from(range(len(LITTLE))), min_size=2, max_size=9, unique=True).map(
    lambda numbers: " ".join(LITTLE[number] for number in numbers)
)
melds = st.sampled_from(LAID)
totals = st.sampled_from([-5, 0, 1500, 3000])
options = st.sampled_from([{}, {"two_canastas": True}])


def table_with(hand: str, melds: tuple[str, ...], total: int, **more: Any) -> Table:
    return canasta_table(seats=2, hands=[hand], melds=[melds], totals=[total], **more)


def every_laying(table: Table, cards: tuple[Shown, ...]) -> Iterator[tuple[Play, ...]]:
    """Return every set of plays of some of `cards`; of equal cards, the first are used."""
    onto = {meld.rank: number for number, meld in enumerate(table.position.laid[0].melds)}
    ranks = {shown.card.rank for shown in cards if not is_wild(shown.card)}
    targets = {rank: onto.get(rank) for rank in {*ranks, *onto} if rank is not None}
    for plays in _search(cards, targets):
        if plays:
            yield plays


def _search(
    cards: tuple[Shown, ...], targets: Mapping[Rank, int | None]
) -> Iterator[tuple[Play, ...]]:
    if not targets:
        yield ()
        return
    rank, rest = next(iter(targets)), dict(list(targets.items())[1:])
    naturals, jokers, twos = (
        [shown for shown in cards if shown.card.rank is wanted]
        for wanted in (rank, Rank.JOKER, Rank.TWO)
    )
    for count in range(len(naturals) + 1):
        for some_jokers in range(min(3, len(jokers)) + 1):
            for some_twos in range(min(3, len(twos)) + 1):
                laid = (*naturals[:count], *jokers[:some_jokers], *twos[:some_twos])
                left = tuple(shown for shown in cards if shown not in laid)
                play = (Play(laid, targets[rank]),) if laid else ()
                yield from (play + others for others in _search(left, rest))


def rest_of(table: Table, move: Move) -> int:
    """Return the number of cards in hand after a move that melds."""
    return len(table.position.apply(move).hands[0])


@given(hands, melds, totals, options)
@example("5s 5d Ks Kd Kh 2h 2h Jo", (), 1500, {})
@example("Ac 7d", ("As Ad Ah As Ad Ah",), 0, {})
@example("2h 2h Jo Jo", LAID[-1], 0, {})  # a hand without naturals goes out, too
@SETTINGS
def test_a_meld_is_offered_if_one_is_legal(
    hand: str, melds: tuple[str, ...], total: int, options: dict[str, bool]
) -> None:
    table = table_with(hand, melds, total, options=options)
    searched = map(LayMelds, every_laying(table, table.position.hand(table.position.turn.seat)))
    possible = [move for move in searched if table.refusal(move) is None]
    offered = [move for move in table.moves if isinstance(move, LayMelds)]
    assert bool(offered) == bool(possible)
    if possible:
        # If a legal move lays all cards, or all but one, such a move is offered.
        fewest = min(rest_of(table, move) for move in possible)
        if fewest <= 1:
            assert min(rest_of(table, move) for move in offered) == fewest


@given(hands, melds, totals, st.sampled_from(["5d", "9c 5d", "Jo 5d", "Kh", "4c 9c Kh", "As"]))
@example("Ks Kd Ac", ("As Ad Ah As Ad Ah",), 0, "Kh")
@example("Ks Kd 5s 5s 5c Jo", (), 0, "Kh")
@SETTINGS
def test_taking_the_pile_is_offered_if_it_is_legal(
    hand: str, melds: tuple[str, ...], total: int, pile: str
) -> None:
    # The deck has each card only twice. So the cards of the pile are left out of the hand, and with
    # an ace on the pile there is no meld of aces.
    kept = " ".join(code for code in hand.split() if code not in pile)
    shown = () if pile == "As" else melds
    table = table_with(kept, shown, total, pile=pile, step=Step.DRAW)
    cards = (table.position.pile[-1], *table.position.hand(table.position.turn.seat))
    possible = any(table.refusal(TakePile(plays)) is None for plays in every_laying(table, cards))
    assert any(isinstance(move, TakePile) for move in table.moves) == possible


def fill(play: Play) -> tuple[object, ...]:
    """Return the effect of a play, the same for each choice among equal cards."""
    return play.onto, *sorted(shown.card.rank for shown in play.cards)


@given(hands, st.sampled_from(LAID[1:]), options)
@SETTINGS
def test_every_single_meld_and_addition_is_offered(
    hand: str, melds: tuple[str, ...], options: dict[str, bool]
) -> None:
    table = table_with(hand, melds, 0, options=options)
    searched = every_laying(table, table.position.hand(table.position.turn.seat))
    legal = {
        fill(plays[0])
        for plays in searched
        if len(plays) == 1 and table.refusal(LayMelds(plays)) is None
    }
    offered = [
        fill(move.plays[0])
        for move in table.moves
        if isinstance(move, LayMelds) and len(move.plays) == 1
    ]
    assert set(offered) == legal
    assert len(offered) == len(legal)


@pytest.mark.parametrize("size", [11, 25, 40, 60])
@pytest.mark.parametrize("melds", [(), ("Qs Qd Qh",)])
def test_the_number_of_candidates_is_bounded(size: int, melds: tuple[str, ...]) -> None:
    """The bound grows linearly with the hand: about ten choices of wild cards for each meld."""
    rng = random.Random(size)
    plain = [card.code for card in CANASTA if not is_red_three(card) and card.rank != Rank.QUEEN]
    for _ in range(5):
        hand = rng.sample(plain, size)
        table = table_with(" ".join(hand), melds, 0, stock="")
        assert len(list(table.position.candidates())) <= 10 * size + 20
        taking = table_with(" ".join(hand), melds, 0, stock="", pile="Qc", step=Step.DRAW)
        assert len(list(taking.position.candidates())) <= 10 * size + 20


def test_of_openings_with_equally_many_wild_cards_the_smallest_is_found() -> None:
    """Two aces and a two reach 60 points; three nines and a two, which are more cards, reach 50."""
    table = table_with("7s Td 2c 9h Qd Ah Ac 9h 7s 6s Jh 9d", (), 0)
    hand = SortedHand.of(by_rank(table.position.hand(table.position.turn.seat)))
    (plays,) = openings(MELDS, hand, minimum=50, most=11)
    assert sorted(shown.card.code for play in plays for shown in play.cards) == ["2c", "Ac", "Ah"]


def test_each_without_one_keeps_pairs_that_fit_no_meld() -> None:
    """`each_without_one` leaves out one card at a time, but none of the two kings.

    One of the two nines may be left out, because the side has a meld of nines.
    """
    cards = table_with("Ks Kd 9s 9d 5c 7c 7d 7h 2h Jo", (), 0).position.hand(Seat(0))
    left_out = Counter[Rank]()
    for each in SortedHand.of(by_rank(cards)).each_without_one({Rank.NINE}):
        left = [*each.twos, *each.jokers, *chain(*each.ranks.values())]
        assert each.size == len(left) == len(cards) - 1
        left_out += Counter(card.rank for card in cards_of({*cards} - {*left}))
    assert left_out == Counter([Rank.TWO, Rank.FIVE, Rank.SEVEN, Rank.NINE, Rank.JOKER])
