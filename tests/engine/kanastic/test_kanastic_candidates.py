"""The moves that `legal_moves` offers in Kanastic: compared with all layings, and bounded."""

import random
from collections.abc import Iterable, Iterator
from itertools import chain, combinations

import pytest

from engine.cards import Rank
from engine.kanastic.deck import KANASTIC
from engine.kanastic.position import KanasticPosition
from engine.moves import LayMelds, Play, TakeTop
from engine.slots import Shown
from engine.turn import Step
from tests.engine.kanastic.tables import kanastic, kanastic_table
from tests.engine.positions import Table

_TOTALS = (0, 1500, 3000, 5000)


def some_hand(rng: random.Random, size: int) -> str:
    """Return codes of a hand that can meld much."""
    ranks = rng.sample(range(Rank.FOUR, Rank.ACE + 1), 3)
    pool = [c for c in KANASTIC if c.rank in ranks or c.gold or c.rank is Rank.ARTIFACT]
    pool += [c for c in KANASTIC if c.rank is Rank.SWORD][:3]
    return " ".join(card.code for card in rng.sample(pool, size))


def all_formations(cards: Iterable[Shown]) -> Iterator[Play]:
    """Return all plays of three to eight cards: of one rank with wild cards, or golden suits."""
    held = tuple(cards)
    for chosen in chain.from_iterable(combinations(held, n) for n in range(3, 9)):
        naturals = {shown.card.rank for shown in chosen if shown.card.suit}
        if len(naturals) == 1:
            yield Play(chosen)
        elif all(shown.card.gold or shown.card.rank is Rank.ARTIFACT for shown in chosen):
            yield from _runs(chosen)


def _runs(chosen: tuple[Shown, ...]) -> Iterator[Play]:
    golds = {shown.card.rank: shown for shown in chosen if shown.card.gold}
    for low in range(Rank.FOUR, Rank.ACE + 2 - len(chosen)):
        wilds = [shown for shown in chosen if not shown.card.gold]
        placed = [
            golds.get(Rank(rank)) or (wilds.pop() if wilds else None)
            for rank in range(low, low + len(chosen))
        ]
        cards = tuple(shown for shown in placed if shown)
        if len(cards) == len(chosen):
            yield Play(cards)


def some_opening(table: Table, *, top: bool = False) -> LayMelds | TakeTop | None:
    """Return an opening that the rules allow, found by trying all; None if there is none."""
    position = table.position
    held = position.hand(position.turn.seat) + (position.pile[-1:] if top else ())
    formations = list(all_formations(held))
    kind = TakeTop if top else LayMelds

    def search(chosen: tuple[Play, ...], first: int) -> LayMelds | TakeTop | None:
        if chosen and position.allows(kind(chosen)):
            return kind(chosen)
        used = {shown.slot for play in chosen for shown in play.cards}
        for number in range(first, len(formations)):
            if used.isdisjoint(shown.slot for shown in formations[number].cards):
                found = search((*chosen, formations[number]), number + 1)
                if found:
                    return found
        return None

    return search((), 0)


@pytest.mark.parametrize("total", _TOTALS)
def test_an_opening_is_offered_if_one_is_legal(total: int) -> None:
    found = []
    for seed in range(40):
        hand = some_hand(random.Random(seed), 8 if total < 5000 else 10)
        table = kanastic_table(hands=[hand], totals=[total])
        offered = any(isinstance(move, LayMelds) for move in table.moves)
        assert offered == bool(some_opening(table)), hand
        found.append(offered)
    assert {True, False} == set(found)


@pytest.mark.parametrize("total", _TOTALS[:3])
def test_taking_the_top_is_offered_if_it_is_legal(total: int) -> None:
    found = []
    for seed in range(60):
        first, hand = some_hand(random.Random(seed), 9).split(" ", 1)
        table = kanastic_table(
            hands=[hand], totals=[total], pile=first, discards=f"8c {first}", step=Step.DRAW
        )
        offered = any(isinstance(move, TakeTop) for move in table.moves)
        assert offered == bool(some_opening(table, top=True)), (first, hand)
        found.append(offered)
    assert {True, False} == set(found)


def shape(play: Play, position: KanasticPosition) -> tuple[object, ...]:
    """Return the effect of a play, the same for each choice among equal cards."""
    cards = [shown.card for shown in play.cards]
    naturals = {card.rank for card in cards if card.suit}
    golden = len(naturals) > 1
    if play.onto is not None:
        golden = position.laid[0].melds[play.onto].rank is None
    if golden:  # the end that it joins, its length, and its first rank
        start = next((card.rank - i for i, card in enumerate(cards) if card.suit), None)
        return play.onto, play.low, len(cards), start if play.onto is None else None
    return play.onto, *sorted(card.rank for card in cards)


def offered_plays(table: Table) -> list[Play]:
    """Return the first play of each move that lays melds."""
    return [move.plays[0] for move in table.moves if isinstance(move, LayMelds)]


def test_every_single_meld_is_offered_after_the_opening() -> None:
    for seed in range(25):
        rng = random.Random(f"melds {seed}")
        cards = some_hand(rng, 13).split()
        rank = next(code[0] for code in cards if code[-1] in "hdc")
        on_table = [f"{rank}{suit}" for suit in "hdc"]
        hand = " ".join([code for code in cards if code not in on_table][:9])
        table = kanastic_table(hands=[hand], melds=[[" ".join([*on_table, "Sw"]), "Jh Jd Jc"]])
        position = kanastic(table)
        held = position.hand(position.turn.seat)
        added = [
            Play(cards, onto)
            for onto in (0, 1)
            for cards in chain.from_iterable(combinations(held, n) for n in range(1, 6))
        ]
        legal = {
            shape(play, position)
            for play in [*all_formations(held), *added]
            if position.allows(LayMelds((play,)))
        }
        assert {shape(play, position) for play in offered_plays(table)} == legal, hand


@pytest.mark.parametrize("total", _TOTALS)
@pytest.mark.parametrize("size", [15, 60, 88])
def test_the_moves_of_large_hands_are_bounded(total: int, size: int) -> None:
    eights = "8h 8d 8c"
    deck = [card for card in KANASTIC if card.rank not in (Rank.EIGHT, Rank.POT)]
    for seed in range(3):
        codes = " ".join(card.code for card in random.Random(seed).sample(deck, size))
        for melds in ((), (eights,)):
            table = kanastic_table(hands=[codes], totals=[total], melds=[melds], stock="")
            assert 0 < len(list(table.position.candidates())) < 700
            before = kanastic_table(
                hands=[codes], totals=[total], melds=[melds], pile=eights, step=Step.DRAW, stock=""
            )
            assert 0 < len(list(before.position.candidates())) < 700
