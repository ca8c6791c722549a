"""Answers of a position about its table: pile, openings, melds and single cards."""

from typing import Any

import pytest

from engine.cards import Card
from engine.game import Game
from engine.games import game_named
from engine.moves import Cut, Discard, Move, Pass, TakeTop
from engine.notation.position_reader import parse_position
from engine.position_facts import MeldClass, Opening, PileState, PileStatus, Taking
from engine.slots import Seat, Side, Slot
from engine.turn import Step
from tests.engine.canastra.canastra_tables import canastra_table
from tests.engine.kanastic.tables import kanastic_table
from tests.engine.positions import Table, canasta_table, codes_of, table_of

FREE = PileStatus(PileState.FREE)


def card_of(game: Game, code: str) -> Card:
    return next(card for card in game.deck if card.code == code)


# -- single cards


@pytest.mark.parametrize(
    ("name", "wild", "bonus"),
    [
        ("canasta", {"2s", "2h", "2d", "2c", "Jo"}, {"3h", "3d"}),
        ("kanastic", {"Sw", "Ar"}, {"Po"}),
        ("canastra", {"2s", "2h", "2d", "2c"}, set()),
        ("hand_and_foot", {"2s", "2h", "2d", "2c", "Jo"}, {"3h", "3d"}),
    ],
)
def test_wild_cards_and_bonus_cards_of_each_game(
    name: str, wild: set[str], bonus: set[str]
) -> None:
    game = game_named(name)
    assert {card.code for card in game.deck if game.position.is_wild(card)} == wild
    assert {card.code for card in game.deck if game.position.is_bonus(card)} == bonus


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("canasta", {"Jo": 50, "2s": 20, "Ah": 20, "Kd": 10, "8c": 10, "7c": 5, "4c": 5, "3c": 5}),
        ("kanastic", {"Ar": 50, "Sw": 25, "Ag": 20, "Kd": 10, "9c": 10, "8c": 5, "Sh": 0, "Po": 0}),
        ("canastra", {"As": 10, "2s": 10, "Kd": 10, "3h": 10}),
    ],
)
def test_c22_c23_c24_k107_points_of_cards_in_melds(name: str, points: dict[str, int]) -> None:
    game = game_named(name)
    worth = {code: game.position.card_points(card_of(game, code)) for code in points}
    assert worth == points


@pytest.mark.parametrize(
    ("name", "without"),
    [("canasta", {"3h", "3d", "3s", "3c"}), ("kanastic", {"Po", "Sh"}), ("canastra", set())],
)
def test_bonus_cards_and_cards_that_only_bar_the_pile_are_in_no_first_meld(
    name: str, without: set[str]
) -> None:
    game = game_named(name)
    assert {card.code for card in game.deck if not game.position.opens_with(card)} == without


# -- melds

SEVEN = "7h 7h 7d 7d 7c 7c 7s"


@pytest.mark.parametrize(
    ("table", "classes"),
    [
        (
            canasta_table(melds=[[SEVEN, "8h 8d 8c 8s 8h 8d Jo", "9h 9d 9c 9s 9h 9d"]]),
            [MeldClass.CLEAN, MeldClass.DIRTY, None],
        ),
        (
            kanastic_table(melds=[[SEVEN, "8h 8d 8c 8h 8d 8c Sw", "4g 5g 6g 7g 8g 9g Tg"]]),
            [MeldClass.CLEAN, MeldClass.DIRTY, MeldClass.SPECIAL],
        ),
        (kanastic_table(melds=[["4g Ar 6g 7g 8g 9g Tg", "Jg Qg Kg"]]), [MeldClass.DIRTY, None]),
        (
            canastra_table(
                melds=[
                    [
                        "3h 4h 5h 6h 7h 8h 9h",
                        "3h 4h 5h 2s 7h 8h 9h",
                        "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As",
                        "3c 4c 5c 6c 7c 8c",
                        "Kh Kd Kc Kh Kd Kc Ks",
                    ]
                ]
            ),
            [MeldClass.CLEAN, MeldClass.DIRTY, MeldClass.SPECIAL, None, MeldClass.CLEAN],
        ),
    ],
    ids=["canasta", "kanastic", "kanastic-mixed", "canastra"],
)
def test_meld_classes(table: Table, classes: list[MeldClass | None]) -> None:
    position = table.position
    assert [position.meld_class(meld) for meld in position.laid[0].melds] == classes


