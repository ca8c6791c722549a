"""One's own results: which matches count, sums, streaks, the rating, and the cached line."""

import os
import random
from math import log
from pathlib import Path

import pytest
from attrs import evolve

from client import own_statistics_line
from client.i18n.language import choose_language
from client.reports.ledger.own_statistics import (
    LEVEL_RATINGS,
    PRIOR,
    OwnMatch,
    line_of,
    own_match,
    own_statistics,
    rating,
    statistics_lines,
)
from p2p.storage.private_files import make_private
from tests.client.reports.audited import CARLA, DIEGO, PAIRS


def test_own_matches_are_found_by_key_and_solo_matches_by_the_first_player() -> None:
    solo = evolve(PAIRS, opponents="strong")
    found = [
        own_match("a", match, key)
        for match, key in (
            (PAIRS, CARLA),
            (evolve(PAIRS, rounds=()), DIEGO),
            (evolve(PAIRS, winner=None), CARLA),
            (solo, "ee" * 32),
            (PAIRS, "ee" * 32),
        )
    ]
    assert [one and (one.won, one.drawn, one.partners, one.level, one.best) for one in found] == [
        (True, False, ("Ana",), "", 3100),
        (False, False, ("Bruno",), "", None),
        (False, True, ("Ana",), "", 3100),
        (True, False, ("Carla",), "strong", 3100),
        None,
    ]


def played(results: str, level: str = "strong") -> list[OwnMatch]:
    return [
        OwnMatch(f"{at}", "canasta", level, one == "w", one == "d", ("Carla",), 100 * at)
        for at, one in enumerate(results)
    ]


def test_matches_are_summed_and_streaks_follow_their_order() -> None:
    found = own_statistics([*played("wwlw"), *played("wd", ""), *played("ww", "easy")])
    assert (found.total.matches, found.total.wins) == (8, 6)
    assert {name: (one.matches, one.wins) for name, one in found.levels.items()} == {
        "strong": (4, 3),
        "": (2, 1),
        "easy": (2, 2),
    }
    assert (found.streak, found.longest) == (2, 2)
    assert found.partners["Carla"].matches == 8
    assert found.best == [(300, "3"), (200, "2"), (100, "1")]
    assert len(found.ratings) == 6, "matches against people change no rating"


def test_rating_is_the_likeliest_value_with_a_narrowing_interval() -> None:
    strong = LEVEL_RATINGS["strong"]
    assert rating(()).value == PRIOR
    told = rating([(strong, 1.0), (strong, 0.5), (510.0, 0.0)])
    assert (told.value, told.error) == pytest.approx((1013.8748418, 410.9539353), rel=1e-9)
    even = rating([(strong, 1.0), (strong, 0.0)] * 200)
    assert even.value == pytest.approx(strong, abs=5)
    # 95 % interval of 400 even matches: 1.96 deviations, on the Elo scale of 400 / ln(10).
    assert even.error == pytest.approx(1.96 * 400 / log(10) / (400 * 0.25) ** 0.5, rel=0.05)
    assert rating([(strong, 1.0)] * 5).value > rating([(strong, 1.0)]).value > PRIOR
    assert rating([(strong, 1.0)] * 5).error < rating([(strong, 1.0)]).error
    assert rating([(strong, 1.0)] * 1000).value < 3000, "the prior must bound the rating"
    assert rating([(strong, 0.0)] * 1000).value > -1000


def test_rating_interval_contains_the_true_rating_in_95_percent_of_cases() -> None:
    chance, truth, held = random.Random(3), 1100.0, 0
    for _run in range(200):
        results = []
        for other in list(LEVEL_RATINGS.values()) * 6:
            likely = 1 / (1 + 10 ** ((other - truth) / 400))
            results.append((other, float(chance.random() < likely)))
        found = rating(results)
        held += abs(found.value - truth) <= found.error
    assert 180 <= held <= 200


