"""Words for openings, with and without a minimum and a limit of wild cards."""

import pytest

from client.ui.model.table_words import opening_reached, opening_selected, opening_wanted
from engine.position_facts import Opening


@pytest.mark.parametrize(
    ("opening", "wanted", "reached", "selected"),
    [
        (Opening(0, 50, 0, None), "50", "0 of 50", "0 of 50: 50 short"),
        (Opening(45, 50, 0, None), "50", "45 of 50", "45 of 50: 5 short"),
        (Opening(50, 50, 0, None), "50", "50 of 50", "50 of 50"),
        (Opening(65, 50, 0, None), "50", "65 of 50", "65 of 50"),
        (
            Opening(20, 90, 1, 1),
            "90",
            "20 of 90, 1 wild card at most",
            "20 of 90, 1 wild card at most: 70 short",
        ),
        (Opening(90, 90, 0, 0), "90", *2 * ("90 of 90, 0 wild cards at most",)),
        (Opening(30, None, 0, None), "a canasta", *2 * ("30 points; a canasta is needed",)),
        (
            Opening(0, None, 0, 2),
            "a canasta",
            *2 * ("0 points; a canasta is needed, 2 wild cards at most",),
        ),
    ],
)
def test_an_opening_is_put_into_words(
    opening: Opening, wanted: str, reached: str, selected: str
) -> None:
    assert opening_wanted(opening) == f"opens with {wanted}"
    assert opening_reached(opening) == reached
    assert opening_selected(opening) == f"Selected: {selected}."
