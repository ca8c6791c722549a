"""The hand of a person: its order, the marks of new cards, and the cards that are laid out."""

from attrs import evolve

from client.ui.model.hand import Hand, Sorting
from client.ui.model.staging import Staging
from engine.moves import DrawStock
from engine.position import Position
from engine.position_facts import Taking
from engine.slots import Seat
from engine.turn import Step
from tests.engine.positions import codes_of, table_of

ME = Seat(0)
TABLE = table_of("canasta", hands=["Kc 2h 7d 7s Jo Ad"], stock="9h +20", step=Step.DRAW)


def hand(sorting: Sorting = Sorting.RANK) -> Hand:
    return Hand.before(TABLE.position, ME, sorting)


def test_a_card_that_the_player_moved_stays_and_new_cards_come_last() -> None:
    moved = hand().placed(0).shifted(1).shifted(1)
    assert codes_of(moved.cards) == "7d Kc 7s Ad 2h Jo"
    assert moved.cursor == 2
    drew = TABLE.apply(DrawStock())
    after = moved.over(drew.position)
    assert codes_of(after.cards) == "7d Kc 7s Ad 2h Jo 9h"


def test_new_cards_are_marked_until_the_next_turn() -> None:
    drew = TABLE.apply(DrawStock())
    after = hand().over(drew.position)
    assert codes_of([shown for shown in after.cards if shown.slot in after.fresh]) == "9h"
    assert codes_of(after.cards) == "7s 7d 9h Kc Ad 2h Jo"
    assert hand().fresh == frozenset(), "cards of the deal must not be marked as new"
    own, other = after.over(drew.position), seen_by(drew.position, Seat(1))
    assert fresh(own) == "9h", "what came in the person's turn stays marked in that turn"
    waiting = own.over(other)
    assert fresh(waiting) == ""
    assert fresh(own.over(drew.position.losing(ME, drew.hand("9h")))) == ""
    table = table_of("canasta", hands=["Kc 2h 7d 7s Jo Ad 9h 5c"], stock="+20", step=Step.PLAY)
    for before, shown in ((own, "5c 9h"), (waiting, "5c")):
        assert fresh(before.over(table.position)) == shown
    assert fresh(own.over(seen_by(table.position, Seat(1)))) == "5c"


def seen_by(view: Position, moving: Seat) -> Position:
    """Return the position with the turn of another seat."""
    return evolve(view, turn=evolve(view.turn, seat=moving))


def fresh(shown: Hand) -> str:
    return codes_of([card for card in shown.cards if card.slot in shown.fresh])


def test_a_card_that_leaves_the_hand_is_deselected() -> None:
    selected = hand().with_selected(TABLE.hand("7d Kc"))
    after = selected.over(TABLE.position.losing(ME, TABLE.hand("7d")))
    assert codes_of(after.chosen) == "Kc"


def test_laid_out_cards_stay_after_moves_of_others_if_possible() -> None:
    table = table_of("canasta", hands=["7h 7d 7s Kc Ks 2h 5c"], seat=1)
    staged = Staging(table.position, ME).melding(table.hand("7h 7d 7s", 0))
    partner_melded = table.position.laying(
        staged.side, Staging(table.position, ME).laying(table.hand("7h 7d 7s", 0)).melds
    )
    assert staged.over(table.position) == staged
    assert staged.over(partner_melded).plays == (), (
        "the partner has melded sevens, so the person cannot begin a meld of sevens"
    )
    lost = table.position.losing(ME, table.hand("7h", 0))
    assert staged.over(lost).plays == ()
    with_pile = evolve(staged, taking=Taking.PILE)
    assert with_pile.over(table.position) == evolve(staged, plays=()), (
        "this is not the pile that the person wanted to take"
    )