def folder_with_records(tmp_path: Path, *written: int) -> tuple[Path, list[Path]]:
    """Return a data folder, and records that were written at these times."""
    records = [tmp_path / f"{number}" for number in range(len(written))]
    for path, time in zip(records, written, strict=True):
        path.write_text("x")
        os.utime(path, ns=(1, time))
    return make_private(tmp_path / "home"), records


def test_cached_statistics_line_is_valid_only_for_its_records(tmp_path: Path) -> None:
    folder, records = folder_with_records(tmp_path, 1000, 1001)
    line = line_of(own_statistics(played("wwlw")), 2, own_statistics_line.newest_of(records))
    assert own_statistics_line.kept_line(folder, records) is None
    own_statistics_line.keep_line(folder, line)
    assert own_statistics_line.kept_line(folder, records) == line
    last = own_statistics(played("wwlw")).ratings[-1]
    told = 2, 1001, 4, 3, round(last.value), round(last.error)
    assert line == own_statistics_line.StatisticsLine(*told, "2703")
    assert line_of(own_statistics([]), 0, 0) == (0, 0, 0, 0, PRIOR, 686, "")
    assert line.text(symbols=False).startswith("4 matches, 3 won; rating ")
    os.utime(records[1], ns=(1, 5_000))
    assert own_statistics_line.kept_line(folder, records) is None, (
        "the line is out of date: another record is newer"
    )
    assert own_statistics_line.kept_line(folder, records[:1]) is None


def test_a_damaged_cached_line_is_ignored(tmp_path: Path) -> None:
    folder, records = folder_with_records(tmp_path, 1001, 1001)
    file = folder / own_statistics_line.FILE
    file.touch(0o600)
    for data in (
        *(b"", b"1 2", b"0 2 1001 4 3 1200 80 01", b"1 2 1001 4 3 1200 80 09", b"\xff\xfe"),
        *(b"1 2 x 4 3 1200 80 0", b"1 2 1001 4 3 1200 80 0 0", b"1" * 10_000),
    ):
        file.write_bytes(data)
        assert own_statistics_line.kept_line(folder, records) is None, data


def test_rating_curve_is_drawn_as_bars() -> None:
    assert own_statistics_line.digits([]) == ""
    assert own_statistics_line.digits([5.0, 5.0]) == "00"
    assert own_statistics_line.digits([0.0, 50.0, 100.0]) == "047"
    assert len(own_statistics_line.digits([*map(float, range(100))])) == 24
    assert own_statistics_line.drawn("07", symbols=True) == "▁█"
    assert own_statistics_line.drawn("07", symbols=False) == "_@"


@pytest.mark.parametrize("language", ["es", "pt"])
def test_statistics_are_translated(language: str) -> None:
    choose_language(language)
    assert "seguidas" in "\n".join(statistics_lines(own_statistics(played("wwl")), symbols=False))


def test_statistics_are_told_in_these_lines() -> None:
    samba = evolve(played("w")[0], game="samba", partners=("Bruno",), best=None)
    found = own_statistics([samba, *played("wwld"), *played("w", "")])
    assert list(statistics_lines(found, symbols=False)) == [
        "All: 6 matches, 4 wins",
        "Against strong: 5 matches, 3 wins",
        "Against people: 1 match, 1 win",
        "Samba: 1 match, 1 win",
        "Canasta: 5 matches, 3 wins",
        "With Carla: 5 matches, 3 wins",
        "With Bruno: 1 match, 1 win",
        "Best rounds: 300 (3), 200 (2) and 100 (1)",
        "Won in a row: 1 now, 3 at most",
        "Rating: 1,276, give or take 285 (95 %), from 5 matches",
        "  _+@._",
        "The ratings of the levels: easy 510, middle 1000, strong 1190 and patient 1320.",
    ]
    (nothing,) = statistics_lines(own_statistics([]), symbols=True)
    assert nothing == "There is no sound record of a match of yours that is over."
