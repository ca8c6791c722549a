"""Decks, seats and deals of all games, clause by clause."""

from collections import Counter

import pytest

from engine.cards import Rank, Suit
from engine.errors import IllegalMove, InvalidOption
from engine.games import GAMES
from engine.match import Match
from engine.moves import Cut
from engine.orders import Deal, Shuffle
from engine.plain_dealer import PlainDealer
from engine.slots import Seat
from engine.turn import Step
from tests.engine.positions import codes_of, dealt

MANY = {2: 2, 3: 3, 4: 2, 5: 5, 6: 3}
"""Number of sides by the number of players, where four and six play in couples."""


DECKS = [
    ("canasta", 52, 2, {"Jo": 4}),
    ("kanastic", 44, 2, {"Sw": 8, "Sh": 4, "Ar": 4, "Po": 4}),
    ("canastra", 52, 2, {}),
    ("hand_and_foot", 52, 5, {"Jo": 10}),
    ("samba", 52, 3, {"Jo": 6}),
]
"""For each game: number of faces with a suit, number of copies of each, and the other cards."""


@pytest.mark.parametrize(("game", "faces", "copies", "others"), DECKS)
def test_c1_k1_k3_b3_h3_s3_cards_of_the_deck(
    game: str, faces: int, copies: int, others: dict[str, int]
) -> None:
    deck = GAMES[game].deck
    suited = Counter((card.rank, card.suit) for card in deck if card.suit)
    assert (len(suited), set(suited.values())) == (faces, {copies})
    assert Counter(card.code for card in deck if not card.suit) == others


def test_k2_k4_the_first_spade_of_each_rank_from_four_to_ace_is_gold() -> None:
    deck = GAMES["kanastic"].deck
    ranks = [rank for rank in Rank if Rank.FOUR <= rank <= Rank.ACE]
    spades = [[c for c in deck if c.rank is rank and c.suit is Suit.SPADES] for rank in ranks]
    assert [card for card in deck if card.gold] == [first for first, _ in spades]
    assert {card.rank for card in deck if card.suit} == set(ranks)
    told = GAMES["kanastic"].numbers()  # K1
    kinds = ("naturals", "swords", "shields", "artifacts", "pots")
    assert [told[kind] for kind in kinds] == [88, 8, 4, 4, 4]


SIDES = [
    ("canasta", MANY),
    ("kanastic", {2: 2, 3: 3, 4: 2}),
    ("canastra", {2: 2}),
    ("hand_and_foot", MANY),
    ("samba", MANY),
]
"""Numbers of sides by the number of players, by game."""


@pytest.mark.parametrize(("game", "sides"), SIDES)
def test_c2_k11_b1_h1_s1_number_of_sides_and_partners(game: str, sides: dict[int, int]) -> None:
    rules = GAMES[game]
    assert {players: rules.sides(players) for players in rules.players} == sides
    for players, number in sides.items():
        partner = dealt(game, players).position.partner_of(Seat(1))
        assert partner == (None if number == players else 1 + number)
    for players in (1, max(sides) + 1):
        with pytest.raises(InvalidOption):
            Match.start(rules, rules.options(), players)


DRAWS = [
    ("canasta", (1, 0), (1, 0), 1),
    ("canasta", (2, 0, 3, 1), (2, 3, 0, 1), 3),
    ("canasta", (4, 0, 3, 1, 2), (4, 0, 3, 1, 2), 4),
    ("canasta", (5, 4, 3, 2, 1, 0), (5, 3, 1, 4, 2, 0), 5),
    ("kanastic", (2, 0, 3, 1), (0, 1, 2, 3), 2),
    ("canastra", (1, 0), (0, 1), 0),
    ("hand_and_foot", (2, 0, 3, 1), (2, 3, 0, 1), 3),
    ("samba", (2, 0, 3, 1), (2, 3, 0, 1), 3),
]
"""Seats and dealer that follow from the draw, by game and ranking."""


@pytest.mark.parametrize(("game", "ranking", "seats", "dealer"), DRAWS)
def test_c5_c9_k13_b8_h4_s4_the_draw_decides_seats_and_dealer_or_only_the_dealer(
    game: str, ranking: tuple[int, ...], seats: tuple[int, ...], dealer: int
) -> None:
    assert GAMES[game].seating(ranking) == (seats, dealer)


DEALS = [
    ("canasta", 2, 15, 77),
    ("canasta", 3, 13, 68),
    ("canasta", 4, 11, 63),
    ("canasta", 5, 11, 52),
    ("canasta", 6, 11, 41),
    ("kanastic", 2, 14, 79),
    ("kanastic", 3, 14, 65),
    ("kanastic", 4, 14, 51),
    ("canastra", 2, 11, 60),
    *(("hand_and_foot", players, 11, 269 - 22 * players) for players in MANY),
    *(("samba", players, 15, 161 - 15 * players) for players in (2, 3, 4, 5)),
    ("samba", 6, 13, 83),
]
"""Cards in a hand and in the stock after the deal, by game and number of players."""


