"""The offer that a discard makes to the next seat: it agrees with that seat's legal moves."""

import random
from collections import Counter

import pytest

from engine.games import GAMES
from engine.hands_set_aside import SetAside
from engine.moves import Discard, TakePile, TakeTop
from engine.notation.position_reader import parse_position
from engine.orders import Deal
from engine.position_facts import Taking
from engine.slots import Seat
from engine.turn import Step
from tests.engine.simulation import views

KINGS, EIGHTS = "meld 1 Ks Kd Kh", "meld 1 8h 8d 8c"
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
        for view, _, dealer in views(rules, rules.options(rounds=2), players, seed):
            throws = [m for m in view.legal_moves(view.moving_seat) if isinstance(m, Discard)]
            if view.turn.step is not Step.PLAY or not throws:
                continue
            throw = rng.choice(throws)
            offer = view.pile_offer(throw.card)
            after = view.seen(()).apply(throw)
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


# -- whether the seat to move may take the pile


@pytest.mark.parametrize(
    ("game", "hand", "pile", "more", "may"),
    [
        ("canasta", "9h 2h 4c", "5c 9s", KINGS, True),
        ("canasta", "9h 2h 4c", "2c 9s", KINGS, False),  # C48: frozen
        ("canasta", "9h 2h 4c", "5c 9s", "", False),  # C45: not opened
        ("canasta", "9h 9d 4c", "2c 9s", KINGS, True),
        ("canasta", "9h Kc 4c", "5c 9s", KINGS, False),  # C46: no wild card
        ("canasta", "Kc 2h 4c", "5c 9s", KINGS, False),  # C46: no natural
        ("canasta", "Kc 2h 4c", "5c 9s", "meld 1 9c 9d 9h", True),
        ("canasta", "9h 9d 4c", "", "meld 1 9c 9d 9h", False),
        ("canastra", "5s 6s", "9c", "", True),
        ("canastra", "5s", "9c", "", False),
        ("canastra", "5s 6s", "", "", False),
        ("kanastic", "Qg Kg 4h 5h", "4c 6c Ag", EIGHTS, True),
        ("kanastic", "Qh Kh 4h 5h", "4c 6c Ag", EIGHTS, False),  # K111: no gold cards
        ("kanastic", "Qg Kg 4h 5h", "4c 6c Ac", EIGHTS, False),
        ("kanastic", "9g Jg 4h 5h", "4c 6c Tg", EIGHTS, True),
        ("kanastic", "Jg Qg 4h 5h", "4c 6c Tg", EIGHTS, True),
        ("kanastic", "8g 9g 4h 5h", "4c 6c Tg", EIGHTS, True),
        ("kanastic", "9g Qg 4h 5h", "4c 6c Tg", EIGHTS, False),
        ("kanastic", "8h 8s 4h 5h", "4c 6c 8c", EIGHTS, False),  # K33: a meld of eights
        ("kanastic", "9h 9s 4h 5h", "4c 6c 9c", EIGHTS, True),
        ("kanastic", "9h Ts 4h 5h", "4c 6c 9c", EIGHTS, False),
        ("kanastic", "7h 7s 4h 5h", "9d 9h 7c", f"discards 9c 9d 9h 7c\n{EIGHTS}", True),
        ("kanastic", "7h 7s 4h 5h", "9d 9h 7c", f"discards 9c Sw 9h 7c\n{EIGHTS}", False),  # K75
        ("kanastic", "7h 7s 4h 5h", "4c 6c 7c", f"waiting 1\n{EIGHTS}", False),  # K73
        ("kanastic", "7h 7s 4h 5h", "4c 6c 7c", f"waiting 3\n{EIGHTS}", True),
        # Before the opening only the top can be taken, with melds that have enough points. The
        # points are not judged here.
        ("kanastic", "8g 9g 4s", "4d 5d 7g", "", True),
        ("kanastic", "6g 8g 4s", "4d 5d 7g", "", True),
        ("kanastic", "5g 9g 4s", "4d 5d 7g", "", False),
        ("kanastic", "Kg Ag 4s", "4d 5d 7g", "", False),
        ("kanastic", "4g 5g 6g 4s", "4d 5d 8g", "", False),
        ("kanastic", "8g 9g Tg 4s", "4d 5d 6g", "", False),
        ("kanastic", "Qg Kg 4s", "4d 5d Ag", "", True),
        ("kanastic", "5g 6g 4s", "4d 5d 4g", "", True),
    ],
)
def test_c45_c46_c48_k58_k65_k73_k75_b7_b15_b16_conditions_for_taking_the_pile(
    game: str, hand: str, pile: str, more: str, may: bool
) -> None:
    text = f"turn 1 draw\nhand 1 {hand}\npile {pile}\n{more}\n"
    position = parse_position(f"{game} {GAMES[game].usual_players}\n{text}")
    assert position.may_take_pile() == may
    taken = [move for move in position.legal_moves(Seat(0)) if isinstance(move, TakePile)]
    assert bool(taken) == (may and position.taking is Taking.PILE)
