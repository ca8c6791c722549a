"""Deck, deal, deads and the first player (B1-B9)."""

import random
from collections import Counter

import pytest

from engine.canastra.deck import CANASTRA
from engine.canastra.position import CanastraPosition
from engine.dealer import PlainDealer
from engine.errors import InvalidOption
from engine.games import GAMES
from engine.match import Match
from engine.moves import DrawStock, TakePile
from engine.options import Options
from engine.orders import Deal, Give, Shuffle
from engine.slots import Seat, slot_range
from engine.turn import Step
from tests.engine.canastra.canastra_tables import canastra_table
from tests.engine.simulation import at_random, states

CANASTRA_GAME = GAMES["canastra"]


def dealt_match(seed: int = 1, options: Options | None = None) -> tuple[Match, PlainDealer]:
    dealer = PlainDealer(random.Random(seed).shuffle)
    return dealer.fulfil(Match.start(CANASTRA_GAME, options or CANASTRA_GAME.options(), 2)), dealer


def game_of(match: Match) -> CanastraPosition:
    assert isinstance(match.round, CanastraPosition)
    return match.round


def test_b1_two_players_play_each_for_themselves() -> None:
    match, _ = dealt_match()
    assert match.totals == (0, 0)
    for players in (1, 3, 4):
        with pytest.raises(InvalidOption, match="Canastra is for 2 players"):
            Match.start(CANASTRA_GAME, CANASTRA_GAME.options(), players)


def test_b2_one_deal_is_one_game() -> None:
    *_, (match, _, _) = states(CANASTRA_GAME, CANASTRA_GAME.options(), 2, 1, at_random)
    assert match.over
    assert len(match.sheets) == 1
    with pytest.raises(InvalidOption, match="from 1 to 1000"):
        CANASTRA_GAME.options(rounds=0)


def test_b3_the_deck_is_two_packs_without_jokers() -> None:
    count = Counter(card.code for card in CANASTRA)
    assert len(CANASTRA) == 104
    assert len(count) == 52
    assert set(count.values()) == {2}


def test_b4_eleven_cards_each_dealt_by_turns() -> None:
    start = CanastraPosition.start(CANASTRA_GAME.options(), 2, Seat(0), (0, 0))
    assert start.orders == (Shuffle(CANASTRA),)
    shuffled = start.deliver()
    gives = tuple(Give(slot, Seat((slot + 1) % 2)) for slot in slot_range(0, 22))
    assert shuffled.orders == (Deal(gives),)
    assert [len(hand) for hand in shuffled.deliver().hands] == [11, 11]
    assert CANASTRA_GAME.numbers()["hand"] == 11


def test_b5_two_deads_of_eleven_lie_face_down_in_order() -> None:
    match, _ = dealt_match()
    game = game_of(match)
    assert game.aside == (slot_range(22, 11), slot_range(33, 11))
    told = CANASTRA_GAME.numbers()
    for number, dead in enumerate(game.aside, 1):  # cards are counted from 1 on, slots from 0
        ends = told[f"dead_{number}_first"] - 1, told[f"dead_{number}_last"] - 1
        assert ends == (dead[0], dead[-1])
    assert told["stock"] == len(game.stock) == 60
    assert not any(slot in game.known for dead in game.aside for slot in dead)


def test_b6_sixty_cards_are_left_to_draw() -> None:
    match, _ = dealt_match()
    game = game_of(match)
    assert game.stock == slot_range(44, 60)
    assert (game.took_aside, game.barred, game.idle_turns) == (frozenset(), None, 0)


def test_b7_b16_the_pile_starts_empty_and_an_empty_pile_is_not_taken() -> None:
    match, dealer = dealt_match()
    game = game_of(match)
    assert game.pile == ()
    assert game.to_move is not None
    assert dealer.view(game, game.to_move).legal_moves(game.to_move) == (DrawStock(),)
    table = canastra_table(step=Step.DRAW)
    assert table.refusal(TakePile()) == "B16"
    assert table.refusal(DrawStock()) is None


@pytest.mark.parametrize("seed", range(6))
def test_b8_the_highest_card_of_the_draw_starts(seed: int) -> None:
    match, _ = dealt_match(seed)
    assert match.seating == (0, 1)
    assert match.mover == match.draw.ranking[0]


def test_b2a_b8_rematches_are_started_by_turns() -> None:
    options = CANASTRA_GAME.options(rounds=3)
    starters: dict[int, int | None] = {}
    for match, _, _ in states(CANASTRA_GAME, options, 2, 2, at_random):
        if match.round is not None and not match.round_over:
            starters.setdefault(match.round_number, match.mover)
    assert len(starters) == 3
    assert starters[1] == starters[3] != starters[2]


def test_b9_the_first_card_drawn_may_not_be_refused() -> None:
    match, dealer = dealt_match()
    drawn = dealer.fulfil(match.apply(DrawStock()))
    game = game_of(drawn)
    assert game.turn.step is Step.PLAY
    assert game.to_move == game.turn.seat
    assert not any(isinstance(m, DrawStock) for m in dealer.view(game, game.turn.seat).candidates())
