"""Hints of the referee on a refused move."""

import pytest

from engine.notation.referee import rulings


def hint(text: str) -> str:
    """Return the first hint, "None" if there is none."""
    return str(next(iter(rulings(text))).hint)


@pytest.mark.parametrize(
    ("following", "said"),
    [
        ("try meld 5h 5d 5s Jo", "meld Kh Kd Ks + 5h 5d 5s Jo"),
        ("play meld 5h 5d 5s Jo", "meld Kh Kd Ks + 5h 5d 5s Jo"),
        ("try 1 meld 5h 5d 5s Jo", "meld Kh Kd Ks + 5h 5d 5s Jo"),
        ("expect illegal C37\ntry meld 5h 5d 5s Jo", "meld Kh Kd Ks + 5h 5d 5s Jo"),
        ("try meld 5h 5d 5s\ntry meld Jo to 2", "None"),  # nothing lies there yet
        ("try meld 5h 5d 5s\ntry meld 4c 4d 4h", "meld Kh Kd Ks + 5h 5d 5s + 4c 4d 4h"),
        ("try meld 5h 5d", "None"),
        ("try meld 5h 5d 5x\ntry meld 5h 5d 5s Jo", "None"),
        ("try discard 4c\ntry meld 5h 5d 5s Jo", "None"),
        ("dispute meld 5h 5d 5s Jo", "None"),
        ("try", "None"),
        ("try show 5h 5d 5s Jo", "None"),
        ("dispute misdeal\ntry meld 5h 5d 5s Jo", "None"),
    ],
)
def test_melds_of_several_lines_are_laid_in_one(following: str, said: str) -> None:
    position = "canasta 4\nhand 1 Kh Kd Ks 5h 5d 5s Jo 4c 4d 4h 6c 7c\n"
    found = hint(f"{position}try meld Kh Kd Ks\n{following}\n")
    assert found.removeprefix("Lay all in one line: ") == said


def test_what_is_no_meld_has_no_hint() -> None:
    position = "canasta 4\nhand 1 Kh Kd Ks 9h 9d 9s Jo 4c\n"
    assert hint(f"{position}try discard 5c\ntry meld 9h 9d 9s Jo\n") == "None"


def test_a_taking_is_joined_as_well() -> None:
    position = "canasta 4\nturn 1 draw\npile 5c 9s\nhand 1 9h 9d Kh Kd Ks Jo 4c 4d\n"
    assert hint(f"{position}try take ^9s 9h 9d\nplay meld Kh Kd Ks Jo\n") == (
        "Lay all in one line: take ^9s 9h 9d + Kh Kd Ks Jo"
    )


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("3s 3c 3s Kc 4d", "meld Kc to 2"),
        ("5 3s 3c 3s Kc", "None"),
        ("3s 3c 3s Kc ?", "None"),
    ],
)
def test_of_a_hand_that_is_not_known_nobody_says_how_it_goes_out(hand: str, said: str) -> None:
    melds = "meld 1 Qs Qd Qh Qc Qs Qd Qh\nmeld 1 Ks Kd Kh\n"
    text = f"case a\ncanasta 2\n{melds}turn 1 play\nhand 1 {hand}\ntry meld 3s 3c 3s\n"
    assert next(iter(rulings(text))).clause == "C69"
    assert said in hint(text)


def test_who_is_told_how_to_go_out_lays_what_they_wanted_to_lay() -> None:
    melds = "meld 1 Kd Kh Kc Ks Kd Kh\nmeld 1 4d 4h 4s\n"
    text = f"canasta 2\n{melds}turn 1 play\nhand 1 Ks 4c\ntry meld 4c to 2\n"
    assert next(iter(rulings(text))).clause == "C85"
    assert hint(text) == "Lay all in one line: meld Ks to 1 + 4c to 2"


def test_the_same_cards_laid_elsewhere_are_no_hint() -> None:
    melds = "meld 1 Kd Kh Kc Ks Kd Kh\nmeld 1 4d 4h 4s\n"
    text = f"canasta 2\n{melds}turn 1 play\nhand 1 2c\n"
    assert [ruling.clause for ruling in rulings(f"{text}try meld 2c to 1")] == [""]
    assert hint(f"{text}try meld 2c to 2\n") == "None"


def test_a_meld_that_is_none_is_not_answered_with_going_out() -> None:
    melds = "meld 1 Qs Qd Qh Qc Qs Qd Qh\n"
    text = f"canasta 2\n{melds}turn 1 play\nhand 1 Ks Kd Kh 4c\ntry meld Ks Kd\n"
    assert next(iter(rulings(text))).clause == "C25"
    assert hint(text) == "None"


def test_what_is_joined_needs_no_hand_that_is_known() -> None:
    melds = "meld 1 Qs Qd Qh Qc Qs Qd Qh\nmeld 1 Ks Kd Kh\n"
    text = f"canasta 2\n{melds}turn 1 play\nhand 1 3s 3c 3s Kc ?\ntry meld 3s 3c 3s\n"
    assert hint(text) == "None"
    assert hint(f"{text}try meld Kc to 2\n") == "Lay all in one line: meld 3s 3c 3s + Kc to 2"
