"""Clauses of all games (X1 to X21). Each is shown on a game that shows it well."""

import random
from itertools import islice
from typing import Any

import pytest
from attrs import evolve

from engine import moves
from engine.canasta.deck import CANASTA
from engine.canasta.options import CanastaOptions
from engine.canastra.deck import CANASTRA
from engine.cards import Card, Rank, Suit
from engine.errors import IllegalMove, InvalidOption
from engine.game import Game
from engine.games import GAMES, game_named
from engine.kanastic.deck import KANASTIC
from engine.match import Match
from engine.orders import OpenHand
from engine.plain_dealer import PlainDealer
from engine.score_sheet import Item, ScoreSheet
from engine.sentences import N_
from engine.slots import Seat
from engine.turn import Step
from tests.engine.clauses import CLAUSES
from tests.engine.positions import table_of, without_a_stock
from tests.engine.simulation import mixed, states, views
from tests.made_up_game import ALL_GAMES

ALL = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)


@pytest.mark.parametrize("deck", [CANASTA, CANASTRA, KANASTIC])
def test_x1_a_card_is_identified_by_its_number(deck: tuple[Card, ...]) -> None:
    assert [card.number for card in deck] == list(range(len(deck)))
    assert len(set(deck)) == len(deck)
    twins = [card for card in deck if card.code == deck[20].code]
    assert len(twins) > 1
    assert twins[0] != twins[1]
    assert Card(20, Rank.ACE, Suit.CLUBS) == deck[20]


@pytest.mark.parametrize(
    ("face", "code", "red"),
    [
        ((Rank.KING, Suit.SPADES), "Ks", False),
        ((Rank.TEN, Suit.HEARTS), "Th", True),
        ((Rank.TWO, Suit.DIAMONDS), "2d", True),
        ((Rank.ACE, Suit.CLUBS), "Ac", False),
        ((Rank.JACK, Suit.HEARTS, True), "Jg", True),
        ((Rank.JOKER, None), "Jo", False),
        ((Rank.POT, None), "Po", False),
    ],
)
def test_x1_a_face_has_a_code_and_a_colour(face: Any, code: str, *, red: bool) -> None:
    card = Card(0, *face)
    assert (card.code, str(card), card.red) == (code, code, red)


@ALL
def test_x1_a_game_and_its_positions_have_the_same_decks(game: Game) -> None:
    """The game also names its decks, so that reading the rules imports no position."""
    assert game.position.decks is game.decks


@ALL
def test_x3_x6_x9_every_round_ends_with_whole_points(game: Game) -> None:
    """Many of the moves are random. If a player had no legal move, `mixed` would fail."""
    # All points of these games are multiples of `unit`.
    unit = {"canastra": 10, "kanastic": 5, "canasta": 5}.get(game.name, 1)
    options = game.options.from_pairs([("rounds", 1)])
    for seed in range(3):
        for players in game.players:
            *steps, (last, _, _) = states(game, options, players, 100 + seed, mixed)
            assert len(steps) < 5000
            assert last.over
            assert [total % unit for total in last.totals] == [0] * len(last.totals)


@ALL
def test_x12_k70_verdicts_do_not_depend_on_hidden_faces(game: Game) -> None:
    """At every tenth step, a replica that sees no hand judges as the mover's replica does."""
    played = views(game, game.options(rounds=1), game.players[0], 5)
    for view, _, _ in islice(played, None, None, 10):
        blind = view.seen(())
        assert all(view.allows(tried) == blind.allows(tried) for tried in view.candidates())


def test_x5_all_hands_are_opened_before_the_count() -> None:
    table = without_a_stock()
    over = table.position.apply(moves.Pass())
    orders = [order for order in over.orders if isinstance(order, OpenHand)]
    assert [order.seat for order in orders] == [2, 0, 1]  # clockwise from the dealer's left
    assert over.sheet is None
    assert table.apply(moves.Pass()).position.sheet is not None


