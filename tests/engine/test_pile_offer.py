"""The offer that a discard makes to the next seat: it agrees with that seat's legal moves."""

import random
from collections import Counter

import pytest

from engine.errors import IllegalMove
from engine.games import GAMES
from engine.hands_set_aside import SetAside
from engine.moves import Discard, TakePile, TakeTop
from engine.notation.position_reader import parse_position
from engine.orders import Deal
from engine.position_facts import PileOffer, Taking
from engine.slots import Seat
from engine.turn import Step
from tests.engine.kanastic.tables import kanastic_table
from tests.engine.positions import table_of
from tests.engine.simulation import states

TAKEN: dict[type[object], Taking] = {TakePile: Taking.PILE, TakeTop: Taking.TOP}


@pytest.mark.parametrize(
    ("game", "players"),
    [("canasta", 2), *((name, game.usual_players) for name, game in GAMES.items())],
)
def test_an_offer_agrees_with_the_legal_moves_of_the_next_seat(game: str, players: int) -> None:
    rules = GAMES[game]
    rng = random.Random(f"offers {game}")
    seen: Counter[tuple[Taking, bool, bool]] = Counter()
    with_aside = 0
    for seed in range(2):
        for match, _, dealer in states(rules, rules.options(rounds=2), players, seed):
            position = match.round
            if position is None or position.to_move is None or position.turn.step is not Step.PLAY:
                continue
            view = dealer.view(position, position.turn.seat)
            throws = [m for m in view.legal_moves(view.turn.seat) if isinstance(m, Discard)]
            if not throws:
                continue
            throw = rng.choice(throws)
            offer = view.pile_offer(throw.card)
            after = position.apply(throw)
            if after.orders and isinstance(after.orders[0], Deal):  # a hand set aside is taken up
                with_aside += after.turn.step is Step.DEAL
                after = dealer.fulfil(after)
            if offer is None:
                assert after.orders or after.turn.step is not Step.DRAW
                continue
            taker = after.turn.seat
            takes = {
                TAKEN[type(move)]
                for move in dealer.view(after, taker).legal_moves(taker)
                if type(move) in TAKEN
            }
            assert offer.taker == taker
            assert takes <= {offer.taking}, "the next seat takes more than was offered"
            assert takes or not offer.certain, "an offer called certain cannot be taken"
            seen[offer.taking, offer.certain, bool(takes)] += 1
    assert any(taking is not Taking.NOTHING and takes for taking, _, takes in seen)
    assert with_aside or not issubclass(rules.position, SetAside)
    # Where the pile is taken without a meld (in Canastra), nearly every discard offers it.
    if not rules.position.takes_pile_bare:
        assert any(taking is Taking.NOTHING for taking, _, _ in seen)
        assert any(not certain and takes for _, certain, takes in seen)


def offer_of(code: str, **given: object) -> PileOffer | None:
    """Return the offer that a discard of seat 0 makes in Canasta of four, as seat 0 sees it."""
    hands = given.pop("hands", [f"{code} 4s 4h"])
    table = table_of("canasta", hands=hands, **{"pile": "Ks 9c", **given})  # type: ignore[arg-type]
    own = table.position.hand(Seat(0))
    return table.position.seen(own).pile_offer(*table.hand(code))


def test_a_discard_that_fits_a_meld_of_the_next_side_surely_offers_the_pile() -> None:
    hands = ["7d 4s 4h", "8c 8d 6s"]
    offer = offer_of("7d", hands=hands, melds=[(), ["7h 7s 7c"]])
    assert offer == PileOffer(Seat(1), Taking.PILE, certain=True, cards=3, points=10 + 10 + 5)


def test_a_frozen_pile_is_offered_if_the_next_seat_may_hold_a_pair() -> None:
    hands = ["7d 4s 4h", "8c 8d 6s"]
    melds = [(), ["7h 7s 7c"]]
    offer = offer_of("7d", hands=hands, melds=melds, pile="Ks 2c")
    assert offer == PileOffer(Seat(1), Taking.PILE, certain=False, cards=3, points=10 + 20 + 5)


def test_a_frozen_pile_is_not_offered_if_nobody_can_hold_a_pair() -> None:
    # Seat 0 sees seven of the eight sevens, so nobody else can hold two.
    hands = ["7d 7d 7c 4s 4h", "8c 8d 6s"]
    offer = offer_of("7d", hands=hands, melds=[["7h 7s 7c 7h"]], pile="Ks 2c")
    assert offer == PileOffer(Seat(1), Taking.NOTHING)


def test_a_discarded_black_three_or_wild_card_offers_nothing() -> None:
    for code in ("3s", "2d", "Jo"):
        hands = [f"{code} 4s 4h", "8c 8d 6s"]
        assert offer_of(code, hands=hands) == PileOffer(Seat(1), Taking.NOTHING)


def test_in_kanastic_a_side_without_melds_is_offered_only_the_top() -> None:
    text = "kanastic 4\nturn 1 play fresh\nhand 1 7d 4s 4h\npile Kh 9c\nmeld 1 Qc Qd Qh\n"
    position = parse_position(text)
    offer = position.pile_offer(position.hand(Seat(0))[0])
    assert offer is not None
    assert (offer.taking, offer.cards) == (Taking.TOP, 1)


def test_no_offer_for_a_card_that_may_not_be_discarded() -> None:
    with pytest.raises(IllegalMove) as refused:
        offer_of("9d", hands=["9d"])
    assert refused.value.clause == "C70"


def test_no_offer_for_the_discard_that_goes_out() -> None:
    melds = [["7h 7s 7c 7d 7h 7s 7c"]]
    assert offer_of("9d", hands=["9d"], melds=melds) is None


# -- whether the next seat may take the pile, as far as others can see


@pytest.mark.parametrize(("waiting", "may"), [([], True), ([1], False), ([0], True)])
def test_k73_the_partner_of_the_opener_cannot_take_the_pile(waiting: list[int], may: bool) -> None:
    table = kanastic_table(
        hands=["", "7h 7d 4s 5s 6s 8s"],
        melds=[(), ["Ah Ad Ac"]],
        pile="4d 5d 7c",
        seat=1,
        step=Step.DRAW,
        waiting=frozenset(map(Seat, waiting)),
    )
    assert table.position.may_take_pile() == may


@pytest.mark.parametrize(
    ("hand", "top", "may"),
    [
        ("8g 9g 4s", "7g", True),
        ("6g 8g 4s", "7g", True),
        ("5g 9g 4s", "7g", False),
        ("Kg Ag 4s", "7g", False),
        ("4g 5g 6g 4s", "8g", False),
        ("8g 9g Tg 4s", "6g", False),
        ("Qg Kg 4s", "Ag", True),
        ("5g 6g 4s", "4g", True),
    ],
)
def test_k58_a_gold_card_is_taken_with_its_gold_neighbours(hand: str, top: str, may: bool) -> None:
    table = kanastic_table(hands=[hand], pile=f"4d 5d {top}", step=Step.DRAW)
    assert table.position.may_take_pile() == may


@pytest.mark.parametrize(("discards", "may"), [("9c 9d 9h 7c", True), ("9c Sw 9h 7c", False)])
def test_k75_a_blocked_pile_cannot_be_taken(discards: str, may: bool) -> None:
    table = kanastic_table(hands=["7h 7d 4s"], pile="9d 9h 7c", discards=discards, step=Step.DRAW)
    assert table.position.may_take_pile() == may
