"""The bounds of a cut."""

import pytest

from engine.errors import IllegalMove
from engine.moves import Cut
from engine.notation.position_reader import parse_position


@pytest.mark.parametrize("game", ["canasta", "kanastic"])
def test_who_cuts_too_much_is_told_how_much_they_may(game: str) -> None:
    position = parse_position(f"{game} 2\nshuffled")
    most = len(position.deck) - 1
    position.check(Cut(most))
    for number in (-1, most + 1):
        with pytest.raises(IllegalMove, match=f"from 0 to {most}\\."):
            position.check(Cut(number))
