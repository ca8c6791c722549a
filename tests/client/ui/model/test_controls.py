"""Actions of a person at the table, as far as no file in `scenes/` shows them."""

from attrs import evolve

from client.ui.model.controls import Controls
from engine.moves import DrawStock
from engine.score_sheet import ScoreSheet
from engine.turn import Step
from tests.client.plain_seat import snapshot_at
from tests.engine.positions import codes_of, table_of


def test_a_late_click_on_a_card_just_laid_out_does_no_harm() -> None:
    """The click may come before the screen is drawn again, so the card is still visible."""
    table = table_of("canasta", hands=["7h 7d 7s"])
    controls = Controls(lambda *_: None)
    controls.show(snapshot_at("canasta", table))
    cards = table.hand("7h 7d 7s")
    for shown in cards:
        controls.toggle(shown.slot)
    controls.meld()
    assert controls.hand is not None
    assert controls.hand.under_cursor is None
    controls.toggle(cards[0].slot)
    controls.toggle()


def test_the_turn_is_announced_once_when_it_begins() -> None:
    rung: list[int] = []
    table = table_of("canasta", hands=["7h 7d"], step=Step.DRAW)
    controls = Controls(lambda *_: None, on_turn=lambda: rung.append(1))
    for _ in range(2):
        controls.show(snapshot_at("canasta", table))
    assert rung == [1]
    other = table_of("canasta", hands=["7h 7d", "Kc"], seat=1, step=Step.DRAW)
    playing = table_of("canasta", hands=["7h 7d"], step=Step.PLAY)
    for later in (other, playing):
        controls.show(snapshot_at("canasta", later))
    assert rung == [1]


def test_a_new_round_begins_with_a_sorted_hand_and_no_new_cards() -> None:
    controls = Controls(lambda *_: None)
    first = snapshot_at("canasta", table_of("canasta", hands=["7h 7d"], step=Step.DRAW))
    more = snapshot_at("canasta", table_of("canasta", hands=["7h 7d 5c"], step=Step.PLAY))
    dealt = snapshot_at("canasta", table_of("canasta", hands=["Kc 5h 4s"], step=Step.DRAW))
    sheet = ScoreSheet(((), ()), None)
    state = evolve(dealt.state, match=evolve(dealt.state.match, sheets=(sheet,)))
    told = []
    for snapshot in (first, more, evolve(dealt, state=state)):
        controls.show(snapshot)
        assert controls.hand is not None
        new = [card for card in controls.hand.cards if card.slot in controls.hand.fresh]
        told.append((codes_of(controls.hand.cards), codes_of(new)))
    assert told == [("7h 7d", ""), ("5c 7h 7d", "5c"), ("4s 5h Kc", "")]


def test_the_turn_is_announced_at_each_step_that_does_not_follow_an_own_move() -> None:
    rung: list[Step] = []
    controls = Controls(lambda *_: None)
    controls.on_turn = lambda: rung.append(controls.snapshot.state.match.round.turn.step)  # type: ignore[union-attr]
    steps = (Step.DRAW, Step.PLAY, Step.DRAW, Step.OPEN, Step.ANSWER)
    for head, step in enumerate(steps):
        seat = 2 if step is Step.ANSWER else 0
        table = table_of("canasta", hands=["7h 7d", "Kc"], seat=seat, step=step)
        snapshot = snapshot_at("canasta", table)
        controls.say("A notice of the last turn.")
        controls.show(evolve(snapshot, state=evolve(snapshot.state, head=bytes([head]))))
        assert (controls.notice is None) is (step is not Step.PLAY)
    assert rung == [Step.DRAW, Step.DRAW, Step.OPEN, Step.ANSWER]


def test_controls_do_nothing_during_the_seat_draw() -> None:
    controls = Controls(lambda *_: None)
    table = table_of("canasta", hands=["7h 7d"], step=Step.DRAW)
    controls.show(evolve(snapshot_at("canasta", table), view=None, chooses=False))
    for action in (
        controls.take,
        controls.meld,
        controls.discard,
        controls.cut,
        controls.undo,
        controls.undo_all,
        controls.sort,
        controls.toggle,
        controls.unselect,
        controls.send_staged,
    ):
        action()
    controls.move_cursor(1)
    controls.shift(1)
    controls.add(1)
    controls.make(DrawStock())
