"""Answers of a position about its table: piles, openings, seats, hands and single cards.

`notation/transcripts/facts.txt` shows more of them.
"""

from typing import Any

import pytest

from engine.cards import Card
from engine.game import Game
from engine.games import GAMES, game_named
from engine.moves import Cut, Discard, Move, Pass, TakeTop
from engine.notation.position_reader import parse_position
from engine.position_facts import Opening, PileState, PileStatus
from engine.slots import Seat, Side, Slot
from engine.turn import Step
from tests.engine.canastra.canastra_tables import canastra_table
from tests.engine.kanastic.tables import SEVENS, kanastic_table
from tests.engine.positions import Table, canasta_table, codes_of, table_of
from tests.engine.simulation import views

FREE = PileStatus(PileState.FREE)


def card_of(game: Game, code: str) -> Card:
    return next(card for card in game.deck if card.code == code)


# -- single cards


@pytest.mark.parametrize(
    ("name", "wild", "bonus", "no_first_meld"),
    [
        ("canasta", "2s 2h 2d 2c Jo", "3h 3d", "3s 3h 3d 3c"),
        ("kanastic", "Sw Ar", "Po", "Sh Po"),
        ("canastra", "2s 2h 2d 2c", "", ""),
        ("hand_and_foot", "2s 2h 2d 2c Jo", "3h 3d", "3s 3h 3d 3c"),
    ],
)
def test_kinds_of_cards_of_each_game(name: str, wild: str, bonus: str, no_first_meld: str) -> None:
    """Bonus cards, and cards that only bar the pile, are in no first meld."""
    game = game_named(name)
    kinds = {
        wild: game.position.is_wild,
        bonus: game.position.is_bonus,
        no_first_meld: lambda card: not game.position.opens_with(card),
    }
    for codes, is_of_kind in kinds.items():
        assert {card.code for card in filter(is_of_kind, game.deck)} == {*codes.split()}


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


def test_melds_of_a_side_after_plays() -> None:
    for make in (canasta_table, kanastic_table, canastra_table):
        table = make(hands=["Kh Kd Kc 4s"], melds=[["Ah Ad Ac"]])
        after = table.position.melds_after(Side(0), (table.play("Kh Kd Kc"),))
        assert [codes_of(meld.cards) for meld in after] == ["Ah Ad Ac", "Kh Kd Kc"]


# -- openings


def test_points_of_cards_towards_the_opening() -> None:
    table = canasta_table(hands=["Ks Kd 2s Jo 4c"], totals=[1500, 3000])
    assert table.position.opening(Side(0)) == Opening(0, 90, 0, None)
    assert table.position.opening(Side(0), (table.play("Ks Kd 2s"),)) == Opening(40, 90, 1, None)
    table = kanastic_table(hands=["Ks Kd Kc Sw Ar"], totals=[1500, 5000])
    plays = (table.play("Ks Kd Kc Sw Ar"),)
    assert table.position.opening(Side(0), plays) == Opening(105, 90, 2, 1)
    laid = canasta_table(melds=[[SEVENS]]).position
    assert (laid.opening(Side(0)), laid.opening(Side(1))) == (None, Opening(0, 50, 0, None))
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
    table = kanastic_table(pile="4h 6d", discards=discards, melds=[[SEVENS]], step=Step.DRAW)
    status = FREE if until is None else PileStatus(PileState.BLOCKED, Seat(until))
    assert table.position.pile_status(Side(0)) == status


def test_k73_the_pile_is_blocked_for_the_partner_of_the_opener() -> None:
    text = "pile 9c 4d\nmeld 1 7h 7d 7s\ndiscards 5h 6h 9c 4d\nwaiting 3"
    for seat in (1, 2, 3, 4):
        position = parse_position(f"kanastic 4\nturn {seat} draw\n{text}")
        blocked = PileStatus(PileState.BLOCKED, Seat(0))
        assert position.pile_status(Side(0)) == (blocked if seat == 3 else FREE)
        assert position.pile_status(Side(1)) == FREE


# -- going out


def test_going_out_depends_on_the_options() -> None:
    """If the answer were wrong, bots would misjudge the threat that a side goes out."""
    for game, option in (("canasta", "two_canastas"), ("canastra", "require_canastra")):
        rules, told = GAMES[game], set[tuple[bool, bool]]()
        for on in (False, True):
            options = rules.options.from_pairs([("rounds", 1), (option, on)])
            for seed in range(3):
                for view, move, _ in views(rules, options, 2, seed):
                    after = view.apply(move)
                    may = after.may_go_out(view.side)
                    assert after.closer is None or may or view.may_go_out(view.side)
                    told.add((on, may))
        assert told == {(False, False), (False, True), (True, False), (True, True)}


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
    ("seats", "members"),
    [
        (2, [(0,), (1,)]),
        (3, [(0,), (1,), (2,)]),
        (4, [(0, 2), (1, 3)]),
        (6, [(0, 3), (1, 4), (2, 5)]),
    ],
)
def test_partners_sit_opposite(seats: int, members: list[tuple[int, ...]]) -> None:
    position = table_of("canasta", seats=seats).position
    assert [position.members(Side(side)) for side in range(position.sides)] == members
    for side, partners in enumerate(members):
        for seat in map(Seat, partners):
            assert position.side_of(seat) == side
            assert position.partner_of(seat) == next((p for p in partners if p != seat), None)
            assert position.left_of(seat) == (seat + 1) % seats


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
