"""Actions of a person at the table: those that no scene in `scenes/` shows."""

from functools import partial

from attrs import evolve

from client.ui.model.controls import Controls
from engine.moves import DrawStock
from engine.score_sheet import ScoreSheet
from engine.turn import Step
from tests.client.plain_seat import snapshot_at
from tests.client.ui.model.controls_at import controls_at, hand_of
from tests.engine.positions import codes_of, table_of


def test_a_new_round_begins_with_a_sorted_hand_and_no_new_cards() -> None:
    first = snapshot_at("canasta", table_of("canasta", hands=["7h 7d"], step=Step.DRAW))
    more = snapshot_at("canasta", table_of("canasta", hands=["7h 7d 5c"], step=Step.PLAY))
    dealt = snapshot_at("canasta", table_of("canasta", hands=["Kc 5h 4s"], step=Step.DRAW))
    match = evolve(dealt.state.match, sheets=(ScoreSheet(((), ()), None),))
    controls, told = controls_at(first), []
    for snapshot in (first, more, evolve(dealt, state=evolve(dealt.state, match=match))):
        controls.show(snapshot)
        hand = hand_of(controls)
        new = [card for card in hand.cards if card.slot in hand.fresh]
        told.append((codes_of(hand.cards), codes_of(new)))
    assert told == [("7h 7d", ""), ("5c 7h 7d", "5c"), ("4s 5h Kc", "")]


def test_the_turn_is_announced_once_and_not_at_a_step_after_an_own_move() -> None:
    """PLAY follows the person's own draw. In ANSWER the person, in seat 0, answers seat 2."""
    rung: list[Step] = []
    controls = Controls(lambda *_: None)
    controls.on_turn = lambda: rung.append(controls.snapshot.state.match.round.turn.step)  # type: ignore[union-attr]
    for head, (seat, step) in enumerate(
        (
            *((0, Step.DRAW), (1, Step.DRAW), (0, Step.PLAY), (0, Step.DRAW)),
            *((0, Step.OPEN), (2, Step.ANSWER)),
        )
    ):
        table = table_of("canasta", hands=["7h 7d", "Kc"], seat=seat, step=step)
        snapshot = snapshot_at("canasta", table)
        controls.say("A notice of the last turn.")
        for _twice in range(2):
            controls.show(evolve(snapshot, state=evolve(snapshot.state, head=bytes([head]))))
        assert (controls.notice is None) is (seat != 1 and step is not Step.PLAY)
    assert rung == [Step.DRAW, Step.DRAW, Step.OPEN, Step.ANSWER]


def test_controls_do_nothing_during_the_seat_draw() -> None:
    table = table_of("canasta", hands=["7h 7d"], step=Step.DRAW)
    do = controls_at(evolve(snapshot_at("canasta", table), view=None, chooses=False))
    for action in (
        *(do.take, do.meld, do.discard, do.cut, do.undo, do.undo_all, do.sort, do.toggle),
        *(do.unselect, do.send_staged, partial(do.move_cursor, 1), partial(do.shift, 1)),
        *(partial(do.add, 1), partial(do.make, DrawStock())),
    ):
        action()
