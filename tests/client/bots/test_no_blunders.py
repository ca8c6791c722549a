"""Blunders that no level makes: being left with one useless card, and wasting a wild card."""

import random

import pytest
from attrs import evolve

from client.bots.blunders import agrees_hastily, strands, wastes_wild
from client.bots.levels import LEVELS, opponent
from engine.games import GAMES
from engine.moves import Answer, Discard, DrawStock, LayMelds, Move
from engine.turn import Step
from tests.bench.opponents import is_stranded
from tests.client.bots.hidden_cards import seen_by_0
from tests.client.bots.level_rounds import at_level
from tests.client.bots.thick_piles import KINGS, QUICK, REST, duel
from tests.engine.positions import Table, canasta_table, table_of
from tests.engine.simulation import views

LEVEL = pytest.mark.parametrize("level", LEVELS)
OPENED = [["As Ah Ad"], ["Qh Qd Qs"]]


def chosen(level: str, table: Table) -> set[Move]:
    """Return the moves of Canasta that the level chooses here, one for each of several seeds."""
    view = seen_by_0(table)
    return {opponent(level, "canasta", random.Random(seed), QUICK)(view) for seed in range(12)}


@LEVEL
def test_nobody_melds_down_to_one_card_without_a_canasta(level: str) -> None:
    table = duel("Kc Kd Kh 5s 7c", ours=OPENED[0], theirs=OPENED[1], pile="4s")
    assert strands(table.position, table.lay("Kc Kd Kh"))
    assert not any(isinstance(move, LayMelds) for move in chosen(level, table))


def test_melding_down_with_a_canasta_is_no_blunder() -> None:
    table = duel("Kc Kd Kh 5s 7c", ours=["As Ah Ad Ac As Ah Ad"], theirs=OPENED[1])
    assert not strands(table.position, table.lay("Kc Kd Kh"))


@pytest.mark.parametrize(("pile", "stuck"), [("Qh", True), ("4d Qh", False)])
def test_taking_a_short_pile_with_a_short_hand_is_a_blunder(pile: str, stuck: bool) -> None:
    """A seat that is left with two cards must discard one of them, and then has a useless one."""
    table = duel("Qc Qd 5s 7c", ours=OPENED[0], theirs=[KINGS], step=Step.DRAW, pile=pile)
    assert strands(table.position, table.take("^ Qc Qd")) is stuck


@pytest.mark.parametrize(
    ("hand", "meld", "stranded"),
    [
        ("4c 5c", "Kh Kd Ks", True),
        ("4c 5c 6c", "Kh Kd Ks", False),
        ("4c 5c", "Ah Ad Ac As Ah Ad Ac", False),
    ],
)
def test_a_seat_is_stranded_with_one_card_and_no_canasta(
    hand: str, meld: str, stranded: bool
) -> None:
    table = duel(hand, ours=[meld])
    after = table.apply(table.discard("4c")).position
    assert is_stranded(after, table.position) is stranded
    over = evolve(after, turn=evolve(after.turn, step=Step.OVER))
    assert not is_stranded(over, table.position)


def test_melding_down_is_no_blunder_while_a_hand_set_aside_can_be_taken_up() -> None:
    hands = ["4h 5h 6h Kd 9c", "+9"]
    table = table_of("canastra", seats=2, hands=hands, aside=((), ()))
    assert not strands(table.position, table.lay("4h 5h 6h"))
    without = table_of("canastra", seats=2, hands=hands)
    assert not strands(without.position, without.lay("4h 5h 6h")), (
        "in Canastra, by default, going out needs no canastra"
    )


@LEVEL
def test_no_level_discards_a_wild_card_on_a_frozen_pile(level: str) -> None:
    hands, melds = ["2s Qc Qd", "+9", "+9", "+9"], [["As Ah Ad"], ["Qh Qs Qc"]]
    table = canasta_table(hands=hands, melds=melds, pile="4s 2h 6d 8c 9d Th", stock=REST)
    assert wastes_wild(table.position, table.discard("2s"))
    assert table.discard("2s") not in chosen(level, table)


@pytest.mark.parametrize(
    ("hand", "pile", "wasted"),
    [
        ("2s Qc", "4s 2h 6d", True),
        ("2s", "4s 2h 6d", False),  # the last card
        ("2s Jo 2d", "4s 2h 6d", False),  # nothing but wild cards
        ("2s 3h Jo", "4s 2h 6d", False),  # a red three is no discard
        ("2s Qc", "4s 5h 6d", False),  # the wild card freezes the pile
    ],
)
def test_a_wild_card_is_wasted_on_a_frozen_pile_if_there_is_another_discard(
    hand: str, pile: str, wasted: bool
) -> None:
    table = canasta_table(hands=[hand, "+9", "+9", "+9"], melds=OPENED, pile=pile)
    assert wastes_wild(table.position, table.discard("2s")) is wasted
    assert not wastes_wild(table.position, DrawStock())
    if "Qc" in hand:
        assert not wastes_wild(table.position, table.discard("Qc"))


@pytest.mark.parametrize(("held", "is_hasty"), [(8, True), (7, False)])
def test_a_yes_with_a_full_hand_and_no_canasta_is_hasty(held: int, is_hasty: bool) -> None:
    table = canasta_table(hands=[f"+{held}"], melds=OPENED, step=Step.ANSWER, seat=2)
    assert agrees_hastily(table.position, Answer(True)) is is_hasty
    assert agrees_hastily(table.position, Answer(False)) is False


@pytest.mark.parametrize("level", ["easy", "middle"])
@pytest.mark.parametrize(("game", "players"), [("canasta", 2), ("canasta", 4), ("kanastic", 2)])
def test_turns_do_not_end_stranded(game: str, players: int, level: str) -> None:
    """A seat is stranded if it has one card left, and can neither go out nor take up a hand."""
    rules, player = GAMES[game], at_level(level, game)
    turns = stranded = 0
    for view, move, _ in views(rules, rules.options(rounds=2), players, 7, player):
        if isinstance(move, Discard):
            turns += 1
            stranded += is_stranded(view.apply(move), view)
    assert turns > 20
    assert stranded == 0