def test_cards_of_a_run_are_put_in_order_and_those_of_other_melds_are_not() -> None:
    position = canastra_table(melds=[["9h 2s 7h Jh Th"]]).position
    (run,) = position.laid[0].melds
    assert codes_of(position.in_order(run)) == "7h 2s 9h Th Jh"
    other = canasta_table(melds=[["9h 2s 9d"]]).position
    assert codes_of(other.in_order(other.laid[0].melds[0])) == "9h 2s 9d"


def test_melds_of_a_side_after_plays() -> None:
    for make in (canasta_table, kanastic_table, canastra_table):
        table = make(hands=["Kh Kd Kc 4s"], melds=[["Ah Ad Ac"]])
        after = table.position.melds_after(Side(0), (table.play("Kh Kd Kc"),))
        assert [codes_of(meld.cards) for meld in after] == ["Ah Ad Ac", "Kh Kd Kc"]


@pytest.mark.parametrize(
    ("table", "points"),
    [
        (canasta_table(melds=[[SEVEN, "8h 8d 8c"]], bonus=["3h"]), (500 + 35 + 30 + 100, 0)),
        (kanastic_table(melds=[[SEVEN]], bonus=["Po Po", "Po"]), (600 + 35 + 200, 100)),
        (canastra_table(melds=[["4h 5h 6h"]]), (30, 0)),
    ],
    ids=["canasta", "kanastic", "canastra"],
)
def test_points_of_the_melds_of_a_side(table: Table, points: tuple[int, int]) -> None:
    position = table.position
    assert (position.table_points(Side(0)), position.table_points(Side(1))) == points


@pytest.mark.parametrize(
    ("name", "cards", "points"),
    [
        ("canasta", "Jo As 4c", -75),
        ("kanastic", "Sh Ar Sw As 4c", -200),
        ("canastra", "2s As 4c", -30),
    ],
)
def test_cost_of_cards_left_in_a_hand(name: str, cards: str, points: int) -> None:
    game = game_named(name)
    position = game.position.start(game.options(), 2, Seat(0), (0, 0))
    assert position.hand_points(tuple(card_of(game, code) for code in cards.split())) == points


# -- openings


def test_points_of_cards_towards_the_opening() -> None:
    table = canasta_table(hands=["Ks Kd 2s Jo 4c"], totals=[1500, 3000])
    plays = (table.play("Ks Kd 2s"),)
    assert table.position.opening(Side(0)) == Opening(0, 90, 0, None)
    assert table.position.opening(Side(0), plays) == Opening(40, 90, 1, None)
    assert table.position.opening(Side(1)) == Opening(0, 120, 0, None)
    laid = canasta_table(melds=[[SEVEN]]).position
    assert (laid.opening(Side(0)), laid.opening(Side(1))) == (None, Opening(0, 50, 0, None))


def test_opening_requirements_in_the_stages_of_kanastic() -> None:
    table = kanastic_table(hands=["Ks Kd Kc Sw Ar"], totals=[1500, 5000])
    plays = (table.play("Ks Kd Kc Sw Ar"),)
    assert table.position.opening(Side(0), plays) == Opening(105, 90, 2, 1)
    assert table.position.opening(Side(1)) == Opening(0, None, 0, 3)
    laid = kanastic_table(melds=[[SEVEN]]).position
    assert (laid.opening(Side(0)), laid.opening(Side(1))) == (None, Opening(0, 45, 0, None))


def test_canastra_has_no_opening() -> None:
    assert canastra_table().position.opening(Side(0)) is None


# -- the pile


@pytest.mark.parametrize(
    ("pile", "melds", "status"),
    [
        ("9c 4d", [["Kh Kd Kc"]], FREE),
        ("9c 4d", [], PileStatus(PileState.UNOPENED)),
        ("2c 4d", [["Kh Kd Kc"]], PileStatus(PileState.FROZEN)),
        ("3h 4d", [], PileStatus(PileState.FROZEN)),
        ("4d 3h", [["Kh Kd Kc"]], PileStatus(PileState.FROZEN)),  # C15: red three
        ("2c 3c", [["Kh Kd Kc"]], PileStatus(PileState.BLOCKED, Seat(0))),
        ("3c 4d", [["Kh Kd Kc"]], FREE),
        ("", [["Kh Kd Kc"]], FREE),
    ],
)
def test_c52_state_of_the_pile_of_canasta_for_a_side(
    pile: str, melds: list[Any], status: PileStatus
) -> None:
    assert canasta_table(pile=pile, melds=melds).position.pile_status(Side(0)) == status


