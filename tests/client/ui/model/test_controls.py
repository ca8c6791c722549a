"""A person's actions at the table that no file in `scenes/` has."""

from attrs import evolve

from client.ui.model.controls import Controls
from engine.moves import DrawStock
from engine.turn import Step
from tests.client.plain_seat import snapshot_at
from tests.engine.positions import table_of


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
