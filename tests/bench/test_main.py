"""The command of the benches: it checks arguments first, and reports all figures."""

import json
import re
import sys
from functools import cache

import pytest

from engine.games import GAMES
from tests.bench import start
from tests.bench.__main__ import BENCHES, main
from tests.bench.figures import rounded, tables


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("audit --rounds -1", "--rounds: not a number from 0"),
        ("audit --players 7", "Canasta is for 2 to 6 players, not 7."),
        ("deal --players 1", "--players: not a number from 2 to 6"),
        ("deal --repeat many", "--repeat: invalid whole number value: 'many'"),
        ("ledger --records 1", f"--records: not a number from {len(GAMES)} to"),
        ("table --turns 1", "--turns: not a number from 4 to 40"),
        ("opponents --levels middle", "not two of"),
        ("opponents --levels middle,best", "not two of"),
        ("opponents --game canastra --players 4", "Canastra is for 2 players, not 4."),
    ],
)
def test_bad_arguments_are_refused(
    words: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("deal --players 3 --cards 4 --repeat 2", r"verify_floor_ratio +\d"),
        ("audit --game canastra --players 2 --repeat 1", r"threads_floor_ratio +\d"),
        ("engine --rounds 1 --hands 1", r" canasta +6 +1 "),
        pytest.param(
            "start --repeat 1 --seconds 1",
            r"play_ratio +\d",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc"),
        ),
    ],
)
def test_a_small_run_of_a_bench_reports_all_figures(
    words: str, shown: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bench runs once, and its results are shown to people and to programs."""
    bench = BENCHES[words.split(maxsplit=1)[0]]
    monkeypatch.setattr(bench, "run", cache(bench.run))
    main(words.split())
    assert re.search(shown, capsys.readouterr().out)
    main([*words.split(), "--json"])
    for measured in json.loads(capsys.readouterr().out):
        # Only a waiting screen may take no time at all.
        assert all(figure for name, figure in measured.items() if name != "waiting"), measured


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
def test_start_bench_fails_if_no_screen_appears(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "_START", "print('no screen')")
    with pytest.raises(RuntimeError, match="the first screen did not come"):
        start.run(repeat=1, seconds=1)


def test_figures_are_rounded_to_four_significant_digits() -> None:
    figures = {"rate": 123_456.7, "count": 123_456, "parts": ({"ms": 0.000_123_456}, "a")}
    assert rounded(figures) == {
        "rate": 123_500.0,
        "count": 123_456,
        "parts": [{"ms": 0.000_123_5}, "a"],
    }


def test_one_measurement_is_shown_downwards_and_several_in_columns() -> None:
    rows = [{"game": "samba", "wins": number, "rates": (0.25, 0.12345)} for number in (7, 1000)]
    assert list(tables([*rows, {"level": "easy", "ms": 1234.5678}])) == [
        " game   wins          rates\nsamba      7  0.25 - 0.1235\nsamba  1,000  0.25 - 0.1235",
        "level     easy\n   ms  1,235.0",
    ]


@pytest.mark.parametrize("what", BENCHES)
def test_each_bench_has_a_help_text(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([what, "--help"])
    assert ended.value.code == 0
    assert "--json" in capsys.readouterr().out
