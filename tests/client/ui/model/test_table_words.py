"""Words for openings, with and without a minimum and a limit of wild cards."""

from pathlib import Path

from client.ui.model.table_words import opening_reached, opening_selected, opening_wanted
from engine.position_facts import Opening
from tests.client.ui.tui.golden import check_file


def test_openings_are_put_into_the_words_of_their_file() -> None:
    told: list[str] = []
    for points, need, wilds, most in (
        *((0, 50, 0, None), (45, 50, 0, None), (50, 50, 0, None), (65, 50, 0, None)),
        *((20, 90, 1, 1), (90, 90, 0, 0), (30, None, 0, None), (0, None, 0, 2)),
    ):
        opening = Opening(points, need, wilds, most)
        told += [f"{points} of {need}, {wilds} wild cards of {most}"]
        for words in (opening_wanted, opening_reached, opening_selected):
            told.append(f"    {words(opening)}")
    check_file(Path(__file__).parent / "texts" / "openings.txt", "\n".join(told))
