"""Asking one's partner, which is offered only to a player who can go out."""

import pytest

from client.ui.model.commands.command_lines import offered_now
from client.ui.model.controls import Controls
from engine.turn import Step
from tests.client.plain_seat import snapshot_at
from tests.engine.positions import table_of

SIXES = "6h 6d 6s 6c 6h 6d 6s"
TENS = "Th Td Ts Tc Th Td Tc"
TWELVE = "4h 5h 7h 8h 9h Qd Jh Qh Kh Ah 4c 5c"


@pytest.mark.parametrize(
    ("game", "hand", "melds", "offered"),
    [
        ("canasta", TWELVE, [], False),
        ("canasta", TWELVE, [SIXES], False),
        ("canasta", "7h 7d 7s 9c", [], False),
        ("canasta", "7h 7d 7s 9c", [SIXES], True),
        ("canasta", "7h 7d 8s 9c", [SIXES], False),
        ("canasta", "9c", [SIXES], True),
        ("canasta", "9c", ["8h 8d 8s"], False),
        ("canasta", "3s 3c 3s 9c", [SIXES], True),
        ("canasta", "6c 6h 6d 9c", ["6h 6d 6s 6c"], True),
        ("canasta", f"{SIXES} 7h 7d 7s 9c", [], True),
        ("kanastic", TWELVE, [TENS], False),
        ("kanastic", "7h 7d 7s 8h 8d 8s 9c", [TENS], True),
    ],
)
def test_asking_is_offered_where_a_yes_would_serve(
    game: str, hand: str, melds: list[str], offered: bool
) -> None:
    table = table_of(game, hands=[hand], melds=[melds, []], step=Step.PLAY, totals=[0, 0])
    controls = Controls(lambda *_: None)
    controls.show(snapshot_at(game, table))
    assert ("ask" in [command.word for command in offered_now(controls)]) == offered