def test_x5_an_empty_hand_is_not_opened() -> None:
    """If it had to be opened, all players would wait for a player who has gone out."""
    table = table_of(
        "canasta", seats=2, hands=["Ks", ""], stock="", pile="8s", step=Step.DRAW, seat=0, dealer=0
    )
    over = table.position.apply(moves.Pass())
    orders = [order for order in over.orders if isinstance(order, OpenHand)]
    assert [(order.seat, len(order.slots)) for order in orders] == [(0, 1)]


@pytest.mark.parametrize("game", ["canasta", "kanastic"])
def test_x7_c58_c59_c60_k42_k100_melds_and_counts_are_public(game: str) -> None:
    """A replica that knows no hidden card still knows how many cards each player has."""
    held = ["Ks 4c", "9s", "Td Th Tc", ""]
    table = table_of(game, hands=held, melds=[["7h 7d 7s"]], totals=[5, -10], stock="+7")
    blind = table.position.seen(())
    assert blind.hand(Seat(1)) == ()
    assert [len(hand) for hand in blind.hands] == [2, 1, 3, 0]
    assert (len(blind.stock), blind.totals) == (7, (5, -10))
    assert blind.laid == table.position.laid


def match_of(game: Game, options: object, points: tuple[int, ...]) -> Match:
    """Return a match with one finished round that brought these points to the first sides.

    The other sides got none. The match has the smallest number of players of the game.
    """
    players = game.players[0]
    points += (game.sides(players) - len(points)) * (0,)
    start = Match.start(game, options, players)  # type: ignore[arg-type]
    match = PlainDealer(random.Random(1).shuffle).fulfil(start)
    assert match.round is not None
    sheet = ScoreSheet(tuple((Item(N_("points"), 1, number, "X6"),) for number in points), None)
    return evolve(match, round=evolve(match.round, orders=(), sheet=sheet)).close_round()


MOVES = (
    moves.Cut(0),
    moves.ShowBonus(()),
    moves.DrawStock(),
    moves.TakePile(),
    moves.TakeTop(()),
    moves.LayMelds(()),
    moves.Ask(),
    moves.Answer(True),
    moves.Pass(),
)
TIMELY: dict[Step, tuple[type[moves.Move], ...]] = {
    Step.CUT: (moves.Cut,),
    Step.SHOW: (moves.ShowBonus,),
    Step.DRAW: (moves.DrawStock, moves.TakePile, moves.TakeTop, moves.Pass),
    Step.PLAY: (moves.ShowBonus, moves.LayMelds, moves.Ask, moves.Discard, moves.Pass),
    Step.ANSWER: (moves.Answer,),
    Step.OVER: (),
}


@pytest.mark.parametrize("step", TIMELY)
def test_x10_each_step_allows_only_its_kinds_of_moves(step: Step) -> None:
    table = table_of("canasta", hands=["Ks 4c 5c"], pile="9s", stock="+60", step=step)
    for move in (*MOVES, table.discard("Ks")):
        assert (table.refusal(move) == "X10") != isinstance(move, TIMELY[step]), move


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        ("canasta", "C25"),
        ("kanastic", "K30"),
        ("canastra", "B10"),
        ("hand_and_foot", "H31"),
        ("samba", "S30"),
    ],
)
def test_c25_k30_b10_h31_s30_an_empty_meld_is_refused(name: str, clause: str) -> None:
    table = table_of(name, seats=GAMES[name].players[0], hands=["Ks 4c 5c"], step=Step.PLAY)
    assert table.refusal(moves.LayMelds(())) == clause


@pytest.mark.parametrize("name", GAMES)
def test_x10_nobody_moves_before_cards_are_delivered(name: str) -> None:
    rules = GAMES[name]
    table = table_of(name, seats=rules.players[0], hands=["Ks 4c 5c"], step=Step.DRAW)
    drawing = table.position.apply(moves.DrawStock())
    assert drawing.to_move is None
    assert drawing.legal_moves(Seat(0)) == ()
    with pytest.raises(IllegalMove, match="dealt") as refused:
        drawing.apply(table.discard("Ks"))
    assert refused.value.clause == "X10"