def test_c61_h25_s25_visible_cards_below_the_top_of_the_pile() -> None:
    assert codes_of(canasta_table(pile="2c 4d 3h 3c Jo 5c 2d").position.pile_seen) == "2c 3h Jo"
    assert codes_of(canastra_table(pile="2c 4d 3h").position.pile_seen) == "2c 4d"  # B14
    assert codes_of(canasta_table(pile="4c 2s").position.pile_seen) == ""
    for game in ("kanastic", "hand_and_foot", "samba"):
        assert table_of(game, pile="9c 4d 5h").position.pile_seen == ()


@pytest.mark.parametrize(
    ("discards", "until"),
    [
        ("9c 4d 5d 6d", None),
        ("9c", 0),  # K23: the first discard is never taken by itself
        ("9c Sw 5d 6d", 1),
        ("9c 4d Sh 6d", 2),
        ("9c 4d 5d Ar", 3),
        ("Sw 4d 5d 6d", None),
        ("Sw Sw 5d Sw", 3),
    ],
)
def test_k75_the_pile_is_blocked_until_the_player_of_the_last_stop_card_moves(
    discards: str, until: int | None
) -> None:
    table = kanastic_table(pile="4h 6d", discards=discards, melds=[[SEVEN]], step=Step.DRAW)
    status = FREE if until is None else PileStatus(PileState.BLOCKED, Seat(until))
    assert table.position.pile_status(Side(0)) == status


def test_k73_the_pile_is_blocked_for_the_partner_of_the_opener() -> None:
    text = (
        "kanastic 4\nturn {seat} draw\npile 9c 4d\nmeld 1 7h 7d 7s\ndiscards 5h 6h 9c 4d\nwaiting 3"
    )
    position = parse_position(text.format(seat=3))
    assert position.pile_status(Side(0)) == PileStatus(PileState.BLOCKED, Seat(0))
    assert not position.may_take_pile()
    assert position.pile_status(Side(1)) == FREE
    for seat in (2, 4, 1):
        assert parse_position(text.format(seat=seat)).pile_status(Side(0)) == FREE


def test_a_side_takes_either_the_top_card_or_the_whole_pile() -> None:
    assert kanastic_table().position.taking is Taking.TOP  # K56
    assert kanastic_table(melds=[[SEVEN]]).position.taking is Taking.PILE  # K64
    assert canasta_table().position.taking is Taking.PILE


def test_k57_a_stop_card_on_top_cannot_be_taken_even_when_it_no_longer_blocks() -> None:
    table = kanastic_table(
        hands=["7h 7d 7c 8h 8d"],
        pile="4h Sw",
        discards="Sw 9c 4d 5d 6d",
        melds=[["Kh Kd Kc"]],
        step=Step.DRAW,
    )
    assert table.position.pile_status(Side(0)) == FREE
    assert not table.position.may_take_pile()


def test_canastra_sets_hands_aside_and_canasta_and_kanastic_do_not() -> None:
    table = canastra_table()
    assert table.position.set_aside == table.position.aside  # type: ignore[attr-defined]
    assert canasta_table().position.set_aside == kanastic_table().position.set_aside == ()


# -- going out


def test_one_complete_meld_among_others_is_enough_to_go_out() -> None:
    for make in (canasta_table, kanastic_table):
        position = make(melds=[[SEVEN, "8h 8d 8c"], ["9h 9d 9c"]]).position
        assert (position.may_go_out(Side(0)), position.may_go_out(Side(1))) == (True, False)


def test_a_player_of_canastra_gets_more_cards_while_a_hand_is_set_aside() -> None:
    assert not canasta_table(hands=["4c 5c"]).position.gets_more(Seat(0))
    table = canastra_table(hands=["4c 5c"])
    assert table.position.gets_more(Seat(0))  # B41: the first hand set aside


# -- moves and deliveries that are refused


@pytest.mark.parametrize(
    ("table", "move"),
    [
        (canasta_table(hands=["4c"]), TakeTop(())),
        (kanastic_table(hands=["4c"]), Pass()),
        (canastra_table(hands=["4c"]), Pass()),
        (table_of("hand_and_foot", hands=["4c"]), Cut(0)),
        (table_of("samba", hands=["4c"]), Cut(0)),
    ],
)
def test_a_move_that_no_rule_allows_is_not_played(table: Table, move: Move) -> None:
    with pytest.raises(ValueError, match=r"no move of|nobody passes"):
        table.position.play(move)