@pytest.mark.parametrize(("game", "players", "size", "stock"), DEALS)
def test_c6_c7_c8_c11_c12_c13_k16_k17_b4_b6_b7_h5_h7_s5_s6_the_cards_are_dealt(
    game: str, players: int, size: int, stock: int
) -> None:
    """Cards go one by one clockwise from the dealer's left; some games then begin the pile."""
    position = dealt(game, players).position
    one_more = game == "kanastic"  # for the player who discards first
    assert [len(hand) for hand in position.hands] == [size + one_more, *(players - 1) * [size]]
    assert [hand[:size] for hand in position.hands] == [
        tuple(range(seat, size * players, players)) for seat in range(players)
    ]
    assert len(position.stock) == stock
    assert len(position.pile) == (game not in ("kanastic", "canastra"))
    assert (position.to_move, position.dealer, dict(position.known)) == (0, players - 1, {})
    told = GAMES[game].numbers()
    if one_more:
        assert (told["hand"], told["first_hand"], told[f"stock_{players}"]) == (14, 15, stock)


@pytest.mark.parametrize(
    ("game", "players", "hands"), [("canastra", 2, 2), *(("hand_and_foot", n, n) for n in MANY)]
)
def test_b5_h6_hands_are_set_aside_face_down(game: str, players: int, hands: int) -> None:
    """In Canastra these are cards 23 to 33 and 34 to 44, as spec/ says."""
    position, first = dealt(game, players).position, 11 * players
    aside = position.set_aside
    assert aside == tuple(tuple(range(first + 11 * i, first + 11 * i + 11)) for i in range(hands))
    slots = {slot for hand in aside for slot in hand}
    assert slots.isdisjoint([*position.stock, *position.known])
    told = GAMES["canastra"].numbers()
    ends = [told[f"dead_{number}_{end}"] for number in (1, 2) for end in ("first", "last")]
    assert ends == [23, 33, 34, 44]


def test_c12_k16_one_order_deals_all_cards() -> None:
    for game, cards in (("canasta", 45), ("kanastic", 57)):
        rules = GAMES[game]
        start = rules.position.start(rules.options(), 4, Seat(0), (0, 0))
        assert start.orders == (Shuffle(rules.deck),)
        (order,) = PlainDealer(lambda _: None).fulfil(start).apply(Cut(5)).orders
        assert isinstance(order, Deal)
        assert len(order.gives) == cards


@pytest.mark.parametrize(
    ("game", "turned"),
    [
        *(("canasta", f"{odd} 2s {odd} Kd") for odd in ("Jo", "2c", "2h", "3h", "3d", "3s", "3c")),
        ("hand_and_foot", "Jo 3h 2c 9d"),
        ("samba", "Jo 3h 2c 3s 9d"),
    ],
)
def test_c14_h8_s7_another_card_is_turned_after_a_three_or_wild_card(
    game: str, turned: str
) -> None:
    table = dealt(game, 2, turned=turned)
    assert codes_of(table.position.pile) == turned
    plain = dealt(game, 2)
    assert len(plain.position.stock) - len(table.position.stock) == turned.count(" ")


@pytest.mark.parametrize(("game", "clause"), [("canasta", "C10"), ("kanastic", "K15")])
def test_c10_k15_the_right_neighbour_of_the_dealer_cuts(game: str, clause: str) -> None:
    rules = GAMES[game]
    start = rules.position.start(rules.options(), 4, Seat(3), (0, 0))
    position = PlainDealer(lambda _: None).fulfil(start)
    assert (position.turn.step, position.to_move) == (Step.CUT, 2)
    assert position.apply(Cut(30)).stock == position.stock[30:] + position.stock[:30]
    for most in (0, 107):
        assert position.apply(Cut(most)).stock == position.stock[most:] + position.stock[:most]
    for number in (-1, 108):
        with pytest.raises(IllegalMove, match=r"from 0 to 107\.") as refused:
            position.apply(Cut(number))
        assert refused.value.clause == clause
    assert codes_of(dealt(game, 4, "Ks Kd", cut=77).position.hand(Seat(0))).startswith("Ks")


@pytest.mark.parametrize("game", GAMES)
def test_the_tables_of_decks_and_deals_have_every_game(game: str) -> None:
    for rows in (DECKS, SIDES, DRAWS, DEALS):
        assert game in {row[0] for row in rows}, f"add the rows of {game} to the tables above"
    assert {row[1] for row in DEALS if row[0] == game} == set(GAMES[game].players)
