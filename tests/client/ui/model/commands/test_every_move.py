"""Every legal move can be made at the table, and is sent as exactly that move.

Each move is made twice: by selecting cards and pressing keys, and by typing its notation. The
positions come from rounds played at random.
"""

import random

import pytest

from client.ui.model.commands.find_commands import command_of, run_line
from client.ui.model.controls import Controls
from engine.games import GAMES
from engine.moves import Discard, LayMelds, Move, ShowBonus, TakePile, TakeTop, plays_of
from engine.notation.moves import format_move
from engine.position import Position
from engine.slots import Shown
from tests.client.plain_seat import PlainSeat, snapshot_of
from tests.client.ui.model.controls_at import notice_of, sending

POSITIONS = 60
"""Number of positions for each game and seed."""


def select(controls: Controls, cards: tuple[Shown, ...]) -> None:
    controls.unselect()
    for shown in cards:
        controls.toggle(shown.slot)


def press(controls: Controls, key: str) -> None:
    command = command_of(key, controls)
    assert command is not None
    assert command.press is not None
    command.press(controls)


def by_keys(controls: Controls, view: Position, move: Move) -> None:
    """Make the move by selecting cards and pressing keys; a move without cards is typed."""
    match move:
        case Discard(card):
            select(controls, (card,))
            press(controls, "x")
        case LayMelds() | TakePile() | TakeTop():
            _lay_out(controls, view, move)
        case _:
            run_line(controls, format_move(view, move))


def _lay_out(controls: Controls, view: Position, move: Move) -> None:
    top = view.pile[-1] if view.pile and not isinstance(move, LayMelds) else None
    for play in sorted(plays_of(move), key=lambda play: top not in play.cards):
        select(controls, tuple(shown for shown in play.cards if shown != top))
        if top in play.cards:
            press(controls, "t")
        elif play.onto is None:
            press(controls, "m")
        else:
            controls.add(play.onto + 1)
            if controls.hand and play not in controls.hand.staging.plays and play.low:
                controls.add(play.onto + 1)  # the other end
    if not plays_of(move):
        press(controls, "t")
    elif controls.stages:
        press(controls, "Enter")


def by_line(controls: Controls, view: Position, move: Move) -> None:
    line = format_move(view, move)
    run_line(controls, line)
    if controls.stages:
        run_line(controls, "send")


def check(seat: PlainSeat, move: Move) -> None:
    view = seat.view
    assert view is not None
    for make in (by_keys, by_line):
        controls, sent = sending(snapshot_of(seat))
        make(controls, view, move)
        if not sent:  # a warning asks for the move once more
            if plays_of(move):
                press(controls, "Enter")
            elif make is by_line:
                by_line(controls, view, move)
            else:
                press(controls, "x")
        assert sent == [move], (make.__name__, format_move(view, move), notice_of(controls))


@pytest.mark.parametrize("seed", [0, 1, 2, 100])
@pytest.mark.parametrize("game", GAMES)
def test_every_legal_move_can_be_made_by_keys_and_lines(game: str, seed: int) -> None:
    rng = random.Random(f"{game} {GAMES[game].usual_players} {seed}")

    def choose(view: Position) -> Move:
        moves = view.legal_moves(view.moving_seat)
        melding = [move for move in moves if plays_of(move)]
        return rng.choice(melding if melding and rng.random() < 0.4 else moves)

    seat = PlainSeat.sit(game, GAMES[game].usual_players, choose, seed=seed)
    checked = 0
    for _position in range(POSITIONS):
        seat.run()
        if not seat.chooses or seat.view is None:
            break
        legal = seat.view.legal_moves(seat.view.turn.seat)
        moves = [move for move in legal if not isinstance(move, ShowBonus)]
        for move in rng.sample(moves, min(6, len(moves))):
            check(seat, move)
            checked += 1
        seat.step(choose)
    assert checked > POSITIONS // 2