def test_only_the_ordered_cards_can_be_delivered() -> None:
    table = canasta_table(hands=["Ks 4c"], pile="9c", stock="", step=Step.DRAW, seats=2)
    over = table.position.apply(Pass())
    king, four = table.hand("Ks 4c")
    with pytest.raises(ValueError, match="shows slots"):
        over.deliver((king,))
    with pytest.raises(ValueError, match="shows slots"):
        over.deliver((four, king))
    assert over.deliver((king, four)).known[king.slot] == king


# -- who sits where


@pytest.mark.parametrize(
    ("seats", "partners"), [(2, (None, None)), (3, (None, None, None)), (4, (2, 3, 0, 1))]
)
def test_partners_sit_opposite(seats: int, partners: tuple[int | None, ...]) -> None:
    position = canasta_table(seats=seats).position
    assert tuple(position.partner_of(Seat(seat)) for seat in range(seats)) == partners
    for side in range(position.sides):
        members = position.members(Side(side))
        assert [position.side_of(seat) for seat in members] == len(members) * [side]
    assert [position.left_of(Seat(seat)) for seat in range(seats)] == [*range(1, seats), 0]


def test_six_play_in_three_couples() -> None:
    position = canasta_table(seats=6, totals=[0, 0, 0]).position
    assert [position.partner_of(Seat(seat)) for seat in range(6)] == [3, 4, 5, 0, 1, 2]
    assert [position.members(Side(side)) for side in range(3)] == [(0, 3), (1, 4), (2, 5)]


# -- what is seen


def test_number_of_wanted_cards_that_a_hand_may_hold() -> None:
    table = canasta_table(hands=["Ks 4c", "9s 9d 5c"], pile="9h 9c 9s")
    blind = table.position.seen(table.cards[slot] for slot in table.position.hands[0])

    def nines(card: Card) -> bool:
        return card.code.startswith("9")

    assert table.position.may_hold(Seat(1), nines) == 2
    # As far as `blind` sees, all three hidden cards may be nines: five nines are left.
    assert blind.may_hold(Seat(1), nines) == 3
    assert blind.may_hold(Seat(0), nines) == 0
    more = canasta_table(hands=["9h 9d 9c", "9s 9d 5c"], pile="9h 9c 9s")
    seen = more.position.seen(more.cards[slot] for slot in more.position.hands[0])
    assert seen.may_hold(Seat(1), nines) == 2  # only two nines are left
    assert len(seen.unseen()) == 108 - 6


def test_a_face_is_public_or_private() -> None:
    table = canasta_table(hands=["Ks 4c"])
    king, four = table.position.hands[0]
    own = table.position.seen([table.cards[king]])
    assert (own.face(king), own.face(four)) == (table.cards[king].card, None)
    assert codes_of(own.hand(Seat(0))) == "Ks"
    assert [card.code for card in own.hand_cards(Seat(0))] == ["Ks"]
    assert own.face(Slot(10_000)) is None


def test_a_discarded_card_is_no_longer_known_in_the_hand() -> None:
    table = canasta_table(hands=["Ks 4c 5c"])
    slot = table.position.hands[0][0]
    after = table.position.apply(Discard(table.hand("Ks")[0]))
    assert slot not in {*after.known, *after.private}
    assert len(after.private) == len(table.position.private) - 1


# -- bonus cards that the mover must lay at once


def cards_due(text: str) -> list[str] | None:
    """Return the codes of the cards that seat 1 must lay; None without a duty."""
    duty = parse_position(f"canasta 4\n{text}\n").duty
    return None if duty is None else [shown.card.code for shown in duty.cards]


def test_only_cards_drawn_in_this_turn_are_due() -> None:
    # `drew 1`: the last card of the hand was drawn in this turn.
    assert cards_due("turn 1 play drew 1\nhand 1 3h Ks 3d") == ["3d"]
    assert cards_due("turn 1 play drew 1\nhand 1 3h Ks 4d") is None


def test_all_bonus_cards_are_due_after_the_deal() -> None:
    assert cards_due("turn 1 show\nhand 1 3h Ks 3d") == ["3h", "3d"]
    assert cards_due("turn 1 show\nhand 1 Ks 4d") == []


def test_no_bonus_card_is_due_while_the_partner_is_asked() -> None:
    assert cards_due("turn 1 answer drew 1\nhand 1 3h Ks 3d") is None
