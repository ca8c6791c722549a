"""The page of the specification that deals Skat: its code runs, and its audit finds cheats."""

import re
from dataclasses import replace
from typing import Any

import pytest

from protocol.errors import ProofFailed
from tests.spec.documents import text

PAGE = text("deal-your-own-game.md")


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """Run all code on the page, and return its names."""
    names: dict[str, Any] = {"__name__": "page"}
    code = "\n".join(re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
    exec(compile(code, "deal-your-own-game.md", "exec"), names)
    return names


def audited(page: dict[str, Any], steps: list[Any]) -> list[list[str | None]]:
    keys = tuple(player.key for player in page["players"])
    hands: list[list[str | None]] = page["audit"](keys, steps)
    return hands


def test_every_player_has_ten_cards_and_the_skat_stays_covered(page: dict[str, Any]) -> None:
    hands = audited(page, page["steps"])
    assert [len(hand) for hand in hands] == [10, 10, 10]
    assert hands == page["hands"]
    unopened = audited(page, page["steps"][:-3])
    assert unopened == [[None] * 10] * 3


@pytest.fixture
def shuffled(page: dict[str, Any]) -> Any:
    """Return the table after all players have shuffled."""
    table = page["Table"].begin(tuple(player.key for player in page["players"]))
    for step in page["steps"][:3]:
        table = table.follow(step)
    return table


def test_the_audit_finds_unlocked_cards_in_the_wrong_order(
    page: dict[str, Any], shuffled: Any
) -> None:
    unlocking = page["steps"][3]
    proof, slots, *points = unlocking.parts
    swapped = replace(unlocking, parts=(proof, slots, *points[1:], points[0]))
    with pytest.raises(ProofFailed, match="announced key"):
        shuffled.follow(page["players"][0].sign(shuffled, swapped))


@pytest.mark.parametrize(
    ("slots", "why"),
    [(range(10), "slot 0 is the last"), (range(30, 32), "slot 30 is not to be unlocked")],
    ids=["the own hand", "the skat"],
)
def test_unlocking_ones_own_hand_first_or_the_skat_is_refused(
    page: dict[str, Any], shuffled: Any, slots: range, why: str
) -> None:
    with pytest.raises(page["Cheat"], match=why):
        shuffled.follow(page["players"][0].unlock(shuffled, slots))


def test_forged_missing_and_repeated_steps_are_refused(page: dict[str, Any]) -> None:
    steps = page["steps"]
    for forged in ([steps[0], replace(steps[1], player=2)], [steps[1]], [steps[0], steps[0]]):
        with pytest.raises(page["Cheat"], match="signature of this step is wrong"):
            audited(page, forged)


def test_each_player_must_shuffle_in_turn(page: dict[str, Any]) -> None:
    players = page["players"]
    table = page["Table"].begin(tuple(each.key for each in players))
    with pytest.raises(page["Cheat"], match="somebody else's turn"):
        table.follow(players[1].shuffle(table))
    with pytest.raises(page["Cheat"], match="not shuffled by all"):
        table.follow(players[0].sign(table, page["Step"](0, "unlock", ())))