@pytest.mark.parametrize(
    ("game", "options", "points", "over", "winner"),
    [
        ("canasta", {}, (4995, 0), False, None),
        ("canasta", {}, (5000, 5005), True, 1),
        ("canasta", {}, (5000, 5000), False, None),  # X8: equal totals, so the match continues
        ("kanastic", {}, (9995, 9990), False, None),
        ("kanastic", {}, (10_500, 10_600), True, 1),
        ("kanastic", {}, (10_000, 10_000), False, None),
        ("samba", {}, (10_000, 0), True, 0),
        ("canastra", {"rounds": 1}, (300, 300), True, None),  # X8: a draw
        ("canasta", {"rounds": 1}, (5, 0), True, 0),
        ("canasta", {"rounds": 1}, (-5, 0), True, 1),
        ("canasta", {"rounds": 1}, (0, 0), True, None),
        ("canasta", {"rounds": 1}, (9000, 8000), True, 0),
        ("canasta", {"rounds": 2}, (9000, 8000), False, None),
    ],
)
def test_c96_k117_s2_x8_x20_the_match_ends_at_the_target_or_after_its_rounds(
    game: str, options: dict[str, Any], points: tuple[int, ...], over: bool, winner: int | None
) -> None:
    match = match_of(game_named(game), game_named(game).options(**options), points)
    assert (match.totals, match.over, match.winner) == (points, over, winner)
    assert (match.round_number, match.round is None) == ((0, True) if over else (2, False))


@ALL
def test_x20_a_match_with_the_maximum_number_of_rounds_plays_them_all(game: Game) -> None:
    most = game.options.describe()["rounds"]["high"]
    match = match_of(game, game.options(rounds=most), (5, 0))
    assert not evolve(match, sheets=(most - 1) * match.sheets).over
    assert evolve(match, sheets=most * match.sheets).over


@ALL
def test_x20_options_accept_their_bounds_and_nothing_beyond(game: Game) -> None:
    for name, about in game.options.describe().items():
        if "low" not in about:
            continue
        for bound, beyond in ((about["low"], about["low"] - 1), (about["high"], about["high"] + 1)):
            assert (name, bound) in game.options.from_pairs([(name, bound)]).pairs()
            with pytest.raises(InvalidOption, match=f"{name} is a whole number from"):
                game.options.from_pairs([(name, beyond)])


def test_x20_changed_options_are_sorted_by_name() -> None:
    assert CanastaOptions().changes() == ()
    options = CanastaOptions(rounds=3, target=3000, ask_again=True)
    assert options.changes() == (("ask_again", True), ("rounds", 3), ("target", 3000))


@pytest.mark.parametrize("name", ["canasta", "kanastic"])
def test_a_match_to_the_highest_target_ends_only_when_it_is_reached(name: str) -> None:
    game = game_named(name)
    highest = game.options.describe()["target"]["high"]
    options = game.options.from_pairs([("target", highest)])
    assert match_of(game, options, (highest, 0)).over
    assert not match_of(game, options, (highest - 5, 0)).over


def test_x20_options_have_names_bounds_and_sentences() -> None:
    for game in GAMES.values():
        described = game.options.describe()
        assert "rounds" in described
        for name, about in described.items():
            assert about["doc"].endswith("."), name
            assert about["clause"] in CLAUSES, name
        defaults = game.options()
        assert game.options.from_pairs(defaults.pairs()) == defaults
        for pairs in ([("round", 1)], [("rounds", 1), ("rounds", 1)]):
            with pytest.raises(InvalidOption):
                game.options.from_pairs(pairs)
        with pytest.raises(InvalidOption, match="to 1000, not yes or no"):
            game.options.from_pairs([("rounds", True)])
    with pytest.raises(InvalidOption):
        CanastaOptions(penalties=1)  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="canasta"):
        game_named("bridge")
